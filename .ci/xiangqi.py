"""External referee of xiangqi: Fairy-Stockfish's rules (pyffish) against the service's.

Random games are played move by move. After each move the FEN, the legal moves and the end by checkmate or
stalemate must agree. Then both judge recorded repetitions.

Intended differences of the rules are not compared:
- dead material ends our games, not those of Fairy-Stockfish;
- Fairy-Stockfish counts 100 quiet plies to a draw, we 120: random games stop at 100;
- chases have other rules: recorded cases with `agree` false are left out.
"""

import http.client
import json
import random
import socket
import sys
import urllib.parse

import pyffish

GAMES = 30
MOST_PLIES = 200
QUIET_PLIES = 100
VARIANT = "xiangqi"


class Service:
    def __init__(self, url):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)
        self.connection.connect()
        # Head and body are sent separately; the body must not wait for the acknowledgement of the head.
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def position(self, state, moves, **options):
        body = {"game": "xiangqi", "state": state, "moves": moves, "options": options}
        headers = {"Content-Type": "application/json"}
        self.connection.request("POST", "/v1/position", json.dumps(body), headers)
        reply = self.connection.getresponse()
        text = reply.read()
        assert reply.status == 200, (state, moves, text)
        return json.loads(text)


def theirs(move):
    """The move in Fairy-Stockfish's notation, with ranks from 1."""
    (from_file, from_rank), (to_file, to_rank) = move[:2], move[2:]
    return f"{from_file}{int(from_rank) + 1}{to_file}{int(to_rank) + 1}"


def compare(answer, fen):
    """Compares service and referee on the position of this FEN; returns the moves."""
    legal = pyffish.legal_moves(VARIANT, fen, [])
    ended = answer["outcome"]
    if not legal:
        winner = "black" if fen.split()[1] == "w" else "red"
        reason = "checkmate" if pyffish.gives_check(VARIANT, fen, []) else "stalemate"
        assert ended == {"result": winner, "reason": reason}, (fen, ended)
    elif ended is None:
        assert sorted(map(theirs, answer["legal_moves"])) == sorted(legal), fen
    else:
        assert ended == {"result": "draw", "reason": "dead_material"}, (fen, ended)
    return answer["legal_moves"]


def captures(answer):
    """The captures."""
    board = answer["state"]["json"]["board"]

    def is_capture(move):
        return board[9 - int(move[3])]["abcdefghi".index(move[2])] != "."

    return list(filter(is_capture, answer["legal_moves"]))


def play(service, dice):
    """Random game with some preference for captures, which lead to open boards."""
    fen, plies = pyffish.start_fen(VARIANT), 0
    answer = service.position(fen, [])
    moves = compare(answer, fen)
    while moves and plies < MOST_PLIES and int(fen.split()[4]) < QUIET_PLIES - 1:
        preferred = captures(answer) if dice.random() < 0.2 else []
        move = dice.choice(preferred or moves)
        answer = service.position(fen, [move])
        fen = pyffish.get_fen(VARIANT, fen, [theirs(move)])
        # The seventh word, the checks since the last capture, is ours alone.
        assert answer["state"]["text"].split()[:6] == fen.split(), (answer, fen)
        moves = compare(answer, fen)
        plies += 1
    return plies, answer["outcome"] and answer["outcome"]["reason"]


def judge(service, case):
    """True if both judge a recorded repetition as recorded."""
    state, moves = case["start_fen"], case["moves"]
    outcome = service.position(state, moves, lax=True)["outcome"]
    ended, value = pyffish.is_optional_game_end(VARIANT, state, [theirs(move) for move in moves])
    mover = case["final_fen"].split()[1]
    sides = {"w": "red", "b": "black"}
    other = sides["b" if mover == "w" else "w"]
    verdict = "draw" if value == 0 else sides[mover] if value > 0 else other
    assert ended and verdict == case["fairy_stockfish"], (case, ended, value)
    assert outcome["result"] == verdict, (case, outcome)


def main(url, recorded):
    service, dice = Service(url), random.Random(1)
    games = [play(service, dice) for _ in range(GAMES)]
    reasons = [reason for _, reason in games]
    counts = {str(reason): reasons.count(reason) for reason in sorted(set(reasons), key=str)}
    with open(recorded) as file:
        cases = [case for case in json.load(file)["cases"] if case["agree"]]
    for case in cases:
        judge(service, case)
    print(f"xiangqi: {sum(plies for plies, _ in games)} plies, ends {counts}; {len(cases)} repetitions")


main(*sys.argv[1:])

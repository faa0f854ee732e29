#!/usr/bin/env python3
"""What the card duel's founding document says about its techniques, measured; see docs/card-duel.md.

    cargo build --release
    benches/published.py claims --game easycard|core|starter [--games 80] [--nodes 2000] [--depth 4] [--only TEXT]
    benches/published.py smooth --game easycard|core|starter [--games 80] [--nodes 2000]
    benches/published.py draw [--positions 24] [--depth 4]

`claims`: games between the document's techniques with equal nodes, from random openings or deals, each played from
both sides. Scores are the first named one's: of all games, going first, going second, and on the side that an unpruned
search of the opening finds behind, where the row `plain, plain` shows what that side is worth. Errors are 95 %
intervals, over pairs of games for the first column, over games otherwise.

`smooth`: |V(s') - V(s)| of the static evaluation V over consecutive decisions of games, both for the first side.

`draw`: of the positions in which a search finds the mover behind, the share of the cards in the mover's deck that turn
the value when drawn now: to a positive one, or by more than a hit point.
"""

import argparse
import itertools
import json
import math
import random
import subprocess
import tempfile
from statistics import mean, pstdev

from duel import Service, UNPRUNED, drawn

PLAIN = UNPRUNED | {"worlds": 1}
RAZOR = PLAIN | {"razor": True}
SELF_LOSS = {"self_loss": True, "self_loss_verify": False, "self_loss_again_from": 2}
LIVES = ["Diluc", "Kaeya", "Sucrose", "Xiangling", "Fischl", "Collei", "Keqing", "Ningguang", "Bennett"]
SKIP = PLAIN | {"order_independence": True, "independence": "ordinary"}
GUESS = PLAIN | {"opponent_chance": "fixed"}
POINT = 100


def variant(margin, plies, base=RAZOR):
    return base | SELF_LOSS | {"self_loss_margin": margin, "self_loss_reduction": plies}


VARIANTS = list(itertools.product(["full", "half"], [2, 3]))
ROWS = [("plain, plain", PLAIN, PLAIN), ("razor, plain", RAZOR, PLAIN),
        ("self-loss full 2, plain", variant("full", 2, PLAIN), PLAIN)]
ROWS += [(f"both {margin} {plies}, plain", variant(margin, plies), PLAIN) for margin, plies in VARIANTS]
ROWS += [(f"both {margin} {plies}, razor", variant(margin, plies), RAZOR) for margin, plies in VARIANTS]
ROWS += [("skip rule, plain", SKIP, PLAIN), ("guessed opponent, plain", GUESS, PLAIN),
         ("guessed opponent and typical dice, plain", GUESS | {"dice": "expected"}, PLAIN)]


def start(service, game, luck):
    """The start of a game: in the core profile with random teams, with the starter decks a random deal."""
    if game == "starter":
        said = service.post("/v1/position", {"options": {"deal_seed": luck.randrange(1_000_000)}})
        return {"state": said["state"]["json"]}
    if game == "easycard":
        return {}
    def seat():
        return {"chars": [{"name": name, "hp": 10} for name in luck.sample(LIVES, 3)], "dice": {"omni": 8}, "active": 0}
    return {"state": {"profile": "core", "round": 1, "phase": "action", "turn": 0, "players": [seat(), seat()]}}


def sign(service, said):
    return 1 if said["side_to_move"] == service.sides[0] else -1


def openings(service, arguments):
    """Deals, or starts with four random plies, and the side that a search finds behind."""
    luck = random.Random(arguments.seed)
    plies = 0 if arguments.game == "starter" else 4
    for _ in range(arguments.games // 2):
        said, moves = None, []
        begin = start(service, arguments.game, luck)
        while said is None or len(moves) < plies and said["legal_moves"]:
            moves += [luck.choice(said["legal_moves"])] if said else []
            said = service.post("/v1/position", begin | {"moves": moves})
        question = begin | {"moves": moves, "options": PLAIN, "ratings": "none"}
        answer = service.post("/v1/bestmove", question | {"algorithm": "mc_alphabeta",
                                                         "budget": {"depth": arguments.depth}})
        value = number(answer["score"]) * sign(service, said)
        behind = None if value == 0 else service.sides[value > 0]
        yield begin | {"moves": moves, "behind": behind}


def number(score):
    return score.get("value", {"win": 1e4, "loss": -1e4}.get(score["kind"], 0))


def interval(results):
    if len(results) < 2:
        return "none"
    return f"{100 * mean(results):.0f} ± {196 * pstdev(results) / math.sqrt(len(results)):.0f}"


def claims(service, arguments):
    book = list(openings(service, arguments))
    print("| first, second | all | going first | going second | behind |\n|---|---|---|---|---|")
    for name, one, other in (row for row in ROWS if arguments.only in row[0]):
        records = match(book, one, other, arguments)
        by_seat = [[game["result"] for game in records if game["first_plays"] == side] for side in service.sides]
        behind = [game["result"] for game in records if game["first_plays"] == book[game["pair"]]["behind"]]
        pairs = [mean(game["result"] for game in records if game["pair"] == n) for n in range(len(book))]
        print("| " + " | ".join([name, interval(pairs), *map(interval, by_seat), interval(behind)]) + " |", flush=True)


def match(book, one, other, arguments):
    def question(options):
        return json.dumps({"game": arguments.name, "algorithm": "mc_alphabeta", "budget": {"nodes": arguments.nodes},
                           "options": options})

    with tempfile.NamedTemporaryFile("w") as lines, tempfile.NamedTemporaryFile("r") as record:
        json.dump({"openings": book}, lines)
        lines.flush()
        command = [arguments.program, "match", question(one), question(other), "--games", str(arguments.games),
                   "--openings", lines.name, "--seed", str(arguments.seed), "--jobs", str(arguments.jobs),
                   "--json", record.name]
        subprocess.run(command, check=True, capture_output=True)
        return json.load(record)["games"]


def smooth(service, arguments):
    luck = random.Random(arguments.seed)
    steps = []
    for _ in range(arguments.games):
        said, last = service.post("/v1/position", start(service, arguments.game, luck)), None
        while said["legal_moves"]:
            move = luck.choice(said["legal_moves"])
            if said["side_to_move"] != "chance":
                value = number(said["evaluation"]) * sign(service, said)
                steps += [] if last is None else [abs(value - last)]
                last = value
                move = service.post("/v1/bestmove", {
                    "state": said["state"]["json"], "algorithm": "mc_alphabeta", "ratings": "none",
                    "budget": {"nodes": arguments.nodes}})["best_move"]
            said = service.post("/v1/position", {"state": said["state"]["json"], "moves": [move]})
    steps.sort()
    shares = [steps[int(share * (len(steps) - 1))] for share in (0.5, 0.95, 0.99, 1)]
    print(f"| {arguments.game} | {len(steps)} | " + " | ".join(f"{step:.0f}" for step in shares) + " |")


def draw(service, arguments):
    turned, gained, two, counted = [], [], [], 0
    for state in drawn(arguments):
        seat = state["players"][state["turn"]]
        deck = seat["deck"]
        before = searched(service, state, arguments.depth)
        counted += 1
        if before >= 0 or len(deck) < 2 or len(seat["hand"]) > 9:
            continue
        found = {}
        for card in set(deck):
            rest = deck.copy()
            rest.remove(card)
            players = list(state["players"])
            players[state["turn"]] = seat | {"hand": seat["hand"] + [card], "deck": rest}
            found[card] = searched(service, state | {"players": players}, arguments.depth)
        values = [found[card] for card in deck]
        turned.append(mean(value > 0 for value in values))
        gained.append(mean(value > before + POINT for value in values))
        others = round(len(deck) * (1 - turned[-1]))
        two.append(1 - others * (others - 1) / (len(deck) * (len(deck) - 1)))
    print(f"{len(turned)} of {counted} positions behind: {interval(turned)} % of the cards turn the sign, "
          f"{interval(two)} % of draws of two have one, {interval(gained)} % bring more than a hit point; "
          f"at least one card turns {sum(share > 0 for share in turned)} positions")


def searched(service, state, depth):
    answer = service.ask(state, {"worlds": 4}, depth, "none", algorithm="mc_alphabeta")
    return number(answer["score"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["claims", "smooth", "draw"])
    parser.add_argument("--program", default="target/release/bestmove")
    parser.add_argument("--game", choices=["easycard", "core", "starter"], default="starter")
    parser.add_argument("--only", default="", help="rows of claims whose name has this text")
    for key, default in [("games", 80), ("nodes", 2000), ("depth", 4), ("positions", 24), ("seed", 1), ("jobs", 1),
                         ("port", 18474)]:
        parser.add_argument(f"--{key}", type=int, default=default)
    arguments = parser.parse_args()
    arguments.name = "easycard" if arguments.game == "easycard" else "genius"
    service = Service(arguments.program, arguments.port, arguments.name)
    try:
        service.sides = ["first", "second"]
        {"claims": claims, "smooth": smooth, "draw": draw}[arguments.what](service, arguments)
    finally:
        service.process.terminate()


main()

"""Are blunders called blunders? 150 tactics answered wrong on purpose, and 150 best moves, rated by a service.

    python3 benches/blunders.py target/release/bestmove [--time-ms 100 | --nodes N] [--seed 1] [--games GAME...]

The positions are those of `tests/data`: connect four with complete scores, gomoku where all moves but a few lose to a
proved sequence of threats, xiangqi where two other programs agree on the one good move by more than 400. A blunder is
right if it is labelled `mistake` or `blunder` and has a refutation; a best move is wrong if it is labelled so. By nodes the
result does not depend on what else the machine does.
"""

import argparse
import json
import random
import subprocess
import urllib.request
from pathlib import Path

# Lost whatever is played: `d10`, which stops the five, loses in 16 plies (proved by the search).
LOST = {"block5-002"}
DATA = Path(__file__).resolve().parent.parent / "tests" / "data"


def read(name):
    return json.loads((DATA / name).read_text())["positions"]


def gomoku_state(position):
    return "/".join(position["board"]) + " " + position["to_move"]


def gomoku_legal(position):
    size = len(position["board"])
    points = [(x, y) for y, row in enumerate(position["board"]) for x, mark in enumerate(row) if mark == "."]
    near = [(x, y) for x, y in points
            if any(position["board"][v][u] != "."
                   for v in range(max(0, y - 1), min(size, y + 2)) for u in range(max(0, x - 1), min(size, x + 2)))]
    return [f"{chr(97 + x)}{size - y}" for x, y in near]


def tactics(rng):
    """Blunders and best moves as bodies of questions."""
    wrong, right = [], []
    for position in read("gomoku_tactics.json"):
        if position["id"] in LOST:
            continue
        body = {"game": "gomoku", "state": gomoku_state(position)}
        if position["kind"] in ("block", "block5"):
            others = [mv for mv in gomoku_legal(position) if mv not in position["saving"] + position["winning"]]
            wrong += [("gomoku", {**body, "move": mv}) for mv in rng.sample(others, 2)]
            right.append(("gomoku", {**body, "move": position["saving"][0]}))
        elif position["kind"] == "vcf" and position["length"] <= 6:
            right.append(("gomoku", {**body, "move": position["vcf_first"][0]}))
    for position in read("xiangqi_tactics.json"):
        if position["kind"] == "best":
            body = {"game": "xiangqi", "state": position["fen"]}
            wrong.append(("xiangqi", {**body, "move": position["fsf"]["second"]["move"]}))
            right.append(("xiangqi", {**body, "move": position["best_moves"][0]}))
    solved = [position for position in read("connect4_positions.json") if position["ply"] >= 8]
    rng.shuffle(solved)
    sign = lambda score: (score > 0) - (score < 0)
    for position in solved:
        body = {"game": "connect4", "moves": list(position["moves"])}
        scores = position["move_scores"]
        worse = [str(n + 1) for n, score in enumerate(scores)
                 if score is not None and abs(score) < 100 and sign(score) < sign(position["score"])]
        if worse:
            wrong.append(("connect4", {**body, "move": rng.choice(worse)}))
            right.append(("connect4", {**body, "move": str(position["best_columns"][0])}))
    return wrong[:150], rng.sample(right, min(150, len(right)))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--time-ms", type=int, default=100)
    options.add_argument("--nodes", type=int)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--games", nargs="+", default=["connect4", "gomoku", "xiangqi"])
    options = options.parse_args()
    service = subprocess.Popen([options.program, "serve", "--listen", "127.0.0.1:0", "--log-format", "json"],
                               stderr=subprocess.PIPE, text=True)
    address = None
    for line in service.stderr:
        fields = json.loads(line).get("fields", {})
        address = fields.get("address", address)
        if fields.get("message") == "tables are ready":
            break

    def rate(body):
        budget = {"nodes": options.nodes} if options.nodes else {"time_ms": options.time_ms}
        data = json.dumps({**body, "budget": budget}).encode()
        request = urllib.request.Request(f"http://{address}/v1/rate", data, {"content-type": "application/json"})
        return json.load(urllib.request.urlopen(request))

    try:
        wrong, right = tactics(random.Random(options.seed))
        for name, moves, is_right in [
            ("blunders", wrong, lambda rated: rated["label"] in ("mistake", "blunder") and rated["refutation"]),
            ("best moves", right, lambda rated: rated["label"] not in ("mistake", "blunder")),
        ]:
            rated = [(game, body, rate(body)) for game, body in moves if game in options.games]
            failed = [(game, body, answer) for game, body, answer in rated if not is_right(answer)]
            count = {game: sum(game == other for other, _, _ in rated) for game, _, _ in rated}
            print(f"{name}: {len(rated) - len(failed)} of {len(rated)} rated as they are; {count}")
            for game, body, answer in failed:
                print("   ", game, body.get("state") or "".join(body["moves"]), answer["move"], answer["label"],
                      answer["loss"], "best", answer["best"]["move"], "depth", answer["depth"])
    finally:
        service.kill()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures the exploration constant `c` of `uct`.

    exploration.py BESTMOVE                 connect four: the share of solved positions in which the best move, or one
                                            that keeps the result, is found
    exploration.py BESTMOVE --game othello  other games: a match of each constant against the text's 1.0
"""

import argparse
import json
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

POSITIONS = Path(__file__).resolve().parent.parent / "tests/data/connect4_positions.json"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port: int, question: dict) -> dict:
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/bestmove", json.dumps(question).encode(), headers
    )
    return json.load(urllib.request.urlopen(request))


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def connect4(port: int, constants: list[float], simulations: int, seeds: int, step: int) -> None:
    rows = json.loads(POSITIONS.read_text())["positions"][::step]
    print(f"{len(rows)} positions, {simulations} simulations, seeds 1 to {seeds}")
    for c in constants:
        best = kept = 0
        for seed in range(1, seeds + 1):
            for row in rows:
                answer = ask(port, {
                    "game": "connect4", "state": row["moves"], "algorithm": "uct", "ratings": "none", "seed": seed,
                    "budget": {"simulations": simulations}, "options": {"c": c},
                })
                column = int(answer["best_move"]) - 1
                best += column + 1 in row["best_columns"]
                kept += sign(row["move_scores"][column]) == sign(row["score"])
        count = seeds * len(rows)
        print(f"c {c:<5} best {100 * best / count:.1f} %  result kept {100 * kept / count:.1f} %", flush=True)


def match(program: str, game: str, constants: list[float], simulations: int, games: int) -> None:
    for c in constants:
        players = [
            json.dumps({
                "game": game, "algorithm": "uct", "ratings": "none", "budget": {"simulations": simulations},
                "options": {"c": constant},
            })
            for constant in (c, 1.0)
        ]
        done = subprocess.run(
            [program, "match", *players, "--games", str(games), "--opening", "4"],
            check=True, capture_output=True, text=True,
        )
        print(f"c {c:<5} against 1.0: {done.stdout.strip().splitlines()[-1]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--c", type=float, nargs="+", default=[0.35, 0.5, 0.7, 1.0, 1.4])
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--step", type=int, default=1, help="every n-th position")
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    if given.game != "connect4":
        match(given.program, given.game, given.c, given.simulations, given.games)
        return
    port = free_port()
    with subprocess.Popen([given.program, "serve", "--listen", f"127.0.0.1:{port}"]) as server:
        time.sleep(1)
        try:
            connect4(port, given.c, given.simulations, given.seeds, given.step)
        finally:
            server.kill()


if __name__ == "__main__":
    main()

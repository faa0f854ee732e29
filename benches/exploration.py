#!/usr/bin/env python3
"""Measures the exploration constant `c` of `uct`.

    exploration.py BESTMOVE                 connect four: the share of balanced positions, solved exactly, in which the
                                            best move, or one that keeps the result, is found
    exploration.py BESTMOVE --game othello  other games: a match of each constant against the text's 1.0
"""

import argparse
import json
import random
import socket
import subprocess
import time
import urllib.error
import urllib.request

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


def value(score: dict) -> int:
    """Larger is better: a short win, a draw, a long loss."""
    return {"win": 1_000 - score.get("plies", 0), "draw": 0, "loss": score.get("plies", 0) - 1_000}[score["kind"]]


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def balanced(port: int, count: int, plies: list[int], sample: int) -> list[tuple[str, dict[str, int]]]:
    """Random positions, neither won nor lost by every move, with the exact value of each move."""
    rng = random.Random(sample)
    found = []
    while len(found) < count:
        moves = "".join(rng.choice("1234567") for _ in range(rng.randint(*plies)))
        question = {
            "game": "connect4", "state": moves, "algorithm": "alphabeta", "budget": {"time_ms": 20_000},
        }
        try:
            answer = ask(port, question)
        except urllib.error.HTTPError:
            continue  # a full column, or the game is over
        if answer["score"] is None or not answer["exact"]:
            continue
        values = {rated["move"]: value(rated["score"]) for rated in answer["ratings"]}
        if len({sign(worth) for worth in values.values()}) > 1 and max(values.values()) < 999:
            found.append((moves, values))
    return found


def connect4(port: int, algorithm: str, constants: list[float], simulations: int, seeds: int, rows: list) -> None:
    print(f"{len(rows)} positions, {simulations} simulations, seeds 1 to {seeds}", flush=True)
    for c in constants:
        best = kept = 0
        for seed in range(1, seeds + 1):
            for moves, values in rows:
                answer = ask(port, {
                    "game": "connect4", "state": moves, "algorithm": algorithm, "ratings": "none", "seed": seed,
                    "budget": {"simulations": simulations}, "options": {"c": c},
                })
                played, most = values[answer["best_move"]], max(values.values())
                best += played == most
                kept += sign(played) == sign(most)
        asked = seeds * len(rows)
        print(f"c {c:<5} best {100 * best / asked:.1f} %  result kept {100 * kept / asked:.1f} %", flush=True)


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
    parser.add_argument("--algorithm", default="uct")
    parser.add_argument("--c", type=float, nargs="+", default=[0.35, 0.5, 0.7, 1.0, 1.4])
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--positions", type=int, default=240)
    parser.add_argument("--plies", type=int, nargs=2, default=[8, 18])
    parser.add_argument("--sample", type=int, default=7, help="another number, other positions")
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    if given.game != "connect4":
        match(given.program, given.game, given.c, given.simulations, given.games)
        return
    port = free_port()
    with subprocess.Popen([given.program, "serve", "--listen", f"127.0.0.1:{port}"]) as server:
        time.sleep(1)
        try:
            rows = balanced(port, given.positions, given.plies, given.sample)
            connect4(port, given.algorithm, given.c, given.simulations, given.seeds, rows)
        finally:
            server.kill()


if __name__ == "__main__":
    main()

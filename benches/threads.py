#!/usr/bin/env python3
"""Time to depth of two threads against one: the geometric mean of the ratios over positions. Each position is
searched several times in turns; its times are the medians.

    threads.py BESTMOVE [--positions 20] [--repeat 3] [--only selective]

Needs an idle machine with two cores.
"""

import argparse
import json
import math
import random
import socket
import statistics
import subprocess
import time
import urllib.request

# Case, game, algorithm, options, plies of the openings, depth.
CASES = [
    ("xiangqi selective", "xiangqi", "selective", {}, 12, 14),
    ("gomoku selective", "gomoku", "selective", {}, 7, 13),
    ("connect4 alphabeta", "connect4", "alphabeta", {"evaluation": "none"}, 8, 24),
    ("othello alphabeta", "othello", "alphabeta", {}, 10, 11),
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def post(port: int, path: str, body: dict) -> dict:
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers
    )
    return json.load(urllib.request.urlopen(request))


def opening(port: int, game: str, plies: int, rng: random.Random) -> list[str]:
    while True:
        moves: list[str] = []
        for _ in range(plies):
            legal = post(port, "/v1/position", {"game": game, "moves": moves})["legal_moves"]
            if not legal:
                break
            moves.append(rng.choice(legal))
        else:
            answer = post(port, "/v1/bestmove", {
                "game": game, "moves": moves, "algorithm": "alphabeta", "ratings": "none", "budget": {"depth": 4},
            })
            if answer["score"] and answer["score"]["kind"] == "heuristic":
                return moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    port = free_port()
    command = [given.program, "serve", "--listen", f"127.0.0.1:{port}", "--max-time-ms", "120000"]
    with subprocess.Popen(command) as server:
        time.sleep(1)
        try:
            for name, game, algorithm, options, plies, depth in CASES:
                if given.only not in name:
                    continue
                rng = random.Random(1)
                ratios, nodes = [], []
                for number in range(given.positions):
                    moves = opening(port, game, plies, rng)
                    taken, visited = {1: [], 2: []}, {1: [], 2: []}
                    for turn in range(2 * given.repeat):
                        threads = 1 + (number + turn) % 2
                        stats = post(port, "/v1/bestmove", {
                            "game": game, "moves": moves, "algorithm": algorithm, "ratings": "none", "threads": threads,
                            "budget": {"depth": depth, "time_ms": 120_000}, "options": {**options, "table": "private"},
                        })["stats"]
                        taken[threads].append(max(stats["time_ms"], 1))
                        visited[threads].append(stats["nodes"])
                    ratios.append(math.log(statistics.median(taken[2]) / statistics.median(taken[1])))
                    nodes.append(math.log(statistics.median(visited[2]) / statistics.median(visited[1])))
                mean = math.exp(sum(ratios) / len(ratios))
                more = math.exp(sum(nodes) / len(nodes))
                print(f"{name} to depth {depth}: {mean:.2f} x the time, {more:.2f} x the nodes", flush=True)
        finally:
            server.kill()


if __name__ == "__main__":
    main()

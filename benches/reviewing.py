#!/usr/bin/env python3
"""How long the review of a game takes, whether every move is rated, and whether `rate` says the same.

    python3 benches/reviewing.py BESTMOVE [--file docs/games/xiangqi.pgn] [--plies 60] [--time-ms 100]

The service has one slot and searches with one thread. Times are of the whole request. `rate` is held against `review` by nodes, for
what a search reaches within a time is never twice the same.
"""
import argparse
import json
import subprocess
import time
import urllib.request
from pathlib import Path

PORT = 18077


def ask(path, body, kind="application/json"):
    data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", data, {"content-type": kind})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def start(binary):
    process = subprocess.Popen([binary, "serve", "--listen", f"127.0.0.1:{PORT}", "--log", "error", "--slots", "1"])
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/readyz"):
                return process
        except OSError:
            time.sleep(0.05)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--file", type=Path, default=Path(__file__).resolve().parent.parent / "docs/games/xiangqi.pgn")
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--time-ms", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=5_000)
    args = parser.parse_args()
    process = start(args.binary)
    try:
        game = ask("/v1/game-files", {"text": args.file.read_text()})["games"][0]
        moves = game["moves"][: args.plies]
        question = {"game": game["game"], "moves": moves}
        question |= {"state": game["state"]} if game.get("state") else {}
        begun = time.monotonic()
        review = ask("/v1/review", {**question, "budget": {"time_ms": args.time_ms}})
        took = time.monotonic() - begun
        rated = sum(one["loss"] is not None and one["class"] is not None for one in review["moves"])
        exact = {"budget": {"nodes": args.nodes}, "reproducible": True}
        review = ask("/v1/review", {**question, **exact})
        differing = 0
        for one in review["moves"]:
            before = {**question, **exact, "moves": moves[: one["ply"]]}
            rate = ask("/v1/rate", {**before, "move": moves[one["ply"]]})
            differing += any(rate[name] != value for name, value in one.items())
        print(f"{len(moves)} plies, {args.time_ms} ms each: {took:.1f} s, {rated} of {len(review['moves'])} moves rated")
        print(f"{args.nodes} nodes each: {differing} of {len(review['moves'])} moves rated otherwise alone")
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()

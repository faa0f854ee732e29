#!/usr/bin/env python3
"""CPU time of two builds on the same reproducible searches, in turns.

    python3 benches/speed.py OLD_BINARY NEW_BINARY [--runs 9] [--only xiangqi,genius]

Prints the ratio old / new of the medians of CPU seconds of the serving process (above 1: the new build is faster),
the range of the ratio run by run, and whether both gave the same answer in the same number of nodes.
"""
import argparse
import json
import os
import statistics
import subprocess
import time
import urllib.error
import urllib.request

DUEL = {
    "round": 3, "phase": "action", "turn": 0, "players": [
        {
            "active": 0, "dice": {"omni": 2, "pyro": 3, "cryo": 1},
            "hand": ["Strategize", "Starsigns"], "deck": ["Paimon", "Sweet Madame", "Toss-Up"],
            "chars": [{"name": "Diluc", "hp": 6}, {"name": "Kaeya", "hp": 9}, {"name": "Sucrose", "hp": 8}],
        },
        {
            "active": 1, "dice": {"electro": 4, "omni": 1}, "hand": 2, "deck": 20,
            "chars": [{"name": "Xiangling", "hp": 9}, {"name": "Fischl", "hp": 7}, {"name": "Collei", "hp": 5}],
        },
    ],
}
QUESTIONS = {
    "xiangqi": {"algorithm": "selective", "budget": {"nodes": 2_500_000}},
    "gomoku": {"algorithm": "selective", "state": {"moves": ["h8", "i9", "h9"]}, "budget": {"nodes": 1_500_000}},
    "connect4": {"algorithm": "alphabeta", "state": "44", "budget": {"depth": 20}},
    "genius": {"algorithm": "mc_alphabeta", "state": DUEL, "budget": {"nodes": 3_000_000}},
    "easycard": {"algorithm": "alphabeta", "budget": {"depth": 20}},
}


class Server:
    def __init__(self, binary, port):
        self.url = f"http://127.0.0.1:{port}"
        command = [binary, "serve", "--listen", f"127.0.0.1:{port}", "--search-nice", "0"]
        self.process = subprocess.Popen(command, env={**os.environ, "BESTMOVE_LOG": "error"})
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{self.url}/readyz")
                return
            except urllib.error.URLError:
                time.sleep(0.1)
        raise SystemExit(f"{binary} does not get ready")

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, game):
        body = {"game": game, "ratings": "none", "reproducible": True, **QUESTIONS[game]}
        request = urllib.request.Request(
            f"{self.url}/v1/bestmove", json.dumps(body).encode(), {"content-type": "application/json"})
        before = self.cpu()
        with urllib.request.urlopen(request) as reply:
            answer = json.load(reply)
        return self.cpu() - before, (answer["best_move"], answer["stats"]["nodes"])


def compare(servers, game, runs):
    times = [[], []]
    for run in range(runs):
        answers = [None, None]
        for which in (0, 1) if run % 2 == 0 else (1, 0):
            seconds, answers[which] = servers[which].ask(game)
            times[which].append(seconds)
    ratios = [old / new for old, new in zip(*times)]
    medians = [statistics.median(column) for column in times]
    same = "same answer" if answers[0] == answers[1] else f"DIFFERENT ANSWERS {answers}"
    print(f"{game:10} {medians[0] / medians[1]:.3f} [{min(ratios):.3f} {max(ratios):.3f}] "
          f"{medians[0]:.2f} s {medians[1]:.2f} s, {same}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("old")
    arguments.add_argument("new")
    arguments.add_argument("--runs", type=int, default=9)
    arguments.add_argument("--only", default=",".join(QUESTIONS))
    given = arguments.parse_args()
    servers = [Server(given.old, 9_301), Server(given.new, 9_302)]
    try:
        for game in given.only.split(","):
            compare(servers, game, given.runs)
    finally:
        for server in servers:
            server.process.terminate()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Xiangqi beside Fairy-Stockfish (Debian's `fairy-stockfish`) in one run, one thread each: perft and nodes a second.

    benches/peers/xiangqi.py [--peer fairy-stockfish] [--runs 3]

The two take turns, because the machine may be busy; medians are compared.
"""

import argparse
import re
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PERFT_5 = 133_312_995


class Peer:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", "uciok")
        for option in ("UCI_Variant value xiangqi", "Hash value 64", "Threads value 1"):
            self.say(f"setoption name {option}")

    def say(self, line):
        print(line, file=self.process.stdin, flush=True)

    def ask(self, line, last):
        """The lines of an answer up to one that begins so."""
        self.say(line)
        lines = []
        while not lines or not lines[-1].startswith(last):
            lines.append(self.process.stdout.readline())
            assert lines[-1], f"{line}: the program has ended"
        return lines

    def perft(self):
        self.say("position startpos")
        begun = time.monotonic()
        lines = self.ask("go perft 5", "Nodes searched")
        assert int(lines[-1].split()[-1]) == PERFT_5, lines[-1]
        return PERFT_5 / (time.monotonic() - begun)

    def search(self):
        self.say("ucinewgame")
        self.say("position startpos")
        lines = self.ask("go depth 15", "bestmove")
        rates = re.findall(r" nps (\d+)", "".join(lines))
        return float(rates[-1])


def ours():
    command = ["cargo", "bench", "--quiet", "--bench", "search", "--", "--xiangqi", "speed"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    perft = re.search(r"perft 5: median (\d+) M", said)
    rate = re.search(r"to depth 12: .*, (\d+) k nodes/s", said)
    return float(perft[1]) * 1e6, float(rate[1]) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", default="/usr/games/fairy-stockfish")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    peer = Peer(arguments.peer)
    rows = [(*ours(), peer.perft(), peer.search()) for _ in range(arguments.runs)]
    perft, rate, their_perft, their_rate = map(statistics.median, zip(*rows))
    print(f"perft 5: {perft / 1e6:.0f} M leaves/s against {their_perft / 1e6:.1f}: {perft / their_perft:.1f} x")
    print(f"search: {rate / 1e3:.0f} k nodes/s against {their_rate / 1e3:.0f}: {rate / their_rate:.2f} x")


main()

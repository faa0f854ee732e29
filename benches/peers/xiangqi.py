#!/usr/bin/env python3
"""Xiangqi against Fairy-Stockfish (Debian's `fairy-stockfish`) in one run, one thread each: perft, nodes per second,
and positions with a mate or a single best move, solved with equal nodes.

    cargo build --release && benches/peers/xiangqi.py [--peer fairy-stockfish] [--runs 3]

The two alternate, because the machine may be busy; medians are compared.
"""

import argparse
import json
import re
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PERFT_5 = 133_312_995
TACTICS = ROOT / "tests/data/xiangqi_tactics.json"


class Engine:
    """A program that speaks UCI."""

    def __init__(self, command, options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", "uciok")
        for option in options:
            self.say(f"setoption name {option}")

    def say(self, line):
        print(line, file=self.process.stdin, flush=True)

    def ask(self, line, last):
        """Output lines up to the first with this prefix."""
        self.say(line)
        lines = []
        while not lines or not lines[-1].startswith(last):
            lines.append(self.process.stdout.readline())
            assert lines[-1], f"{line}: the program has ended"
        return lines

    def move(self, answer):
        return answer

    def nodes_to(self, depth, fen):
        """Nodes until a depth is complete, from a cold start."""
        self.say("ucinewgame")
        self.say(f"position fen {fen}")
        lines = self.ask(f"go depth {depth}", "bestmove")
        counts = re.findall(rf"info depth {depth} .*?\bnodes (\d+)", "".join(lines))
        return int(counts[-1])

    def solved(self, nodes):
        """Number of positions answered with a best move."""
        count = 0
        for row in json.loads(TACTICS.read_text())["positions"]:
            self.say("ucinewgame")
            self.say(f"position fen {row['fen']}")
            answer = self.ask(f"go nodes {nodes}", "bestmove")[-1].split()[1]
            count += self.move(answer) in row["best_moves"]
        return count


class Peer(Engine):
    def __init__(self, program):
        super().__init__([program], ("UCI_Variant value xiangqi", "Hash value 64", "Threads value 1"))

    def move(self, answer):
        """The move with ranks from 0; Fairy-Stockfish counts them from 1."""
        return re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), answer)

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
    own = Engine([ROOT / "target/release/bestmove", "uci"], ("Hash value 64",))
    for nodes in (10_000, 100_000):
        print(f"tactics with {nodes} nodes: {own.solved(nodes)} of 150 against {peer.solved(nodes)}", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Nodes that xiangqi takes to a depth, beside another program that speaks UCI, one thread each.

    cargo build --release && benches/peers/xiangqi_depth.py PROGRAM [--depth 14] [--option "Threads value 1"]

Nodes do not depend on what else the machine does. Depths of two programs are not the same work: each counts its own
reductions and extensions. Five positions: the start, two openings, a middle game and an endgame.
"""

import argparse
import statistics

from xiangqi import ROOT, Engine

POSITIONS = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "3akabCr/r8/4b4/6p1p/p1pnp2R1/P3c4/2P1N1P1P/4B4/2C3N2/3AK4 w - - 9 23",
    "4k1b2/1r2a2R1/4b2cr/2R5p/p1p3p2/9/P1P3N1P/B3B4/N3A4/c3KA3 b - - 0 24",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer")
    parser.add_argument("--depth", type=int, default=14)
    parser.add_argument("--option", action="append", default=[])
    arguments = parser.parse_args()
    ours = Engine([ROOT / "target/release/bestmove", "uci"], ("Hash value 64",))
    peer = Engine([arguments.peer], ("Hash value 64", "Threads value 1", *arguments.option))
    ratios = []
    for fen in POSITIONS:
        own, other = (engine.nodes_to(arguments.depth, fen) for engine in (ours, peer))
        ratios.append(own / other)
        print(f"{own:>12} {other:>12} {own / other:6.2f}  {fen}", flush=True)
    print(f"geometric mean of {len(ratios)}: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()

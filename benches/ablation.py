#!/usr/bin/env python3
"""Ablation of the techniques of `selective`: all of them against all but one.

    cargo build --release && benches/ablation.py [--game xiangqi] [--games 200] [--nodes 2000] [--jobs 2] [TECHNIQUE ...]

Prints the table of docs/selective.md. The score is that of the engine with all techniques: a useful
technique scores above 50 %.
"""

import argparse
import json
import re
import subprocess

TECHNIQUES = [
    "quiescence", "null_move", "razor", "reverse_futility", "futility", "late_move_pruning", "exchange_pruning",
    "late_move_reductions", "internal_reductions", "probcut", "singular_extensions", "check_extensions", "killers",
    "history", "continuation_history", "correction", "policy", "threats", "aspiration",
]
LAST = re.compile(r"\d+ games: (.*), (\S+) % \+- (\S+), elo (\S+) \+- (\S+)")


def match(program, technique, arguments):
    whole = {"game": arguments.game, "algorithm": "selective", "budget": {"nodes": arguments.nodes}}
    without = whole | {"options": {technique: False}}
    command = [program, "match", json.dumps(whole), json.dumps(without), "--games", str(arguments.games),
               "--opening", "6", "--balanced", "100", "--jobs", str(arguments.jobs)]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    return LAST.findall(said.stdout)[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("techniques", metavar="TECHNIQUE", nargs="*", default=TECHNIQUES)
    parser.add_argument("--game", default="xiangqi")
    parser.add_argument("--program", default="target/release/bestmove")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    print("| without | won, drawn, lost | score | Elo |\n|---|---|---|---|")
    for technique in arguments.techniques:
        games, score, error, elo, elo_error = match(arguments.program, technique, arguments)
        print(f"| `{technique}` | {games} | {score} % ± {error} | {elo} ± {elo_error} |", flush=True)


main()

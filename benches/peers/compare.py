#!/usr/bin/env python3
"""Runs every peer against the service's own search and prints the CPU time of each."""

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import bitbully
import pyspiel

HERE = Path(__file__).resolve().parent
SEED = 1
MID_GAME = "44434422"
MIN_PLY = 8
LAST_PLY = 42
# First and last ply of the means: the opening would drown every later position.
PLIES = ((8, 18), (8, LAST_PLY), (10, LAST_PLY), (12, LAST_PLY), (14, LAST_PLY), (16, LAST_PLY))
UNKNOWN_SUBCOMMAND = 2

Report = dict  # one line of the Rust binary's JSON, or a Python peer's answer in the same shape
Run = Callable[[], Report | None]


@dataclass
class Row:
    case: str
    figure: Callable[[Report], float]
    higher_is_better: bool = False


@dataclass
class Contest:
    """One peer and ours at one task; an exact solver's single run fills several rows."""

    peer: str
    run_peer: Run
    run_ours: Run
    rows: list[Row]
    peer_reports: list[Report] = field(default_factory=list)
    our_reports: list[Report] = field(default_factory=list)

    def run(self, ours_first: bool) -> None:
        sides = [(self.run_peer, self.peer_reports), (self.run_ours, self.our_reports)]
        for run, reports in reversed(sides) if ours_first else sides:
            if (report := run()) is not None:
                reports.append(report)


def median(reports: list[Report], figure: Callable[[Report], float]) -> float | None:
    return statistics.median(map(figure, reports)) if reports else None


def rust(binary: Path, *args: object) -> Run:
    """A subcommand of the Rust binary, which answers `None` when it does not know it."""

    command = [binary, *map(str, args)]

    def run() -> Report | None:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode == UNKNOWN_SUBCOMMAND:
            return None
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
        return json.loads(done.stdout)

    return run


def open_spiel(name: str, playouts: int) -> Run:
    game = pyspiel.load_game(name)

    def run() -> Report:
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        bot = pyspiel.MCTSBot(game, evaluator, math.sqrt(2), playouts, 1000, True, SEED, False)
        state = game.new_initial_state()
        start = time.process_time()
        bot.step(state)
        return {"nodes_or_playouts": playouts, "cpu_s": time.process_time() - start}

    return run


def bitbully_exact(file: Path) -> Run:
    """MTD(f), its quickest search, without a book and with the table emptied beforehand."""
    solver = bitbully.BitBully(opening_book=None)
    positions = [p for p in json.loads(file.read_text())["positions"] if p["ply"] >= MIN_PLY]

    def run() -> Report:
        right, spent = 0, []
        for position in positions:
            board = bitbully.Board([int(column) - 1 for column in position["moves"]])
            solver.reset_transposition_table()
            start = time.process_time()
            score = solver.mtdf(board)
            spent.append((position["ply"], time.process_time() - start))
            right += score == position["score"]
        mean_ms = {
            f"{first}-{last}": 1000
            * statistics.mean(cpu_s for ply, cpu_s in spent if first <= ply <= last)
            for first, last in PLIES
        }
        return {"positions": len(positions), "right": right, "mean_ms": mean_ms}

    return run


def contests(binary: Path, file: Path, playouts: int, spiel_playouts: int) -> list[Contest]:
    def cost(case: str) -> list[Row]:
        return [Row(f"{case}, ms", lambda report: 1000 * report["cpu_s"])]

    def rate(case: str) -> list[Row]:
        def per_second(report: Report) -> float:
            return report["nodes_or_playouts"] / report["cpu_s"]

        return [Row(f"{case}, playouts/s", per_second, higher_is_better=True)]

    exact = [
        Row(f"exact, ply {plies}, ms", lambda report, plies=plies: report["mean_ms"][plies])
        for plies in (f"{first}-{last}" for first, last in PLIES)
    ]
    listed = []
    for depth in (14, 20):
        peer, ours = rust(binary, "minimax", depth), rust(binary, "ours", "depth", depth)
        listed.append(Contest("minimax", peer, ours, cost(f"depth {depth}")))
    peer = rust(binary, "minimax", 20, MID_GAME)
    ours = rust(binary, "ours", "depth", 20, MID_GAME)
    listed.append(Contest("minimax", peer, ours, cost(f"depth 20 after {MID_GAME}")))
    for name in ("treant", "monte-carlo-tree-search", "minimax"):
        peer, ours = rust(binary, "mcts", playouts, name), rust(binary, "ours", "uct", playouts)
        listed.append(Contest(name, peer, ours, rate(f"uct {playouts}")))
    for subcommand, name in (("uct", "connect_four"), ("othello", "othello")):
        peer = open_spiel(name, spiel_playouts)
        ours = rust(binary, "ours", subcommand, spiel_playouts)
        case = f"uct {spiel_playouts}" + (" on othello" if name == "othello" else "")
        listed.append(Contest("open_spiel", peer, ours, rate(case)))
    ours = rust(binary, "ours", "exact", file, MIN_PLY)
    listed.append(Contest("connect-four-ai", rust(binary, "exact", file, MIN_PLY), ours, exact))
    listed.append(Contest("bitbully", bitbully_exact(file), ours, exact))
    return listed


def table(listed: list[Contest]) -> list[tuple[str, ...]]:
    def show(figure: float | None) -> str:
        if figure is None:
            return "-"
        return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"

    lines = [("case", "peer", "figure", "ours", "ratio")]
    for contest in listed:
        for row in contest.rows:
            peer = median(contest.peer_reports, row.figure)
            ours = median(contest.our_reports, row.figure)
            ratio = None
            if peer and ours:
                ratio = ours / peer if row.higher_is_better else peer / ours
            times = "-" if ratio is None else f"{ratio:.2f}"
            lines.append((row.case, contest.peer, show(peer), show(ours), times))
    return lines


def wrong_scores(listed: list[Contest]) -> set[str]:
    wrong = set()
    for contest in listed:
        for name, reports in ((contest.peer, contest.peer_reports), ("ours", contest.our_reports)):
            for report in reports:
                right, of = report.get("right"), report.get("positions")
                if right != of:
                    wrong.add(f"{name}: only {right} of {of} scores right")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "binary", nargs="?", type=Path, default=HERE / "target/release/bestmove-peers"
    )
    parser.add_argument(
        "--positions", type=Path, default=HERE / "../../tests/data/connect4_positions.json"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--playouts", type=int, default=200_000)
    parser.add_argument("--spiel-playouts", type=int, default=20_000)
    parser.add_argument("--only", default="", help="cases whose name holds this")
    args = parser.parse_args()

    listed = contests(args.binary.resolve(), args.positions, args.playouts, args.spiel_playouts)
    listed = [one for one in listed if any(args.only in row.case for row in one.rows)]
    # Rounds alternate over all contests and swap sides, so that a slow spell of the machine falls
    # on all alike.
    for turn in range(args.rounds):
        for contest in listed:
            contest.run(ours_first=turn % 2 == 1)

    lines = table(listed)
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        left = [cell.ljust(width) for cell, width in zip(line[:2], widths)]
        right = [cell.rjust(width) for cell, width in zip(line[2:], widths[2:])]
        print("  ".join(left + right))
    print("\nCPU time, median of the rounds; a ratio above 1 says how many times faster ours is.")
    for wrong in sorted(wrong_scores(listed)):
        print(wrong)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Plays Connect Four from the empty board against bitbully, a perfect player, over HTTP.

bitbully draws at random among its best moves, those that keep the distance to the end as well, and scores
every move of ours: a lost value is a move after which the score is less than before.
"""

import argparse
import json
import random
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import bitbully

HERE = Path(__file__).resolve().parent
CELLS = 42


def ask(listen: str, moves: list[int]) -> dict:
    """The answer to a question without a budget: the service's default applies."""
    question = {"game": "connect4", "moves": [str(column + 1) for column in moves]}
    request = urllib.request.Request(
        f"http://{listen}/v1/bestmove",
        json.dumps(question).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def wait_for(listen: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(f"http://{listen}/readyz").close()
            return
        except urllib.error.URLError:
            time.sleep(0.1)
    sys.exit(f"no service answers on {listen}")


class Tally:
    def __init__(self) -> None:
        self.results = {"win": 0, "draw": 0, "loss": 0}
        self.answers = self.exact = self.rated = self.lost_values = 0
        self.slowest_ms = 0

    def answer(self, answer: dict, scores: dict[int, int], moves: list[int]) -> int:
        column = int(answer["best_move"]) - 1
        self.answers += 1
        self.exact += answer["exact"]
        self.rated += all(one["score"]["kind"] != "unknown" for one in answer["ratings"])
        played = "".join(str(column + 1) for column in moves) or "nothing"
        if not answer["exact"]:
            print(f"not exact after {played}")
        self.slowest_ms = max(self.slowest_ms, answer["stats"]["time_ms"])
        if scores[column] < max(scores.values()):
            self.lost_values += 1
            print(f"value lost after {played}: {column + 1} of {scores}")
        return column


def play(listen: str, solver: bitbully.BitBully, our_turn: int, rng: random.Random, tally: Tally) -> str:
    board, moves = bitbully.Board(), []
    while not board.is_game_over():
        scores = solver.score_all_moves(board)
        if len(moves) % 2 == our_turn:
            column = tally.answer(ask(listen, moves), scores, moves)
        else:
            best = max(scores.values())
            column = rng.choice([column for column, score in scores.items() if score == best])
        board.play(column)
        moves.append(column)
    if not board.has_win():
        return "draw"
    return "win" if (len(moves) - 1) % 2 == our_turn else "loss"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "binary", nargs="?", type=Path, default=HERE / "../../target/release/bestmove"
    )
    parser.add_argument("--games", type=int, default=40, help="half of them in each seat")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--listen", default="127.0.0.1:18080")
    args = parser.parse_args()

    service = subprocess.Popen([args.binary, "serve", "--listen", args.listen], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        wait_for(args.listen)
        solver, rng, tally = bitbully.BitBully(), random.Random(args.seed), Tally()
        for game in range(args.games):
            tally.results[play(args.listen, solver, game % 2, rng, tally)] += 1
    finally:
        service.terminate()
    print(
        f"{args.games} games: {tally.results}; {tally.answers} answers, {tally.exact} exact, "
        f"{tally.rated} with every move rated, slowest {tally.slowest_ms} ms; "
        f"{tally.lost_values} lost values"
    )
    sys.exit(tally.lost_values > 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Records moves of xiangqi as other programs write them: in Chinese by `cchess` (LGPL), in WXF by `pyffish` (GPL-3.0).

    pip install -r tests/simulators/requirements.txt
    tests/simulators/xiangqi_notation.py [--seed 1] > tests/data/xiangqi_notation.json

Random games from the start, and short ones from positions with several pieces of a kind on a file.
"""

import argparse
import json
import random

import pyffish
from cchess import ChessBoard
from cchess.move import Move

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
# Soldiers on each of some files.
SOLDIERS = [[5], [4, 1], [4], [3, 2], [3, 1, 1], [3], [2, 2, 1], [2, 2], [2, 1, 1], [2, 1]]


def in_check(fen):
    return pyffish.gives_check("xiangqi", fen, [])


def constructed(rng):
    """A position with pieces of a kind on one file, in which only the mover may be in check."""
    while True:
        board = {(3, rng.randrange(3)): "K", (5, 7 + rng.randrange(3)): "k"}
        for side in range(2):
            fill(board, side, rng)
        rows = []
        for rank in reversed(range(10)):
            row = "".join(board.get((file, rank), "1") for file in range(9))
            for empty in range(9, 1, -1):
                row = row.replace("1" * empty, str(empty))
            rows.append(row)
        fens = [f"{'/'.join(rows)} {turn} - - 0 1" for turn in "wb"]
        mover = rng.randrange(2)
        if not in_check(fens[1 - mover]) and len(pyffish.legal_moves("xiangqi", fens[mover], [])) > 5:
            return fens[mover]


def fill(board, side, rng):
    def put(piece, file, rank):
        point = (file, rank if side == 0 else 9 - rank)
        board.setdefault(point, piece if side == 0 else piece.lower())

    for piece in "RNC":
        file, ranks = rng.randrange(9), rng.sample(range(10), 2)
        for rank in ranks:
            put(piece, file if rng.random() < 0.7 else rng.randrange(9), rank)
    counts = rng.choice(SOLDIERS)
    for count, file in zip(counts, rng.sample(range(9), len(counts))):
        for rank in rng.sample(range(5, 10), count):
            put("P", file, rank)
    for piece, points in [("A", [(3, 0), (3, 2), (5, 0), (5, 2)]), ("B", [(2, 0), (2, 4), (6, 0), (6, 4)])]:
        for file, rank in points[:2] if rng.random() < 0.5 else rng.sample(points, 1):
            put(piece, file, rank)


def game(fen, plies, rng):
    """A random game: wire form, Chinese and WXF of each move."""
    moves, written = [], []
    for _ in range(plies):
        legal = pyffish.legal_moves("xiangqi", fen, moves)
        if not legal:
            break
        move = rng.choice(legal)
        now = pyffish.get_fen("xiangqi", fen, moves)
        wxf = pyffish.get_san("xiangqi", now, move, False, pyffish.NOTATION_XIANGQI_WXF)
        points = move.replace("10", "X").translate(str.maketrans("123456789X", "0123456789"))
        start, end = [("abcdefghi".index(points[n]), int(points[n + 1])) for n in (0, 2)]
        chinese = Move(ChessBoard(now), start, end).to_text()
        written.append(f"{points} {chinese} {wxf}")
        moves.append(move)
    return {"state": fen, "moves": ",".join(written)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    rng = random.Random(parser.parse_args().seed)
    games = [game(START, 100, rng) for _ in range(18)]
    games += [game(constructed(rng), 10, rng) for _ in range(180)]
    about = "random moves of xiangqi as wire form, in Chinese by cchess and in WXF by pyffish: see xiangqi_notation.py"
    head = f'{{"about":{json.dumps(about)},"games":['
    rows = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in games]
    print(head + ",\n".join(["", *rows]).lstrip(",") + "]}")


main()

"""Test with a third-party client: cchess plays xiangqi with the engine by UCI and by UCCI."""

import sys
import tempfile
import time
from pathlib import Path

from cchess import FULL_INIT_FEN, ChessBoard
from cchess.engine import UcciEngine, UciEngine

# Mate in one for Red by d2e2.
MATE_IN_ONE = "4k4/9/9/9/9/9/p8/3R5/9/3K1R3 w - - 0 1"
PLIES = 6


def answer(engine, fen, limits):
    """The last iteration and the move, as parsed by the client."""
    engine.go_from(fen, limits)
    known, end = None, time.monotonic() + 60
    while time.monotonic() < end:
        action = engine.get_action()
        if action is None:
            time.sleep(0.01)
        elif action["action"] == "info_move":
            known = action
        elif action["action"] in ("bestmove", "dead"):
            return known, action
    raise SystemExit(f"no move within a minute from {fen}")


def check(kind, program, limits):
    dialect = "ucci" if kind is UcciEngine else "uci"
    # The client starts a program without arguments.
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / dialect
        script.write_text(f'#!/bin/sh\nexec "{program}" {dialect}\n')
        script.chmod(0o755)
        engine = kind()
        assert engine.load(str(script)) and engine.wait_for_ready(), f"{dialect}: not ready"
    assert engine.ids["name"].startswith("bestmove"), engine.ids
    engine.set_option("Hash", 16)
    engine.set_option("usemillisec", "true")
    board = ChessBoard(FULL_INIT_FEN)
    played = []
    for ply in range(PLIES):
        known, action = answer(engine, board.to_fen(), limits[ply % len(limits)])
        assert action["action"] == "bestmove", action
        assert isinstance(known["score"], int) and known["moves"][0] == action["move"], known
        assert board.move_iccs(action["move"]) is not None, f"illegal: {action}"
        board.next_turn()
        played.append(action["move"])
    known, action = answer(engine, MATE_IN_ONE, {"depth": 3})
    assert action["move"] == "d2e2", action
    if dialect == "uci":
        assert known["mate"] == 1, known
    engine.quit()
    assert engine.process.wait(10) == 0
    print(f"{dialect}: {' '.join(played)}")


program = Path(sys.argv[1]).resolve()
check(UciEngine, program, [{"depth": 4}, {"movetime": 50}, {"wtime": 5000, "btime": 5000}])
check(UcciEngine, program, [{"depth": 4}, {"nodes": 5000}, {"time": 5000, "movestogo": 10}])

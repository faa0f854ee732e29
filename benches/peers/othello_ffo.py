#!/usr/bin/env python3
"""Processor time of the FFO endgame positions 40 to 46, beside Edax without its evaluation, one thread each.

    cargo build --release && benches/peers/othello_ffo.py EDAX [--from 40] [--to 46] [--options '{"table":"private"}']

Edax starts only with an evaluation file: it gets one whose weights are all 0. Both solve every position with an empty table
and say the same score.
"""

import argparse
import json
import os
import re
import statistics
import struct
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# From a1, row by row; who moves; the mover's best result in disks. Published with the suite.
POSITIONS = {
    40: ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------", "X", 38),
    41: ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O-", "X", 0),
    42: ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO--", "X", 6),
    43: ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX-", "O", -12),
    44: ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX--", "O", -14),
    45: ("---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO--", "X", 6),
    46: ("---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O-", "X", -8),
}
# Weights per ply of the game in the format of Edax 4.
EDAX_WEIGHTS, EDAX_PLIES = 114_364, 61
LONGEST_MS = 600_000


def edax(program, folder, board, mover):
    """Score and seconds of processor time."""
    problem = folder / "position.obf"
    problem.write_text(f"{board} {mover};\n")
    command = [program, "-solve", problem, "-level", "60", "-n-tasks", "1", "-hash-table-size", "22", "-book-usage", "off",
               "-verbose", "1", "-eval-file", folder / "eval.dat"]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    score = re.search(r"^ +1\| +\d+ +([+-]\d+)", said, re.MULTILINE)
    minutes, seconds = re.search(r"cpu = +(\d+):([\d.]+)", said).groups()
    return int(score[1]), 60 * int(minutes) + float(seconds)


def cpu_of(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def wait_until_ready(address):
    """Tables are computed at the start, on threads of the same process."""
    while True:
        try:
            return urllib.request.urlopen(f"http://{address}/readyz")
        except urllib.error.HTTPError:
            time.sleep(0.1)


def ours(board, mover, options):
    """Answer and seconds of processor time of a service that has answered nothing else."""
    environment = {**os.environ, "BESTMOVE_MAX_TIME_MS": str(LONGEST_MS)}
    service = subprocess.Popen([ROOT / "target/release/bestmove", "serve", "--listen", "127.0.0.1:0", "--log-format", "json"],
                               stderr=subprocess.PIPE, text=True, env=environment)
    try:
        address = next(fields["address"] for fields in (json.loads(line).get("fields", {}) for line in service.stderr)
                       if "address" in fields)
        wait_until_ready(address)
        question = {"game": "othello", "state": f"{board} {mover}", "ratings": "none", "options": options,
                    "budget": {"time_ms": LONGEST_MS}}
        request = urllib.request.Request(f"http://{address}/v1/bestmove", json.dumps(question).encode(),
                                         {"content-type": "application/json"})
        before = cpu_of(service)
        answer = json.load(urllib.request.urlopen(request))
        return answer, cpu_of(service) - before
    finally:
        service.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edax", type=Path)
    parser.add_argument("--from", dest="first", type=int, default=40)
    parser.add_argument("--to", dest="last", type=int, default=46)
    parser.add_argument("--options", type=json.loads, default={}, help="of our question, as JSON")
    arguments = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        header = b"EDAXEVAL" + struct.pack("<3id", 4, 0, 0, 0.0)
        (folder / "eval.dat").write_bytes(header + bytes(2 * EDAX_WEIGHTS * EDAX_PLIES))
        print("no empty     ours     Edax  ratio  score")
        for number in range(arguments.first, arguments.last + 1):
            board, mover, wanted = POSITIONS[number]
            answer, own = ours(board, mover, arguments.options)
            score, other = edax(arguments.edax.resolve(), folder, board, mover)
            said = answer["score"]["value"] if answer["score"]["kind"] == "payoff" else None
            right = "right" if wanted == said == score else f"{wanted}, we say {said}, Edax {score}"
            ratios.append(own / other)
            print(f"{number} {board.count('-'):>5} {own:>7.2f}s {other:>7.2f}s {own / other:>6.2f}  {right}", flush=True)
    print(f"geometric mean of {len(ratios)}: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()

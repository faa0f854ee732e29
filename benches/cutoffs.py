"""How good is the order of moves? Share of the cutoffs by the first, up to the third and up to the eighth move of a node,
from traces of searches of xiangqi (or of another game, from its start).

    python3 benches/cutoffs.py target/release/bestmove [--nodes 10000] [--game xiangqi] [--options '{"history":false}']

Quiescence is left out: nodes with at least one ply left count. Moves searched again count once. A trace has at most 10,000
nodes.
"""

import argparse
import json
import subprocess
import urllib.request
from collections import Counter
from pathlib import Path
import sys

sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))
from xiangqi_depth import POSITIONS  # noqa: E402


def places(visits):
    """For each node with a cutoff by a move: how many moves it took."""
    moves = [{} for _ in visits]
    for visit in visits:
        if visit["parent"] is not None and visit["move"] is not None:
            moves[visit["parent"]].setdefault(visit["move"])
    for visit, tried in zip(visits, moves):
        if visit["event"] == "cutoff" and visit["depth"] >= 1 and tried:
            yield len(tried)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--nodes", type=int, default=10_000)
    options.add_argument("--game", default="xiangqi")
    options.add_argument("--options", type=json.loads, default={})
    options = options.parse_args()
    service = subprocess.Popen([options.program, "serve", "--listen", "127.0.0.1:0", "--log-format", "json"],
                               stderr=subprocess.PIPE, text=True)
    try:
        address = next(fields["address"] for fields in (json.loads(line).get("fields", {}) for line in service.stderr)
                       if "address" in fields)
        count = Counter()
        for state in POSITIONS if options.game == "xiangqi" else ["startpos"]:
            question = {"game": options.game, "state": state, "ratings": "none", "trace": True, "reproducible": True,
                        "budget": {"nodes": options.nodes}, "options": options.options}
            request = urllib.request.Request(f"http://{address}/v1/bestmove", json.dumps(question).encode(),
                                             {"content-type": "application/json"})
            count.update(places(json.load(urllib.request.urlopen(request))["trace"]))
        for most in (1, 3, 8):
            share = sum(n for place, n in count.items() if place <= most) / count.total()
            print(f"by the first {most}: {100 * share:.1f} % of {count.total()} cutoffs")
    finally:
        service.kill()


if __name__ == "__main__":
    main()

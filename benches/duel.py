#!/usr/bin/env python3
"""Ablation of the card duel's search: nodes, errors and games with and without each technique.

    cargo build --release && benches/duel.py [--games 200] [--nodes 4000] [--depth 5] [--positions 24]

Prints the table of docs/card-duel.md. Nodes are a ratio, row to default, at equal depth. An
error is a move that an unpruned search over the same worlds finds worse than its best move by more than 0.2 hit
points; where the row changes the worlds or the sampling itself, the judge has 16 worlds of its own.
The score is that of the default against the row with equal nodes: above 50 % the default is better. Teams and decks
are random; each deal and its chance outcomes are played from both sides.

    benches/duel.py --game easycard [--positions 300]

Prints the table of `selective` on easycard, which is solved exactly: an error is a move that loses the result.
With BESTMOVE_CALIBRATION=FILE all rows use that calibration of `bestmove calibrate`.
"""

import argparse
import json
import random
import re
import subprocess
import tempfile
import time
import urllib.request

UNPRUNED = dict.fromkeys(["razor", "self_loss", "order_independence", "continuation", "dominance"], False)
TABLED = UNPRUNED | {"pvs": False, "worlds": 1, "samples": 1, "determinization": "fixed"}
PLAIN = TABLED | {"aspiration": False, "ordering": "none", "table_mib": 0}
ALL = {"razor": True, "self_loss": True, "order_independence": True}
SAME = [{}, {"razor": True}, {"self_loss": True}, {"razor": True, "self_loss": True},
        {"razor": True, "self_loss": True, "probabilistic": False}, {"order_independence": True}, ALL,
        {"dominance": False}, {"continuation": False}, {"pvs": False}, {"ordering": "static"}, {"ordering": "none"},
        {"table_mib": 0}, {"star1": False}, {"buckets": False}]
OTHER = [{"chance_depth": 0}, {"chance_depth": 2}, {"samples": 2}, {"samples": 4}, {"worlds": 2}, {"worlds": 4}, TABLED,
         PLAIN]
NAMES = [(TABLED, "`TABLED`: plain with table, order and aspiration"), (PLAIN, "`PLAIN`: all techniques off"),
         (ALL, "`razor`, `self_loss`, `order_independence`: true")]
SELECTIVE = ["razor", "self_loss", "probabilistic", "order_independence", "continuation_history", "reverse_futility",
             "futility", "late_move_reductions", "internal_reductions", "probcut", "singular_extensions", "correction"]
# Off by default.
OFF = ["self_loss"]
LOSSY = ["razor", "self_loss", "probabilistic", "reverse_futility", "futility", "late_move_pruning", "exchange_pruning",
         "late_move_reductions", "internal_reductions", "probcut", "history"]
NAMES.append((dict.fromkeys(LOSSY, False), "plain: all lossy techniques off"))
# The last depth exceeds every line of two rounds.
DEPTHS = [4, 8, 12, 40]
LAST = re.compile(r"\d+ games: (.*), (\S+) % \+- (\S+), elo")
TOO_MUCH = 20


def name(options):
    for known, said in NAMES:
        if options == known:
            return said
    words = [f"`{key}`: {json.dumps(value)}" for key, value in options.items()]
    return ", ".join(words).replace('"', "") or "default"


class Service:
    def __init__(self, program, port, game):
        self.game = game
        self.address = f"127.0.0.1:{port}"
        self.process = subprocess.Popen([program, "serve", "--listen", self.address, "--log", "error"])
        time.sleep(1)

    def ask(self, state, options, depth, ratings, seed=5, algorithm="auto"):
        return self.post("/v1/bestmove", {"state": state, "options": options, "budget": {"depth": depth},
                                          "algorithm": algorithm, "ratings": ratings, "seed": seed,
                                          "reproducible": True})

    def post(self, path, question):
        body = json.dumps(question | {"game": self.game}).encode()
        request = urllib.request.Request(f"http://{self.address}{path}", body, {"content-type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def drawn(arguments):
    """Positions of self-play games."""
    with tempfile.NamedTemporaryFile("r") as samples:
        command = [arguments.program, "tune", "--game", "genius", "--games", "20", "--nodes", "1000", "--seed", "77",
                   "--deal", "deal_seed", "--play", '{"options":{"decks":"random"}}', "--samples", samples.name]
        subprocess.run(command, check=True, capture_output=True)
        states = [line.rsplit("|", 2)[0] for line in samples if line.strip()]
    every = len(states) // arguments.positions
    return [json.loads(state) for state in states[::every]][:arguments.positions]


def near_the_end(service, count):
    """Undecided positions of easycard with at most two rounds to go."""
    drawn, found = random.Random(1), []
    while len(found) < count:
        options = {"hp": drawn.choice([4, 6]), "rounds": 2}
        moves, plies = [], drawn.randrange(12)
        said = service.post("/v1/position", {"options": options})
        while said["legal_moves"] and len(moves) < plies:
            moves.append(drawn.choice(said["legal_moves"]))
            said = service.post("/v1/position", {"options": options, "moves": moves})
        if len(said["legal_moves"]) > 1:
            found.append(said["state"]["json"])
    return found


def searched(service, positions, options, judges, depth, algorithm="auto"):
    nodes, errors = 0, 0
    for position, judge in zip(positions, judges):
        answer = service.ask(position, options, depth, "none", algorithm=algorithm)
        nodes += answer["stats"]["nodes"]
        value = judge.get(answer["best_move"])
        errors += value is not None and max(judge.values()) - value > TOO_MUCH
    return nodes, errors


def values(answer):
    sure = {"win": 1e4, "loss": -1e4, "draw": 0}
    scores = {row["move"]: row["score"] for row in answer["ratings"]}
    return {move: score.get("value", sure.get(score["kind"])) for move, score in scores.items()}


def match(options, arguments):
    def question(options):
        budget = {"nodes": arguments.nodes}
        return json.dumps({"game": "genius", "budget": budget, "options": {"decks": "random"} | options})

    command = [arguments.program, "match", question({}), question(options), "--games", str(arguments.games),
               "--deal", "deal_seed", "--seed", str(arguments.seed), "--jobs", str(arguments.jobs)]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    return LAST.findall(said.stdout)[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/bestmove")
    parser.add_argument("--game", choices=["genius", "easycard"], default="genius")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--positions", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--port", type=int, default=18473)
    arguments = parser.parse_args()
    service = Service(arguments.program, arguments.port, arguments.game)
    try:
        if arguments.game == "easycard":
            solved(service, near_the_end(service, arguments.positions))
        else:
            table(service, drawn(arguments), arguments)
    finally:
        service.process.terminate()


def table(service, positions, arguments):
    depth = arguments.depth
    one = UNPRUNED | {"worlds": 1}
    same = [values(service.ask(position, one, depth, "all")) for position in positions]
    wide = UNPRUNED | {"worlds": 16, "samples": 2}
    other = [values(service.ask(position, wide, depth, "all", 99)) for position in positions]
    whole, _ = searched(service, positions, {}, same, depth)
    print("| search | nodes | errors | errors by 16 worlds | the default's games | score |\n|---|---|---|---|---|---|")
    for options in SAME + OTHER:
        nodes, errors = searched(service, positions, options, same, depth)
        _, wrong = searched(service, positions, options, other, depth)
        own = f"{errors} of {len(positions)}" if options in SAME else ""
        games, score, error = match(options, arguments) if options and arguments.games else ("", "50.0", "0.0")
        print(f"| {name(options)} | {nodes / whole:.2f} | {own} | {wrong} of {len(positions)} | {games} "
              f"| {score} % ± {error} |", flush=True)


def solved(service, positions):
    exact = {"algorithm": "sg", "options": {"max_states": 20_000_000}, "budget": {"time_ms": 60_000}}
    judges = [values(service.post("/v1/bestmove", exact | {"state": position})) for position in positions]
    rows = [{}] + [{switch: switch in OFF} for switch in SELECTIVE] + [dict.fromkeys(LOSSY, False)]
    whole = [searched(service, positions, {}, judges, depth, "selective")[0] for depth in DEPTHS]
    columns = "".join(f" nodes, {depth} plies | errors |" for depth in DEPTHS)
    print(f"| search |{columns}\n|---|{'---|---|' * len(DEPTHS)}")
    for options in rows:
        found = [searched(service, positions, options, judges, depth, "selective") for depth in DEPTHS]
        shares = [f"{nodes / most:.2f}" if options else f"{most:,}" for (nodes, _), most in zip(found, whole)]
        cells = "".join(f" {share} | {errors} |" for share, (_, errors) in zip(shares, found))
        print(f"| {name(options)} |{cells}", flush=True)


if __name__ == "__main__":
    main()

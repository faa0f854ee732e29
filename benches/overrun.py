#!/usr/bin/env python3
"""CPU time beyond the budget, over random questions of any game, method and options.

    python3 benches/overrun.py BESTMOVE [--questions 20000] [--seed 1]

Positions by random legal moves, options within their ranges, budgets of 1 to 40 ms, one question after the other.
Overrun: CPU time of the serving process for the whole request, less budget x threads. A method without limits has a
budget of 0.
"""
import argparse
import json
import random
import subprocess
import time
import http.client

PORT = 18073


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    command = [given.binary, "serve", "--listen", f"127.0.0.1:{PORT}", "--log", "error", "--max-wait-ms", "10000"]
    process = subprocess.Popen(command)
    try:
        run(Client(process.pid), random.Random(given.seed), given.questions)
    finally:
        process.terminate()
        process.wait()


class Client:
    def __init__(self, pid):
        # clock_getcpuclockid(3)
        self.clock = (~pid << 3) | 2
        while True:
            try:
                if self.call("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)

    def call(self, method, path, question=None):
        if not hasattr(self, "connection"):
            self.connection = http.client.HTTPConnection("127.0.0.1", PORT)
        try:
            body = question and json.dumps(question)
            self.connection.request(method, path, body)
            reply = self.connection.getresponse()
            return reply.status, json.loads(reply.read())
        except (OSError, http.client.HTTPException):
            del self.connection
            raise OSError from None

    def cpu(self):
        return time.clock_gettime(self.clock)


def positions(client, rng, game, options):
    """Random play from the start; each prefix is a position."""
    moves, lists = [], [[]]
    for _ in range(rng.randrange(60)):
        status, position = client.call("POST", "/v1/position", {"game": game, "moves": moves, "options": options})
        if status != 200 or not position.get("legal_moves"):
            break
        moves = moves + [rng.choice(position["legal_moves"])]
        lists.append(moves)
    return lists


def value(rng, option):
    if option["type"] == "boolean":
        return rng.random() < 0.5
    if option.get("values"):
        return rng.choice(option["values"])
    low, high = option["minimum"], option["maximum"]
    if option["type"] == "integer":
        return rng.choice([low, high, rng.randint(low, high)])
    return rng.uniform(low, high)


def some(rng, options, most):
    chosen = rng.sample(options, min(len(options), rng.randrange(most + 1)))
    return {option["name"]: value(rng, option) for option in chosen}


def run(client, rng, questions):
    games = client.call("GET", "/v1/games")[1]["games"]
    methods = {m["name"]: m for m in client.call("GET", "/v1/algorithms")[1]["algorithms"]}
    overruns, refused = [], 0
    while len(overruns) < questions:
        game = rng.choice(games)
        options = some(rng, game["options"], 2)
        lists = positions(client, rng, game["name"], options)
        for _ in range(40):
            method = rng.choice(game["algorithms"])
            ms, threads = rng.choice([1, 2, 5, 10, 40]), rng.choice([1, 1, 1, 2])
            question = {
                "game": game["name"], "algorithm": method, "moves": rng.choice(lists), "threads": threads,
                "options": options | some(rng, methods[method]["options"], 4), "budget": {"time_ms": ms},
                "ratings": rng.choice(["all", "none", 3]),
            }
            begun = client.cpu()
            status, answer = client.call("POST", "/v1/bestmove", question)
            spent = client.cpu() - begun
            if status != 200 or not answer.get("best_move"):
                refused += status != 200
                continue
            heeds = "time_ms" in json.dumps(methods[method].get("budgets", ["time_ms"]))
            overruns.append((1e3 * spent - (ms * threads if heeds else 0), question))
    report(overruns, refused)


def report(overruns, refused):
    overruns.sort(key=lambda entry: entry[0])
    at = lambda share: overruns[min(len(overruns) - 1, int(len(overruns) * share))][0]
    print(
        f"{len(overruns)} answers, {refused} refused; overrun p50 {at(0.5):.2f} ms, p99 {at(0.99):.2f} ms, "
        f"p99.9 {at(0.999):.2f} ms, worst {overruns[-1][0]:.2f} ms"
    )
    for overrun, question in overruns[-25:]:
        print(f"  {overrun:7.2f} ms  {json.dumps({**question, 'moves': len(question['moves'])})}")


main()

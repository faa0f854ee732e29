"""Hook for schemathesis: questions that pass the first check, with known games and readable states and moves.

Questions generated from the schema alone name no game of the service. Most of them are therefore set to a known
game and keep some of their other generated members.
"""

import json
import random
import urllib.request
from functools import cache

import schemathesis


@cache
def games(base):
    with urllib.request.urlopen(base + "/v1/games") as answer:
        return json.load(answer)["games"]


def choose(dice, given, candidates):
    """One of the candidates, or the given value."""
    return dice.choice([given, *candidates])


@schemathesis.hook
def before_call(ctx, case, kwargs):
    if case.method.upper() != "POST" or not isinstance(case.body, dict):
        return
    # A job has the question in its body.
    body = case.body["body"] if isinstance(case.body.get("body"), dict) else case.body
    dice = random.Random(repr(body))
    if dice.random() < 0.3:
        return
    game = dice.choice(games(case.operation.base_url))
    body["game"] = game["name"]
    start = game["start"]
    for member in sorted(set(body) - {"game"}):
        if dice.random() < 0.4:
            del body[member]
    if "state" in body:
        body["state"] = choose(dice, body["state"], ["startpos", start["text"], start["json"]])
    if "moves" in body:
        body["moves"] = choose(dice, body["moves"], [[], game["example"].get("moves", [])])
    if "algorithm" in body:
        body["algorithm"] = choose(dice, body["algorithm"], ["auto", *game["algorithms"]])
    for member in ("search_moves", "avoid_moves"):
        if member in body:
            body[member] = choose(dice, body[member], [[], game["example"].get("moves", [])[:1]])

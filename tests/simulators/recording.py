"""Shared part of the scripts of this folder: the cards, decks drawn by seed, and recordings for `bestmove replay`."""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHARACTERS = ["Diluc", "Kaeya", "Sucrose", "Fischl", "Xiangling", "Keqing", "Collei", "Ningguang", "Bennett"]
TALENTS = {
    "Flowing Flame": "Diluc", "Cold-Blooded Strike": "Kaeya", "Chaotic Entropy": "Sucrose",
    "Stellar Predator": "Fischl", "Crossfire": "Xiangling", "Thundering Penance": "Keqing",
    "Floral Sidewinder": "Collei", "Strategic Reserve": "Ningguang", "Grand Expectation": "Bennett",
}  # fmt: skip
STILETTO = "Lightning Stiletto"
CARDS = [
    "The Bestest Travel Companion!", "Changing Shifts", "Leave It to Me!", "Strategize", "Starsigns", "Toss-Up",
    "Quick Knit", "Send Off", "Sweet Madame", "Mondstadt Hash Brown", "Lotus Flower Crisp", "Traveler's Handy Sword",
    "White Iron Greatsword", "Raven Bow", "Magic Guide", "White Tassel", "Gambler's Earrings", "Paimon", "Katheryne",
    "Liben", "Vanarana", "Dawn Winery", "Favonius Cathedral", *TALENTS,
]  # fmt: skip
OTHERS = [
    "Frozen", "Satiated", "Pyro Elemental Infusion", "Electro Elemental Infusion", "Crystallize", "Dendro Core",
    "Catalyzing Field", "Icicle", "Jade Screen", "Inspiration Field", "Pyronado", "Sprout", "Burning Flame", "Oz",
    "Guoba", "Cuilein-Anbar", "Large Wind Spirit", "Enhanced Electro Elemental Infusion",
    "Enhanced Inspiration Field", "Enhanced Large Wind Spirit",
]  # fmt: skip
SPENT_SPROUT = {"name": "Sprout", "n": 0}


def plain(name):
    """The letters of a name, in lower case."""
    return re.sub(r"[^a-z]", "", name.lower())


NAMES = {plain(name): name for name in [*CHARACTERS, STILETTO, *CARDS, *OTHERS]}


class Unknown(Exception):
    """Something known only to a simulator."""


def draw(rng, characters, cards):
    """A team, and fifteen kinds of cards that it can hold twice each."""
    team = rng.sample(characters, 3)
    usable = [card for card in cards if TALENTS.get(card, team[0]) in team]
    return team, rng.sample(usable, 15)


def in_place(before, after):
    """Sorts older statuses, enhanced or not, in their old order, new ones behind them; Satiated follows the food."""
    name = lambda one: one["name"].removeprefix("Enhanced ")  # noqa: E731
    place = {name(one): n for n, one in enumerate(before)}
    place.setdefault("Satiated", len(place) + 1)
    after.sort(key=lambda one: place.get(name(one), len(before)))


def replayed(program, recordings):
    """Output of `bestmove replay` for each recording."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"games": recordings}, file)
        file.flush()
        done = subprocess.run([program, "replay", "--game", "genius", file.name], capture_output=True, text=True)
    print(done.stderr, end="")
    return [re.sub(r"^game \d+: ", "", line) for line in done.stdout.splitlines()]


def show(recording, line):
    """Prints a difference, with the steps that lead to it."""
    print(line)
    for step in recording["steps"]:
        print(" ", json.dumps(step["action"]), json.dumps(step["state"]), sep="\n  ")


def kind(recording, line):
    """Kind of a difference, without the numbers of the case."""
    actions = [" ".join(filter(None, (s["action"]["type"], s["action"].get("card")))) for s in recording["steps"]]
    return f"{', '.join(actions)}: {re.sub(r'^.*?states: ', '', line)[:140]}"


def main(doc, play):
    """Collects recordings of `play`, which takes a random generator and counts, and replays them in this program."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", type=int, default=1, help="differences to show with their states")
    parser.add_argument("--program", default=ROOT / "target/release/bestmove")
    asked = parser.parse_args()
    counts, recordings = Counter(), []
    for seed in range(asked.seed, asked.seed + asked.games):
        random.seed(seed)
        recordings += play(random.Random(seed), counts)
    lines = replayed(asked.program, recordings)
    differing = [pair for pair in zip(recordings, lines) if not pair[1].endswith(": same")]
    for recording, line in differing[: asked.shown]:
        show(recording, line)
    for what, count in Counter(kind(*pair) for pair in differing).most_common():
        print(f"{count} x {what}")
    steps = sum(len(recording["steps"]) for recording in recordings)
    print(f"{asked.games} games, {dict(counts)}; {steps} steps compared, {len(differing)} differ")
    sys.exit(bool(differing) or len(lines) != len(recordings) or not lines)

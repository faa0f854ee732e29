#!/usr/bin/env python3
"""The card duel beside `dgisim` (PyPI, MIT): random games are played there, and each action is carried out again here
from the state before it.

    pip install dgisim==0.5.0
    cargo build --release && benches/peers/genius.py [--games 20] [--seed 1] [--program target/release/bestmove]

`PYTHONHASHSEED=0` makes a run repeatable. Every action of the action phase is compared that ends no round and rolls no dice. What dgisim is known to do
otherwise is left out: normal attacks of Fischl beside Oz (Oz strikes without the talent), bursts that pierce beside
Inspiration Field (piercing damage grows), and the card Liben.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import dgisim
from dgisim._core.card import card as dgisim_cards
from dgisim._core.character import character as dgisim_characters
from dgisim import (
    ActionPhase,
    CardAction,
    DeathSwapAction,
    ElementalTuningAction,
    EndRoundAction,
    GameState,
    MutableDeck,
    Pid,
    SkillAction,
    SwapAction,
)
from dgisim.agents import RandomAgent

ROOT = Path(__file__).resolve().parents[2]
CHARACTERS = ["Kaeya", "Fischl", "Keqing", "Collei", "Ningguang", "Bennett"]
CARDS = [
    "Lightning Stiletto", "The Bestest Travel Companion!", "Changing Shifts", "Leave It to Me!", "Strategize",
    "Starsigns", "Quick Knit", "Send Off", "Sweet Madame", "Mondstadt Hash Brown", "Lotus Flower Crisp",
    "Traveler's Handy Sword", "White Iron Greatsword", "Raven Bow", "Magic Guide", "White Tassel",
    "Gambler's Earrings", "Paimon", "Vanarana", "Cold-Blooded Strike", "Stellar Predator", "Floral Sidewinder",
]  # fmt: skip
OTHERS = [
    "Frozen", "Satiated", "Electro Elemental Infusion", "Crystallize", "Dendro Core", "Catalyzing Field", "Icicle",
    "Jade Screen", "Inspiration Field", "Sprout", "Burning Flame", "Oz", "Cuilein-Anbar",
]  # fmt: skip
SKILLS = {"SKILL1": 0, "SKILL2": 1, "SKILL3": 2, "ELEMENTAL_BURST": 2}
# What dgisim calls otherwise.
ALIASES = {"keqingelectroinfusion": "Electro Elemental Infusion"}


def plain(name):
    """Letters alone, small."""
    return re.sub(r"[^a-z]", "", name.lower())


NAMES = {plain(name): name for name in CHARACTERS + CARDS + OTHERS} | ALIASES


class Unknown(Exception):
    """Something that there is only in dgisim."""


def name_of(thing):
    word = plain(re.sub(r"(Status|Summon|Support)$", "", thing.__name__ if isinstance(thing, type) else type(thing).__name__))
    if word not in NAMES:
        raise Unknown(word)
    return NAMES[word]


def faces(dice):
    return {element.name.lower(): count for element, count in dice.to_dict().items() if count}


def slot(thing):
    written = {"name": name_of(thing), "n": getattr(thing, "usages", 1)}
    if hasattr(thing, "triggered_num"):
        written["n"] = thing.MAX_TRIGGER_NUM - thing.triggered_num
    if hasattr(thing, "saved_dice"):
        kept = [face for face, count in faces(thing.saved_dice).items() for _ in range(count)]
        written |= {"n": len(kept)} | ({"kept": kept} if kept else {})
    return written


def slots(things):
    return [slot(thing) for thing in things]


def fighter(char):
    if char.is_defeated():
        # Some of what lay on him dgisim leaves there.
        return {"name": name_of(char), "hp": 0, "energy": 0, "alive": False, "aura": [], "attach": []}
    return {
        "name": name_of(char),
        "hp": char.hp,
        "energy": char.energy,
        "alive": char.is_alive(),
        "aura": [element.name.lower() for element in char.elemental_aura],
        "attach": slots(char.character_statuses),
    }


def names(cards):
    """A list of a set of cards."""
    return [name_of(card) for card in cards for _ in range(cards[card])]


def seat(player, is_choosing, has_ended):
    active = player.characters.get_active_character_id() - 1
    return {
        "active": -1 if is_choosing else active,
        "ended": has_ended,
        "dice": faces(player.dice),
        "hand": names(player.hand_cards),
        "deck": names(player.deck_cards),
        "chars": [fighter(char) for char in player.characters],
        "team": slots(player.combat_statuses),
        "summons": slots(player.summons),
        "supports": slots(player.supports),
    }


def state(game, ended):
    """A state in the form of the recorded games; `ended` are the sides that have ended their round."""
    chooser = game.waiting_for() if game.death_swapping() else None
    sides = enumerate((Pid.P1, Pid.P2))
    players = [seat(game.get_player(pid), pid is chooser, n in ended) for n, pid in sides]
    written = {"round": game.round, "winner": None, "players": players}
    if game.game_end():
        winner = game.get_winner()
        return written | {"phase": "over", "winner": None if winner is None else [Pid.P1, Pid.P2].index(winner)}
    turn = [Pid.P1, Pid.P2].index(chooser or game.active_player_id)
    return written | {"phase": "death" if chooser else "action", "turn": turn}


def action(game, pid, done):
    """An action in the form of the recorded games; none where it is not compared."""
    player = game.get_player(pid)
    dice = lambda: faces(done.instruction.dice)  # noqa: E731
    match done:
        case EndRoundAction():
            return {"type": "end"}
        case SkillAction():
            number = SKILLS.get(done.skill.name)
            return None if number is None else {"type": "skill", "skill": number, "dice": dice()}
        case SwapAction():
            return {"type": "switch", "to": done.char_id - 1, "dice": dice()}
        case ElementalTuningAction():
            return {"type": "tune", "card": name_of(done.card), "die": done.dice_elem.name.lower()}
        case CardAction():
            return {"type": "card", "card": name_of(done.card), "target": target(game, pid, done), "dice": dice()}
    return None


def target(game, pid, done):
    """What a card is aimed at: the active character where dgisim does not say."""
    where = getattr(done.instruction, "target", None)
    card = name_of(done.card)
    if where is None:
        aimed = {"Lightning Stiletto", "Starsigns", "Cold-Blooded Strike", "Stellar Predator", "Floral Sidewinder"}
        active = game.get_player(pid).characters.get_active_character_id() - 1
        if card == "Lightning Stiletto":
            active = [name_of(char) for char in game.get_player(pid).characters].index("Keqing")
        return ["char", [Pid.P1, Pid.P2].index(pid), active] if card in aimed else None
    side = [Pid.P1, Pid.P2].index(where.pid)
    thing = game.get_target(where)
    if where.zone.name == "CHARACTERS":
        return ["char", side, where.id - 1]
    if where.zone.name == "SUMMONS":
        return ["summon", side, name_of(thing)]
    raise Unknown(where.zone.name)


def put_in_order(before, after, played, target):
    """Puts what has been drawn on top of the decks, which dgisim keeps as sets, and what is new on a fighter behind
    what was there; a card that is played again is new."""
    for old, new in zip(before["players"], after["players"]):
        for was, now in zip(old["chars"], new["chars"]):
            known = [one["name"] for one in was["attach"] if was is not target or one["name"] != played]
            place = {name: n for n, name in enumerate(known)}
            # What a fighter eats comes before he is full.
            place.setdefault("Satiated", len(known) + 1)
            now["attach"].sort(key=lambda one: place.get(one["name"], len(known)))
        drawn = Counter(old["deck"]) - Counter(new["deck"])
        # Cards beyond the tenth are lost: the last ones.
        kept = drawn & (Counter(new["hand"]) - Counter(old["hand"]))
        old["deck"] = [*kept.elements(), *(drawn - kept).elements(), *new["deck"]]


def is_known_to_differ(game, pid, done):
    player = game.get_player(pid)
    if not isinstance(done, SkillAction):
        return False
    active = type(player.characters.get_active_character()).__name__
    is_oz_out = any(type(summon).__name__ == "OzSummon" for summon in player.summons)
    is_inspired = any(type(status).__name__ == "InspirationFieldStatus" for status in player.combat_statuses)
    number = SKILLS.get(done.skill.name)
    pierces = number == 2 and active in ("Fischl", "Keqing")
    return (active == "Fischl" and is_oz_out and number == 0) or (is_inspired and pierces)


def deck(rng):
    team = rng.sample(CHARACTERS, 3)
    fits = {"Cold-Blooded Strike": "Kaeya", "Stellar Predator": "Fischl", "Floral Sidewinder": "Collei"}
    usable = [card for card in CARDS[1:] if fits.get(card, team[0]) in team]
    kinds = rng.sample(usable, 15)
    classes = {plain(name): thing for name, thing in vars(dgisim_cards).items() if isinstance(thing, type)}
    return MutableDeck(
        chars=[getattr(dgisim_characters, name) for name in team],
        cards={classes[plain(card)]: 2 for card in kinds},
    )


def play(seed, counts):
    """The comparable actions of a random game, each as a recording of its own."""
    rng = random.Random(seed)
    random.seed(seed)
    mode = dgisim.DefaultMode()
    game = GameState.from_decks(mode, *(valid_deck(mode, rng) for _ in range(2)))
    agent = RandomAgent()
    first, ended, at = 0, set(), 1
    recordings = []
    while not game.game_end():
        pid = game.waiting_for()
        if pid is None:
            game = game.step()
            continue
        done = agent.choose_action([game], pid)
        after = game.action_step(pid, done)
        while not after.game_end() and after.waiting_for() is None:
            after = after.step()
        side = [Pid.P1, Pid.P2].index(pid)
        if game.round != at:
            ended, at = set(), game.round
        if isinstance(game.phase, ActionPhase) and not isinstance(done, DeathSwapAction):
            had_ended = set(ended)
            if isinstance(done, EndRoundAction):
                first = first if ended else side
                ended.add(side)
            if len(ended) == 2 or is_known_to_differ(game, pid, done):
                counts["left out"] += 1
            else:
                record(game, had_ended, pid, done, after, ended, first, recordings, counts)
        game = after
    return recordings


def record(game, had_ended, pid, done, after, ended, first, recordings, counts):
    """Writes an action down, unless something takes part that there is only in dgisim."""
    side = [Pid.P1, Pid.P2].index(pid)
    try:
        before, then, act = state(game, had_ended), state(after, ended), action(game, pid, done)
    except Unknown as why:
        counts[f"unknown: {why}"] += 1
        return
    aim = act.get("target") if act else None
    aimed = before["players"][aim[1]]["chars"][aim[2]] if aim and aim[0] == "char" else None
    # dgisim equips the fallen, and what follows on a skill of Keqing or Collei comes there before or after somebody
    # is chosen in place of who has fallen.
    has_more = not {"Keqing", "Collei"}.isdisjoint(char["name"] for char in before["players"][side]["chars"])
    is_interrupted = has_more and then["phase"] in ("death", "over")
    if not act or (aimed and not aimed["alive"]) or is_interrupted:
        counts["left out"] += 1
    else:
        put_in_order(before, then, act.get("card"), aimed)
        step = {"actor": side, "state": before, "action": act, "next": then}
        recordings.append({"first": first, "steps": [step]})
        counts["compared"] += 1


def valid_deck(mode, rng):
    """A deck that the conditions of its cards allow."""
    while True:
        drawn = deck(rng)
        if mode.valid_deck(drawn):
            return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", type=int, default=1, help="differences to show with their states")
    parser.add_argument("--program", default=ROOT / "target/release/bestmove")
    asked = parser.parse_args()
    counts, recordings = Counter(), []
    for seed in range(asked.seed, asked.seed + asked.games):
        recordings += play(seed, counts)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"games": recordings}, file)
        file.flush()
        replayed = subprocess.run(
            [asked.program, "replay", "--game", "genius", file.name], capture_output=True, text=True
        )
    lines = replayed.stdout.splitlines()
    differing = [(int(line.split()[1].rstrip(":")), line) for line in lines if not line.endswith(": same")]
    for number, line in differing[: asked.shown]:
        step = recordings[number - 1]["steps"][0]
        print(line, json.dumps(step["action"]), json.dumps(step["state"]), sep="\n  ")
    kinds = Counter(
        (step["action"]["type"], step["action"].get("card"), re.sub(r"game \d+: ", "", line)[:120])
        for number, line in differing
        for step in recordings[number - 1]["steps"]
    )
    for kind, count in kinds.most_common(20):
        print(f"{count} x", *kind)
    print(replayed.stderr, end="")
    print(f"{asked.games} games, {dict(counts)}; {len(differing)} of {len(lines)} actions differ")
    sys.exit(bool(differing) or not lines)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Cross-check with `dgisim` (PyPI, MIT): random games of the card duel are played there, each action is replayed here.

    pip install -r tests/simulators/requirements.txt
    cargo build --release && tests/simulators/dgisim_games.py [--games 20] [--seed 1]

`PYTHONHASHSEED=0` makes a run repeatable. Every action of the action phase that ends no round and rolls no dice is
compared. Known differences of dgisim are left out: normal attacks of Fischl beside Oz (Oz strikes without the
talent), bursts that pierce beside Inspiration Field (piercing damage grows), Floral Sidewinder after a skill of Collei
in the same round (no sprout comes), and the card Liben.
"""

import re
from collections import Counter

import dgisim
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
from dgisim._core.card import card as dgisim_cards
from dgisim._core.character import character as dgisim_characters
from dgisim.agents import RandomAgent

import recording
from recording import NAMES, SPENT_SPROUT, STILETTO, TALENTS, Unknown, plain

CHARACTERS = ["Kaeya", "Fischl", "Keqing", "Collei", "Ningguang", "Bennett"]
CLASSES = {plain(name): thing for name, thing in vars(dgisim_cards).items() if isinstance(thing, type)}
CARDS = [card for card in recording.CARDS if plain(card) in CLASSES and card not in ("Liben", "Toss-Up")]
SKILLS = {"SKILL1": 0, "SKILL2": 1, "SKILL3": 2, "ELEMENTAL_BURST": 2}
# Names that differ in dgisim.
ALIASES = {
    "keqingelectroinfusion": "Electro Elemental Infusion",
    "keqingelectroinfusionenhanced": "Enhanced Electro Elemental Infusion",
    "inspirationfieldenhanced": "Enhanced Inspiration Field",
}


def name_of(thing):
    kind = thing if isinstance(thing, type) else type(thing)
    word = plain(re.sub(r"(Status|Summon|Support)$", "", kind.__name__))
    name = ALIASES.get(word) or NAMES.get(word)
    if name is None:
        raise Unknown(word)
    return name


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
        # dgisim keeps some statuses of a fallen character.
        return {"name": name_of(char), "hp": 0, "energy": 0, "alive": False, "aura": [], "attach": []}
    return {
        "name": name_of(char),
        "hp": char.hp,
        "energy": char.energy,
        "alive": char.is_alive(),
        "aura": [element.name.lower() for element in char.elemental_aura],
        "attach": slots(char.character_statuses),
    }


def has_used_skill(char):
    return any(getattr(status, "elemental_skill_used", False) for status in char.hidden_statuses)


def team(player):
    """Statuses of a side, ending with a sprout used up in this round."""
    written = slots(player.combat_statuses)
    made = any(has_used_skill(char) and char.talent_equipped() for char in player.characters)
    if made and all(one["name"] != "Sprout" for one in written):
        written.append(SPENT_SPROUT)
    return written


def names(cards):
    """A multiset of cards as a list."""
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
        "team": team(player),
        "summons": slots(player.summons),
        "supports": slots(player.supports),
    }


def state(game, ended):
    """State in the format of the recorded games; `ended` are the sides that have ended their round."""
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
    """Action in the format of the recorded games; `None` where it is not compared."""
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
    """Target of a card; the active character where dgisim gives none."""
    where = getattr(done.instruction, "target", None)
    card = name_of(done.card)
    if where is None:
        active = game.get_player(pid).characters.get_active_character_id() - 1
        if card == STILETTO:
            active = [name_of(char) for char in game.get_player(pid).characters].index("Keqing")
        is_aimed = card in {STILETTO, "Starsigns", *TALENTS}
        return ["char", [Pid.P1, Pid.P2].index(pid), active] if is_aimed else None
    side = [Pid.P1, Pid.P2].index(where.pid)
    thing = game.get_target(where)
    if where.zone.name == "CHARACTERS":
        return ["char", side, where.id - 1]
    if where.zone.name == "SUMMONS":
        return ["summon", side, name_of(thing)]
    raise Unknown(where.zone.name)


def put_in_order(before, after, played, target):
    """Moves drawn cards to the top of the decks, which dgisim keeps as multisets, and new statuses behind older ones;
    a card played again counts as new."""
    for old, new in zip(before["players"], after["players"]):
        recording.in_place(old["team"], new["team"])
        for was, now in zip(old["chars"], new["chars"]):
            known = [one for one in was["attach"] if was is not target or one["name"] != played]
            recording.in_place(known, now["attach"])
        drawn = Counter(old["deck"]) - Counter(new["deck"])
        # A hand holds ten cards: the last ones drawn are lost.
        kept = drawn & (Counter(new["hand"]) - Counter(old["hand"]))
        old["deck"] = [*kept.elements(), *(drawn - kept).elements(), *new["deck"]]


def is_known_to_differ(game, pid, done):
    player = game.get_player(pid)
    char = player.characters.get_active_character()
    if isinstance(done, CardAction):
        return done.card.__name__ == "FloralSidewinder" and has_used_skill(char)
    if not isinstance(done, SkillAction):
        return False
    active = type(char).__name__
    is_oz_out = any(type(summon).__name__ == "OzSummon" for summon in player.summons)
    is_inspired = any(type(status).__name__.startswith("InspirationField") for status in player.combat_statuses)
    number = SKILLS.get(done.skill.name)
    pierces = number == 2 and active in ("Fischl", "Keqing")
    return (active == "Fischl" and is_oz_out and number == 0) or (is_inspired and pierces)


def deck(mode, rng):
    """Random deck that satisfies the conditions of its cards."""
    while True:
        team, cards = recording.draw(rng, CHARACTERS, CARDS)
        drawn = MutableDeck(
            chars=[getattr(dgisim_characters, name) for name in team],
            cards={CLASSES[plain(card)]: 2 for card in cards},
        )
        if mode.valid_deck(drawn):
            return drawn


def play(rng, counts):
    """Comparable actions of a random game, each as a separate recording."""
    mode = dgisim.DefaultMode()
    game = GameState.from_decks(mode, deck(mode, rng), deck(mode, rng))
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
    """Records an action, unless it involves something known only to dgisim."""
    side = [Pid.P1, Pid.P2].index(pid)
    try:
        before, then, act = state(game, had_ended), state(after, ended), action(game, pid, done)
    except Unknown as why:
        counts[f"unknown: {why}"] += 1
        return
    aim = act.get("target") if act else None
    aimed = before["players"][aim[1]]["chars"][aim[2]] if aim and aim[0] == "char" else None
    # dgisim equips fallen characters, and resolves the effects after a skill of Keqing or Collei at another time
    # relative to the replacement of a fallen character.
    has_more = not {"Keqing", "Collei"}.isdisjoint(char["name"] for char in before["players"][side]["chars"])
    is_interrupted = has_more and then["phase"] in ("death", "over")
    if not act or (aimed and not aimed["alive"]) or is_interrupted:
        counts["left out"] += 1
    else:
        put_in_order(before, then, act.get("card"), aimed)
        step = {"actor": side, "state": before, "action": act, "next": then}
        recordings.append({"first": first, "steps": [step]})
        counts["compared"] += 1


if __name__ == "__main__":
    recording.main(__doc__, play)

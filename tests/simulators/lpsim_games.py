#!/usr/bin/env python3
"""Cross-check with `lpsim` (PyPI, AGPL-3.0): random games of the card duel are played there, and each step here.

    pip install -r tests/simulators/requirements.txt
    cargo build --release && tests/simulators/lpsim_games.py [--games 20] [--seed 1]

Every step from the first roll to the end of a game is compared, and at every action the legal alternatives and their
costs. Cards and characters are those of version 4.1. Intended differences are left out: the card Vanarana, which here
keeps the two dice that its side needs most, and the bursts of Sucrose that swirl, or with a Large Wind Spirit in play
that has absorbed an element: here a new spirit has none.
Moments without a decision are left out too: dice rolled after the last round, and the dice by Gambler's Earrings for
the second of two simultaneous defeats, which lpsim grants after the first is replaced.
"""

import itertools
from collections import Counter

from lpsim import Deck, Match
from lpsim.server.interaction import (
    ChooseCharacterResponse,
    DeclareRoundEndResponse,
    ElementalTuningResponse,
    RerollDiceResponse,
    SwitchCardResponse,
    SwitchCharacterResponse,
    UseCardResponse,
    UseSkillResponse,
)

import recording
from recording import NAMES, SPENT_SPROUT, TALENTS, Unknown, plain

CARDS = [card for card in recording.CARDS if card != "Vanarana"]
# Names that differ in lpsim.
ALIASES = {"Floral Sidewinder": "Sprout"}
FACES = ["omni", "cryo", "hydro", "pyro", "electro", "geo", "dendro", "anemo"]
LAST_ROUND = 15
# Relative frequency of each kind of action.
WEIGHTS = {"DeclareRoundEndRequest": 1, "ElementalTuningRequest": 2, "SwitchCharacterRequest": 3}
USUAL_WEIGHT = 8


def name_of(thing):
    if plain(thing.name) not in NAMES:
        raise Unknown(thing.name)
    return NAMES[plain(thing.name)]


def faces(colors):
    count = Counter(color.value.lower() for color in colors)
    return {face: count[face] for face in FACES if count[face]}


def slot(thing):
    name = name_of(thing)
    if getattr(thing, "talent_activated", False):
        name = f"Enhanced {name}"
    written = {"name": name, "n": getattr(thing, "usage", 1)}
    if name.endswith("Large Wind Spirit") and thing.damage_elemental_type.value != "ANEMO":
        written["element"] = thing.damage_elemental_type.value.lower()
    return written


def slots(things):
    return [slot(thing) for thing in things]


def team(table):
    """Statuses of a side, ending with a sprout used up in this round."""
    written = [{**one, "name": ALIASES.get(one["name"], one["name"])} for one in slots(table.team_status)]
    made = sum(getattr(skill, "create_status_counter", 0) for char in table.characters for skill in char.skills)
    if made and all(one["name"] != "Sprout" for one in written):
        written.append(SPENT_SPROUT)
    return written


def fighter(char):
    attached = slots(char.attaches)
    for one, other in itertools.pairwise(range(len(attached))):
        # Here Satiated follows the food.
        if (attached[one]["name"], attached[other]["name"]) == ("Satiated", "Lotus Flower Crisp"):
            attached[one], attached[other] = attached[other], attached[one]
    return {
        "name": name_of(char),
        "hp": char.hp,
        "energy": char.charge,
        "alive": char.is_alive,
        "aura": [element.value.lower() for element in char.element_application],
        # lpsim keeps the counters of fallen characters.
        "skill_uses": sum(getattr(skill, "counter", 0) for skill in char.skills if char.is_alive),
        "attach": attached,
    }


def seat(table, is_choosing):
    return {
        "active": -1 if is_choosing else table.active_character_idx,
        "ended": table.has_round_ended,
        "dice": faces(table.dice.colors),
        "hand": [name_of(card) for card in table.hands],
        "deck": [name_of(card) for card in table.table_deck],
        "chars": [fighter(char) for char in table.characters],
        "team": team(table),
        "summons": slots(table.summons),
        "supports": slots(table.supports),
    }


def asked(match):
    """Requests to the side that answers first."""
    side = min(request.player_idx for request in match.requests)
    return [request for request in match.requests if request.player_idx == side]


def state(match):
    """State in the format of the recorded games."""
    written = {"round": match.round_number, "winner": None}
    chooser = None
    if match.is_game_end():
        written |= {"phase": "over", "winner": match.winner if match.winner >= 0 else None}
    else:
        request = asked(match)[0]
        written |= {"phase": "action", "turn": request.player_idx}
        if request.name == "ChooseCharacterRequest":
            written["phase"], chooser = "death", request.player_idx
        elif request.name == "RerollDiceRequest":
            written["phase"] = "roll" if match.state.value == "ROUND_ROLL_DICE" else "reroll"
            left = {request.player_idx: request.reroll_times for request in match.requests}
            written["rerolls"] = [left.get(side, 0) for side in (0, 1)]
    written["players"] = [seat(table, side == chooser) for side, table in enumerate(match.player_tables)]
    return written


def cost_of(cost):
    own = [cost.elemental_dice_color.value.lower(), cost.elemental_dice_number] if cost.elemental_dice_number else None
    return {"elem": own, "same": cost.same_dice_number, "any": cost.any_dice_number, "energy": cost.charge}


def target_of(match, side, card, where):
    """Target of a card; the active character where lpsim gives none."""
    if where is None:
        active = match.player_tables[side].active_character_idx
        return ["char", side, active] if card == "Starsigns" or card in TALENTS else None
    zone, table = where.area.value, match.player_tables[where.player_idx]
    if zone == "CHARACTER":
        return ["char", where.player_idx, where.character_idx]
    if zone == "SUMMON":
        return ["summon", where.player_idx, slot(table.get_object(where))["name"]]
    return ["support", where.player_idx, [one.id for one in table.supports].index(where.id)]


def ways(match, request):
    """All actions that fulfil a request, without their dice, each with a function from dice to the response."""
    side = request.player_idx
    table = match.player_tables[side]
    match request.name:
        case "DeclareRoundEndRequest":
            yield {"type": "end"}, lambda _: DeclareRoundEndResponse(request=request)
        case "SwitchCharacterRequest":
            to = {"type": "switch", "to": request.target_character_idx}
            yield to, lambda dice: SwitchCharacterResponse(request=request, dice_idxs=dice)
        case "UseSkillRequest":
            skill = {"type": "skill", "skill": request.skill_idx}
            yield skill, lambda dice: UseSkillResponse(request=request, dice_idxs=dice)
        case "UseCardRequest":
            card = name_of(table.hands[request.card_idx])
            for where in request.targets or [None]:
                play = {"type": "card", "card": card, "target": target_of(match, side, card, where)}
                yield play, lambda dice, where=where: UseCardResponse(request=request, dice_idxs=dice, target=where)
        case "ElementalTuningRequest":
            for card, die in itertools.product(request.card_idxs, request.dice_idxs):
                color = request.dice_colors[die].value.lower()
                tune = {"type": "tune", "card": name_of(table.hands[card]), "die": color}
                answer = ElementalTuningResponse(request=request, card_idx=card, dice_idx=die)
                yield tune, lambda _, answer=answer: answer


def legal(match, requests):
    """All actions with their costs."""
    found = []
    for request in requests:
        cost = cost_of(request.cost) if hasattr(request, "cost") else None
        for way, _ in ways(match, request):
            if (action := way | {"cost": cost}) not in found:
                found.append(action)
    return found


def payment(rng, match, request):
    """Indices of dice that pay for a request."""
    cost, colors = request.cost, request.dice_colors
    count = cost.elemental_dice_number + cost.same_dice_number + cost.any_dice_number
    energy = match.player_tables[request.player_idx].get_charge_and_arcane_legend()
    places = list(itertools.combinations(range(len(colors)), count))
    rng.shuffle(places)
    return list(next(dice for dice in places if cost.is_valid([colors[n] for n in dice], *energy)))


def some(rng, things):
    return [n for n in range(len(things)) if rng.random() < 0.5]


def choice(rng, match, requests):
    """Random choice: the action, and the response to lpsim."""
    request = requests[0]
    match request.name:
        case "SwitchCardRequest":
            return None, SwitchCardResponse(request=request, card_idxs=some(rng, request.card_names))
        case "ChooseCharacterRequest":
            to = rng.choice(request.available_character_idxs)
            return {"type": "choose", "to": to}, ChooseCharacterResponse(request=request, character_idx=to)
        case "RerollDiceRequest":
            dice = some(rng, request.colors)
            rolled = {"type": "reroll", "dice": faces(request.colors[n] for n in dice)}
            return rolled, RerollDiceResponse(request=request, reroll_dice_idxs=dice)
    request = rng.choices(requests, [WEIGHTS.get(one.name, USUAL_WEIGHT) for one in requests])[0]
    action, answer = rng.choice(list(ways(match, request)))
    if not hasattr(request, "cost"):
        return action, answer(None)
    dice = payment(rng, match, request)
    return action | {"dice": faces(request.dice_colors[n] for n in dice)}, answer(dice)


def deck(rng):
    characters, cards = recording.draw(rng, recording.CHARACTERS, CARDS)
    lines = ["default_version:4.1", *(f"character:{name}" for name in characters), *(f"{card}*2" for card in cards)]
    return Deck.from_str("\n".join(lines))


def begun(rng):
    """A game after the choice of hands and first characters."""
    match = Match(random_state=list(rng.getstate()))
    # In lpsim a game ends at the beginning of this round.
    match.config.max_round_number = LAST_ROUND + 1
    match.set_deck([deck(rng), deck(rng)])
    begins, why = match.start()
    assert begins, why
    match.step()
    while match.state.value != "ROUND_ROLL_DICE":
        match.respond(choice(rng, match, asked(match))[1])
        match.step()
    return match


def fallen(step, side):
    """Number of characters of a side defeated in a step."""
    was, now = (step[at]["players"][side]["chars"] for at in ("state", "next"))
    return sum(one["alive"] for one in was) - sum(one["alive"] for one in now)


def is_known_to_differ(step):
    action, after = step["action"], step["next"]
    own = after["players"][step["actor"]]
    is_burst = action.get("skill") == 2 or action.get("card") == "Chaotic Entropy"
    has_element = any("element" in one for one in own["summons"])
    by_sucrose = is_burst and own["chars"][own["active"]]["name"] == "Sucrose"
    fall_at_once = after["phase"] == "death" and max(fallen(step, side) for side in (0, 1)) > 1
    return after["round"] > LAST_ROUND or fall_at_once or (by_sucrose and has_element)


def play(rng, counts):
    """Random game: each action is a separate recording, with the choices that interrupt it."""
    match = begun(rng)
    recordings, first, now = [], match.current_player, state(match)
    while not match.is_game_end():
        requests = asked(match)
        side = requests[0].player_idx
        action, answer = choice(rng, match, requests)
        step = {"actor": side, "state": now, "action": action}
        if now["phase"] == "action":
            step["legal"] = legal(match, requests)
        if now["phase"] != "death":
            recordings.append({"first": first, "steps": []})
        if action["type"] == "end" and not any(player["ended"] for player in now["players"]):
            first = side
        match.respond(answer)
        match.step()
        now = step["next"] = state(match)
        recordings[-1]["steps"].append(step)
        counts[action["type"]] += 1
    compared = [one for one in recordings if not any(map(is_known_to_differ, one["steps"]))]
    counts["left out"] += len(recordings) - len(compared)
    return compared


if __name__ == "__main__":
    recording.main(__doc__, play)

"""Hints held against the oracle, position by position."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion_app.hints.advise import advise
from rules.catalogue import PYRAMID_GAMES, find_game
from rules.pyramid.position import PyramidPosition
from tests.oracle_endings.judging import Belief, Judge, TooMuch
from tests.oracle_endings.laying import HIDDEN, TooMany, worlds_of
from tests.oracle_endings.playing import Rule, Step, is_won
from tests.oracle_endings.tables import ending

MOST_WORLDS, MOST_WORK = 2_500, 150_000
SECONDS = 4.0

SMALL_DECKS = ((5, 3), (5, 4), (5, 5), (6, 3), (6, 4), (6, 5), (6, 6), (7, 4), (7, 5), (7, 6))


@dataclass
class Case:
    """One ending: the game with its options, the position as JSON, and what the oracle says."""

    game: str
    options: dict[str, str]
    position: dict[str, Any]
    rule: Rule
    worlds: Belief
    judge: Judge
    lost: bool


@dataclass
class Differences:
    """How many positions and moves were compared, and every difference, by its kind."""

    positions: Counter[str] = field(default_factory=Counter)
    moves: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, Case, Any]] = field(default_factory=list)


def options_for(game: str, rng: Random) -> dict[str, str]:
    """Options that make brute force possible, the others as they are or at random."""
    options: dict[str, str] = {}
    apex = PYRAMID_GAMES[game].options.apex is not None
    if not apex and rng.random() < 0.7:
        total, rows = rng.choice(SMALL_DECKS)
        options |= {"total": str(total), "rows": str(rows)}
    elif rng.random() < 0.5:
        options["rows"] = str(rng.choice((5, 6, 7)) if apex else rng.choice((3, 4, 5, 6)))
    for name, values in (
        ("passes", ("1", "2", "3", "unlimited")),
        ("goal", ("pyramid", "all")),
        ("turn_when", ("always", "stuck")),
        ("overlap", ("no", "yes")),
        ("jokers", ("0", "2", "3")),
        ("face", ("up", "down")),
        ("draw", ("1", "3")),
        ("turned", ("laid", "held")),
    ):
        if rng.random() < 0.2:
            options[name] = rng.choice(values)
    changed = PYRAMID_GAMES[game].options.to_json() | options
    if str(changed["draw"]) == "3":
        options["turned"] = "laid"
    return options


def cases(seed: int) -> Iterator[Case]:
    """Endings with unseen cards, for ever, the ten games by turns."""
    number = 0
    while True:
        rng = Random(f"ending {seed} {number}")
        number += 1
        name = list(PYRAMID_GAMES)[number % len(PYRAMID_GAMES)]
        options = options_for(name, rng)
        game = find_game(name, options)
        rule = Rule.of_options(game.options.to_json(), idle_ends=name == "math-pyramid-three")
        position = ending(rule, rng)
        if position is None or (rng.random() < 0.5 and "??" not in json.dumps(position) and position["stock"] is None):
            continue
        case = judged(name, options, position, rule)
        if case is not None:
            yield case


def judged(name: str, options: dict[str, str], position: dict[str, Any], rule: Rule) -> Case | None:
    """The case of a position; None where all is known, or too much is not."""
    faces = [code for row in position["pyramid"] for code in row]
    known = frozenset(cell for cell, code in enumerate(faces) if code not in HIDDEN)
    judge = Judge(rule, known, MOST_WORK)
    try:
        worlds = frozenset(worlds_of(position, rule, MOST_WORLDS))
        if len(worlds) < 2:
            return None
        return Case(name, options, position, rule, worlds, judge, judge.loses(worlds))
    except (TooMany, TooMuch):
        return None


def step_of(move: dict[str, Any]) -> Step:
    """The oracle's move for one of the contract."""
    if move["kind"] in ("turn", "redeal"):
        return move["kind"], ()
    places: list[object] = []
    for place in move["places"]:
        words = place.split()
        if words[0] == "pyramid":
            places.append(int(words[1]) * (int(words[1]) - 1) // 2 + int(words[2]) - 1)
        else:
            places.append({"turned": "held", "waste": "waste"}[place])
    return "take", tuple(places)


def compare(case: Case, found: Differences, seconds: float = SECONDS) -> bool:
    """Holds the hints for a case against the oracle; False where the oracle gave up."""
    game = find_game(case.game, case.options)
    answer = advise(PyramidPosition.from_json(case.position), game, seconds).to_json()
    truths: list[bool | None] = []
    try:
        for hint in answer["hints"]:
            truths.append(_truth(case, step_of(hint["move"])))
    except TooMuch:
        return False
    expected = "winnable" if True in truths else "lost" if case.lost else "undecided"
    if all(is_won(world, case.rule) for world in case.worlds):
        expected = "winnable"
    found.positions[expected] += 1
    if answer["verdict"] != expected:
        found.wrong.append((f"verdict {answer['verdict']}, not {expected}", case, None))
    for hint, truth in zip(answer["hints"], truths, strict=True):
        if case.lost:
            truth = False
        told = {1.0: True, 0.0: False}[hint["win"]["estimate"]] if hint["certainty"] == "proven" else None
        found.moves[{True: "wins", False: "loses", None: "open"}[truth]] += 1
        if told != truth:
            found.wrong.append((f"move told {told}, is {truth}", case, hint["move"]))
    if True in truths and truths[0] is not True:
        found.wrong.append(("a move that wins is not first", case, answer["hints"][0]["move"]))
    return True


def _truth(case: Case, step: Step) -> bool | None:
    """True if a move wins, False if it loses whatever the unseen cards are."""
    if step[0] == "take":
        step = ("take", _as_legal(case, step[1]))
    if case.judge.wins_after(case.worlds, step):
        return True
    return False if case.judge.loses_after(case.worlds, step) else None


def _as_legal(case: Case, places: tuple[object, ...]) -> tuple[object, ...]:
    """The places in the order in which the oracle names them: the pyramid by number, then the piles; a covered card
    before the one that covers it."""
    order = {"held": 1000, "waste": 1001}
    return tuple(sorted(places, key=lambda place: order.get(str(place), place)))  # type: ignore[arg-type, return-value]

"""Pairs of looks of which the truth is known: some moves between two looks, single steps, and rules broken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.oracle_pyramid.looks import Habit, camera, followed, newly_seen, random_habit
from tests.oracle_pyramid.table import GAMES, Act, Rules, Table, acts, deal, done, random_rules

GAPS: tuple[tuple[str, ...], ...] = (
    ("removal", "removal"),
    ("removal", "removal", "removal"),
    ("removal", "turn"),
    ("turn", "removal"),
    ("turn", "turn"),
    ("turn", "redeal"),
    ("redeal", "turn"),
    ("turn", "turn", "redeal"),
    ("turn", "redeal", "turn"),
    ("redeal", "turn", "turn"),
)
"""What may have been done between two looks."""
LONGEST = 150
REMOVES = 0.7


@dataclass(frozen=True)
class Case:
    """Two looks and what was done between them. ``name``: the kind of gap, or the breach; ``habit``: of the player."""

    rules: Rules
    habit: Habit
    name: str
    before: dict[str, Any]
    after: dict[str, Any]
    truth: tuple[Act, ...] = ()
    breaches: frozenset[str] = frozenset()
    cards: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Moment:
    """A state in a game: the table, what lies on top of the foundation, and what had been seen so far."""

    table: Table
    top: str | None
    seen: frozenset[str]


def some_rules(rng: Random) -> Rules:
    """One of the ten games, in half of the cases under options drawn at random."""
    game = rng.choice(sorted(GAMES))
    return random_rules(game, rng) if rng.random() < 0.5 else Rules(game)


def played(rules: Rules, habit: Habit, rng: Random) -> Iterator[Moment]:
    """A random game, moment by moment."""
    moment = look_at(Moment(deal(rules, rng), None, frozenset()), rules, habit)
    removes = rng.choice([REMOVES, 0.3])
    for _ in range(LONGEST):
        yield moment
        choices = acts(moment.table, rules)
        taking = [act for act in choices if act.kind in ("pair", "single")]
        others = [act for act in choices if act not in taking]
        if not choices:
            return
        chosen = taking if taking and (not others or rng.random() < removes) else others
        moment = after(moment, rng.choice(chosen), rules, habit, rng)


def after(moment: Moment, act: Act, rules: Rules, habit: Habit, rng: Random) -> Moment:
    """The moment after a move that somebody looked at."""
    return look_at(_made(moment, act, rules, rng), rules, habit)


def look_at(moment: Moment, rules: Rules, habit: Habit) -> Moment:
    """What lies open is seen."""
    return replace(moment, seen=moment.seen | newly_seen(moment.table, rules, habit))


def _made(moment: Moment, act: Act, rules: Rules, rng: Random) -> Moment:
    top = rng.choice(act.parts)[0] if act.kind in ("pair", "single") else moment.top
    return replace(moment, table=done(moment.table, act, rules), top=top)


def looks_before(moment: Moment, rules: Rules, habit: Habit, rng: Random) -> dict[str, Any]:
    """The earlier look: a picture, or all that one who followed the game knows."""
    if rng.random() < 0.5:
        return camera(moment.table, rules, habit, moment.top)
    return followed(moment.table, rules, habit, moment.top, moment.seen)


def gaps(rng: Random) -> Iterator[Case]:
    """Two or three moves between two looks, without end; every kind of gap as often as games offer it."""
    while True:
        rules = some_rules(rng)
        habit = random_habit(rules, rng)
        for moment in played(rules, habit, rng):
            late = len(moment.table.stock) <= 2 * rules.draw
            if rng.random() > (0.5 if late else 0.15):
                continue
            kinds = rng.choice(GAPS)
            found = _line(moment, kinds, rules, rng)
            if found is not None:
                truth, end = found
                before = looks_before(moment, rules, habit, rng)
                yield Case(
                    rules, habit, " ".join(sorted(kinds)), before, camera(end.table, rules, habit, end.top), truth
                )


def _line(moment: Moment, kinds: tuple[str, ...], rules: Rules, rng: Random) -> tuple[tuple[Act, ...], Moment] | None:
    """Random moves of these kinds, if the table offers them."""
    truth: list[Act] = []
    for kind in kinds:
        wanted = ("pair", "single") if kind == "removal" else (kind,)
        choices = [act for act in acts(moment.table, rules) if act.kind in wanted]
        if not choices:
            return None
        act = rng.choice(choices)
        truth.append(act)
        moment = _made(moment, act, rules, rng)
    return tuple(truth), moment


def steps(rng: Random) -> Iterator[Case]:
    """Single legal moves, without end."""
    while True:
        rules = some_rules(rng)
        habit = random_habit(rules, rng)
        for moment in played(rules, habit, rng):
            choices = acts(moment.table, rules)
            if not choices or rng.random() < 0.5:
                continue
            act = rng.choice(choices)
            end = _made(moment, act, rules, rng)
            before = looks_before(moment, rules, habit, rng)
            yield Case(rules, habit, act.kind, before, camera(end.table, rules, habit, end.top), (act,))


@dataclass(frozen=True)
class Game:
    """A whole game: a picture after each move, and the moves."""

    rules: Rules
    name: str
    looks: tuple[dict[str, Any], ...]
    truth: tuple[Act, ...]


def games(rng: Random) -> Iterator[Game]:
    """Whole games of single pictures, without end."""
    while True:
        rules = some_rules(rng)
        habit = random_habit(rules, rng)
        moment = look_at(Moment(deal(rules, rng), None, frozenset()), rules, habit)
        looks, truth = [camera(moment.table, rules, habit, moment.top)], list[Act]()
        for _ in range(LONGEST):
            choices = acts(moment.table, rules)
            if not choices:
                break
            taking = [act for act in choices if act.kind in ("pair", "single")]
            truth.append(rng.choice(taking if taking and rng.random() < REMOVES else choices))
            moment = after(moment, truth[-1], rules, habit, rng)
            looks.append(camera(moment.table, rules, habit, moment.top))
        yield Game(rules, "in the hand" if habit.in_hand else rules.turned, tuple(looks), tuple(truth))

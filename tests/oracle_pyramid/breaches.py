"""Rules broken on purpose, each with its name, as a camera sees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from tests.oracle_pyramid.cases import Case, Moment, after, looks_before, played, some_rules
from tests.oracle_pyramid.looks import Habit, camera, random_habit
from tests.oracle_pyramid.table import JOKER, Act, Cell, Rules, Table, acts, lies_on, makes_total, removals, worth

OFTEN = 0.25
MOST_OF_A_KIND = 3
"""Plants of one kind from one game."""
FAR = 4
"""Turns that the referee looks for: what as many explain is not planted."""


@dataclass(frozen=True)
class Plant:
    """What was done against the rules: its name, the cards that must be named, the table after it, and what then lies
    on the foundation (None: as before)."""

    name: str
    cards: tuple[str, ...]
    table: Table
    top: str | None = None


def breaches(rng: Random) -> Iterator[Case]:
    """Rules broken in random games, without end; sometimes after a legal move."""
    while True:
        rules = some_rules(rng)
        habit = random_habit(rules, rng)
        planted: dict[str, int] = {}
        for moment in played(rules, habit, rng):
            if rng.random() > OFTEN:
                continue
            start, truth = moment, ()
            choices = acts(moment.table, rules)
            if choices and rng.random() < OFTEN:
                act = rng.choice(choices)
                start, truth = after(moment, act, rules, habit, rng), (act,)
            plants = [
                plant for plant in _plants(start, rules, habit, rng) if planted.get(plant.name, 0) < MOST_OF_A_KIND
            ]
            if truth:
                plants = [plant for plant in plants if plant.name in AFTER_A_MOVE]
            plants = [plant for plant in plants if not _other_pairs(plant, truth, rules)]
            plant = rng.choice(plants or [None])
            if plant is None:
                continue
            planted[plant.name] = planted.get(plant.name, 0) + 1
            top = start.top if plant.top is None else plant.top
            look = camera(plant.table, rules, habit, top)
            before = looks_before(moment, rules, habit, rng)
            name = "card-vanished" if plant.name == "alone" and habit.foundation != "open" else plant.name
            name = "wrong-total" if name == "alone" else name
            yield Case(rules, habit, name, before, look, truth, frozenset({name}), frozenset(plant.cards))


AFTER_A_MOVE = ("covered", "wrong-total")


def _other_pairs(plant: Plant, truth: tuple[Act, ...], rules: Rules) -> bool:
    """Whether a card of the breach could as well have left by the legal move before it, so that nobody can tell."""
    partners = [card for act in truth if act.kind == "pair" for card, _ in act.parts]
    return any(makes_total(one, other, rules) for one in plant.cards for other in partners)


def _plants(moment: Moment, rules: Rules, habit: Habit, rng: Random) -> Iterator[Plant]:
    yield from _covered(moment, rules, habit, rng)
    yield from _wrong_totals(moment, rules, rng)
    yield from _alone(moment, rules, habit, rng)
    yield from _three(moment, rules, rng)
    yield from _strange(moment, rules, rng)
    yield from _turns(moment, rules)


def _free(table: Table) -> dict[Cell, str]:
    lying = table.lying
    return {cell: card for cell, card in lying.items() if not lies_on(cell, lying)}


def _without(moment: Moment, cells: tuple[Cell, ...], rng: Random) -> tuple[Table, str]:
    """The table without those cards, and which of them lies on the foundation."""
    lying = moment.table.lying
    cards = [lying.pop(cell) for cell in cells]
    return replace(moment.table, pyramid=tuple(lying.items())), rng.choice(cards)


def _covered(moment: Moment, rules: Rules, habit: Habit, rng: Random) -> Iterator[Plant]:
    """Two cards that make the total, one of them under others."""
    lying, free = moment.table.lying, _free(moment.table)
    pairs = list(combinations(lying, 2)) if habit.face_up else []
    rng.shuffle(pairs)
    for first, second in pairs:
        if len({first, second} & free.keys()) != 1 or not makes_total(lying[first], lying[second], rules):
            continue
        lower = second if first in free else first
        upper = first if first in free else second
        if upper in lies_on(lower, lying) and (rules.overlap or len(lies_on(lower, lying)) == 1):
            continue
        table, top = _without(moment, (first, second), rng)
        yield Plant("covered", (lying[lower],), table, top)
        return


def _wrong_totals(moment: Moment, rules: Rules, rng: Random) -> Iterator[Plant]:
    """Two free cards that do not make the total, neither of which may leave alone."""
    free = _free(moment.table)
    pairs = list(combinations(free, 2))
    rng.shuffle(pairs)
    for first, second in pairs:
        one, other = free[first], free[second]
        if JOKER in (one, other) or rules.total in (worth(one), worth(other)) or makes_total(one, other, rules):
            continue
        table, top = _without(moment, (first, second), rng)
        yield Plant("wrong-total", (one, other), table, top)
        return


def _alone(moment: Moment, rules: Rules, habit: Habit, rng: Random) -> Iterator[Plant]:
    """A card taken alone that is not the total, from the pyramid or from the waste."""
    free = [cell for cell, card in _free(moment.table).items() if worth(card) not in (0, rules.total)]
    if free:
        cell = rng.choice(free)
        table, top = _without(moment, (cell,), rng)
        yield Plant("alone", (top,), table, top)
    waste = moment.table.waste
    if waste and worth(waste[-1]) not in (0, rules.total) and habit.foundation == "open":
        yield Plant("wrong-total", (waste[-1],), replace(moment.table, waste=waste[:-1]), waste[-1])


def _three(moment: Moment, rules: Rules, rng: Random) -> Iterator[Plant]:
    """Three free cards that make the total together."""
    free = _free(moment.table)
    threes = list(combinations(free, 3))
    rng.shuffle(threes)
    for three in threes:
        cards = [free[cell] for cell in three]
        if JOKER not in cards and sum(map(worth, cards)) == rules.total:
            table, top = _without(moment, three, rng)
            yield Plant("wrong-count", tuple(cards), table, top)
            return


def _strange(moment: Moment, rules: Rules, rng: Random) -> Iterator[Plant]:
    """A card of the stock in the pyramid, in place of another or where none lay."""
    new = [card for card in moment.table.stock if card != JOKER]
    lying, free = moment.table.lying, _free(moment.table)
    if not new:
        return
    card = rng.choice(new)
    stock = tuple(other for other in moment.table.stock if other != card)
    if free:
        cell = rng.choice(list(free))
        table = replace(moment.table, pyramid=tuple((lying | {cell: card}).items()), stock=stock or moment.table.stock)
        yield Plant("card-changed", (card,), table)
    empty = [
        (row, place) for row in range(1, rules.rows + 1) for place in range(1, row + 1) if (row, place) not in lying
    ]
    if empty:
        table = replace(moment.table, pyramid=tuple((lying | {rng.choice(empty): card}).items()))
        yield Plant("card-appeared", (card,), replace(table, stock=stock or moment.table.stock))


def _turns(moment: Moment, rules: Rules) -> Iterator[Plant]:
    """A card turned while something could be removed; the waste turned over a pass too many, or too early."""
    table = moment.table
    lying = len(table.waste) + (table.held is not None)
    over = replace(table, stock=(*table.waste, *((table.held,) if table.held else ())), waste=(), held=None)
    if rules.turn_when == "stuck" and removals(table, rules):
        if table.stock:
            yield Plant("pair-available", (), _turned(table, rules))
        return
    if not table.stock and lying and rules.passes and table.number >= rules.passes:
        yield Plant("no-pass-left", (), over)
    if (
        len(table.stock) > FAR * rules.draw
        and lying > 2 * rules.draw
        and (not rules.passes or table.number < rules.passes)
    ):
        yield Plant("stock-not-empty", (), over)


def _turned(table: Table, rules: Rules) -> Table:
    drawn = table.stock[: rules.draw]
    if rules.turned == "held":
        waste = table.waste + ((table.held,) if table.held else ())
        return replace(table, stock=table.stock[1:], waste=waste, held=drawn[0])
    return replace(table, stock=table.stock[len(drawn) :], waste=table.waste + drawn)

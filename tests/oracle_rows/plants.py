"""Changes against the rules: a card taken from anywhere to anywhere, alone or with a legal move before or after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.oracle_rows.game import EMPTY, FOUNDATION, FREE, OPEN, Rule, Table, faults, joining, made, outer, shifted
from tests.oracle_rows.lines import Look, Reading
from tests.oracle_rows.play import deal, game_from, some_move

Shift = tuple[int, int, int, int]


@dataclass(frozen=True)
class Plant:
    """A table, a later look, and what is wrong between them. ``moves``: how many moves that is, the wrong one too."""

    table: Table
    look: Look
    wrong: Reading
    moves: int


def plants(rule: Rule, rng: Random) -> Iterator[Plant]:
    """Changes against the rules without end, on fresh deals and in mid-game."""
    while True:
        start = deal(rule, rng)
        if rng.random() < 0.5:
            start = start._replace(direction=rng.choice(("up", "down")))
        tables = [start, *(table for table, _ in game_from(rule, start, rng))]
        for table in [start, *rng.choices(tables, [_rarity(rule, table) for table in tables], k=8)]:
            plant = (plant_on if rng.random() < 0.85 else odd_on)(rule, table, rng)
            if plant is not None:
                yield plant


def _rarity(rule: Rule, table: Table) -> float:
    """Tables on which rare breaches can be made come up more often: with a card in the cellar, with an empty auxiliary
    half row, with a free card or an empty place in the middle."""
    empty = any(kind == "auxiliary" and not cards for kind, cards in zip(rule.kinds, table.stacks, strict=True))
    cellar = rule.cellar and bool(table.stacks[-5])
    return 1 + 3 * empty + 2 * cellar + 3 * (EMPTY in table.roles) + 2 * (OPEN in table.roles or FREE in table.roles)


def plant_on(rule: Rule, table: Table, rng: Random) -> Plant | None:
    """A wrong move on a table; in half of all cases with a legal one before or after it."""
    place, now = rng.choice((None, None, "before", "after")), table
    if place == "before":
        now = _after_some_move(rule, now, rng)
    shift = wrong_shift(rule, now, rng)
    if shift is None:
        return None
    wrong = Reading(faults(rule, now, shift), now.stacks[shift[0]][shift[1]])
    now = shifted(rule, now, shift)
    if place == "after":
        now = _after_some_move(rule, now, rng)
    return Plant(table, Look.of(rule, now, camera=rng.random() < 0.7), wrong, 1 + (place is not None))


def odd_on(rule: Rule, table: Table, rng: Random) -> Plant | None:
    """A card gone, come or changed without a move, or a choice told otherwise than it was made."""
    way = rng.choice((_gone, _come, _changed, _told_otherwise))
    return way(rule, table, rng)


def _gone(rule: Rule, table: Table, rng: Random) -> Plant | None:
    stack, index = rng.choice(_lying(rule, table))
    if rule.kinds[stack] in ("base", "cellar"):
        return None
    left = _with_cards(table, stack, table.stacks[stack][:index] + table.stacks[stack][index + 1 :])
    wrong = Reading(frozenset({"card-vanished"}), table.stacks[stack][index])
    return Plant(table, Look.of(rule, left, camera=True), wrong, 1)


def _come(rule: Rule, table: Table, rng: Random) -> Plant | None:
    plant = _gone(rule, table, rng)
    if plant is None:
        return None
    stack = next(number for number, cards in enumerate(table.stacks) if plant.wrong.card in cards)
    before = _with_cards(table, stack, tuple(card for card in table.stacks[stack] if card != plant.wrong.card))
    wrong = Reading(frozenset({"card-appeared"}), plant.wrong.card)
    return Plant(before, Look.of(rule, table, camera=True), wrong, 1)


def _changed(rule: Rule, table: Table, rng: Random) -> Plant | None:
    """A card seen at the place of another one, which lies within a foundation or elsewhere in a row."""
    (stack, index), (there, at) = rng.choice(_lying(rule, table)), rng.choice(_lying(rule, table))
    if len({stack, there}) < 2 or {rule.kinds[stack], rule.kinds[there]} & {"base", "cellar"}:
        return None
    cards = table.stacks[stack]
    other = _with_cards(table, stack, (*cards[:index], table.stacks[there][at], *cards[index + 1 :]))
    return Plant(table, Look.of(rule, other, camera=True), Reading(frozenset({"card-changed"}), cards[index]), 1)


def _with_cards(table: Table, stack: int, cards: tuple[str, ...]) -> Table:
    return table._replace(stacks=(*table.stacks[:stack], cards, *table.stacks[stack + 1 :]))


def _told_otherwise(rule: Rule, table: Table, rng: Random) -> Plant | None:
    """The direction chosen again, the columns reversed again, or another card of the middle told to be the base."""
    found: list[tuple[Table, Reading]] = []
    if table.direction is not None:
        other = table._replace(direction="down" if table.direction == "up" else "up")
        found.append((other, Reading(frozenset({"wrong-direction"}), None)))
    if table.turned:
        found.append((table._replace(turned=False), Reading(frozenset({"already-reversed"}), None)))
    for free, role in enumerate(table.roles):
        card = table.stacks[free - 4][0] if role == FREE else None
        for base, cards in enumerate(table.stacks[-4:]):
            if card is not None and table.roles[base] == FOUNDATION and len(cards) == 1 and cards[0][-1] == card[-1]:
                roles = list(table.roles)
                roles[free], roles[base] = FOUNDATION, FREE
                found.append((table._replace(roles="".join(roles)), Reading(frozenset({"wrong-base"}), card)))
    if not found:
        return None
    other, wrong = rng.choice(found)
    return Plant(table, Look.of(rule, other, camera=False), wrong, 1)


def _after_some_move(rule: Rule, table: Table, rng: Random) -> Table:
    move = some_move(rule, table, rng)
    return made(rule, table, move) if move is not None and move.shift is not None else table


def wrong_shift(rule: Rule, table: Table, rng: Random) -> Shift | None:
    """A card taken where it may not go: of every way in turn, so that rare breaches come up."""
    ways = (_any, _from_end, _from_end, _to_middle, _to_rare, _from_rare, _under_others, _within)
    for _ in range(20):
        shift = rng.choice(ways)(rule, table, rng)
        if shift is not None and faults(rule, table, shift):
            return shift
    return None


def _lying(rule: Rule, table: Table) -> list[tuple[int, int]]:
    """Every card in rows, columns and cellar, and the uppermost ones of the middle."""
    found = [(stack, index) for stack, cards in enumerate(table.stacks[:-4]) for index in range(len(cards))]
    middle = range(len(table.stacks) - 4, len(table.stacks))
    return found + [(stack, len(table.stacks[stack]) - 1) for stack in middle if table.stacks[stack]]


def _ends(rule: Rule, table: Table) -> list[tuple[int, int]]:
    rows = range(len(table.stacks) - 4)
    return [(stack, outer(rule, table, stack)) for stack in rows if table.stacks[stack]]


def _to(rule: Rule, table: Table, taken: tuple[int, int], goal: int) -> Shift | None:
    return None if goal == taken[0] else (*taken, goal, joining(rule, table, goal))


def _any(rule: Rule, table: Table, rng: Random) -> Shift | None:
    return _to(rule, table, rng.choice(_lying(rule, table)), rng.randrange(len(table.stacks)))


def _from_end(rule: Rule, table: Table, rng: Random) -> Shift | None:
    ends = _ends(rule, table)
    return _to(rule, table, rng.choice(ends), rng.randrange(len(table.stacks))) if ends else None


def _to_middle(rule: Rule, table: Table, rng: Random) -> Shift | None:
    """To a place of the middle, most often one of the card's own suit."""
    start, index = rng.choice(_ends(rule, table) or _lying(rule, table))
    middle = list(range(len(table.stacks) - 4, len(table.stacks)))
    own = [
        goal for goal in middle if table.stacks[goal] and table.stacks[goal][-1][-1] == table.stacks[start][index][-1]
    ]
    return _to(rule, table, (start, index), rng.choice(own or middle))


def _to_rare(rule: Rule, table: Table, rng: Random) -> Shift | None:
    """To an empty place, or to the cellar; to an empty auxiliary half row or place of the middle where there is one."""
    rare = [goal for goal, cards in enumerate(table.stacks) if not cards or rule.kinds[goal] == "cellar"]
    rare = [goal for goal in rare if rule.kinds[goal] in ("auxiliary", "base")] or rare
    ends = _ends(rule, table)
    return _to(rule, table, rng.choice(ends), rng.choice(rare)) if rare and ends else None


def _from_rare(rule: Rule, table: Table, rng: Random) -> Shift | None:
    """From the cellar, or off a foundation."""
    rare = [start for start, cards in enumerate(table.stacks) if cards and rule.kinds[start] in ("cellar", "base")]
    if rule.cellar and table.stacks[-5] and rng.random() < 0.6:
        rare = [len(table.stacks) - 5]
    start = rng.choice(rare)
    return _to(rule, table, (start, len(table.stacks[start]) - 1), rng.randrange(len(table.stacks)))


def _under_others(rule: Rule, table: Table, rng: Random) -> Shift | None:
    """Between or under the cards of another row."""
    ends = _ends(rule, table)
    goals = [goal for goal in range(2 * rule.rows) if len(table.stacks[goal]) > 1]
    if not ends or not goals:
        return None
    goal, taken = rng.choice(goals), rng.choice(ends)
    return None if goal == taken[0] else (*taken, goal, rng.randrange(len(table.stacks[goal])))


def _within(rule: Rule, table: Table, rng: Random) -> Shift | None:
    """To another place of its own row, between cards that stay as they are."""
    rows = [row for row in range(2 * rule.rows) if len(table.stacks[row]) > 2]
    if not rows:
        return None
    row = rng.choice(rows)
    last = len(table.stacks[row]) - 1
    return row, last, row, rng.randrange(last - 1)

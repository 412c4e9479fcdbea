"""The rules of the pyramid family written anew, for worlds of which every card is known, by worths alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class World(NamedTuple):
    """Worths, the joker 0, None for nothing: the pyramid by rows from the apex, the stock first one drawn first, the
    waste bottom to top, the card held; redeals left (None: any number); whether a card of the stock was played in this
    pass (None: that does not matter)."""

    pyramid: tuple[int | None, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...]
    held: int | None
    redeals: int | None
    played: bool | None


@dataclass(frozen=True)
class Rule:
    """The options as the rules name them; ``idle_ends``: an idle pass ends the game."""

    total: int
    rows: int
    draw: int
    passes: int | None
    held: bool
    goal_all: bool
    stuck: bool
    overlap: bool
    jokers: int
    face_down: bool
    idle_ends: bool
    king_at_apex: bool

    @classmethod
    def of_options(cls, options: dict[str, object], *, idle_ends: bool) -> Rule:
        """The rule of the options as ``cardtable games`` prints them."""
        passes = options["passes"]
        return cls(
            total=int(str(options["total"])),
            rows=int(str(options["rows"])),
            draw=int(str(options["draw"])),
            passes=None if passes == "unlimited" else int(str(passes)),
            held=options["turned"] == "held",
            goal_all=options["goal"] == "all",
            stuck=options["turn_when"] == "stuck",
            overlap=options["overlap"] == "yes",
            jokers=int(str(options["jokers"])),
            face_down=options["face"] == "down",
            idle_ends=idle_ends and passes == "unlimited",
            king_at_apex=options["apex"] != "none",
        )


Step = tuple[str, tuple[object, ...]]
"""``("take", places)`` with the number of a pyramid place, "waste" or "held"; ``("turn", ())``; ``("redeal", ())``."""


def row_of(cell: int) -> int:
    """The row of a place, from 1."""
    row = 1
    while row * (row + 1) // 2 <= cell:
        row += 1
    return row


def lying_on(pyramid: tuple[int | None, ...], cell: int, rule: Rule) -> list[int]:
    """The places of the cards that lie on a card."""
    row = row_of(cell)
    if row == rule.rows:
        return []
    return [below for below in (cell + row, cell + row + 1) if pyramid[below] is not None]


def free_cells(world: World, rule: Rule) -> list[int]:
    """The places of the free cards of the pyramid."""
    return [c for c, worth in enumerate(world.pyramid) if worth is not None and not lying_on(world.pyramid, c, rule)]


def is_won(world: World, rule: Rule) -> bool:
    """Nothing left in the pyramid; with goal ``all`` nothing left at all."""
    if any(worth is not None for worth in world.pyramid):
        return False
    return not rule.goal_all or (not world.stock and not world.waste and world.held is None)


def fits(one: int, other: int, rule: Rule) -> bool:
    """Whether two cards leave together."""
    if one == 0 or other == 0:
        return one != rule.total and other != rule.total
    return one + other == rule.total


def takings(world: World, rule: Rule) -> list[Step]:
    """Every removal, a covered card with the one that covers it where that is allowed."""
    open_: list[tuple[object, int]] = [(cell, world.pyramid[cell] or 0) for cell in free_cells(world, rule)]
    free = [cell for cell, _ in open_]
    if world.held is not None:
        open_.append(("held", world.held))
    if world.waste:
        open_.append(("waste", world.waste[-1]))
    found: list[Step] = [("take", (place,)) for place, worth in open_ if worth == rule.total]
    for i, (place, worth) in enumerate(open_):
        for other, its in open_[i + 1 :]:
            if fits(worth, its, rule):
                found.append(("take", (place, other)))
    if rule.overlap:
        for cell, worth in enumerate(world.pyramid):
            on_it = lying_on(world.pyramid, cell, rule)
            once = worth is not None and len(on_it) == 1 and on_it[0] in free
            if once and fits(worth or 0, world.pyramid[on_it[0]] or 0, rule):
                found.append(("take", (cell, on_it[0])))
    return found


def steps(world: World, rule: Rule) -> list[Step]:
    """Every legal move."""
    found = takings(world, rule)
    if found and rule.stuck:
        return found
    if world.stock:
        found.append(("turn", ()))
    elif (world.waste or world.held is not None) and world.redeals != 0 and world.played is not False:
        found.append(("redeal", ()))
    return found


def after(world: World, step: Step, rule: Rule) -> World:
    """The world after a legal move."""
    kind, places = step
    down = world.waste if world.held is None else (*world.waste, world.held)
    if kind == "turn":
        drawn, rest = world.stock[: rule.draw], world.stock[rule.draw :]
        if rule.held:
            return world._replace(stock=rest, waste=down, held=drawn[0])
        return world._replace(stock=rest, waste=world.waste + drawn)
    if kind == "redeal":
        redeals = None if world.redeals is None else world.redeals - 1
        played = None if world.played is None else False
        return World(world.pyramid, down, (), None, redeals, played)
    for place in places:
        if place == "held":
            world = world._replace(held=None)
        elif place == "waste":
            world = world._replace(waste=world.waste[:-1])
        else:
            world = world._replace(pyramid=tuple(None if c == place else w for c, w in enumerate(world.pyramid)))
    if world.played is not None and ("held" in places or "waste" in places):
        world = world._replace(played=True)
    return world


def drawn_by(world: World, step: Step, rule: Rule) -> tuple[int, ...]:
    """The cards that a move shows one after another: those it turns."""
    return world.stock[: rule.draw] if step[0] == "turn" else ()


def following(world: World, rule: Rule) -> Iterator[World]:
    """What one move can lead to."""
    for step in steps(world, rule):
        yield after(world, step, rule)

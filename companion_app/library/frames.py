"""A kept game move by move: each frame is how the table lay after one move, or at a look that showed none."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from companion_app.tables.kept_table import chain_of
from companion_app.tables.table import Table
from rules.errors import RulesError
from rules.families import family_of
from rules.family import AnyMove
from rules.looks import Position

HOW = {
    "watched": "picture",
    "stage": "told",
    "pointed": "told",
    "text": "told",
    "shown": "told",
}
"""How something was settled by a kind of change, where that is not its name."""


@dataclass(frozen=True, slots=True)
class Frame:
    """How the table lay after a move. `look`: the table at the look that showed it, `look_number` from 1. `move` is the
    move made, the `number`-th of the `of` moves that the look showed; None where it showed none. `made`: how many moves
    of the record have been made then. `stands`: nothing that had been done was taken back or corrected since, and no
    rule was broken before it that was played on from, so that the record leads there."""

    look: Table
    look_number: int
    position: Position
    move: AnyMove | None
    number: int
    of: int
    made: int
    stands: bool = True

    @property
    def is_look(self) -> bool:
        """Whether it is what the picture shows, and no state between two pictures."""
        return self.number == self.of


def frames_of(table: Table) -> list[Frame]:
    """The frames of a game, from its first look to its newest."""
    found: list[Frame] = []
    last = _moves_of(table)
    for look_number, each in enumerate(chain_of(table), start=1):
        then = _moves_of(each)
        best = each.belief.best if each.belief else None
        stands = last[: len(then)] == then and (best is None or (best.broken is None and best.odd is None))
        found += [replace(frame, stands=stands) for frame in _frames_of_look(each, look_number)]
    return found


def _moves_of(table: Table) -> list[tuple[str, tuple[str, ...]]]:
    """What was moved from where; which card that was may be learnt later."""
    return [(move.kind, move.places) for move in table.belief.best.moves] if table.belief else []


def _frames_of_look(each: Table, look_number: int) -> Iterator[Frame]:
    made = len(each.belief.best.moves) if each.belief else 0
    moves = each.story.moves if each.story and each.before and not each.is_anew else ()
    last = Frame(each, look_number, each.position(), moves[-1] if moves else None, len(moves), len(moves), made)
    if len(moves) > 1 and each.before is not None:
        for number, position in enumerate(_between(each, each.before.position(), moves), start=1):
            move = moves[number - 1]
            made_then = made - len(moves) + number
            yield replace(last, position=position, move=move, number=number, made=made_then)
    yield last


def _between(each: Table, position: Position, moves: Sequence[AnyMove]) -> Iterator[Position]:
    """The positions between two pictures; none of them from where they cannot be told, as where a rule was broken."""
    family = family_of(each.game)
    found: list[Position] = []
    with suppress(RulesError):
        for move in moves[:-1]:
            position = family.play(position, move, each.game)
            found.append(position)
        yield from found


@dataclass(frozen=True, slots=True)
class Settled:
    """What was open at a look and how that was settled: rules that were broken (`violations`), or else a question what
    had happened. `how`: the kind of change that settled it, `open` where none did."""

    look: int
    violations: tuple[dict[str, Any], ...]
    how: str


def settlements(table: Table, events: Iterable[tuple[str, str, str]]) -> list[Settled]:
    """How broken rules and open questions of a game were settled, by its events: kind, state, what was told. What was
    open at a look that was taken back is told at the look that was gone back to."""
    chain = {each.look: each for each in chain_of(table)}
    found: dict[tuple[int, bool], Settled] = {}
    before: tuple[int, tuple[dict[str, Any], ...], bool] | None = None
    for kind, state, told in events:
        said, last = json.loads(state), json.loads(told)
        look = int(said["looks"][-1]["look"])
        # What a house rule allows is told no more, and stays with the look.
        is_allowed = bool(said["looks"][-1].get("allowed"))
        violations = () if is_allowed else tuple(last.get("violations", ()))
        asks = bool(last.get("question"))
        if before is not None:
            was_look, was_broken, was_open = before
            at = was_look if was_look in chain else look
            stands = look != was_look and look in chain and chain[look].is_broken
            if was_broken and not violations and not stands:
                _settle(found, at, was_broken, kind)
            if was_open and not asks and not was_broken:
                _settle(found, at, (), kind)
        before = look, violations, asks
    if before is not None and (before[1] or before[2]):
        found.setdefault((before[0], bool(before[1])), Settled(before[0], before[1], "open"))
    return [one for one in found.values() if one.look in chain]


def _settle(
    found: dict[tuple[int, bool], Settled], look: int, violations: tuple[dict[str, Any], ...], kind: str
) -> None:
    key = look, bool(violations)
    if kind == "redone" and key in found and found[key].how != "undone":
        return
    found[key] = Settled(look, violations, HOW.get(kind, kind))

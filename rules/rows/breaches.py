"""When no legal moves explain a change: the likeliest breach, as the cheapest mixture of legal and forbidden steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from rules.cards import GONE, Card, Seen
from rules.catalogue import Game
from rules.likeliest import FORBIDDEN_COST, LEGAL_COST, Bounds, cheapest
from rules.rows.effects import after_move
from rules.rows.foundations import base_column, height, step
from rules.rows.legality import violations
from rules.rows.moves import RowMove, RowMoveKind
from rules.rows.places import Stack, parse_place
from rules.rows.position import RowPosition
from rules.rows.ways import Goal, Path, same_card
from rules.violation import Violation

BOUNDS: Final = Bounds(steps=4, expanded=150)


@dataclass(frozen=True, slots=True)
class Breach:
    """What seems to have happened: legal moves made, rules broken, the state reached."""

    moves: Path
    violations: tuple[Violation, ...]
    position: RowPosition


@dataclass(frozen=True, slots=True)
class _Node:
    """A state and how it came about."""

    cost: int
    state: RowPosition
    moves: Path = ()
    broken: tuple[Violation, ...] = ()
    length: int = 0


def likeliest_breach(before: RowPosition, goal: Goal) -> Breach:
    """The cheapest explanation; there always is one, if only that cards came and went."""

    def following(node: _Node, below: int) -> Iterator[_Node]:
        return (_following(node, move, goal.game) for move in _direct_moves(node.state, goal))

    best = cheapest(_Node(0, before), lambda node: len(_lone(node.state, goal)), following, BOUNDS)
    return Breach(best.moves, best.broken + _lone(best.state, goal), best.state)


def _following(node: _Node, move: RowMove, game: Game) -> _Node:
    broken = violations(node.state, move, game)
    return _Node(
        cost=node.cost + (FORBIDDEN_COST + 2 * (len(broken) - 1) if broken else LEGAL_COST),
        state=moved(node.state, move, game),
        moves=node.moves if broken else (*node.moves, move),
        broken=node.broken + broken,
        length=node.length + 1,
    )


def moved(position: RowPosition, move: RowMove, game: Game) -> RowPosition:
    """The position after a move, allowed or not; under a card taken off a foundation lies the one before it."""
    after = after_move(position, move, game)
    found = parse_place(move.places[0])
    if found is None or found[0].kind != "base" or found[0].row not in base_column(position, game).foundations.values():
        return after
    row = found[0].row
    run = _run(position, row)
    under: Seen = run[1] if len(run) > 1 else GONE
    bases = tuple(under if index == row else card for index, card in enumerate(after.bases, start=1))
    return replace(after, bases=bases)


def _run(position: RowPosition, row: int) -> list[Card]:
    """The cards of a foundation from the top down, as far as they are known."""
    top, base = position.bases[row - 1], position.base_cards[row - 1]
    if not isinstance(top, Card) or top.rank is None:
        return []
    run = [top]
    if base is None or base.rank is None or base.suit != top.suit or position.direction is None:
        return run
    for _ in range(height(base.rank, top.rank, position.direction) - 1):
        rank = run[-1].rank
        assert rank is not None
        run.append(Card(step(rank, "down" if position.direction == "up" else "up"), top.suit))
    return run


def _direct_moves(position: RowPosition, goal: Goal) -> Iterator[RowMove]:
    """Each card that lies elsewhere in the later look, taken straight there, allowed or not."""
    look = {card: place for place, card in goal.look.lying() if isinstance(card, Card)}
    missing = sum(card not in look for place, card in position.lying() if not place.startswith("base "))
    for place, card in position.lying():
        found = parse_place(place)
        if not isinstance(card, Card) or found is None:
            continue
        goes_to = parse_place(look[card]) if card in look else None
        if goes_to is None:
            if found[0].kind != "base":
                yield from _under_another(position, card, place, goal, anywhere=missing <= BOUNDS.steps)
        elif goes_to[0] != found[0] or _is_shift(position, card, found[0], goal):
            yield from _to(position, card, (place, goes_to[0]), goal)


def _to(position: RowPosition, card: Card, way: tuple[str, Stack], goal: Goal) -> Iterator[RowMove]:
    """The move of a card to a stack: to its end, and under others where the later look has it under them, or where
    they are gone then."""
    place, stack = way
    cards = tuple(one for one in position.cards_in(stack) or () if one != card)
    kind: RowMoveKind = "build" if cards else "fill"
    if stack.kind in ("cellar", "base"):
        kind = "cellar" if stack.kind == "cellar" else "foundation" if cards else "base"
        yield RowMove(kind, (card,), (place, stack.place(1)))
        return
    there = goal.look.cards_in(stack) or ()
    over: set[Seen] = set()
    if all(isinstance(one, Card) for one in (*cards, *there)):
        # Past the cards that lie further in then.
        inner = there[: there.index(card)]
        index = max((number for number, one in enumerate(cards, start=1) if one in inner), default=0)
        over = set(cards[index:])
        if over:
            yield RowMove(kind, (card,), (place, stack.place(index + 1)))
    if not over & set(there):
        yield RowMove(kind, (card,), (place, stack.place(len(cards) + 1)))


def _is_shift(position: RowPosition, card: Card, stack: Stack, goal: Goal) -> bool:
    """Whether the cards that stay in a stack lie in another order then, and but for this card in the same one."""
    here, there = position.cards_in(stack) or (), goal.look.cards_in(stack) or ()
    stay, after = [one for one in here if one in there], [one for one in there if one in here]
    stay_still, still = [one for one in stay if one != card], [one for one in after if one != card]
    return stay != after and stay_still == still


def _under_another(position: RowPosition, card: Card, place: str, goal: Goal, *, anywhere: bool) -> Iterator[RowMove]:
    """Into the cellar or onto a place of the middle, where the later look shows another card, which hides this one;
    if not ``anywhere``, only one of its own suit."""
    for stack in position.stacks():
        if stack.kind not in ("cellar", "base"):
            continue
        now, later = position.cards_in(stack), goal.look.cards_in(stack)
        alike = later and isinstance(later[0], Card) and later[0].suit == card.suit
        if later and now != later and place != stack.place(1) and (anywhere or alike):
            yield from _to(position, card, (place, stack), goal)


def _lone(position: RowPosition, goal: Goal) -> tuple[Violation, ...]:
    """What no move explains: cards that are another one now, came from nowhere or vanished."""
    found: list[Violation] = []
    for stack in dict.fromkeys((*position.stacks(), *goal.look.stacks())):
        wanted = goal.look.cards_in(stack)
        if wanted is None:
            continue
        if stack.kind == "base":
            found += _lone_on_base(position, goal, stack)
        else:
            found += _lone_in_row(stack, position.cards_in(stack) or (), wanted)
    return tuple(found)


def _lone_in_row(stack: Stack, here: tuple[Seen, ...], there: tuple[Seen, ...]) -> list[Violation]:
    if len(here) == len(there):
        return [
            Violation("card-changed", (stack.place(index),), (old, new))
            for index, (old, new) in enumerate(zip(here, there, strict=True), start=1)
            if not same_card(old, new)
        ]
    hidden = {card for card in (*here, *there) if not isinstance(card, Card)}
    if hidden:
        kind, longer = ("card-vanished", here) if len(here) > len(there) else ("card-appeared", there)
        rest = range(min(len(here), len(there)) + 1, len(longer) + 1)
        return [Violation(kind, (stack.place(index),), (longer[index - 1],)) for index in rest]
    gone = [(index, card) for index, card in enumerate(here, start=1) if card not in there]
    new = [(index, card) for index, card in enumerate(there, start=1) if card not in here]
    return [Violation("card-vanished", (stack.place(index),), (card,)) for index, card in gone] + [
        Violation("card-appeared", (stack.place(index),), (card,)) for index, card in new
    ]


def _lone_on_base(position: RowPosition, goal: Goal, stack: Stack) -> list[Violation]:
    old, new = position.bases[stack.row - 1], goal.look.bases[stack.row - 1]
    place = (stack.place(1),)
    if same_card(old, new):
        return []
    if new is GONE:
        return [Violation("card-vanished", place, (old,))]
    if old is GONE:
        return [Violation("card-appeared", place, (new,))]
    run = _run(position, stack.row)
    if new in run:
        # The cards above the one that shows now are gone.
        return [Violation("card-vanished", place, (card,)) for card in run[: run.index(new)]]
    return [Violation("card-changed", place, (old, new))]

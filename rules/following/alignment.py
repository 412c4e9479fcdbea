"""Stacks of a row game of which a look missed a card or two, or saw one too many: all others are then told at places
beside theirs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import combinations

from rules.cards import GONE, UNREADABLE, Card, Seen
from rules.following.evidence import FACES, LEAST, Evidence
from rules.looks import Position
from rules.rows.foundations import height, step
from rules.rows.moves import Direction
from rules.rows.places import Stack, StackKind, base_place, parse_place
from rules.rows.position import RowPosition

LONG = ("half", "column")
MOST_MISSED = 2
"""Cards of one line that a look may have missed; hands that leave more out have laid the line anew."""
MOST_TAKEN = 4
"""And so many that may have gone from its end since the look before."""
MOST_MISREAD = 1
"""And so many that it may have misread, if they do not show elsewhere now."""
OVERSEEN = -4.5
"""The log-odds that a card amid others is missed, or one is seen there that is none. Set by judgement."""
Chances = Mapping[Seen, float]


def of_one_deck(evidence: Evidence) -> Evidence:
    """The look of a row game without what can be no card: where each card of the deck is read, whatever else is seen in
    a line, a card that cannot be read or one once more, is left out, and those beyond it move up."""
    at: dict[Seen, list[str]] = {}
    for place, seen in evidence.look.items():
        at.setdefault(seen, []).append(place)
    if len([seen for seen in at if isinstance(seen, Card) and not seen.is_joker]) < FACES:
        return evidence
    surest = {max(places, key=lambda place: max(evidence.chances[place].values())) for places in at.values()}
    chances = {place: one for place, one in evidence.chances.items() if not _stack_of(place)}
    for stack in dict.fromkeys(filter(None, map(_stack_of, evidence.chances))):
        places = [
            place for place in _told(evidence, stack) if isinstance(evidence.best(place), Card) and place in surest
        ]
        chances |= {stack.place(n): evidence.chances[place] for n, place in enumerate(places, start=1)}
    return replace(evidence, chances=chances)


def _stack_of(place: str) -> Stack | None:
    """The line that a place is of; None of a place of another kind."""
    parsed = parse_place(place)
    return parsed[0] if parsed and parsed[0].kind in LONG else None


def ways_it_may_lie(evidence: Evidence, before: Position, missed: Set[Seen] = frozenset()) -> list[Evidence]:
    """The look with the cards of each stack at their places. Where as many are read as before it may be that one was
    missed and another came, or that one was taken for the other: then two ways. missed: the cards that the look before
    missed; that the same is missed again is no wonder."""
    ways = [aligned(evidence, before, missed), aligned(evidence, before, missed, has_grown=False)]
    return ways if ways[0].chances != ways[1].chances else ways[:1]


def aligned(
    evidence: Evidence, before: Position, missed: Set[Seen] = frozenset(), *, has_grown: bool = True
) -> Evidence:
    """The look with the cards of each stack at their places, by what may have lain there, the likeliest first: of one
    that lies amid others and was missed, nothing is told; what was taken for one amid others is left out, and no gap is
    in a stack. Hands neither draw a card from amid a row nor push one in, and one that now shows elsewhere was not
    missed, nor was one that a foundation may have taken. has_grown: whether a card may have come to a stack of which
    one was missed."""
    if not isinstance(before, RowPosition):
        return evidence
    chances, log = dict(evidence.chances), 0.0
    shown = {*_come_to(evidence, before), *built_over(evidence, before)}
    for stack in before.stacks():
        places = _told(evidence, stack) if stack.kind in LONG else []
        known = before.cards_in(stack)
        if not places or not known:
            continue
        seen = [evidence.chances[place] for place in places]
        bases = list(_may_lie(known, seen, stack.kind))
        fits = any(_otherwise(seen, base) == [] for base, _ in bases)
        closed = [each for each in seen if each]
        if not fits and any(_otherwise(closed, base) == [] for base, _ in bases):
            seen, fits = closed, True  # where nothing was told there was a gap
        # One card misread amid as many as before is likelier than one missed where another came.
        fits = fits or (len(seen) == len(known) and not has_grown)
        odd = _otherwise(seen, known)
        few = odd is not None and len(odd) <= MOST_MISREAD and shown.isdisjoint(odd)
        fits = fits or (few and _may_be(seen[-1], known[-1]))
        # Where a card was missed a gap may seem to be elsewhere.
        readings = [seen] if closed == seen else [seen, closed]
        ways = ((base, read, _as_it_lies(read, base, old, shown)) for read in readings for base, old in bases)
        base, seen, laid = (known, seen, seen) if fits else next((way for way in ways if way[2]), (known, seen, None))
        if laid is not None:
            for place in places:
                del chances[place]
            chances |= {stack.place(n): one for n, one in enumerate(laid, start=1)}
            again = sum(not one and card in missed for one, card in zip(laid, base, strict=False))
            log += OVERSEEN * max(0, abs(len(laid) - len(seen)) - again)
    return replace(evidence, chances=chances, log_laid=log)


def _come_to(evidence: Evidence, before: RowPosition) -> Iterator[Seen]:
    """The cards that are read where another one lay, or none, and cannot be what lay there."""
    lay = dict(before.lying())
    for place, seen in evidence.look.items():
        if place not in lay or not _may_be(evidence.chances[place], lay[place]):
            yield seen


def built_over(evidence: Evidence, before: RowPosition) -> Iterator[Card]:
    """The cards that foundations took and that others hide, if each took as few as it may have."""
    for row, top in enumerate(before.bases, start=1):
        now = evidence.best(base_place(row))
        if not (isinstance(top, Card) and isinstance(now, Card) and top.suit == now.suit and top.rank and now.rank):
            continue
        way: Direction = "up" if height(top.rank, now.rank, "up") <= height(top.rank, now.rank, "down") else "down"
        rank = top.rank
        while rank != now.rank:
            yield Card(rank, now.suit)
            rank = step(rank, way)


def _told(evidence: Evidence, stack: Stack) -> list[str]:
    """The places of a stack at which a card is read or nothing can be, the first one first."""
    mine = [(parsed[1], place) for place in evidence.chances if (parsed := parse_place(place)) and parsed[0] == stack]
    return [place for _, place in sorted(mine) if evidence.best(place) is not GONE]


def _may_lie(known: Sequence[Seen], seen: Sequence[Chances], kind: StackKind) -> Iterator[tuple[tuple[Seen, ...], int]]:
    """What the rules may have made of a stack, where no more than one card came to its end and few went from it, and
    how many of its cards lay there before. A column that was reversed is played from its upper end."""
    yield tuple(known), len(known)
    for left in range(len(known) - 1, max(-1, len(known) - 1 - MOST_TAKEN), -1):
        yield tuple(known[:left]), left
    if kind == "column":
        yield tuple(known[1:]), len(known) - 1
    last = _best(seen[-1])
    if isinstance(last, Card) and last not in known:
        yield (*known, last), len(known)


def _as_it_lies(seen: list[Chances], base: Sequence[Seen], old: int, shown: set[Seen]) -> list[Chances] | None:
    """What was seen of the cards of a stack, each at its place; None where it shows otherwise. The ``old`` first of
    ``base`` lay there before: what is missing or too many lies before one of them."""
    missed = _missed(seen, base)
    if missed and all(at < old and base[at] not in shown for at in missed):
        read = iter(seen)
        return [{} if at in missed else next(read) for at in range(len(base))]
    added = _odd_one(base, seen, lambda card, chances: _may_be(chances, card))
    return None if added is None or added >= old else [*seen[:added], *seen[added + 1 :]]


def _missed(seen: Sequence[Chances], base: Sequence[Seen]) -> list[int]:
    """Which cards were most likely missed, where that is all that was seen otherwise and others lie beyond them; else
    none."""
    count = len(base) - len(seen)
    best, most = list[int](), -math.inf
    for missed in combinations(range(len(base) - 1), count) if 0 < count <= MOST_MISSED else ():
        rest = [card for at, card in enumerate(base) if at not in missed]
        likely = sum(_log(chances, card) for chances, card in zip(seen, rest, strict=True))
        if likely >= most and likely > -math.inf:
            best, most = list(missed), likely
    return best


def _log(chances: Chances, card: Seen) -> float:
    """The logarithm of how likely what was seen is of this card; of what may be any, 0."""
    if card is UNREADABLE or _best(chances) in (None, UNREADABLE):
        return 0.0
    return math.log(chances[card]) if chances.get(card, 0.0) >= LEAST else -math.inf


def _otherwise(seen: Sequence[Chances], base: Sequence[Seen]) -> list[Seen] | None:
    """The cards of a stack that are seen otherwise; None where there are not as many."""
    if len(seen) != len(base):
        return None
    return [card for chances, card in zip(seen, base, strict=True) if not _may_be(chances, card)]


def _odd_one(fewer: Sequence[object], more: Sequence[object], alike: Callable[..., bool]) -> int | None:
    """Which of ``more`` is missing among ``fewer``, where that is all that they differ in and others lie beyond it;
    else None."""
    if len(more) != len(fewer) + 1:
        return None
    at = next((n for n, (one, other) in enumerate(zip(fewer, more, strict=False)) if not alike(one, other)), None)
    if at is None:
        return None
    return at if all(alike(one, other) for one, other in zip(fewer[at:], more[at + 1 :], strict=True)) else None


def _best(chances: Chances) -> Seen | None:
    return max(chances, key=lambda seen: chances[seen], default=None)


def _may_be(chances: Chances, card: Seen) -> bool:
    """Whether what was seen may be of this card."""
    return _log(chances, card) > -math.inf

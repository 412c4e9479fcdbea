"""Every world that fits what a position object says, and random positions that have few enough of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import factorial, prod
from typing import Any

from tests.oracle_endings.playing import Rule, World

RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13, "T": 10}
KING = 13
HIDDEN = ("??", "!!")
MOST_TRIED = 5_000
MOST_HIDDEN = 9

Multiset = tuple[int, ...]


class TooMany(Exception):  # noqa: N818
    """More worlds than wanted fit."""


def worth_of(code: str) -> int:
    """The worth of a card code."""
    if code == "JK":
        return 0
    return RANKS.get(code[:-1]) or int(code[:-1])


def deck_of(rule: Rule) -> list[int]:
    """The worths of the deck."""
    return sorted([worth for worth in range(1, rule.total + 1) for _ in range(4)] + [0] * rule.jokers)


def can_have_gone(gone: Multiset, gaps: int, rule: Rule) -> bool:
    """Whether these cards can have left: in pairs and alone, as many cards of the pyramid among them as it has gaps;
    with ``laid`` no pair without a card of the pyramid."""
    return any(
        (rule.held or pairs <= gaps) and gaps <= 2 * pairs + singles for pairs, singles in _partings(gone, rule.total)
    )


@lru_cache(maxsize=20_000)
def _partings(gone: Multiset, total: int) -> frozenset[tuple[int, int]]:
    """How many pairs and single cards these cards can be parted into."""
    if not gone:
        return frozenset({(0, 0)})
    first, rest = gone[-1], gone[:-1]
    if first == total:
        return frozenset((pairs, singles + 1) for pairs, singles in _partings(rest, total))
    found: set[tuple[int, int]] = set()
    for at, other in enumerate(rest):
        if other != total and (0 in (first, other) or first + other == total) and (at == 0 or rest[at - 1] != other):
            found |= {(pairs + 1, singles) for pairs, singles in _partings(rest[:at] + rest[at + 1 :], total)}
    return frozenset(found)


def worlds_of(position: dict[str, Any], rule: Rule, most: int) -> set[World]:
    """Every world that fits; raises TooMany where there are more than ``most``."""
    found: set[World] = set()
    for world in _worlds(position, rule):
        found.add(world)
        if len(found) > most:
            raise TooMany
    return found


def _worlds(position: dict[str, Any], rule: Rule) -> Iterator[World]:
    faces = [code for row in position["pyramid"] for code in row]
    gaps = faces.count(None)
    unseen = deck_of(rule)
    for code in _named(position):
        unseen.remove(worth_of(code))
    hidden_faces = sum(code in HIDDEN for code in faces)
    tried = 0
    for held, stock, waste in _piles(position, rule, len(unseen) - hidden_faces):
        hidden = hidden_faces + sum(code in HIDDEN for code in (*stock, *waste, held))
        for lying, gone in _shares(tuple(unseen), hidden):
            if not _gone_fits(gone, position, gaps, rule):
                tried += 1
                continue
            tried += _count_of_orders(lying)
            if tried > MOST_TRIED:
                raise TooMany
            for order in _orders(lying):
                following = iter(order)
                filled = [_fill(code, following) for code in (*faces, *stock, *waste, held)]
                cut, end = len(faces), len(faces) + len(stock)
                if rule.king_at_apex and filled[0] not in (None, KING):
                    continue
                yield from (
                    World(tuple(filled[:cut]), tuple(filled[cut:end]), tuple(filled[end:-1]), filled[-1], left, played)  # type: ignore[arg-type]
                    for left in _redeals(position, rule)
                    for played in _played(position, rule, len(stock))
                )


def _named(position: dict[str, Any]) -> list[str]:
    """Every card the position names, each once."""
    codes = [code for row in position["pyramid"] for code in row]
    codes += [position.get("turned"), *position.get("stock_cards", ())]
    codes += position.get("waste_cards", [position.get("waste")])
    gone = position.get("gone_cards", [])
    codes += gone
    if position.get("foundation") not in gone:
        codes.append(position.get("foundation"))
    return [code for code in codes if code is not None and code not in HIDDEN]


def _piles(position: dict[str, Any], rule: Rule, most: int) -> Iterator[tuple[Any, list[Any], list[Any]]]:
    """The card held, stock and waste, with ``??`` for a card not known, in each size that they may have."""
    helds = [None] if not rule.held else [position["turned"]] if "turned" in position else [None, "??"]
    for held in helds:
        for stock in _stocks(position, most):
            for waste in _wastes(position, most):
                if sum(code in HIDDEN for code in (*stock, *waste, held)) <= most:
                    yield held, stock, waste


def _stocks(position: dict[str, Any], most: int) -> list[list[Any]]:
    if "stock_cards" in position:
        return [position["stock_cards"]]
    stock = position.get("stock", "unknown")
    if stock is None or stock is False:
        return [[]]
    if isinstance(stock, int) and stock is not True:
        return [["??"] * stock]
    return [["??"] * size for size in range(1 if stock is True else 0, most + 1)]


def _wastes(position: dict[str, Any], most: int) -> list[list[Any]]:
    if "waste_cards" in position:
        return [position["waste_cards"]]
    if "waste" not in position:
        return [["??"] * size for size in range(most + 1)]
    if position["waste"] is None:
        return [[]]
    return [["??"] * size + [position["waste"]] for size in range(most + 1)]


@lru_cache(maxsize=16)
def _shares(unseen: Multiset, hidden: int) -> tuple[tuple[Multiset, Multiset], ...]:
    """The unseen cards parted into so many that lie there and those that have gone, each way once."""
    if hidden < 0 or hidden > len(unseen):
        return ()
    if hidden > MOST_HIDDEN:
        raise TooMany
    ways: set[tuple[Multiset, Multiset]] = {((), ())}
    for worth in unseen:
        ways = {
            way
            for lying, gone in ways
            for way in ((((*lying, worth)), gone), (lying, (*gone, worth)))
            if len(way[0]) <= hidden and len(way[1]) <= len(unseen) - hidden
        }
        if len(ways) > MOST_TRIED:
            raise TooMany
    return tuple(ways)


def _gone_fits(gone: Multiset, position: dict[str, Any], gaps: int, rule: Rule) -> bool:
    if "gone_cards" in position:
        listed = position["gone_cards"]
        if len(gone) != sum(code in HIDDEN for code in listed):
            return False
        if not gone:
            return True
    else:
        listed = [] if position.get("foundation") in (None, *HIDDEN) else [position["foundation"]]
    known = [worth_of(code) for code in listed if code not in HIDDEN]
    return can_have_gone(tuple(sorted((*gone, *known))), gaps, rule)


def _count_of_orders(cards: Multiset) -> int:
    """How many orders ``_orders`` gives."""
    return factorial(len(cards)) // prod(factorial(cards.count(worth)) for worth in set(cards))


def _orders(cards: Multiset) -> Iterator[tuple[int, ...]]:
    """Every order of these worths once."""
    if not cards:
        yield ()
    for worth in sorted(set(cards)):
        rest = list(cards)
        rest.remove(worth)
        for order in _orders(tuple(rest)):
            yield (worth, *order)


def _fill(code: str | None, following: Iterator[int]) -> int | None:
    if code is None:
        return None
    return next(following) if code in HIDDEN else worth_of(code)


def _redeals(position: dict[str, Any], rule: Rule) -> list[int | None]:
    if rule.passes is None:
        return [None]
    if rule.passes == 1:
        return [0]
    return [rule.passes - position["pass"]] if "pass" in position else list(range(rule.passes))


def _played(position: dict[str, Any], rule: Rule, stock: int) -> list[bool | None]:
    if not rule.idle_ends:
        return [None]
    if stock == len(deck_of(rule)) - rule.rows * (rule.rows + 1) // 2:
        return [False]
    return [position["stock_played"]] if "stock_played" in position else [False, True]

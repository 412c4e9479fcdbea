"""Texts of positions and deals of the row family that can be pasted, kept and read back.

A position's canonical text has the keys of its JSON form, such as ``base=AS AH AD AC ; left=5H 6D / - / 2C ; …``: rows
parted by ``/``, an empty row ``-``, an empty place ``--``. It is the same for equal positions.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rules.cards import Card, Rank, parse_seen, seen_text
from rules.catalogue import Game
from rules.errors import PositionError
from rules.refusals import wrong_deal
from rules.rows.dealing import fresh
from rules.rows.places import CELLAR
from rules.rows.position import ROW_KEYS, Cards, RowPosition, not_of_the_centre
from rules.rows.shapes import BASES

EMPTY_ROW = "-"
NONE = "none"


def position_text(position: RowPosition) -> str:
    """The canonical text; ``parse_position`` gives the position back."""
    return " ; ".join(f"{key}={_value_text(key, value)}" for key, value in position.to_json().items())


def parse_position(text: str) -> RowPosition:
    """The position of a canonical text; raises PositionError or CardError."""
    data: dict[str, Any] = {}
    for part in text.split(";"):
        key, sign, value = part.partition("=")
        if not sign or key.strip() not in ROW_KEYS:
            said = f"{part.strip()!r} is none of {', '.join(ROW_KEYS)} with its value after '='"
            raise PositionError(said, "no-key", text=reprlib.repr(part.strip()), keys=", ".join(ROW_KEYS))
        data[key.strip()] = _value_of(key.strip(), value.strip())
    return RowPosition.from_json(data)


def deal_text(deal: RowPosition, game: Game) -> str:
    """One line of ``solve``: bases / left half rows, top first, inner card first / right ones / left column / right
    column, top to bottom (columns only where the game has them)."""
    groups: list[Sequence[Any]] = [deal.bases, sum(deal.left, ()), sum(deal.right, ())]
    if game.row_options.shape.column:
        groups += [deal.left_column or (), deal.right_column or ()]
    return " / ".join(" ".join(seen_text(card) for card in group) for group in groups)


def parse_deal(text: str, game: Game) -> RowPosition:
    """The deal of a line of ``solve``; the half rows of a side may also be parted by ``/`` from each other. Raises
    CardError, or PositionError where the groups, their sizes, the deck or the base cards are not those of the game."""
    shape = game.row_options.shape
    groups = [tuple(Card.parse(code) for code in group.replace(",", " ").split()) for group in text.split("/")]
    columns = 2 if shape.column else 0
    if len(groups) == 1 + 2 * shape.rows + columns:
        left, right = groups[1 : 1 + shape.rows], groups[1 + shape.rows : 1 + 2 * shape.rows]
        groups = [groups[0], sum(left, ()), sum(right, ()), *groups[1 + 2 * shape.rows :]]
    if len(groups) != 3 + columns:
        wanted = "bases / left half rows / right half rows" + (" / left column / right column" if columns else "")
        said = f"a deal of {game.id} has the groups {wanted}; this line has {len(groups)} groups"
        raise PositionError(said, "deal-groups-columns" if columns else "deal-groups", game=game.id, given=len(groups))
    if Counter(card for group in groups for card in group) != Counter(game.row_options.deck):
        raise wrong_deal(game)
    laid = _laid(groups, game)
    _check_bases(laid, game)
    return fresh(laid, game)


def _laid(groups: Sequence[tuple[Card, ...]], game: Game) -> RowPosition:
    shape = game.row_options.shape
    for left, right in shape.laid:
        sizes = [BASES, sum(left), sum(right)] + ([shape.column] * 2 if shape.column else [])
        if [len(group) for group in groups] == sizes:
            columns: Sequence[Cards | None] = groups[3:] if shape.column else (None, None)
            return RowPosition(
                groups[0], (None,) * BASES, _cut(groups[1], left), _cut(groups[2], right), columns[0], columns[1]
            )
    wanted = " / ".join(str(size) for size in (BASES, sum(shape.left), sum(shape.right), *([shape.column] * 2)) if size)
    told = " / ".join(str(len(group)) for group in groups)
    said = f"the groups of a deal of {game.id} hold {wanted} cards, not {told}"
    raise PositionError(said, "deal-sizes", game=game.id, wanted=wanted, given=told)


def _cut(cards: Cards, sizes: Sequence[int]) -> tuple[Cards, ...]:
    """The cards of a side as half rows of these sizes, from the top."""
    starts = [sum(sizes[:row]) for row in range(len(sizes))]
    return tuple(cards[start : start + size] for start, size in zip(starts, sizes, strict=True))


def _check_bases(laid: RowPosition, game: Game) -> None:
    ranks = {card.rank for card in laid.bases if isinstance(card, Card)}
    if game.row_options.bases == "centre":
        return
    if game.row_options.bases == "aces" and ranks != {Rank.ACE}:
        raise PositionError(f"the bases of {game.id} are the four aces", "bases-aces", game=game.id)
    if len(ranks) > 1:
        raise PositionError(f"the four bases of {game.id} have one rank", "bases-one-rank", game=game.id)


def _value_text(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if key in ("left", "right"):
        return " / ".join(" ".join(row) or EMPTY_ROW for row in value)
    if key == "free_centre":
        return " ".join(str(row) for row in value) or NONE
    if key in ("left_column", "right_column"):
        return " ".join(value) or EMPTY_ROW
    if isinstance(value, list):
        return " ".join("--" if code is None else str(code) for code in value)
    return "--" if value is None else str(value)


def _value_of(key: str, value: str) -> object:
    if key in ("left", "right"):
        return [_codes(row) for row in value.split("/")]
    if key in ("base", "base_cards", "left_column", "right_column"):
        return _codes(value)
    if key == CELLAR:
        return _code(value)
    if key == "free_centre":
        return [] if value == NONE else [_number(word) for word in value.split()]
    if key == "reversed" and value in ("yes", "no"):
        return value == "yes"
    return value


def _number(word: str) -> int:
    if not word.isdecimal():
        raise not_of_the_centre(word)
    return int(word)


def _codes(text: str) -> list[str | None]:
    return [] if text.strip() in ("", EMPTY_ROW) else [_code(code) for code in text.split()]


def _code(code: str) -> str | None:
    return None if code == "--" else seen_text(parse_seen(code))

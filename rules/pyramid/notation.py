"""Texts of positions and deals that can be pasted, kept and read back.

A position's canonical text names the rows from the apex, then what else is known, such as
``KS / 6D 6H / -- 3D 5C ; stock=18 ; turned=-- ; waste=4C ; pass=1``; it is the same for equal positions.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.cards import GONE, Card, Seen, parse_seen, seen_text
from rules.catalogue import Game
from rules.errors import PositionError
from rules.pyramid.full import FullPosition
from rules.pyramid.position import KEYS, PyramidPosition, known_cards
from rules.refusals import wrong_deal, wrong_rows


def position_text(position: PyramidPosition) -> str:
    """The canonical text; ``parse_position`` gives the position back."""
    parts = [" / ".join(" ".join(seen_text(card) for card in row) for row in position.rows)]
    for key, value in position.to_json().items():
        if key != "pyramid":
            parts.append(f"{key}={_value_text(value)}")
    return " ; ".join(parts)


def parse_position(text: str) -> PyramidPosition:
    """The position of a canonical text; raises PositionError or CardError."""
    pyramid, *rest = text.split(";")
    data: dict[str, Any] = {"pyramid": [_codes(row) for row in pyramid.split("/")]}
    for part in rest:
        key, sign, value = part.partition("=")
        if not sign or key.strip() not in KEYS[1:]:
            said = f"{part.strip()!r} is none of {', '.join(KEYS[1:])} with its value after '='"
            raise PositionError(said, "no-key", text=reprlib.repr(part.strip()), keys=", ".join(KEYS[1:]))
        data[key.strip()] = _value_of(key.strip(), value.strip())
    return PyramidPosition.from_json(data)


def deal_text(deal: FullPosition) -> str:
    """One line of ``solve``: the pyramid row by row from the apex, then the stock, first one drawn first."""
    cards = [card for row in deal.rows for card in row] + list(deal.stock)
    return " ".join(str(card) for card in cards if card is not None)


def parse_deal(text: str, game: Game) -> FullPosition:
    """The deal of a line of ``solve``, cards parted by spaces or commas; raises CardError or PositionError."""
    cards = [Card.parse(code) for code in _words(text)]
    if not cards:
        said = "a deal names the cards of the pyramid from the apex, then the stock; this line is empty"
        raise PositionError(said, "empty-deal")
    return FullPosition.of_deal(cards, game)


def fresh(deal: FullPosition) -> PyramidPosition:
    """The deal as a position of which everything is known: nothing has gone yet."""
    return replace(deal.to_position(), gone_cards=(), foundation=GONE, stock_played=None)


def start_texts(start: PyramidPosition, game: Game) -> Mapping[str, str]:
    """The line of a record that says how a game began: ``deal`` as in ``solve``, with ``??`` for a card not known,
    where the cards have just been dealt; else ``position`` with the canonical text."""
    cards = [card for row in start.rows for card in row] + list(start.stock_cards or ())
    if len(cards) == len(game.options.deck) and start == _dealt(cards, game):
        return {"deal": " ".join(map(seen_text, cards))}
    return {"position": position_text(start)}


def parse_start(texts: Mapping[str, str], game: Game) -> PyramidPosition:
    """The inverse of ``start_texts``; raises PositionError or CardError."""
    if "deal" not in texts:
        position = parse_position(texts.get("position", ""))
        if position.row_count != game.options.rows:
            raise wrong_rows(game, position.row_count)
        return position
    cards = [parse_seen(code) for code in _words(texts["deal"])]
    known, deck = Counter(known_cards(cards)), Counter(game.options.deck)
    if len(cards) != deck.total() or known - deck or GONE in cards:
        raise wrong_deal(game)
    return _dealt(cards, game)


def _dealt(cards: Sequence[Seen], game: Game) -> PyramidPosition:
    starts = [row * (row + 1) // 2 for row in range(game.options.rows)]
    return PyramidPosition(
        rows=tuple(tuple(cards[start : start + row + 1]) for row, start in enumerate(starts)),
        stock_cards=tuple(cards[game.options.pyramid_size :]),
        turned=GONE,
        waste=GONE,
        foundation=GONE,
        gone_cards=(),
        pass_number=1,
    )


def _words(text: str) -> list[str]:
    for sign in ",/|":
        text = text.replace(sign, " ")
    return text.split()


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(value)
    return "--" if value is None else str(value)


def _value_of(key: str, value: str) -> object:
    if key in ("stock", "stock_played") and value in ("yes", "no"):
        return value == "yes"
    if key in ("stock", "pass"):
        if not value.isdecimal():
            quoted = reprlib.repr(value)
            raise PositionError(f"{key} cannot be {quoted}", "key-value", key=key, value=quoted)
        return int(value)
    return _codes(value) if key.endswith("_cards") else _code(value)


def _codes(text: str) -> list[str | None]:
    return [_code(code) for code in text.split()]


def _code(code: str) -> str | None:
    return None if code == "--" else seen_text(parse_seen(code))

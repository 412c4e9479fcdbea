"""Which cards have not been seen, as the page tells it: a table by suit and rank, and the same in words."""

from collections.abc import Iterator, Sequence
from typing import Any

from companion_app.drawing.suits import SIGNS
from companion_app.languages import Language
from companion_app.languages.phrases import cards_phrase
from companion_app.tables.table import Table
from rules.cards import Card, Rank, Seen, Suit
from rules.counting import Counted, Range, count_cards

STATES = ("unseen", "piled", "lying", "gone")
"""The groups of cards, in the order of the legend."""
JOINER = "\u2060"
"""Keeps a line from breaking here."""
SUIT_ORDER = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)


def counting_view(spoken: Language, table: Table) -> dict[str, Any]:
    """What the page says of the cards not seen."""
    position = table.position()
    counted = count_cards(position, table.game, table.belief.stock_count if table.belief else None)
    doubted = [card for place in table.doubts if isinstance(card := position.look(place), Card)]
    ranks = [rank for rank in Rank if Card(rank, Suit.SPADES) in table.game.rules.deck]
    return {
        "unseen": len(counted.unseen),
        "ranks": [{"code": rank.code, "name": spoken.rank(rank.code)} for rank in ranks],
        "suits": [_suit(spoken, counted, suit, ranks, doubted) for suit in SUIT_ORDER],
        "left": [sum(card.rank == rank for card in counted.unseen) for rank in ranks],
        "states": [(state, spoken.say(f"counting.{state}")) for state in STATES if getattr(counted, state)],
        "words": list(words(spoken, counted)),
        "where": list(where(spoken, table, counted, doubted)),
    }


def _suit(
    spoken: Language, counted: Counted, suit: Suit, ranks: Sequence[Rank], doubted: Sequence[Card]
) -> dict[str, Any]:
    cells = []
    for rank in ranks:
        card = Card(rank, suit)
        state = next((each for each in STATES if card in getattr(counted, each)), "gone")
        said = [spoken.say(f"counting.{state}"), *([spoken.say("cell.doubtful")] if card in doubted else [])]
        sign = "–" if state == "gone" else f"{rank.code}?" if card in doubted else rank.code
        cells.append({"state": state, "sign": sign, "said": ", ".join(said)})
    return {"code": suit.value, "sign": SIGNS[suit.value], "name": spoken.say(f"suit.{suit.value}"), "cells": cells}


def words(spoken: Language, counted: Counted) -> Iterator[tuple[str, str]]:
    """The cards not seen, a line each suit with its sign, the jokers last."""
    for suit in SUIT_ORDER:
        ranks = [spoken.rank(card.rank.code) for card in counted.unseen if card.suit is suit and card.rank]
        if ranks:
            yield SIGNS[suit.value], f"{spoken.say(f'suit.{suit.value}')}: {', '.join(ranks)}"
    jokers = sum(card.is_joker for card in counted.unseen)
    if jokers:
        yield "", f"{spoken.say('seen.joker')}: {jokers}"


def where(spoken: Language, table: Table, counted: Counted, doubted: Sequence[Card]) -> Iterator[str]:
    """Where the cards not seen may lie, what is known of the order of the piles, and what the count rests on."""
    hidden = {"face-down": (counted.face_down,) * 2, "unread": (counted.unread,) * 2, "stock": counted.in_stock}
    missing = "missing" if table.game.family == "rows" else "elsewhere"
    for name, span in (*hidden.items(), (missing, counted.elsewhere)):
        if span and span[1]:
            yield spoken.say(f"counting.{name}", n=span_text(span))
    if counted.stock_order and counted.stock:
        n, cards = span_text(counted.stock), order_phrase(spoken, counted.stock_order)
        yield spoken.say("counting.stock-order", n=n, cards=cards)
    if len(counted.waste_order) > 1:
        yield spoken.say("counting.waste-order", cards=order_phrase(spoken, counted.waste_order))
    if counted.surplus:
        yield spoken.say("counting.surplus", cards=cards_phrase(spoken, [str(card) for card in counted.surplus]))
    if doubted:
        yield spoken.say("counting.doubted", cards=cards_phrase(spoken, [str(card) for card in doubted]))
    if table.is_open:
        yield spoken.say("counting.open")


def order_phrase(spoken: Language, cards: Sequence[Seen]) -> str:
    """The cards of a pile one after the other; of one that is not known that nobody saw it."""
    names = [spoken.card(str(card)) if isinstance(card, Card) else spoken.say("seen.unseen") for card in cards]
    return ", ".join(names)


def span_text(span: Range) -> str:
    """A number, or the fewest and the most, which stay in one line."""
    return str(span[0]) if span[0] == span[1] else f"{span[0]}{JOINER}–{JOINER}{span[1]}"

"""Sums practised: of two cards that leave together, one is shown and the other asked for. Values in, values out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

from rules.cards import Card, Rank
from rules.catalogue import Game
from rules.looks import Position
from rules.pyramid.legality import removals
from rules.pyramid.position import PyramidPosition

MOST_CHOICES = 4
Sum = tuple[int, int]
"""The worths of two cards that make the total, the larger first: 8 + 5 is the same sum as 5 + 8."""


@dataclass(frozen=True, slots=True)
class Question:
    """What goes with the card at a place. ``table`` tells apart the tables, as they lie, that are asked of."""

    place: str
    card: Card
    total: int
    table: str

    @property
    def wanted(self) -> int:
        """The worth of the cards that go with this one."""
        return self.total - self.card.worth

    @property
    def sum(self) -> Sum:
        """The sum that is asked for."""
        return max(self.card.worth, self.wanted), min(self.card.worth, self.wanted)

    def choices(self) -> tuple[int, ...]:
        """Worths to choose from, in order, the right one among them: neighbours, so that none can be ruled out."""
        most = self.total - 1
        first = self.wanted - chance(self.table, self.place) % MOST_CHOICES
        first = max(1, min(first, most - MOST_CHOICES + 1))
        return tuple(range(first, min(most, first + MOST_CHOICES - 1) + 1))


@dataclass(frozen=True, slots=True)
class Practice:
    """Whether a person is asked before a pair is told, and how often each sum was right and how often missed. ``last``:
    the answers given at one table as it lies, by their places; 0 where one asked to be told instead."""

    asks: bool = False
    sums: Mapping[Sum, tuple[int, int]] = field(default_factory=dict)
    last: tuple[str, Mapping[str, int]] = ("", {})

    @property
    def is_begun(self) -> bool:
        """Whether there is anything to keep of it."""
        return self.asks or bool(self.sums)

    def said(self, question: Question) -> int | None:
        """What was answered to a question; None where it is still open."""
        table, answers = self.last
        return answers.get(question.place) if table == question.table else None

    def answered(self, question: Question, worth: int) -> "Practice":
        """With the answer to an open question counted; what is no answer to choose counts as none, and 0 asks to be
        told."""
        if self.said(question) is not None or worth not in (0, *question.choices()):
            return self
        right, missed = self.sums.get(question.sum, (0, 0))
        counted = {question.sum: (right + (worth == question.wanted), missed + (worth != question.wanted))}
        earlier = self.last[1] if self.last[0] == question.table else {}
        last = (question.table, {**earlier, question.place: worth})
        return replace(self, last=last, sums={**self.sums, **(counted if worth else {})})

    def to_json(self) -> dict[str, Any]:
        """What is kept of it."""
        return {"asks": self.asks, "sums": [[*pair, *counts] for pair, counts in sorted(self.sums.items())]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Practice":
        """The inverse of `to_json`. Raises KeyError, TypeError or ValueError."""
        sums = {(int(one), int(other)): (int(right), int(missed)) for one, other, right, missed in data["sums"]}
        return cls(bool(data["asks"]), sums)


def question_of(position: Position, game: Game, place: str, table: str) -> Question | None:
    """What can be asked of the card at a place: None unless a card that makes the total with it can leave with it now.
    `table` tells the tables apart."""
    card = position.look(place)
    asked = isinstance(card, Card) and any(place in pair for pair in sums_now(position, game))
    return Question(place, card, game.options.total, table) if asked and isinstance(card, Card) else None


def sums_now(position: Position, game: Game) -> list[tuple[str, ...]]:
    """The places of every two cards that can leave together now because they make the total."""
    if not isinstance(position, PyramidPosition):
        return []
    pairs = [move for move in removals(position, game) if move.kind == "pair"]
    return [move.places for move in pairs if _makes(move.cards, game.options.total)]


def chance(*texts: str) -> int:
    """A number that looks like chance, and is the same for the same texts."""
    return crc32(" ".join(texts).encode())


def _makes(cards: Sequence[object], total: int) -> bool:
    """Whether cards make the total by themselves, without a joker."""
    faces = [card for card in cards if isinstance(card, Card)]
    return sum(card.worth for card in faces) == total and not any(card.is_joker for card in faces)


def sum_text(one: int, other: int) -> str:
    """A sum as it is shown: ``8 + 5 = 13``, court cards and aces with their worth."""
    return f"{worth_text(one)} + {worth_text(other)} = {one + other}"


def worth_text(worth: int) -> str:
    """A rank as its card shows it, with its worth where that is no number there: ``J (11)``."""
    code = Rank(worth).code
    return code if code.isdecimal() else f"{code} ({worth})"

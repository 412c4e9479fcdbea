"""Cards, and what can be seen where a card could lie."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import cache
from typing import Final

from rules.errors import CardError


class Suit(Enum):
    """The four suits; the value is the letter of the card code."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def is_red(self) -> bool:
        """Hearts and diamonds."""
        return self in (Suit.HEARTS, Suit.DIAMONDS)


class Rank(IntEnum):
    """A rank is its worth: ace 1, jack 11, queen 12, king 13."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def code(self) -> str:
        """``A``, ``2`` … ``10``, ``J``, ``Q``, ``K``."""
        return _RANK_CODES[self - 1]


_RANK_CODES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RANK_OF_CODE: Final = {code: Rank(worth) for worth, code in enumerate(_RANK_CODES, start=1)} | {"T": Rank.TEN}
_JOKER_CODE: Final = "JK"


@dataclass(frozen=True, slots=True)
class Card:
    """A card by its face. The joker (``JOKER``) is the one card with neither rank nor suit; all jokers are equal."""

    rank: Rank | None
    suit: Suit | None
    _number: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (self.rank is None) != (self.suit is None):
            raise CardError("a card has both a rank and a suit; a joker has neither")
        number = 0 if self.rank is None or self.suit is None else self.rank * 4 + "SHDC".index(self.suit.value)
        object.__setattr__(self, "_number", number)

    def __hash__(self) -> int:
        # Searches keep millions of cards in sets; hashing two enums each time is ten times slower.
        return self._number

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card of a code such as ``10H``, ``th`` or ``JK``; raises CardError."""
        code = text.strip().upper()
        if code == _JOKER_CODE:
            return JOKER
        rank = _RANK_OF_CODE.get(code[:-1])
        if rank is None or code[-1:] not in _SUIT_LETTERS:
            quoted = reprlib.repr(text)
            said = f"{quoted} is no card: write rank A 2 … 10 J Q K and suit S H D C, such as 10H, or JK"
            raise CardError(said, "no-card", text=quoted)
        return cls(rank, Suit(code[-1]))

    @property
    def is_joker(self) -> bool:
        """True for the joker only."""
        return self.rank is None

    @property
    def worth(self) -> int:
        """The rank as a number, 1 to 13; 0 for the joker, which has no worth of its own."""
        return 0 if self.rank is None else int(self.rank)

    def __str__(self) -> str:
        if self.rank is None or self.suit is None:
            return _JOKER_CODE
        return self.rank.code + self.suit.value


_SUIT_LETTERS: Final = tuple(suit.value for suit in Suit)
JOKER: Final = Card(None, None)


class Unseen(Enum):
    """Why there is no face to see at a place."""

    FACE_DOWN = "??"
    UNREADABLE = "!!"
    GONE = "--"


FACE_DOWN: Final = Unseen.FACE_DOWN
UNREADABLE: Final = Unseen.UNREADABLE
GONE: Final = Unseen.GONE

Seen = Card | Unseen


def parse_seen(code: str | None) -> Seen:
    """What a JSON code says lies at a place: a card, ``??``, ``!!`` or ``null`` for gone; raises CardError."""
    if code is None:
        return GONE
    if not isinstance(code, str):
        quoted = reprlib.repr(code)
        raise CardError(f"{quoted} is no card code: it must be a text or null", "no-card", text=quoted)
    text = code.strip()
    return Unseen(text) if text in ("??", "!!", "--") else Card.parse(text)


def seen_code(seen: Seen) -> str | None:
    """The JSON code: a card's, ``??``, ``!!``, or None for gone."""
    if seen is GONE:
        return None
    return seen_text(seen)


def seen_text(seen: Seen) -> str:
    """The code as a text in every case; a place that is empty gives ``--``."""
    return seen.value if isinstance(seen, Unseen) else str(seen)


@cache
def deck(highest: int = Rank.KING, jokers: int = 0) -> tuple[Card, ...]:
    """One deck, suit by suit, of the ranks up to ``highest``, the jokers last."""
    faces = tuple(Card(rank, suit) for suit in Suit for rank in Rank if rank <= highest)
    return faces + (JOKER,) * jokers

"""The languages of the companion: one catalogue of messages each, and what they need to build phrases.

A new language is five modules here with the same keys: one, and those of `PARTS`; and its code in `CODES`. Finnish and
Polish inflect, so phrases are lists ("Pair: hearts 8 + spades 5") and never sentences with a card inside.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

CODES = ("en", "fi", "pl", "nb")
PARTS = ("page", "rows", "games", "lines", "ears", "terminal", "sheet", "kept")
DEFAULT = "en"
TEENS = range(12, 15)
COMMA = {ord(","): "\u00a0", ord("."): ","}
POINTS: Mapping[str, Mapping[int, str]] = {"en": {}, "fi": COMMA, "pl": COMMA, "nb": COMMA}
"""What stands in place of Python's signs between thousands and before decimals."""


def one_other(number: int) -> str:
    """Plural form of English, Finnish and Norwegian."""
    return "one" if number == 1 else "other"


def one_few_many(number: int) -> str:
    """Plural form of Polish."""
    if number == 1:
        return "one"
    return "few" if number % 10 in (2, 3, 4) and number % 100 not in TEENS else "many"


PLURALS: Mapping[str, Callable[[int], str]] = {"en": one_other, "fi": one_other, "nb": one_other, "pl": one_few_many}


@dataclass(frozen=True, slots=True)
class Language:
    """One language: its code (also the page's `lang`) and its messages."""

    code: str
    messages: Mapping[str, str]

    def __contains__(self, key: object) -> bool:
        return key in self.messages

    def say(self, key: str, **values: object) -> str:
        """The message of a key with its values filled in, numbers with decimals as the language writes them; KeyError
        when there is none."""
        written = {name: self.number(value) if isinstance(value, float) else value for name, value in values.items()}
        return self.messages[key].format(**written)

    def number(self, value: float, digits: int | None = None) -> str:
        """A number as the language writes it, with so many decimals (None: as many as it has)."""
        text = f"{value:,}" if digits is None else f"{value:,.{digits}f}"
        return text.translate(POINTS[self.code])

    def count(self, key: str, number: int, **values: object) -> str:
        """The message in the plural form of a number, which it may name as `{n}`."""
        return self.say(f"{key}.{PLURALS[self.code](number)}", n=number, **values)

    def card(self, code: str | None) -> str:
        """The name of a card (`"10H"`) or of what is seen instead of one, to be spoken or read."""
        special = {"??": "face-down", "!!": "unreadable", "JK": "joker", None: "gone"}
        if code in special:
            return self.say(f"seen.{special[code]}")
        rank, suit = str(code)[:-1], str(code)[-1]
        # Finnish writes an ace or a court card as one word ("patakuningas"), a number apart ("pata 8").
        key = "card.court" if f"rank.{rank}" in self else "card.name"
        return self.say(key, rank=self.messages.get(f"rank.{rank}", rank), suit=self.say(f"suit.{suit}"))

    def place(self, place: str) -> str:
        """The name of a place (`"pyramid 3 2"`)."""
        pile, *numbers = place.split() or [""]
        if pile == "pyramid" and len(numbers) == 2:
            return self.say("place.pyramid", row=numbers[0], column=numbers[1])
        if pile == "table" and numbers:
            return self.say("place.table", n=numbers[0])
        if pile == "base" and numbers:
            return self.say("place.base", row=numbers[0])
        if pile in ("left", "right") and len(numbers) == 2:
            if numbers[0] == "column":
                return self.say(f"place.{pile}-column", index=numbers[1])
            return self.say(f"place.{pile}", row=numbers[0], index=numbers[1])
        name = self.messages.get(f"place.{pile}", "{")
        return place if numbers or "{" in name else name


@lru_cache
def language(code: str) -> Language:
    """The language of a code; the default one where there is none of that code."""
    known = code if code in CODES else DEFAULT
    parts = (
        import_module(f"companion_app.languages.{name}").MESSAGES
        for name in (known, *(f"{known}_{part}" for part in PARTS))
    )
    return Language(known, {key: message for part in parts for key, message in part.items()})


def preferred(accept: str) -> str:
    """The best of our languages for an `Accept-Language` header; Norwegian in any of its codes is bokmål."""
    wishes = []
    for index, part in enumerate(accept.split(",")):
        tag, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            weight = 0.0
        main = tag.split("-")[0].lower()
        wishes.append((-weight, index, "nb" if main in ("no", "nn") else main))
    return next((code for weight, _, code in sorted(wishes) if code in CODES and weight < 0), DEFAULT)

"""The languages of the companion: a gettext catalogue of messages each, and numbers and times as Babel has them.

`cardtable.pot` holds the English messages, `<code>/LC_MESSAGES/cardtable.po` their translations. The context of a
message is its key, by which the program asks for it; so its English text can be mended without a change to the program.
The catalogues are read as they are: nothing is to be compiled, in a checkout or when installing. Finnish and Polish
inflect, so phrases are lists ("Pair: hearts 8 + spades 5") and never sentences with a card inside.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from errno import errorcode
from functools import lru_cache
from gettext import c2py
from importlib.resources import files
from importlib.resources.abc import Traversable
from sqlite3 import DatabaseError

from babel import Locale
from babel.dates import format_date, format_time, get_datetime_format
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

CODES = ("en", "fi", "pl", "nb")
DEFAULT = "en"
LOCALES: Mapping[str, str] = {"en": "en_GB"}
"""The locale that tells how a language writes numbers and times, where it is not that of its code: plain `en` has the
month before the day."""
SEEN: Mapping[str | None, str] = {"??": "face-down", "!!": "unreadable", "JK": "joker", None: "gone"}
"""What is named instead of a rank and a suit."""


SYSTEM_REASONS = (
    *("EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EBUSY", "EDQUOT", "EEXIST", "EFBIG", "EIO", "EISDIR", "ELOOP"),
    *("EMFILE", "ENAMETOOLONG", "ENOENT", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"),
    *("SQLITE_CANTOPEN", "SQLITE_CORRUPT", "SQLITE_NOTADB"),
)
"""Why the system, or the file of a database, refuses something, where the languages have words of their own for it."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language: its code (also the page's `lang`), its messages, those with a form for each number, and which of
    the forms a number has."""

    code: str
    messages: Mapping[str, str]
    plurals: Mapping[str, tuple[str, ...]]
    form_of: Callable[[int], int]

    def __contains__(self, key: object) -> bool:
        return key in self.messages

    @property
    def texts(self) -> Iterator[str]:
        """Every text of the language, the forms of a plural each by itself."""
        yield from self.messages.values()
        for forms in self.plurals.values():
            yield from forms

    def say(self, key: str, /, **values: object) -> str:
        """The message of a key with its values filled in, numbers with decimals as the language writes them, an error
        of the system by its reason; KeyError when there is none."""
        return self._filled(self.messages[key], values)

    def count(self, key: str, number: int, /, **values: object) -> str:
        """The message in the plural form of a number, which it may name as `{n}`; KeyError when there is none."""
        forms = self.plurals[key]
        # What is not translated yet has the two forms of English.
        return self._filled(forms[min(self.form_of(number), len(forms) - 1)], {"n": number, **values})

    def _filled(self, text: str, values: Mapping[str, object]) -> str:
        return text.format(**{name: self._value(value) for name, value in values.items()})

    def _value(self, value: object) -> object:
        if isinstance(value, float):
            return self.number(value)
        return self.reason(value) if isinstance(value, OSError | DatabaseError) else value

    def reason(self, error: Exception) -> str:
        """Why the system, or the file of a database, refused something: in its own words where the language has none
        for it."""
        name = getattr(error, "sqlite_errorname", None) or errorcode.get(getattr(error, "errno", None) or 0)
        if name in SYSTEM_REASONS:
            return self.say(f"system.{name}")
        return str(getattr(error, "strerror", None) or error)

    def number(self, value: float, digits: int | None = None) -> str:
        """A number as the language writes it, with so many decimals (None: as many as it has)."""
        if digits is None:
            return format_decimal(value, locale=self._locale, decimal_quantization=False)
        pattern = self._locale.decimal_formats[None].pattern.partition(".")[0]
        return format_decimal(value, _with_decimals(pattern, digits), self._locale)

    def percent(self, share: float, digits: int = 0) -> str:
        """A share as per cent, with so many decimals."""
        pattern = self._locale.percent_formats[None].pattern
        return format_percent(share, _with_decimals(pattern, digits), self._locale)

    def time(self, at: datetime) -> str:
        """The time of day, in the zone that comes with it."""
        return format_time(at, "short", locale=self._locale)

    def moment(self, at: datetime) -> str:
        """Day and time, in the zone that comes with it."""
        joined = str(get_datetime_format("medium", self._locale))
        return joined.replace("{1}", format_date(at, "medium", self._locale)).replace("{0}", self.time(at))

    @property
    def _locale(self) -> Locale:
        return _locale(LOCALES.get(self.code, self.code))

    def card(self, code: str | None) -> str:
        """The name of a card (`"10H"`) or of what is seen instead of one, to be spoken or read."""
        if code in SEEN:
            return self.say(f"seen.{SEEN[code]}")
        rank, suit = str(code)[:-1], str(code)[-1]
        # Finnish writes an ace or a court card as one word ("patakuningas"), a number apart ("pata 8").
        key = "card.court" if f"rank.{rank}" in self else "card.name"
        return self.say(key, rank=self.rank(rank), suit=self.say(f"suit.{suit}"))

    def rank(self, code: str) -> str:
        """The name of a rank (`"K"`), a number as such."""
        return self.messages.get(f"rank.{code}", code)

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


def _with_decimals(pattern: str, digits: int) -> str:
    """The pattern of a locale's numbers with so many decimals after its last digit."""
    return pattern.replace("0", "0." + "0" * digits) if digits else pattern


@lru_cache
def _locale(name: str) -> Locale:
    return Locale.parse(name)


def catalogue_file(code: str) -> Traversable:
    """Where the messages of a language are."""
    folder = files("companion_app") / "languages"
    return folder / "cardtable.pot" if code == DEFAULT else folder / code / "LC_MESSAGES" / "cardtable.po"


def catalogue(code: str) -> Catalog:
    """The catalogue of a language as it is written down."""
    with catalogue_file(code).open("rb") as file:
        return read_po(file, abort_invalid=True)


@lru_cache
def language(code: str) -> Language:
    """The language of a code; the default one where there is none of that code."""
    known = code if code in CODES else DEFAULT
    read = catalogue(known)
    told = {str(message.context): _text(message) for message in read if message.context}
    messages = {key: text for key, text in told.items() if isinstance(text, str)}
    plurals = {key: tuple(forms) for key, forms in told.items() if not isinstance(forms, str)}
    return Language(known, messages, plurals, c2py(read.plural_expr))


def _text(message: Message) -> str | tuple[str, ...] | list[str]:
    """What a message says: its translation, or English where there is none, or none that was looked at yet."""
    said = message.string
    return said if said and all(said) and not message.fuzzy else message.id


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

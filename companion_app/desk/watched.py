"""The frames of a camera above a table as they are read, and the one thing that a player is told would help most."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from companion_app.desk.watching import View, Watching
from companion_app.errors import Trouble, UnreadableTrouble
from companion_app.languages import Language
from companion_app.languages.phrases import places_phrase, stack_name
from companion_app.tables.compose import AUTO, Eyes
from companion_app.tables.laying import read_in_play
from companion_app.tables.table import Table
from companion_app.troubles import as_trouble
from rules.cards import Card
from rules.looks import lying
from rules.rows.places import parse_place
from vision.errors import PictureError
from vision.reading import Advice, TableReading, is_covered
from vision.video.frame_gate import Sight

MOST_PLACES, MOST_ROWS = 2, 3
"""So many places are named one by one, and so many rows; of more the whole table is meant."""
TOLD_APART = 3
"""Fewer cards than these may lie where they lay on another table as well."""
NOT_OF_THE_VIEW = ("mixed",)
TO_READ = {Sight.CHANGED: "watch.changed", Sight.BUMPED: "watch.bumped"}


def read_frame(eyes: Eyes, watching: Watching, what: tuple[Table, bytes], language: Language) -> TableReading:
    """The reading of a frame of the camera above a table in play. Raises UnreadableTrouble and PictureError, noted in
    the view; so where the camera has lost its focus and something is in doubt: a sharper frame differs, and is read
    then."""
    table, picture = what
    watching.taken(table.id)
    try:
        reading = read_in_play(eyes, picture, table, language)
        before = table.reading
        if reading.is_blurred and reading.doubts and before is not None and not before.is_blurred:
            raise PictureError("too-blurred", advice=reading.advice)
    except (PictureError, Trouble) as error:
        # A copy, for the error itself holds the picture by the way it came.
        watching.refused(table.id, copy(error))
        raise refusal(error, language) from error
    return reading


@dataclass(frozen=True, slots=True)
class Insight:
    """What a frame tells of a table of which nothing can be read just now: what would help, and whether every card
    shows that lay there: then nothing lies over the table, the camera looks at it otherwise."""

    advice: tuple[Advice, ...] = ()
    is_bare: bool = False


def looked_into(eyes: Eyes, frame: bytes, table: Table | None, layout: str = AUTO) -> Insight:
    """What a frame tells though nothing is taken of it; of a table in play, or of a layout that is looked for."""
    try:
        reading = eyes.read(frame, layout=table.game.layout if table else layout)
    except PictureError as error:
        return Insight(error.advice)
    lay = {place: seen for place, seen in lying(table.position()) if isinstance(seen, Card)} if table else {}
    shows = len(lay) >= TOLD_APART and all(reading.places.get(place) == seen for place, seen in lay.items())
    # What lies over the table is told as that.
    others = tuple(each for each in reading.advice if not is_covered([each]))
    return Insight(others, shows and not is_covered(reading.advice))


def refusal(error: Exception, language: Language) -> Trouble:
    """Why a frame could not be read, as what would help most, where that is known."""
    trouble = as_trouble(error, language)
    advised = most_useful(error.advice, language) if isinstance(error, PictureError) else ""
    return UnreadableTrouble(trouble.code, advised) if advised else trouble


def most_useful(advice: Sequence[Advice], language: Language) -> str:
    """The one thing that would help most, as a sentence; nothing where all is well."""
    told = next((each for each in advice if each.code not in NOT_OF_THE_VIEW), None)
    if told is None:
        return ""
    if told.code == "outside":
        rows = _rows(told.places, language)
        cut = f"{language.say('watch.cut-off', places=rows)} " if rows else ""
        return cut + _sentence(language.say("advice.outside"))
    where = _where(told.places, language)
    text = language.say(f"advice.{told.code}")
    return _sentence(f"{text} ({where})" if where else text)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _where(places: Sequence[str], language: Language) -> str:
    """A few places by name, else the rows and piles they lie in; nothing where those are many as well."""
    named = [place for place in places if not place.startswith("table ")]
    return places_phrase(language, named) if len(named) <= MOST_PLACES else _rows(named, language)


def _rows(places: Sequence[str], language: Language) -> str:
    rows = list(dict.fromkeys(_row(place, language) for place in places))
    return ", ".join(rows) if len(rows) <= MOST_ROWS else ""


def _row(place: str, language: Language) -> str:
    line = parse_place(place)
    if line is not None:
        return stack_name(language, line[0])
    kind, *numbers = place.split()
    return language.say("area.row", row=numbers[0]) if kind == "pyramid" else language.place(place)


def told_of(view: View, language: Language) -> str:
    """How a camera's view of a table stands, and what would help most, in words."""
    if view.is_as_read:
        return _of_what_was_read(view, language)
    if view.glance.sight in TO_READ:
        return language.say(TO_READ[view.glance.sight])
    advised = most_useful(view.restless, language)
    if view.glance.over:
        # What seems to reach over the table is the whole view then: too dark, too far away.
        return advised or language.say("watch.over")
    return " ".join(filter(None, (language.say("watch.shaken" if view.shaken else "watch.moving"), advised)))


def _of_what_was_read(view: View, language: Language) -> str:
    if view.refused is not None:
        return language.say("watch.failed", why=refusal(view.refused, language).message)
    stands = language.say("watch.hidden" if view.hidden else "watch.unchanged")
    return " ".join(filter(None, (stands, most_useful(view.advice, language))))

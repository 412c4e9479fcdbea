"""Whether cards lie so that a game can be played on them, as they were read or given."""

from collections.abc import Iterable, Mapping
from random import Random

from companion_app.errors import UnreadableTrouble, UsageTrouble, unreadable
from companion_app.languages import Language
from companion_app.tables.compose import AUTO, Eyes, Knowing, read_as
from companion_app.tables.following import HIDDEN, carried_on, in_place
from companion_app.tables.game_so_far import places_seen
from companion_app.tables.games import as_laid
from companion_app.tables.kept_table import chain_of
from companion_app.tables.pointed_corners import Corners
from companion_app.tables.table import Table
from rules.cards import UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.families import family_of
from rules.layouts import LAYOUTS
from rules.looks import Position, lying
from vision.deck_prints import NO_PRINTS, DeckPrints
from vision.errors import PictureError
from vision.reading import Advice, TableReading

MOST_OUTSIDE = 3  # a third of the places outside the picture is too much to play on


def usable(reading: TableReading, layout: str, language: Language) -> TableReading:
    """A reading to play on; raises UnreadableTrouble where there is no layout, PictureError where there is too little
    of it in the picture."""
    if reading.layout is None and reading.cards:
        # On the page a game can be chosen at once, so what else the cards may be is said too.
        why, other = language.say("error.no-layout"), language.say("spread.try", choice=language.say("start.none"))
        raise UnreadableTrouble("no-layout", f"{why} {other}" if layout == AUTO else why)
    if reading.layout is None:
        raise unreadable("no-cards", language)
    outside = {place for advice in reading.advice if advice.code == "outside" for place in advice.places}
    if len(outside) * MOST_OUTSIDE > len(list(LAYOUTS[reading.layout].fresh())):
        raise PictureError("outside", advice=(Advice("outside", tuple(sorted(outside))),))
    return reading


def first_reading(
    eyes: Eyes, picture: bytes, game: Game | None, language: Language, corners: Corners | None = None
) -> TableReading:
    """The reading of a picture of a new table of a game, or of any; where a person pointed the layout out, there.
    Raises PictureError and UnreadableTrouble."""
    if corners is not None:
        return usable(corners.read(eyes, picture), corners.layout, language)
    layout = game.layout if game else AUTO
    return usable(read_as(eyes, picture, layout), layout, language)


def laid_as(game: Game, layouts: Iterable[str]) -> Game:
    """The game as cards are laid that may be of these layouts; raises UsageTrouble where it is laid in another way
    altogether."""
    layouts = tuple(layouts)
    if game.layout in layouts:
        return game
    for layout in layouts:
        chosen = as_laid(game, layout)
        if chosen is not None:
            return chosen
    raise UsageTrouble("other-layout", game=game.id)


def read_in_play(
    eyes: Eyes, picture: bytes, table: Table, language: Language, corners: Corners | None = None
) -> TableReading:
    """The reading of a picture of a table in play; where too little is left to tell its layout, by where its cards lay
    before; where a person pointed the layout out, there. Raises PictureError and UnreadableTrouble."""
    layout, eyes = table.game.layout, Knowing(eyes, prints_seen(table))
    if corners is not None:
        if corners.layout != layout:
            raise UsageTrouble("no-corners")
        return usable(corners.read(eyes, picture), layout, language)
    places = places_seen((each.reading, each.belief) for each in chain_of(table))
    try:
        reading = usable(eyes.read(picture, layout=layout), layout, language)
        return in_place(eyes, picture, reading, table.game_so_far(), places, pointed=table.pointed)
    except (PictureError, UnreadableTrouble) as error:
        found = None
        if error.code in HIDDEN:
            found = carried_on(eyes, picture, table.game_so_far(), places)
        if found is None:
            raise
        return found


def prints_seen(table: Table) -> DeckPrints:
    """How the deck of a game is printed, by the looks at it of which a person had nothing to correct."""
    prints = NO_PRINTS
    for each in chain_of(table):
        if each.reading is not None and not _is_corrected(each.reading, each.pins):
            prints = each.reading.prints.after(prints)
    return prints


def _is_corrected(reading: TableReading, pins: Mapping[str, Seen]) -> bool:
    """Whether a person called a card otherwise than it was read."""
    read = {place: reading.places.get(place) for place in pins}
    return any(isinstance(card, Card) and card != pins[place] for place, card in read.items())


def to_be_entered(game: Game) -> Position:
    """A fresh deal of a game of which no card that lies open is known yet."""
    family = family_of(game)
    dealt = family.show(family.deal(game, Random(0)), game)
    return dealt.with_seen({place: UNREADABLE for place, seen in lying(dealt) if isinstance(seen, Card)})


def next_to_enter(table: Table) -> str | None:
    """The first place of a table without a picture of which nobody has said what lies there; None where all is said."""
    if table.reading is not None:
        return None
    return next((place for place, seen in lying(table.position()) if seen is UNREADABLE), None)

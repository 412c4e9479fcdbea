"""From a reading of the table to an answer: the games that fit, the position and its faults."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion_app.beside import beside_faults, is_beside
from companion_app.errors import UnreadableTrouble
from companion_app.tables.games import PLAIN, fitting_games, games_left_open, plain_game
from companion_app.tables.spreads import lying, missing_cards, spread_faults, with_foreign
from rules.cards import Seen, seen_code
from rules.catalogue import Game
from rules.fault import Fault, Stage
from rules.layouts import LAYOUTS, Layout
from rules.looks import Position, layout_faults, position_from_places
from vision.deck_prints import DeckPrints
from vision.errors import PictureError
from vision.layout.in_place import Asked
from vision.posterior.known import NOTHING_KNOWN, Known
from vision.reading import SeenCard, TableReading

AUTO = "auto"
PROBABILITY_DIGITS = 4
PIXEL_DIGITS = 1


class Eyes(Protocol):
    """Whatever reads pictures: the real reader, or another in tests."""

    def read(self, data: bytes, *, layout: Asked = AUTO, known: Known = NOTHING_KNOWN) -> TableReading:
        """What lies on the table of a picture (the file's bytes), by what was known before; raises PictureError."""


@dataclass(frozen=True, slots=True)
class Knowing:
    """Eyes that know how the deck on the table is printed, as earlier pictures of its game showed."""

    eyes: Eyes
    prints: DeckPrints

    def read(self, data: bytes, *, layout: Asked = AUTO) -> TableReading:
        """As the eyes themselves; of those that were never told of a print nothing more is asked."""
        if not self.prints.some:
            return self.eyes.read(data, layout=layout)
        return self.eyes.read(data, layout=layout, known=Known(prints=self.prints))


@dataclass(frozen=True, slots=True)
class Look:
    """One picture as understood. `game` is the one given, or the only fit; `pins` are the places a person settled."""

    reading: TableReading
    game: Game | None
    games: tuple[str, ...]
    position: Position | None
    faults: tuple[Fault, ...]
    pins: Mapping[str, Seen] = field(default_factory=dict)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Places in doubt that nobody has settled."""
        return tuple(place for place in self.reading.doubts if place not in self.pins)


def layout_asked(game: Game | None, *, auto: bool) -> str | None:
    """What to ask the reader for: the game's layout, to find out, or none."""
    return game.layout if game else AUTO if auto else None


def read_as(eyes: Eyes, picture: bytes, layout: str | None) -> TableReading:
    """Read a picture for a layout; where it shows cards laid as the games of the other family are, the trouble says so.
    Raises PictureError and UnreadableTrouble."""
    asked = LAYOUTS.get(layout or "")
    try:
        reading = eyes.read(picture, layout=layout)
    except PictureError as error:
        if asked is not None and error.code == "no-layout":
            _refuse_other_family(eyes, picture, asked)
        raise
    # A layout put upon cards that lie otherwise leaves most of its places in doubt.
    if asked is not None and 2 * len(reading.doubts) > len(list(asked.fresh())):
        _refuse_other_family(eyes, picture, asked)
    return reading


def _refuse_other_family(eyes: Eyes, picture: bytes, asked: Layout) -> None:
    found = LAYOUTS.get(_layout_told(eyes, picture))
    if found is not None and bool(found.lines) != bool(asked.lines):
        raise UnreadableTrouble("rows-laid" if found.lines else "pyramid-laid")


def _layout_told(eyes: Eyes, picture: bytes) -> str:
    with suppress(PictureError):
        return eyes.read(picture, layout=AUTO).layout or ""
    return ""


def compose(
    reading: TableReading, game: Game | None, pins: Mapping[str, Seen] | None = None, stage: Stage = "play"
) -> Look:
    """The look of a reading for a game, or for every game that fits it. What a person settled overrides the reading."""
    pins = pins or {}
    if reading.layout is None:
        return Look(reading, game, (), None, spread_faults(reading, pins), pins)
    sure = sure_cards(reading, pins)
    fits = best_first(fitting_games(reading.layout, sure), {**reading.places, **pins}, stage)
    open_too = games_left_open(reading.also, sure)
    sole = game or (fits[0] if len(fits) == 1 and not open_too else None)
    shown = sole or (fits[0] if fits else plain_game(reading.layout))
    position = position_from_places(shown, {**reading.places, **pins})
    judged = [sole] if sole else list(fits) or [shown]
    faults = with_foreign(common_faults(position, judged, stage), reading.foreign)
    faults += beside_faults(reading, pins)
    return Look(reading, sole, tuple(fit.id for fit in (*fits, *open_too)), position, faults, pins)


def best_first(
    games: tuple[Game, ...], places: Mapping[str, Seen | bool | None], stage: Stage = "play"
) -> tuple[Game, ...]:
    """Games by how few faults the table has in each; the plain game first among equals."""
    faults = {game.id: len(layout_faults(position_from_places(game, places), game, stage)) for game in games}
    return tuple(sorted(games, key=lambda game: (faults[game.id], game.id != PLAIN.id)))


def sure_cards(reading: TableReading, pins: Mapping[str, Seen]) -> list[Seen]:
    """Cards of the layout about which there is no doubt: read surely, or settled by hand.

    What lies beside says nothing of the game: it may be what was taken out of the deck for it.
    """
    doubts = set(reading.doubts)
    read = {card.place: card.card for card in reading.cards if card.place not in doubts}
    return [seen for place, seen in {**read, **pins}.items() if not is_beside(place)]


def common_faults(position: Position, games: list[Game], stage: Stage) -> tuple[Fault, ...]:
    """The faults the position has in each of the games: where several fit, only what is wrong in all of them counts."""
    first, *others = (layout_faults(position, game, stage) for game in games)
    return tuple(fault for fault in first if all(fault in other for other in others))


def read_answer(file: str, look: Look) -> dict[str, Any]:
    """The answer of `cardtable read` for one picture."""
    reading = look.reading
    missing = missing_cards(lying(reading, look.pins))
    return {
        "picture": {"file": file, "width": reading.width, "height": reading.height},
        "layout": reading.layout,
        "game": look.game.id if look.game else None,
        "games": list(look.games),
        "position": look.position.to_json() if look.position else None,
        "cards": [card_answer(card, look.pins) for card in reading.cards],
        "doubts": list(look.doubts),
        "faults": [fault.to_json() for fault in look.faults],
        **({"missing": [str(card) for card in missing]} if reading.layout is None else {}),
        "advice": [{"code": advice.code, "places": list(advice.places)} for advice in reading.advice],
        **({} if reading.deck is None else {"deck": reading.deck}),
        "milliseconds": {stage: round(float(spent), 1) for stage, spent in reading.milliseconds.items()},
    }


def card_answer(card: SeenCard, pins: Mapping[str, Seen]) -> dict[str, Any]:
    """One card of the answer; a settled one is certain."""
    settled = card.place in pins
    return {
        "place": card.place,
        "card": seen_code(pins[card.place] if settled else card.card),
        "probability": 1.0 if settled else round(float(card.probability), PROBABILITY_DIGITS),
        "doubtful": bool(card.doubtful) and not settled,
        "alternatives": [[seen_code(seen), round(float(p), PROBABILITY_DIGITS)] for seen, p in card.alternatives],
        "quad": [[round(float(x), PIXEL_DIGITS), round(float(y), PIXEL_DIGITS)] for x, y in card.quad_xy],
    }

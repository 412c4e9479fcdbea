"""A reading as JSON and back, to be kept with the game that it is a look at."""

from collections.abc import Mapping
from typing import Any, cast

from rules.cards import Seen, parse_seen, seen_code
from vision.deck_prints import NO_PRINTS, DeckPrints
from vision.reading import Advice, Quad, SeenCard, TableReading

Likely = tuple[tuple[Seen, float], ...]


def reading_json(reading: TableReading) -> dict[str, Any]:
    """All of a reading; empty places are null, truth values stay."""
    return {
        "width": reading.width,
        "height": reading.height,
        "layout": reading.layout,
        "cards": [_card_json(card) for card in reading.cards],
        "places": {
            place: seen if isinstance(seen, bool) else seen_code(seen) for place, seen in reading.places.items()
        },
        "doubts": list(reading.doubts),
        "advice": [[advice.code, list(advice.places)] for advice in reading.advice],
        "milliseconds": {stage: float(spent) for stage, spent in reading.milliseconds.items()},
        "foreign": list(reading.foreign),
        "deck": reading.deck,
        "also": list(reading.also),
        "empty": {place: _likely_json(likely) for place, likely in reading.empty.items()},
        "prints": reading.prints.to_json(),
    }


def reading_of(data: Mapping[str, Any]) -> TableReading:
    """The reading that was written so; raises KeyError, TypeError, ValueError or CardError where it was not."""
    return TableReading(
        data["width"],
        data["height"],
        data["layout"],
        tuple(_card_of(card) for card in data["cards"]),
        {place: seen if isinstance(seen, bool) else parse_seen(seen) for place, seen in data["places"].items()},
        tuple(data["doubts"]),
        tuple(Advice(code, tuple(places)) for code, places in data["advice"]),
        data["milliseconds"],
        tuple(data["foreign"]),
        data["deck"],
        tuple(data["also"]),
        # Games kept by an earlier version do not tell how surely a place was empty.
        {place: _likely_of(likely) for place, likely in data.get("empty", {}).items()},
        DeckPrints.from_json(data["prints"]) if "prints" in data else NO_PRINTS,
    )


def seen_json(pins: Mapping[str, Seen]) -> dict[str, str | None]:
    """What a person said of some places."""
    return {place: seen_code(seen) for place, seen in pins.items()}


def seen_of(data: Mapping[str, str | None]) -> dict[str, Seen]:
    """What was written so; raises CardError."""
    return {place: parse_seen(code) for place, code in data.items()}


def _card_json(card: SeenCard) -> list[Any]:
    likely = _likely_json(card.alternatives)
    quad = [[float(x), float(y)] for x, y in card.quad_xy]
    return [card.place, seen_code(card.card), float(card.probability), bool(card.doubtful), likely, quad, card.foreign]


def _card_of(data: list[Any]) -> SeenCard:
    place, code, chance, doubtful, likely, corners, foreign = data
    quad = cast(Quad, tuple((x, y) for x, y in corners))
    return SeenCard(place, parse_seen(code), chance, doubtful, _likely_of(likely), quad, foreign)


def _likely_json(likely: Likely) -> list[Any]:
    return [[seen_code(seen), float(chance)] for seen, chance in likely]


def _likely_of(data: list[Any]) -> Likely:
    return tuple((parse_seen(code), chance) for code, chance in data)

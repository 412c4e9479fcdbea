"""Following a game by its pictures: each is read, weighed as evidence, and told as what it changed."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from companion_app.beside import is_beside
from companion_app.errors import UnreadableTrouble
from companion_app.tables.compose import AUTO, Eyes, Knowing, compose
from companion_app.tables.games import plain_game
from rules.cards import FACE_DOWN, GONE, UNREADABLE, Seen
from rules.catalogue import Game, find_game
from rules.errors import RulesError
from rules.families import family_of
from rules.family import AnyMove
from rules.following import belief as following
from rules.following.belief import Belief, Line
from rules.following.evidence import Evidence
from rules.layouts import LAYOUTS, PILES, STOCK, TURNED, WASTE
from rules.looks import Position, layout_faults, lying
from rules.record import Record, record_text
from rules.rows.places import parse_place
from vision.deck_prints import NO_PRINTS, DeckPrints
from vision.errors import PictureError
from vision.layout import carried
from vision.layout.in_place import Asked, InPlace
from vision.reading import Quad, TableReading, is_covered

HIDDEN = ("no-cards", "no-layout", "too-blurred", "outside", "two-layouts")
"""Why a picture of a table in play may not be read: something lies over it, or it is a poor picture."""

SEEN_EMPTY, DOUBTED_EMPTY = 0.99, 0.6
"""The chance that a place is empty which a reading calls so, surely or in doubt."""


def evidence_of(reading: TableReading) -> Evidence:
    """What a reading says of every place of its layout; of those outside the picture, and of a pile that another
    covers, nothing; and whether something lies over the cards."""
    chances: dict[str, dict[Seen, float]] = {}
    for card in reading.cards:
        if is_beside(card.place):
            continue
        if card.foreign:
            # What seems a card of no deck on the stock may be its back, a picture.
            chances[card.place] = {} if card.place == TURNED else {UNREADABLE: card.probability}
            continue
        likely = dict(card.alternatives)
        likely.setdefault(card.card, card.probability)
        chances[card.place] = likely
    chances |= {place: dict(likely) for place, likely in reading.empty.items()}
    for place, seen in reading.places.items():
        if place not in chances and (seen is False or seen is GONE):
            chances[place] = {GONE: DOUBTED_EMPTY if place in reading.doubts else SEEN_EMPTY}
        elif place not in chances and seen is not True:
            chances[place] = {seen: 1.0}
        elif place not in chances:
            chances[place] = {FACE_DOWN: 1.0}
    outside = {place for advice in reading.advice if advice.code == "outside" for place in advice.places}
    for place in (*outside, *_untold(reading), *_missed(chances)):
        chances[place] = {}
    return Evidence(chances, is_covered=is_covered(reading.advice))


def _missed(chances: Mapping[str, object]) -> list[str]:
    """The places of lines of cards of which nothing is told, but beyond which cards lie: no line has a gap."""
    ends = [stack for place in chances if (stack := parse_place(place))]
    before = {stack.place(index) for stack, end in ends for index in range(1, end)}
    return [place for place in before if place not in chances]


def _untold(reading: TableReading) -> list[str]:
    """The piles of which a reading says nothing. A turned card is told only where one lies; nothing is known of it
    where nothing is known of the waste beside it, or the stock, on which it may lie, is in doubt."""
    layout = LAYOUTS.get(reading.layout or "")
    told = {*reading.places, *(card.place for card in reading.cards)}
    told |= {TURNED} if WASTE in told and STOCK not in reading.doubts else set()
    return [place for place in PILES if layout and layout.piles and place not in told]


@dataclass
class Follower:
    """Follows one game by its pictures. ``game``: as far as it is known; the first picture tells it otherwise."""

    eyes: Eyes
    game: Game | None = None
    belief: Belief | None = None
    places: dict[str, Quad] = field(default_factory=dict)
    prints: DeckPrints = NO_PRINTS

    def look(self, picture: bytes) -> Belief:
        """What is believed after one more picture (the file's bytes). Raises PictureError where the bytes are no
        picture, or the first one shows no layout."""
        reading = self._read(picture)
        if reading is None:
            self.belief = following.unread(self._begun())
            return self.belief
        if self.belief is None:
            self.game = self.game or _game_of(reading)
            self.belief = following.start(self.game, evidence_of(reading))
        else:
            self.belief = following.followed(self.belief, evidence_of(reading))
        self.places = places_after(self.places, reading, self.belief)
        self.prints = reading.prints.after(self.prints)
        return self.belief

    def _begun(self) -> Belief:
        assert self.belief is not None
        return self.belief

    def _read(self, picture: bytes) -> TableReading | None:
        """The reading of a picture in the game's layout; None where the table is hidden."""
        layout, eyes = self.game.layout if self.game else AUTO, Knowing(self.eyes, self.prints)
        try:
            reading = eyes.read(picture, layout=layout)
        except PictureError as error:
            if self.belief is None or error.code not in HIDDEN:
                raise
            return carried_on(eyes, picture, self.belief, self.places)
        if reading.layout is None:
            raise UnreadableTrouble("no-layout")
        return reading if self.belief is None else in_place(eyes, picture, reading, self.belief, self.places)

    def record(self) -> str:
        """The game so far as text."""
        return record_of(self._begun())


def places_after(places: Mapping[str, Quad], reading: TableReading, belief: Belief | None) -> dict[str, Quad]:
    """Where each place lay when it was last seen, after one more look (what is believed since: None where nothing is
    known yet). Of what was hidden, is in question, or is another table's for all that is known, nothing is taken."""
    if belief is not None and (belief.best.event.kind == "hidden" or belief.is_young or not belief.is_clear):
        return dict(places)
    return carried.places_of(reading, places)


def carried_on(eyes: Eyes, picture: bytes, belief: Belief, places: Mapping[str, Quad]) -> TableReading | None:
    """What is left of a layout that a picture does not tell by itself, by where its places lay before (``places``);
    None where the table is hidden."""
    layout, known = belief.game.layout, dict(lying(belief.best.position))
    if belief.is_young:
        return None
    try:
        spread = eyes.read(picture, layout=None)
        there = carried.carried_places(spread, known, places)
        if there is None:
            return None
        if LAYOUTS[layout].lines:
            return _pointed_out(eyes, picture, spread, belief, there)
        # Where no layout says that there are some, backs are missed: every place is looked at.
        return eyes.read(picture, layout=InPlace(layout, there))
    except PictureError:
        return None


def _pointed_out(
    eyes: Eyes, picture: bytes, spread: TableReading, belief: Belief, there: Mapping[str, Quad]
) -> TableReading:
    """Half rows, as if a person had pointed at their bases where these lay; or, where that tells nothing, each card of
    the `spread` on the place on which it lies."""
    layout, known = belief.game.layout, dict(lying(belief.best.position))
    asked = carried.pointed_out(layout, there, spread)
    if asked is not None:
        with suppress(PictureError):
            return carried.regrouped(eyes.read(picture, layout=asked), known, there)
    return carried.carried(spread, layout, there, known)


def in_place(
    eyes: Eyes,
    picture: bytes,
    reading: TableReading,
    belief: Belief,
    places: Mapping[str, Quad],
    *,
    pointed: bool = False,
) -> TableReading:
    """The reading of a picture; where much of a pyramid is in doubt, or a layout was put elsewhere than where it lay
    before (``places``), as it lay then, if that agrees with as much of what lay there. pointed: a person pointed at its
    piles, for they do not lie where piles are usual."""
    layout, known = belief.game.layout, dict(lying(belief.best.position))
    if belief.is_young:
        return reading  # whose places they are is not known
    there = carried.carried_places(reading, known, places)
    if there is None:
        return reading
    lines, beside = bool(LAYOUTS[layout].lines), carried.is_elsewhere(reading, there)
    asked: Asked = None
    if lines and beside:
        asked = carried.pointed_out(layout, there, reading)
    elif not lines and (pointed or beside or evidence_of(reading).is_poor):
        asked = InPlace(layout, carried.with_piles(there, reading))
    if asked is not None:
        with suppress(PictureError):
            other = eyes.read(picture, layout=asked)
            likelier = max(reading, other, key=lambda one: (carried.agreeing(one, known), -len(one.doubts)))
            reading = other if pointed else likelier
    return carried.regrouped(reading, known, there) if lines else reading


def record_of(belief: Belief) -> str:
    """The game so far as text: its legal moves, as far as no broken rule was played on from."""
    best, family = belief.best, family_of(belief.game)
    moves = best.moves if best.broken is None else best.moves[: best.broken]
    start = best.states[0].position
    # Cards that nobody saw may be told in a way that no deal has: then they stay unseen in the deal of the record.
    with suppress(RulesError):
        start = family.learn(start, moves, belief.game)
    with suppress(RulesError):
        moves = tuple(_named(start, moves, belief.game))
    return record_text(Record(belief.game, start, moves))


def _named(start: Position, moves: Iterable[AnyMove], game: Game) -> Iterator[AnyMove]:
    """The moves, cards that nobody saw in this pass named by what was seen of them in another."""
    family, position = family_of(game), start
    for move in moves:
        known = family.fill(move, position) if FACE_DOWN in move.cards else move
        position = family.play(position, known, game)
        yield known


def _game_of(reading: TableReading) -> Game:
    games = compose(reading, None).games
    return find_game(games[0]) if games else plain_game(reading.layout or "")


def follow_answer(belief: Belief) -> dict[str, Any]:
    """What one picture came to, as the contract has it."""
    best = belief.best
    is_told = belief.is_clear or best.event.kind == "start" or bool(belief.broken)
    return {
        "explanation": best.event.kind if is_told else "question",
        "moves": [move.to_json() for move in best.event.moves],
        "undone": [move.to_json() for move in best.event.undone],
        "misread": list(best.event.misread),
        "violations": [broken.to_json() for broken in belief.broken or best.event.violations],
        "question": None if belief.is_clear else _question(belief),
        "provisional": not belief.is_clear,
        "position": best.position.to_json(),
        "faults": [fault.to_json() for fault in layout_faults(best.position, belief.game)],
        **{name: list(told) for name, told in _ranges(belief).items() if told is not None},
    }


def _ranges(belief: Belief) -> Mapping[str, tuple[int, int] | None]:
    return {"stock_count": belief.stock_count, "pass": belief.pass_number}


def _question(belief: Belief) -> dict[str, Any]:
    """What is open: the ways it may have gone, the likeliest first, and the places at which they differ."""
    lines = (belief.best, *belief.rivals)
    shown = [dict(lying(line.position)) for line in lines]
    places = {place: None for look in shown for place in look}
    differ = [place for place in places if len({look.get(place) for look in shown}) > 1]
    doubted = [place for broken in belief.best.pending for place in broken.places]
    options = [{name: part for name, part in way.items() if name != "value"} for way in ways_of(belief)]
    return {"places": list(dict.fromkeys((*differ, *doubted))), "options": options}


def ways_of(belief: Belief) -> list[dict[str, Any]]:
    """The ways it may have gone, the likeliest first, each with its moves since it parted from the others; by its
    ``value`` a person chooses one."""
    lines = (belief.best, *belief.rivals)
    options = [{"value": str(number), **_option(line, belief.shared)} for number, line in enumerate(lines)]
    if belief.best.pending and not any(line.event.kind in ("hidden", "misread") for line in lines):
        doubted = [place for broken in belief.best.pending for place in broken.places]
        options.append(
            {"value": "misread", "explanation": "misread", "moves": [], "misread": doubted, "violations": []}
        )
    return options


def _option(line: Line, shared: int) -> dict[str, Any]:
    """One of the ways: its moves since it parted from the others."""
    return {
        "explanation": line.event.kind,
        "moves": [move.to_json() for move in line.moves[shared:]],
        "misread": list(line.event.misread),
        "violations": [broken.to_json() for broken in line.event.violations],
    }

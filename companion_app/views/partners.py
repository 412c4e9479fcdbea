"""What a card goes with now, and all legal moves: looked up among the rules, nothing guessed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion_app.languages import Language
from companion_app.languages.phrases import move_phrase, places_phrase, stack_name
from companion_app.tables.table import Table, move_key
from companion_app.views.row_view import is_in_cellar, marked_places
from rules.cards import GONE, Card, Seen, seen_code
from rules.catalogue import Game
from rules.families import family_of
from rules.family import AnyMove
from rules.layouts import FOUNDATION, STOCK, TURNED, WASTE
from rules.looks import Position, covering, free_places, known
from rules.pyramid.pairing import leaves_alone
from rules.pyramid.position import PyramidPosition
from rules.rows.places import parse_place
from rules.rows.position import RowPosition


@dataclass(frozen=True, slots=True)
class Ground:
    """What the cards lie on that are told of: all that is known of the table, its game, and the places in doubt."""

    position: Position
    game: Game
    doubts: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Table) -> "Ground":
        """The ground of a table, with what follows from its cards filled in."""
        return cls(known(table.position(), table.game), table.game, table.doubts)


@dataclass(frozen=True, slots=True)
class Partners:
    """What can be done with the card at a place.

    ``moves``: every legal move that it makes or, as one of a pair, is made with. ``takes``: every legal move that lays
    another card on it. ``covers``: the places of the cards that keep it from being in play, the nearest first.
    ``unread``: places in play of which nobody knows the card: it may be one that goes with this one.
    """

    place: str
    card: Seen | None
    moves: tuple[AnyMove, ...] = ()
    takes: tuple[AnyMove, ...] = ()
    covers: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    locked: bool = False

    def places(self, position: Position) -> tuple[str, ...]:
        """The places of the cards, and the empty ones, that the card goes with."""
        other = [place for move in self.moves for place in move_places(position, move) if place != self.place]
        return tuple(dict.fromkeys([*other, *(move.places[0] for move in self.takes)]))


def partners_of(position: Position, game: Game, place: str) -> Partners | None:
    """What can be done with the card at a place; None where no card of the game lies."""
    position = known(position, game)
    card = position.look(place)
    if card is GONE or place == FOUNDATION or (card is None and place not in (TURNED, WASTE)):
        return None
    legal = family_of(game).legal_moves(position, game)
    if isinstance(position, RowPosition):
        moves = tuple(move for move in legal if move.places[:1] == (place,) and move.kind != "direction")
        takes = tuple(move for move in legal if move not in moves and move_places(position, move)[1:] == (place,))
        locked = is_in_cellar(position, place, game)
        return Partners(place, card, moves, takes, _before(position, place), locked=locked)
    moves = tuple(move for move in legal if place in move.places and (place == STOCK or move.kind in _REMOVALS))
    covers = covering(position, place)
    pairs = isinstance(card, Card) and not covers and place != STOCK and not leaves_alone(card, game.options)
    unread = tuple(spot for spot in _unread(position, game) if spot != place) if pairs else ()
    return Partners(place, card, moves, (), covers, unread)


_REMOVALS = ("pair", "single")


def _before(position: RowPosition, place: str) -> tuple[str, ...]:
    """The places of all cards between one and the playable end of its line."""
    found: list[str] = []
    while near := covering(position, found[-1] if found else place):
        found += near
    return tuple(found)


def _unread(position: PyramidPosition, game: Game) -> Iterator[str]:
    """The places in play of which the card is not known, or of which nobody knows whether one lies there."""
    for place in free_places(position, game):
        if not isinstance(position.look(place), Card):
            yield place
    if position.waste is None:
        yield WASTE
    if position.turned is None and game.options.turned == "held":
        yield TURNED


def move_places(position: Position, move: AnyMove) -> tuple[str, ...]:
    """The places that a move is shown by: where its cards lie, and where they go."""
    if isinstance(position, RowPosition):
        return marked_places(position, move.to_json())
    return move.places


def doubtful_places(ground: Ground, move: AnyMove) -> tuple[str, ...]:
    """Those of the places of a move that are in doubt, or whose card was not read; what is turned nobody has seen."""
    places = () if move.kind in ("turn", "redeal") else move_places(ground.position, move)
    return tuple(place for place in places if place in ground.doubts or _is_unread(ground.position, place))


def _is_unread(position: Position, place: str) -> bool:
    seen = position.look(place)
    return seen is not None and seen is not GONE and not isinstance(seen, Card)


def partners_view(spoken: Language, ground: Ground, place: str) -> dict[str, Any] | None:
    """What the page says of the card at a place, a line each; `places` are marked on board and photograph."""
    found = partners_of(ground.position, ground.game, place)
    if found is None:
        return None
    return {"lines": list(_lines(spoken, ground, found)), "places": found.places(ground.position)}


def _lines(spoken: Language, ground: Ground, found: Partners) -> Iterator[str]:
    rows = isinstance(ground.position, RowPosition)
    if found.place != STOCK and not isinstance(found.card, Card):
        yield spoken.say("partners.not-known")
    elif found.place in ground.doubts:
        yield spoken.say("partners.in-doubt")
    if found.covers:
        cards = "; ".join(named(spoken, ground, spot) for spot in found.covers)
        yield spoken.say("partners.behind" if rows else "partners.covered", cards=cards)
    if found.locked:
        yield spoken.say("partners.locked")
    yield from _moves_of(spoken, ground, found)
    if found.takes:
        cards = "; ".join(dict.fromkeys(named(spoken, ground, move.places[0]) for move in found.takes))
        yield spoken.say("partners.takes", cards=cards)
    if found.unread:
        yield spoken.say("partners.unread", places=places_phrase(spoken, found.unread))
    is_card = isinstance(found.card, Card) and not found.covers and not found.locked
    if is_card and not (found.moves or found.takes or found.unread):
        yield spoken.say("partners.none")


def _moves_of(spoken: Language, ground: Ground, found: Partners) -> Iterator[str]:
    """The moves of a card: the cards of its pairs in one line, so the places where it goes, the others a line each."""
    pairs = [spot for move in found.moves if move.kind == "pair" for spot in move.places if spot != found.place]
    if pairs:
        yield spoken.say("partners.with", cards="; ".join(named(spoken, ground, spot) for spot in pairs))
    rows = isinstance(ground.position, RowPosition)
    goals = [move for move in found.moves if rows and len(move.places) > 1]
    if goals:
        yield spoken.say("partners.to", places="; ".join(goal_phrase(spoken, ground, move) for move in goals))
    for move in found.moves:
        if move.kind == "single":
            yield spoken.say("partners.alone")
        elif move.kind != "pair" and move not in goals:
            yield move_phrase(spoken, move.to_json())


def goal_phrase(spoken: Language, ground: Ground, move: AnyMove) -> str:
    """Where a card of a row game goes: onto which card, or into which empty place."""
    _, goal = move_places(ground.position, move)
    line = parse_place(goal)
    if move.kind == "fill" and line is not None:
        return spoken.say("partners.empty", place=stack_name(spoken, line[0]))
    if move.kind in ("cellar", "base"):
        return spoken.place(goal)
    key = "partners.foundation" if move.kind == "foundation" else "partners.onto"
    return spoken.say(key, card=named(spoken, ground, goal))


def named(spoken: Language, ground: Ground, place: str) -> str:
    """The card at a place with its place, and whether it is in doubt."""
    seen = ground.position.look(place)
    card = spoken.say("seen.unknown") if seen is None else spoken.card(seen_code(seen))
    doubt = f", {spoken.say('cell.doubtful')}" if place in ground.doubts else ""
    return f"{card} ({spoken.place(place)}{doubt})"


def moves_view(spoken: Language, ground: Ground, shown: str = "") -> dict[str, Any]:
    """Every legal move now, with its key, what it rests on, and whether it is the one on show; `places` of that."""
    legal = family_of(ground.game).legal_moves(ground.position, ground.game)
    on_show = next((move for move in legal if shown and move_key(move) == shown), None)
    return {
        "all": [
            {
                "key": move_key(move),
                "name": move_words(spoken, ground, move),
                "doubtful": places_phrase(spoken, doubtful_places(ground, move)),
                "shown": move is on_show,
            }
            for move in legal
        ],
        "shown": move_key(on_show) if on_show else "",
        "places": move_places(ground.position, on_show) if on_show else (),
    }


def move_words(spoken: Language, ground: Ground, move: AnyMove) -> str:
    """A move as a list of all moves names it: that of a row game with the card that it is laid on."""
    words = move_phrase(spoken, move.to_json())
    if move.kind not in ("build", "fill"):
        return words
    _, goal = move_places(ground.position, move)
    line = parse_place(goal)
    if move.kind == "fill":
        return f"{words} ({stack_name(spoken, line[0]) if line else goal})"
    return spoken.say("move.build", cards=spoken.card(seen_code(move.cards[0])), goal=named(spoken, ground, goal))

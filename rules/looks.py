"""What can be asked of looks at a table, whatever family its game is of."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from rules.bounds import MOST_CARDS, check_counts
from rules.cards import GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.errors import PositionError
from rules.fault import Fault, Stage
from rules.layouts import PILES, pyramid_place
from rules.pyramid import faults as pyramid_faults
from rules.pyramid import legality
from rules.pyramid import referee as pyramid_referee
from rules.pyramid.complete import complete as pyramid_complete
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition
from rules.refusals import wrong_rows
from rules.rows import faults as row_faults
from rules.rows import referee as row_referee
from rules.rows.complete import complete as row_complete
from rules.rows.in_play import before_it, playable
from rules.rows.moves import RowMove
from rules.rows.places import CELLAR, base_place
from rules.rows.position import RowPosition
from rules.rows.shapes import SHAPES
from rules.story import Explanation

Position = PyramidPosition | RowPosition
Told = Explanation[PyramidPosition, Move] | Explanation[RowPosition, RowMove]


def position_from_json(data: Mapping[str, Any], game: Game) -> Position:
    """The position of an object as in the contract; raises CardError, or PositionError where it is not one of the
    game's family or has not the rows of the game."""
    check_counts(data)
    position = RowPosition.from_json(data) if game.family == "rows" else pyramid_from_json(data)
    check_fits(position, game)
    return position


def any_from_json(data: Mapping[str, Any]) -> Position:
    """The position of an object as in the contract, of whichever family; raises CardError or PositionError."""
    if "pyramid" in data or "left" not in data:
        return pyramid_from_json(data)
    check_counts(data)
    return RowPosition.from_json(data)


def layouts_of(position: Position) -> tuple[str, ...]:
    """The ids of the layouts that a position may be of, the likeliest first: columns that are not told may be there all
    the same. Raises PositionError where none has so many half rows."""
    if isinstance(position, PyramidPosition):
        return (f"pyramid-{position.row_count}",)
    shapes = [shape for shape in SHAPES.values() if shape.rows == position.row_count]
    found = [shape for shape in shapes if shape.column or not position.columns]
    if not found:
        said = f"no row game has {position.row_count} half rows a side laid so"
        raise PositionError(said, "no-row-game", rows=position.row_count)
    return tuple(shape.id for shape in sorted(found, key=lambda shape: bool(shape.column) != bool(position.columns)))


def layout_of(position: Position) -> str:
    """The likeliest of its layouts; raises PositionError."""
    return layouts_of(position)[0]


def cards_told(position: Position) -> list[Seen]:
    """Every card that a position tells of, in the order of its places; those of piles listed too."""
    if isinstance(position, RowPosition):
        return [card for _, card in position.lying()]
    piles = (position.waste, position.turned, position.foundation)
    lists = (position.stock_cards, position.waste_cards, position.gone_cards)
    listed = [card for cards in (*position.rows, *lists) for card in cards or ()]
    return [*listed, *(card for card in piles if card is not None)]


def told_twice(position: Position) -> set[Card]:
    """The cards, but for jokers, that a position tells to lie in two places at once."""
    if isinstance(position, RowPosition):
        homes = [[card] for _, card in position.lying()]
    else:
        stock, waste = (position.stock_cards, None), (position.waste_cards, position.waste)
        piles = (stock, waste, (None, position.turned), (position.gone_cards, position.foundation))
        homes = [[card] for row in position.rows for card in row]
        homes += [[*(cards or ()), *([] if top is None else [top])] for cards, top in piles]
    count = Counter(card for home in homes for card in set(home))
    return {card for card, homes in count.items() if homes > 1 and isinstance(card, Card) and not card.is_joker}


def lying(position: Position) -> Iterator[tuple[str, Seen]]:
    """Every place of which a position says something, with what is to be seen there; of a row game those where a card
    lies, and those of the base column and the cellar that are empty."""
    if isinstance(position, RowPosition):
        yield from position.lying()
        for row, card in enumerate(position.bases, start=1):
            if card is GONE:
                yield base_place(row), GONE
        if position.cellar is GONE:
            yield CELLAR, GONE
        return
    for row, cards in enumerate(position.rows, start=1):
        for column, card in enumerate(cards, start=1):
            yield pyramid_place(row, column), card
    for pile in PILES:
        seen = position.look(pile)
        if seen is not None:
            yield pile, seen


def position_from_places(game: Game, places: Mapping[str, Seen | bool | None]) -> Position:
    """The position that a picture shows: what lies at each place of the game's layout."""
    if game.family == "rows":
        return RowPosition.from_places(game, places)
    return PyramidPosition.from_places(game, places)


def pyramid_from_json(data: Mapping[str, Any]) -> PyramidPosition:
    """The pyramid position of an object as in the contract; raises CardError, or PositionError saying which key is
    wrong and why."""
    check_counts(data)
    rows = data.get("pyramid")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows) or not rows:
        said = "a position of the pyramid family needs 'pyramid': a list of rows from the apex"
        raise PositionError(said, "no-pyramid")
    for count, row in enumerate(rows, start=1):
        if len(row) != count:
            said = f"row {count} of a pyramid has {count} places, not {len(row)}"
            raise PositionError(said, "row-length", row=count, places=len(row))
    stock, number = data.get("stock"), data.get("pass")
    if not (stock is None or isinstance(stock, bool) or (_is_count(stock, 0) and stock <= MOST_CARDS)):
        quoted = reprlib.repr(stock)
        said = f"stock is true, false or the number of its cards, from 0 to {MOST_CARDS}, not {quoted}"
        raise PositionError(said, "stock-value", value=quoted, most=MOST_CARDS)
    if not (number is None or _is_count(number, 1)):
        quoted = reprlib.repr(number)
        raise PositionError(f"pass is a number from 1, not {quoted}", "pass-value", value=quoted)
    return PyramidPosition.from_json(data)


def check_fits(position: Position, game: Game) -> None:
    """Raise PositionError where a position has other rows than the game, of its family, or a pass that the game has
    not."""
    if isinstance(position, RowPosition):
        row_referee.check_rows(position, game)
        return
    options = game.options
    if position.row_count != options.rows:
        raise wrong_rows(game, position.row_count)
    if position.pass_number is not None and options.passes is not None and position.pass_number > options.passes:
        said = (
            f"pass {position.pass_number} is told, but {game.id} goes through the stock {options.passes} times at most"
        )
        raise PositionError(said, "pass-beyond", number=position.pass_number, game=game.id, passes=options.passes)


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def layout_faults(position: Position, game: Game, stage: Stage = "play") -> tuple[Fault, ...]:
    """Every fault of the layout."""
    if isinstance(position, RowPosition):
        return row_faults.layout_faults(position, game, stage)
    return pyramid_faults.layout_faults(position, game, stage)


def known(position: Position, game: Game) -> Position:
    """The position with what follows from it filled in."""
    if isinstance(position, RowPosition):
        return row_complete(position, game)
    return pyramid_complete(position, game)


def free_places(position: Position, game: Game) -> tuple[str, ...]:
    """The places whose card is in play."""
    if isinstance(position, RowPosition):
        return tuple(source.place for source in playable(position, game))
    return legality.free_places(position, game)


def covering(position: Position, place: str) -> tuple[str, ...]:
    """The places of the cards that keep the one at a place from being in play."""
    if isinstance(position, RowPosition):
        return before_it(position, place)
    return legality.covering(position, place)


def explain(before: Position, after: Position, game: Game) -> Told:
    """What leads from one look to the next, or what broke a rule; both are of the game's family. A card of another deck
    in a row game counts as one that cannot be read."""
    if isinstance(before, RowPosition) and isinstance(after, RowPosition):
        return row_referee.explain(_of_the_deck(before, game), _of_the_deck(after, game), game)
    return pyramid_referee.explain(cast(PyramidPosition, before), cast(PyramidPosition, after), game)


def explain_by_moves(
    before: Position, after: Position, game: Game, *, trusting: bool = False, hidden: int = 0
) -> Told | None:
    """The same where legal moves lead from one look to the next, nothing, or moves taken back; else None, and that
    costs little. Of a pyramid game: trusting: legal moves that take cards never seen are told also where a broken rule
    may be likelier. hidden: looks in between at which nothing was seen: for each of them one move more is looked for.
    """
    if isinstance(before, RowPosition) and isinstance(after, RowPosition):
        return row_referee.by_moves(_of_the_deck(before, game), _of_the_deck(after, game), game, hidden=hidden)
    before, after = cast(PyramidPosition, before), cast(PyramidPosition, after)
    return pyramid_referee.by_moves(before, after, game, trusting=trusting, hidden=hidden)


def explain_by_breaches(before: Position, after: Position, game: Game) -> Sequence[Told]:
    """Ways in which rules may have been broken from one look to the next, the likeliest first; in a pyramid game also
    where legal moves with cards never seen lead there as well."""
    if isinstance(before, RowPosition) or isinstance(after, RowPosition):
        found = explain(before, after, game)
        return (found,) if found.violations else ()
    found = pyramid_referee.explain(before, after, game)
    others = pyramid_referee.by_breach(before, after, game)
    return tuple(dict.fromkeys(way for way in (found, *others) if way.violations))


def _of_the_deck(position: RowPosition, game: Game) -> RowPosition:
    deck: set[Seen] = set(game.row_options.deck)
    strange = [place for place, card in position.lying() if isinstance(card, Card) and card not in deck]
    return position.with_seen(dict.fromkeys(strange, UNREADABLE))


def explain_game(positions: Sequence[Position], game: Game) -> Told:
    """The moves between looks, or what broke a rule; all positions are of the game's family."""
    if game.family == "rows":
        return row_referee.explain_game(cast("Sequence[RowPosition]", positions), game)
    return pyramid_referee.explain_game(cast("Sequence[PyramidPosition]", positions), game)

"""The referee: which moves, if any, lead from one look at a table to the next, and which rules were broken.

A card turned up by the rules is learnt; cards put back are moves undone; a card that changed is a fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.layouts import pyramid_place
from rules.pyramid.breaches import likeliest_breach
from rules.pyramid.complete import complete
from rules.pyramid.explain import MOST_MOVES, Way, distinct, legal_ways, to_moves
from rules.pyramid.match import Learnt, named
from rules.pyramid.moves import Move
from rules.pyramid.position import Cards, PyramidPosition
from rules.pyramid.scene import HAND_TOKEN, HELD_TOKEN, Scene, Table, make_scene, to_position
from rules.refusals import wrong_rows
from rules.story import Explanation, TableChange, tell
from rules.violation import Violation

Told = Explanation[PyramidPosition, Move]
MOST_UNSEEN = 2
TRUSTED = 10
"""Legal moves with that many cards never seen are believed as long as their cost is no more: two moves, not four."""
MOST_STRANGE = 3
"""Cards that lie where others or none lay, by a hand that knows no rules or an eye that errs."""
MOST_TURNED_BACK = 2
"""Turns taken back that leave no waste; where more would be, the waste was rather turned over as one block."""


def explain(
    before: PyramidPosition, after: PyramidPosition, game: Game, *, undo: bool = True, hides: bool = False
) -> Told:
    """What leads from one look to the next (``undo``: perhaps moves taken back; ``hides``: the player is known to hold
    the card just turned out of sight); raises PositionError where their rows are not the game's."""
    found = by_moves(before, after, game, undo=undo, hides=hides)
    if found is not None:
        return found
    before = complete(before, game)
    broken = _broken(before, after, game, _changed(before, after, game))
    other = _other_table(before, after, len(broken.violations), game)
    return broken if other == "same" else Explanation((), (), (), complete(after, game), table=other)


def by_moves(
    before: PyramidPosition,
    after: PyramidPosition,
    game: Game,
    *,
    undo: bool = True,
    hides: bool = False,
    trusting: bool = False,
    hidden: int = 0,
) -> Told | None:
    """The same where legal moves lead from one look to the next, or nothing, or moves taken back; else None, at a small
    part of the cost. trusting: they are told also where one broken rule may be likelier. hidden: looks in between at
    which nothing was seen, each of which may have hidden a move."""
    for position in (before, after):
        if position.row_count != game.options.rows:
            raise wrong_rows(game, position.row_count)
    scene = make_scene(before, after, game, hides=hides)
    before = complete(before, game)
    if _changed(before, after, game):
        return None
    ways = legal_ways(scene, MOST_MOVES + hidden)
    if ways:
        doubted = None if trusting else _doubted(before, scene, ways, game)
        return doubted or _legal(before, scene, ways)
    return _put_back(before, after, game) if undo else None


def by_breach(before: PyramidPosition, after: PyramidPosition, game: Game) -> tuple[Told, ...]:
    """Rules that may have been broken from one look to the next, with cards that were seen, even where legal moves with
    cards never seen lead there as well: the likeliest, and the likeliest without any legal move beside it."""
    scene = make_scene(before, after, game)
    before = complete(before, game)
    if _changed(before, after, game):
        return ()
    ways = [likeliest_breach(scene, game, only_seen=True)]
    if ways[0].moves:
        ways.append(likeliest_breach(scene, game, alone=True))
    return tuple(
        Explanation(way.moves, (), way.violations, _merged(before, scene, way.table, way.learnt, way.moves))
        for way in ways
        if way.violations
    )


def explain_game(positions: Iterable[PyramidPosition], game: Game) -> Told:
    """A whole game, look by look. A look that no legal move explains is reported and does not lose the game so far:
    the next one is compared with the last good look first, then with the odd one."""
    looks = list(positions)
    hides = game.options.turned == "held" and not any(isinstance(look.turned, Card) for look in looks)
    if looks:
        looks[0] = _first(looks[0], game)
    return tell(looks, partial(explain, game=game, hides=hides))


def _first(look: PyramidPosition, game: Game) -> PyramidPosition:
    """The first look: where nothing has gone or lies on the waste yet, it is the first pass."""
    look = complete(look, game)
    if look.pass_number is None and look.gone_cards == () and look.waste is GONE:
        look = replace(look, pass_number=1)
    return look


def _legal(before: PyramidPosition, scene: Scene, ways: list[Way]) -> Told:
    moves, *alternatives = distinct(ways)
    position = _merged(before, scene, ways[0].table, ways[0].found.learnt, moves)
    for way in ways[1:]:
        if way.cost == ways[0].cost:
            taken = to_moves(way.steps, way.found.learnt)
            position = _common(position, _merged(before, scene, way.table, way.found.learnt, taken))
    return Explanation(moves, tuple(alternatives), (), position)


def _common(told: PyramidPosition, other: PyramidPosition) -> PyramidPosition:
    """What is known of the piles whichever of two equally likely ways it was."""
    changes: dict[str, object] = {}
    for name in ("stock_cards", "stock_count", "waste_cards", "pass_number", "stock_played"):
        if getattr(told, name) != getattr(other, name):
            changes[name] = None
    if Counter(told.gone_cards or ()) != Counter(other.gone_cards or ()):
        changes["gone_cards"] = None
    if "stock_count" in changes:
        changes["stock_cards"] = None
    return replace(told, **changes) if changes else told  # type: ignore[arg-type]


def _doubted(before: PyramidPosition, scene: Scene, ways: list[Way], game: Game) -> Told | None:
    """A breach likelier than legal moves, which are then its alternatives: one forbidden move against several with
    cards never seen, or one that explains what the foundation shows where they do not (another card, or still none)."""
    best = ways[0]
    held_unseen = best.hands > 0 or scene.start.turned in (HAND_TOKEN, HELD_TOKEN)
    bare = best.found.unshown and best.unseen_taken > 0 and not held_unseen
    contradicted = bare or not best.found.foundation_fits
    if not contradicted and (best.unseen_taken < MOST_UNSEEN or best.cost <= TRUSTED):
        return None
    breach = likeliest_breach(scene, game, only_seen=True)
    if not breach.violations or not (contradicted or breach.one_step):
        return None
    position = _merged(before, scene, breach.table, breach.learnt, breach.moves)
    return Explanation(breach.moves, tuple(distinct(ways)), breach.violations, position)


def _changed(before: PyramidPosition, after: PyramidPosition, game: Game) -> list[Violation]:
    """Places of the pyramid whose card is another one now, or was turned face down while nothing lies on it."""
    found: list[Violation] = []
    for row, column in _cells(game):
        old, new = before.at(row, column), after.at(row, column)
        turned_down = new is FACE_DOWN and game.options.face == "up" and not game.either_face
        if isinstance(old, Card) and ((isinstance(new, Card) and new != old) or turned_down):
            found.append(Violation("card-changed", (pyramid_place(row, column),), (old, new)))
    return found


def _cells(game: Game) -> list[tuple[int, int]]:
    return [(row, column) for row in range(1, game.options.rows + 1) for column in range(1, row + 1)]


def _put_back(before: PyramidPosition, after: PyramidPosition, game: Game) -> Told | None:
    """The explanation that moves were taken back: legal moves lead from the later look to the earlier one."""
    if before.stock is False and after.stock and after.waste is GONE:
        return None
    most_turns = MOST_TURNED_BACK if after.waste is GONE else MOST_MOVES
    ways = legal_ways(make_scene(after, before, game))
    for way in ways:
        moves = to_moves(way.steps, way.found.learnt)
        returned = [card for move in moves for card in move.cards]
        if not moves or not way.found.foundation_fits or not all(isinstance(card, Card) for card in returned):
            continue
        if any(move.kind == "redeal" for move in moves) or _never_left(before, moves):
            continue
        if sum(move.kind == "turn" for move in moves) > most_turns:
            continue
        return Explanation((), (), (), _known_from(before, after), tuple(reversed(moves)))
    return None


def _never_left(before: PyramidPosition, moves: tuple[Move, ...]) -> bool:
    """Whether a card said to be put back is not among those known to have gone."""
    gone = before.gone_cards
    if gone is None or FACE_DOWN in gone:
        return False
    return any(card not in gone for move in moves if move.kind in ("pair", "single") for card in move.cards)


def _other_table(before: PyramidPosition, after: PyramidPosition, broken: int, game: Game) -> TableChange:
    """Whether a look that only ``broken`` rules explain is a deal laid afresh, or another table: where more cards are
    other ones, lie where none lay or are gone without a reason than lie as they lay. A few misread or wrongly moved
    cards are neither."""
    pairs = [(before.at(*cell), after.at(*cell)) for cell in _cells(game)]
    same = sum(isinstance(old, Card) and old == new for old, new in pairs)
    strange = sum(isinstance(new, Card) and old != new and (old is GONE or isinstance(old, Card)) for old, new in pairs)
    laid = sum(old is GONE and new is not GONE for old, new in pairs)
    other = max(strange, broken) > max(MOST_STRANGE, same)
    if not any(new is GONE for _, new in pairs) and {after.waste, after.foundation} <= {None, GONE}:
        return "new-deal" if other or laid > MOST_STRANGE else "same"
    return "another-table" if other and after.left_in_pyramid() else "same"


def _broken(before: PyramidPosition, after: PyramidPosition, game: Game, changed: list[Violation]) -> Told:
    """The likeliest breach, places that changed or filled themselves taken as the later look shows them."""
    rows: list[Cards] = []
    appeared: list[Violation] = []
    for old_row, new_row in zip(before.rows, after.rows, strict=True):
        row: list[Seen] = []
        for old, new in zip(old_row, new_row, strict=True):
            if old is GONE and new is not GONE:
                place = pyramid_place(len(rows) + 1, len(row) + 1)
                appeared.append(Violation("card-appeared", (place,), (new,)))
            replaced = new is not GONE and (old is GONE or (isinstance(old, Card) and isinstance(new, Card)))
            row.append(new if replaced else old)
        rows.append(tuple(row))
    scene = make_scene(replace(before, rows=tuple(rows)), after, game)
    ways = legal_ways(scene) if changed or appeared else []
    if ways:
        legal = _legal(before, scene, ways)
        return replace(legal, violations=(*changed, *appeared))
    breach = likeliest_breach(scene, game)
    position = _merged(before, scene, breach.table, breach.learnt, breach.moves)
    return Explanation(breach.moves, (), (*changed, *appeared, *breach.violations), replace(position))


def _known_from(before: PyramidPosition, after: PyramidPosition) -> PyramidPosition:
    """The later look, with faces of the pyramid known from the earlier one."""
    rows = tuple(
        tuple(_better(new, old) for old, new in zip(old_row, new_row, strict=True))
        for old_row, new_row in zip(before.rows, after.rows, strict=True)
    )
    return replace(after, rows=rows)


def _merged(
    before: PyramidPosition, scene: Scene, table: Table, learnt: Learnt, moves: tuple[Move, ...]
) -> PyramidPosition:
    """The state reached, tokens named, with what only the later look shows."""
    after = scene.after
    state = to_position(scene, named(table, learnt))
    rows = tuple(
        tuple(_better(after.at(row, column), state.at(row, column)) for column in range(1, row + 1))
        for row in range(1, scene.options.rows + 1)
    )
    agrees = _piles_agree(state, after)
    gone = before.gone_cards
    taken = tuple(card for move in moves if move.kind in ("pair", "single") for card in move.cards)
    return PyramidPosition(
        rows=rows,
        stock=after.stock if after.stock is not None else state.stock,
        stock_cards=after.stock_cards if after.stock_cards is not None or not agrees else state.stock_cards,
        stock_count=after.stock_count,
        turned=state.turned if after.turned in (None, GONE, UNREADABLE) and agrees else after.turned,
        waste=after.waste if isinstance(after.waste, Card) or not agrees else state.waste,
        waste_cards=after.waste_cards if after.waste_cards is not None or not agrees else state.waste_cards,
        foundation=after.foundation,
        gone_cards=after.gone_cards if after.gone_cards is not None or gone is None else (*gone, *taken),
        pass_number=after.pass_number or state.pass_number,
        stock_played=state.stock_played if after.stock_played is None else after.stock_played,
    )


def _better(seen: Seen, known: Seen) -> Seen:
    return known if seen in (FACE_DOWN, UNREADABLE) and known is not GONE else seen


def _piles_agree(state: PyramidPosition, after: PyramidPosition) -> bool:
    """Whether the piles reached are those seen; where rules were broken they need not be."""
    if after.stock is not None and state.stock not in (None, after.stock):
        return False
    if after.stock_count is not None and state.stock_count not in (None, after.stock_count):
        return False
    if after.waste is None or state.waste is None:
        return True
    if (after.waste is GONE) != (state.waste is GONE):
        return False
    return not isinstance(after.waste, Card) or state.waste in (after.waste, FACE_DOWN, UNREADABLE)

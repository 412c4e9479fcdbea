"""A line tried on screen: moves over a position, values in, values out. No table is changed by it, and none is kept.

A line is the keys of its moves (`table.move_key`). It is played again from its start at every look, so that it needs no
place of its own: an address holds it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion_app.tables.table import move_key
from rules.cards import FACE_DOWN, GONE, Card, Seen
from rules.catalogue import Game
from rules.families import family_of
from rules.family import AnyMove, Outcome
from rules.layouts import FOUNDATION, STOCK, TURNED, WASTE
from rules.looks import Position, known
from rules.pyramid import moves as pyramid_moves
from rules.pyramid.legality import next_cards
from rules.pyramid.position import PyramidPosition
from rules.rows import moves as row_moves
from rules.rows.in_play import joining
from rules.rows.places import Stack, parse_place
from rules.rows.position import RowPosition
from rules.violation import Violation

MOST_MOVES = 300
"""Moves of a line: an address holds no more of them."""

Unsure = Literal["", "unseen", "unclear"]


@dataclass(frozen=True, slots=True)
class Trial:
    """A line: where it starts, the moves made, the keys of those taken back, and the position it leads to. ``stopped``:
    the keys of moves that do not go (any more), the first of which breaks a rule."""

    game: Game
    start: Position
    moves: tuple[AnyMove, ...]
    position: Position
    undone: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the moves made."""
        return tuple(move_key(move) for move in self.moves)

    @property
    def legal(self) -> Sequence[AnyMove]:
        """Every legal move now; none once the line is as long as one can be."""
        return family_of(self.game).legal_moves(self.position, self.game) if len(self.moves) < MOST_MOVES else ()

    @property
    def outcome(self) -> Outcome:
        """Won, lost, or open."""
        return family_of(self.game).outcome(self.position, self.game)

    def played(self, move: AnyMove) -> "Trial":
        """The line with one more legal move; what was taken back is forgotten."""
        after = family_of(self.game).play(self.position, move, self.game)
        return Trial(self.game, self.start, (*self.moves, move), after)


@dataclass(frozen=True, slots=True)
class Choice:
    """What comes of naming one place, or two: a ``move``; the place ``chosen`` first, which waits for a second one; the
    rules ``broken``; or that nobody can tell, because a card is not seen (``unseen``) or nothing lies there to move
    (``unclear``)."""

    move: AnyMove | None = None
    chosen: str = ""
    broken: tuple[Violation, ...] = ()
    unsure: Unsure = ""


def tried(start: Position, game: Game, keys: Sequence[str], undone: Sequence[str] = ()) -> Trial:
    """The line of these keys from a position, as far as the rules let it; those `undone` were taken back."""
    start = known(start, game)
    trial = Trial(game, start, (), start)
    for number, key in enumerate(keys):
        move = next((move for move in trial.legal if move_key(move) == key), None)
        if move is None:
            return replace(trial, stopped=tuple(keys[number:]))
        trial = trial.played(move)
    return replace(trial, undone=tuple(undone[: MOST_MOVES - len(trial.moves)]))


def taken_back(trial: Trial) -> Trial:
    """The line without its last move, which can be done again; itself where it has none."""
    if not trial.moves:
        return trial
    return tried(trial.start, trial.game, trial.keys[:-1], (trial.keys[-1], *trial.undone))


def done_again(trial: Trial) -> Trial:
    """The line with the move that was taken back last; itself where there is none."""
    if not trial.undone:
        return trial
    return tried(trial.start, trial.game, (*trial.keys, trial.undone[0]), trial.undone[1:])


def choose(trial: Trial, place: str, to: str = "") -> Choice:
    """What comes of naming a place, or two of them in turn, of which the second one may be the first again: then
    nothing is chosen."""
    if to:
        return Choice() if to == place else _between(trial, place, to)
    if place == STOCK and isinstance(trial.position, PyramidPosition):
        return _from_stock(trial)
    own = [move for move in trial.legal if place in _begun_at(trial.position, move)]
    if len(own) == 1 and len(own[0].places) == 1:
        return Choice(own[0])
    return Choice(chosen=place) if own else _kept_there(trial, place)


def _begun_at(position: Position, move: AnyMove) -> tuple[str, ...]:
    """The places by which a move may be begun."""
    if move.kind in ("direction", "turn"):
        return ()
    return move.places[:1] if isinstance(position, RowPosition) else move.places


def _from_stock(trial: Trial) -> Choice:
    """A turn, or where the stock is empty the waste turned over."""
    position = trial.position
    assert isinstance(position, PyramidPosition)
    move = next((move for move in trial.legal if move.kind == "turn"), None)
    move = move or next((move for move in trial.legal if move.kind == "redeal"), None)
    if move is not None:
        return Choice(move)
    held = trial.game.options.turned == "held"
    attempt = pyramid_moves.turn(next_cards(position, trial.game), held=held)
    if position.stock is False:
        attempt = pyramid_moves.REDEAL
    return Choice(broken=family_of(trial.game).violations(position, attempt, trial.game))


def _kept_there(trial: Trial, place: str) -> Choice:
    """Why no move begins at a place: what covers its card, or that nobody has seen it; else it waits for a second
    place, which shows which rule stands against it."""
    position, seen = trial.position, trial.position.look(place)
    if seen is None or seen is GONE or place == FOUNDATION:
        return Choice(unsure="unclear")
    attempt: AnyMove = pyramid_moves.single(seen, place)
    if isinstance(position, RowPosition):
        # Wherever a card is meant to go, it shows whether it can leave its place.
        attempt = row_moves.fill(seen, place, place)
    broken = family_of(trial.game).violations(position, attempt, trial.game)
    if stays := tuple(each for each in broken if each.breach in _STAYS):
        return Choice(broken=stays)
    return Choice(chosen=place) if isinstance(seen, Card) else Choice(unsure="unseen")


_STAYS = ("covered", "not-in-play", "locked-cellar", "deal-unfinished")


def _between(trial: Trial, place: str, to: str) -> Choice:
    """The move of two places: a pair, a card to where another one lies, or the waste turned over."""
    found = [move for move in trial.legal if _joins(trial.position, move, place, to)]
    exact = next((move for move in found if move.places[-1:] == (to,)), None)
    if found:
        return Choice(exact or found[0])
    attempt = _attempt(trial.position, place, to)
    if attempt is None:
        return Choice(unsure="unclear")
    broken = family_of(trial.game).violations(trial.position, attempt, trial.game)
    return Choice(broken=broken, unsure="" if broken else "unseen")


def _joins(position: Position, move: AnyMove, place: str, to: str) -> bool:
    if len(move.places) != 2:
        return False
    if not isinstance(position, RowPosition):
        return set(move.places) == {place, to}
    goal, named = parse_place(move.places[1]), parse_place(to)
    return move.places[0] == place and goal is not None and named is not None and goal[0] == named[0]


def _attempt(position: Position, place: str, to: str) -> AnyMove | None:
    """The move that somebody seems to mean, whether a rule allows it or not; None where it can be none."""
    card, other = position.look(place), position.look(to)
    if card is None or card is GONE:
        return None
    if not isinstance(position, RowPosition):
        if {place, to} == {WASTE, STOCK}:
            return pyramid_moves.REDEAL
        if {place, to} == {STOCK, TURNED} or to == FOUNDATION or place == FOUNDATION or other in (None, GONE):
            return None
        return pyramid_moves.pair(card, place, other or FACE_DOWN, to)
    goal = parse_place(to)
    return None if goal is None else _row_attempt(position, card, place, goal[0])


def _row_attempt(position: RowPosition, card: Seen, place: str, goal: Stack) -> AnyMove:
    if goal.kind == "base":
        empty = position.look(goal.place(1)) is GONE
        return row_moves.new_base(card, place, goal.row) if empty else row_moves.foundation(card, place, goal.row)
    if goal.kind == "cellar":
        return row_moves.to_cellar(card, place)
    ends = joining(position, goal)
    if not ends:
        return row_moves.fill(card, place, goal.place(1))
    return row_moves.build(card, place, goal.place(max(ends)))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page asks of a line: its moves and those taken back as keys, then one thing more: a move to be made, one
    step back or again, or a place, or two."""

    keys: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()
    move: str = ""
    way: Literal["", "back", "again"] = ""
    place: str = ""
    to: str = ""


def answered(start: Position, game: Game, asked: Asked) -> tuple[Trial, Choice]:
    """The line after what was asked of it, and what came of the places named. A move that does not go stops it."""
    trial = tried(start, game, asked.keys, asked.undone)
    if asked.move and not trial.stopped:
        return tried(start, game, (*trial.keys, asked.move)), Choice()
    if asked.way:
        return (taken_back(trial) if asked.way == "back" else done_again(trial)), Choice()
    if not asked.place or trial.stopped:
        return trial, Choice()
    choice = choose(trial, asked.place, asked.to)
    return (trial.played(choice.move) if choice.move else trial), choice

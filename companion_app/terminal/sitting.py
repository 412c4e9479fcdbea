"""A patience played at the terminal: what lies there, what its player sees of it, and every move back to the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card
from rules.catalogue import Game
from rules.errors import IllegalMove
from rules.families import family_of
from rules.family import AnyMove, Outcome
from rules.looks import Position, known
from rules.pyramid.full import known_position, sample_full
from rules.pyramid.position import PyramidPosition
from rules.record import Record, Replayed
from rules.rows.legality import is_being_dealt
from rules.rows.position import RowPosition
from rules.rows.shapes import BASES
from rules.simulation import advance, deal_of


@dataclass(frozen=True, slots=True)
class State:
    """One moment: the ``view`` of the player, and the ``truth`` behind it."""

    view: Any
    truth: Any


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game in play. ``states``: from the start, one more than ``moves``. ``undone``: the moves taken back, with the
    states they led to, the one to be done again first at the end. ``dealt``: it began with a deal. ``drawn``: the seed
    says how it lies, or the cards of it that nobody saw."""

    game: Game
    states: tuple[State, ...]
    moves: tuple[AnyMove, ...] = ()
    undone: tuple[tuple[AnyMove, State], ...] = ()
    dealt: bool = True
    drawn: bool = True

    @property
    def view(self) -> Any:
        """What the player sees now."""
        return self.states[-1].view

    @property
    def legal(self) -> Sequence[AnyMove]:
        """Every legal move, in the order in which they are numbered; none once the game is won."""
        if self.outcome == "won":
            return ()
        return family_of(self.game).legal_moves(self.view, self.game)

    @property
    def is_being_dealt(self) -> bool:
        """Whether the direction has to be chosen before more of the deal is seen."""
        return isinstance(self.view, RowPosition) and is_being_dealt(self.view, self.game)

    @property
    def outcome(self) -> Outcome:
        """Won, lost, or open, as far as the player can tell."""
        if self.is_being_dealt:
            return "open"
        return family_of(self.game).outcome(self.view, self.game)

    def play(self, move: AnyMove) -> Sitting:
        """The sitting after a move; raises IllegalMove. What was taken back before is forgotten."""
        now = self.states[-1]
        if isinstance(now.truth, RowPosition):
            # Of a row game all is seen: a deal that was not finished is, once the direction is chosen.
            truth = family_of(self.game).play(now.truth, move, self.game)
            done, state = move, State(truth, truth)
        else:
            done, view, truth = advance(self.game, now.view, now.truth, move)
            state = State(_looked(view, truth), truth)
        return replace(self, states=(*self.states, state), moves=(*self.moves, done), undone=())

    def undo(self) -> Sitting:
        """The sitting before the last move, the same where there is none."""
        if not self.moves:
            return self
        back = (self.moves[-1], self.states[-1])
        return replace(self, states=self.states[:-1], moves=self.moves[:-1], undone=(*self.undone, back))

    def redo(self) -> Sitting:
        """The sitting with the move taken back last done again, the same where there is none."""
        if not self.undone:
            return self
        move, state = self.undone[-1]
        return replace(self, states=(*self.states, state), moves=(*self.moves, move), undone=self.undone[:-1])

    def record(self) -> Record:
        """The game written down: of a deal all cards, for it can be played again; of a table that was given those that
        were seen."""
        if self.dealt:
            return Record(self.game, self.states[0].truth, self.moves)
        seen = _turned_up(self.states[0].view, [state.view for state in self.states])
        return Record(self.game, family_of(self.game).learn(seen, self.moves, self.game), self.moves)

    def replayed(self) -> Replayed:
        """The game as scores take it."""
        return Replayed(
            Record(self.game, self.states[0].truth, self.moves), tuple(state.truth for state in self.states)
        )


def dealt(game: Game, seed: int) -> Sitting:
    """A fresh deal: the first that ``simulate`` plays with this seed."""
    return _begun(game, deal_of(game, seed))


def laid(game: Game, position: Position, seed: int, learnt: Position | None = None) -> Sitting:
    """A game that goes on from a table: what nobody saw of it is drawn by the seed; ``learnt`` is the same table with
    what its player came to see later. Raises PositionError where nothing fits the table."""
    told = known(position, game)
    if isinstance(told, RowPosition):
        return Sitting(game, (State(told, told),), dealt=False, drawn=False)
    fitting = known(learnt or position, game)
    assert isinstance(fitting, PyramidPosition)
    truth = sample_full(fitting, game, Random(f"unseen {seed}")).to_position()
    truth = replace(truth, gone_cards=told.gone_cards, foundation=told.foundation)
    counted = replace(told, pass_number=truth.pass_number, turned=truth.turned, stock_played=truth.stock_played)
    if counted.stock_cards is None:
        counted = replace(counted, stock=None, stock_count=len(truth.stock_cards or ()))
    if counted.waste_cards is None:
        under = (FACE_DOWN,) * max(0, len(truth.waste_cards or ()) - 1)
        counted = replace(counted, waste=truth.waste, waste_cards=(*under, *(truth.waste_cards or ())[-1:]))
    drawn = known_position(fitting, game) is None
    return Sitting(game, (State(_looked(counted, truth), truth),), dealt=False, drawn=drawn)


def gone_on(played: Replayed, seed: int) -> Sitting:
    """A game that goes on from its record, as far as that can be played; cards never seen are drawn by the seed. Where
    what was drawn cannot be played so, it goes on from the table reached, and its moves so far are not taken back."""
    game, record = played.record.game, played.record
    family = family_of(game)
    start = family.learn(record.start, record.moves, game)
    if "deal" in family.start_texts(start, game):
        truth = next(iter(family.truths(start, game, Random(f"unseen {seed}"), 1)), start)
        sitting = replace(_begun(game, truth), drawn=family.unseen(start) > 0)
    else:
        sitting = laid(game, record.start, seed, start)
    try:
        for move in record.moves:
            sitting = sitting.play(move)
    except IllegalMove:
        return laid(game, played.position, seed)
    return sitting


def _begun(game: Game, truth: Any) -> Sitting:
    if isinstance(truth, RowPosition) and game.row_options.direction_chosen == "before" and truth.direction is None:
        return Sitting(game, (State(_first_base(truth), truth),))
    return Sitting(game, (State(family_of(game).show(truth, game), truth),))


def _first_base(truth: RowPosition) -> RowPosition:
    """What lies there when the direction has to be chosen: the base that comes first, and nothing that would help."""
    first, *others = truth.bases
    none = ((),) * truth.row_count
    return replace(
        truth,
        bases=(first, *(GONE for _ in others)),
        base_cards=(truth.base_cards[0], *(None,) * (BASES - 1)),
        left=none,
        right=none,
        left_column=None if truth.left_column is None else (),
        right_column=None if truth.right_column is None else (),
    )


def _turned_up(start: Any, views: Sequence[Any]) -> Any:
    """The start with every card of the pyramid that came to be seen."""
    if isinstance(start, RowPosition):
        return start
    faces = {
        (r, c): card
        for view in views
        for r, row in enumerate(view.rows, 1)
        for c, card in enumerate(row, 1)
        if isinstance(card, Card)
    }
    rows = tuple(tuple(faces.get((r, c), card) for c, card in enumerate(row, 1)) for r, row in enumerate(start.rows, 1))
    return replace(start, rows=rows)


def _looked(view: PyramidPosition, truth: PyramidPosition) -> PyramidPosition:
    """The view with what lies face up on a table: the tops of the piles, and cards of the pyramid that a picture could
    not tell."""
    rows = tuple(
        tuple(truth.at(r, c) if card is UNREADABLE else card for c, card in enumerate(row, 1))
        for r, row in enumerate(view.rows, 1)
    )
    view = replace(view, rows=rows)
    if isinstance(truth.turned, Card) and not isinstance(view.turned, Card):
        view = replace(view, turned=truth.turned)
    if isinstance(truth.waste, Card) and not isinstance(view.waste, Card) and view.waste_cards:
        view = replace(view, waste=truth.waste, waste_cards=(*view.waste_cards[:-1], truth.waste))
    return view

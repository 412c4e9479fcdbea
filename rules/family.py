"""What every family of games can do, so that records, scores, reviews and simulations need to know no family.

A *truth* is a position of which every card is known; a *view* is the same table as its player knows it. Both are
positions of the family and both are played with the same moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Literal, Protocol, TypeVar

from rules.cards import Seen
from rules.catalogue import Game
from rules.violation import Violation

Outcome = Literal["won", "lost", "open"]
Verdict = Literal["winnable", "lost", "undecided"]


class AnyMove(Protocol):
    """A move of any family: kind, cards and places of the contract."""

    @property
    def kind(self) -> str:
        """What is done."""

    @property
    def cards(self) -> tuple[Seen, ...]:
        """The cards that move."""

    @property
    def places(self) -> tuple[str, ...]:
        """Where they lie, and for a move that goes somewhere, where they go."""

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it."""


P = TypeVar("P")
M = TypeVar("M", bound=AnyMove)


@dataclass(frozen=True, slots=True)
class Thought:
    """How long a player may think about one move, in seconds by ``clock``; ``samples`` fixes the work instead, so
    that the answer depends on the random numbers alone."""

    seconds: float = 0.05
    samples: int | None = None
    clock: Callable[[], float] = time.perf_counter


@dataclass(frozen=True, slots=True)
class Solved(Generic[M]):
    """What is known of a truth: ``moves`` wins if winnable, else leaves ``cards_left``; ``exact``: fewer cannot be."""

    verdict: Verdict
    moves: tuple[M, ...]
    cards_left: int
    exact: bool


class Family(Protocol[P, M]):
    """The acts of one family."""

    def prepare(self, game: Game) -> None:
        """Loads what the first hint or search would else wait for."""

    def deal(self, game: Game, rng: Random) -> P:
        """A truth shuffled by ``rng``."""

    def show(self, truth: P, game: Game) -> P:
        """The view of a truth that has just been dealt."""

    def fill(self, move: M, truth: P) -> M:
        """The move with the cards that turn out to be moved, where the view could not name them."""

    def look(self, view: P, truth: P, game: Game) -> P:
        """The view with what the last move has turned up."""

    def legal_moves(self, position: P, game: Game) -> Sequence[M]:
        """Every legal move on what is known."""

    def violations(self, position: P, move: M, game: Game) -> tuple[Violation, ...]:
        """Every rule the move breaks."""

    def play(self, position: P, move: M, game: Game) -> P:
        """The position after a legal move; raises IllegalMove."""

    def outcome(self, position: P, game: Game) -> Outcome:
        """Won, lost, or open."""

    def left_parts(self, position: P, game: Game) -> tuple[tuple[str, int], ...]:
        """Cards still to be played off, by pile; raises NotNotedError where the position does not tell."""

    def solve(
        self,
        truth: P,
        game: Game,
        seconds: float | None,
        *,
        fewest: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> Solved[M]:
        """Whether the truth can be won, as far as ``seconds`` by ``clock`` allow; ``fewest`` also seeks the line that
        leaves the fewest cards."""

    def shorten(
        self, truth: P, game: Game, line: tuple[M, ...], seconds: float, clock: Callable[[], float] = time.perf_counter
    ) -> tuple[tuple[M, ...], bool]:
        """A line that wins from a truth, made shorter as far as ``seconds`` by ``clock`` allow, and whether it is
        proven that no line is shorter."""

    def hint(self, view: P, game: Game, rng: Random, thought: Thought) -> tuple[M, ...]:
        """The best move, with those that follow where they are proven; at least one while the game is open."""

    def greedy(self, view: P, moves: Sequence[M], game: Game) -> M:
        """The move of a player who always takes what uncovers most."""

    def move(self, kind: str, cards: tuple[Seen, ...], places: tuple[str, ...]) -> M:
        """The move of those parts; raises PositionError where the family has no such kind."""

    def start_texts(self, start: P, game: Game) -> Mapping[str, str]:
        """The lines of a record that say how a game began; ``parse_start`` gives the position back."""

    def parse_start(self, texts: Mapping[str, str], game: Game) -> P:
        """The position of those lines; raises PositionError or CardError."""

    def learn(self, start: P, moves: Sequence[M], game: Game) -> P:
        """The start with every card that the moves made known later."""

    def unseen(self, start: P) -> int:
        """How many places of the start hold a card that is not known."""

    def truths(self, start: P, game: Game, rng: Random, most: int) -> Iterator[P]:
        """Every truth that fits the start, or ``most`` of them drawn by ``rng`` where there are more."""

"""Games played by a policy, any family, seeing no more than a player would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Literal

from rules.catalogue import Game
from rules.families import family_of
from rules.family import AnyMove, Thought

Policy = Literal["hint", "greedy", "random", "perfect"]
POLICIES: Final[tuple[Policy, ...]] = ("hint", "greedy", "random", "perfect")

MOST_IDLE: Final = 120
"""Moves without fewer cards left after which a game is given up: more than twice round any stock; in the row family
cards can be built to and fro for ever."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game: deal number, whether it was won, cards left, moves made, and whether it was ``decided`` (``perfect``
    may run out of time: then it counts as lost, with the cards of the best line found). ``seconds`` by the clock."""

    number: int
    won: bool
    cards_left: int
    moves: int
    decided: bool
    seconds: float


def play_deal(game: Game, policy: Policy, number: int, seed: int, thought: Thought) -> Played:
    """Deal ``number`` of a seed, the same whatever the policy, played to its end."""
    began = thought.clock()
    truth = deal_of(game, seed, number)
    rng = Random(f"play {seed} {number}")
    if policy == "perfect":
        found = family_of(game).solve(truth, game, thought.seconds, fewest=True, clock=thought.clock)
        won, left, moves, decided = found.verdict == "winnable", found.cards_left, len(found.moves), found.exact
    else:
        won, left, moves = _play(game, policy, truth, rng, thought)
        decided = True
    return Played(number, won, left, moves, decided, thought.clock() - began)


def deal_of(game: Game, seed: int, number: int = 0) -> Any:
    """The truth of deal ``number`` of a seed."""
    return family_of(game).deal(game, Random(f"deal {seed} {number}"))


def advance(game: Game, view: Any, truth: Any, move: AnyMove) -> tuple[AnyMove, Any, Any]:
    """A move that is legal in the view, played: the move with the cards that turn out to be moved, the view with what
    it turned up, and the truth. Raises IllegalMove."""
    family = family_of(game)
    done = family.fill(move, truth)
    view, truth = family.play(view, done, game), family.play(truth, done, game)
    return done, family.look(view, truth, game), truth


def _play(game: Game, policy: Policy, truth: Any, rng: Random, thought: Thought) -> tuple[bool, int, int]:
    family = family_of(game)
    view = family.show(truth, game)
    moves, idle, waiting = 0, 0, list[Any]()
    left = _left(family.left_parts(truth, game))
    while family.outcome(view, game) == "open" and idle < MOST_IDLE:
        if not waiting:
            waiting = list(choose(game, policy, view, rng, thought))
        _, view, truth = advance(game, view, truth, waiting.pop(0))
        moves += 1
        before, left = left, _left(family.left_parts(truth, game))
        idle = 0 if left < before else idle + 1
    return family.outcome(view, game) == "won", left, moves


def choose(game: Game, policy: Policy, view: Any, rng: Random, thought: Thought) -> Sequence[AnyMove]:
    """The move a policy makes, and those it is resolved to make after it; it sees the view alone."""
    family = family_of(game)
    if policy == "hint":
        return family.hint(view, game, rng, thought)
    legal = family.legal_moves(view, game)
    return [family.greedy(view, legal, game) if policy == "greedy" else rng.choice(legal)]


def _left(parts: tuple[tuple[str, int], ...]) -> int:
    return sum(count for _, count in parts)

"""States of play of row games and how a person lays them on a table; no pictures here. Lengths as in ``tables``."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from rules.cards import GONE, Seen, seen_code
from rules.catalogue import Game
from rules.families import family_of
from rules.family import Thought
from rules.layouts import LAYOUTS, Layout, Line
from rules.rows.moves import RowMove
from rules.rows.places import CELLAR, Stack
from rules.rows.position import Cards, RowPosition

from .tables import Habits, Laid, Table, put

THOUGHT = Thought(samples=30)
"""How long a player looks for a good line of moves: enough to come far in most deals that can be played at all."""


@dataclass(frozen=True, slots=True)
class RowState:
    """A position, and the cards at each place of the base column, bottom to top: a position names the top one alone."""

    position: RowPosition
    piles: tuple[Cards, ...]

    def after(self, move: RowMove, game: Game) -> RowState:
        """The state after a legal move; raises IllegalMove."""
        position = family_of(game).play(self.position, move, game)
        return RowState(position, tuple(map(_topped, self.piles, position.bases)))


def _topped(pile: Cards, top: Seen) -> Cards:
    """A pile of the base column with that card on top: a card more, or as it was, or gone."""
    if top is GONE:
        return ()
    return pile if pile[-1:] == (top,) else (*pile, top)


def deal(game: Game, rng: random.Random) -> RowState:
    """A shuffled deal."""
    family = family_of(game)
    position = family.show(family.deal(game, rng), game)
    return RowState(position, tuple(_topped((), card) for card in position.bases))


def line_of_play(state: RowState, game: Game) -> tuple[RowMove, ...]:
    """The moves of a good player to the end; the same every time."""
    found: tuple[RowMove, ...] = family_of(game).hint(state.position, game, random.Random(0), THOUGHT)
    return found


def play(state: RowState, game: Game, steps: int) -> RowState:
    """The state after so many moves of a good player, or where there are no more."""
    for move in line_of_play(state, game)[:steps]:
        state = state.after(move, game)
    return state


def habits_drawn(rng: random.Random, layout: Layout, height: float) -> Habits:
    """A player of row games drawn by chance: half rows overlap, or their cards lie side by side; columns lie clear of
    the longest half row of a fresh deal.
    """
    card = rng.uniform(1.03, 1.15) if rng.random() < 0.3 else rng.uniform(0.34, 0.85)
    gap = rng.uniform(1.06, 1.5)
    longest = max(line.fresh for line in layout.lines)
    pitches = {"row": rng.uniform(1.04, 1.18), "gap": gap, "card": card, "step": rng.uniform(0.26, 0.5)}
    return Habits(
        pitches=pitches | {"aside": gap + (longest - 1) * card + rng.uniform(1.2, 1.7)},
        jitter=rng.uniform(0.012, 0.04),
        turn_degrees=rng.uniform(0.6, 2.2),
        height=height,
        uneven=0.04 * card,
    )


def lay(state: RowState, game: Game, habits: Habits, seed: int) -> Table:
    """The state as a table. The same seed gives every card that has not moved the same place."""
    layout, position = LAYOUTS[game.layout], state.position
    habits = _aside(habits, layout, position)
    cards: list[Laid] = []
    for spot in layout.spots:
        slot, pile = _spot(state, spot.place)
        at = habits.centre(layout, spot.at)
        cards += [_card(seed, habits, card, (*slot, n), at) for n, card in enumerate(pile)]
    for line in layout.lines:
        cards += _line(layout, line, position.cards_in(line.stack) or (), habits, seed)
    told = position.to_json()
    shown = {"centre": told["base"], "left": told["left"], "right": told["right"]}
    return Table(game.id, tuple(cards), {"position": told, "layout": shown})


def _spot(state: RowState, place: str) -> tuple[tuple[str | int, ...], Cards]:
    """The slot of a base or of the cellar, and the cards there from the bottom."""
    if place == CELLAR:
        return (CELLAR,), state.position.cards_in(Stack("cellar")) or ()
    row = int(place.split()[-1]) - 1
    return ("base", row), state.piles[row]


def _card(seed: int, habits: Habits, card: Seen, slot: tuple[str | int, ...], at: tuple[float, float]) -> Laid:
    """A card near its place, off by a jitter that is its own wherever it lies."""
    code = str(seen_code(card))
    return put(random.Random(f"{seed} {slot} {code}"), habits, code, slot, at)


def _line(layout: Layout, line: Line, cards: Cards, habits: Habits, seed: int) -> list[Laid]:
    """The cards of one line, the outer ones over the inner ones, whose pitch is a little its own."""
    stack = line.stack
    off = random.Random(f"{seed} {stack}").gauss(0, habits.uneven)
    pitch = "card" if stack.kind == "half" else "step"
    own = replace(habits, pitches={**habits.pitches, pitch: habits.pitches[pitch] + off * (habits.pitches[pitch] < 1)})
    slot = (str(stack.side), stack.row - 1) if stack.kind == "half" else (f"{stack.side} column",)
    return [_card(seed, own, card, (*slot, n), own.centre(layout, line.at(n + 1))) for n, card in enumerate(cards)]


def _aside(habits: Habits, layout: Layout, position: RowPosition) -> Habits:
    """The habits with the outer columns moved out by as many cards as a half row has grown."""
    fresh = max(line.fresh for line in layout.lines)
    grown = max(0, max(map(len, (*position.left, *position.right))) - fresh)
    pitches = dict(habits.pitches)
    pitches["aside"] += grown * pitches["card"]
    return replace(habits, pitches=pitches)

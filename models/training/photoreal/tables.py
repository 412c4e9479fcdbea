"""States of play of pyramids and how a person lays them on a table; no pictures here.

Where the places of a layout are says ``rules.layouts``. Lengths here are card widths, x to the right and y upward, the
layout's origin at (0, 0): of a pyramid the apex. Codes are those of contract.md.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.layouts import FOUNDATION, LAYOUTS, STOCK, WASTE, At, Layout, pyramid_place

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
WORTH = {rank: number for number, rank in enumerate(RANKS, start=1)}


def worth(code: str) -> int:
    """What the card counts, A=1 … K=13."""
    return WORTH[code[:-1]]


@dataclass(frozen=True, slots=True)
class Kind:
    """One way of laying and playing: `total` is what a pair adds up to, `apex` a card always dealt there."""

    name: str
    rows: int = 7
    total: int = 13
    face_down: bool = False
    apex: str | None = None


KINDS = {
    "pyramid_up": Kind("pyramid_up"),
    "pyramid_down": Kind("pyramid_down", face_down=True),
    "king_tut": Kind("king_tut", apex="KS"),
    "king_tut_down": Kind("king_tut", apex="KS", face_down=True),
    "ten": Kind("ten", rows=6, total=10),
    "nine": Kind("nine", rows=6, total=9),
}


@dataclass(frozen=True, slots=True)
class State:
    """What lies where. `stock`: first one drawn first; `waste` and `gone`: bottom to top."""

    rows: tuple[tuple[str | None, ...], ...]
    stock: tuple[str, ...]
    waste: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def free(self, row: int, column: int) -> bool:
        """Whether a card lies there and none lies on it (from 0)."""
        if self.rows[row][column] is None:
            return False
        below = self.rows[row + 1] if row + 1 < len(self.rows) else ()
        return all(below[c] is None for c in (column, column + 1) if c < len(below))

    def without(self, places: tuple[tuple[int, int] | None, ...]) -> State:
        """The state after these cards left; None stands for the top of the waste."""
        taken = tuple(self.waste[-1] if p is None else self.rows[p[0]][p[1]] for p in places)
        rows = tuple(
            tuple(None if (r, c) in places else code for c, code in enumerate(row)) for r, row in enumerate(self.rows)
        )
        waste = self.waste[:-1] if None in places else self.waste
        return replace(self, rows=rows, waste=waste, gone=self.gone + tuple(t for t in taken if t))


def deal(kind: Kind, rng: random.Random) -> State:
    """A shuffled deal."""
    deck = [rank + suit for rank in RANKS[: kind.total] for suit in SUITS]
    rng.shuffle(deck)
    if kind.apex:
        deck.remove(kind.apex)
        deck.insert(0, kind.apex)
    rows = []
    for length in range(1, kind.rows + 1):
        rows.append(tuple(deck[:length]))
        del deck[:length]
    return State(tuple(rows), tuple(deck))


def removals(state: State, total: int) -> list[tuple[tuple[int, int] | None, ...]]:
    """Every legal removal of free cards and the waste top."""
    at: list[tuple[tuple[int, int] | None, int]] = [
        ((r, c), worth(code))
        for r, row in enumerate(state.rows)
        for c, code in enumerate(row)
        if code and state.free(r, c)
    ]
    if state.waste:
        at.append((None, worth(state.waste[-1])))
    alone = [(place,) for place, number in at if number == total]
    pairs = [(a, b) for i, (a, m) in enumerate(at) for b, n in at[i + 1 :] if m + n == total]
    return [*alone, *pairs]


def play(state: State, total: int, steps: int, rng: random.Random) -> State:
    """At most `steps` legal moves, mostly removals, one pass of the stock."""
    for _ in range(steps):
        choices = [r for r in removals(state, total) if any(p is not None for p in r)]
        if choices and rng.random() < 0.85:
            state = state.without(rng.choice(choices))
        elif state.stock:
            state = replace(state, stock=state.stock[1:], waste=(*state.waste, state.stock[0]))
        if not any(code for row in state.rows for code in row):
            break
    return state


@dataclass(frozen=True, slots=True)
class Habits:
    """How a player lays cards: the pitches of a layout in card sides, jitter as standard deviations; `uneven` is how
    much the pitch of one line of cards differs from that of the next. Lengths but the pitches are card widths.
    """

    pitches: Mapping[str, float]
    jitter: float
    turn_degrees: float
    height: float
    uneven: float = 0.0
    gap: float = 0.3
    waste_step: float = 1.25
    foundation: bool = True

    @staticmethod
    def drawn(rng: random.Random, height: float) -> Habits:
        """A player of pyramids drawn by chance."""
        return Habits(
            pitches={"column": rng.uniform(1.05, 1.22), "row": rng.uniform(0.44, 0.58)},
            jitter=rng.uniform(0.012, 0.05),
            turn_degrees=rng.uniform(0.8, 2.8),
            gap=rng.uniform(0.15, 0.55),
            waste_step=rng.uniform(1.15, 1.5),
            foundation=rng.random() < 0.8,
            height=height,
        )

    def centre(self, layout: Layout, at: At) -> tuple[float, float]:
        """The middle of a card that this player lays there, but for the jitter."""
        x, y = layout.centre(at, self.pitches)
        return x, -y * self.height


@dataclass(frozen=True, slots=True)
class Laid:
    """One card on the table; `angle` in radians, anticlockwise; cards are laid in the order of the list."""

    code: str
    slot: tuple[str | int, ...]
    x: float
    y: float
    angle: float
    face_up: bool
    layer: int


@dataclass(frozen=True, slots=True)
class Table:
    """A laid table and what a reader should say of it."""

    kind: str
    cards: tuple[Laid, ...]
    truth: dict[str, object] = field(default_factory=dict)


PILES = (STOCK, WASTE, FOUNDATION, "base")
"""Where cards lie on top of each other; the last part of such a slot counts them from the bottom."""


def put(
    rng: random.Random, habits: Habits, code: str, slot: tuple[str | int, ...], xy: tuple[float, float], up: bool = True
) -> Laid:
    """A card near `xy`, off by the player's jitter; cards of a pile lie closer together."""
    loose, turned = (0.45, 0.7) if slot[0] in PILES else (1.0, 1.0)
    x, y = (v + max(-2.2, min(2.2, rng.gauss(0, 1))) * habits.jitter * loose for v in xy)
    angle = math.radians(max(-2.2, min(2.2, rng.gauss(0, 1))) * habits.turn_degrees * turned)
    return Laid(code, slot, x, y, angle, up, int(slot[-1]) if slot[0] != "tableau" else int(slot[1]))


def lay(state: State, kind: Kind, habits: Habits, seed: int) -> Table:
    """The state as a table. The same seed gives every card the same place, whatever else has left."""
    layout = LAYOUTS[f"pyramid-{kind.rows}"]
    spots = {spot.place: spot.at for spot in layout.spots}
    cards: list[Laid] = []
    rows: list[list[str | None]] = []
    for r, row in enumerate(state.rows):
        rows.append([])
        for c, code in enumerate(row):
            up = not kind.face_down or state.free(r, c)
            rows[-1].append(code if up or code is None else "??")
            if code is not None:
                rng = random.Random(f"{seed} {code}")
                centre = habits.centre(layout, spots[pyramid_place(r + 1, c + 1)])
                cards.append(put(rng, habits, code, ("tableau", r, c), centre, up))
    cards += _piles(state, habits, seed, layout)
    shown = habits.foundation and bool(state.gone)
    truth: dict[str, object] = {
        "rows": rows,
        "stock": len(state.stock),
        "waste": state.waste[-1] if state.waste else None,
        "foundation": state.gone[-1] if shown else None,
        "target": kind.total,
    }
    return Table(kind.name, tuple(cards), truth)


def _piles(state: State, habits: Habits, seed: int, layout: Layout) -> list[Laid]:
    """The layout's piles, lower or higher and more or less aside as the player has it; the waste lies by the stock."""
    spots = {spot.place: spot.at for spot in layout.piles}
    aside, inward = random.Random(seed).uniform(-0.2, 0.5), random.Random(seed + 1).uniform(-0.1, 0.5)
    piles = [
        (STOCK, state.stock[::-1], spots[STOCK], aside, False),
        (WASTE, state.waste, spots[STOCK], aside + habits.waste_step, True),
    ]
    if habits.foundation:
        piles.append((FOUNDATION, state.gone, spots[FOUNDATION], -inward, True))
    cards = []
    for name, pile, at, right, up in piles:
        xy = habits.centre(layout, replace(at, apart=(right, 1 + habits.gap / habits.height)))
        cards += [
            put(random.Random(f"{seed} {name} {code}"), habits, code, (name, i), xy, up) for i, code in enumerate(pile)
        ]
    return cards


def spread(count: int, shape: str, habits: Habits, rng: random.Random) -> Table:
    """Face-up cards without a layout: `apart`, `fan` or `row`."""
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    codes = rng.sample(deck, count)
    cards = []
    if shape == "apart":
        across = math.ceil(math.sqrt(count * 1.6))
        for i, code in enumerate(codes):
            x = (i % across) * 1.45 + rng.uniform(-0.15, 0.15)
            y = -(i // across) * (habits.height + 0.35) + rng.uniform(-0.12, 0.12)
            cards.append(Laid(code, ("table", i), x, y, math.radians(rng.uniform(-14, 14)), True, i))
    elif shape == "fan":
        step = math.radians(rng.uniform(8.0, 11.0))
        radius = rng.uniform(1.7, 2.4)
        for i, code in enumerate(codes):
            angle = ((count - 1) / 2 - i) * step + rng.gauss(0, 0.015)
            cards.append(Laid(code, ("table", i), -radius * math.sin(angle), radius * math.cos(angle), angle, True, i))
    else:
        step = rng.uniform(0.36, 0.7)
        for i, code in enumerate(codes):
            jitter = rng.gauss(0, habits.jitter)
            cards.append(Laid(code, ("table", i), i * step, jitter, math.radians(rng.gauss(0, 2)), True, i))
    return Table("none", tuple(cards), {})

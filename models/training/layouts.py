"""How cards lie on a drawn table, in card widths on the table's plane (x right, y down).

Each function returns Laid cards in the order they were laid, the lowest first. Where the places of a layout are says
``rules.layouts``; how people lay it, wider or closer and more or less neatly, is drawn here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from rules.catalogue import GAMES
from rules.layouts import LAYOUTS, Layout, Line
from rules.rows.dealing import random_deal
from rules.rows.legality import play
from rules.rows.places import CELLAR
from rules.rows.search import Limits, solve


@dataclass
class Laid:
    """A card on the plane: centre, clockwise angle in radians, face up or down; its place where the layout has names
    for places; its code where it is a certain card.
    """

    x: float
    y: float
    angle: float = 0.0
    face_up: bool = True
    pile: bool = False
    place: str = ""
    code: str = ""


def spread(rng: np.random.Generator, height: float) -> list[Laid]:
    """Separate cards, any angle."""
    n, reach = int(rng.integers(1, 13)), rng.uniform(1.3, 3.5)
    upright = rng.random() < 0.4
    cards: list[Laid] = []
    for _ in range(n * 4):
        x, y = rng.uniform(-reach, reach, 2)
        if len(cards) < n and all((x - c.x) ** 2 + (y - c.y) ** 2 > 1.5 for c in cards):
            angle = rng.normal(0, 0.15) if upright else rng.uniform(0, 2 * np.pi)
            cards.append(Laid(float(x), float(y), float(angle), bool(rng.random() < 0.85)))
    return cards


def heap(rng: np.random.Generator, height: float) -> list[Laid]:
    """Overlapping cards at random."""
    reach = rng.uniform(0.5, 2.2)
    return [
        Laid(
            float(rng.uniform(-reach, reach)),
            float(rng.uniform(-reach, reach)),
            float(rng.uniform(0, 2 * np.pi)),
            bool(rng.random() < 0.85),
        )
        for _ in range(int(rng.integers(2, 16)))
    ]


def fan(rng: np.random.Generator, height: float) -> list[Laid]:
    """A fan or a cascade: every card but the last shows a strip with its index."""
    n, step, turn = int(rng.integers(2, 11)), rng.uniform(0.16, 0.5), rng.normal(0, 0.09)
    along = rng.uniform(0, 1) < 0.6
    cards, x, y, angle = [], 0.0, 0.0, float(-turn * n / 2)
    for _ in range(n):
        cards.append(Laid(x - n * step / 2, y, angle + float(rng.normal(0, 0.02))))
        x += float(step * np.cos(angle)) if along else float(rng.normal(0, 0.05))
        y += float(step * np.sin(angle)) if along else float(step)
        angle += float(turn)
    return cards


def pyramid(rng: np.random.Generator, height: float, rows: int | None = None) -> list[Laid]:
    """A pyramid in some state of play, with its piles; face up or its covered cards face down; 3 to 7 rows."""
    rows = rows or int(rng.choice([7, 7, 7, 6, 5, 4, 3]))
    pitch, row_pitch = rng.uniform(1.0, 1.4), height * rng.uniform(0.3, 0.62)
    jitter, turn = rng.uniform(0, 0.07), rng.uniform(0, 0.06)
    gone = np.zeros((rows + 1, rows + 1), bool)
    gone[rows] = True
    for r in range(rows - 1, -1, -1):
        for c in range(r + 1):
            free = r == rows - 1 or (gone[r + 1, c] and gone[r + 1, c + 1])
            gone[r, c] = free and rng.random() < (0.45 if r < rows - 1 else PLAYED)
    down = rng.random() < 0.6
    layout, pitches = LAYOUTS[f"pyramid-{rows}"], {"column": pitch, "row": row_pitch / height}
    cards = []
    for spot in layout.spots:
        r, c = (int(word) - 1 for word in spot.place.split()[1:])
        if gone[r, c]:
            continue
        free = r == rows - 1 or (gone[r + 1, c] and gone[r + 1, c + 1])
        x, y = layout.centre(spot.at, pitches)
        x, y = x + rng.normal(0, jitter), y * height + rng.normal(0, jitter)
        cards.append(Laid(float(x), float(y), float(rng.normal(0, turn)), bool(not down or free), place=spot.place))
    piles = (rows - 1) * row_pitch + height + rng.uniform(0.1, 0.6)
    left = -(rows - 1) / 2 * pitch + rng.uniform(-0.5, 0.8)
    for name, x, up in (
        ("stock", left, False),
        ("waste", left + rng.uniform(1.1, 1.5), True),
        ("foundation", -left, True),
    ):
        if rng.random() < 0.75:
            for _ in range(int(rng.integers(1, 4))):
                cards.append(
                    Laid(
                        float(x + rng.normal(0, 0.03)),
                        float(piles + rng.normal(0, 0.03)),
                        float(rng.normal(0, 0.05)),
                        up,
                        True,
                        name,
                    )
                )
    middle = (rows - 1) * row_pitch / 2
    for card in cards:
        card.y -= middle
    return cards


PLAYED = 0.3


@dataclass(frozen=True, slots=True)
class Hand:
    """How one player lays cards: the pitches of a layout, how far each lies off its place in card widths, how far it is
    turned in radians, and how much the pitch of one line differs from that of the next, as standard deviations.
    """

    pitches: Mapping[str, float]
    jitter: float
    turn: float
    uneven: float

    @classmethod
    def drawn(cls, rng: np.random.Generator, layout: Layout) -> Hand:
        """A player drawn by chance, whose half rows overlap or lie side by side."""
        side_by_side = rng.random() < 0.35
        card = rng.uniform(1.02, 1.2) if side_by_side else rng.uniform(0.28, 0.95)
        gap = rng.uniform(1.03, 1.25) if rng.random() < 0.5 else rng.uniform(1.25, 2.0)
        if side_by_side and rng.random() < 0.9:
            # Nearly everybody keeps the base column apart: else nobody could tell it from the half rows.
            gap = max(gap, card + rng.uniform(0.1, 0.6))
        pitches = {"row": rng.uniform(1.0, 1.25), "gap": gap, "card": card, "step": rng.uniform(0.22, 0.55)}
        pitches["aside"] = rng.uniform(1.15, 1.9)
        if rng.random() < 0.2:
            pitches["step"] = rng.uniform(1.02, 1.12)
        return cls(pitches, float(rng.uniform(0.005, 0.05)), float(rng.uniform(0.004, 0.05)), 0.05 * card)

    def beside(self, layout: Layout, counts: Sequence[int]) -> Hand:
        """The same with the outer columns so far from the longest half row as they were from the base column."""
        longest = max(n for n, line in zip(counts, layout.lines, strict=True) if line.stack.kind == "half")
        reach = max(longest, max(line.fresh for line in layout.lines)) - 1
        aside = self.pitches["aside"] + self.pitches["gap"] + reach * self.pitches["card"]
        return replace(self, pitches={**self.pitches, "aside": aside})

    def put(self, rng: np.random.Generator, at: tuple[float, float], height: float, card: tuple[str, str]) -> Laid:
        """A card about there, in card sides, face up; `card`: its place and its code."""
        x, y = at[0] + rng.normal(0, self.jitter), at[1] * height + rng.normal(0, self.jitter)
        return Laid(float(x), float(y), float(rng.normal(0, self.turn)), place=card[0], code=card[1])


def rows(rng: np.random.Generator, height: float, name: str | None = None) -> list[Laid]:
    """A layout of half rows in some state of play: rows shortened, emptied and grown, the cellar empty or not."""
    layout = LAYOUTS[name or str(rng.choice(ROW_LAYOUTS))]
    hand = Hand.drawn(rng, layout)
    lying = in_play(rng, layout) if rng.random() < LAWFUL else by_chance(rng, layout)
    counts = [sum(line.stack.place(index) in lying for index in range(1, MOST_IN_LINE + 1)) for line in layout.lines]
    hand = hand.beside(layout, counts)
    cards = [
        hand.put(rng, layout.centre(spot.at, hand.pitches), height, (spot.place, lying[spot.place]))
        for spot in layout.spots
        if spot.place in lying
    ]
    for line, count in zip(layout.lines, counts, strict=True):
        cards += _line(rng, layout, line, (hand, height), [lying[line.stack.place(n + 1)] for n in range(count)])
    middle = np.mean([[card.x, card.y] for card in cards], axis=0)
    for card in cards:
        card.x, card.y = float(card.x - middle[0]), float(card.y - middle[1])
    return cards


def _line(
    rng: np.random.Generator, layout: Layout, line: Line, laid: tuple[Hand, float], codes: Sequence[str]
) -> list[Laid]:
    """The cards of one line, whose pitch is a little its own; laid: by whom, and how high they are."""
    hand, height = laid
    own = dict(hand.pitches)
    for name in ("card", "step"):
        own[name] = max(0.22, own[name] + float(rng.normal(0, hand.uneven)) * (own[name] < 1.0))
    out = list[Laid]()
    for index, code in enumerate(codes, start=1):
        card = hand.put(rng, layout.centre(line.at(index), own), height, (line.stack.place(index), code))
        if out:
            uncover(out[-1], card, line, height)
        out.append(card)
    return out


def uncover(under: Laid, card: Laid, line: Line, height: float) -> None:
    """Moves a card outward so far that the index of the one that it lies on shows: nobody could play otherwise."""
    if line.stack.kind == "column":
        card.y = max(card.y, under.y + SHOWS * height)
    else:
        sign = -1 if line.stack.side == "left" else 1
        card.x = sign * max(sign * card.x, sign * under.x + SHOWS)


def in_play(rng: np.random.Generator, layout: Layout) -> dict[str, str]:
    """What lies where, place and code, on a table of a game that is laid so, at any point of a line that leaves few
    cards: of a fresh deal in one of four, else while enough cards lie.
    """
    games = [game for game in GAMES.values() if game.layout == layout.id]
    game = games[int(rng.integers(len(games)))]
    position = random_deal(game, Random(int(rng.integers(2**32))))
    tables = [dict(position.lying())]
    for move in solve(position, game, LOOK_AHEAD, fewest=True, shorten=False).moves if rng.random() < 0.75 else ():
        position = play(position, move, game)
        lying = dict(position.lying())
        if len(lying) < FEWEST:
            break
        longest = max(len(position.cards_in(stack) or ()) for stack in position.stacks())
        tables += [lying] if longest <= MOST_IN_LINE else []
    return {place: str(card) for place, card in tables[int(rng.integers(len(tables)))].items()}


def by_chance(rng: np.random.Generator, layout: Layout) -> dict[str, str]:
    """What lies where, place and code, on a table where any cards lie, as many in each line as after moves by chance:
    a place of the base column may be empty, and a card lie in the cellar.
    """
    deal = layout.deals[int(rng.integers(len(layout.deals)))]
    counts = played(rng, deal, int(rng.integers(0, 30)) if rng.random() < 0.75 else 0)
    places = [spot.place for spot in layout.spots if rng.random() < (0.3 if spot.place == CELLAR else 0.99)]
    lines = zip(layout.lines, counts, strict=True)
    places += [line.stack.place(index) for line, count in lines for index in range(1, count + 1)]
    return dict.fromkeys(places, "")


def played(rng: np.random.Generator, deal: tuple[int, ...], moves: int) -> list[int]:
    """Cards in each line after so many moves by chance, most of them to a foundation, some onto another line."""
    counts = list(deal)
    for _ in range(moves):
        taken = int(rng.choice(np.flatnonzero(counts)))
        counts[taken] -= 1
        onto = [n for n, count in enumerate(counts) if n != taken and 0 < count < MOST_IN_LINE]
        if onto and rng.random() < 0.4:
            counts[int(rng.choice(onto))] += 1
        if not any(counts):
            return list(deal)
    return counts


ROW_LAYOUTS = tuple(name for name, layout in LAYOUTS.items() if layout.lines)
MOST_IN_LINE = 9
# So much of each card shows in a line, in card sides.
SHOWS = 0.2
# Share of the tables on which the cards lie as in a game; the fewest that lie then; and how far a line is sought.
LAWFUL, FEWEST, LOOK_AHEAD = 0.85, 28, Limits(None, 2000)


def columns(rng: np.random.Generator, height: float) -> list[Laid]:
    """Columns growing downward, some cards face down, as in the best-known patiences."""
    step, cards = height * rng.uniform(0.12, 0.4), []
    for c in range(int(rng.integers(2, 8))):
        n = int(rng.integers(1, 7))
        down = int(rng.integers(0, n))
        cards += [
            Laid(
                float((c - 3) * 1.2 + rng.normal(0, 0.03)),
                float(-1 + k * step + rng.normal(0, 0.02)),
                float(rng.normal(0, 0.03)),
                k >= down,
            )
            for k in range(n)
        ]
    return cards


def grid(rng: np.random.Generator, height: float) -> list[Laid]:
    """Cards side by side in rows."""
    px, py = rng.uniform(1.02, 1.6), height * rng.uniform(1.02, 1.4)
    n, m = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    return [
        Laid(
            float((c - n / 2) * px + rng.normal(0, 0.05)),
            float((r - m / 2) * py + rng.normal(0, 0.05)),
            float(rng.normal(0, 0.06)),
            bool(rng.random() < 0.9),
        )
        for r in range(m)
        for c in range(n)
    ]


KINDS = (spread, heap, fan, pyramid, rows, columns, grid)
SHARES = (0.13, 0.07, 0.08, 0.52, 0.09, 0.06, 0.05)


def lay(rng: np.random.Generator, height: float) -> list[Laid]:
    """Cards of one random layout."""
    return KINDS[int(rng.choice(len(KINDS), p=SHARES))](rng, height)

"""Whole games as a camera sees them: legal play of any of the sixteen games, a picture after each move, with the truth.

Here and there a rule is broken beside the game, looked at and put back (`breaches.py`). Cards keep their place on the
table until they are moved; the camera is held by hand; some pictures are blurred, dark or half covered. The games are
played as people play them, sometimes well and sometimes not.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from random import Random

import cv2
import numpy as np

from models.measure import breaches, drawn, hindered, marks
from models.measure.breaches import Plant
from models.measure.pictures import Picture
from models.training import decks, layouts, scenes
from models.training.layouts import Hand, Laid
from rules.cards import FACE_DOWN, GONE, Card, Seen
from rules.catalogue import Game
from rules.families import family_of
from rules.family import AnyMove
from rules.layouts import FOUNDATION, LAYOUTS, STOCK, TURNED, WASTE, Layout
from rules.looks import Position, lying
from rules.rows.places import parse_place

SIZE = (1280, 960)
MOST_MOVES = 60
# So often a picture is blurred, dark or half covered.
HARD = 1 / 8
# At so many states of a game a rule is broken.
PLANTS = 2
# How far the camera moves from picture to picture: pixels, and radians of turn.
SWAY, TURN = 8.0, 0.012
# A player plays well so often, for as long as the line lasts, and so often makes some other move.
WELL, ASTRAY = 0.5, 0.06
# So often the search for a good line looks at its clock before it ends: a second or two, and the same on any machine.
LOOKED_AHEAD = 200
# Moves that players make less often than others when they play at random.
LESS = {"turn": 0.3, "redeal": 0.3, "direction": 0.05, "base": 0.3, "reverse": 0.1}


@dataclass(frozen=True, slots=True)
class Turn:
    """A state of a game: the move that led there (None for the deal), what its player knows, and what lies on top of
    the foundation of a pyramid game."""

    move: AnyMove | None
    view: Position
    top: Seen = GONE


@dataclass(frozen=True)
class Shot:
    """A picture of a state, drawn when it is asked for, and what is wrong with it: "", "blurred", "dark" or "covered".
    ``plant``: a rule that was broken at this state beside the game; ``aside``: still pictures of it, and one of what
    was put back."""

    turn: Turn
    draw: Callable[[], Picture]
    fault: str = ""
    plant: Plant | None = None
    aside: tuple[Shot, ...] = ()

    @cached_property
    def picture(self) -> Picture:
        """The picture."""
        return self.draw()


def play(game: Game, rng: Random, most: int = MOST_MOVES) -> list[Turn]:
    """A game from its deal until it is won or nothing can be done, or for so many moves."""
    family = family_of(game)
    truth = family.deal(game, rng)
    view = truth if game.family == "rows" else family.show(truth, game)
    turns = [Turn(None, view)]
    top: Seen = GONE
    line: list[AnyMove] | None = None
    while len(turns) <= most and family.outcome(truth, game) != "won":
        moves = family.legal_moves(view, game)
        if not moves:
            break
        if line is None:
            line = _good_line(truth, game) if game.family == "rows" or rng.random() < WELL else []
        if line and rng.random() > ASTRAY:
            move = line.pop(0)
        else:
            weights = [LESS.get(move.kind, 1.0) for move in moves]
            move, line = rng.choices(list(moves), weights)[0], None
        move = family.fill(move, truth)
        if family.violations(truth, move, game):
            break
        truth = family.play(truth, move, game)
        # In a row game all cards lie face up: its player knows what there is to know.
        view = truth if game.family == "rows" else family.look(family.play(view, move, game), truth, game)
        if move.kind in ("pair", "single"):
            top = rng.choice(move.cards)
        turns.append(Turn(move, view, top))
    return turns


def is_shown(move: AnyMove | None) -> bool:
    """Whether a picture shows a move, or the deal (None): a choice moves no card, and is told when it is made."""
    return move is None or not (
        move.kind in ("direction", "reverse") or (move.kind == "base" and len(move.places) == 1)
    )


def _good_line(truth: Position, game: Game) -> list[AnyMove]:
    """Moves that win, or leave few cards."""
    ticks = count()
    solved = family_of(game).solve(truth, game, LOOKED_AHEAD, fewest=True, clock=lambda: float(next(ticks)))
    return list(solved.moves)


def shown(turn: Turn, game: Game) -> dict[str, Seen]:
    """What a picture of a state shows, by place: of a pile its top."""
    look = dict(lying(turn.view))
    if game.family == "rows":
        return {place: seen for place, seen in look.items() if seen is not GONE}
    look[FOUNDATION] = turn.top
    if game.options.turned == "laid":
        look[TURNED] = GONE
    return {place: seen for place, seen in look.items() if seen is not GONE}


@dataclass
class Table:
    """Where the cards of one game lie: each keeps its place until it is moved."""

    game: Game
    rng: np.random.Generator
    height: float
    lain: dict[tuple[str, str], Laid] = field(default_factory=dict)
    hand: Hand | None = None
    piles: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    longest: tuple[int, ...] = ()

    def makes_room(self, looks: Sequence[Mapping[str, Seen]]) -> None:
        """Where columns lie beside half rows: so far out that the rows of all these looks reach no further."""
        if self.game.family == "rows":
            counts = [_counts(look, LAYOUTS[self.game.layout]) for look in looks]
            self.longest = tuple(map(max, zip(*counts, strict=True)))

    def laid(self, look: Mapping[str, Seen], stock: int) -> list[Laid]:
        """The cards of a look in the order in which they were laid; stock: how many cards it holds."""
        cards = self._rows(look) if self.game.family == "rows" else self._pyramid(look, stock)
        return cards

    def _kept(self, place: str, seen: Seen, at: tuple[float, float], hand: Hand, pile: bool = False) -> Laid:
        key = place, str(seen) if isinstance(seen, Card) else ""
        if key not in self.lain and isinstance(seen, Card) and (place, "") in self.lain:
            self.lain[key] = replace(self.lain[place, ""], code=str(seen))  # turned up where it lay
        if key not in self.lain:
            self.lain[key] = hand.put(self.rng, at, self.height, (place, key[1]))
        return replace(self.lain[key], face_up=isinstance(seen, Card), pile=pile)

    def _pyramid(self, look: Mapping[str, Seen], stock: int) -> list[Laid]:
        rng, layout = self.rng, LAYOUTS[self.game.layout]
        if self.hand is None:
            row = rng.uniform(0.34, 0.6)
            pitches = {"column": rng.uniform(1.02, 1.3), "row": row}
            self.hand = Hand(pitches, float(rng.uniform(0.005, 0.04)), float(rng.uniform(0.004, 0.04)), 0.0)
            self.piles = {spot.place: layout.centre(spot.at, pitches) for spot in layout.piles}
        cards = [
            self._kept(spot.place, look[spot.place], layout.centre(spot.at, self.hand.pitches), self.hand)
            for spot in layout.spots
            if spot.place in look
        ]
        if STOCK in look:
            cards += [
                self._kept(f"{STOCK} {n}", FACE_DOWN, self.piles[STOCK], self.hand, True)
                for n in range(min(3, max(stock, 1)))
            ]
        for pile in (TURNED, WASTE, FOUNDATION):
            if pile in look:
                cards.append(self._kept(pile, look[pile], self.piles[pile], self.hand, True))
        return [replace(card, place=STOCK) if card.place.startswith(STOCK) else card for card in cards]

    def _rows(self, look: Mapping[str, Seen]) -> list[Laid]:
        layout = LAYOUTS[self.game.layout]
        if self.hand is None:
            self.hand = Hand.drawn(self.rng, layout).beside(layout, self.longest or _counts(look, layout))
        cards = [
            self._kept(spot.place, look[spot.place], layout.centre(spot.at, self.hand.pitches), self.hand)
            for spot in layout.spots
            if spot.place in look
        ]
        for line in layout.lines:
            out: list[Laid] = []
            for index in range(1, len(look) + 1):
                place = line.stack.place(index)
                if place not in look:
                    break
                card = self._kept(place, look[place], layout.centre(line.at(index), self.hand.pitches), self.hand)
                if out:
                    layouts.uncover(out[-1], card, line, self.height)
                out.append(card)
            cards += out
        return cards


def _counts(look: Mapping[str, Seen], layout: Layout) -> tuple[int, ...]:
    """How many cards lie in each line."""
    found = [parse_place(place) for place in look]
    return tuple(sum(one is not None and one[0] == line.stack for one in found) for line in layout.lines)


def shots(game: Game, number: int, seed: int, source: drawn.DeckSource, *, most: int = MOST_MOVES) -> Iterator[Shot]:
    """The pictures of one game, the deal first, after each move that can be seen; rules are broken beside it at
    ``PLANTS`` of its states. The same number and seed give the same game and the same pictures."""
    turns = play(game, Random(f"{seed} {game.id} {number}"), most)
    plants = planted(game, turns, Random(f"{seed} {game.id} {number} plants"))
    # The deal and the end are photographed with care: what a hand hides at the end nobody can tell.
    last = max(at for at, turn in enumerate(turns) if is_shown(turn.move))
    yield from pictures(game, turns, (number, seed), source, plants, hard=range(1, last))


def planted(game: Game, turns: Sequence[Turn], rng: Random) -> dict[int, Plant]:
    """At which states, by their numbers, which rules are broken."""
    found: dict[int, Plant] = {}
    seen = [n for n, turn in enumerate(turns) if turn.move is not None and is_shown(turn.move)]
    for number in rng.sample(seen, len(seen)):
        earlier = [turn.view for turn in turns[:number]]
        one = breaches.plant(turns[number].view, game, rng, earlier) if len(found) < PLANTS else None
        if one is not None:
            found[number] = one
    return found


def pictures(
    game: Game,
    turns: Sequence[Turn],
    number_and_seed: tuple[int, int],
    source: drawn.DeckSource,
    plants: Mapping[int, Plant],
    *,
    hard: Container[int] = (),
    steady: bool = False,
) -> Iterator[Shot]:
    """The pictures of these states of a game; ``plants``: rules broken at some of them, by their numbers; ``hard``: the
    numbers of those that may be blurred, dark or covered; ``steady``: by one camera that stands still, in even
    light."""
    number, seed = number_and_seed
    rng = np.random.default_rng([seed, number, sum(game.id.encode())])
    deck = source(rng)
    while _jokers(game) and "JK" not in deck.faces:  # some decks come without one
        deck = source(rng)
    deck = replace(deck, faces={code: face for code, face in deck.faces.items() if code != "JK" or _jokers(game)})
    top = hindered.clear_top(rng, deck)
    table = Table(game, rng, 1 / deck.aspect)
    table.makes_room([shown(turn, game) for turn in turns])
    tables = [table.laid(shown(turn, game), _stock(turn)) for turn in turns]
    asides = {at: _aside(turns[at], one) for at, one in plants.items()}
    aside_tables = {at: [table.laid(shown(turn, game), _stock(turn)) for turn in asides[at]] for at in asides}
    h, px = _camera([*tables, *(laid for each in aside_tables.values() for laid in each)], game, deck, rng)
    paint_seed = int(rng.integers(2**32))

    def shot(turn: Turn, laid: list[Laid], at: tuple[int, int], fault: str, plant: Plant | None = None) -> Shot:
        def draw() -> Picture:
            rng = np.random.default_rng([seed, number, sum(game.id.encode()), 1, *at])
            painter = scenes.Painter([], [top], np.random.default_rng(paint_seed))
            seen = h if steady else _swayed(h, rng.normal(0, 1, 3))
            scene = painter.paint(
                deck, laid, seen, size=max(SIZE), px=px, hands=0.0, strange=0.0, camouflaged=0.0,
                develop=_steady_camera if steady else drawn.plain_camera,
            )  # fmt: skip
            picture = drawn.truth_of(scene, laid, game.layout, drawn.View(size=SIZE), f"{number:05d} {deck.name}")
            return _hard(picture, fault, rng)

        beside = zip(asides[at[0]], aside_tables[at[0]], strict=True) if plant is not None else ()
        aside = tuple(shot(*one, (at[0], n), "") for n, one in enumerate(beside, start=1))
        return Shot(turn, draw, fault, plant, aside)

    for at, (turn, laid) in enumerate(zip(turns, tables, strict=True)):
        fault = _fault(rng) if at in hard else ""
        if is_shown(turn.move):
            yield shot(turn, laid, (at, 0), fault, plants.get(at))


def _aside(turn: Turn, plant: Plant) -> list[Turn]:
    """What breaks a rule, as often as it is looked at, and what was put back."""
    broken = Turn(None, plant.position, turn.top if plant.top is None else plant.top)
    return [*[broken] * breaches.LOOKS, Turn(None, turn.view, turn.top)]


def _steady_camera(image: np.ndarray, rng: np.random.Generator, px: float) -> np.ndarray:
    return cv2.GaussianBlur(image, (0, 0), 0.6)


def _jokers(game: Game) -> bool:
    return game.family == "pyramid" and any(card.is_joker for card in game.options.deck)


def _stock(turn: Turn) -> int:
    return int(getattr(turn.view, "stock_count", 0) or 0)


def _camera(
    tables: list[list[Laid]], game: Game, deck: decks.Deck, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Homography (3, 3) that brings every card of the game into the picture, and the width of a card in pixels."""
    every = [card for laid in tables for card in laid]
    elevation = float(np.radians(rng.uniform(45, 90)))
    angle = float(rng.normal(0, 0.3))
    return drawn.aimed(every, 1 / deck.aspect, (elevation, angle), drawn.View(size=SIZE), (None, rng))


def _swayed(h: np.ndarray, sway: np.ndarray) -> np.ndarray:
    turn, middle = sway[2] * TURN, max(SIZE) / 2
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    about = np.eye(3)
    about[:2, :2] = spin
    about[:2, 2] = np.array([middle, middle]) - spin @ [middle, middle] + np.clip(sway[:2], -1, 1) * SWAY
    return about @ h


def _fault(rng: np.random.Generator) -> str:
    return str(rng.choice(("blurred", "dark", "covered"))) if rng.random() < HARD else ""


def _hard(picture: Picture, fault: str, rng: np.random.Generator) -> Picture:
    where = marks.from_truth(picture)
    if not fault or where is None:
        return picture
    if fault == "covered":
        return replace(picture, pixels=half_covered(picture.pixels, rng))
    return (hindered.blurred if fault == "blurred" else hindered.dark)(picture, where, rng)[0]


def half_covered(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The picture (h, w, 3) with a forearm and a hand over about half of the table."""
    h, w = image.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    angle, middle = float(rng.uniform(0, 2 * np.pi)), np.array([w, h]) / 2
    along = np.array([np.cos(angle), np.sin(angle)])
    side, reach = np.array([-along[1], along[0]]), float(np.hypot(w, h))
    start = middle + along * float(rng.uniform(-0.1, 0.1)) * reach
    wide = float(rng.uniform(0.2, 0.33)) * reach
    quad = [start + side * wide * s + along * t * reach for s, t in ((-1, 0), (1, 0), (1, 1), (-1, 1))]
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 255, cv2.LINE_AA)
    for k in range(4):
        tip = start - along * 0.12 * reach + side * wide * (k - 1.5) * 0.45
        base = start + side * wide * (k - 1.5) * 0.5
        ends = [tuple(int(v) for v in np.round(p)) for p in (tip, base)]
        cv2.line(mask, ends[0], ends[1], 255, max(3, round(wide * 0.3)), cv2.LINE_AA)
    ink = np.array([205, 160, 130]) * float(rng.uniform(0.45, 1.05))
    shade = cv2.resize(rng.uniform(0.75, 1.1, (7, 7)), (w, h), interpolation=cv2.INTER_CUBIC)
    share = cv2.GaussianBlur(mask, (0, 0), 2.0)[..., None] / 255.0
    return np.clip(image * (1 - share) + ink * shade[..., None] * share, 0, 255).astype(np.uint8)

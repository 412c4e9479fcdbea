"""Validation pictures drawn at a camera's resolution: whole tables and loose cards, with decks kept out of training.

Picture number n of a pool is the same whatever was drawn before it, so that a measurement can stop and go on, and two
views of one number show the same cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from models.measure.pictures import Picture, Slot, TrueCard
from models.training import art, cameras, decks, fonts, layouts, lens, scenes, surfaces
from rules.layouts import FOUNDATION, LAYOUTS, STOCK, WASTE

# Pictures in a row that show the same deck and the same few table tops.
BLOCK = 2
TOPS = 3
# A share of an index that shows at least for it to be read: less is a rank or a suit cut off.
WHOLE = 0.86
# Cards of one pile lie closer than this, in card widths, and those of two piles further apart than that.
PILED, APART = 0.5, 1.06
LOOSE = tuple(kind for kind in layouts.KINDS if kind is not layouts.pyramid)

DeckSource = Callable[[np.random.Generator], decks.Deck]
TopSource = Callable[[np.random.Generator, decks.Deck], np.ndarray]
Laying = Callable[[np.random.Generator, float], list[layouts.Laid]]


@dataclass(frozen=True, slots=True)
class View:
    """How the camera stands: elevations in degrees, size in pixels, and the width of a card where that is set."""

    elevation: tuple[float, float] = (50.0, 90.0)
    size: tuple[int, int] = (1280, 960)
    card_px: float | None = None


# The share of a card of no deck that shows before it counts as lying in plain sight.
SIGHT = 0.8
WIDE = View(elevation=(25.0, 90.0))


def plain_camera(image: np.ndarray, rng: np.random.Generator, px: float) -> np.ndarray:
    """An ordinary picture: even light, a little softness and noise, JPEG 92."""
    out = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 0.7))).astype(np.float32)
    out = out * float(rng.uniform(0.85, 1.0)) + rng.normal(0, 2, image.shape).astype(np.float32)
    _, coded = cv2.imencode(".jpg", np.clip(out, 0, 255).astype(np.uint8)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])
    return np.ascontiguousarray(cv2.imdecode(coded, cv2.IMREAD_COLOR)[..., ::-1])


@cache
def validation_decks() -> DeckSource:
    """Decks kept out of training: one in three real, two drawn with fonts and backs kept out."""
    real = [art.load_gnome(name) for name in art.VALIDATION]
    panels = [panel for deck in real for panel in art.panels_of(deck)]

    def source(rng: np.random.Generator) -> decks.Deck:
        if rng.random() < 1 / 3:
            return real[int(rng.integers(len(real)))]
        return decks.draw_deck("drawn", rng, validation=True, panels=panels)

    return source


class Pool:
    """Drawn validation pictures by number, even ones whole tables, odd ones loose cards."""

    def __init__(
        self,
        seed: int,
        source: DeckSource,
        *,
        plain: bool = False,
        tops: TopSource | None = None,
        strange: float = 0.0,
        cluttered: float = 0.0,
    ) -> None:
        """plain: by an ordinary camera in even light, else with all the faults that training draws. tops: table tops
        chosen for each deck, and then none in the cards' own colour besides. strange: how often cards of no deck lie
        among the others, of a source whose decks come with such. cluttered: how often things lie on the table that are
        no cards; but for them a picture is the same without.
        """
        self.seed, self.source, self.plain, self.tops, self.strange = seed, source, plain, tops, strange
        self.cluttered, self.files = cluttered, fonts.chosen(True) if cluttered else []
        self._block = -1
        self._deck: decks.Deck | None = None
        self._tops: list[np.ndarray] = []

    def picture(self, number: int, view: View = WIDE) -> Picture:
        """Picture `number` seen so."""
        deck = self._stocked(number // BLOCK)
        rng = np.random.default_rng([self.seed, number, 1])
        rows = int(rng.choice([7, 7, 7, 6, 5, 4, 3])) if number % 2 == 0 else 0
        laid = _whole(rng, 1 / deck.aspect, rows) if rows else _loose(rng, 1 / deck.aspect)
        return self._taken((number, f"pyramid-{rows}" if rows else None), (deck, laid), view, rng)

    def row_table(self, number: int, view: View) -> Picture:
        """Picture `number` of a layout of half rows, each layout in its turn, seen so."""
        deck = self._stocked(number // BLOCK)
        rng = np.random.default_rng([self.seed, number, 1])
        name = layouts.ROW_LAYOUTS[number % len(layouts.ROW_LAYOUTS)]
        return self._taken((number, name), (deck, layouts.rows(rng, 1 / deck.aspect, name)), view, rng)

    def loose(self, number: int, lay: Laying, view: View) -> Picture:
        """Picture `number` of cards without a layout, laid by `lay`, seen so."""
        deck = self._stocked(number // BLOCK)
        rng = np.random.default_rng([self.seed, number, 1])
        return self._taken((number, None), (deck, lay(rng, 1 / deck.aspect)), view, rng)

    def _taken(
        self,
        what: tuple[int, str | None],
        cards: tuple[decks.Deck, list[layouts.Laid]],
        view: View,
        rng: np.random.Generator,
    ) -> Picture:
        """The picture of these cards; `what`: its number and the layout they are laid in."""
        (number, layout), (deck, laid) = what, cards
        angle = _azimuth(rng) if what[1] is None or not LAYOUTS[what[1]].lines else _near_side(rng)
        elevation = float(np.radians(rng.uniform(*view.elevation)))
        canvas = max(view.size)
        h, px = aimed(laid, 1 / deck.aspect, (elevation, angle), view, (layout, rng))
        painter = scenes.Painter(
            [],
            self._tops,
            np.random.default_rng([self.seed, number, 2]),
            files=self.files,
            cluttered=self.cluttered,
        )
        develop = plain_camera if self.plain else lens.degrade
        alike = scenes.CAMOUFLAGED if self.tops is None else 0.0
        scene = painter.paint(
            deck, laid, h, size=canvas, px=px, hands=0.0, strange=self.strange, camouflaged=alike, develop=develop
        )
        if len(scene.cards) != len(laid):
            raise AssertionError(f"picture {number}: a card was not drawn")
        return truth_of(scene, laid, layout, view, f"{number:05d} {deck.name}")

    def _stocked(self, block: int) -> decks.Deck:
        if block != self._block or self._deck is None:
            rng = np.random.default_rng([self.seed, block, 0])
            deck = self.source(rng)
            # Jokers are not of a patience's 52 cards.
            self._deck = replace(deck, faces={code: face for code, face in deck.faces.items() if code != "JK"})
            draw = self.tops or _any_top
            self._tops = [draw(rng, self._deck) for _ in range(TOPS)]
            self._block = block
        return self._deck


def _any_top(rng: np.random.Generator, deck: decks.Deck) -> np.ndarray:
    return surfaces.draw_surface(rng)


def any_floor(rng: np.random.Generator, deck: decks.Deck) -> np.ndarray:
    """A table top or, as often, a floor of boards or tiles."""
    return surfaces.draw_floor(rng) if rng.random() < 0.5 else surfaces.draw_surface(rng)


def _whole(rng: np.random.Generator, height: float, rows: int) -> list[layouts.Laid]:
    """A pyramid of so many rows of which a third at least is left (with fewer nobody can tell the places) and whose
    piles lie as players lay them: apart, stock and waste on the left, the foundation on the right.
    """
    while True:
        laid = layouts.pyramid(rng, height, rows)
        tops = [card.x for card in laid if card.pile]
        apart = all(abs(a - b) < PILED or abs(a - b) > APART for a in tops for b in tops)
        apart = apart and all((card.x > 0) == (card.place == "foundation") for card in laid if card.pile)
        if apart and sum(not card.pile for card in laid) * 3 >= rows * (rows + 1) / 2:
            return laid


def _loose(rng: np.random.Generator, height: float) -> list[layouts.Laid]:
    laid: list[layouts.Laid] = []
    while not laid:
        laid = LOOSE[int(rng.integers(len(LOOSE)))](rng, height)
    return laid


def _azimuth(rng: np.random.Generator) -> float:
    """From any side, mostly square to it."""
    if rng.random() < 0.35:
        return float(rng.uniform(0, 2 * np.pi))
    return float(rng.normal(0, 0.35) + np.pi / 2 * rng.integers(0, 4))


def _near_side(rng: np.random.Generator) -> float:
    """From the player's half of the table: from the other, nobody can tell which side of half rows is up."""
    return float(rng.uniform(-1.2, 1.2) if rng.random() < 0.35 else rng.normal(0, 0.3))


def _empty_places(laid: list[layouts.Laid], layout: str | None) -> list[layouts.Laid]:
    """The places of a pyramid from which the cards are gone, as cards that lie where those lay."""
    if layout is None or not layout.startswith("pyramid"):
        return []
    left = {card.place: card for card in laid if not card.pile}
    spots = {spot.place: spot.at for spot in LAYOUTS[layout].spots}
    across = np.array([[spots[place].across["column"], 1.0] for place in left])
    down = np.array([[spots[place].down["row"], 1.0] for place in left])
    columns = np.linalg.lstsq(across, np.array([card.x for card in left.values()]), rcond=None)[0]
    lines = np.linalg.lstsq(down, np.array([card.y for card in left.values()]), rcond=None)[0]
    return [
        layouts.Laid(float(columns @ [at.across["column"], 1.0]), float(lines @ [at.down["row"], 1.0]))
        for place, at in spots.items()
        if place not in left
    ]


def _corners(laid: list[layouts.Laid], height: float) -> np.ndarray:
    """(n, 4, 2) on the table's plane."""
    flat = np.array([[-0.5, -height / 2], [0.5, -height / 2], [0.5, height / 2], [-0.5, height / 2]])
    turns = [np.array([[np.cos(c.angle), -np.sin(c.angle)], [np.sin(c.angle), np.cos(c.angle)]]) for c in laid]
    return np.stack([flat @ turn.T + [c.x, c.y] for turn, c in zip(turns, laid, strict=True)])


def aimed(
    laid: list[layouts.Laid],
    height: float,
    direction: tuple[float, float],
    view: View,
    drawn: tuple[str | None, np.random.Generator],
) -> tuple[np.ndarray, float]:
    """Homography (3, 3) from the table to the square canvas that brings every card into the picture, and every empty
    place of a pyramid, for nobody sees what lies outside; and the median width of a card in pixels.

    drawn: the layout, and what chance draws from.
    """
    layout, rng = drawn
    corners = _corners([*laid, *_empty_places(laid, layout)], height)
    points = corners.reshape(-1, 2)
    low, high = points.min(0), points.max(0)
    reach = max(float((high - low).max()), 5.0)
    middle = (low + high) / 2
    plane = cameras.pose(*direction, float(rng.uniform(1.0, 2.2)) * reach, (float(middle[0]), float(middle[1])))
    flat = cameras.project(plane, points)
    quads = flat.reshape(-1, 4, 2)
    width = float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)))
    box = np.maximum(flat.max(0) - flat.min(0), 1e-6)
    size = np.array(view.size, np.float64)
    margin = float(rng.uniform(0.02, 0.09))
    most = float(rng.uniform(90, 260)) / width
    scale = float((size * (1 - 2 * margin) / box).min())
    scale = min(scale, view.card_px / width) if view.card_px else min(scale, most)
    slack = np.maximum(size * (1 - 2 * 0.02) - scale * box, 0) / 2
    shift = size / 2 - scale * (flat.max(0) + flat.min(0)) / 2 + rng.uniform(-1, 1, 2) * slack
    shift += (max(view.size) - size) / 2
    lens = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
    return lens @ plane, scale * width


def truth_of(scene: scenes.Scene, laid: list[layouts.Laid], layout: str | None, view: View, name: str) -> Picture:
    """The picture cut out of its square canvas, with what lies there."""
    canvas = scene.image.shape[0]
    x, y = (canvas - view.size[0]) // 2, (canvas - view.size[1]) // 2
    cut = np.array([x, y], np.float32)
    cards, hidden, foreign, backs = [], [], [], []
    places: dict[str, Slot] = {spot.place: None for spot in LAYOUTS[layout].spots} if layout else {}
    if layout and LAYOUTS[layout].piles:
        places |= {STOCK: False, WASTE: None, FOUNDATION: None}
    quads: dict[str, np.ndarray] = {}
    for k, (card, at) in enumerate(zip(scene.cards, laid, strict=True)):
        quad = card.quad_xy - cut
        if card.code == scenes.FOREIGN:
            foreign.append((quad, _in_sight(scene, k)))
            if at.place:
                places[at.place] = "!!"
            continue
        if at.place:
            places[at.place] = at.place == "stock" or (card.code if card.face_up else "??")
            quads[at.place] = quad
        frames = [i.frame - np.column_stack([np.zeros((2, 2)), cut]) for i in scene.indices if _shows(i, k)]
        if card.face_up and frames:
            cards.append(TrueCard(card.code, quad, np.stack(frames).astype(np.float32), at.place))
        elif card.face_up:
            hidden.append(card.code)
        elif not at.place:
            backs.append(quad)
    pixels = np.ascontiguousarray(scene.image[y : y + view.size[1], x : x + view.size[0]])
    return Picture(
        name,
        pixels,
        layout,
        tuple(cards),
        tuple(hidden),
        places if layout else None,
        quads,
        group=name[6:],
        foreign=tuple(foreign),
        backs=tuple(backs),
        lying=tuple(card.quad_xy - cut for card in scene.cards),
    )


def _in_sight(scene: scenes.Scene, number: int) -> bool:
    """Whether most of a card shows."""
    quad = scene.cards[number].quad_xy
    whole = np.zeros(scene.ids.shape, np.uint8)
    cv2.fillConvexPoly(whole, np.round(quad).astype(np.int32), 1)
    return bool((scene.ids == number + 1).sum() > SIGHT * max(int(whole.sum()), 1))


def _shows(index: scenes.IndexTruth, card: int) -> bool:
    return index.card == card and index.seen >= WHOLE

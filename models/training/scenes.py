"""Drawn pictures of tables with exact truth: what the nets learn from.

A scene is a square picture of cards of one deck on one table top, seen by a camera from 25 to 90 degrees above the
table and from any side, in some light, with the faults of a real camera. Truth comes from the drawing itself: which
card shows at each pixel, each card's corners, and the frame of each printed index.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from models.training import layouts, lens, surfaces
from models.training.cameras import camera, project
from models.training.decks import HEIGHT, RANKS, SUITS, WIDTH, Deck
from models.training.objects import Thing, draw_thing
from vision.recognize.alphabets import sign_of

SIZE = 448
NOTHING, OCCLUDER = 0, 255
FOREIGN = "foreign"  # the code of a card that belongs to no deck
HANDS = 0.15  # how often a hand or a thing lies over the cards
STRANGE = 0.12  # share of scenes with cards of no deck among the others
CAMOUFLAGED = 0.1  # share of scenes whose table has the colour of the cards
MOST_THINGS = 7  # that are no cards in one scene
FAINT = 14.0  # of 255: an index whose light and dark differ by less can be read by nobody


@dataclass
class CardTruth:
    """One card in a scene: its corners (4, 2) in pixels, clockwise from its own top left, and what shows."""

    code: str
    face_up: bool
    quad_xy: np.ndarray
    aspect: float


@dataclass
class IndexTruth:
    """One printed index in a scene.

    frame: (2, 3) float32, from index units (right, down, in rank heights, origin at the rank's centre) to pixels.
    seen: share of the rank and suit that shows, 0..1. rank_seen, suit_seen: of each alone; 0 where light has left no
    contrast in the suit. suit_xy: (n, 2) pixels of the suit. faint: the rank shows, but light left no contrast in it.
    sign: what is printed for the rank, as the patch net's class.
    """

    card: int
    frame: np.ndarray
    seen: float
    rank: int
    suit: int
    rank_seen: float = 1.0
    suit_seen: float = 1.0
    suit_xy: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), int))
    faint: bool = False
    sign: int = -1


@dataclass
class Scene:
    """A drawn picture: (size, size, 3) uint8 RGB, its cards, its indices, and the card at each pixel (0 none, k+1
    card k). things: the oblongs (4, 2) around things that are no cards.
    """

    image: np.ndarray
    ids: np.ndarray
    cards: list[CardTruth] = field(default_factory=list)
    indices: list[IndexTruth] = field(default_factory=list)
    things: list[np.ndarray] = field(default_factory=list)


def contrasts(image: np.ndarray, index: IndexTruth) -> tuple[float, float]:
    """Difference of paper and ink in the rank and in the suit of an index, 0..255."""
    u, v = np.meshgrid(np.linspace(-0.5, 0.5, 9), np.linspace(-0.5, 0.5, 9))
    at = np.floor(index.frame[:, :2] @ np.stack([u.ravel(), v.ravel()]) + index.frame[:, 2:]).astype(int)
    at = at[:, ((at >= 0) & (at < image.shape[0])).all(0)]
    if not at.size:
        return 0.0, 0.0
    ink, paper = np.percentile(image[at[1], at[0]].min(1), (8, 92))
    suit = image[index.suit_xy[:, 1], index.suit_xy[:, 0]].min(1) if len(index.suit_xy) else np.zeros(1)
    return float(paper - ink), float(paper - np.percentile(suit, 25))


def _dealt(codes: list[str], laid: list[layouts.Laid]) -> list[str]:
    """The codes of cards laid: those that are certain cards, and of the others these in their order."""
    certain = {card.code for card in laid}
    free = iter([code for code in codes if code not in certain] + codes)
    return [card.code or next(free) for card in laid]


class Painter:
    """Draws scenes from a rolling stock of decks and table tops."""

    def __init__(
        self,
        decks: list[Deck],
        tops: list[np.ndarray],
        rng: np.random.Generator,
        *,
        files: list[list[str]] | None = None,
        cluttered: float = 0.0,
    ) -> None:
        """files: the font families that things which are no cards are printed with. cluttered: share of scenes with
        such things.
        """
        self.decks, self.tops, self.rng = decks, tops, rng
        self.files, self.cluttered = files or [], cluttered

    def scene(
        self, *, size: int = SIZE, card_px: float | None = None, strange: float = STRANGE, hands: float = HANDS
    ) -> Scene:
        """One scene; `card_px` is the width of a card in the middle of the picture (default: 24 to 340, log-
        uniform). strange, hands: as in ``paint``.
        """
        rng = self.rng
        deck = self.decks[int(rng.integers(len(self.decks)))]
        px = card_px or float(np.exp(rng.uniform(np.log(24), np.log(340))))
        laid: list[layouts.Laid] = []
        while not laid:
            laid = layouts.lay(rng, 1 / deck.aspect)
        return self.paint(deck, laid, camera(rng, size, px, laid), size=size, px=px, strange=strange, hands=hands)

    def paint(
        self,
        deck: Deck,
        laid: list[layouts.Laid],
        h: np.ndarray,
        *,
        size: int,
        px: float,
        hands: float = HANDS,
        strange: float = STRANGE,
        camouflaged: float = CAMOUFLAGED,
        develop: Callable[[np.ndarray, np.random.Generator, float], np.ndarray] | None = None,
    ) -> Scene:
        """The picture of cards laid on a table, seen through the homography h (3, 3).

        px: about how wide a card is in pixels. hands: how often something lies over the cards, above 1 how many things.
        strange: how often cards of no deck lie there. camouflaged: how often the table has the colour of the cards.
        develop: light, lens and camera, as ``lens.degrade``, the default.
        """
        rng = self.rng
        backs = deck.backs[int(rng.integers(len(deck.backs)))]
        image = self._table(size, px)
        if rng.random() < camouflaged:
            image = surfaces.alike(image, backs if rng.random() < 0.6 else next(iter(deck.faces.values())), rng)
        scene = Scene(image, np.zeros((size, size), np.uint8))
        # By chance of its own, so that but for these things the scene is the same without.
        chance = rng.spawn(1)[0]
        if chance.random() < self.cluttered:
            for _ in range(int(chance.integers(1, MOST_THINGS + 1))):
                self._thing(scene, draw_thing(chance, self.files), h, px, chance)
        strangers = deck.foreign if rng.random() < strange else []
        codes = _dealt([str(c) for c in rng.permutation(list(deck.faces))] * 2, laid[:200])
        ambient = float(rng.uniform(0, 0.6))
        shadow = rng.uniform(-0.08, 0.08, 2) if rng.random() < 0.9 else np.zeros(2)
        for card, code in zip(laid[:200], codes, strict=False):
            face = deck.faces[code] if card.face_up else backs
            if strangers and card.face_up and rng.random() < 0.25:
                code, face = FOREIGN, strangers[int(rng.integers(len(strangers)))]
            self._card(scene, deck, card, code, face, h, ambient, shadow)
        for _ in range(max(int(rng.random() < hands), int(hands))):
            self._occlude(scene, px)
        self._truth(scene, deck)
        scene.image = (develop or lens.degrade)(scene.image, rng, px)
        for index in scene.indices:
            rank, suit = contrasts(scene.image, index)
            if rank < FAINT:
                index.faint, index.seen = True, min(index.seen, 0.5)
            elif suit < FAINT:
                index.seen, index.suit_seen = min(index.seen, 0.7), 0.0
        return scene

    def _table(self, size: int, px: float) -> np.ndarray:
        rng = self.rng
        top = self.tops[int(rng.integers(len(self.tops)))]
        zoom, angle = float(rng.uniform(0.6, 1.6)) * size / top.shape[0] * 1.6, float(rng.uniform(0, 360))
        m = cv2.getRotationMatrix2D((top.shape[1] / 2, top.shape[0] / 2), angle, zoom)
        m[:, 2] += size / 2 - top.shape[1] / 2
        if rng.random() < 0.5:
            m[1] *= rng.uniform(0.4, 1)
        return cv2.warpAffine(top, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)

    def _card(
        self,
        scene: Scene,
        deck: Deck,
        card: layouts.Laid,
        code: str,
        face: np.ndarray,
        h: np.ndarray,
        ambient: float,
        shadow: np.ndarray,
    ) -> None:
        rng, size = self.rng, scene.image.shape[0]
        half_h = 0.5 / deck.aspect
        corners = np.array([[-0.5, -half_h], [0.5, -half_h], [0.5, half_h], [-0.5, half_h]])
        turn = np.array([[np.cos(card.angle), -np.sin(card.angle)], [np.sin(card.angle), np.cos(card.angle)]])
        plane = corners @ turn.T + [card.x, card.y]
        # A card not quite flat: one corner or side lifted or pushed.
        if rng.random() < 0.2:
            plane += rng.normal(0, 0.012 if rng.random() < 0.7 else 0.03, (4, 2))
        depth = np.column_stack([plane, np.ones(4)]) @ h[2]
        if (depth <= 0.5).any() or len(scene.cards) >= 250:
            return
        quad = project(h, plane)
        low, high = quad.min(0), quad.max(0)
        if (high < 2).any() or (low > size - 2).any():
            return
        x0, y0 = np.floor(np.maximum(low, 0) - 1).astype(int).clip(0)
        x1, y1 = np.ceil(np.minimum(high, size) + 1).astype(int).clip(0, size)
        width = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        if width < 8 or x1 - x0 < 3 or y1 - y0 < 3:
            return
        if shadow.any():
            cast = project(h, plane + shadow * rng.uniform(0.3, 1.0))
            self._shadow(scene.image, cast, ambient, width, rng)
        texture = lens.levels(face, width)
        th, tw = texture.shape[:2]
        m = cv2.getPerspectiveTransform(
            np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32), (quad - [x0, y0]).astype(np.float32)
        )
        painted = cv2.warpPerspective(
            texture, m, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        alpha = self._alpha(m, (tw, th), deck.corner, 0.0, (x1 - x0, y1 - y0))
        if deck.clear_edge:
            printed = self._alpha(m, (tw, th), deck.corner, deck.clear_edge * tw, (x1 - x0, y1 - y0))
            alpha = np.maximum(printed, (alpha * 0.35).astype(np.uint8))
        shade = float(rng.normal(1, 0.03)) * (1 - ambient * 0.1)
        area = scene.image[y0:y1, x0:x1]
        a = alpha[..., None].astype(np.float32) / 255
        paint = painted.astype(np.float32) * shade
        if rng.random() < 0.3:
            edge = (
                cv2.morphologyEx(alpha, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))[..., None].astype(np.float32)
                / 255
            )
            paint *= 1 - edge * float(rng.uniform(0.05, 0.4))
        area[:] = np.clip(area * (1 - a) + paint * a, 0, 255).astype(np.uint8)
        scene.cards.append(CardTruth(code, card.face_up, quad.astype(np.float32), deck.aspect))
        scene.ids[y0:y1, x0:x1][alpha > 127] = len(scene.cards)

    def _thing(self, scene: Scene, thing: Thing, h: np.ndarray, px: float, rng: np.random.Generator) -> None:
        """A thing that is no card, somewhere on the table and under the cards."""
        size = scene.image.shape[0]
        if abs(np.linalg.det(h)) < 1e-12:
            return
        middle = project(np.linalg.inv(h), rng.uniform(0, size, (1, 2)))[0]
        th, tw = thing.alpha.shape
        half = np.array([1.0, th / tw]) * thing.width / 2
        angle = float(rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else rng.normal(0, 0.1))
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        plane = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) @ turn.T + middle
        if (np.column_stack([plane, np.ones(4)]) @ h[2] <= 0.5).any():
            return
        quad = project(h, plane)
        low, high = quad.min(0), quad.max(0)
        x0, y0 = np.floor(np.maximum(low, 0) - 1).astype(int).clip(0)
        x1, y1 = np.ceil(np.minimum(high, size) + 1).astype(int).clip(0, size)
        if x1 - x0 < 3 or y1 - y0 < 3 or (high - low).max() > 3 * size:
            return
        far = float(np.linalg.norm(quad[1] - quad[0]))
        whole = np.dstack([thing.image, thing.alpha])
        texture = lens.levels(whole, far) if tw >= 24 else whole
        shape = np.array([texture.shape[1], texture.shape[0]], np.float32)
        m = cv2.getPerspectiveTransform(
            np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * shape, (quad - [x0, y0]).astype(np.float32)
        )
        painted = cv2.warpPerspective(texture, m, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        if rng.random() < 0.7:
            cast = project(h, plane + rng.uniform(-0.08, 0.08, 2))
            self._shadow(scene.image, cast, float(rng.uniform(0.2, 0.9)), min(px, far), rng)
        share = painted[..., 3:].astype(np.float32) / 255
        area = scene.image[y0:y1, x0:x1]
        area[:] = np.clip(area * (1 - share) + painted[..., :3] * share * float(rng.normal(1, 0.05)), 0, 255)
        scene.things.append(quad.astype(np.float32))

    @staticmethod
    def _alpha(
        m: np.ndarray, texture: tuple[int, int], corner: float, inset: float, shape: tuple[int, int]
    ) -> np.ndarray:
        """Where the card covers the picture: its rounded outline, `inset` texture pixels inside its edge."""
        tw, th = texture
        r = corner * tw
        t = np.linspace(0, np.pi / 2, 5)
        arcs = []
        for cx, cy, start in ((r, r, np.pi), (tw - r, r, 1.5 * np.pi), (tw - r, th - r, 0.0), (r, th - r, 0.5 * np.pi)):
            arcs.append(np.column_stack([cx + r * np.cos(start + t), cy + r * np.sin(start + t)]))
        middle = np.array([tw / 2, th / 2])
        outline = project(m, (np.vstack(arcs) - middle) * (1 - 2 * inset / np.array([tw, th])) + middle)
        alpha = np.zeros((shape[1], shape[0]), np.uint8)
        cv2.fillPoly(alpha, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return alpha

    @staticmethod
    def _shadow(image: np.ndarray, cast: np.ndarray, ambient: float, width: float, rng: np.random.Generator) -> None:
        """The shadow of what is so wide, cast on the oblong `cast` (4, 2)."""
        pad = int(width * 0.12) + 2
        low, high = np.floor(cast.min(0)).astype(int) - pad, np.ceil(cast.max(0)).astype(int) + pad
        x0, y0 = low.clip(0)
        x1, y1 = high.clip(0, image.shape[0])
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(mask, [np.round((cast - [x0, y0]) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        k = max(1, int(width * rng.uniform(0.01, 0.07)))
        mask = cv2.blur(mask, (2 * k + 1, 2 * k + 1))
        area = image[y0:y1, x0:x1]
        area[:] = (area * (1 - mask[..., None].astype(np.float32) / 255 * (0.55 - ambient * 0.5))).astype(np.uint8)

    def _occlude(self, scene: Scene, px: float) -> None:
        """A hand, a cup, a book, or any thing that is no card over part of the cards."""
        rng, size = self.rng, scene.image.shape[0]
        near = scene.cards[int(rng.integers(len(scene.cards)))].quad_xy.mean(0) if scene.cards else np.zeros(2)
        at = near + rng.normal(0, px * 0.5, 2) if rng.random() < 0.7 else rng.uniform(0, size, 2)
        x, y = (int(v) for v in at)
        if rng.random() < 0.3:
            self._lay(scene, draw_thing(rng, self.files), at, px)
            return
        mask = np.zeros((size, size), np.uint8)
        ink = np.array([200, 150, 120]) * rng.uniform(0.4, 1.2) if rng.random() < 0.5 else rng.integers(0, 256, 3)
        kind = rng.random()
        if kind < 0.45:
            away = rng.normal(0, px * 1.5, 2)
            for k in range(int(rng.integers(1, 6))):
                end = at + away + rng.normal(0, px * rng.uniform(0.1, 1.0), 2)
                start = (int(x + k * px * rng.uniform(0.02, 0.3)), y)
                wide = max(3, int(px * rng.uniform(0.1, 0.35)))
                cv2.line(mask, start, (int(end[0]), int(end[1])), 255, wide, cv2.LINE_AA)
        elif kind < 0.75:
            axes = int(px * rng.uniform(0.25, 1.2)), int(px * rng.uniform(0.2, 0.8))
            cv2.ellipse(mask, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
        else:
            sides = px * float(rng.uniform(0.4, 2.0)), px * float(rng.uniform(0.4, 2.0))
            box = cv2.boxPoints(((float(x), float(y)), sides, float(rng.uniform(0, 180))))
            cv2.fillConvexPoly(mask, np.round(box).astype(np.int32), 255, cv2.LINE_AA)
        cells = int(rng.integers(2, 12))
        dark = float(rng.uniform(0.5, 1.0))
        shade = rng.uniform(dark, 1.15, (cells, cells)).astype(np.float32)
        shade = cv2.resize(shade, (size, size), interpolation=cv2.INTER_CUBIC)[..., None]
        if rng.random() < 0.5:
            shade = shade + rng.normal(0, rng.uniform(0, 0.06), (size, size, 1)).astype(np.float32)
        a = mask[..., None].astype(np.float32) / 255
        scene.image = np.clip(scene.image * (1 - a) + np.asarray(ink, np.float32) * shade * a, 0, 255).astype(np.uint8)
        scene.ids[mask > 127] = OCCLUDER

    def _lay(self, scene: Scene, thing: Thing, at: np.ndarray, px: float) -> None:
        """A thing upon the cards, its middle there, as seen from above."""
        rng, (h, w) = self.rng, thing.alpha.shape
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), float(rng.uniform(0, 360)), thing.width * px / w)
        turn[:, 2] += at - np.array([w / 2, h / 2])
        whole = np.dstack([thing.image, thing.alpha])
        painted = cv2.warpAffine(whole, turn, scene.image.shape[1::-1], flags=cv2.INTER_AREA)
        share = painted[..., 3:].astype(np.float32) / 255
        scene.image = np.clip(scene.image * (1 - share) + painted[..., :3] * share, 0, 255).astype(np.uint8)
        scene.ids[painted[..., 3] > 127] = OCCLUDER

    def _truth(self, scene: Scene, deck: Deck) -> None:
        size = scene.image.shape[0]
        source = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
        for k, card in enumerate(scene.cards):
            if not card.face_up or card.code == FOREIGN:
                continue
            m = cv2.getPerspectiveTransform(source, card.quad_xy)
            rank, suit = (13, -1) if card.code == "JK" else (RANKS.index(card.code[:-1]), SUITS.index(card.code[-1]))
            text = card.code[:-1]
            sign = rank if card.code == "JK" else sign_of(deck.letters.get(text, text))
            for index in deck.indices[card.code]:
                (x, y), height = index.rank_xy, index.rank_height
                way = -1 if index.turned else 1
                # The face is drawn with 240 / 336; the unit along the width follows the card's own proportions.
                unit_x = height * (WIDTH / HEIGHT) / card.aspect
                p = project(m, np.array([[x, y], [x + unit_x, y], [x - unit_x, y], [x, y + height], [x, y - height]]))
                right, down = way * (p[1] - p[2]) / 2, way * (p[3] - p[4]) / 2
                frame = np.column_stack([right, down, p[0]]).astype(np.float32)
                w = index.rank_width / 2
                grid = [(x + a * w, y + b * height / 2) for a in (-0.9, 0, 0.9) for b in (-0.9, -0.3, 0.3, 0.9)]
                grid += [
                    (index.suit_xy[0] + a * index.suit_size / 2, index.suit_xy[1] + b * index.suit_size / 2)
                    for a in (-0.8, 0, 0.8)
                    for b in (-0.8, 0, 0.8)
                ]
                at = np.floor(project(m, np.array(grid))).astype(int)
                inside = ((at >= 0) & (at < size)).all(1)
                shown = inside.copy()
                shown[inside] = scene.ids[at[inside, 1], at[inside, 0]] == k + 1
                if shown.any():
                    parts = float(shown[:12].mean()), float(shown[12:].mean())
                    suit_xy = at[12:][shown[12:]]
                    scene.indices.append(
                        IndexTruth(k, frame, float(shown.mean()), rank, suit, *parts, suit_xy, sign=sign)
                    )

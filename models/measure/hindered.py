"""Pictures with exactly one thing that makes them hard to read, as a player would cause it, and pictures with none."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib.resources.abc import Traversable

import cv2
import numpy as np

from models.measure import conditions, marks
from models.measure.drawn import DeckSource, Pool, View
from models.measure.marks import Marks
from models.measure.pictures import Picture, TrueCard
from models.training import decks, surfaces
from vision.image import picture as files
from vision.image.headers import LEAST_SIDE
from vision.recognize import card_frame
from vision.recognize.index_crops import heights

# A cloth is clearly another colour than the cards where no more than this share of it is this near to their paper, of
# 255 in the channel that differs most.
NEAR, FEW = 45.0, 0.1
# Printed ranks this high in pixels are too small; glare, blur and the rest are shown on pictures where they are not.
TOO_SMALL = (4.5, 7.5)
LEGIBLE = 12.0
# Blur: σ in rank heights.
BLURRED = (0.1, 0.2)
DARKNESS = (0.12, 0.3)
# Burnt-out spots are so wide, in card widths.
LAMP = (0.5, 1.0)
# A thing over a card hides so much of it at least, and so wide it is, in card widths.
HIDES = 0.3
THING = (0.6, 1.1)
# Pixels of the pictures; a layout of half rows is wider, and its cards smaller in the picture.
SIZE, ROWS_SIZE = (1024, 768), (1600, 1200)

Hinder = Callable[[Picture, Marks, np.random.Generator], tuple[Picture, frozenset[str]]]


def clear_top(rng: np.random.Generator, deck: decks.Deck) -> np.ndarray:
    """A table top (h, w, 3) whose colours the deck's paper stands out from."""
    while True:
        top = surfaces.draw_surface(rng)
        if float((np.abs(top.astype(np.float32) - paper(deck)).max(2) < NEAR).mean()) < FEW:
            return top


def like_top(rng: np.random.Generator, deck: decks.Deck) -> np.ndarray:
    """A table top (h, w, 3) in the colour of the deck's paper, with a little of a weave."""
    share = float(rng.uniform(0.02, 0.1))
    plain = surfaces.draw_surface(rng).astype(np.float32)
    colour = paper(deck) * float(rng.uniform(0.97, 1.02))
    return np.clip(colour + (plain - plain.mean((0, 1))) * share, 0, 255).astype(np.uint8)


def paper(deck: decks.Deck) -> np.ndarray:
    """The colour (3,) of a deck's paper."""
    face = next(iter(deck.faces.values()))
    return np.asarray(np.median(face[4:-4, 3:8].reshape(-1, 3), axis=0), np.float32)


def glare(picture: Picture, where: Marks, rng: np.random.Generator) -> tuple[Picture, frozenset[str]]:
    """A lamp mirrored in the cards: two burnt-out spots; each card keeps an index."""
    return conditions.glare(picture, where, rng, float(rng.uniform(*LAMP))), frozenset()


def dark(picture: Picture, where: Marks, rng: np.random.Generator) -> tuple[Picture, frozenset[str]]:
    """Little light, and the noise of it."""
    light = float(rng.uniform(*DARKNESS))
    noise = rng.normal(0, conditions.NOISE, picture.pixels.shape)
    return replace(picture, pixels=_bytes(picture.pixels * light + noise)), frozenset()


def blurred(picture: Picture, where: Marks, rng: np.random.Generator) -> tuple[Picture, frozenset[str]]:
    """Out of focus, or shaken: a line as long as the focus is wide."""
    sigma = float(rng.uniform(*BLURRED)) * where.height
    if rng.random() < 0.6:
        return replace(picture, pixels=cv2.GaussianBlur(picture.pixels, (0, 0), sigma)), frozenset()
    reach = max(1, round(sigma * 2))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    angle = float(rng.uniform(0, np.pi))
    step = np.array([np.cos(angle), np.sin(angle)]) * reach
    ends = [tuple(int(v) for v in np.round(reach + sign * step)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return replace(picture, pixels=cv2.filter2D(picture.pixels, -1, kernel / kernel.sum())), frozenset()


def far(picture: Picture, where: Marks, rng: np.random.Generator) -> tuple[Picture, frozenset[str]]:
    """The same picture by a camera of fewer pixels: ranks are too small to be read."""
    scale = float(rng.uniform(*TOO_SMALL)) / where.height
    pixels = cv2.resize(picture.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    pad = [max(0, LEAST_SIDE - side) for side in pixels.shape[:2]]
    return replace(picture, pixels=cv2.copyMakeBorder(pixels, 0, pad[0], 0, pad[1], cv2.BORDER_REPLICATE)), frozenset()


def covered(picture: Picture, where: Marks, rng: np.random.Generator) -> tuple[Picture, frozenset[str]]:
    """A hand, a cup or a book over one card or more, and the places of those that it hides a good part of."""
    image = picture.pixels
    mask = np.zeros(image.shape[:2], np.uint8)
    quad = where.quads[int(rng.integers(len(where.quads)))]
    middle = quad.mean(0) + rng.normal(0, 0.15, 2) * where.width
    wide = float(rng.uniform(*THING)) * where.width
    angle, kind = float(rng.uniform(0, 2 * np.pi)), int(rng.integers(3))
    along = np.array([np.cos(angle), np.sin(angle)])
    if kind == 0:
        for k in range(4):
            start = middle + np.array([-along[1], along[0]]) * (k - 1.5) * wide * 0.28
            ends = [tuple(int(v) for v in np.round(p)) for p in (start, start + along * wide * 2.2)]
            cv2.line(mask, ends[0], ends[1], 255, max(3, round(wide * 0.25)), cv2.LINE_AA)
        ink = np.array([205, 160, 130]) * float(rng.uniform(0.45, 1.05))
    elif kind == 1:
        size = round(wide * 0.55), round(wide * float(rng.uniform(0.4, 0.55)))
        at = tuple(int(v) for v in np.round(middle))
        cv2.ellipse(mask, at, size, np.degrees(angle), 0, 360, 255, -1, cv2.LINE_AA)
        ink = rng.integers(20, 200, 3).astype(float)
    else:
        box = cv2.boxPoints(((float(middle[0]), float(middle[1])), (wide, wide * 1.3), float(np.degrees(angle))))
        cv2.fillConvexPoly(mask, np.round(box).astype(np.int32), 255, cv2.LINE_AA)
        ink = rng.integers(20, 200, 3).astype(float)
    shade = cv2.resize(rng.uniform(0.75, 1.1, (7, 7)), image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    grain = cv2.GaussianBlur(rng.normal(0, 6, image.shape), (0, 0), 1.0)
    share = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None] / 255.0
    out = image * (1 - share) + (ink * shade[..., None] + grain) * share
    hidden = frozenset(place for place, corners in (picture.places_xy or {}).items() if _share(mask, corners) >= HIDES)
    return replace(picture, pixels=_bytes(out)), hidden


def _share(mask: np.ndarray, quad: np.ndarray) -> float:
    inside = np.zeros_like(mask)
    cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
    return float((mask[inside > 0] > 127).mean()) if inside.any() else 0.0


def _bytes(image: np.ndarray) -> np.ndarray:
    return np.clip(np.round(image), 0, 255).astype(np.uint8)


HINDRANCES: Mapping[str, Hinder] = {
    "glare": glare,
    "closer": far,
    "dark": dark,
    "sharper": blurred,
    "covered": covered,
}
# Made when the table is drawn, not from a picture of it.
CLOTH = "cloth"
CLEAN = "clean"


class Hindered:
    """Drawn tables by number: clean ones, and the same on a cloth like the cards; of half rows where asked for."""

    def __init__(self, seed: int, source: DeckSource, *, rows: bool = False) -> None:
        clean, alike = (Pool(seed, source, plain=True, tops=top) for top in (clear_top, like_top))
        view = View(size=ROWS_SIZE if rows else SIZE)
        self.clean, self.alike = (
            partial(pool.row_table if rows else pool.picture, view=view) for pool in (clean, alike)
        )

    def legible(self, number: int) -> tuple[Picture, Marks] | None:
        """Clean picture `number`; None where nobody could read it, or no face shows."""
        picture = self.clean(number)
        where = marks.from_truth(picture)
        return (picture, where) if where is not None and where.height >= LEGIBLE else None

    def on_like_cloth(self, number: int) -> Picture:
        """The same cards on a cloth in the colour of their paper."""
        return self.alike(number)


def every(
    seed: int, pictures: int, source: DeckSource, *, rows: bool = False, with_samples: bool = False
) -> Iterator[tuple[str, Picture]]:
    """What is wrong with each picture, and the picture: so many drawn tables, and the samples where asked for, each
    clean and with each thing wrong in turn; a cloth like the cards is drawn alone.
    """
    drawn, whole = Hindered(seed, source, rows=rows), [(p, marks_of(p)) for p in samples()] if with_samples else []
    number = 0
    for k in range(pictures + len(whole)):
        if k < len(whole):
            picture, where = whole[k]
        else:
            while (found := drawn.legible(number)) is None:
                number += 1
            picture, where = found
            yield CLOTH, drawn.on_like_cloth(number)
            number += 1
        yield CLEAN, picture
        for j, (name, hinder) in enumerate(HINDRANCES.items()):
            yield name, hinder(picture, where, np.random.default_rng([seed, k, j]))[0]


def samples() -> list[Picture]:
    """The sample pictures of the project, with what their truth files say."""
    folder = importlib.resources.files("sample_images")
    names = sorted(p.name.removesuffix(".json") for p in folder.iterdir() if p.name.endswith(".json"))
    return [
        _sample(folder.joinpath(f"{name}.jpg").read_bytes(), folder.joinpath(f"{name}.json"), name) for name in names
    ]


def marks_of(picture: Picture) -> Marks:
    """Where a sample's indices should stand, by the usual place on its cards."""
    quads = np.stack([card.quad_xy for card in picture.cards if card.quad_xy is not None])
    usual = np.array(
        [[card_frame.USUAL_UNIT[0], 0.0, card_frame.USUAL[0]], [0.0, card_frame.USUAL_UNIT[1], card_frame.USUAL[1]]]
    )
    frames = tuple(card_frame.looked_for(card_frame.axes_of(quad), usual, (False, True)) for quad in quads)
    height = float(np.median(heights(np.concatenate(frames))))
    return Marks(frames, height, float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1))), quads)


def _sample(data: bytes, truth_file: Traversable, name: str) -> Picture:
    truth = json.loads(truth_file.read_text("utf-8"))
    rows = (truth.get("position") or {}).get("pyramid")
    xy = {_place(card["slot"]): np.array(card["quad"], np.float32) for card in truth["cards"]}
    cards = tuple(
        TrueCard(card["code"], np.array(card["quad"], np.float32), place=_place(card["slot"]))
        for card in truth["cards"]
        if card["face_up"]
    )
    return Picture(
        name,
        files.decode(data),
        f"pyramid-{len(rows)}" if rows else None,
        cards,
        places={} if rows else None,
        places_xy=xy,
    )


def _place(slot: list[object]) -> str:
    return f"pyramid {int(str(slot[1])) + 1} {int(str(slot[2])) + 1}" if slot[0] == "tableau" else str(slot[0])

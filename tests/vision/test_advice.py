"""Advice for a better picture: given where one thing is wrong with it, silent where nothing is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_app.languages import CODES as LANGUAGES
from companion_app.languages import language
from models.measure import hindered
from models.measure.pictures import Picture
from tests.vision import laying
from vision.advice import quality
from vision.reader import Reader
from vision.reading import TableReading

SAMPLES = ("relaxed-deal", "king-tut", "spread")
README = Path(__file__).parents[2] / "README.md"


@cache
def reader() -> Reader:
    return Reader.load()


@cache
def sample(name: str) -> Picture:
    return next(picture for picture in hindered.samples() if picture.name == name)


def read(picture: Picture) -> TableReading:
    return reader().read_pixels(picture.pixels, layout="auto" if picture.layout else None)


def codes(picture: Picture) -> set[str]:
    return {given.code for given in read(picture).advice}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_good_picture_gets_no_advice(name: str) -> None:
    assert codes(sample(name)) == set()


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("fault", ["glare", "closer", "dark", "sharper"])
def test_a_picture_with_one_thing_wrong_gets_that_advice(name: str, fault: str) -> None:
    picture = sample(name)
    spoilt, _ = hindered.HINDRANCES[fault](picture, hindered.marks_of(picture), np.random.default_rng(7))
    assert fault in codes(spoilt)


def test_a_thing_over_a_card_is_told_with_its_place() -> None:
    picture = sample("relaxed-deal")
    quad = laying.quad_of("relaxed-deal", "tableau", 6, 3)
    pixels = picture.pixels.copy()
    middle = quad.mean(0) + (quad[3] - quad[0]) * 0.2
    cv2.circle(pixels, tuple(int(v) for v in middle), int(np.linalg.norm(quad[1] - quad[0]) * 0.4), (60, 90, 160), -1)
    given = [told for told in read(replace(picture, pixels=pixels)).advice if told.code == "covered"]
    assert given
    assert "pyramid 7 4" in given[0].places


def test_a_cloth_in_the_colour_of_the_cards_is_told() -> None:
    picture = sample("spread")
    cards = np.zeros(picture.pixels.shape[:2], np.uint8)
    for card in picture.cards:
        assert card.quad_xy is not None
        cv2.fillConvexPoly(cards, np.round(card.quad_xy).astype(np.int32), 1)
    paper = np.percentile(picture.pixels[cards > 0], 80, axis=0)
    cloth = picture.pixels * 0.08 + paper * 0.9
    pixels = np.where(cards[..., None] > 0, picture.pixels, cloth).astype(np.uint8)
    assert "cloth" in codes(replace(picture, pixels=pixels))


def test_glare_is_told_of_the_cards_it_lies_on() -> None:
    picture = sample("relaxed-deal")
    quad = laying.quad_of("relaxed-deal", "tableau", 6, 0)
    pixels = picture.pixels.astype(np.float32)
    yy, xx = np.mgrid[: pixels.shape[0], : pixels.shape[1]]
    x, y = quad.mean(0)
    wide = float(np.linalg.norm(quad[1] - quad[0]))
    light = np.clip(1.6 - 1.5 * np.hypot(xx - x, yy - y) / (wide * 0.5), 0, 1)[..., None]
    spoilt = (pixels + (255 - pixels) * light).astype(np.uint8)
    given = [told for told in read(replace(picture, pixels=spoilt)).advice if told.code == "glare"]
    assert given
    assert "pyramid 7 1" in given[0].places
    assert "pyramid 7 7" not in given[0].places


@pytest.mark.parametrize("code", quality.CODES)
def test_every_advice_is_told_in_every_language_and_in_the_readme(code: str) -> None:
    assert all(f"advice.{code}" in language(spoken) for spoken in LANGUAGES)
    assert f"| `{code}` |" in README.read_text("utf-8")


def test_a_hand_over_cards_is_told_of() -> None:
    picture = sample("relaxed-deal")
    quad = laying.quad_of("relaxed-deal", "tableau", 6, 3)
    wide = float(np.linalg.norm(quad[1] - quad[0]))
    pixels = picture.pixels.copy()
    for k in range(4):
        start = quad.mean(0) + wide * np.array([(k - 1.5) * 0.24, -0.1])
        ends = [tuple(int(v) for v in p) for p in (start, start + wide * np.array([0.0, 1.8]))]
        cv2.line(pixels, ends[0], ends[1], (175, 135, 110), round(wide * 0.21), cv2.LINE_AA)
    given = [told for told in read(replace(picture, pixels=pixels)).advice if told.code == "covered"]
    assert given
    assert "pyramid 7 4" in given[0].places


def test_paper_that_burns_by_itself_is_no_glare() -> None:
    picture = sample("spread")
    assert "glare" not in codes(replace(picture, pixels=cv2.convertScaleAbs(picture.pixels, alpha=1.35)))


def test_print_in_many_pixels_must_be_sharper_than_small_print() -> None:
    softness = np.linspace(3, 12, 200)
    allowed = []
    for height in (9.0, 12.0, 15.0, 18.0, 25.0, 60.0):
        signs = np.column_stack([np.ones(200), softness, np.full(200, np.log(height))])
        allowed.append(float(softness[~quality.speaks_for("sharper", signs)].max()))
    assert allowed == sorted(allowed, reverse=True)
    assert allowed[0] > allowed[-1]

"""Piles that lie elsewhere than piles usually do: pointed at once, on the page by two taps or by the keyboard, they are
read there on every later picture of the game."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from companion_app.desk.desk import Desk
from companion_app.errors import ChangedTrouble, UsageTrouble
from companion_app.hints.preparing import Preparation
from companion_app.languages import language
from companion_app.library.store import Store
from companion_app.settings import Settings
from companion_app.tables.pointed_piles import point_of
from companion_app.tables.table import Table
from rules.cards import FACE_DOWN, GONE, Card
from rules.layouts import STOCK, WASTE
from rules.looks import lying
from tests.companion_app.conftest import served
from tests.companion_app.fakes import FakeEyes, picture_bytes, row_reading
from tests.companion_app.row_tables import deal
from tests.companion_app.test_browser import CHROMIUM, FLAGS, LAPTOP, PHONE, WAIT, fits_width, tab_to
from vision.reader import Reader

SAMPLES = Path("sample_images")
ENGLISH = language("en")
GAME = "relaxed-pyramid"
THERE = {STOCK: (120, 140), WASTE: (120, 350)}
"""The upper left corner of the picture, left of the pyramid, in pixels of (1280, 960)."""
SIZE = (1280, 960)
POINTS = {pile: (x / SIZE[0], y / SIZE[1]) for pile, (x, y) in THERE.items()}
KNOWN = {STOCK: FACE_DOWN, WASTE: Card.parse("5D")}


@cache
def eyes() -> Reader:
    return Reader.load()


@cache
def elsewhere(name: str) -> bytes:
    """A sample with its stock and waste laid elsewhere, cloth where they lay."""
    data = (SAMPLES / f"{name}.jpg").read_bytes()
    image = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))
    quads = {card.place: np.array(card.quad_xy) for card in eyes().read(data, layout="pyramid-7").cards}
    out = image.copy()
    for pile, goal in THERE.items():
        cards, around = (np.zeros(image.shape[:2], np.uint8) for _ in range(2))
        cv2.fillConvexPoly(cards, np.round(quads[pile]).astype(np.int32), 1)
        cv2.fillConvexPoly(around, np.round(quads[pile]).astype(np.int32), 1)
        cards, around = cv2.dilate(cards, np.ones((7, 7))), cv2.dilate(around, np.ones((41, 41)))
        # Cloth from the empty middle of the table, right of the piles.
        out[around > 0] = np.roll(image, -400, axis=1)[around > 0]
        x, y = goal - quads[pile].mean(0)
        shift = np.array([[1.0, 0.0, x], [0.0, 1.0, y]])
        moved = cv2.warpAffine(image, shift, SIZE, flags=cv2.INTER_NEAREST)
        lies = cv2.warpAffine(cards, shift, SIZE, flags=cv2.INTER_NEAREST)
        out[lies > 0] = moved[lies > 0]
    return bytes(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, 95])[1])


def desk_of(folder: Path) -> Desk:
    return Desk(eyes(), Settings(), Preparation(), store=Store(folder))


def piles(table: Table) -> dict[str, object]:
    look = dict(lying(table.position()))
    return {pile: look.get(pile, GONE) for pile in THERE}


def test_once_pointed_at_piles_are_read_there_on_every_picture(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    table = desk.open_picture(elsewhere("pair-before"), "one.jpg", GAME, ENGLISH)
    assert piles(table) == {STOCK: GONE, WASTE: GONE}
    table = desk.point(table, POINTS, str(table.look))
    assert piles(table) == KNOWN
    later = desk.next_picture(table, elsewhere("pair-after"), "two.jpg", ENGLISH)
    assert later.story is not None and later.story.violations == ()
    assert [[str(card) for card in move.cards] for move in later.story.moves] == [["4H", "9S"]]
    assert piles(later) == KNOWN
    again = desk_of(tmp_path).find(later.id, ENGLISH)
    assert isinstance(again, Table) and again.pointed and piles(again) == KNOWN
    assert piles(desk.undo(desk.undo(later))) == {STOCK: GONE, WASTE: GONE}


def test_pointed_at_later_what_the_looks_before_said_of_the_piles_does_not_count(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    table = desk.open_picture(elsewhere("pair-before"), "one.jpg", GAME, ENGLISH)
    table = desk.next_picture(table, elsewhere("pair-after"), "two.jpg", ENGLISH)
    assert piles(table) == {STOCK: GONE, WASTE: GONE}
    table = desk.point(table, POINTS)
    assert piles(table) == KNOWN
    assert table.story is not None and table.story.violations == ()
    assert [move.kind for move in table.story.moves] == ["pair"]
    again = desk_of(tmp_path).find(table.id, ENGLISH)
    assert isinstance(again, Table) and piles(again) == KNOWN


def test_where_there_is_nothing_to_point_at_or_the_look_is_old_it_is_said(tmp_path: Path) -> None:
    desk = Desk(FakeEyes(row_reading(deal("piwnica"))), Settings(), Preparation(), store=Store(tmp_path))
    rows = desk.open_picture(picture_bytes(), "rows.jpg", "piwnica", ENGLISH)
    with pytest.raises(UsageTrouble) as refused:
        desk.point(rows, POINTS)
    assert refused.value.code == "no-piles"
    with pytest.raises(ChangedTrouble):
        desk.point(rows, POINTS, str(rows.look + 1))
    assert point_of("12,5", "100") == (0.125, 1.0)
    for across, down in (
        ("", "5"),
        ("-1", "5"),
        ("101", "5"),
        ("5", "x"),
        ("nan", "5"),
        ("9" * 99, "5"),
        ("1.2.3", "5"),
    ):
        with pytest.raises(UsageTrouble) as wrong:
            point_of(across, down)
        assert wrong.value.code == "number"


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that opened the picture, seen by the real reader."""
    width, height = request.param
    expect.set_options(timeout=WAIT)
    errors: list[str] = []
    with served(cast(FakeEyes, eyes())) as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        opened = browser.new_page(viewport={"width": width, "height": height}, locale="en-GB")
        opened.set_default_timeout(WAIT)
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.goto(str(client.base_url))
        opened.select_option("#game", GAME)
        file = {"name": "one.jpg", "mimeType": "image/jpeg", "buffer": elsewhere("pair-before")}
        opened.set_input_files("#opener input[type=file] >> nth=0", file)  # type: ignore[arg-type]
        opened.wait_for_selector("[data-table]")
        opened.wait_for_load_state()
        yield opened
        browser.close()
    assert errors == []


@pytest.mark.parametrize("page", [LAPTOP, PHONE], ids=["laptop", "phone"], indirect=True)
def test_two_taps_on_the_picture_tell_where_the_piles_lie(page: Page) -> None:
    expect(page.locator("#cell-waste")).to_have_accessible_name("empty place; waste")
    page.click("[data-pointing] summary")
    box = page.locator(".photo figure").bounding_box()
    assert box is not None
    for x, y in POINTS.values():
        page.locator(".photo figure").click(position={"x": x * box["width"], "y": y * box["height"]})
    expect(page.locator("#cell-waste")).to_have_accessible_name(re.compile("5 of diamonds; waste"))
    expect(page.locator("[data-pointing] form")).to_be_hidden()
    expect(page.locator(".chooser")).to_have_count(0)
    assert fits_width(page)


@pytest.mark.parametrize("page", [LAPTOP], indirect=True)
def test_the_piles_are_told_by_the_keyboard_alone(page: Page) -> None:
    page.locator("[data-pointing] summary").focus()
    page.keyboard.press("Enter")
    for share in (share for point in POINTS.values() for share in point):
        page.keyboard.press("Tab")
        page.keyboard.type(f"{100 * share:.1f}")
    tab_to(page, "#point-apply", limit=2)
    page.keyboard.press("Enter")
    expect(page.locator("#cell-waste")).to_have_accessible_name(re.compile("5 of diamonds; waste"))

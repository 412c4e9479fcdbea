"""A layout pointed out on the photograph, in a browser with the real reader: by taps, by dragging, by keys alone."""

import re
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.companion_app.test_access import found
from tests.companion_app.test_browser import PHONE, address, browser, fits_width, open_page, tab_to, table_shown

__all__ = ["address", "browser", "open_page"]

Open = Callable[..., Page]
SAMPLE = "pair-before.jpg"
WASTE = re.compile("5 of diamonds; waste")
OUTER = ((47.3, 10.0), (16.5, 59.5), (82.0, 54.5))
"""The middles of the outer cards of the sample, about, in hundredths of its width and height."""


@pytest.fixture(scope="module")
def two_layouts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of two pyramids side by side, which is refused: the sample on the left."""
    image = np.asarray(cv2.imread(f"sample_images/{SAMPLE}"))
    path = tmp_path_factory.mktemp("two") / "two.jpg"
    cv2.imwrite(str(path), np.hstack([image, image[::-1, ::-1]]))
    return path


def refused(page: Page, picture: Path) -> None:
    page.set_input_files("#opener input[type=file] >> nth=0", picture)
    page.wait_for_url("**/refused/*")
    page.wait_for_load_state()


def unfolded(page: Page) -> dict[str, float]:
    """The box of the picture once the layout can be pointed out on it."""
    page.locator("[data-corners] > summary").click()
    page.wait_for_selector(".handle >> nth=2")
    box = page.locator(".photo figure").bounding_box()
    assert box is not None
    return dict(box)


def handle(page: Page, number: int) -> list[float]:
    """Where a handle is, by the fields of the form, in hundredths."""
    return [float(page.locator(f"#pyramid-{number}-{way}").input_value()) for way in ("across", "down")]


def test_three_taps_read_a_picture_that_was_refused(open_page: Open, two_layouts: Path) -> None:
    page = open_page(PHONE, "dark")
    refused(page, two_layouts)
    expect(page.get_by_role("alert").filter(has_text="side by side")).to_be_visible()
    assert found(page, "refused") == []
    box = unfolded(page)
    assert found(page, "pointing out") == []
    for x, y in OUTER:
        page.locator(".photo figure").click(position={"x": x / 200 * box["width"], "y": y / 100 * box["height"]})
    page.click("#corners-apply")
    table_shown(page)
    expect(page.locator("#cell-pyramid-1-1")).to_have_accessible_name(re.compile("10 of diamonds; row 1, place 1"))
    expect(page.locator("#cell-pyramid-7-7")).to_have_accessible_name(re.compile("9 of spades"))
    expect(page.locator("#cell-waste")).to_have_accessible_name(WASTE)
    assert fits_width(page)


def test_at_the_table_rings_are_dragged_and_moved_by_keys_and_the_layout_is_read_there(open_page: Open) -> None:
    page = open_page()
    page.click(f"button[value='{SAMPLE}']")
    table_shown(page)
    box = unfolded(page)
    assert found(page, "pointing out at the table") == []
    # They begin where the layout was read.
    for number, place in enumerate(OUTER, 1):
        assert np.allclose(handle(page, number), place, atol=2.5)
    ring = page.locator(".handle").first.bounding_box()
    assert ring is not None
    x, y = ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2
    before = handle(page, 1)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 0.1 * box["width"], y + 0.2 * box["height"], steps=4)
    page.mouse.up()
    assert np.allclose(handle(page, 1), [before[0] + 10, before[1] + 20], atol=0.7)
    expect(page.locator(".chooser")).to_have_count(0)
    tab_to(page, ".handle", limit=80)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    moved = handle(page, 1)
    assert np.allclose(moved, [before[0] + 10.5, before[1] + 15], atol=0.7)
    expect(page.locator("#status")).to_contain_text("The card at the top")
    for key, count in (("Shift+ArrowLeft", 2), ("Shift+ArrowUp", 3)):
        for _ in range(count):
            page.keyboard.press(key)
    tab_to(page, "#corners-apply", limit=80)
    page.keyboard.press("Enter")
    expect(page.locator("#undo")).to_be_enabled()
    expect(page.locator(".handle")).to_have_count(0)
    expect(page.locator("#cell-waste")).to_have_accessible_name(WASTE)
    expect(page.locator("#cell-pyramid-1-1")).to_have_accessible_name(re.compile("10 of diamonds"))


def test_of_half_rows_the_base_column_and_the_outermost_cards_are_pointed_at(open_page: Open) -> None:
    page = open_page(PHONE)
    page.click("button[value='piwnica-before.jpg']")
    table_shown(page)
    unfolded(page)
    expect(page.locator(".handle")).to_have_count(4)
    expect(page.locator(".handle").nth(1)).to_have_accessible_name(re.compile("The fourth base"))
    assert found(page, "half rows") == []
    page.click("#corners-apply")
    expect(page.locator("#undo")).to_be_enabled()
    expect(page.locator("#cell-base-1")).to_have_accessible_name(re.compile("4 of hearts"))
    expect(page.locator("#cell-left-3-8")).to_have_accessible_name(re.compile("3 of clubs"))


def test_without_scripts_the_corners_are_told_as_numbers(open_page: Open, two_layouts: Path) -> None:
    page = open_page(PHONE, java_script_enabled=False)
    page.set_input_files("noscript input[type=file], #opener > noscript input", two_layouts)
    page.locator("#opener noscript button, noscript .button.primary").first.click()
    page.locator("[data-corners] > summary").click()
    page.locator("[data-kind=pyramid] summary").click()
    for number, (x, y) in enumerate(OUTER, 1):
        page.fill(f"#pyramid-{number}-across", f"{x / 2:.1f}")
        page.fill(f"#pyramid-{number}-down", f"{y:.1f}")
    page.click("#corners-apply")
    page.wait_for_selector("[data-table]")
    expect(page.locator("#cell-waste")).to_have_accessible_name(WASTE)

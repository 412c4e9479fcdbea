"""A game played by ear: by keyboard alone, with nothing but what a screen reader is given.

It was played with Orca in Chromium; what that taught is held here. No element is looked up by a selector.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page

from companion_app.languages import CODES, language
from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from tests.companion_app.hearing import CONTROLS, CONTROLS_TOO, Ears
from tests.companion_app.test_browser import LAPTOP, browser
from tests.companion_app.test_settling import AFTER, HAND
from vision.reading import TableReading

__all__ = ["browser"]

Serve = Callable[..., httpx.Client]
Listen = Callable[..., tuple[Ears, Page]]
SIGNS = re.compile("[♠♥♦♣→·✓▒Σ]")
"""What a voice calls by the names that signs have, or passes over."""


@pytest.fixture
def listen(serve: Serve, browser: Browser) -> Iterator[Listen]:
    """A function that opens the page of a server with eyes that see something; fails on any script error."""
    contexts, errors = [], []

    def start(*seen: TableReading, code: str = "en") -> tuple[Ears, Page]:
        client = serve(FakeEyes(*seen))
        locale = "en-GB" if code == "en" else code
        context = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, locale=locale)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        ears = Ears(page)
        page.goto(str(client.base_url))
        return ears, page

    yield start
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture among the player's files."""
    path = tmp_path / "table.jpg"
    path.write_bytes(picture_bytes())
    return path


def test_a_move_is_found_made_and_told_by_ear(listen: Listen, picture: Path) -> None:
    ears, page = listen(reading(doubts=("pyramid 7 2",)), AFTER)
    assert ears.go("button", "Choose a picture").around[-1] == "Play with hints"
    ears.choose("button", "Choose a picture", picture)
    page.wait_for_url("**/tables/*")
    # Which game it is, and which card lies there, are asked: each answer says what it answers.
    asked = ears.go("button", "Relaxed Pyramid")
    assert asked.around[-2:] == ("Answer", "Which game is this?")
    ears.press("Enter")
    assert "Relaxed Pyramid" in ears.hears("Relaxed Pyramid")
    asked = ears.go("button", "jack of clubs 60%")
    assert asked.around[-1] == "row 7, place 2: Which card is this?"
    ears.press("Enter")
    ears.arrives("region", "Answer")
    # The board: every place with its card, where it lies and what covers it.
    ears.go("gridcell", "king of spades; row 1, place 1; under: 6 of diamonds, 6 of hearts", "Shift+Tab")
    assert ears.press("ArrowDown").name == "6 of diamonds; row 2, place 1; under: 5 of hearts, 3 of diamonds"
    cell = ears.press("End")
    assert cell.name.endswith("; foundation")
    # What a hint says is said once, where the player is: the button pressed stays the one it was.
    for step in ("Move?", "Where?", "Cards?", "Why?"):
        button = ears.go("button", step)
        assert button.states["pressed"] == "false" and button.around[-1] == "How much help"
        page.keyboard.press("Enter")
        assert ears.arrives("button", step, pressed="true").node == button.node
        said = ears.hears("cards can leave|stock comes next|Look here|Pair|Alone|Turn")
    assert not re.search(r"[a-z)]  ?[A-Z]", said), "told without a pause between sentences"
    assert cell.node in [told.node for told in ears.tree() if told.name == cell.name]
    # The move made with the cards is told, apart from the hint that follows it.
    ears.choose("button", "Next picture", picture)
    said = ears.hears("Moves made")
    assert re.search(r"Moves made\. Pair: (9 of clubs \+ 4 of clubs|4 of clubs \+ 9 of clubs)\. Hints\. ", said)
    # Taking it back is told too, and the button stays though it does nothing any more.
    undo = ears.go("button", "Undo")
    while not ears.here().states.get("disabled"):
        page.keyboard.press("Enter")
        ears.hears("The last change is taken back")
        page.wait_for_load_state("networkidle")
        assert ears.here().node == undo.node


def test_a_broken_rule_interrupts_and_says_what_to_put_back(listen: Listen, picture: Path) -> None:
    ears, page = listen(reading(), HAND)
    ears.go("combobox", "Game")
    page.keyboard.type("Relaxed")
    ears.go("button", "Choose a picture", "Shift+Tab")
    ears.go("button", "Use the camera", "Shift+Tab")
    ears.choose("button", "Choose a picture", picture)
    page.wait_for_url("**/tables/*")
    ears.choose("button", "Next picture", picture)
    # One odd look is asked about, with the ways it may have gone; the next that shows the same decides.
    asked = ears.hears("What happened\\?")
    assert "Left without a partner: jack of clubs (row 7, place 2)" in asked and "Misread" in asked
    ears.choose("button", "Next picture", picture)
    alert = ears.hears("A look at the rules", "alert")
    assert "Left without a partner: jack of clubs (row 7, place 2)." in alert and "put back: jack of clubs" in alert
    assert "My house rule" not in alert and "jack of clubs" not in ears.said()
    ears.go("button", "I put it back")
    ears.press("Enter")
    ears.hears("The table is as it was before")
    ears.arrives("region", "Answer")
    assert ears.said("alert") == ""


def test_cards_are_entered_and_mended_by_ear(listen: Listen) -> None:
    ears, page = listen()
    ears.go("combobox", "Game")
    page.keyboard.type("Relaxed")
    ears.go("button", "Enter the cards")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/*")
    field = ears.arrives("textbox", "Type it: rank, then suit")
    assert field.around[-1] == "Which card lies here? row 1, place 1"
    assert field.description.startswith("Keys: 2")
    page.keyboard.type("5c")
    said = ears.hears("5 of clubs; row 1, place 1.*Which card lies here\\? row 2, place 1")
    assert "Covered by" not in said and ears.here().node == field.node
    page.keyboard.type("10h")
    ears.hears("10 of hearts; row 2, place 1.*Which card lies here\\? row 2, place 2")
    page.keyboard.type("5c")
    assert "The same card twice: 5 of clubs (row 1, place 1; row 2, place 2)" in ears.hears("row 3, place 1")
    assert ears.press("Tab").name == "ace"
    page.keyboard.press("Escape")
    ears.arrives("gridcell", "unreadable card; row 3, place 1")
    # A card that is mended is told as it is now, and the next one asked.
    assert ears.press("ArrowUp").name.startswith("10 of hearts; row 2, place 1")
    page.keyboard.press("Enter")
    assert ears.arrives("textbox", "Type it").around[-1] == "Which card lies here? row 2, place 1"
    page.keyboard.type("ks")
    ears.hears("king of spades; row 2, place 1; under: .*Which card lies here\\? row 3, place 1")


@pytest.mark.parametrize("code", CODES)
def test_every_control_has_a_name_in_words(code: str, listen: Listen, picture: Path) -> None:
    ears, page = listen(reading(doubts=("pyramid 7 2",), beside=("8C",)), AFTER, code=code)
    spoken = language(code)
    ears.choose("button", spoken.say("start.choose"), picture)
    page.wait_for_url("**/tables/*")
    table = page.url
    whole = code == "en"
    for address in (table, f"{table}?place=pyramid 7 2", *([f"{table}/try", f"{table}/replay"] if whole else [])):
        page.goto(address)
        told = list(ears.tree())
        controls = [each for each in told if each.role in (*CONTROLS, *CONTROLS_TOO)]
        assert len(controls) > 10 and [each for each in controls if not each.name.strip()] == []
        assert [each.name for each in told if SIGNS.search(each.name)] == []
        cells = [each.name for each in controls if each.role == "gridcell"]
        # What a cell holds is its name: some screen readers read the one, some the other.
        assert cells and set(cells) <= {each.name for each in told if each.role == "StaticText"}
        assert any(each.startswith(spoken.card("KS")) for each in cells)

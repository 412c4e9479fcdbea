"""Hints and moves spoken, with the browser's speech replaced by one that writes down what it is given; single keys."""

import re
import time
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from tests.companion_app.test_access import found
from tests.companion_app.test_browser import LAPTOP, PHONE, address, browser, open_page, table_shown
from tests.companion_app.test_server import table_path
from tests.companion_app.test_settling import HAND

__all__ = ["address", "browser", "open_page"]

Open = Callable[..., Page]
PATIENCE = 60.0
PICTURE = ("t.jpg", picture_bytes(), "image/jpeg")
FILE = FilePayload(name="t.jpg", mimeType="image/jpeg", buffer=picture_bytes())
SPEECH = """
const voices = CODES.map(([lang, local]) => ({ lang, name: lang, default: false, localService: local }));
window.said = [];
const synth = Object.assign(new EventTarget(), {
  getVoices: () => voices,
  speak: (one) => { said.push([one.lang, one.text]); one.onstart?.(); setTimeout(() => one.onend?.(), 30); },
  cancel: () => said.push(["", "stopped"]),
});
Object.defineProperty(window, "speechSynthesis", { value: synth });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


def with_voices(page: Page, *voices: tuple[str, bool]) -> None:
    """Every page opened from now on has these voices: their language, and whether they are the computer's own."""
    codes = ", ".join(f"['{lang}', {str(own).lower()}]" for lang, own in voices)
    page.add_init_script(SPEECH.replace("CODES", f"[{codes}]"))


def opened(page: Page, sample: str) -> None:
    page.reload()
    page.click(f"button[value='{sample}']")
    table_shown(page)


def speaks(page: Page) -> list[tuple[str, str]]:
    """What was spoken so far, with the language of the voice."""
    return [(lang, text) for lang, text in page.evaluate("said") if lang]


def hears(page: Page, words: str) -> str:
    """Wait until these words are spoken; all that was spoken with them."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := [text for _, text in speaks(page) if words in text]:
            return found[0]
        page.wait_for_timeout(50)
    pytest.fail(f"not spoken: {words}; but {speaks(page)}")


def hears_what_is_shown(page: Page) -> None:
    """Wait until the move shown was spoken: on a slow machine another is shown first than the one found at last."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        shown = page.locator(".said .move").inner_text().replace(" + ", ", ")
        if any(text.startswith(shown) for _, text in speaks(page)):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"not spoken: {shown}; but {speaks(page)}")


def turned_on(page: Page) -> None:
    page.keyboard.press("?")
    page.check("#speech-on")
    hears(page, "")


def test_what_changes_in_the_answer_is_spoken_once_as_words_and_shown_as_well(open_page: Open) -> None:
    page = open_page()
    with_voices(page, ("de-DE", True), ("en-US", False), ("en-GB", True))
    opened(page, "pair-before.jpg")
    page.click("#step-1")
    page.wait_for_selector(".said .lead")
    assert speaks(page) == []
    turned_on(page)
    assert speaks(page) == [("en-GB", "Hints and moves are spoken.")]
    page.click("#step-3")
    page.wait_for_selector(".said .move")
    hears_what_is_shown(page)
    page.click("#next-sample")
    page.wait_for_selector(".told")
    hears(page, "Moves made. Pair: 4 of hearts, 9 of spades")
    expect(page.locator("#status")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    told = [text for _, text in speaks(page)]
    assert sum("4 of hearts, 9 of spades" in text for text in told) == 1
    assert len(set(told)) == len(told)
    assert not re.search(r"[♠♥♦♣+→]|\b(\d+|[AJQK])[SHDC]\b", " ".join(told))
    page.reload()
    table_shown(page)
    page.wait_for_selector("#speech:not([hidden])")
    assert speaks(page) == []
    page.keyboard.press("r")
    hears(page, "4 of hearts, 9 of spades")
    page.evaluate("said.length = 0")
    page.click("#speech-stop")
    page.keyboard.press("s")
    page.keyboard.press("Escape")
    assert page.evaluate("said") == [["", "stopped"]] * 3


def test_a_broken_rule_is_spoken_once_though_it_stands(serve: Callable[..., httpx.Client], browser: Browser) -> None:
    client = serve(FakeEyes(reading(), HAND, HAND))
    path = table_path(client.post("/tables", data={"game": "relaxed-pyramid"}, files={"picture": PICTURE}))
    page = browser.new_page(locale="en-GB")
    with_voices(page, ("en-GB", True))
    page.goto(f"{client.base_url}{path}")
    table_shown(page)
    turned_on(page)
    for _ in range(3):
        with page.expect_response(lambda answer: answer.url.endswith(path) and answer.request.method == "GET"):
            page.set_input_files("[data-part=next] input >> nth=0", files=[FILE])
    told = hears(page, "jack of clubs")
    expect(page.locator("#alert")).to_contain_text("jack of clubs")
    assert "My house rule allows it" not in told
    assert [text for _, text in speaks(page)].count(told) == 1
    page.close()


def test_a_voice_speaks_the_language_of_the_page_or_it_is_said_that_there_is_none(open_page: Open) -> None:
    page = open_page(PHONE)
    with_voices(page, ("en-GB", True), ("no-NO", True))
    page.select_option("#language", "nb")
    page.wait_for_selector("html[lang=nb]")
    opened(page, "pair-before.jpg")
    turned_on(page)
    assert speaks(page) == [("no-NO", "Hint og trekk leses høyt.")]
    with_voices(page, ("en-GB", True), ("nb-NO", False))
    page.reload()
    expect(page.locator("#speech-says")).to_contain_text("Norsk bokmål")
    expect(page.locator("#speech")).to_be_hidden()
    page.keyboard.press("r")
    assert speaks(page) == []
    assert found(page, "no voice") == []


def test_single_keys_do_what_their_list_says_and_can_be_turned_off(open_page: Open) -> None:
    page = open_page(LAPTOP)
    page.click("button[value='pair-before.jpg']")
    table_shown(page)
    # The list is reached by a button as well.
    page.click("[data-opens=ears]")
    expect(page.locator("#ears dl")).to_be_visible()
    assert found(page, "keys") == []
    for step in (1, 2):
        page.keyboard.press("h")
        expect(page.locator(f"#step-{step}[aria-pressed=true]")).to_be_visible()
    page.keyboard.press("g")
    expect(page.locator("#step-1[aria-pressed=true]")).to_be_visible()
    # Chromium does not always say that it shows its list of files: it may, where a key was pressed.
    page.evaluate(
        "document.addEventListener('click', (event) => { event.preventDefault();"
        " window.asked = [event.target.type, event.target.name, navigator.userActivation.isActive]; }, { once: true })"
    )
    page.keyboard.press("n")
    assert page.evaluate("window.asked") == ["file", "picture", True]
    page.click("#next-sample")
    page.wait_for_selector(".told")
    page.keyboard.press("u")
    expect(page.locator("#redo")).to_be_enabled()
    page.keyboard.press("y")
    expect(page.locator("#redo")).to_be_disabled()
    page.keyboard.press("w")
    expect(page.locator("#watch-stop")).to_be_visible()
    page.keyboard.press("w")
    expect(page.locator("#watch-start")).to_be_visible()
    # Nothing while somebody types, or chooses from a list.
    page.locator(".text summary").click()
    page.focus("#text")
    page.keyboard.type("hgu?")
    page.focus("#stage")
    page.keyboard.press("h")
    expect(page.locator("#step-1[aria-pressed=true]")).to_be_visible()
    page.uncheck("#keys-on")
    page.reload()
    table_shown(page)
    page.keyboard.press("h")
    page.keyboard.press("?")
    assert page.locator("#ears").get_attribute("open") is None
    page.wait_for_timeout(300)
    expect(page.locator("#step-1[aria-pressed=true]")).to_be_visible()
    page.locator("#ears summary").click()
    page.check("#keys-on")
    page.keyboard.press("h")
    expect(page.locator("#step-2[aria-pressed=true]")).to_be_visible()

"""Better hints on the page in a real browser: put in place without a jump, a lost focus or chatter.

The server's thinking is stepped by the test: nothing here waits for a clock.
"""

from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from tests.companion_app.steps import Steps
from tests.companion_app.test_browser import LAPTOP, browser

__all__ = ["browser"]

Serve = Callable[..., httpx.Client]
THINKING, DONE = "Still thinking…", "Done thinking."

LISTEN = """() => {
    window.heard = [];
    const status = document.getElementById('status');
    new MutationObserver(() => { if (status.textContent) heard.push(status.textContent); })
        .observe(status, { childList: true, characterData: true, subtree: true });
}"""

OVERTAKEN = """() => {
    const real = fetch;
    window.fetch = async (url, ...rest) => {
        const answer = await real(url, ...rest);
        if (String(url).endsWith('/stage')) {
            document.body.dataset.held = '';
            await new Promise((go) => { window.letGo = go; });
            document.addEventListener('placed', () => { document.body.dataset.placed = ''; });
        }
        return answer;
    };
}"""


@pytest.fixture
def open_table(browser: object, serve: Serve) -> Iterator[Callable[[Steps], Page]]:
    """A function that opens a table about which is thought in steps; fails on any script error."""
    contexts, errors = [], []

    def start(steps: Steps) -> Page:
        client = serve(FakeEyes(reading(doubts=("pyramid 1 1",))), steps.think)
        context = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, locale="en-GB")  # type: ignore[attr-defined]
        contexts.append(context)
        page: Page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(str(client.base_url))
        picture = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": picture_bytes()}
        page.set_input_files("#opener input[type=file] >> nth=0", picture)  # type: ignore[arg-type]
        page.wait_for_selector("[data-table]")
        page.wait_for_load_state()
        page.evaluate(LISTEN)
        return page

    yield start
    for context in contexts:
        context.close()
    assert errors == []


def ask(page: Page, step: int) -> str:
    """Press a step by keyboard; the move that is shown."""
    page.focus(f"#step-{step}")
    page.keyboard.press("Enter")
    expect(page.locator(f"#step-{step}[aria-pressed=true]")).to_be_focused()
    return page.locator(".move").inner_text() if step >= 3 else ""


def heard(page: Page) -> list[str]:
    """What the live region has said since the last time."""
    return list(page.evaluate("heard.splice(0)"))


def test_the_first_answer_is_shown_before_the_last_which_takes_its_place(open_table: Callable[[Steps], Page]) -> None:
    steps = Steps(0, 1)
    page = open_table(steps)
    first = ask(page, 3)
    expect(page.locator(".pace")).to_have_text(THINKING)
    marked = page.locator(".cell.is-a").get_attribute("data-place")
    height = page.evaluate("document.querySelector('.hint').offsetHeight")
    page.evaluate("document.getElementById('step-3').kept = true")
    page.evaluate("window.scrollTo(0, 120)")
    steps.allow()
    expect(page.locator(".move")).not_to_have_text(first)
    expect(page.locator(".pace")).to_have_text(THINKING)
    assert page.locator(".cell.is-a, .cell.is-b").first.get_attribute("data-place") != marked
    steps.allow()
    expect(page.locator(".pace")).to_have_text(DONE)
    assert page.evaluate("document.activeElement.id") == "step-3"
    assert page.evaluate("document.activeElement.kept") is True
    assert page.evaluate("window.scrollY") == 120
    assert page.evaluate("document.querySelector('.hint').offsetHeight") == height


def test_the_live_region_speaks_when_the_best_move_changes_and_at_the_end_only(
    open_table: Callable[[Steps], Page],
) -> None:
    steps = Steps(0, 0, 1, 1)
    page = open_table(steps)
    first = ask(page, 4)
    expect(page.locator("#status")).to_contain_text(THINKING)
    (*_, told) = heard(page)
    assert first in told
    steps.allow()
    expect(page.locator(".why")).to_contain_text("stay: 1")
    steps.allow()
    expect(page.locator(".move")).not_to_have_text(first)
    second = page.locator(".move").inner_text()
    expect(page.locator("#status")).to_contain_text(second)
    (changed,) = heard(page)
    assert second in changed and THINKING not in changed
    steps.allow()
    steps.allow()
    expect(page.locator("#status")).to_have_text(DONE)
    assert heard(page) == [DONE]


def test_nothing_more_is_asked_of_the_server_once_the_thinking_is_done(open_table: Callable[[Steps], Page]) -> None:
    steps = Steps(0)
    page = open_table(steps)
    page.clock.install()
    page.evaluate(
        "window.asked = 0; const real = fetch; window.fetch = (...all) => { asked += 1; return real(...all); }"
    )
    ask(page, 1)
    steps.allow()
    expect(page.locator(".pace")).to_have_text(DONE)
    # What was told of while the last answer was on its way is looked up once more, after a pause.
    page.clock.run_for(5_000)
    asked = page.evaluate("asked")
    page.clock.run_for(60_000)
    assert page.evaluate("asked") == asked


def test_the_hint_stays_as_it_was_set_when_the_table_changes(open_table: Callable[[Steps], Page]) -> None:
    steps = Steps(0, 1)
    page = open_table(steps)
    ask(page, 3)
    page.click(".check summary")
    page.select_option("#stage", "deal")
    steps.wait_for_stops(1)
    expect(page.locator("#step-3[aria-pressed=true]")).to_be_visible()
    expect(page.locator(".move")).to_have_count(1)
    ask(page, 0)
    expect(page.locator(".pace")).to_be_hidden()
    expect(page.locator(".move")).to_have_count(0)
    page.select_option("#stage", "play")
    steps.wait_until_idle()
    expect(page.locator(".move")).to_have_count(0)
    assert (steps.begun, steps.stopped, steps.most_running) == (2, 2, 1)


def test_an_answer_that_is_overtaken_by_a_later_one_does_not_undo_it(open_table: Callable[[Steps], Page]) -> None:
    page = open_table(Steps(0))
    page.evaluate(OVERTAKEN)
    ask(page, 3)
    page.click(".check summary")
    page.select_option("#stage", "deal")
    expect(page.locator("body[data-held]")).to_be_attached()
    ask(page, 0)
    page.evaluate("letGo()")
    expect(page.locator("body[data-placed]")).to_be_attached()
    expect(page.locator("#step-0[aria-pressed=true]")).to_be_focused()
    expect(page.locator(".move")).to_have_count(0)
    expect(page.locator("#stage")).to_have_value("deal")


def test_an_open_chooser_and_the_walk_over_the_board_outlast_better_answers(
    open_table: Callable[[Steps], Page],
) -> None:
    steps = Steps(0, 1, 2)
    page = open_table(steps)
    first = ask(page, 3)
    page.focus(".cell[tabindex='0']")
    page.keyboard.press("End")
    reached = page.evaluate("document.activeElement.id")
    steps.allow()
    expect(page.locator(".move")).not_to_have_text(first)
    second = page.locator(".move").inner_text()
    expect(page.locator(f"#{reached}[tabindex='0']")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector(".chooser[data-place]")
    focused = page.evaluate("document.activeElement.outerHTML")
    steps.allow()
    expect(page.locator(".move")).not_to_have_text(second)
    steps.allow()
    expect(page.locator(".pace")).to_have_text(DONE)
    expect(page.locator(".chooser[data-place]")).to_be_visible()
    assert page.evaluate("document.activeElement.outerHTML") == focused


def test_the_list_of_moves_keeps_its_order_while_it_is_used(open_table: Callable[[Steps], Page]) -> None:
    steps = Steps(0, 1)
    page = open_table(steps)
    first = ask(page, 4)
    page.click(".hint summary")
    before = page.locator(".moves .line").all_inner_texts()
    page.focus(".moves li:nth-child(2) .line")
    steps.allow()
    expect(page.locator(".move")).not_to_have_text(first)
    assert page.locator(".moves .line").all_inner_texts() == before
    steps.allow()
    expect(page.locator(".pace")).to_have_text(DONE)
    assert page.locator(".moves .line").all_inner_texts() == before
    page.mouse.move(5, 5)
    page.focus("#step-4")
    expect(page.locator(".moves .line").first).to_have_text(before[1])
    expect(page.locator(".hint details[open]")).to_be_visible()
    page.click(f".moves .line:has-text('{before[0]}')")
    expect(page.locator(".move")).to_have_text(before[0])

"""Security headers and limits in a real browser: what a page of somebody else, or a name or text given, cannot do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.companion_app.fakes import FakeEyes, picture_bytes
from tests.companion_app.test_browser import browser as browser

Serve = Callable[..., httpx.Client]
RAN = "window.ran = true"
MARKUP = f"<img src=x onerror='{RAN}'>.jpg"


@contextmanager
def another_site(page: str) -> Iterator[str]:
    """The address of a page of somebody else."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        # Another name of this machine: another site to the browser, though it could reach the page.
        yield f"http://localhost:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(30_000)
    yield page
    context.close()


def opened(page: Page, client: httpx.Client, name: str = "table.jpg", content: bytes | None = None) -> None:
    """Choose a picture on the start page."""
    page.goto(str(client.base_url))
    picture = {"name": name, "mimeType": "image/jpeg", "buffer": content or picture_bytes()}
    page.set_input_files("#opener input[type=file] >> nth=0", picture)  # type: ignore[arg-type]


def test_an_inline_script_put_into_the_page_does_not_run(page: Page, serve: Serve) -> None:
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    put = f"<script>{RAN}</script><button id='put' onclick='{RAN}'>put</button></body>"

    def altered(route: object) -> None:
        answer = route.fetch()  # type: ignore[attr-defined]
        route.fulfill(response=answer, body=answer.text().replace("</body>", put))  # type: ignore[attr-defined]

    address = str(serve().base_url)
    page.route(address, altered)
    page.goto(address)
    page.click("#put")
    assert page.evaluate("window.ran") is None
    assert sum("Content Security Policy" in line for line in told) >= 2, told


def test_the_page_cannot_be_framed_by_another_site(page: Page, serve: Serve) -> None:
    address = str(serve().base_url)
    with another_site(f"<iframe src='{address}'></iframe>") as other:
        page.goto(other)
        page.wait_for_timeout(1000)
        assert page.frames[1].locator("#opener").count() == 0
    page.goto(address)
    expect(page.locator("#opener")).to_have_count(1)


def test_nothing_is_sniffed(page: Page, serve: Serve) -> None:
    """A picture that is asked for as a script, or as a style, is neither run nor applied."""
    client = serve()
    page.goto(str(client.base_url))
    loaded = page.evaluate(
        """path => new Promise(done => {
            const script = document.createElement('script');
            script.src = path;
            script.onload = () => done('run');
            script.onerror = () => done('refused');
            document.head.append(script);
        })""",
        "/static/icon.svg",
    )
    assert loaded == "refused"
    assert {client.get(path).headers["x-content-type-options"] for path in ("/", "/static/page.js", "/nothing")} == {
        "nosniff"
    }


def test_a_post_from_another_site_is_refused(page: Page, serve: Serve) -> None:
    eyes = FakeEyes()
    address = str(serve(eyes).base_url)
    form = f"<form method=post action='{address}/language'><input name=language value=fi><button>go</button></form>"
    with another_site(form) as other:
        page.goto(other)
        with page.expect_navigation() as answer:
            page.click("button")
        assert answer.value.status == 403
        page.goto(other)
        sent = page.evaluate(
            "to => fetch(to, {method: 'POST', body: new FormData()}).then(() => 'read', () => 'refused')",
            f"{address}/tables",
        )
        assert sent == "refused"
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert eyes.asked == []


def test_a_picture_that_is_too_large_gets_its_plain_message_in_the_page(page: Page, serve: Serve) -> None:
    client = serve(max_bytes=100_000)
    opened(page, client, content=picture_bytes() + bytes(200_000))
    expect(page.locator("#alert")).to_contain_text("too large", timeout=20_000)
    assert page.locator("body").inner_text().count("Traceback") == 0
    opened(page, client)
    page.wait_for_selector("[data-table]")
    page.wait_for_load_state()


def test_a_name_and_a_text_with_markup_are_shown_as_text(page: Page, serve: Serve) -> None:
    client = serve()
    opened(page, client, name=MARKUP)
    page.wait_for_selector("[data-table]")
    page.wait_for_load_state()
    assert page.locator("img[src=x]").count() == 0
    page.goto(str(client.base_url))
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.fill("textarea[name=position]", f'{{"pyramid": [["{MARKUP}"]], "stock": 1}}')
    page.locator("form:has(textarea[name=position]) button").first.click()
    expect(page.locator("#alert")).to_contain_text("<img src=x")
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("window.ran") is None

"""How much is sent: small first pages, of a table what changed, told by the server, and again after it was gone."""

import re
import socket
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.companion_app.fakes import FakeEyes
from tests.companion_app.steps import Steps
from tests.companion_app.test_browser import address, browser, open_page, table_shown
from tests.companion_app.test_server import table_path, upload

__all__ = ["address", "browser", "open_page"]

Serve = Callable[..., httpx.Client]
KILOBYTE = 1024


def stamps(page: str) -> dict[str, str]:
    return dict(re.findall(r'data-part="([\w-]+)" data-stamp="(\w+)"', page))


def sent_again(client: httpx.Client, path: str, shown: dict[str, str]) -> httpx.Response:
    header = ",".join(f"{name}={stamp}" for name, stamp in shown.items())
    return client.get(path, headers={"x-parts": header})


def test_only_the_parts_that_changed_are_sent_again(serve: Serve) -> None:
    steps = Steps(0, 1)
    client = serve(think=steps.think)
    path = table_path(upload(client))
    first = client.post(f"{path}/hint", data={"step": "2"})
    shown = stamps(first.text)
    assert len(shown) > 20
    same = sent_again(client, path, shown)
    assert stamps(same.text) == {} and "<head>" not in same.text
    names = re.search(r'id="parts" data-names="([^"]*)"', same.text)
    assert names and set(names[1].split()) == set(shown)
    client.post(f"{path}/hint", data={"step": "3"})
    assert {"steps", "said", "board", "overlay"} <= set(stamps(sent_again(client, path, shown).text))
    assert "game" not in stamps(sent_again(client, path, shown).text)
    without_board = {name: stamp for name, stamp in shown.items() if name != "board"}
    assert "board" in stamps(sent_again(client, path, without_board).text)
    assert "<head>" in sent_again(client, path, {}).text


def test_a_strange_list_of_parts_is_no_trouble(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    for header in ("board", "=,=", "board=<script>", "," * 500, "x=" + "y" * 5000):
        answer = client.get(path, headers={"x-parts": header})
        assert answer.status_code == 200 and "<script>x" not in answer.text


def test_texts_are_packed_and_events_are_not(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    assert client.get(path).headers["content-encoding"] == "gzip"
    with client.stream("GET", f"{path}/events") as events:
        assert "content-encoding" not in events.headers
        assert events.headers["content-type"].startswith("text/event-stream")
        assert next(events.iter_lines()) == "data: changed"


def counted(page: Page) -> list[tuple[str, int]]:
    """A list to which every request of a page is added, with the bytes of its answer as they were sent."""
    sent: list[tuple[str, int]] = []

    def note(request: Request) -> None:
        sent.append((request.url, request.sizes()["responseBodySize"]))

    page.on("requestfinished", note)
    return sent


def test_the_first_page_is_small_and_so_is_each_better_hint(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.wait_for_load_state("networkidle")  # what the first visit still asks for does not count
    sent = counted(page)
    page.reload(wait_until="networkidle")
    pictures = [size for url, size in sent if "/samples/" in url]
    assert len(pictures) == 6 and len(sent) <= 12
    assert sum(size for _, size in sent) <= 400 * KILOBYTE
    assert sum(size for url, size in sent if "/samples/" not in url) <= 150 * KILOBYTE
    page.click("button[value='relaxed-deal.jpg']")
    table_shown(page)
    page.click("#step-4")
    expect(page.locator(".pace")).to_have_text("Done thinking.")
    hints = [size for url, size in sent if re.search(r"/tables/[\w-]+(/hint)?$", url)][2:]
    assert hints and max(hints) <= 15 * KILOBYTE


def test_a_change_made_elsewhere_shows_by_itself(serve: Serve, browser: Browser) -> None:
    client = serve(FakeEyes())
    path = table_path(upload(client))
    page = browser.new_page(locale="en-GB")
    page.goto(f"{client.base_url}{path}")
    table_shown(page)
    client.post(f"{path}/settle", data={"place": "pyramid 7 3", "card": "8C"})
    expect(page.locator("#cell-pyramid-7-3[aria-label^='8 of clubs'].is-pinned")).to_have_count(1)
    page.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def program(tmp_path: Path) -> Callable[[int], "subprocess.Popen[str]"]:
    """A function that starts the real server at a port, with the same kept games each time."""

    def start(port: int) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "companion_app", "serve", "--port", str(port), "--no-browser"]
        environment = {"XDG_DATA_HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(Path.home())}
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert server.stdout is not None and server.stdout.readline().startswith("http")
        server.stdout.close()
        return server

    return start


def test_a_server_that_is_gone_is_told_and_the_picture_is_sent_once_it_is_back(
    program: Callable[[int], "subprocess.Popen[str]"], browser: Browser
) -> None:
    port = free_port()
    server = program(port)
    page = browser.new_page(locale="en-GB")
    try:
        page.goto(f"http://127.0.0.1:{port}")
        page.click("button[value='pair-before.jpg']")
        table_shown(page)
        server.kill()
        server.wait()
        expect(page.locator("#alert")).to_contain_text("Cardtable does not answer")
        page.set_input_files("[data-part=next] input >> nth=0", str(files("sample_images") / "pair-after.jpg"))
        expect(page.locator("#alert")).to_contain_text("Your picture is kept here")
        server = program(port)
        expect(page.locator(".story")).to_contain_text("Pair: 4 of hearts + 9 of spades")
        expect(page.locator("#alert")).to_be_hidden()
    finally:
        page.close()
        server.kill()
        server.wait()

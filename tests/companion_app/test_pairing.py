"""Other devices of the network: let in by a code, once each; nothing is told to any other."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from companion_app.commands.serve import Addresses
from companion_app.serving.pairing import COOKIE, MOST_DEVICES, TOKEN_SECONDS, Pairing, lan_address, name_of
from companion_app.serving.secure import certificate
from companion_app.serving.server import create_app
from companion_app.settings import Settings
from tests.companion_app.fakes import FakeEyes
from tests.companion_app.test_browser import PHONE, browser

__all__ = ["browser"]

ADDRESS = "http://192.168.1.7:8000"
ELSEWHERE = ("192.168.1.20", 40000)
HERE = ("127.0.0.1", 40000)


def token_of(invitation: str) -> str:
    return invitation.split("#pair=")[1]


def test_a_token_lets_one_device_in_once() -> None:
    pairing = Pairing(ADDRESS)
    invitation = pairing.invitation("/tables/abc")
    assert invitation.startswith(f"{ADDRESS}/tables/abc#pair=") and pairing.invitation("/tables/abc") == invitation
    for wrong in ("another", "", "\ud800", "x" * 10_000):
        assert pairing.let_in(wrong, "iPhone", "192.168.1.20") is None
    secret = pairing.let_in(token_of(invitation), "iPhone", "192.168.1.20")
    assert secret and pairing.admits("192.168.1.20", secret, "/")
    assert pairing.let_in(token_of(invitation), "iPad", "192.168.1.21") is None
    assert [device.name for device in pairing.devices()] == ["iPhone"]
    assert token_of(pairing.invitation()) != token_of(invitation)


def test_a_token_that_is_too_old_lets_nobody_in_and_an_empty_one_never_does() -> None:
    now = [0.0]
    pairing = Pairing(ADDRESS, lambda: now[0])
    assert pairing.let_in("", "iPhone", "192.168.1.20") is None
    old = token_of(pairing.invitation())
    now[0] = TOKEN_SECONDS + 1
    assert pairing.let_in(old, "iPhone", "192.168.1.20") is None
    assert token_of(pairing.invitation()) != old


def test_a_device_is_ended_and_the_oldest_goes_where_there_are_too_many() -> None:
    pairing = Pairing(ADDRESS)
    secrets = [pairing.let_in(token_of(pairing.invitation()), f"{n}", "") or "" for n in range(MOST_DEVICES + 1)]
    assert len(pairing.devices()) == MOST_DEVICES
    assert not pairing.admits("10.0.0.1", secrets[0], "/") and pairing.admits("10.0.0.1", secrets[1], "/")
    pairing.end(pairing.devices()[0].number)
    assert not pairing.admits("10.0.0.1", secrets[1], "/") and pairing.admits("10.0.0.1", secrets[2], "/")


def test_devices_are_called_by_what_they_are() -> None:
    assert name_of("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari") == "iPhone"
    assert name_of("Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome") == "Android"
    assert name_of("") == "?"


def asked(
    pairing: Pairing, client: tuple[str, int], *requests: tuple[str, str, dict[str, str]]
) -> list[httpx.Response]:
    """The answers to requests that come, one after the other, from one address."""
    app = create_app(Settings(host="0.0.0.0"), reader=FakeEyes(), pairing=pairing)

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, client=client)
        headers = {"accept": "text/html", "host": "192.168.1.7:8000"}
        async with httpx.AsyncClient(transport=transport, base_url=ADDRESS, headers=headers) as session:
            return [await session.request(method, path, data=data) for method, path, data in requests]

    return asyncio.run(ask())


@pytest.mark.parametrize(
    "path", ["/", "/tables/abc", "/tables/abc/picture.jpg", "/devices", "/decks", "/static/page.js", "/samples/ten.jpg"]
)
def test_a_device_that_is_not_let_in_gets_nothing_but_how_to_be(path: str) -> None:
    (answer,) = asked(Pairing(ADDRESS), ELSEWHERE, ("GET", path, {}))
    assert answer.status_code == 403 and "Scan the code" in answer.text and "#pair=" not in answer.text


def test_nothing_can_be_changed_from_a_device_that_is_not_let_in() -> None:
    answers = asked(
        Pairing(ADDRESS),
        ELSEWHERE,
        ("POST", "/tables", {"position": "{}"}),
        ("POST", "/decks/forget", {"name": "mine"}),
        ("POST", "/devices/end", {"number": "1"}),
        ("POST", "/pair", {"token": "guessed"}),
        ("GET", "/", {}),
    )
    assert [answer.status_code for answer in answers] == [403] * 5


def test_a_device_that_shows_the_token_is_let_in_and_sees_no_code_itself() -> None:
    pairing = Pairing(ADDRESS)
    token = token_of(pairing.invitation())
    paired, page, devices = asked(
        pairing, ELSEWHERE, ("POST", "/pair", {"token": token}), ("GET", "/", {}), ("GET", "/devices", {})
    )
    cookie = paired.headers["set-cookie"]
    assert cookie.startswith(COOKIE) and "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert page.status_code == devices.status_code == 200
    assert "#pair=" not in devices.text and "192.168.1.20" in devices.text
    (here,) = asked(pairing, HERE, ("GET", "/devices?of=/tables/abc", {}))
    assert f"{ADDRESS}/tables/abc#pair=" in here.text and "<svg" in here.text
    (elsewhere,) = asked(pairing, HERE, ("GET", "/devices?of=//evil.example", {}))
    assert "evil" not in elsewhere.text


def test_the_addresses_are_those_that_work() -> None:
    alone = Addresses.of(Settings(), 8000)
    assert (alone.here, alone.guests) == ("http://127.0.0.1:8000/", "")
    everywhere = Addresses.of(Settings(lan=True, https=True), 8000)
    assert everywhere.here == "https://127.0.0.1:8000/"
    assert everywhere.guests == (f"https://{lan_address()}:8000" if lan_address() else "")
    assert "0.0.0.0" not in Addresses.of(Settings(host="0.0.0.0"), 8000).here


def test_the_key_of_a_certificate_is_for_its_user_alone(tmp_path: Path) -> None:
    key = certificate(["localhost", "192.168.1.7"], tmp_path / "https")
    assert key.stat().st_mode & 0o077 == 0 and "PRIVATE KEY" in key.read_text()
    assert (tmp_path / "https" / "maker.pem").read_text().startswith("-----BEGIN CERTIFICATE-----")


@pytest.fixture
def let_in(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A real server for the network: its address here, and an invitation."""
    command = [sys.executable, "-m", "companion_app", "serve", "--lan", "--port", "0", "--no-browser"]
    environment = {"PATH": os.environ["PATH"], "XDG_DATA_HOME": str(tmp_path), "CARDTABLE_LANGUAGE": "en"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdout is not None and server.stderr is not None
        address = server.stdout.readline().strip()
        found = re.search(r"http://\S+#pair=\S+", server.stderr.readline())
        assert found
        yield address, found[0]
        server.terminate()


@pytest.mark.skipif(
    lan_address() is None, reason="needs a second address of this machine, which only one in a network has"
)
def test_a_phone_is_let_in_by_the_code_and_plays_the_same_game(browser: Browser, let_in: tuple[str, str]) -> None:
    address, invitation = let_in
    laptop = browser.new_context(locale="en-GB").new_page()
    phone = browser.new_context(locale="en-GB", viewport={"width": PHONE[0], "height": PHONE[1]}).new_page()
    refused = phone.goto(invitation.split("#")[0])
    assert refused is not None and refused.status == 403
    laptop.goto(address)
    laptop.click("button[value='pair-before.jpg']")
    laptop.wait_for_selector("[data-table]")
    laptop.wait_for_load_state()
    laptop.click(".phone-link")
    phone.goto("about:blank")
    phone.goto(laptop.inner_text(".devices code"))
    phone.wait_for_selector("[data-table]")
    phone.wait_for_load_state()
    assert "#" not in phone.url and phone.url.endswith("/" + laptop.url.rsplit("/", 1)[-1])
    expect(laptop.locator("[data-part=devices] li")).to_have_count(1)
    laptop.go_back()
    phone.click("#next-sample")
    expect(phone.locator(".story")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    expect(laptop.locator(".story")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    laptop.click("#step-3")
    expect(phone.locator("#step-3[aria-pressed=true]")).to_be_visible()
    laptop.goto(f"{address}devices")
    laptop.click("[id^=end-]")
    expect(laptop.locator("[data-part=devices] li")).to_have_count(0)
    ended = phone.reload()
    assert ended is not None and ended.status == 403
    for page in (laptop, phone):
        page.context.close()

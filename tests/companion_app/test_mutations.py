"""Damaged input, few of it and always the same; `tests.companion_app.mutations` tries a hundred thousand."""

import socket
from collections.abc import Callable
from random import Random

import httpx
import pytest

from tests.companion_app.command_line import answers, run
from tests.companion_app.damage import DEAL, PLACED, RECORD, SMALL
from tests.companion_app.mutations import answer_to, wrong_requests, wrong_texts

Serve = Callable[..., httpx.Client]
GAME = ("--game", "relaxed-pyramid", "--rule", "rows=3")


def test_damaged_requests_are_never_answered_with_500() -> None:
    assert list(wrong_requests(300, Random(3))) == []


def test_damaged_texts_never_end_a_command_in_a_traceback_or_internal() -> None:
    assert list(wrong_texts(300, Random(4))) == []


@pytest.mark.parametrize("line", ["Host: [", "Host: [::1", "Host: ]", "Origin: http://[", "Origin: http://[::1]:x"])
def test_a_host_or_an_origin_that_is_no_address_is_refused(serve: Serve, line: str) -> None:
    address = serve().base_url
    lines = [] if line.startswith("Host") else [f"Host: {address.host}:{address.port}"]
    head = "\r\n".join(["POST /language HTTP/1.1", *lines, line, "Content-Length: 0", "Connection: close", "", ""])
    answer = answer_to((str(address.host), address.port or 0), head.encode())
    assert answer.startswith(b"HTTP/1.1 403") and b"not-allowed" in answer


@pytest.mark.parametrize("length", ["9" * 400, "9" * 4_400])
def test_a_length_of_very_many_digits_is_too_large_or_no_request(serve: Serve, length: str) -> None:
    address = serve().base_url
    head = f"POST /language HTTP/1.1\r\nHost: {address.host}:{address.port}\r\nContent-Length: {length}\r\n\r\n"
    with socket.create_connection((str(address.host), address.port or 0), timeout=20) as connection:
        connection.sendall(head.encode())
        status = connection.recv(100).split()[1]
    assert status in (b"400", b"413")


TEXTS = {
    "brackets": "[" * 100_000,
    "digits": SMALL.replace("3,", "9" * 4_300 + ","),
    "more digits": SMALL.replace("3,", "9" * 4_400 + ","),
    "large pass": SMALL.replace('"pass": 1', f'"pass": {10**30}'),
    "surrogate": SMALL.replace("KS", "\\ud800"),
    "nul": SMALL.replace("KS", "\\u0000"),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_such_texts_cannot_be_read_by_the_page_or_the_commands(serve: Serve, text: str) -> None:
    client = serve()
    answer = client.post("/tables", data={"position": text, "game": "relaxed-pyramid"})
    assert (answer.status_code, answer.json()["code"] in ("position", "card")) == (422, True), answer.text
    for command in ("check", "hint"):
        done = run(command, *GAME, "--json", "-", stdin=text)
        assert done.exit_code == 3
        assert [found["error"]["code"] in ("position", "card") for found in answers(done)] == [True]
        assert len(done.output) < 3_000


@pytest.mark.parametrize("count", [100, 100_000_000, 10**30])
def test_counts_are_bounded_where_they_come_in(serve: Serve, count: int) -> None:
    client, text = serve(), SMALL.replace('"stock": 3', f'"stock": {count}')
    assert str(count) in text
    refused = client.post("/tables", data={"position": text, "game": "relaxed-pyramid"})
    assert (refused.status_code, refused.json()["code"]) == (422, "position")
    table = client.post("/tables", data={"position": SMALL, "game": "relaxed-pyramid"}).url.path
    assert client.post(f"{table}/piles", data={"stock": str(count), "pass": "1"}).status_code == 400
    assert run("hint", *GAME, text).exit_code == 3


RECORDS = {
    "digits": PLACED.replace("stock=18", "stock=" + "9" * 4_300),
    "fewer digits": PLACED.replace("stock=18", "stock=" + "9" * 3_000),
    "stock": PLACED.replace("stock=18", "stock=100000000"),
    "pass": PLACED.replace("pass=1", f"pass={10**30}"),
    "free centre": "game: piwnica\nposition: base=AS AH AD AC ; free_centre=" + "9" * 4_300 + "\n",
    "long": RECORD + "1. single 6S\n" * 20_000,
    "very long": RECORD + "1. single 6S\n" * 400_000,
}


@pytest.mark.parametrize("text", RECORDS.values(), ids=list(RECORDS))
def test_such_records_cannot_be_read(text: str) -> None:
    done = run("review", "--json", "-", stdin=text)
    assert done.exit_code == 3
    assert [found["error"]["code"] for found in answers(done)] == ["position"]


def test_a_deal_of_megabytes_cannot_be_read_and_the_next_one_is() -> None:
    done = run("solve", *GAME, "--rule", "total=6", "--json", "-", stdin=f"{DEAL * 200_000}\n{DEAL}\n")
    assert done.exit_code == 3
    assert ["error" in found for found in answers(done)] == [True, False]
    assert len(done.output) < 5_000


LISTED = {
    key: f'{{"pyramid": [["KS"]], "{key}": [{",".join(["null"] * 1_000_000)}]}}' for key in ("gone_cards", "pyramid")
}


@pytest.mark.parametrize("text", LISTED.values(), ids=list(LISTED))
def test_lists_of_a_million_are_refused_at_the_door(text: str) -> None:
    done = run("check", *GAME, "--json", "-", stdin=text)
    assert done.exit_code == 3
    assert len(done.output) < 3_000


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "--game", "pyramid", "--deals", str(10**12)),
        ("simulate", "--game", "pyramid", "--deals", "2", "--seconds", "nan"),
        ("simulate", "--game", "pyramid", "--deals", "2", "--seconds", "inf"),
        ("hint", "--game", "pyramid", "--seconds", "nan", SMALL),
        ("hint", "--game", "pyramid", "--seconds", "1e300", SMALL),
        ("solve", "--game", "pyramid", "--limit-seconds", "inf", "-"),
        ("review", "--limit-seconds", "nan", "-"),
    ],
)
def test_numbers_of_options_are_bounded(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2

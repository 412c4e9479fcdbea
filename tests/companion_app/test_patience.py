"""Connections: nobody is held up by those who ask, send or take too slowly; HEAD is answered."""

import socket
import time
from collections.abc import Callable

import httpx
import pytest

from companion_app.serving import patience, security
from companion_app.serving.patience import MOST_CONNECTIONS, MOST_HEAD
from tests.companion_app.damage import SMALL

Serve = Callable[..., httpx.Client]
PATIENCE = 10.0


def connected(client: httpx.Client) -> socket.socket:
    return socket.create_connection((str(client.base_url.host), client.base_url.port or 0), timeout=PATIENCE)


def seconds_until_closed(connection: socket.socket) -> float:
    """How long the other side keeps a connection on which nothing more is said."""
    began = time.monotonic()
    with connection:
        while connection.recv(65536):
            pass
    return time.monotonic() - began


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "])
def test_a_connection_that_does_not_ask_is_closed(serve: Serve, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(patience, "ASK_SECONDS", 0.3)
    connection = connected(serve())
    connection.sendall(said)
    assert 0.2 < seconds_until_closed(connection) < PATIENCE


def test_a_connection_that_goes_on_by_one_byte_now_and_then_is_closed(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "ASK_SECONDS", 0.5)
    with connected(serve()) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        with pytest.raises(OSError):
            for _ in range(100):
                connection.sendall(b"x")
                time.sleep(0.05)


def test_a_second_request_that_does_not_come_is_not_waited_for(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "ASK_SECONDS", 0.3)
    client = serve()
    connection = connected(client)
    connection.sendall(f"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1:{client.base_url.port}\r\n\r\n".encode())
    answer = b""
    while b"</svg>" not in answer:
        answer += connection.recv(65536)
    time.sleep(0.2)  # until the server knows that it has said all
    connection.sendall(b"GET / HT")
    assert seconds_until_closed(connection) < PATIENCE / 2


def test_a_form_that_does_not_come_is_told_so(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "PAUSE_SECONDS", 0.3)
    client = serve()
    with connected(client) as connection:
        head = f"POST /tables HTTP/1.1\r\nHost: 127.0.0.1:{client.base_url.port}\r\nContent-Length: 100\r\n"
        connection.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\nposition=".encode())
        answer = connection.recv(65536)
        while not answer.endswith(b"}") and (more := connection.recv(65536)):
            answer += more
    assert answer.startswith(b"HTTP/1.1 408") and b"too-slow-form" in answer


def test_others_are_served_while_many_connections_stand_half_open(serve: Serve) -> None:
    client = serve()
    waiting = [connected(client) for _ in range(MOST_CONNECTIONS // 2)]
    for connection in waiting:
        connection.sendall(b"GET / HT")
    assert client.get("/").status_code == 200
    for connection in waiting:
        connection.close()


def test_connections_beyond_the_limit_are_turned_away_and_later_ones_served(serve: Serve) -> None:
    client = serve()
    waiting = [connected(client) for _ in range(MOST_CONNECTIONS)]
    assert client.get("/").status_code == 503
    for connection in waiting:
        connection.close()
    until = time.monotonic() + PATIENCE
    while client.get("/").status_code != 200 and time.monotonic() < until:
        time.sleep(0.05)
    assert client.get("/").status_code == 200


def test_a_head_of_a_request_that_never_ends_is_refused(serve: Serve) -> None:
    client = serve()
    with connected(client) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * (2 * MOST_HEAD))
        assert connection.recv(100).startswith(b"HTTP/1.1 4")


def test_a_text_of_megabytes_is_too_large_for_a_form(serve: Serve) -> None:
    answer = serve().post("/tables", data={"position": SMALL + " " * 2_000_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize(
    "path", ["/", "/static/page.js", "/samples/relaxed-lamp.jpg", "{table}", "{table}/position.svg"]
)
def test_head_is_answered_as_get_without_the_body(serve: Serve, path: str) -> None:
    client = serve()
    table = client.post("/tables", data={"position": SMALL}).url.path
    address = path.format(table=table)
    plain = {"accept-encoding": "identity"}
    head, whole = client.head(address, headers=plain), client.get(address, headers=plain)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-length"] == str(len(whole.content))
    assert client.head("/nothing").status_code == 404

"""Plain input damaged at random, thrown at the page and at the commands: nothing may end in `internal`, a traceback or
status 500.

    python -m tests.companion_app.mutations --requests 20000 --texts 100000 --seed 1

The page is the real server on a socket, with eyes that read nothing; requests are bytes, not what a client would allow.
"""

import argparse
import io
import logging
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

from tests.companion_app.command_line import run
from tests.companion_app.conftest import served
from tests.companion_app.damage import DEAL, LISTS, PLACED, RECORD, ROW_RECORD, ROWS, SMALL, damaged, request_bytes
from tests.companion_app.fakes import FakeEyes

SMALL_GAME = ("--game", "relaxed-pyramid", "--rule", "rows=3", "--rule", "total=6")
COMMANDS: Sequence[tuple[tuple[str, ...], Sequence[str]]] = (
    (("check", *SMALL_GAME[:4]), (SMALL, LISTS)),
    (("check", "--game", "arcydzielo"), (ROWS,)),
    (("hint", *SMALL_GAME[:4], "--seconds", "0.05"), (SMALL, LISTS)),
    (("hint", "--game", "arcydzielo", "--seconds", "0.05"), (ROWS,)),
    (("score", *SMALL_GAME), (SMALL, RECORD, PLACED)),
    (("score", "--scheme", "points", *SMALL_GAME), (RECORD, PLACED)),
    (("review", "--limit-seconds", "0.05"), (RECORD, PLACED, ROW_RECORD)),
    (("solve", *SMALL_GAME, "--limit-seconds", "0.05"), (DEAL,)),
    (("referee", *SMALL_GAME[:4]), (f"{SMALL}\n{SMALL}",)),
)
STATUSES = {0, 1, 2, 3, 4}
NEW_TABLE = 10
WAIT_SECONDS = 2.0


def wrong_texts(count: int, rng: Random) -> Iterator[str]:
    """What went wrong with so many damaged texts given to the commands, each as a line."""
    for _ in range(count):
        command, texts = rng.choice(COMMANDS)
        text = damaged(rng.choice(texts), rng)
        json_too = rng.choice(((), ("--json",)))
        language = rng.choice(("en", "fi", "pl", "nb"))
        given = text.encode("utf-8", rng.choice(("surrogatepass", "replace")))
        done = run(*command, *json_too, "--lang", language, "-", stdin=given)
        said = done.output
        unforeseen = done.exception is not None and not isinstance(done.exception, SystemExit)
        internal = '"internal"' in said or "unforeseen" in said
        blamed = done.exit_code == 1 and bool(json_too) and '"error"' in done.stdout
        if unforeseen or internal or blamed or done.exit_code not in STATUSES or "Traceback" in said:
            yield f"{command[0]} {text[:300]!r}: status {done.exit_code}, {done.exception!r}, {said[-300:]!r}"


def answer_to(address: tuple[str, int], request: bytes) -> bytes:
    """What the server answers; where it waits for more, nothing."""
    with socket.create_connection(address, timeout=WAIT_SECONDS) as connection:
        answer = b""
        try:
            connection.sendall(request)
            while piece := connection.recv(65536):
                answer += piece
        except OSError:
            pass
        return answer


@contextmanager
def heard() -> Iterator[io.StringIO]:
    """All that is logged meanwhile as an error."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setLevel(logging.ERROR)
    loggers = [logging.getLogger(), logging.getLogger("uvicorn"), logging.getLogger("uvicorn.error")]
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # that a request is none is told as a warning
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield written
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


def wrong_requests(count: int, rng: Random, statuses: Counter[str] | None = None) -> Iterator[str]:
    """What went wrong with so many damaged requests to the page, each as a line; `statuses` counts the answers."""
    statuses = Counter() if statuses is None else statuses
    with served(FakeEyes(), max_tables=4) as client, heard() as written:
        host, port = str(client.base_url.host), client.base_url.port or 0
        for number in range(count):
            if number % NEW_TABLE == 0:
                table = client.post("/tables", data={"position": SMALL}).url.path.rpartition("/")[2]
            request = request_bytes(table, f"{host}:{port}", rng)
            answer = answer_to((host, port), request)
            head = answer.split(b"\r\n", 1)[0]
            statuses[head[9:12].decode("latin-1")] += 1
            logged = written.getvalue()
            if head.startswith(b"HTTP/1.1 500") or b'"internal"' in answer or logged:
                written.seek(0)
                written.truncate()
                yield f"{request[:600]!r}: {head!r} {logged[-900:]}"
        if client.get("/").status_code != 200:
            yield "the page is not served any more"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what went wrong, then the counts; status 1 where something did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    wrong, statuses = Counter[str](), Counter[str]()
    for kind, count, found in (
        ("requests", chosen.requests, wrong_requests(chosen.requests, Random(chosen.seed), statuses)),
        ("texts", chosen.texts, wrong_texts(chosen.texts, Random(chosen.seed))),
    ):
        began = time.monotonic()
        for line in found:
            wrong[kind] += 1
            print(line.encode("ascii", "backslashreplace").decode(), flush=True)
        print(f"{kind}: {count} damaged, {wrong[kind]} answered wrongly, {time.monotonic() - began:.0f} s", flush=True)
    print("status of the answers, none where more was waited for:", dict(statuses.most_common()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

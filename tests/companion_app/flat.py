"""Pictures refused and read, one after the other, by one server: its memory stays flat.

    python -m tests.companion_app.flat --refusals 1000 --readings 1000 --seed 1

What a server keeps beside its nets is the last tables, so it is warm once it has refused and read fifty. Status 1 where
it has grown by more than 20 MB then.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random

import httpx

from tests.companion_app.load import GROWN, JSON, UPLOADED, picture
from tests.companion_app.serving import Served, serving
from tests.vision.bombs import mutated, png, progressive

WARM = 50
FLAT_SECONDS = 3.0


def refused(rng: Random) -> Iterator[bytes]:
    """Pictures that are refused, of each kind in turn, without end."""
    full = png(7_700, 7_700, packed=7_700 * (4 * 7_700 + 1))
    empty, scans = png(1_600, 1_200, packed=1_200 * (4 * 1_600 + 1)), progressive(200, 2000)
    damaged = (data for data in mutated(rng) if data.startswith(b"\xff\xd8"))
    while True:
        yield from (full, empty, next(damaged), picture("ten")[:60_000], next(damaged), b"no picture", scans, empty)


def read(rng: Random) -> Iterator[bytes]:
    """Pictures that are read."""
    while True:
        yield picture(rng.choice(UPLOADED))


def sent(client: httpx.Client, pictures: Iterator[bytes], number: int, told: Counter[str]) -> None:
    """Send so many; what became of each is counted."""
    for _ in range(number):
        answer = client.post("/tables", files={"picture": ("a.jpg", next(pictures))}, data={"game": "auto"})
        told["read" if answer.status_code < 400 else answer.json()["code"]] += 1
        if answer.is_success or answer.has_redirect_location:
            client.get(answer.headers["location"])


def settled(served: Served) -> float:
    """The memory once nothing is under way."""
    time.sleep(FLAT_SECONDS)
    return served.look()


def main() -> int:
    """Prints the memory as it goes; 1 where it grew."""
    parser = argparse.ArgumentParser(prog="python -m tests.companion_app.flat")
    parser.add_argument("--refusals", type=int, default=1000)
    parser.add_argument("--readings", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rng = Random(chosen.seed)
    kinds = {"refusals": (refused(rng), chosen.refusals), "readings": (read(rng), chosen.readings)}
    told = Counter[str]()
    with (
        serving() as served,
        httpx.Client(base_url=served.address, headers=JSON, timeout=60, trust_env=False) as client,
    ):
        for pictures, _ in kinds.values():
            sent(client, pictures, WARM, told)
        first = last = settled(served)
        print(f"warm after {WARM} of each: {first:.0f} MB", flush=True)
        for name, (pictures, number) in kinds.items():
            for part in range(4):
                sent(client, pictures, number // 4, told)
                last = settled(served)
                print(f"{number // 4 * (part + 1)} {name}: {last:.0f} MB", flush=True)
        print(f"at most {served.peak:.0f} MB, largest process {served.largest:.0f} MB, with what it shares")
    print(dict(told.most_common()))
    return int(last - first > GROWN or told["internal"] > 0)


if __name__ == "__main__":
    sys.exit(main())

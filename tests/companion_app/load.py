"""Many at once: pages come soon, nothing fails, frames beyond capacity are left out and told, memory stays flat.

    python -m tests.companion_app.load --minutes 10 --seed 1
    python -m tests.companion_app.load --minutes 5 --seed 1 --bombs

Against one `cardtable serve`: five people with a page open, two cameras that send two frames a second of tables that
change, and one who opens picture after picture; with `--bombs` once more with one who sends hostile pictures, compared
with the first time. Status 1 where anything failed, pages were late, or memory grew.
"""

import argparse
import asyncio
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from random import Random

import cv2
import httpx
import numpy as np
import psutil

from companion_app.serving.patience import KEEP_ALIVE_SECONDS
from tests.companion_app.serving import ROOT, Served, serving
from tests.vision.bombs import bombs

VIEWERS = 5
FRAME_SECONDS = 0.5
LOOKS = (("pair-before", "pair-after"), ("relaxed-deal", "relaxed-lamp"))  # what a camera sees, in turn
LOOK_SECONDS = (3.0, 8.0)  # how long each lies
VARIANTS, NOISE, GLANCE = 4, 4.0, 320
UPLOADED = ("pair-before", "math-late", "relaxed-lamp", "king-tut", "ten", "spread", "fault-missing", "covered-early")
LATE, LATER, GROWN, MOST_MEMORY = 0.3, 0.5, 20.0, 600.0
JSON = {"accept": "application/problem+json"}
PAGES = "page"
BUSY = 503


def picture(name: str) -> bytes:
    """A sample."""
    return (ROOT / "sample_images" / f"{name}.jpg").read_bytes()


def frames(name: str, rng: Random) -> list[tuple[bytes, bytes]]:
    """A sample as a camera sends it, small and whole, each time with other noise."""
    pixels = cv2.imdecode(np.frombuffer(picture(name), np.uint8), cv2.IMREAD_COLOR)
    noise = np.random.default_rng(rng.randrange(1 << 30))
    sent = []
    for _ in range(VARIANTS):
        noisy = np.clip(pixels + noise.normal(0, NOISE, pixels.shape), 0, 255).astype(np.uint8)
        small = cv2.resize(noisy, (GLANCE, round(GLANCE * noisy.shape[0] / noisy.shape[1])))
        glance, whole = (cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, 92])[1] for one in (small, noisy))
        sent.append((bytes(glance), bytes(whole)))
    return sent


@dataclass
class Trial:
    """What came of it: seconds of each kind of request, what was told of frames and bombs, and what failed."""

    client: httpx.AsyncClient
    until: float
    rng: Random
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    told: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.until

    async def ask(self, kind: str, method: str, path: str, **sent: object) -> httpx.Response | None:
        """One request, timed; None where it failed. Busy is no failure where it is told as such."""
        began = time.monotonic()
        try:
            answer = await self.client.request(method, path, **sent)  # type: ignore[arg-type]
        except httpx.HTTPError as error:
            self.errors.append(f"{kind}: {error!r}")
            return None
        self.seconds[kind].append(time.monotonic() - began)
        if answer.status_code == BUSY and answer.json().get("code") == "busy" and "retry-after" in answer.headers:
            self.told[f"{kind} busy"] += 1
        elif answer.status_code >= 400 and kind != "bomb":
            self.errors.append(f"{kind}: {answer.status_code} {answer.text[:200]}")
            return None
        return answer

    async def opened(self, name: str, kind: str = "upload") -> str | None:
        """The path of a new table of a sample."""
        game = "none" if name == "spread" else "auto"
        files = {"picture": (f"{name}.jpg", picture(name), "image/jpeg")}
        answer = await self.ask(kind, "POST", "/tables", data={"game": game}, files=files)
        return answer.headers.get("location") if answer else None

    async def view(self, path: str) -> None:
        """A person with a table's page open: looks, asks for hints, and the page polls while one is thought about."""
        step = 0
        await asyncio.sleep(self.rng.uniform(0, 1))
        while self.goes_on:
            page = await self.ask(PAGES, "GET", path)
            await asyncio.gather(
                self.ask("picture", "GET", f"{path}/picture.jpg"), self.ask("drawing", "GET", f"{path}/position.svg")
            )
            if self.rng.random() < 0.1:
                step = step % 4 + 1
                await self.ask("hint", "POST", f"{path}/hint", data={"step": str(step)})
                page = await self.ask(PAGES, "GET", path)
            thinks = page is not None and "is-thinking" in page.text
            await asyncio.sleep(0.4 if thinks else self.rng.uniform(0.7, 1.3))

    async def watch(self, path: str, seen: Sequence[list[tuple[bytes, bytes]]]) -> None:
        """A camera: a frame every half second, whatever has become of the one before."""
        at, changes, posted = 0, 0.0, set[asyncio.Task[None]]()
        while self.goes_on:
            began = time.monotonic()
            if began > changes:
                at, changes = (at + 1) % len(seen), began + self.rng.uniform(*LOOK_SECONDS)
            frame = asyncio.create_task(self.frame(path, *self.rng.choice(seen[at])))
            posted.add(frame)
            frame.add_done_callback(posted.discard)
            await asyncio.sleep(max(0.0, began + FRAME_SECONDS - time.monotonic()))
        await asyncio.gather(*posted)

    async def frame(self, path: str, glance: bytes, whole: bytes) -> None:
        """One frame, as the page sends it: the whole of it only where the small one shows a change."""
        self.told["frames sent"] += 1
        answer = await self.ask("glance", "POST", f"{path}/glance", files={"picture": ("f.jpg", glance)})
        if answer is None or answer.status_code == BUSY:
            return
        sight = answer.json()["sight"]
        self.told[f"frames {sight}"] += 1
        if sight in ("changed", "bumped"):
            files = {"picture": ("camera.jpg", whole)}
            answer = await self.ask("watched", "POST", f"{path}/watched", files=files)
            if answer is not None and answer.status_code != BUSY:
                self.told["frames read"] += 1
                await self.ask(PAGES, "GET", path)

    async def upload(self) -> None:
        """A person who opens one picture after the other."""
        while self.goes_on:
            for name in UPLOADED:
                path = await self.opened(name)
                if path:
                    await self.ask(PAGES, "GET", path)
                if not self.goes_on:
                    return

    async def bomb(self, sent: Sequence[bytes]) -> None:
        """Hostile pictures without a pause; each is to be refused with a code of its own, or read."""
        while self.goes_on:
            for data in sent:
                answer = await self.ask(
                    "bomb", "POST", "/tables", data={"game": "auto"}, files={"picture": ("b", data)}
                )
                if answer is not None and answer.status_code >= 400:
                    self.told[f"bomb {answer.json()['code']}"] += 1
                    if answer.status_code >= 500 and answer.status_code != BUSY:
                        self.errors.append(f"bomb: {answer.status_code} {answer.text[:200]}")
                if not self.goes_on:
                    return


async def load(address: str, seconds: float, seed: int, hostile: Sequence[bytes] = (), cameras: int = 2) -> Trial:
    """All of them at once, for so long."""
    # A connection that the server is about to close for want of use is not used again; a browser would ask once more.
    limits = httpx.Limits(max_connections=100, max_keepalive_connections=50, keepalive_expiry=KEEP_ALIVE_SECONDS / 2)
    async with httpx.AsyncClient(base_url=address, headers=JSON, timeout=60, trust_env=False, limits=limits) as client:
        rng = Random(seed)
        looks = [LOOKS[number % len(LOOKS)] for number in range(cameras)]
        seen = {name: frames(name, rng) for name in dict.fromkeys(name for names in looks for name in names)}
        trial = Trial(client, 0.0, rng)
        watched = [await trial.opened(names[0], "opening") for names in looks]
        own = [await trial.opened(name, "opening") for name in UPLOADED[: VIEWERS - 2]]
        assert None not in (*watched, *own), trial.errors
        people: list[Coroutine[None, None, None]] = [trial.view(str(path)) for path in (*watched[:2], *own)]
        people += [
            trial.watch(str(path), [seen[name] for name in names]) for path, names in zip(watched, looks, strict=True)
        ]
        people.append(trial.upload())
        trial.until = time.monotonic() + seconds
        if hostile:
            people.append(trial.bomb(hostile))
        await asyncio.gather(*people)
    return trial


def share(seconds: Sequence[float], part: float) -> float:
    """The time that this part of the requests took at most."""
    return sorted(seconds)[min(len(seconds) - 1, int(part * len(seconds)))]


def busy_seconds() -> tuple[float, float]:
    """Processor seconds of this machine in all, and of this process."""
    times = psutil.cpu_times()
    return sum(times) - times.idle - times.iowait - times.guest - times.guest_nice, time.process_time()


def told(trial: Trial, served: Served, warm: float, seconds: float) -> tuple[float, float]:
    """Print what came of a trial; the 95th percentile of pages, and by how much memory grew once warm."""
    print(f"{'request':10} {'number':>7} {'p50':>7} {'p95':>7} {'longest':>8}  seconds")
    for kind, spent in sorted(trial.seconds.items()):
        print(f"{kind:10} {len(spent):7} {share(spent, 0.5):7.3f} {share(spent, 0.95):7.3f} {max(spent):8.3f}")
    print(", ".join(f"{what}: {number}" for what, number in sorted(trial.told.items())))
    window = min(30.0, seconds / 5)
    first, last = served.around(warm, warm + window), served.around(seconds - window, seconds)
    print(f"own memory: warm {first:.0f} MB, at the end {last:.0f} MB; with files {served.peak:.0f} MB at most")
    print(f"largest process, with what it shares: {served.largest:.0f} MB")
    print(f"errors: {len(trial.errors)}", *Counter(trial.errors).most_common(5), sep="\n  ")
    return share(trial.seconds[PAGES], 0.95), last - first


def run(seconds: float, seed: int, hostile: Sequence[bytes] = ()) -> tuple[bool, float]:
    """One trial against a server of its own: whether all was well, and the 95th percentile of pages."""
    with serving() as served:
        busy, here, there = *busy_seconds(), served.processor_seconds()
        trial = asyncio.run(load(served.address, seconds, seed, hostile))
        now, still, then = *busy_seconds(), served.processor_seconds()
        late, grown = told(trial, served, seconds / 5, served.memory[-1][0])
    own, spent, most = now - busy, still - here + then - there, seconds * (os.cpu_count() or 1)
    print(f"processors: trial {(still - here) / most:.0%}, server {(then - there) / most:.0%}", end=", ")
    print(f"others {max(0.0, own - spent) / most:.0%}; load average {os.getloadavg()[0]:.1f}\n", flush=True)
    is_good = not trial.errors and grown <= GROWN and served.largest <= MOST_MEMORY
    return is_good and (bool(hostile) or late <= LATE), late


def main() -> int:
    """Prints what came of it; 1 where something was not as it is to be."""
    parser = argparse.ArgumentParser(prog="python -m tests.companion_app.load")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bombs", action="store_true", help="once more, with hostile pictures")
    chosen = parser.parse_args()
    is_good, late = run(60 * chosen.minutes, chosen.seed)
    if chosen.bombs:
        fine, later = run(60 * chosen.minutes, chosen.seed, [data for _, data in bombs()])
        print(f"95 of 100 pages within {late:.3f} s, with hostile pictures within {later:.3f} s")
        is_good = is_good and fine and later - late <= LATER
    return int(not is_good)


if __name__ == "__main__":
    sys.exit(main())

"""What is done in an evening: the page and the commands used one after the other, as people do.

    python -m tests.companion_app.evening.playing FOLDER SECONDS SEED

plays until the seconds are over, all of it once at least; with 0 seconds only what is quick. Pictures needed are
drawn into the folder. At the end it prints how often each was done; an answer that is not as expected ends it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from random import Random

import cv2
import httpx
import numpy as np

from models.measure.runes import photograph, strange_deck
from models.training.decks import CODES
from tests.companion_app.damage import DEAL, ROWS

PROGRAM = (sys.executable, "-m", "companion_app")
SAMPLES = files("sample_images")
TABLES = ("relaxed-deal", "relaxed-lamp", "king-tut", "math-late", "nine-low", "ten", "easy-from-across")
SMALL = '{"pyramid": [["KS"], ["6D", null], ["5H", "8C", "3C"]], "stock": 3, "waste": "5C"}'
FINE = (0, 1, 4)
SMALL_GAME = ("--game", "relaxed-pyramid", "--rule", "rows=3")


class Evening:
    """A page that is played with, and how often each thing was done."""

    def __init__(self, client: httpx.Client, folder: Path, rng: Random) -> None:
        self.done: Counter[str] = Counter()
        self._client, self._folder, self._rng = client, folder, rng

    def post(self, path: str, picture: bytes | None = None, *, status: int = 200, **fields: str) -> httpx.Response:
        """Send a form; the answer after any redirect."""
        sent = {"files": {"picture": ("picture.jpg", picture)}} if picture else {}
        answer = self._client.post(path, data=fields, **sent)  # type: ignore[arg-type]
        assert answer.status_code == status, f"{path} {fields}: {answer.status_code} {answer.text[:500]}"
        return answer

    def opened(self, name: str) -> str:
        """Open a sample; the address of its table."""
        self.done["sample opened"] += 1
        return self.post("/tables", sample=f"{name}.jpg").url.path

    def command(self, *arguments: str) -> str:
        """Run a command; what it says."""
        done = subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True)
        assert done.returncode in FINE, f"{arguments}: {done.returncode} {done.stdout}{done.stderr}"
        self.done[f"cardtable {arguments[0]}"] += 1
        return done.stdout

    def hints(self) -> None:
        """A table read, and a hint asked for step by step."""
        table = self.opened(self._rng.choice(TABLES))
        for step in "1234":
            self.post(f"{table}/hint", step=step)
            self.done["hint step"] += 1
        self.post(f"{self.post('/tables', position=SMALL, game='relaxed-pyramid').url.path}/hint", step="4")
        self.done["position as text"] += 1

    def correction(self) -> None:
        """A table read, a card corrected, the picture and the drawing looked at."""
        table = self.opened(self._rng.choice(TABLES))
        place = self._rng.choice(re.findall(r'data-place="(pyramid \d+ \d+)"', self._client.get(table).text))
        self.post(f"{table}/settle", place=place, card=self._rng.choice(CODES))
        self.done["correction"] += 1
        for name in ("picture.jpg", "position.svg"):
            assert self._client.get(f"{table}/{name}").status_code == 200

    def next_picture(self) -> None:
        """Two pictures in a row."""
        table = self.opened("pair-before")
        assert "Pair:" in self.post(f"{table}/next", sample="pair-after.jpg").text
        self.done["next picture"] += 1

    def watching(self) -> None:
        """A camera above the table: frames glanced at, and read where cards have moved."""
        table = self.opened("pair-before")
        for name in ("pair-before", "pair-after"):
            frame = (SAMPLES / f"{name}.jpg").read_bytes()
            glances = [self.post(f"{table}/glance", frame).json()["sight"] for _ in range(3)]
            self.done["glance"] += len(glances)
            assert glances[-1] == "changed", glances
            self.post(f"{table}/watched", frame)
            self.done["watched frame read"] += 1

    def large_picture(self) -> None:
        """A picture as a phone takes it, and one that is refused."""
        small = cv2.imread(str(SAMPLES / "ten.jpg"))
        large = cv2.imencode(".jpg", cv2.resize(small, (4000, 3000)), [cv2.IMWRITE_JPEG_QUALITY, 97])[1].tobytes()
        assert len(large) > 1 << 20
        self.post("/tables", large)
        self.post("/tables", b"GIF89a" + large[:2000], status=415)
        self.done["large picture"] += 1
        self.done["picture refused"] += 1

    def spread(self) -> None:
        """Cards without a layout; another language."""
        table = self.opened("spread")
        self.post(f"{table}/order", order="lie")
        self.post("/language", language=self._rng.choice(("en", "fi", "pl", "nb")), **{"from": "/"})
        self.post("/language", language="en", **{"from": "/"})
        self.done["spread"] += 1
        self.done["language"] += 2

    def deck_in_part(self) -> None:
        """A deck shown in part, and forgotten."""
        self.post("/decks", (self._folder / "part.jpg").read_bytes(), name="half")
        self.post("/decks/forget", name="half")
        self.done["deck shown in part"] += 1

    def deck(self) -> None:
        """A deck taught, read with, and forgotten."""
        whole, part = ((self._folder / f"{name}.jpg").read_bytes() for name in ("deck", "part"))
        self.post("/decks", whole, name="runes")
        self.post("/decks/choose", name="runes")
        self.post("/tables", part, game="none")
        self.post("/decks/choose", name="auto")
        self.post("/decks/forget", name="runes")
        self.done["deck taught, read with, forgotten"] += 1

    def quick_commands(self) -> None:
        """Commands that need no search."""
        sample = str(SAMPLES / f"{self._rng.choice(TABLES)}.jpg")
        self.command("read", sample)
        self.command("score", "--scheme", "points", "--game", "easy-pyramid", str(SAMPLES / "games" / "easy-lost.txt"))

    def commands(self) -> None:
        """The other commands."""
        pair = [str(SAMPLES / f"pair-{when}.jpg") for when in ("before", "after")]
        row = ("--game", "arcydzielo")
        deals = self._folder / "deals.txt"
        deals.write_text(f"{DEAL}\n")
        self.command("games")
        self.command("check", "--game", "king-tut", str(SAMPLES / "fault-apex.jpg"))
        self.command("hint", "--game", "math-pyramid", "--seconds", "1", str(SAMPLES / "math-late.jpg"))
        self.command("hint", *SMALL_GAME, "--json", SMALL)
        self.command("referee", "--game", "relaxed-pyramid", *pair)
        self.command("hint", *row, "--seconds", "1", ROWS)
        self.command("solve", *SMALL_GAME, "--rule", "total=6", str(deals))
        self.command("review", str(SAMPLES / "games" / "easy-lost.txt"))
        for policy in ("hint", "greedy", "perfect"):
            self.command("simulate", "--game", "easy-pyramid", "--deals", "12", "--policy", policy)
        self.command("simulate", *row, "--deals", "6", "--policy", "hint")
        self.command("decks", "teach", "runes", str(self._folder / "deck.jpg"))
        self.command("decks")
        self.command("read", "--game", "none", "--deck", "runes", str(self._folder / "part.jpg"))
        self.command("decks", "forget", "runes")
        self.command("models", "verify")
        self.command("settings", "show")


def draw_decks(folder: Path) -> None:
    """Photographs of all cards of a strange deck, and of some."""
    deck = strange_deck(np.random.default_rng(4))
    for name, codes, side in (("deck", CODES, 2000), ("part", CODES[:13], 1700)):
        image = photograph(deck, codes, 1, 13, side=side)
        assert cv2.imwrite(str(folder / f"{name}.jpg"), image[..., ::-1])


@contextmanager
def served() -> Iterator[httpx.Client]:
    """The page, by the command that serves it."""
    with subprocess.Popen([*PROGRAM, "serve", "--port", "0", "--no-browser"], stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout is not None
        address = one.stdout.readline().strip()
        try:
            with httpx.Client(base_url=address, follow_redirects=True, timeout=120, trust_env=False) as client:
                yield client
            assert one.poll() is None, "the server has died"
        finally:
            one.terminate()


def main(arguments: Sequence[str]) -> None:
    """Play, then print what was done."""
    folder, seconds, seed = Path(arguments[0]), float(arguments[1]), int(arguments[2])
    until = time.monotonic() + seconds
    draw_decks(folder)
    with served() as client:
        evening = Evening(client, folder, Random(seed))
        quick: list[Callable[[], None]] = [
            evening.correction,
            evening.next_picture,
            evening.watching,
            evening.large_picture,
            evening.spread,
            evening.deck_in_part,
            evening.quick_commands,
        ]
        steps = quick if seconds == 0 else [*quick, evening.hints, evening.deck, evening.commands]
        for step in steps:
            step()
        rng = Random(seed)
        while time.monotonic() < until:
            rng.choice(steps)()
    for what, count in evening.done.items():
        print(f"{count} × {what}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""A player whose program is killed: pictures of a game sent one after the other to a desk that keeps it, each told of
on standard output once it is kept.

    python -m tests.companion_app.kept_games --kills 200 --seed 1

kills the player at random moments, and looks after each whether every look told of is kept, once and in order. Status 1
where one is missing, comes twice or out of order, or where the game cannot be opened again.
"""

import argparse
import json
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from companion_app.desk.desk import Desk
from companion_app.hints.preparing import Preparation
from companion_app.languages import language
from companion_app.library.store import Store
from companion_app.settings import GAMES_FILE, Settings
from companion_app.tables.table import Table
from rules.cards import seen_text
from rules.catalogue import GAMES
from rules.families import family_of
from rules.looks import Position, lying
from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from vision.reading import TableReading

GAME = "relaxed-pyramid"
ROOT = Path(__file__).parent.parent.parent
LATEST_MOMENT = 1.5
PILES = ("waste", "foundation")


def looks(seed: int, most: int = 30) -> list[TableReading]:
    """What a reader sees after each move of a game played at random."""
    game, rng = GAMES[GAME], Random(seed)
    family = family_of(game)
    position = family.deal(game, rng)
    seen = [_reading(position)]
    while len(seen) < most and (moves := [m for m in family.legal_moves(position, game) if m.kind != "redeal"]):
        position = family.play(position, rng.choice(moves), game)
        seen.append(_reading(position))
    return seen


def _reading(position: Position) -> TableReading:
    codes = {place: seen_text(seen) for place, seen in lying(position)}
    rows = tuple(" ".join(codes.get(f"pyramid {r} {c}", "--") for c in range(1, r + 1)) for r in range(1, 8))
    return reading(rows, {pile: None if (code := codes.get(pile, "--")) == "--" else code for pile in PILES})


def played(folder: Path, seed: int) -> None:
    """Play a game to its end on a desk that keeps it in a folder, and tell of each look once it is kept."""
    seen, picture, english = looks(seed), picture_bytes(), language("en")
    desk = Desk(FakeEyes(*seen), Settings(), Preparation(), store=Store(folder))
    table = desk.open_picture(picture, "first.jpg", GAME, english)
    print(json.dumps([table.id, table.look]), flush=True)
    for _ in seen[1:]:
        table = desk.next_picture(table, picture, "next.jpg", english)
        print(json.dumps([table.id, table.look]), flush=True)


def kept(folder: Path) -> list[tuple[str, int]]:
    """The looks kept, in the order in which they were."""
    with sqlite3.connect(folder / GAMES_FILE) as connection:
        rows = connection.execute("SELECT game, state FROM events ORDER BY number").fetchall()
    return [(game, json.loads(state)["looks"][-1]["look"]) for game, state in rows]


def killed(folder: Path, seed: int, moment: float) -> tuple[list[list[object]], bool]:
    """What a player told of who was killed so many seconds after the first picture was kept; and whether the game could
    be opened again, as it stood."""
    command = [sys.executable, "-m", "tests.companion_app.kept_games", "--play", str(folder), "--seed", str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        said = [first, *process.stdout.read().splitlines()]
    told = [json.loads(line) for line in said if line.strip().endswith("]")]
    desk = Desk(FakeEyes(), Settings(), Preparation(), store=Store(folder))
    table = desk.find(str(told[-1][0]), language("en"))
    return told, isinstance(table, Table) and table.look >= int(str(told[-1][1]))


def faults(kills: int, seed: int) -> list[str]:
    """What was lost, kept twice or out of order by so many kills."""
    rng, found = Random(seed), []
    with tempfile.TemporaryDirectory() as name:
        folder, before = Path(name), 0
        for number in range(kills):
            told, opened = killed(folder, rng.randrange(10_000), rng.uniform(0, LATEST_MOMENT))
            there = kept(folder)[before:]
            # One more may be kept than was told of: that is whose telling was cut off.
            if there[: len(told)] != [tuple(each) for each in told] or len(there) > len(told) + 1:
                found.append(f"kill {number}: told {told}, kept {there}")
            if not opened:
                found.append(f"kill {number}: the game cannot be opened")
            before += len(there)
            print(f"kill {number}: {len(told)} told, {len(there)} kept", file=sys.stderr)
    return found


def main() -> int:
    """Print what was lost; 1 where anything was."""
    parser = argparse.ArgumentParser(prog="python -m tests.companion_app.kept_games")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", type=Path, help="play one game and keep it in this folder")
    chosen = parser.parse_args()
    if chosen.play is not None:
        played(chosen.play, chosen.seed)
        return 0
    found = faults(chosen.kills, chosen.seed)
    print("\n".join(found) or f"{chosen.kills} kills: every look told of is kept once, in order")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

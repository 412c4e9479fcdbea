"""Tables drawn by chance for validation, kept out of training and of the repository.

    python -m models.training.photoreal.validation --faces FOLDER --out FOLDER --first 5000 --count 12
        [--spreads | --rows]

Needs bpy 4.5 (`pip install bpy`, Python 3.11), opencv-python-headless, numba and platformdirs. FACES holds one
folder a deck (see faces.py).
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import replace
from pathlib import Path

import cv2

from rules.catalogue import ROW_GAMES
from rules.layouts import LAYOUTS

from . import row_tables
from .camera import View
from .develop import develop, store, truth
from .lights import LIGHTS
from .scene import Deck, Setting, build, render
from .surfaces import SURFACES
from .tables import KINDS, Habits, Table, deal, lay, play, spread

KIND_ROUND = ("pyramid_up", "pyramid_down", "king_tut", "ten")
DECK_BACKS = "back*.png"


def deck_in(folder: Path, back: Path | None = None) -> Deck:
    """A deck from its folder; the height is that of the ace of spades."""
    height, width = cv2.imread(str(folder / "AS.png")).shape[:2]
    return Deck(folder.name, folder, back or sorted(folder.glob(DECK_BACKS))[0], height / width)


def table_of(number: int, rng: random.Random, height: float) -> Table:
    """A pyramid at some point of a game; every sixth is freshly dealt."""
    name = KIND_ROUND[number % len(KIND_ROUND)]
    if name == "king_tut" and rng.random() < 0.25:
        name = "king_tut_down"
    kind = KINDS[name]
    state = deal(kind, rng)
    steps = 0 if rng.random() < 0.16 else rng.randrange(2, 34)
    return lay(play(state, kind.total, steps, rng), kind, Habits.drawn(rng, height), number)


def row_table_of(number: int, rng: random.Random, height: float) -> Table:
    """A row game at some point; every sixth is freshly dealt, and a deal that nobody can play stays nearly so."""
    game = tuple(ROW_GAMES.values())[number % len(ROW_GAMES)]
    state = row_tables.deal(game, rng)
    steps = 0 if rng.random() < 0.16 else rng.randrange(2, 90)
    habits = row_tables.habits_drawn(rng, LAYOUTS[game.layout], height)
    return row_tables.lay(row_tables.play(state, game, steps), game, habits, number)


def setting_of(number: int, rng: random.Random, deck: Deck, samples: int) -> Setting:
    """Room, light and camera by chance; every fifth picture from another side of the table."""
    side = rng.choice([90.0, 180.0, 270.0]) if number % 5 == 4 else 0.0
    size = rng.choice([(1280, 960), (1600, 1200), (1600, 1200), (1440, 1080), (1920, 1080)])
    tops, rooms = sorted(SURFACES), LIGHTS
    return Setting(
        deck,
        surface=tops[(number * 3 + rng.randrange(2)) % len(tops)],
        light=rooms[(number * 2 + rng.randrange(2)) % len(rooms)],
        view=View.drawn(rng, side=side, size=size),
        seed=number,
        things=rng.choice([0, 1, 1, 2]),
        samples=samples,
    )


def make(table: Table, setting: Setting, path: Path, extra: dict[str, object], threads: int = 1) -> None:
    """Render one table and store it with its truth."""
    began = time.monotonic()
    camera, sheets, main = build(table, setting)
    linear = render(setting.view, setting.samples, threads)
    rng = random.Random(setting.seed + 1)
    record = {
        "seed": setting.seed,
        "game": table.kind,
        "deck": setting.deck.name,
        **truth(table, sheets, camera),
        "table": setting.surface,
        "light": setting.light,
        "elevation": round(setting.view.elevation, 1),
        "azimuth": round(setting.view.azimuth, 1),
        **extra,
    }
    store(path, develop(linear, main, rng), record, rng.randint(80, 93))
    print(f"{path.name}: {time.monotonic() - began:.0f} s", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faces", type=Path, required=True)
    parser.add_argument("--decks", nargs="+", default=None, help="these decks only, one after the other")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=5000)
    parser.add_argument("--count", type=int, default=12)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--spreads", action="store_true", help="face-up cards without a layout")
    shown.add_argument("--rows", action="store_true", help="row games")
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--size", type=int, nargs=2, default=None, help="width and height of every picture")
    given = parser.parse_args()
    names = given.decks or sorted(p.name for p in given.faces.iterdir())
    for number in range(given.first, given.first + given.count):
        rng = random.Random(number)
        deck = deck_in(given.faces / names[(number + number // len(names)) % len(names)])
        if given.spreads:
            shape = ("apart", "fan", "row")[number % 3]
            count = rng.randint(5, 15 if shape != "fan" else 9)
            table = spread(count, shape, Habits.drawn(rng, deck.height), rng)
        else:
            table = (row_table_of if given.rows else table_of)(number, rng, deck.height)
        setting = setting_of(number, rng, deck, given.samples)
        if given.size:
            setting = replace(setting, view=replace(setting.view, width=given.size[0], height=given.size[1]))
        make(table, setting, given.out / str(number), {})


if __name__ == "__main__":
    main()

"""The measurements: which pictures are read, in which conditions, into which cells."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from rich.progress import track

from models.measure import conditions, folders, marks, misses, spreads, store
from models.measure.drawn import WIDE, Pool, View, validation_decks
from models.measure.hindered import clear_top
from models.measure.judging import Judged, judge, read
from models.measure.marks import Marks
from models.measure.pictures import Picture
from vision.reader import Reader
from vision.reading import TableReading

ANGLES = tuple(range(15, 360, 15))
QUARTERS = (90, 180, 270)
VIEWS = {
    "low": ("seen from 25°", View(elevation=(25.0, 25.0))),
    "small": ("cards 60 pixels wide", View(card_px=60.0)),
    "video": ("1280 × 720", View(size=(1280, 720))),
}
SAVE_EVERY = 10
# Of so many tables of half rows one is read in every condition too.
SPOILT_ROWS = 5
NAMES = ("validation", "places", "rows", "scenes", "spreads", "photos", "tables")

T = TypeVar("T")
Variants = Iterator[tuple[tuple[str, ...], Picture]]
Judging = Callable[[Picture, TableReading | None], Judged]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: seed, drawn pictures per table (of spreads: of each kind and number), angles per picture, and
    where misses go (None: nowhere).

    only: conditions to measure, all where it is empty.
    """

    seed: int = 20_000
    scenes: int = 160
    validation: int = 1600
    turns: int = 4
    spreads: int = 3
    places: int = 400
    rows: int = 300
    misses: pathlib.Path | None = None
    only: tuple[str, ...] = ()
    limit: int | None = None


def validation(reader: Reader, plan: Plan) -> store.Run:
    """Whole tables and loose cards with all the faults that training draws: calibration, and the state of places."""
    pool = Pool(plan.seed, validation_decks())

    def variants(number: int) -> Variants:
        picture = pool.picture(number, WIDE)
        yield ("tables" if picture.layout else "loose",), picture

    return _run("validation", f"{plan.seed}", plan.validation, variants, (reader, plan))


def places(reader: Reader, plan: Plan) -> store.Run:
    """Whole tables by an ordinary camera: the state of places where no fault of light, lens or camera is added."""
    pool = Pool(plan.seed + 3, validation_decks(), plain=True)

    def variants(number: int) -> Variants:
        yield ("tables",), pool.picture(2 * number, View())

    return _run("places", f"{plan.seed}", plan.places, variants, (reader, plan))


def rows(reader: Reader, plan: Plan) -> store.Run:
    """Tables of half rows by an ordinary camera from the player's side, each layout in its turn; some of them then with
    one thing wrong at a time. None is turned: rows are read from the player's side.
    """
    pool = Pool(plan.seed + 4, validation_decks(), plain=True)

    def variants(number: int) -> Variants:
        picture = pool.row_table(number, View())
        yield ("tables", str(picture.layout)), picture
        if number % SPOILT_ROWS == 0:
            yield from _changed(picture, marks.from_truth(picture), number, replace(plan, turns=0))

    return _run("rows", f"{plan.seed} {plan.only}", plan.rows, variants, (reader, plan))


def scenes(reader: Reader, plan: Plan) -> store.Run:
    """Drawn pictures by an ordinary camera, then with one thing wrong at a time."""
    pool = Pool(plan.seed + 1, validation_decks(), plain=True)

    def variants(number: int) -> Variants:
        picture = pool.picture(number, View())
        yield from _changed(picture, marks.from_truth(picture), number, plan)
        for name, (_, view) in VIEWS.items():
            if not plan.only or name in plan.only:
                yield (name,), pool.picture(number, view)

    return _run("scenes", f"{plan.seed} {plan.turns} {plan.only}", plan.scenes, variants, (reader, plan))


def loose(reader: Reader, plan: Plan) -> store.Run:
    """Cards without a layout, of every kind and number, by an ordinary camera."""
    pool = Pool(plan.seed + 2, validation_decks(), plain=True, tops=clear_top)
    cases = [(kind, count) for _ in range(plan.spreads) for kind in spreads.KINDS for count in spreads.COUNTS]
    # As many close ones as of all kinds of one number.
    cases += [(spreads.CLOSE, 1)] * plan.spreads * len(spreads.KINDS)

    def variants(number: int) -> Variants:
        kind, count = cases[number]
        yield ("base", kind, str(count)), spreads.picture(pool, number, kind, count)

    return _run("spreads", f"{plan.seed}", len(cases), variants, (reader, plan), spreads.judge)


def photographs(reader: Reader, plan: Plan, folder: pathlib.Path) -> store.Run:
    """Labelled photographs as they are, then with one thing wrong at a time."""
    labels = _some(folders.photographs(folder), plan.limit)

    def variants(number: int) -> Variants:
        picture = folders.photograph(folder, labels[number])
        yield from _changed(picture, marks.from_reading(picture, reader), number, plan)

    return _run("photos", f"{plan.turns} {plan.only} {plan.limit}", len(labels), variants, (reader, plan))


def tables(reader: Reader, plan: Plan, folder: pathlib.Path) -> store.Run:
    """Rendered tables with a pyramid, as they are and turned by quarters; base cells by kind too."""
    files = _some(folders.table_files(folder), plan.limit)

    def variants(number: int) -> Variants:
        picture = folders.table(files[number])
        yield ("base", picture.group), picture
        for degrees in QUARTERS:
            yield (f"turned {degrees}",), conditions.turn(picture, degrees)

    return _run("tables", f"{plan.limit}", len(files), variants, (reader, plan))


def _some(things: list[T], limit: int | None) -> list[T]:
    """At most so many of a list, evenly spread over it: folders hold like beside like."""
    if limit is None or limit >= len(things):
        return things
    return [things[k * len(things) // limit] for k in range(limit)]


def _changed(picture: Picture, where: Marks | None, number: int, plan: Plan) -> Variants:
    """The picture itself and in every condition; where nothing is known of its cards, only itself and turned."""
    yield ("base",), picture
    for k, (name, (_, change)) in enumerate(conditions.CONDITIONS.items()):
        if where is not None and (not plan.only or name in plan.only):
            yield (name,), change(picture, where, np.random.default_rng([plan.seed, number, k]))
    if not plan.only or "turned" in plan.only:
        for k in range(plan.turns):
            degrees = ANGLES[(number * plan.turns + k) % len(ANGLES)]
            yield ("turned", f"turned {degrees}"), conditions.turn(picture, degrees)


def _run(
    name: str,
    settings: str,
    count: int,
    variants: Callable[[int], Variants],
    with_what: tuple[Reader, Plan],
    judged_by: Judging = judge,
) -> store.Run:
    reader, plan = with_what
    run = store.opened(name, settings)
    for number in track(range(run.done, count), description=name, disable=run.done >= count):
        for cells, picture in variants(number):
            judged = judged_by(picture, read(reader, picture))
            for cell in cells:
                run.cell(cell).add(judged)
            if plan.misses is not None and judged.misses:
                misses.write(plan.misses / f"{name}-{cells[0]}", picture, judged.misses)
        run.done = number + 1
        if run.done % SAVE_EVERY == 0 or run.done == count:
            run.save()
    return run

"""Measure the reader and print, or write, the accuracy tables of the model card.

    python -m models.measure --photos FOLDER --tables FOLDER --write     everything, into models/README.md
    python -m models.measure scenes --scenes 60 --misses FOLDER          one table on fewer pictures, misses to look at
    python -m models.measure photos --photos FOLDER --only blur,glare    some conditions

Needs the art of `models/training` (see models/README.md) for the drawn pictures. A measurement that was stopped goes
on where it was, as long as neither the nets nor the code have changed.
"""

from __future__ import annotations

import argparse
import pathlib

import cv2

from models.measure import card, runs
from models.measure.conditions import CONDITIONS
from models.measure.runs import Plan
from vision.reader import Reader

CARD = pathlib.Path("models/README.md")
DIAGRAM = pathlib.Path("models/reliability.svg")
PLAN = Plan()


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", nargs="*", help=f"these tables only, of {', '.join(runs.NAMES)}; default: all")
    parser.add_argument(
        "--validation", type=int, default=PLAN.validation, help="drawn pictures for calibration, places"
    )
    parser.add_argument("--scenes", type=int, default=PLAN.scenes, help="drawn pictures for the conditions")
    parser.add_argument("--spreads", type=int, default=PLAN.spreads, help="spreads of each kind and number of cards")
    parser.add_argument("--places", type=int, default=PLAN.places, help="whole tables by an ordinary camera")
    parser.add_argument("--rows", type=int, default=PLAN.rows, help="tables of half rows by an ordinary camera")
    parser.add_argument("--turns", type=int, default=PLAN.turns, help="angles per picture, of 23")
    parser.add_argument("--seed", type=int, default=PLAN.seed)
    parser.add_argument("--photos", type=pathlib.Path, help="folder of labelled photographs")
    parser.add_argument("--tables", type=pathlib.Path, help="folder of rendered tables with their truth")
    parser.add_argument("--limit", type=int, help="so many pictures of each folder")
    parser.add_argument("--only", default="", help="these conditions only, comma separated; base: none")
    parser.add_argument("--misses", type=pathlib.Path, help="write a crop of every miss below this folder")
    parser.add_argument("--threads", type=int, default=2, help="threads of the nets")
    parser.add_argument("--write", action="store_true", help="write the tables and the diagram into models/")
    given = parser.parse_args()
    given.only = tuple(name for name in given.only.split(",") if name)
    unknown = set(given.only) - {"base", "turned", *CONDITIONS, *runs.VIEWS} | set(given.which) - set(runs.NAMES)
    if unknown:
        parser.error(f"no such table or condition: {', '.join(sorted(unknown))}")
    if given.write and (given.which or given.only or given.limit or not given.photos or not given.tables):
        parser.error("--write replaces every table: give both folders, and no part of them")
    return given


def main() -> None:
    """Measure what was asked for."""
    given = arguments()
    cv2.setNumThreads(given.threads)
    reader = Reader.load(given.threads)
    counts = given.scenes, given.validation, given.turns, given.spreads, given.places, given.rows
    plan = Plan(given.seed, *counts, misses=given.misses, only=given.only, limit=given.limit)
    which = given.which or runs.NAMES
    measured = {}
    if "validation" in which:
        measured["validation"] = runs.validation(reader, plan)
    if "places" in which:
        measured["places"] = runs.places(reader, plan)
    if "rows" in which:
        measured["rows"] = runs.rows(reader, plan)
    if "scenes" in which:
        measured["scenes"] = runs.scenes(reader, plan)
    if "spreads" in which:
        measured["spreads"] = runs.loose(reader, plan)
    if "photos" in which and given.photos:
        measured["photos"] = runs.photographs(reader, plan, given.photos)
    if "tables" in which and given.tables:
        measured["tables"] = runs.tables(reader, plan, given.tables)
    text = card.text(measured)
    print(text)
    if given.write:
        card.write(text, measured, CARD, DIAGRAM)


if __name__ == "__main__":
    main()

"""Whether the advice given with a picture is right: asked for where exactly one thing is wrong, silent where none is.

    python -m models.measure.advice --pictures 60 --seed 40000     a table by fault, of drawn pictures and the samples

Needs the art of `models/training`, as all drawn pictures do; `--pen` draws decks without any.
"""

from __future__ import annotations

import argparse
from collections import Counter

import cv2
from rich.progress import track

from models.measure import hindered
from models.measure.card import percent
from models.measure.drawn import validation_decks
from models.measure.pictures import Picture
from models.training import decks
from vision.errors import PictureError
from vision.reader import Reader

# Errors that say what an advice would: the picture is refused, and the player told why.
REFUSALS = {"too-blurred": "sharper"}
# The weights of `vision.advice.quality` were fitted on these seeds; others measure them.
SET_ON = (51, 61, 71, 81, 91)


def told(reader: Reader, picture: Picture) -> frozenset[str]:
    """The codes of the advice given, or what the message of a refusal says."""
    try:
        answer = reader.read_pixels(picture.pixels, layout="auto" if picture.layout else None)
    except PictureError as error:
        return frozenset([REFUSALS.get(error.code, error.code)])
    return frozenset(advice.code for advice in answer.advice)


def measure(
    reader: Reader, pictures: int, seed: int, *, pen: bool, samples: bool, rows: bool = False
) -> dict[str, Counter[str]]:
    """For each fault, and for clean pictures: `pictures` and how many got each code."""
    source = (lambda rng: decks.draw_deck("by pen", rng, by_pen=True)) if pen else validation_decks()
    out: dict[str, Counter[str]] = {name: Counter() for name in (hindered.CLEAN, *hindered.HINDRANCES, hindered.CLOTH)}
    for fault, picture in track(hindered.every(seed, pictures, source, rows=rows, with_samples=samples), "advice"):
        out[fault].update(["pictures", *told(reader, picture)])
    return out


def table(measured: dict[str, Counter[str]]) -> str:
    """The table as Markdown: pictures, share that got the advice, what else they got."""
    lines = ["| what is wrong | pictures | told so | told something else |", "| --- | --- | --- | --- |"]
    for fault, counts in measured.items():
        n = counts["pictures"]
        others = {code: k for code, k in counts.items() if code not in ("pictures", fault)}
        said = ", ".join(f"{code} {k}" for code, k in sorted(others.items())) or "–"
        lines.append(f"| {fault} | {n} | {percent(counts[fault], n) if fault != hindered.CLEAN else '–'} | {said} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=60, help="drawn tables, each in every state")
    parser.add_argument("--seed", type=int, default=40_000, help=f"the weights were fitted on seeds {SET_ON}")
    parser.add_argument("--pen", action="store_true", help="decks drawn without fonts or art")
    parser.add_argument("--rows", action="store_true", help="tables of half rows")
    parser.add_argument("--samples", action="store_true", help="the sample pictures as well")
    parser.add_argument("--threads", type=int, default=2, help="threads of the nets")
    given = parser.parse_args()
    cv2.setNumThreads(given.threads)
    reader = Reader.load(given.threads)
    ways = {name: bool(getattr(given, name)) for name in ("pen", "samples", "rows")}
    print(table(measure(reader, given.pictures, given.seed, **ways)))


if __name__ == "__main__":
    main()

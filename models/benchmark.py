"""Times of one picture: ``python -m models.benchmark [--picture FILE] [--rounds 5]``.

Prints the best of five medians for a 1080p picture (from the file's bytes, warm), the part the nets take, and the
machine's load beside it; then ratios within the run (two megapixels against half and full size), which hold on any
machine.
"""

from __future__ import annotations

import argparse
import importlib.resources
import os
import pathlib
import statistics
import time
from collections.abc import Callable

import cv2
import numpy as np

from vision import evidence, find
from vision.picture import decode
from vision.reader import Reader
from vision.windows import Shrunk


def best_median(run: Callable[[], object], rounds: int, each: int) -> float:
    """Milliseconds: the smallest of `rounds` medians over `each` runs."""
    medians = []
    for _ in range(rounds):
        times = []
        for _ in range(each):
            start = time.perf_counter()
            run()
            times.append((time.perf_counter() - start) * 1000)
        medians.append(statistics.median(times))
    return min(medians)


def resized(data: bytes, width: int, height: int) -> bytes:
    """The same picture as a JPEG of this size, cut to its shape."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    factor = max(width / image.shape[1], height / image.shape[0])
    image = cv2.resize(
        image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    )
    _, out = cv2.imencode(".jpg", image[:height, :width], [cv2.IMWRITE_JPEG_QUALITY, 90])
    return bytes(out)


def nets_only(reader: Reader, data: bytes) -> Callable[[], object]:
    """The nets' part of reading a picture: search at every scale, and both looks at every window."""
    image = decode(data)
    found = find.search(image, reader.search)
    inputs = []
    scaled = image
    for factor in find.scales_of(*image.shape[:2]):
        size = (round(image.shape[1] * factor), round(image.shape[0] * factor))
        scaled = np.asarray(cv2.resize(scaled, size, interpolation=cv2.INTER_AREA), np.uint8)
        inputs.append(find.padded(scaled))
    shrunk = Shrunk(image)

    def run() -> None:
        for picture in inputs:
            reader.search(picture)
        evidence.read(shrunk, found.frames, reader.patch)

    return run


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", help="a picture file; default: the first sample picture")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--each", type=int, default=7)
    args = parser.parse_args()
    if args.picture:
        source = pathlib.Path(args.picture).read_bytes()
    else:
        samples = sorted(
            p.name for p in importlib.resources.files("sample_images").iterdir() if p.name.endswith(".jpg")
        )
        source = importlib.resources.files("sample_images").joinpath(samples[0]).read_bytes()
    reader = Reader.load()
    pictures = {
        "1280 × 720": resized(source, 1280, 720),
        "1920 × 1080": resized(source, 1920, 1080),
        "4000 × 3000": resized(source, 4000, 3000),
    }
    for data in pictures.values():
        reader.read(data)
    print("picture | read, ms | of which nets, ms | ratio to 1920 × 1080")
    whole = {
        name: best_median(lambda data=data: reader.read(data), args.rounds, args.each)
        for name, data in pictures.items()
    }
    for name, data in pictures.items():
        nets = best_median(nets_only(reader, data), args.rounds, args.each)
        print(f"{name} | {whole[name]:.0f} | {nets:.0f} | {whole[name] / whole['1920 × 1080']:.2f}")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; best of {args.rounds} medians of {args.each}")


if __name__ == "__main__":
    main()

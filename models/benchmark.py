"""Times of one picture: ``python -m models.benchmark [--picture FILE] [--rounds 5]``.

Prints for pictures of three sizes (from the file's bytes, warm) the best of five medians, the part the nets take and
each stage; the time of an unchanged video frame; a whole process of `cardtable read`; the peak of memory; and the
machine's load beside it. Ratios within the run hold on any machine.
"""

from __future__ import annotations

import argparse
import importlib.resources
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import cv2
import numpy as np

from vision.image import picture
from vision.nets import session
from vision.reader import NETS, Reader
from vision.reading import TableReading
from vision.video.frame_gate import Watch


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


class Timed:
    """A net that adds up the time it takes."""

    def __init__(self, inner: session.Net) -> None:
        self.inner, self.session, self.manifest, self.spent = inner, inner.session, inner.manifest, 0.0

    def __call__(self, batch: np.ndarray, **switches: bool) -> list[np.ndarray]:
        start = time.perf_counter()
        out = self.inner(batch, **switches)
        self.spent += (time.perf_counter() - start) * 1000
        return out


def nets_part(reader: Reader, data: bytes, rounds: int, each: int) -> float:
    """Milliseconds the nets take of reading a picture: the smallest of `rounds` medians."""
    nets = [Timed(getattr(reader, name)) for name in NETS]
    timed = Reader(*nets)  # type: ignore[arg-type]
    medians = []
    for _ in range(rounds):
        spent = []
        for _ in range(each):
            for each_net in nets:
                each_net.spent = 0.0
            timed.read(data)
            spent.append(sum(each_net.spent for each_net in nets))
        medians.append(statistics.median(spent))
    return min(medians)


def stages(reader: Reader, data: bytes, rounds: int, each: int) -> dict[str, float]:
    """Milliseconds of each stage of reading a picture: the smallest of `rounds` medians, stage by stage."""
    taken = [[reader.read(data).milliseconds for _ in range(each)] for _ in range(rounds)]
    return {name: min(statistics.median(t[name] for t in some) for some in taken) for name in taken[0][0]}


def unchanged_frame(data: bytes, rounds: int, each: int) -> float:
    """Milliseconds that a watched frame takes on which nothing changed."""
    frame = picture.decode(data)
    watch = Watch()
    for _ in range(3):
        watch, _ = watch.look(frame)
    watch = watch.having_read(TableReading(1, 1, None, (), {}, (), (), {}))
    return best_median(lambda: watch.look(frame), rounds, each)


# The same picture from release to release, so that figures can be compared: a pyramid with its backs.
SAMPLE = "covered-early.jpg"
# Reads the file named last in a process of its own; prints the peak of its memory in MB.
_PEAK = """
import pathlib, resource, sys
from vision.reader import NETS, Reader
Reader.load().read(pathlib.Path(sys.argv[1]).read_bytes())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2))
"""


def process(*command: str) -> tuple[float, str]:
    """Milliseconds of a whole process of this Python, and what it printed."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    return (time.perf_counter() - start) * 1000, done.stdout


def processes(pictures: dict[str, bytes], rounds: int) -> None:
    """Print what only a process of its own shows: the start of `cardtable read`, and the peak of memory."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: pathlib.Path(folder) / f"{number}.jpg" for number, name in enumerate(pictures)}
        for name, file in files.items():
            file.write_bytes(pictures[name])
        command = ("-m", "companion_app", "read", "--json", str(files["1920 × 1080"]))
        process(*command)
        start = min(process(*command)[0] for _ in range(rounds))
        print(f"cardtable read on 1920 × 1080, whole process, later run: {start:.0f} ms")
        print(f"peak memory of reading 4000 × 3000: {float(process('-c', _PEAK, str(files['4000 × 3000']))[1]):.0f} MB")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", help="a picture file; default: a sample picture")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--each", type=int, default=7)
    args = parser.parse_args()
    sample = importlib.resources.files("sample_images").joinpath(SAMPLE)
    source = pathlib.Path(args.picture).read_bytes() if args.picture else sample.read_bytes()
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
        nets = nets_part(reader, data, args.rounds, args.each)
        print(f"{name} | {whole[name]:.0f} | {nets:.0f} | {whole[name] / whole['1920 × 1080']:.2f}")
    for name, data in pictures.items():
        parts = stages(reader, data, args.rounds, args.each)
        print(f"{name}, ms:", ", ".join(f"{stage} {spent:.0f}" for stage, spent in parts.items() if stage != "total"))
    frame = unchanged_frame(pictures["1920 × 1080"], args.rounds, args.each)
    print(f"unchanged frame of 1920 × 1080: {frame:.1f} ms; ratio to reading it: {frame / whole['1920 × 1080']:.3f}")
    processes(pictures, args.rounds)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; best of {args.rounds} medians of {args.each}")


if __name__ == "__main__":
    main()

"""Hostile pictures: small files that would make a decoder take gigabytes or minutes, and good ones with bytes changed.

``python -m tests.vision.bombs --mutations 5000 --seed 1`` tries them all and prints a table: how many were read and
refused, by what code, the longest time of one, and the most memory of the process and of its decoders.
"""

from __future__ import annotations

import argparse
import resource
import struct
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.resources import files
from random import Random

import cv2
import numpy as np

HUGE = (65_500, 65_500)
SIZES = (HUGE, (60_000, 20_000), (8_000, 7_600), (65_535, 161), (16_383, 16_383))


def sample() -> bytes:
    """A good picture."""
    return (files("sample_images") / "ten.jpg").read_bytes()


def png(width: int, height: int, *, bits: int = 8, kind: int = 6, packed: int = 0, interlaced: bool = False) -> bytes:
    """A PNG of that size whose picture data unpack to so many bytes of nothing."""
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, interlaced)
    data = zlib.compress(bytes(packed), 9)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*one) for one in ((b"IHDR", header), (b"IDAT", data), (b"IEND", b"")))


def chunk(name: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def with_size(data: bytes, width: int, height: int) -> bytes:
    """A JPEG that says it is of another size."""
    at = next(data.find(bytes((0xFF, marker))) for marker in (0xC0, 0xC2) if data.find(bytes((0xFF, marker))) > 0)
    return data[: at + 5] + struct.pack(">HH", height & 0xFFFF, width & 0xFFFF) + data[at + 9 :]


def progressive(scans: int, side: int = 4000) -> bytes:
    """A progressive JPEG whose last scan comes again and again."""
    image = np.zeros((side, side, 3), np.uint8)
    data = bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1])
    last = data.rfind(b"\xff\xda")
    return data[:-2] + data[last:-2] * scans + b"\xff\xd9"


def gif(width: int, height: int) -> bytes:
    """A GIF of one pixel's data."""
    size = struct.pack("<HH", width & 0xFFFF, height & 0xFFFF)
    start = b"GIF89a" + size + b"\x80\x00\x00\x00\x00\x00\xff\xff\xff"
    return start + b"\x2c\x00\x00\x00\x00" + size + b"\x00\x02\x02\x44\x01\x00;"


def bmp(width: int, height: int) -> bytes:
    """A BMP without its pixels."""
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)


def tiff(width: int, height: int) -> bytes:
    """A TIFF without its pixels."""
    tags = ((256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (278, height), (279, 8))
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    return b"II*\x00" + struct.pack("<IH", 8, len(tags)) + entries + b"\x00\x00\x00\x00"


def jp2(width: int, height: int) -> bytes:
    """A JPEG 2000 code stream of that size, cut off."""
    return b"\xff\x4f\xff\x51" + struct.pack(">HHIIIIIIIIH", 47, 0, width, height, 0, 0, width, height, 0, 0, 3)


def webp(width: int, height: int) -> bytes:
    """A WebP whose canvas is of that size."""
    canvas = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    frame = b"\x30\x01\x00\x9d\x01\x2a" + struct.pack("<HH", min(width, 16383), min(height, 16383)) + bytes(40)
    body = b"WEBPVP8X" + struct.pack("<I", 10) + canvas + b"VP8 " + struct.pack("<I", len(frame)) + frame
    return b"RIFF" + struct.pack("<I", len(body)) + body


def container(brand: bytes) -> bytes:
    """An HEIC or AVIF file's beginning."""
    return struct.pack(">I", 24) + b"ftyp" + brand + bytes(4) + brand + b"mif1" + bytes(200)


def bombs() -> Iterator[tuple[str, bytes]]:
    """Each with its name; sixty of them in ten formats."""
    for width, height in SIZES:
        name = f"{width}x{height}"
        yield f"gif {name}", gif(width, height)
        yield f"bmp {name}", bmp(width, height)
        yield f"tiff {name}", tiff(width, height)
        yield f"jp2 {name}", jp2(width, height)
        yield f"webp {name}", webp(width, height)
        yield f"jpeg {name}", with_size(sample(), width, height)
        yield f"jpeg stray {name}", with_size(sample()[:2] + b"\x00" + sample()[2:], width, height)
        yield f"png {name}", png(width, height)
        yield f"png 16 bit {name}", png(width, height, bits=16, packed=1 << 20, interlaced=True)
    for scans in (200, 1000, 5000):
        yield f"jpeg {scans} scans", progressive(scans)
    yield "jpeg 20 scans", progressive(20, 7000)
    yield "png full", png(7_700, 7_700, packed=7_700 * (4 * 7_700 + 1))
    yield "png full 16 bit", png(5_000, 5_000, bits=16, packed=5_000 * (8 * 5_000 + 1), interlaced=True)
    yield "png chunk length", png(600, 600)[:8] + b"\xff\xff\xff\xff" + png(600, 600)[12:]
    yield "png moving", png(600, 600)[:33] + chunk(b"acTL", struct.pack(">II", 1 << 30, 0)) + png(600, 600)[33:]
    yield (
        "png profile",
        png(600, 600)[:33]
        + chunk(b"iCCP", b"a\x00\x00" + zlib.compress(bytes(200 << 20), 9))
        + png(600, 600, packed=600 * 2401)[33:],
    )
    yield "heic", container(b"heic")
    yield "avif", container(b"avif")
    yield "mp4", container(b"isom")
    yield "pdf", b"%PDF-1.7" + bytes(100)
    yield "only a start", b"\xff\xd8\xff"
    yield "end at once", b"\xff\xd8\xff\xd9"


def mutated(rng: Random) -> Iterator[bytes]:
    """Good pictures with bits flipped, bytes put in, taken out or repeated, or cut off, without end."""
    pixels = cv2.imdecode(np.frombuffer(sample(), np.uint8), cv2.IMREAD_COLOR)
    small = cv2.resize(pixels, (640, 480))
    good = [sample()] + [bytes(cv2.imencode(end, small)[1]) for end in (".jpg", ".png", ".webp")]
    good.append(bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1]))
    while True:
        data = bytearray(rng.choice(good))
        for _ in range(rng.randint(1, 10)):
            at = rng.randrange(len(data)) if rng.random() < 0.5 else rng.randrange(min(800, len(data)))
            kind = rng.randrange(5)
            if kind <= 1:
                data[at] ^= 1 << rng.randrange(8)
            elif kind == 2:
                data[at:at] = rng.randbytes(rng.randint(1, 8))
            elif kind == 3:
                del data[at : at + rng.randint(1, 2000)]
            else:
                data[at : at + 2] = rng.choice((b"\xff\xff", b"\x00\x00", b"\xff\xd9", b"\xff\xda"))
            if len(data) < 900:
                break
        yield bytes(data)


def tried(read: Callable[[bytes], object], data: bytes) -> tuple[str, float]:
    """What became of a picture (a PictureError's code, or ``read``), and how many seconds it took."""
    start = time.perf_counter()
    try:
        read(data)
        told = "read"
    except Exception as error:
        told = getattr(error, "code", type(error).__name__)
    return told, time.perf_counter() - start


def most_memory() -> tuple[int, int]:
    """Megabytes at most so far: of this process, and of the largest of its children that have ended."""
    return tuple(resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main() -> int:
    """Prints the tables; 1 where a picture took more than three seconds or a process more than 600 MB."""
    from vision.image.decoder import Decoder

    parser = argparse.ArgumentParser(prog="python -m tests.vision.bombs")
    parser.add_argument("--mutations", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    decoder = Decoder()
    mutations = mutated(Random(chosen.seed))
    slowest = 0.0
    sources = {"bombs": bombs(), "mutated": ((str(i), next(mutations)) for i in range(chosen.mutations))}
    for name, source in sources.items():
        told, longest = Counter[str](), ("", 0.0)
        for label, data in source:
            code, seconds = tried(lambda sent: decoder(sent, 1800), data)
            told[code] += 1
            longest = max(longest, (label, seconds), key=lambda one: one[1])
        slowest = max(slowest, longest[1])
        sys.stdout.write(
            f"{name}: {told.total()}, {dict(told.most_common())}; longest {longest[1]:.2f} s ({longest[0]})\n"
        )
    decoder.close()
    here, there = most_memory()
    sys.stdout.write(f"most memory: {here} MB here (with the making of the pictures), {there} MB in a decoder\n")
    return int(slowest > 3 or there > 600)


if __name__ == "__main__":
    sys.exit(main())

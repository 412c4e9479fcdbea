"""What the header of a picture file tells: its format and size, before a pixel is decoded.

Only formats that cameras, phones and screens make are known: JPEG (ITU-T T.81), PNG (W3C) and WebP (RFC 9649). A file
whose size is not certain from its header is refused, for a decoder might find another one and take gigabytes.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Final, Literal

from vision.errors import PictureError

Format = Literal["jpeg", "png", "webp"]

MOST_PIXELS: Final = 60_000_000
LEAST_SIDE: Final = 160
MOST_SCANS: Final = 32
"""Of a progressive JPEG: cameras and programs write ten to fifteen, and each takes a look at all of the picture."""
MOST_BYTES: Final = 450 * 1024 * 1024
"""Memory that decoding may take, by what the header tells."""

PNG_START: Final = b"\x89PNG\r\n\x1a\n"
_OTHERS: Final = (
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
    (b"\x00\x00\x00\x0cjP", "JPEG 2000"),
    (b"\xff\x4f\xff\x51", "JPEG 2000"),
    (b"%PDF", "PDF"),
    (b"v/1\x01", "OpenEXR"),
    (b"#?RADIANCE", "HDR"),
    (b"\x59\xa6\x6a\x95", "Sun raster"),
)
_HEIC_BRANDS: Final = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}
_FRAMES: Final = {0xC0, 0xC1, 0xC2}  # baseline, extended and progressive: what cameras write
_OTHER_FRAMES: Final = {0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
_ALONE: Final = {0x01, *range(0xD0, 0xD8)}  # markers without content
_END_OF_SCAN: Final = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


@dataclass(frozen=True, slots=True)
class Header:
    """Format and size in pixels, as stored; an orientation noted in the file is not applied yet."""

    format: Format
    width: int
    height: int


def read_header(data: bytes) -> Header:
    """The header of a picture file; raises PictureError: empty, heic, avif, other-format, moving, not-a-picture,
    truncated, too-large, too-small."""
    if not data:
        raise PictureError("empty")
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if data.startswith(PNG_START):
        return _png(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    if data[4:8] == b"ftyp":
        _refuse_container(data)
    for start, name in _OTHERS:
        if data.startswith(start):
            raise PictureError("other-format", name)
    raise PictureError("not-a-picture")


def _checked(header: Header, needed: int) -> Header:
    """The header, if decoding takes no more than ``needed`` bytes and the size is one to work with."""
    size = f"{header.width} × {header.height}"
    if header.width * header.height > MOST_PIXELS or needed > MOST_BYTES:
        raise PictureError("too-large", size)
    if min(header.width, header.height) < LEAST_SIDE:
        raise PictureError("too-small", size)
    return header


def _refuse_container(data: bytes) -> None:
    """HEIC and AVIF come in the same kind of file; what is in it tells the first brand known among those listed."""
    length = int.from_bytes(data[:4], "big")
    brands = [data[at : at + 4] for at in (8, *range(16, min(length, len(data), 256), 4))]
    if any(brand in (b"avif", b"avis") for brand in brands):
        raise PictureError("avif")
    if any(brand in _HEIC_BRANDS for brand in brands):
        raise PictureError("heic")
    raise PictureError("other-format", "MP4")


def _jpeg(data: bytes) -> Header:
    """Reads markers as decoders do, which skip what stands between them."""
    frame: tuple[int, int, int] | None = None
    scans, at = 0, 2
    while True:
        at = data.find(b"\xff", at)
        while at >= 0 and data[at : at + 1] == b"\xff":
            at += 1
        if at < 0 or at >= len(data):
            raise PictureError("truncated")
        marker = data[at]
        at += 1
        if marker == 0 or marker in _ALONE:
            continue
        if marker == 0xD9:
            break
        length = int.from_bytes(data[at : at + 2], "big")
        if at + 2 > len(data) or at + length > len(data):
            raise PictureError("truncated")
        if length < 2 or marker == 0xD8:
            raise PictureError("not-a-picture")
        if marker in _OTHER_FRAMES:
            raise PictureError("other-format", "JPEG")
        if marker in _FRAMES:
            if frame is not None:
                raise PictureError("not-a-picture")
            frame = _frame(data[at + 2 : at + length], progressive=marker == 0xC2)
        at += length
        if marker == 0xDA:
            scans += 1
            end = _END_OF_SCAN.search(data, at)
            if end is None:
                raise PictureError("truncated")
            at = end.start()
        if scans > MOST_SCANS:
            raise PictureError("too-large", f"{scans} ×")
    if frame is None or not scans:
        raise PictureError("not-a-picture" if frame is None else "truncated")
    return _checked(Header("jpeg", *frame[:2]), frame[2])


def _frame(content: bytes, *, progressive: bool) -> tuple[int, int, int]:
    """(width, height, bytes that decoding takes) by a frame header."""
    if len(content) < 6:
        raise PictureError("truncated")
    bits, height, width, components = struct.unpack(">BHHB", content[:6])
    factors = [(content[at] >> 4, content[at] & 15) for at in range(7, min(len(content), 6 + 3 * components), 3)]
    if bits != 8 or len(factors) not in (1, 3, 4) or not all(1 <= f <= 4 for pair in factors for f in pair):
        raise PictureError("not-a-picture")
    if not width or not height:
        raise PictureError("not-a-picture")
    most = max(h for h, _ in factors) * max(v for _, v in factors)
    kept = sum(h * v for h, v in factors) / most
    return width, height, int(width * height * (3 + (2 * kept if progressive else 0)))


def _png(data: bytes) -> Header:
    """The first chunk holds the size; the others are only walked through, to see that none is missing."""
    if data[8:16] != b"\x00\x00\x00\rIHDR":
        raise PictureError("not-a-picture" if len(data) >= 16 else "truncated")
    if len(data) < 33:
        raise PictureError("truncated")
    width, height, bits, kind = struct.unpack(">IIBB", data[16:26])
    if kind not in _CHANNELS or bits not in (1, 2, 4, 8, 16) or not width or not height:
        raise PictureError("not-a-picture")
    header = _checked(Header("png", width, height), width * height * (3 + _CHANNELS[kind] * max(1, bits // 8)))
    at, named = 8, b""
    while named != b"IEND":
        length, named = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        at += 12 + length
        if at > len(data):
            raise PictureError("truncated")
        if named == b"acTL":
            raise PictureError("moving", "PNG")
    return header


def _webp(data: bytes) -> Header:
    """The size stands in each of the chunks that may hold it; the largest counts."""
    if len(data) < int.from_bytes(data[4:8], "little") + 8 - 1:
        raise PictureError("truncated")
    sizes, picture, at = [], False, 12
    while at + 8 <= len(data):
        kind, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        content = data[at + 8 : at + 8 + length]
        if kind == b"VP8X" and len(content) >= 10:
            if content[0] & 2:
                raise PictureError("moving", "WebP")
            sizes.append((int.from_bytes(content[4:7], "little") + 1, int.from_bytes(content[7:10], "little") + 1))
        elif kind == b"VP8 " and len(content) >= 10:
            width, height = struct.unpack("<HH", content[6:10])
            sizes.append((width & 0x3FFF, height & 0x3FFF))
            picture = True
        elif kind == b"VP8L" and len(content) >= 5:
            bits = int.from_bytes(content[1:5], "little")
            sizes.append(((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1))
            picture = True
        at += 8 + length + (length & 1)
    if not picture or not all(map(all, sizes)):
        raise PictureError("not-a-picture")
    width, height = max(w for w, _ in sizes), max(h for _, h in sizes)
    return _checked(Header("webp", width, height), width * height * 8)

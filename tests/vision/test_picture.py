"""Bad pictures get their own error before any work is done; good ones come out upright and RGB."""

from __future__ import annotations

import pickle
import struct
import zlib

import cv2
import numpy as np
import pytest

from vision.errors import PictureError
from vision.image import picture
from vision.image.headers import Header, read_header


def jpeg(height: int = 240, width: int = 320) -> bytes:
    image = np.zeros((height, width, 3), np.uint8)
    image[: height // 2] = (0, 0, 255)  # OpenCV writes BGR: the upper half is red
    return bytes(cv2.imencode(".jpg", image)[1])


def png_header(width: int, height: int) -> bytes:
    body = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + body
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk)) + b"IEND"


def with_orientation(data: bytes, value: int) -> bytes:
    tiff = b"MM\x00*\x00\x00\x00\x08" + struct.pack(">HHHIHH", 1, 0x0112, 3, 1, value, 0) + b"\x00" * 4
    segment = b"Exif\x00\x00" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + data[2:]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"just some text, no picture at all", "not-a-picture"),
        (b"\x00\x00\x00\x18ftypheic" + b"\x00" * 64, "heic"),
        (b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1heic" + b"\x00" * 64, "avif"),
        (jpeg()[:-400], "truncated"),
        (jpeg()[:40], "truncated"),
        (png_header(12_000, 9_000), "too-large"),
        (jpeg(100, 100), "too-small"),
    ],
    ids=["empty", "text", "heic", "avif that is no heic", "cut-off", "only-a-header", "108-megapixels", "tiny"],
)
def test_bad_picture_is_named(data: bytes, code: str) -> None:
    with pytest.raises(PictureError) as caught:
        picture.decode(data)
    assert caught.value.code == code
    assert len(caught.value.message) > 30


def test_pixels_are_rgb() -> None:
    image = picture.decode(jpeg())
    assert image.shape == (240, 320, 3)
    assert image[20, 20, 0] > 200
    assert image[20, 20, 2] < 60


def test_exif_orientation_is_applied() -> None:
    image = picture.decode(with_orientation(jpeg(), 6))
    assert image.shape == (320, 240, 3)
    # Orientation 6: the camera was turned, what it stored as its upper edge is the right side.
    assert image[160, 220, 0] > 200
    assert image[160, 20, 0] < 60


def test_marker_inside_a_thumbnail_does_not_make_a_cut_off_picture_whole() -> None:
    small = jpeg(160, 160)
    segment = b"Exif\x00\x00" + small
    whole = jpeg()
    data = whole[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + whole[2:]
    assert read_header(data) == Header("jpeg", 320, 240)
    with pytest.raises(PictureError, match="cut off"):
        read_header(data[:-300])


def test_a_large_jpeg_is_decoded_at_the_part_of_its_size_that_is_enough() -> None:
    data = jpeg(901, 1202)
    whole, half, quarter = (picture.decode_reduced(data, enough) for enough in (602, 601, 300))
    assert [(r.covers, r.image.shape) for r in (whole, half, quarter)] == [
        (1, (901, 1202, 3)),
        (2, (451, 601, 3)),
        (4, (226, 301, 3)),
    ]
    assert {(r.width, r.height) for r in (whole, half, quarter)} == {(1202, 901)}
    assert half.image[20, 20, 0] > 200
    assert half.image[20, 20, 2] < 60


def test_a_reduced_picture_is_upright() -> None:
    reduced = picture.decode_reduced(with_orientation(jpeg(901, 1202), 6), 600)
    assert (reduced.covers, reduced.width, reduced.height) == (2, 901, 1202)
    assert reduced.image.shape == (601, 451, 3)
    assert reduced.image[300, 430, 0] > 200
    assert reduced.image[300, 20, 0] < 60


def test_another_picture_is_reduced_once_it_is_decoded() -> None:
    image = np.zeros((901, 1202, 3), np.uint8)
    image[:450] = 200
    reduced = picture.decode_reduced(bytes(cv2.imencode(".png", image)[1]), 300)
    assert (reduced.covers, reduced.image.shape) == (4, (226, 301, 3))
    assert (reduced.width, reduced.height) == (1202, 901)
    assert (reduced.image[20, 20, 0], reduced.image[200, 20, 0]) == (200, 0)


def test_an_error_is_the_same_in_another_process() -> None:
    error = PictureError("too-small", "10 × 10")
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.detail, again.message) == (error.code, error.detail, error.message)

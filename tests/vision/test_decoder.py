"""Pictures decoded in processes of their own: as here, but with an end, and with a word about guessed pixels."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest

from tests.vision.bombs import bombs, mutated, png, sample, tried
from vision.errors import MESSAGES, PictureError
from vision.image import picture
from vision.image.decoder import Decoder
from vision.reader import Reader

READABLE = {"png full", "png full 16 bit", "jpeg 20 scans", "png 8000x7600", "png 16 bit 8000x7600"}
"""Large, but such as a camera or a scanner may make, and within the limits."""


@pytest.fixture(scope="module")
def decoder() -> Iterator[Decoder]:
    """A decoder of one process."""
    made = Decoder(workers=1, seconds=20)
    yield made
    made.close()


def processes() -> list[int]:
    """The decoding processes that this one has begun and that still run."""
    found = subprocess.run(
        ["pgrep", "-P", str(os.getpid()), "-f", "vision.image.decode_worker"], capture_output=True, text=True
    )
    return [int(number) for number in found.stdout.split()]


def begun_by(decoder: Decoder) -> int:
    """The process that a decoder begins for its first picture."""
    before = set(processes())
    decoder(sample(), 1800)
    (worker,) = set(processes()) - before
    return worker


@pytest.mark.parametrize("enough", [600, 1 << 30])
@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
def test_pixels_are_those_that_are_decoded_here(decoder: Decoder, kind: str, enough: int) -> None:
    pixels = cv2.imdecode(np.frombuffer(sample(), np.uint8), cv2.IMREAD_COLOR)
    data = bytes(cv2.imencode(kind, cv2.resize(pixels, (1300, 900)))[1])
    there, here = decoder(data, enough), picture.decode_reduced(data, enough)
    assert np.array_equal(there.image, here.image)
    assert (there.covers, there.width, there.height) == (here.covers, here.width, here.height)


def test_sizes_are_checked_before_decoding_whatever_the_format(decoder: Decoder) -> None:
    told = {name: tried(lambda data: decoder(data, 1800), data)[0] for name, data in bombs() if name not in READABLE}
    assert len(told) >= 50
    assert {code for code in told.values() if code not in MESSAGES} <= {"read"}
    assert [name for name, code in told.items() if code == "read"] in ([], ["png profile"])


def test_mutated_pictures_are_read_or_refused_with_their_own_code(decoder: Decoder) -> None:
    source = mutated(Random(2))
    told = [tried(lambda data: decoder(data, 1800), next(source))[0] for _ in range(120)]
    assert set(told) <= {"read", *MESSAGES}
    assert told.count("damaged") >= 10


def test_a_jpeg_of_which_the_decoder_had_to_guess_a_part_is_refused(decoder: Decoder) -> None:
    data = bytearray(sample())
    middle = len(data) // 2
    data[middle : middle + 400] = bytes(400)
    assert picture.decode(bytes(data)).shape == (960, 1280, 3), "OpenCV alone says nothing"
    with pytest.raises(PictureError, match="damaged"):
        decoder(bytes(data), 1800)
    assert decoder(sample(), 1800).image.shape == (960, 1280, 3)


def test_what_takes_too_long_is_ended_and_the_next_picture_is_decoded() -> None:
    impatient = Decoder(workers=1, seconds=0.001)
    with pytest.raises(PictureError) as caught:
        impatient(sample(), 1800)
    assert caught.value.code == "too-slow"
    impatient._seconds = 20
    assert impatient(sample(), 1800).covers == 1
    impatient.close()


def test_a_busy_machine_takes_no_picture_away() -> None:
    patient = Decoder(workers=1, seconds=1)
    worker = begun_by(patient)
    os.kill(worker, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(patient, sample(), 1800)
        time.sleep(1.5)
        os.kill(worker, signal.SIGCONT)
        assert waits.result().image.shape == (960, 1280, 3)
    assert worker in processes()
    patient.close()


def test_a_decoder_that_dies_is_replaced() -> None:
    two = Decoder(workers=2, seconds=20)
    before = set(processes())
    worker = begun_by(two)
    os.kill(worker, signal.SIGKILL)  # it may be taken for alive for a moment yet
    assert two(sample(), 1800).image.shape == (960, 1280, 3)
    two.close()
    assert set(processes()) == before


def test_several_pictures_are_decoded_at_once() -> None:
    two = Decoder(workers=2, seconds=20)
    with ThreadPoolExecutor(4) as pool:
        shapes = list(pool.map(lambda _: two(sample(), 1800).image.shape, range(8)))
    assert shapes == [(960, 1280, 3)] * 8
    two.close()


def test_nobody_waits_for_a_large_picture_but_who_brought_one() -> None:
    one = Decoder(workers=1, seconds=20)
    slow = one._large.get()
    with ThreadPoolExecutor(1) as pool:
        large = pool.submit(one, png(5_000, 4_000, packed=4_000 * (4 * 5_000 + 1)), 1800)
        assert one(sample(), 1800).image.shape == (960, 1280, 3)
        assert not large.done()
        one._large.put(slow)
        assert large.result().image.shape == (2_000, 2_500, 3)
    one.close()


def test_a_slow_decode_keeps_no_other_picture_waiting_and_the_nets_work_for_one_at_a_time() -> None:
    slow, held = threading.Event(), []
    image = cv2.imdecode(np.frombuffer(sample(), np.uint8), cv2.IMREAD_COLOR)

    def decode(data: bytes, enough: int) -> picture.Reduced:
        if data.startswith(b"\x89PNG"):
            slow.wait(120)
        return picture.decode_reduced(data, enough)

    reader = Reader.load(decode=decode)

    def searched(batch: np.ndarray, **switches: bool) -> list[np.ndarray]:  # type: ignore[type-arg]
        held.append(reader.turn.locked())  # type: ignore[attr-defined]
        return reader.search(batch, **switches)

    watched = replace(reader, search=searched)  # type: ignore[arg-type]
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(watched.read, bytes(cv2.imencode(".png", image)[1]))
        quick = watched.read(sample())
        assert not waits.done()
        slow.set()
        assert waits.result().layout == quick.layout is not None
    assert held
    assert all(held)


def test_nothing_of_a_refused_picture_stays() -> None:
    kept: list[weakref.ref[np.ndarray]] = []  # type: ignore[type-arg]

    def decode(data: bytes, enough: int) -> picture.Reduced:
        reduced = picture.decode_reduced(data, enough)
        kept.append(weakref.ref(reduced.image))
        return reduced

    reader = Reader.load(decode=decode)
    gc.disable()
    try:
        for _ in range(3):
            with pytest.raises(PictureError):
                reader.read(png(800, 600, packed=600 * 3201))
        assert [reference() for reference in kept] == [None] * 3
    finally:
        gc.enable()

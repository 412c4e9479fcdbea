"""Pictures that cannot be used, read by the real reader: each has its own code, message and status."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from companion_app.cli import app
from companion_app.wiring import eyes

Pixels = NDArray[np.uint8]


def table() -> Pixels:
    """A sample picture with a whole pyramid."""
    content = np.frombuffer((files("sample_images") / "relaxed-deal.jpg").read_bytes(), np.uint8)
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


def cloth() -> Pixels:
    """A table without cards."""
    noise = np.random.default_rng(0).integers(0, 12, (960, 1280, 3))
    return np.asarray(noise + np.array([60, 90, 40]), np.uint8)


def half() -> Pixels:
    """A table of which the right half is outside the picture."""
    whole = table()
    return np.ascontiguousarray(whole[:, : whole.shape[1] // 2])


def blurred() -> Pixels:
    """A table blurred beyond reading."""
    return np.asarray(cv2.GaussianBlur(table(), (0, 0), 14), np.uint8)


def spread() -> Pixels:
    """Cards without a pyramid."""
    content = np.frombuffer((files("sample_images") / "spread.jpg").read_bytes(), np.uint8)
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


def beside() -> Pixels:
    """A pyramid beside a pyramid."""
    return np.hstack([table(), table()])


CASES = [
    (cloth, "no-cards"),
    (half, "outside"),
    (blurred, "too-blurred"),
    (spread, "no-layout"),
    (beside, "two-layouts"),
]
IDS = [code for _, code in CASES]


def jpeg(pixels: Pixels) -> bytes:
    """The picture as a file's bytes."""
    _, encoded = cv2.imencode(".jpg", pixels)
    return encoded.tobytes()


@pytest.mark.parametrize(("make", "code"), CASES, ids=IDS)
def test_the_command_says_what_is_wrong(make: Callable[[], Pixels], code: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(jpeg(make()))
    result = CliRunner().invoke(app, ["read", "--json", "--game", "relaxed-pyramid", str(path)])
    answer = json.loads(result.stdout)
    assert answer["error"]["code"] == code
    assert answer["error"]["message"] in result.stderr
    assert result.exit_code == 3


def test_the_page_says_what_is_wrong_and_goes_on(serve: Callable[..., httpx.Client]) -> None:
    client = serve(eyes())
    answers = [client.post("/tables", files={"picture": ("x.jpg", jpeg(make()))}) for make, _ in CASES]
    assert [answer.json()["code"] for answer in answers] == IDS
    assert {answer.status_code for answer in answers} == {422}
    assert len({answer.json()["detail"] for answer in answers}) == len(CASES)
    assert client.post("/tables", files={"picture": ("x.jpg", jpeg(table()))}).status_code == 200


def test_the_same_card_twice_is_a_finding(tmp_path: Path) -> None:
    picture = str(files("sample_images") / "fault-twice.jpg")
    result = CliRunner().invoke(app, ["check", "--json", "--game", "relaxed-pyramid", picture])
    assert "duplicate-card" in [fault["kind"] for fault in json.loads(result.stdout)["faults"]]
    assert result.exit_code == 1

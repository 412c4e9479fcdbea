"""What the camera of a real browser sees: looks at a table as a video file."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from tests.companion_app.test_browser import CAMERA, CHROMIUM, FLAGS, LAPTOP, WAIT


def filmed(looks: Iterable[tuple[np.ndarray, int]], size: tuple[int, int], path: Path) -> Path:
    """Looks (h, w, 3) uint8 BGR, each shown for some seconds, as an uncompressed video of one frame a second; after its
    end it begins again."""
    with path.open("wb") as file:
        file.write(b"YUV4MPEG2 W%d H%d F1:1 Ip A1:1 C420jpeg\n" % size)
        for pixels, seconds in looks:
            small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
            file.write((b"FRAME\n" + cv2.cvtColor(small, cv2.COLOR_BGR2YUV_I420).tobytes()) * seconds)
    return path


@contextmanager
def browsing(address: str, video: Path | None = None) -> Iterator[Page]:
    """The start page in a browser whose camera shows a video; fails on any script error."""
    assert CHROMIUM, "the browser tests need Debian's package chromium"
    shown = [*CAMERA, f"--use-file-for-fake-video-capture={video}"] if video else []
    expect.set_options(timeout=WAIT)
    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *shown])
        page = browser.new_page(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, locale="en-GB")
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        yield page
        browser.close()
    assert errors == []

"""Cards of no deck among the cards: a trump, a visiting card. They lie face up, are seen well, and show no index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import evidence, sites, windows
from vision.desk import Spotted
from vision.evidence import NONE, Readings
from vision.find import Found
from vision.net import Net
from vision.spread import outline
from vision.windows import Shrunk

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sureness:
    """When a card is called foreign rather than not read; strict, for a deck's own card called foreign is an insult."""

    card: float = 0.3  # more of a chance for any one card in any window on it, and it may be that card
    index: float = 0.15  # the same for all windows together showing any index
    ink: float = 0.15  # a window whose darkest is lighter than so much below its paper has no print in it
    face: float = 0.75  # mean chance over the card that a face shows there, by the card map
    up: float = 0.2  # less of a chance that its face shows, by the cards around it as well, and it is a back
    paper: float = 0.36  # share of paper in the windows: with less of it something may lie over the corners
    width: float = 70.0  # card widths in pixels below which an index may be too small to be seen
    shared: float = 0.1  # share of a loose card that may lie under others: what is more in sight is a card by itself
    outline: float = 1.8  # heat of its four corners, one each at best
    plain: float = 2.6  # the same of a card that is told of even if it is not foreign, but only could not be read
    stands: float = 0.15  # an index this far, in half card sides, inside another card's outline may lie under it


SURENESS = Sureness()
_GRID = np.array([(a, b) for a in np.linspace(-0.7, 0.7, 5) for b in np.linspace(-0.8, 0.8, 7)])


def unclaimed(found: Found, taken: Sequence[Spotted]) -> list[Spotted]:
    """The cards found face up, with their outline, on which nothing was read and over which no card read lies."""
    out = []
    nothing = evidence.combined(np.zeros((0, evidence.SIZE)))
    for quad, face in zip(found.cards.quads(), found.cards.face, strict=True):
        axes = sites.axes_of(quad)
        area = max(abs(float(cv2.contourArea(quad))), 1e-6)
        lies = [cv2.intersectConvexConvex(quad, s.quad_xy.astype(np.float32))[0] / area for s in taken]
        if face > 0.5 and max(lies, default=0.0) < SURENESS.shared and outline(axes, found.corners) > SURENESS.outline:
            out.append(Spotted("", 0.95, float(face), nothing, sites.corners_of(axes)))
    return out


def unread(found: Found, seen: Sequence[Spotted], foreign: Sequence[Spotted]) -> list[Spotted]:
    """Those of `seen` that lie there for sure, foreign or not: a card that nobody can read is not passed over."""
    plain = [s for s in seen if outline(sites.axes_of(s.quad_xy), found.corners) > SURENESS.plain]
    return [*foreign, *(s for s in plain if not any(s is other for other in foreign))]


def strangers(picture: Shrunk, found: Found, readings: Readings, spotted: Sequence[Spotted], net: Net) -> list[Spotted]:
    """Those of `spotted` that are foreign: each of their ends that shows is looked at once more."""
    axes = [sites.axes_of(s.quad_xy) for s in spotted]
    likely = [k for k, s in enumerate(spotted) if _shows_face(found, s, axes[k])]
    if not likely:
        return []
    usual = sites.template(axes, readings, sites.owners(axes, readings))
    sure = readings.frames[np.argsort(-readings.is_index())[:12]]
    paper = float(np.median(windows.percentiles(_darkest(picture, sure), 80)[0])) if len(sure) else 255.0
    out = []
    for k in likely:
        ends = _open_ends(spotted, axes, k)
        if not ends:
            continue
        frames = sites.looked_for(axes[k], usual, ends)
        if not _on_paper(picture, frames, paper):
            continue
        looked = evidence.read(picture, frames[~_blank(picture, frames)], net)
        near = readings.take(sites.misfit(axes[k], readings.frames)[0] < sites.REACH * 1.3)
        best = evidence.joined(looked, near).beliefs[:, :NONE].max(1, initial=0.0)
        if best.max(initial=0.0) < SURENESS.card:
            out.append(spotted[k])
    return out


def _on_paper(picture: Shrunk, frames: NDArray[np.float32], paper: float) -> bool:
    """Whether bare paper shows in the windows around what is printed: a thing that lies there would hide an index."""
    light = _darkest(picture, frames)
    return float((light > 0.75 * paper).mean()) > SURENESS.paper


def _blank(picture: Shrunk, frames: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Windows (n,) in which nothing is printed: the patch net, trained on print, can make anything of bare paper."""
    inner = _darkest(picture, frames).reshape(-1, windows.SIDE, windows.SIDE)[:, 6:-6, 6:-6]
    low, high = windows.percentiles(inner.reshape(len(frames), -1), 3, 90)
    return np.asarray(low > (1 - SURENESS.ink) * high)


def _darkest(picture: Shrunk, frames: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The darkest channel of each pixel of windows on at least one frame, (n, 48 · 48)."""
    return windows.darkest(windows.cut(picture, frames)).reshape(len(frames), -1)


def _shows_face(found: Found, s: Spotted, axes: Doubles) -> bool:
    """Whether a card that could not be read surely lies face up, all of it in sight and large enough."""
    if s.present < 0.5 or s.face < SURENESS.up or float(s.belief[NONE]) < 1 - SURENESS.index:
        return False
    wide = 2 * min(float(np.linalg.norm(axes[:, 0])), float(np.linalg.norm(axes[:, 1])))
    chance = found.kinds.at(_GRID @ axes[:, :2].T + axes[:, 2])
    return wide >= SURENESS.width and float(chance[:, 1].mean()) > SURENESS.face


def _open_ends(spotted: Sequence[Spotted], axes: list[Doubles], k: int) -> tuple[bool, ...]:
    """The ends (False the upper one, True the turned one) of a card that no other card can hide.

    In a layout every card's upper end shows.
    """
    out = []
    for turned in (False, True):
        a = sites.over(axes[k]) if turned else axes[k]
        at = a[:, :2] @ np.array(sites.USUAL) + a[:, 2]
        hidden = any(
            n != k and s.present > 0.5 and _depth(axes[n], at) > SURENESS.stands for n, s in enumerate(spotted)
        )
        layout = not turned and not spotted[k].place.startswith("table") and spotted[k].place != ""
        if layout or not hidden:
            out.append(turned)
    return tuple(out)


def _depth(axes: Doubles, at: Doubles) -> float:
    """How far inside a card a point lies, in half sides; negative outside."""
    inverse = np.linalg.inv(axes[:, :2] + np.eye(2) * 1e-9)
    return 1 - float(np.abs(inverse @ (at - axes[:, 2])).max())

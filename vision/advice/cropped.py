"""Places of a layout beyond the picture's edge on which a card may lie that nobody sees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.detect.heatmaps import Corners
from vision.detect.outline_fit import heats
from vision.posterior.spotted import Spotted
from vision.recognize import card_frame

# Heat of a corner in full view: hardly any stands by chance where a card that is covered has its own.
BARE = 0.5


def missed(outside: Sequence[str], spotted: Sequence[Spotted], corners: Corners) -> tuple[str, ...]:
    """Those of the places `outside` the picture that may hold a card.

    A card lies on the lower halves of the two above it, which can be gone only after it: it is gone where one of them
    is, or shows the corner that it would cover. Of another layout every place may hold one.
    """
    if not outside or not outside[0].startswith("pyramid"):
        return tuple(outside)
    axes = np.array([card_frame.axes_of(s.quad_xy) for s in spotted]).reshape(-1, 2, 3)
    bare = heats(axes, corners) > BARE
    # For each card whether its left half is free, and its right half; both where it is gone.
    free = {
        s.place: (s.present < 0.5 or bool(left), s.present < 0.5 or bool(right))
        for s, (_, _, right, left) in zip(spotted, bare, strict=True)
    }
    out: list[str] = []
    for place in sorted(outside, key=lambda name: [int(n) for n in name.split()[1:]]):
        row, column = (int(n) for n in place.split()[1:])
        above = ((f"pyramid {row - 1} {column - 1}", True), (f"pyramid {row - 1} {column}", False))
        lies_on = [(name, right) for (name, right), c in zip(above, (column - 1, column), strict=True) if 0 < c < row]
        if not any(free.get(name, (name not in out,) * 2)[right] for name, right in lies_on):
            out.append(place)
    return tuple(out)

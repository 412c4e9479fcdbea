"""Two decks and four backs of our own, drawn as SVG. `python -m models.training.photoreal.own_decks FOLDER`."""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .tables import RANKS, SUITS, worth

WIDTH, HEIGHT = 250, 350

SUIT_PATHS = {
    "H": "M0,46 C-16,22 -48,4 -48,-20 C-48,-38 -36,-47 -23,-47 C-11,-47 -3,-39 0,-29 "
    "C3,-39 11,-47 23,-47 C36,-47 48,-38 48,-20 C48,4 16,22 0,46Z",
    "D": "M0,-50 Q15,-20 37,0 Q15,20 0,50 Q-15,20 -37,0 Q-15,-20 0,-50Z",
    "S": "M0,-50 C14,-26 46,-8 46,15 C46,30 35,37 25,37 C15,37 8,32 4,25 Q6,41 17,49 L-17,49 "
    "Q-6,41 -4,25 C-8,32 -15,37 -25,37 C-35,37 -46,30 -46,15 C-46,-8 -14,-26 0,-50Z",
    "C": "M-5,14 A22,22 0 1 1 -16,-14 A22,22 0 1 1 16,-14 A22,22 0 1 1 5,14 Q7,38 18,49 L-18,49 Q-7,38 -5,14Z",
}

COLUMN_PIPS = {
    1: [(0, 0)],
    2: [(0, -1), (0, 1)],
    3: [(0, -1), (0, 0), (0, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    7: [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    8: [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)],
    9: [(x, y) for y in (-1, -1 / 3, 1 / 3, 1) for x in (-1, 1)] + [(0, 0)],
    10: [(x, y) for y in (-1, -1 / 3, 1 / 3, 1) for x in (-1, 1)] + [(0, -2 / 3), (0, 2 / 3)],
}


@dataclass(frozen=True, slots=True)
class Style:
    """The looks of one deck; sizes in the card's 250 × 350 units."""

    name: str
    font: str
    weight: str
    colours: dict[str, str]
    paper: str
    index: int
    small_pip: float
    pip: float
    robe: tuple[str, str, str]


HARBOUR = Style(
    name="harbour",
    font="C059, serif",
    weight="bold",
    colours={"H": "#b3202a", "D": "#b3202a", "S": "#16181d", "C": "#16181d"},
    paper="#fffdf6",
    index=44,
    small_pip=0.27,
    pip=0.46,
    robe=("#b3202a", "#1f3d6d", "#e6b84a"),
)
MEADOW = Style(
    name="meadow",
    font="Cabin, sans-serif",
    weight="bold",
    colours={"H": "#d62246", "D": "#1f6fc4", "S": "#1c1c1c", "C": "#1d8a4b"},
    paper="#ffffff",
    index=52,
    small_pip=0.34,
    pip=0.42,
    robe=("#f2b134", "#2f9c95", "#664e88"),
)


def pip(suit: str, x: float, y: float, scale: float, fill: str, turn: float = 0) -> str:
    """One suit sign."""
    place = f"translate({x:.2f},{y:.2f}) rotate({turn}) scale({scale:.3f})"
    return f'<path d="{SUIT_PATHS[suit]}" fill="{fill}" transform="{place}"/>'


def card(code: str, style: Style) -> str:
    """A whole card as SVG text."""
    rank, suit = code[:-1], code[-1]
    fill = style.colours[suit]
    squeeze = ' textLength="38" lengthAdjust="spacingAndGlyphs"' if rank == "10" else ""
    corner = (
        f'<text x="27" y="{14 + style.index * 0.72:.0f}" font-family="{style.font}" font-weight="{style.weight}" '
        f'font-size="{style.index}" text-anchor="middle" fill="{fill}"{squeeze}>{rank}</text>'
        + pip(suit, 27, 30 + style.index * 0.72 + 50 * style.small_pip * 0.6, style.small_pip, fill)
    )
    middle = _court(rank, suit, style) if worth(code) > 10 else _pips(worth(code), suit, style)
    turned = f'<g transform="rotate(180 {WIDTH / 2} {HEIGHT / 2})">{corner}</g>'
    return _page(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{style.paper}"/>{middle}{corner}{turned}')


def _page(body: str) -> str:
    """The drawing's frame."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</svg>'


def _pips(number: int, suit: str, style: Style) -> str:
    """The signs in the middle, the lower half upside down."""
    fill = style.colours[suit]
    if number == 1:
        size = style.pip * 2.2
        line = f'stroke="{fill}" stroke-width="1.5" stroke-dasharray="5 4"'
        ring = f'<circle cx="125" cy="175" r="78" fill="none" {line}/>'
        return ring + pip(suit, 125, 175, size, fill)
    return "".join(
        pip(suit, 125 + x * 47, 175 + y * 116, style.pip, fill, 180 if y > 0 else 0) for x, y in COLUMN_PIPS[number]
    )


def _court(rank: str, suit: str, style: Style) -> str:
    """A framed figure, the same both ways up, with a medallion for the rank."""
    fill = style.colours[suit]
    half = _bust(rank, suit, style)
    clip = '<clipPath id="h"><rect x="52" y="34" width="146" height="141"/></clipPath>'
    figure = f'<g clip-path="url(#h)">{half}</g>'
    frame = f'<rect x="52" y="34" width="146" height="282" fill="none" stroke="{fill}" stroke-width="2"/>'
    band = (
        f'<g transform="rotate(-18 125 175)"><rect x="30" y="168" width="190" height="14" fill="{style.robe[2]}"/>'
        + "".join(f'<circle cx="{x}" cy="175" r="4" fill="{fill}"/>' for x in range(40, 220, 17))
        + "</g>"
    )
    inside = '<clipPath id="f"><rect x="53" y="35" width="144" height="280"/></clipPath>'
    both = f'{figure}<g transform="rotate(180 125 175)">{figure}</g>'
    return f'{clip}{inside}<g clip-path="url(#f)">{both}{band}</g>{frame}'


LINE = 'stroke="#222" stroke-width="1.5"'


def path(d: str, fill: str, rest: str = LINE) -> str:
    """A filled outline."""
    return f'<path d="{d}" fill="{fill}" {rest}/>'


def _bust(rank: str, suit: str, style: Style) -> str:
    """Head, headdress, shoulders and what the figure holds; upper half only."""
    first, second, third = style.robe
    robe = {"J": second, "Q": first, "K": first if suit in "SD" else second}[rank]
    folds = "".join(
        path(f"M{125 + d * 0.28:.0f},118 L{125 + d},176", "none", f'stroke="{third}" stroke-width="5"')
        for d in range(-66, 67, 22)
    )
    return "".join(
        (
            path("M56,176 Q60,128 100,118 L150,118 Q190,128 194,176Z", robe),
            folds,
            path("M100,117 Q125,146 150,117 L146,134 Q125,156 104,134Z", third),
            _hair(rank),
            f'<ellipse cx="125" cy="90" rx="22" ry="28" fill="#f3d3b4" {LINE}/>',
            path("M113,86 h8 M129,86 h8 M125,88 l-3,12 h5 M118,107 q7,5 14,0", "none"),
            _headdress(rank, style),
            pip(suit, 74, 60, 0.3, style.colours[suit]),
            _held(rank, first, third),
        )
    )


def _held(rank: str, first: str, third: str) -> str:
    """A beard and a sceptre, a flower or a spear."""
    if rank == "K":
        beard = path("M104,98 Q106,136 125,138 Q144,136 146,98 Q136,112 125,108 Q114,112 104,98Z", "#8a6b4a", "")
        return beard + path("M180,40 V176 M172,58 H188", "none", f'stroke="{third}" stroke-width="6"')
    if rank == "J":
        return path("M178,176 V52 l8,-14 8,14 h-16", third, 'stroke="#222" stroke-width="3"')
    petals = "".join(
        f'<circle cx="{176 + 9 * math.cos(a):.1f}" cy="{96 + 9 * math.sin(a):.1f}" r="6.5" fill="{first}" {LINE}/>'
        for a in (i * math.tau / 5 for i in range(5))
    )
    stem = path("M176,96 Q170,140 160,170", "none", 'stroke="#2c7a3f" stroke-width="4"')
    return f'{stem}{petals}<circle cx="176" cy="96" r="5" fill="{third}"/>'


def _hair(rank: str) -> str:
    """Behind the face."""
    low = {"J": 112, "Q": 134, "K": 118}[rank]
    return path(f"M98,{low} Q92,60 125,58 Q158,60 152,{low} L144,{low} L106,{low}Z", "#6b4a2c")


def _headdress(rank: str, style: Style) -> str:
    """Crown, coronet or feathered cap."""
    first, second, third = style.robe
    if rank == "K":
        band = path("M98,66 h54", "none", f'stroke="{first}" stroke-width="5"')
        return path("M98,72 L94,40 L110,56 L125,36 L140,56 L156,40 L152,72Z", third) + band
    if rank == "Q":
        tops = ((102, 52), (125, 42), (148, 52))
        pearls = "".join(f'<circle cx="{x}" cy="{y}" r="4" fill="#fff" {LINE}/>' for x, y in tops)
        return path("M100,70 Q102,54 102,52 Q114,64 125,44 Q136,64 148,52 Q148,54 150,70Z", third) + pearls
    cap = path("M96,72 Q98,46 128,44 Q156,46 154,72Z", first)
    return cap + path("M150,60 Q176,44 166,36 Q148,36 144,58Z", second)


def backs() -> dict[str, str]:
    """Four backs by name."""
    diamonds = "".join(
        f'<path d="M{x},{y - 12} l9,12 l-9,12 l-9,-12Z" fill="{"#f4e3c1" if (x // 18 + y // 24) % 2 else "#c8963e"}"/>'
        for y in range(20, 340, 24)
        for x in range(26, 236, 18)
    )
    scales = "".join(
        f'<circle cx="{x + (y // 14 % 2) * 14}" cy="{y}" r="14" fill="#e9f1f2" stroke="#2a6f80" stroke-width="4"/>'
        for y in range(336, 4, -14)
        for x in range(14, 244, 28)
    )
    rosette = "".join(
        f'<ellipse cx="125" cy="175" rx="{28 + 10 * ring}" ry="{70 + 14 * ring}" fill="none" stroke="#f6d6d6" '
        f'stroke-width="2" transform="rotate({turn} 125 175)"/>'
        for ring in range(4)
        for turn in range(0, 180, 15)
    )
    plaid = "".join(
        f'<path d="M{-380 + i * 22},0 l350,350 M{630 - i * 22},0 l-350,350" stroke="{c}" stroke-width="{w}"/>'
        for i in range(30)
        for c, w in (("#2f7d4f", 7), ("#e8e2c8", 1.5))
    )
    return {
        "lattice": _back("#7a1f2b", diamonds),
        "scales": _back("#2a6f80", scales),
        "rosette": _back("#8d1c3a", rosette),
        "plaid": _back("#f7f4e8", plaid),
    }


def _back(ground: str, pattern: str) -> str:
    """A pattern inside a white border."""
    clip = '<clipPath id="b"><rect x="14" y="14" width="222" height="322" rx="8"/></clipPath>'
    field = f'<rect x="14" y="14" width="222" height="322" rx="8" fill="{ground}"/>'
    return _page(f'<rect width="250" height="350" fill="#fdfcf7"/>{clip}{field}<g clip-path="url(#b)">{pattern}</g>')


def write(svg: str, target: Path) -> None:
    """The drawing as a PNG 500 pixels wide."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(suffix=".svg") as file:
        file.write(svg.encode())
        file.flush()
        subprocess.run(["rsvg-convert", "-w", "500", file.name, "-o", str(target)], check=True)


def main(folder: Path) -> None:
    """Both decks and the backs below `folder`."""
    for style in (HARBOUR, MEADOW):
        for rank in RANKS:
            for suit in SUITS:
                write(card(rank + suit, style), folder / style.name / f"{rank}{suit}.png")
    for name, svg in backs().items():
        write(svg, folder / "backs" / f"{name}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

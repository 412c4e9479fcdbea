"""The four suits: shapes as SVG paths of our own, each in a box of 100 by 100, and signs as text."""

_DISC = "M{x} {y}m-{r} 0a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z"


def _disc(x: int, y: int, r: int) -> str:
    return _DISC.format(x=x, y=y, r=r, d=2 * r)


SHAPES = {
    "H": "M50 94C44 84 8 60 8 31C8 15 19 6 31 6C40 6 47 12 50 21C53 12 60 6 69 6C81 6 92 15 92 31C92 60 56 84 50 94Z",
    "D": "M50 3C58 20 70 36 86 50C70 64 58 80 50 97C42 80 30 64 14 50C30 36 42 20 50 3Z",
    "S": "M50 4C56 22 92 40 92 63C92 76 82 84 72 84C63 84 57 79 54 72C55 83 59 90 67 96H33C41 90 45 83 46 72"
    "C43 79 37 84 28 84C18 84 8 76 8 63C8 40 44 22 50 4Z",
    "C": _disc(50, 27, 22)
    + _disc(28, 59, 22)
    + _disc(72, 59, 22)
    + "M44 36L40 60H46C45 80 40 90 32 96H68C60 90 55 80 54 60H60L56 36Z",
}

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def suit_shape(suit: str, colour: str, name: str = "") -> str:
    """The path of a suit (`S H D C`) filled with a colour."""
    return f'<path class="suit {name}" d="{SHAPES[suit]}" fill="{colour}"/>'

"""The parts of a page that change: each is sent only to whoever does not show it already."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from companion_app.stamps import stamp_of

HEADER = "x-parts"
"""Names the parts that a page shows, each with its stamp: `board=1f2e3d4c,said=…`. Only others are sent back."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one page as it is filled. ``shown``: the stamps of those that need not be sent; ``names``: all that
    it has, in their order."""

    shown: Mapping[str, str] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)


def parts_shown(header: str) -> dict[str, str]:
    """The stamps of the parts that a header says are shown; what is no part there is passed over."""
    pairs = (each.partition("=") for each in header.split(","))
    return {name.strip(): stamp.strip() for name, _, stamp in pairs if stamp}


@pass_context
def part(context: Context, body: str, name: str) -> Markup:
    """The text of a part, with its stamp on the element that carries its name; nothing where it is shown already."""
    parts: Parts = context["parts"]
    parts.names.append(name)
    stamp = stamp_of(body.encode())
    if parts.shown.get(name) == stamp:
        return Markup()
    mark = f'data-part="{name}"'
    return Markup(str(body).replace(mark, f'{mark} data-stamp="{stamp}"', 1))

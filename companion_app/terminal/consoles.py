"""What is written to the terminal: in signs that it has, and without control characters that somebody else chose."""

import codecs
import json
import re
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleRenderable, RenderHook
from rich.text import Text

PLAIN_ERRORS = "cardtable-plain"
PLAIN = {
    "♠": "S", "♥": "H", "♦": "D", "♣": "C", "✓": "v", "✕": "x", "×": "x", "·": ".", "•": "*", "»": ">", "…": "...",
    "–": "-", "—": "-", "−": "-", "≠": "!=", "“": '"', "”": '"', "„": '"', "’": "'", "‘": "'", "\u00a0": " ",
    "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "─": "-", "│": "|", "╭": "+", "╮": "+", "╰": "+",
    "«": '"', "→": "->", "╯": "+", "━": "-", "╸": "-", "╺": "-",
}  # fmt: skip
"""How a sign is written where the terminal has not got it."""

CONTROL_PICTURES = 0x2400
SPACE, DELETE = 0x20, 0x7F
LEFT_ALONE = "\n\t"
# What a terminal may take for an order, or cannot take at all.
_RISKY = re.compile("[\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def prepare_streams() -> None:
    """Make the standard streams write plain letters for signs that they cannot encode."""
    codecs.register_error(PLAIN_ERRORS, _plainly)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=PLAIN_ERRORS)


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """The error handler: every sign that cannot be encoded as its plain form, a letter without its accent, or `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain_sign, error.object[error.start : error.end])), error.end


def plain_sign(sign: str) -> str:
    """A sign in ASCII."""
    bare = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode("ascii")
    return PLAIN.get(sign) or bare or "?"


def harmless(text: str) -> str:
    """A text with a picture in place of each control character: sign for sign, so that nothing moves."""
    return text if text.isprintable() else "".join(map(_harmless_sign, text))


def _harmless_sign(sign: str) -> str:
    if sign in LEFT_ALONE or unicodedata.category(sign) not in ("Cc", "Cf", "Cs"):
        return sign
    return chr(CONTROL_PICTURES + ord(sign)) if ord(sign) < SPACE else "\ufffd"


def json_line(data: dict[str, Any]) -> str:
    """An object as one line of JSON that the standard output can take, whatever texts it holds."""
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8", "surrogatepass")
    except (UnicodeError, LookupError):
        return json.dumps(data)
    return _RISKY.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


class _Harmless(RenderHook):
    """Takes control characters out of whatever a console prints; its own come later."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """The same, harmless."""
        for text in _texts(renderables):
            text.plain = harmless(text.plain)
        return renderables


def _texts(renderables: Iterable[object]) -> Iterable[Text]:
    return (found for found in renderables if isinstance(found, Text))


class PeopleConsole(Console):
    """A console for people: what others named, such as files, cannot give it orders; it ends quietly when nobody reads
    on."""

    def on_broken_pipe(self) -> None:
        """Who read has seen enough."""
        raise BrokenPipeError


def people_console(*, stderr: bool = False) -> Console:
    """A console for the standard output, or for messages."""
    console = PeopleConsole(stderr=stderr, highlight=False, soft_wrap=True)
    console.push_render_hook(_Harmless())
    return console

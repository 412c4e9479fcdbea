"""Positions for the commands that take a picture or a position."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from companion_app.commands.base import Output
from companion_app.languages import Language
from companion_app.sources import Source, sources

if TYPE_CHECKING:
    from rules.catalogue import Game
    from rules.fault import Fault
    from rules.looks import Position


@dataclass(frozen=True, slots=True)
class Seen:
    """A position, its places in doubt, those that hold a card of no deck, and what is wrong with the cards beside the
    layout (none of these where it was given as a text)."""

    position: "Position"
    doubts: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    beside: tuple["Fault", ...] = ()


def position_of(source: Source, game: "Game", language: Language) -> Seen:
    """The position of a source; raises what is wrong with it."""
    from companion_app.beside import beside_faults
    from companion_app.tables.compose import compose, read_as
    from companion_app.wiring import eyes
    from rules.looks import position_from_json

    if source.trouble:
        raise source.trouble
    if source.position is not None:
        return Seen(position_from_json(source.position, game))
    look = compose(read_as(eyes(), source.picture or b"", game.layout), game)
    if look.position is None:
        from companion_app.errors import unreadable

        raise unreadable("no-layout", language)
    return Seen(look.position, look.doubts, look.reading.foreign, beside_faults(look.reading, look.pins))


def each(subjects: Sequence[str], out: Output, work: Callable[[Source], None], title: str = "") -> None:
    """Do the work of every picture and position given, whatever comes of the others, and end the command. How far it
    has come is shown where there are several, or one takes so long that it has a `title`."""
    shown = out.progress(title, len(subjects)) if title or len(subjects) > 1 else nullcontext(lambda count: None)
    with shown as done:
        for source in sources(subjects, out.language):
            out.attempt(partial(work, source), source={"file": source.name})
            done(1)
    out.end()

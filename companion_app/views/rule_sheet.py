"""The rules of a game on one sheet to be printed: how it is laid, how it is played, when it is won, how it is scored.

Every sentence follows from the game's options, so a house rule changes the sheet with the game.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion_app.drawing.drawing import draw_position
from companion_app.languages import Language
from companion_app.views.game_view import option_phrase
from rules.cards import Rank
from rules.catalogue import Game
from rules.families import family_of
from rules.scoring import PAR_PASSES
from rules.simulation import deal_of

WEB = Path(str(files("companion_app") / "web"))
EXAMPLE_SEED = 1
LETTERED = "system-ui, sans-serif"
"""What the drawing is written in, for no style sheet reaches into a picture."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence, and whether it is our reading of what the sources leave open."""

    text: str
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the sheet."""

    title: str
    lines: tuple[Line, ...]


def sheet(game: Game, spoken: Language, *, is_served: bool = False) -> str:
    """The sheet as one page of HTML that needs no other file; as the server sends it (``is_served``) with a link to the
    style sheet, and back."""
    writer = _Writer(game, spoken)
    style = (WEB / "static" / "sheet.css").read_text(encoding="utf-8")
    changed = [option_phrase(spoken, name, game.rules.to_json()[name]) for name in game.changed]
    return (
        _templates()
        .get_template("sheet.html")
        .render(
            lang=spoken,
            say=spoken.say,
            game=game,
            name=game.names[spoken.code],
            sections=writer.sections(),
            changed=changed,
            picture=drawn_deal(game),
            piles=writer.piles(),
            source=writer.source(),
            has_ours=any(line.is_ours for section in writer.sections() for line in section.lines),
            style="" if is_served else style,
            is_served=is_served,
        )
    )


def drawn_deal(game: Game) -> str:
    """A deal of the game as its player sees it, as the address of a picture that carries itself."""
    view = family_of(game).show(deal_of(game, EXAMPLE_SEED), game).to_json()
    drawing = draw_position(view).replace("<svg ", f'<svg font-family="{LETTERED}" ', 1)
    return f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(WEB / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


class _Writer:
    """Says the rules of one game in one language."""

    def __init__(self, game: Game, spoken: Language) -> None:
        self._game, self._spoken = game, spoken

    def sections(self) -> tuple[Section, ...]:
        family = (_goal, _laying, _playing, _ending, _scoring)
        if self._game.family == "rows":
            family = (_row_goal, _row_laying, _row_playing, _row_ending, _row_scoring)
        titles = ("goal", "laying", "playing", "ending", "scoring")
        return tuple(
            Section(self._spoken.say(f"sheet.{title}"), tuple(self._line(*part) for part in parts(self._game)))
            for title, parts in zip(titles, family, strict=True)
        )

    def piles(self) -> str:
        """What lies below a pyramid, from the left."""
        names = ("stock", "waste", "foundation") if self._game.family == "pyramid" else ()
        return ", ".join(self._spoken.place(name) for name in names)

    def source(self) -> str:
        """Which texts the rules follow."""
        code = self._game.source.split(",")[0]
        key = "sheet.source.name-only" if "(" in self._game.source else f"sheet.source.{code}"
        return self._spoken.say(key)

    def _line(self, key: str, values: dict[str, Any], option: str = "") -> Line:
        is_ours = option in self._game.our_reading and option not in self._game.changed
        return Line(self._spoken.say(key, **values), is_ours)


Part = tuple[str, dict[str, Any], str]
"""A sentence by its key, its values, and the option it rests on."""


def _said(key: str, option: str = "", **values: Any) -> Part:
    return key, values, option


def _goal(game: Game) -> Iterator[Part]:
    yield _said(f"sheet.goal.{game.options.goal}")


def _laying(game: Game) -> Iterator[Part]:
    options = game.options
    count = len(options.deck)
    if options.total == Rank.KING:
        yield _said("sheet.deck.whole", n=count - options.jokers)
    else:
        yield _said("sheet.deck.part", n=count - options.jokers, highest=options.total)
    if options.jokers:
        yield _said("sheet.deck.jokers", "jokers", n=options.jokers)
    yield _said("sheet.rows", "rows", rows=options.rows, n=options.pyramid_size)
    yield _said("sheet.face.either" if game.either_face else f"sheet.face.{options.face}", "face")
    if options.apex is not None:
        yield _said("sheet.apex")
    yield _said("sheet.stock", n=options.stock_size)


def _playing(game: Game) -> Iterator[Part]:
    options = game.options
    yield _said("sheet.free")
    yield _said("sheet.pair", total=options.total)
    if options.total > Rank.TEN:
        yield _said("sheet.worth")
    yield _said("sheet.single", total=options.total)
    if options.overlap:
        yield _said("sheet.overlap", "overlap")
    if options.jokers:
        yield _said("sheet.jokers", "jokers", total=options.total)
    yield _said(f"sheet.draw.{options.draw}", "draw")
    if options.draw == 1:
        yield _said(f"sheet.turned.{options.turned}", "turned")
    yield _said(f"sheet.turn_when.{options.turn_when}", "turn_when")
    passes = options.passes
    key = "unlimited" if passes is None else "one" if passes == 1 else "several"
    yield _said(f"sheet.passes.{key}", "passes", n=passes or 0)
    yield _said("sheet.last-turned")


def _ending(game: Game) -> Iterator[Part]:
    yield _said(f"sheet.won.{game.options.goal}")
    yield _said("sheet.lost", "lost_when")
    if game.ends_after_idle_pass:
        yield _said("sheet.idle")


def _scoring(game: Game) -> Iterator[Part]:
    yield _said(f"sheet.score.left.{game.options.goal}")
    yield _said("sheet.score.points")
    if game.options.passes == PAR_PASSES:
        yield _said("sheet.score.par")


def _row_goal(game: Game) -> Iterator[Part]:
    yield _said("sheet.rows.goal")


def _row_laying(game: Game) -> Iterator[Part]:
    options = game.row_options
    yield _said(f"sheet.rows.laid.{options.layout}")
    if options.bases == "rank":
        yield _said("sheet.rows.bases.first" if options.rank_card == 1 else "sheet.rows.bases.nth", n=options.rank_card)
        if options.rank_card > 1:
            yield _said("sheet.rows.first-five", "first_five", n=options.rank_card - 1)
    else:
        yield _said(f"sheet.rows.bases.{options.bases}")
    if options.cellar:
        yield _said("sheet.rows.cellar-lies")


def _row_playing(game: Game) -> Iterator[Part]:
    options, shape = game.row_options, game.row_options.shape
    yield _said(f"sheet.rows.direction.{options.direction_chosen}", "direction_chosen")
    yield _said("sheet.rows.corner")
    yield _said("sheet.rows.end", "playable_end")
    yield _said("sheet.rows.build")
    yield _said("sheet.rows.round" if options.round_the_corner else "sheet.rows.not-round", "round_the_corner")
    if shape.auxiliary:
        key = "sheet.rows.onto-auxiliary" if options.build_on_auxiliary else "sheet.rows.not-onto-auxiliary"
        yield _said(key, "build_on_auxiliary")
    yield _said("sheet.rows.empty-some" if shape.auxiliary and not options.refill_auxiliary else "sheet.rows.empty-all")
    if options.cellar:
        yield _said("sheet.rows.cellar")
    if shape.column:
        yield _said("sheet.rows.columns")
        yield _said(
            "sheet.rows.onto-columns" if options.build_on_columns else "sheet.rows.not-onto-columns", "build_on_columns"
        )
    if options.bases == "centre":
        yield _said("sheet.rows.free", "free_cards")
        yield _said("sheet.rows.new-base", "new_base")


def _row_ending(game: Game) -> Iterator[Part]:
    yield _said("sheet.rows.won")
    yield _said("sheet.rows.lost")


def _row_scoring(game: Game) -> Iterator[Part]:
    yield _said("sheet.rows.score")

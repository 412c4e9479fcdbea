"""The pages: a template each, filled with what the view of a table says."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import segno
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from companion_app.decks.deck_answer import deck_answer, draft_view, figures_phrase
from companion_app.drawing.suits import SIGNS
from companion_app.hints.preparing import Preparation
from companion_app.languages import CODES, Language, language
from companion_app.library.store import KeptGame
from companion_app.stamps import stamp_of
from companion_app.tables.following import record_of
from companion_app.tables.games import games_beside
from companion_app.tables.spread_table import Spread
from companion_app.tables.table import WAYS, Table
from companion_app.tables.trying import Asked
from companion_app.views.links import SentPosition
from companion_app.views.parts import Parts, part
from companion_app.views.refused_view import refused_view, table_corners
from companion_app.views.replay import Step
from companion_app.views.samples import shown_samples
from companion_app.views.spread_view import spread_view
from companion_app.views.trying_view import Advise, trying_view
from companion_app.views.view import Wanted, view_of
from rules.cards import Card, Rank, Suit
from rules.catalogue import GAMES, Game

if TYPE_CHECKING:
    from companion_app.decks.deck_drafts import Draft
    from companion_app.desk.refused import Refused
    from companion_app.serving.pairing import Device
    from vision.decks.profile import Profile

NOT_ALLOWED = 403


class Pages:
    """Fills the templates of a folder."""

    def __init__(
        self,
        folder: Path,
        preparation: Preparation,
        *,
        has_decks: bool = False,
        has_guests: bool = False,
        keeps: bool = False,
    ) -> None:
        """keeps: games are kept, and scores with them."""
        self._preparation = preparation
        self._has_decks, self._has_guests, self._keeps = has_decks, has_guests, keeps
        self._languages = [(code, language(code).say("language.name")) for code in CODES]
        self._templates = Environment(
            loader=FileSystemLoader([folder, folder.parent / "static"]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        # A phone gives every picture the same name: only the content tells two apart.
        self._templates.filters |= {"stamp": stamp_of, "part": part}

    def start(
        self, spoken: Language, kept: Iterable[KeptGame] = (), trouble: str = "", sent: SentPosition | None = None
    ) -> HTMLResponse:
        """The start page: a picture, the camera, a sample, or a position text; the games kept, or why there are none
        to be seen; and the position that a link sends."""
        listed = [_listed(spoken, game) for game in kept]
        return self._fill(
            "start.html",
            spoken,
            path=sent.address if sent else "/",
            sent=sent,
            samples=shown_samples(),
            ways=WAYS,
            games=game_names(spoken),
            kept=listed,
            trouble=trouble,
        )

    def table(
        self,
        spoken: Language,
        table: Table,
        wanted: Wanted,
        unkept: str = "",
        refused: str = "",
        shown: Mapping[str, str] | None = None,
    ) -> HTMLResponse:
        """A table, with what is `wanted` of it; why it is not kept, and why no hint can be given, if that is so. shown:
        the stamps of the parts that need not be sent again."""
        return self._fill(
            "table.html",
            spoken,
            path=f"/tables/{table.id}",
            unkept=unkept,
            shown=shown,
            games=game_names(spoken, games_beside(table.game)),
            corners=table_corners(spoken, table),
            **view_of(spoken, table, wanted, refused),
        )

    def trying(
        self,
        spoken: Language,
        table: Table,
        line: tuple[Asked, str, Advise | None],
        shown: Mapping[str, str] | None = None,
    ) -> HTMLResponse:
        """A line tried over a table: what is asked of it, what it was begun over, and what finds a hint. shown: as of a
        table."""
        view = trying_view(spoken, table, *line)
        name = table.game.names[spoken.code]
        return self._fill("try.html", spoken, path=f"/tables/{table.id}/try", shown=shown, game_name=name, **view)

    def game(self, spoken: Language, table: Table, looks: Sequence[Step]) -> HTMLResponse:
        """A whole game as one page that needs no other file, to be saved."""
        name, record = table.game.names[spoken.code], record_of(table.game_so_far())
        page = self._fill("saved.html", spoken, path=f"/tables/{table.id}", title=name, steps=looks, record=record)
        page.headers["content-disposition"] = f'attachment; filename="{table.game.id}.html"'
        return page

    def spread(
        self, spoken: Language, spread: Spread, place: str | None, shown: Mapping[str, str] | None = None
    ) -> HTMLResponse:
        """Cards without a layout; with a place, the chooser for the card that lies there. shown: as of a table."""
        view = spread_view(spoken, spread, place)
        return self._fill("spread.html", spoken, path=f"/tables/{spread.id}", shown=shown, **view)

    def decks(
        self, spoken: Language, decks: Sequence["Profile"], chosen: str, drafts: Sequence["Draft"]
    ) -> HTMLResponse:
        """The decks taught, the one chosen, and those of which some cards were shown."""
        listed = [{"name": deck.name, "figures": figures_phrase(spoken, deck_answer(deck))} for deck in decks]
        return self._fill(
            "decks.html",
            spoken,
            path="/decks",
            decks=listed,
            chosen=chosen,
            drafts=[draft_view(d) for d in drafts],
            signs=SIGNS,
            ranks=[str(Card(rank, Suit.SPADES))[:-1] for rank in Rank],
        )

    def devices(
        self, spoken: Language, invitation: str, devices: Sequence["Device"], shown: Mapping[str, str]
    ) -> HTMLResponse:
        """The devices let in, and the code that lets in one more; no code where none is to be shown."""
        code = segno.make(invitation, error="m").svg_inline(scale=6, border=3, light="#fff") if invitation else ""
        values = {"invitation": invitation, "code": code, "devices": devices}
        return self._fill("devices.html", spoken, path="/devices", shown=shown, **values)

    def pair(self, spoken: Language) -> HTMLResponse:
        """What a device sees that is not let in."""
        return self._fill("pair.html", spoken, NOT_ALLOWED, path="/")

    def refused(self, spoken: Language, refused: "Refused", status: int = 200) -> HTMLResponse:
        """A picture that could not be read: why, and what to try."""
        view = refused_view(spoken, refused)
        return self._fill("refused.html", spoken, status, path=f"/refused/{refused.id}", **view)

    def trouble(self, spoken: Language, status: int, message: str) -> HTMLResponse:
        """A page that says what went wrong and what to do."""
        return self._fill("trouble.html", spoken, status, path="/", message=message)

    def fill(self, name: str, spoken: Language, path: str, **values: Any) -> HTMLResponse:
        """A page of its own by its template; `path` is where it is found."""
        return self._fill(name, spoken, path=path, **values)

    def _fill(
        self, name: str, spoken: Language, status: int = 200, shown: Mapping[str, str] | None = None, **values: Any
    ) -> HTMLResponse:
        text = self._templates.get_template(name).render(
            lang=spoken,
            say=spoken.say,
            count=spoken.count,
            languages=self._languages,
            raw=Markup,
            has_decks=self._has_decks,
            has_guests=self._has_guests,
            keeps=self._keeps,
            preparing=self._preparation.compiling,
            parts=Parts(shown or {}),
            frame="parts.html" if shown else "base.html",
            **values,
        )
        return HTMLResponse(text, status, headers={"content-language": spoken.code, "cache-control": "no-store"})


def _listed(spoken: Language, game: KeptGame) -> dict[str, str]:
    name = GAMES[game.game].names[spoken.code] if game.game in GAMES else game.game
    return {
        "id": game.id,
        "name": name,
        "when": spoken.moment(game.at.astimezone()),
        "at": game.at.isoformat(),
        "looks": spoken.count("games.looks", game.looks),
        "proposed": spoken.say("ending.proposed") if game.is_proposed else "",
    }


def game_names(spoken: Language, games: Iterable[Game] = GAMES.values()) -> list[tuple[str, str, str]]:
    """Id, name and one line of rules of some games, or of all."""
    return [(game.id, game.names[spoken.code], game.summary[spoken.code]) for game in games]

"""Tables of row games as a reader gives them, and what the page answers about them."""

import html
import json
import re
from collections.abc import Callable
from random import Random

import httpx

from rules.catalogue import ROW_GAMES
from rules.rows.dealing import random_deal
from rules.rows.legality import legal_moves, play
from rules.rows.moves import RowMove, direction
from rules.rows.position import RowPosition
from tests.companion_app.fakes import picture_bytes, row_reading
from vision.reading import TableReading

Serve = Callable[..., httpx.Client]
GAMES = list(ROW_GAMES)
PICTURE = {"picture": ("table.jpg", picture_bytes(), "image/jpeg")}


def deal(game_id: str, seed: int = 9) -> RowPosition:
    """A fresh deal with everything known, going up."""
    game = ROW_GAMES[game_id]
    found = random_deal(game, Random(seed))
    return found if found.direction else play(found, direction("up"), game)


def a_move(position: RowPosition, game_id: str, *kinds: str) -> RowMove:
    """The first legal move of these kinds."""
    return next(move for move in legal_moves(position, ROW_GAMES[game_id]) if move.kind in kinds)


def after(position: RowPosition, game_id: str, *kinds: str) -> RowPosition:
    return play(position, a_move(position, game_id, *kinds), ROW_GAMES[game_id])


def seen(position: RowPosition, game_id: str, doubts: tuple[str, ...] = ()) -> TableReading:
    return row_reading(position, ROW_GAMES[game_id].layout, doubts)


def opened(client: httpx.Client, **fields: str) -> tuple[str, str]:
    """The path and the page of a picture just opened."""
    page = client.post("/tables", data=fields, files=PICTURE)
    assert page.status_code == 200, page.text
    return page.url.path, html.unescape(page.text)


def shown(client: httpx.Client, path: str, action: str, **fields: str) -> str:
    """The page after an action; a picture goes with those that need one."""
    files = PICTURE if action in ("next", "watched") else None
    page = client.post(f"{path}/{action}", data=fields, files=files)
    assert page.status_code == 200, page.text
    return html.unescape(page.text)


def codes(page: str) -> dict[str, object]:
    """The position text of a page."""
    return dict(json.loads(re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL).group(1)))  # type: ignore[union-attr]


def asked(page: str) -> list[str]:
    return re.findall(r'<button class="choice" id="which-[^"]*" name="game" value="([^"]*)"', page)

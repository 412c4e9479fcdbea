"""The library: all games that are kept, as the page lists them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from companion_app.languages import Language
from companion_app.library.archive import MOST_NOTE, PlayedGame
from companion_app.views.game_view import option_phrase
from companion_app.views.statistics_view import when
from rules.catalogue import GAMES

Which = Literal["all", "ended", "play", "proposed"]
WHICH: tuple[Which, ...] = ("all", "ended", "play", "proposed")
A_PAGE = 40
"""Games on one page of the list."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games are to be listed: of one game or of all (""), ended, in play or not confirmed; and which page of the
    list."""

    game: str = ""
    which: Which = "all"
    page: int = 1

    @classmethod
    def of(cls, game: str, which: str, page: str) -> "Wanted":
        """What an address asks for; whatever it does not say well is not asked for."""
        number = int(page) if page.isdecimal() and len(page) < 6 else 1
        return cls(game if game in GAMES else "", next((one for one in WHICH if one == which), "all"), max(1, number))

    def fits(self, game: PlayedGame) -> bool:
        """Whether a game is to be listed."""
        stands = game.ending if game.ending in ("play", "proposed") else "ended"
        return self.game in ("", game.game) and self.which in ("all", stands)


def library_view(spoken: Language, games: Sequence[PlayedGame], wanted: Wanted) -> dict[str, Any]:
    """The page of the library: the games wanted, the newest first, and what can be asked for. A table on which several
    deals were played is listed once, as the newest of them."""
    newest = [game for game in games if game.is_newest]
    found = [game for game in newest if wanted.fits(game)]
    last = max(1, -(-len(found) // A_PAGE))
    page = min(wanted.page, last)
    deals = {game.id: sum(other.id == game.id for other in games) for game in newest}
    there = {game.game for game in newest}
    return {
        "wanted": wanted,
        "all": len(newest),
        "found": len(found),
        "page": page,
        "last": last,
        "choices": [(game.id, game.names[spoken.code]) for game in GAMES.values() if game.id in there],
        "which": WHICH,
        "most_note": MOST_NOTE,
        "games": [listed(spoken, game, deals[game.id]) for game in found[(page - 1) * A_PAGE : page * A_PAGE]],
    }


def listed(spoken: Language, game: PlayedGame, deals: int = 1) -> Mapping[str, Any]:
    """One game of the list."""
    stands = game.stands
    changed = stands.game.changed if stands else ()
    rules = stands.game.rules.to_json() if stands else {}
    facts = [ending_phrase(spoken, game), help_phrase(spoken, game)]
    if stands is not None:
        facts += [f"{spoken.say('library.moves')}: {stands.moves}"]
        whole = {} if stands.is_middle else stands.scores
        facts += [f"{spoken.say('library.score.' + name)}: {score}" for name, score in whole.items()]
        facts += [spoken.say("library.middle")] if stands.is_middle else []
        facts += [spoken.count("library.in-doubt", game.in_doubt)] if game.in_doubt else []
    facts += [f"{spoken.say('library.deals')}: {deals}"] if deals > 1 else []
    return {
        "id": game.id,
        "name": GAMES[game.game].names[spoken.code] if game.game in GAMES else game.game,
        "when": when(spoken, game.at),
        "at": game.at.isoformat(),
        "ending": game.ending,
        "rules": [option_phrase(spoken, name, rules[name]) for name in changed],
        "facts": facts,
        "looks": spoken.count("games.looks", game.looks),
        "note": game.note,
        "small": f"/games/{game.id}/{game.picture}/small.jpg" if game.picture else f"/games/{game.id}/board.svg",
    }


def ending_phrase(spoken: Language, game: PlayedGame) -> str:
    """How a game ended, with the cards left where it was not won."""
    if game.stands is None:
        return spoken.say("library.unread")
    text, left = spoken.say(f"ending.{game.ending}"), game.stands.left
    if game.ending == "won" or left is None:
        return text
    return f"{text}, {spoken.say('library.cards-left')}: {left}"


def help_phrase(spoken: Language, game: PlayedGame) -> str:
    """With how much help a game was played: at how many of its states, and the highest step."""
    if not game.aids:
        return spoken.say("aids.none")
    times, step = len(game.aids), max(aid.step for aid in game.aids)
    return f"{spoken.say('aids.used')}: {times} ×, {spoken.say('aids.most')} {spoken.say(f'hint.step.{step}')}"

"""The catalogue: every game as data.

Sources: the Finnish text "Pyramidi pasianssi", the Norwegian "Avslappet Pyramide kabal" and the English "Pyramid" with
"Adjusting the difficulty". ``our_reading`` names the options whose value the sources leave open, so that the game's
explanation can say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from rules.cards import Card
from rules.errors import UnknownGameError
from rules.options import OPTION_VALUES, Options, parse_options
from rules.texts import NAMES, SUMMARIES

LANGUAGES: Final = ("en", "fi", "pl", "nb")


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the catalogue, or one with options changed by the player (see ``changed``).

    ``either_face``: the pyramid may be laid face up or face down alike. ``ends_after_idle_pass``: the game ends after
    a full pass in which no stock card was played; that never takes a win away, for such a pass leaves the stock alike.
    """

    id: str
    family: str
    source: str
    names: Mapping[str, str]
    summary: Mapping[str, str]
    options: Options
    our_reading: tuple[str, ...] = ()
    either_face: bool = False
    ends_after_idle_pass: bool = False
    changed: tuple[str, ...] = ()

    @property
    def layout(self) -> str:
        """The id of the layout, such as ``pyramid-7``; it follows the rows option."""
        return f"pyramid-{self.options.rows}"

    def with_rules(self, rules: Mapping[str, str]) -> Game:
        """This game under the player's options (texts as in ``--rule``); raises RuleError saying what does not fit."""
        if not rules:
            return self
        options = replace(self.options, **parse_options(rules))
        either_face = self.either_face and "face" not in rules
        changed = tuple(name for name in OPTION_VALUES if name in rules or name in self.changed)
        return replace(self, options=options, either_face=either_face, changed=changed)

    def to_json(self) -> dict[str, Any]:
        """The game as ``cardtable games`` prints it."""
        return {
            "id": self.id,
            "family": self.family,
            "layout": self.layout,
            "source": self.source,
            "names": dict(self.names),
            "summary": dict(self.summary),
            "options": self.options.to_json(),
            "values": {name: list(values) for name, values in OPTION_VALUES.items()},
            "our_reading": list(self.our_reading),
        }


def _game(
    game_id: str,
    source: str,
    options: Options,
    our_reading: tuple[str, ...] = (),
    *,
    either_face: bool = False,
    ends_after_idle_pass: bool = False,
) -> Game:
    return Game(
        id=game_id,
        family="pyramid",
        source=source,
        names=MappingProxyType(NAMES[game_id]),
        summary=MappingProxyType(SUMMARIES[game_id]),
        options=options,
        our_reading=("turn_when", *our_reading),
        either_face=either_face,
        ends_after_idle_pass=ends_after_idle_pass,
    )


_FINNISH: Final = Options(face="down", turned="held")

_ALL: Final = (
    _game("pyramid", "fi", _FINNISH),
    _game("king-tut", "fi", replace(_FINNISH, apex=Card.parse("KS")), ("face",), either_face=True),
    _game(
        "tuts-tomb",
        "fi, nb (name only)",
        Options(draw=3, passes=None, overlap=True),
        ("face", "turned", "draw", "passes", "overlap"),
    ),
    _game("relaxed-pyramid", "nb", Options()),
    _game("easy-pyramid", "nb", Options(passes=2)),
    _game("math-pyramid", "en", Options()),
    _game("math-pyramid-jokers", "en", Options(jokers=3), ("jokers",)),
    _game("math-pyramid-ten", "en", Options(total=10, rows=6)),
    _game("math-pyramid-nine", "en", Options(total=9, rows=6), ("rows",)),
    _game("math-pyramid-three", "en", Options(draw=3, passes=None), ends_after_idle_pass=True),
)

GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.id: game for game in _ALL})


def find_game(game_id: str, rules: Mapping[str, str] | None = None) -> Game:
    """The game of that id under those options; raises UnknownGameError or RuleError."""
    game = GAMES.get(game_id.strip().lower())
    if game is None:
        raise UnknownGameError(f"there is no game {game_id!r}; the games are {', '.join(GAMES)}")
    return game.with_rules(rules or {})

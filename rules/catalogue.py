"""The catalogue: every game as data.

Sources: the Finnish text "Pyramidi pasianssi", the Norwegian "Avslappet Pyramide kabal", the English "Pyramid" with
"Adjusting the difficulty", and the Polish "Arcydzieło", "Piwnica" and "Ulubiony". ``our_reading`` names the options and
other points that the sources leave open, so that the game's explanation can say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Literal

from rules.cards import Card
from rules.errors import RuleError, UnknownGameError
from rules.options import Options, parse_options
from rules.rows.options import RowOptions
from rules.texts import NAMES, SUMMARIES

LANGUAGES: Final = ("en", "fi", "pl", "nb")

FamilyId = Literal["pyramid", "rows"]

_NORWEGIAN: Final = "nb"


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the catalogue, or one with options changed by the player (see ``changed``).

    ``rules``: the options of its family. ``either_face``: the pyramid may be laid face up or face down alike.
    ``idle_pass_ends``: see ``ends_after_idle_pass``.
    """

    id: str
    source: str
    names: Mapping[str, str]
    summary: Mapping[str, str]
    rules: Options | RowOptions
    our_reading: tuple[str, ...] = ()
    either_face: bool = False
    idle_pass_ends: bool = False
    changed: tuple[str, ...] = ()

    @property
    def family(self) -> FamilyId:
        """Which family the game is of."""
        return "pyramid" if isinstance(self.rules, Options) else "rows"

    @property
    def options(self) -> Options:
        """The options of a pyramid game; raises RuleError for a game of the other family."""
        if isinstance(self.rules, Options):
            return self.rules
        raise RuleError(f"{self.id} is no game of the pyramid family", "no-pyramid-game", game=self.id)

    @property
    def row_options(self) -> RowOptions:
        """The options of a row game; raises RuleError for a game of the other family."""
        if isinstance(self.rules, RowOptions):
            return self.rules
        raise RuleError(f"{self.id} is no game of the row family")

    @property
    def layout(self) -> str:
        """The id of the layout, such as ``pyramid-7`` or ``rows-6``."""
        return self.rules.layout

    @property
    def ends_after_idle_pass(self) -> bool:
        """Whether a full pass in which no stock card was played ends the game: the waste may not be turned over then. A
        limit to the passes takes the place of this rule (our reading)."""
        return self.idle_pass_ends and isinstance(self.rules, Options) and self.rules.passes is None

    def with_rules(self, rules: Mapping[str, str]) -> Game:
        """This game under the player's options (texts as in ``--rule``); raises RuleError saying what does not fit."""
        if not rules:
            return self
        options = replace(self.rules, **parse_options(rules, self.rules.values))
        either_face = self.either_face and "face" not in rules
        changed = tuple(name for name in self.rules.values if name in rules or name in self.changed)
        return replace(self, rules=options, either_face=either_face, changed=changed)

    def to_json(self) -> dict[str, Any]:
        """The game as ``cardtable games`` prints it."""
        return {
            "id": self.id,
            "family": self.family,
            "layout": self.layout,
            "source": self.source,
            "names": dict(self.names),
            "summary": dict(self.summary),
            "options": self.rules.to_json(),
            "values": {name: list(values) for name, values in self.rules.values.items()},
            "our_reading": list(self.our_reading),
        }


def _game(
    game_id: str,
    source: str,
    rules: Options | RowOptions,
    our_reading: tuple[str, ...] = (),
    *,
    either_face: bool = False,
    idle_pass_ends: bool = False,
) -> Game:
    always: tuple[str, ...] = ("playable_end",)
    if isinstance(rules, Options):
        # The Norwegian text says itself when a game is lost.
        always = ("turn_when",) if source == _NORWEGIAN else ("turn_when", "lost_when")
    return Game(
        id=game_id,
        source=source,
        names=MappingProxyType(NAMES[game_id]),
        summary=MappingProxyType(SUMMARIES[game_id]),
        rules=rules,
        our_reading=(*always, *our_reading),
        either_face=either_face,
        idle_pass_ends=idle_pass_ends,
    )


_FINNISH: Final = Options(face="down", turned="held")

_PYRAMIDS: Final = (
    _game("pyramid", "fi", _FINNISH),
    _game("king-tut", "fi", replace(_FINNISH, apex=Card.parse("KS")), ("face",), either_face=True),
    _game(
        "tuts-tomb",
        "fi, nb (name only)",
        Options(draw=3, passes=None, overlap=True),
        ("face", "turned", "draw", "passes", "overlap"),
    ),
    _game("relaxed-pyramid", _NORWEGIAN, Options()),
    _game("easy-pyramid", _NORWEGIAN, Options(passes=2)),
    _game("math-pyramid", "en", Options()),
    _game("math-pyramid-jokers", "en", Options(jokers=3), ("jokers",)),
    _game("math-pyramid-ten", "en", Options(total=10, rows=6)),
    _game("math-pyramid-nine", "en", Options(total=9, rows=6), ("rows",)),
    _game("math-pyramid-three", "en", Options(draw=3, passes=None), idle_pass_ends=True),
)

_ROWS: Final = (
    _game(
        "arcydzielo",
        "pl",
        RowOptions(bases="aces", cellar=True, refill_auxiliary=False, round_the_corner=False),
        ("build_on_auxiliary", "round_the_corner"),
    ),
    _game("nowy-domator", "pl", RowOptions(rank_card=6), ("round_the_corner", "first_five")),
    _game("wiezniowie", "pl", RowOptions(), ("round_the_corner",)),
    _game("wiezniowie-12", "pl", RowOptions(layout="rows-6", build_on_auxiliary=False), ("round_the_corner",)),
    _game(
        "piwnica",
        "pl",
        RowOptions(bases="centre", cellar=True, refill_auxiliary=False, build_on_auxiliary=False),
        ("round_the_corner", "direction_chosen", "free_cards", "new_base"),
    ),
    _game(
        "ulubiony",
        "pl",
        RowOptions(layout="rows-columns", build_on_auxiliary=False, direction_chosen="before"),
        ("round_the_corner", "build_on_columns"),
    ),
)

GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.id: game for game in (*_PYRAMIDS, *_ROWS)})
PYRAMID_GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.id: game for game in _PYRAMIDS})
ROW_GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.id: game for game in _ROWS})


def find_game(game_id: str, rules: Mapping[str, str] | None = None) -> Game:
    """The game of that id under those options; raises UnknownGameError or RuleError."""
    game = GAMES.get(game_id.strip().lower())
    if game is None:
        games = ", ".join(GAMES)
        said = f"there is no game {game_id!r}; the games are {games}"
        raise UnknownGameError(said, "no-game", game=game_id, games=games)
    return game.with_rules(rules or {})

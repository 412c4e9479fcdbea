"""The game on the page: its rules, and where several fit the cards the question which it is, one tap each."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from companion_app.languages import Language
from companion_app.tables.games import by_rules
from companion_app.tables.table import Table
from companion_app.views.row_view import features
from rules.catalogue import GAMES, Game
from rules.errors import RuleError
from rules.options import OPTION_VALUES, Options

ALWAYS_TOLD = "passes"
SHOWN = ("total", "turned", "passes", "draw", "goal")


def game_view(spoken: Language, table: Table, asked: str = "") -> dict[str, Any]:
    """The game, and the house rules that can be chosen: its own, or those of a game `asked` about, with what differs
    from the catalogue's. In the form an empty value stands for the one that the game has: what a form sends are house
    rules, also together with another game."""
    game = table.game
    now = game.rules.to_json()
    changed = changed_names(game)
    told = features(spoken, game) if game.family == "rows" else []
    told += [option_phrase(spoken, name, now[name]) for name in SHOWN if name in now and name not in changed]
    return {
        "id": game.id,
        "name": game.names[spoken.code],
        "told": told,
        "changed": [option_phrase(spoken, name, now[name]) for name in changed],
        "offered": offered_view(spoken, GAMES[asked] if asked in GAMES and asked != game.id else game),
        "is_asked": asked in GAMES,
        "fits": [(fit, GAMES[fit].names[spoken.code]) for fit in table.fits if fit in GAMES],
        "most_stock": game.options.stock_size if game.family == "pyramid" else None,
        "most_pass": game.options.passes if game.family == "pyramid" else None,
    }


def offered_view(spoken: Language, game: Game) -> dict[str, Any]:
    """A game to be chosen: its rules in a line, and every house rule that it can have."""
    now: Mapping[str, Any] = game.rules.to_json()
    usual = GAMES[game.id].rules.to_json()
    changed = changed_names(game)
    options = [
        {
            "name": name,
            "label": option_label(spoken, game, name),
            "now": str(now[name]) if name in changed else "",
            "usual": value_phrase(spoken, usual[name]),
            "values": values,
        }
        for name in game.rules.values
        if (values := other_values(game, name)) and name not in ("rows",)
    ]
    return {"id": game.id, "summary": game.summary[spoken.code], "options": options, "sheet": sheet_address(game)}


def changed_names(game: Game) -> list[str]:
    """The options that have another value than the catalogue's."""
    now, usual = game.rules.to_json(), GAMES[game.id].rules.to_json()
    return [name for name in game.rules.values if now[name] != usual[name]]


def changed_rules(game: Game) -> dict[str, Any]:
    """The rules that were changed, with their values, as `with_rules` takes them."""
    now = game.rules.to_json()
    return {name: now[name] for name in game.changed}


def sheet_address(game: Game) -> str:
    """Where the sheet of a game is, with the rules that were changed."""
    changed = urlencode(changed_rules(game))
    return f"/games/{game.id}/sheet" + (f"?{changed}" if changed else "")


def other_values(game: Game, name: str) -> list[str]:
    """The values of an option beside the usual one, as far as they go with a row game at all; those of a pyramid game
    may hang together."""
    usual = GAMES[game.id]
    values = [value for value in game.rules.values[name] if value != str(usual.rules.to_json()[name])]
    if game.family == "pyramid":
        return values
    return [value for value in values if _goes_with(usual, name, value)]


def _goes_with(game: Game, name: str, value: str) -> bool:
    with suppress(RuleError):
        return bool(game.with_rules({name: value}))
    return False


def option_label(spoken: Language, game: Game, name: str) -> str:
    """The name of an option, marked where the value that the game has for it is our reading of the sources."""
    label = spoken.say(f"option.{name}")
    return (
        f"{label} ({spoken.say('games.our-reading')})"
        if name in game.our_reading and name not in game.changed
        else label
    )


def which_view(spoken: Language, table: Table) -> dict[str, Any] | None:
    """The games to choose from, each with what its rules have of their own; None where there is nothing to ask."""
    if not table.asked or table.is_won:
        return None
    groups = by_rules(table.asked)
    if table.game.family == "rows":
        return {"assumed": name_of(spoken, table), "games": [_choice(spoken, group, features) for group in groups]}
    told = {name: {str(group[0].options.to_json()[name]) for group in groups} for name in OPTION_VALUES}
    apart = [name for name, values in told.items() if len(values) > 1]
    return {
        "assumed": name_of(spoken, table),
        "games": [_choice(spoken, group, lambda spoken, game: own_rules(spoken, game, apart)) for group in groups],
    }


def _choice(spoken: Language, group: Sequence[Game], rules: Callable[[Language, Game], list[str]]) -> dict[str, str]:
    names = " / ".join(game.names[spoken.code] for game in group)
    return {"id": group[0].id, "name": names, "rules": ", ".join(rules(spoken, group[0]))}


def name_of(spoken: Language, table: Table) -> str:
    """The game assumed; those with the same rules are named with it."""
    alike = next((group for group in by_rules(table.asked) if table.game in group), [table.game])
    return " / ".join(game.names[spoken.code] for game in alike)


def own_rules(spoken: Language, game: Game, apart: list[str]) -> list[str]:
    """The rules by which the games are told apart, as this one has them: what is unusual, and the passes."""
    now, usual = game.options.to_json(), Options().to_json()
    free = {"face"} if game.either_face else set()
    unusual = [name for name in apart if (now[name] != usual[name] or name == ALWAYS_TOLD) and name not in free]
    return [option_phrase(spoken, name, now[name]) for name in unusual or apart]


def option_phrase(spoken: Language, name: str, value: object) -> str:
    """An option and its value, as a short label."""
    return f"{spoken.say(f'option.{name}')}: {value_phrase(spoken, value)}"


def value_phrase(spoken: Language, value: object) -> str:
    """The value of an option."""
    key = f"value.{value}"
    return spoken.say(key) if key in spoken else str(value)

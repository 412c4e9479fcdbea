"""Which games fit what was seen."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from rules.cards import Card, Seen
from rules.catalogue import GAMES, PYRAMID_GAMES, Game, find_game
from rules.errors import RuleError
from rules.options import Options

PLAIN = GAMES["relaxed-pyramid"]
PYRAMID = "pyramid-"


def games_of_layout(layout: str | None) -> tuple[Game, ...]:
    """The games laid as this layout, in the order of the catalogue."""
    return tuple(game for game in GAMES.values() if game.layout == layout)


def games_beside(game: Game) -> tuple[Game, ...]:
    """The games that can be played with the cards laid for one: pyramids in as many rows as there are, row games where
    they are laid alike."""
    return tuple(PYRAMID_GAMES.values()) if game.family == "pyramid" else games_of_layout(game.layout)


def fitting_games(layout: str | None, seen: Iterable[Seen]) -> tuple[Game, ...]:
    """The games of a layout whose deck holds every card that was surely seen."""
    return _holding(games_of_layout(layout), seen)


def games_left_open(layouts: Iterable[str], seen: Iterable[Seen]) -> tuple[Game, ...]:
    """The games of other layouts of which the same cards may be left, as far as their decks hold every card seen."""
    cards = tuple(seen)
    return tuple(game for layout in layouts for game in fitting_games(layout, cards))


def possible_games(layout: str, seen: Iterable[Seen]) -> tuple[Game, ...]:
    """The games that fit; where none does, every game that fits when laid in as many rows: a pyramid of six rows with
    kings in it is no game to ten, and those of three to five rows are for learners. Of row games all that are laid so.
    Never empty."""
    cards = tuple(seen)
    fits = fitting_games(layout, cards)
    if fits or not layout.startswith(PYRAMID):
        return fits or games_of_layout(layout)
    return _holding(_with_rows(layout.removeprefix(PYRAMID)), cards)


def plain_game(layout: str) -> Game:
    """The plainest game of a layout; of a pyramid in as many rows as it has."""
    if not layout.startswith(PYRAMID):
        return games_of_layout(layout)[0]
    return PLAIN if layout == PLAIN.layout else PLAIN.with_rules({"rows": layout.removeprefix(PYRAMID)})


def under_rules(game_id: str, rules: Mapping[str, str]) -> Game:
    """A game under house rules: those named, as far as the game has not got them itself; other names and empty texts
    count for nothing. Raises UnknownGameError, and RuleError where they do not go with it."""
    game = find_game(game_id)
    standard = game.rules.to_json()
    wanted = {name: rules[name] for name in game.rules.values if rules.get(name)}
    return game.with_rules({name: value for name, value in wanted.items() if str(standard[name]) != value})


def as_laid(game: Game, layout: str) -> Game | None:
    """The game in as many rows as a pyramid has; None where it is laid in another way altogether. Raises RuleError
    where its deck is too small for so many rows."""
    if game.layout == layout:
        return game
    if game.family == "pyramid" and layout.startswith(PYRAMID):
        return game.with_rules({"rows": layout.removeprefix(PYRAMID)})
    return None


def fewest_faults(games: Iterable[Game], faults: Callable[[Game], int]) -> tuple[Game, ...]:
    """The games in which the table has the fewest faults; the plain one first."""
    counted = [(faults(game), game.id != PLAIN.id, game) for game in games]
    fewest = min(count for count, _, _ in counted)
    return tuple(game for count, _, game in sorted(counted, key=lambda one: one[:2]) if count == fewest)


def by_rules(games: Iterable[Game]) -> list[list[Game]]:
    """Games whose rules are the same, together: which of them is played makes no difference."""
    groups: list[list[Game]] = []
    for game in games:
        alike = next((group for group in groups if _rules(group[0]) == _rules(game)), None)
        if alike is None:
            groups.append([game])
        else:
            alike.append(game)
    return groups


def _rules(game: Game) -> tuple[object, ...]:
    # Which card fixed the rank of the bases is of the deal, not of the play.
    rules = game.rules if isinstance(game.rules, Options) else replace(game.rules, rank_card=1)
    return rules, game.either_face, game.ends_after_idle_pass


def _holding(games: Iterable[Game], seen: Iterable[Seen]) -> tuple[Game, ...]:
    faces = [card for card in seen if isinstance(card, Card)]
    return tuple(game for game in games if all(card in game.rules.deck for card in faces))


def _with_rows(rows: str) -> Iterable[Game]:
    for game in PYRAMID_GAMES.values():
        try:
            yield game.with_rules({"rows": rows})
        except RuleError:
            continue  # its deck is too small for so many rows

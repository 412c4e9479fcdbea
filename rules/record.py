"""Games written down: how each began and every move, for any family, in a text that can be read back.

::

    game: easy-pyramid
    rules: passes=3
    deal: 4H 9D KS …
    1. pair 4H 9D @ pyramid 7 1, pyramid 7 2
    2. turn 5C @ stock, waste

``rules`` names what was changed. The game began with a ``deal`` (``??`` for a card that was never seen) or in a
``position``. Empty lines and lines that begin with ``#`` say nothing; a line ``game:`` begins the next game of a text.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from rules.bounds import MOST_MOVES, check_counts, check_line
from rules.cards import parse_seen, seen_text
from rules.catalogue import Game, find_game
from rules.errors import PositionError, RuleError, RulesError
from rules.families import family_of
from rules.family import AnyMove
from rules.layouts import STOCK, TURNED, WASTE
from rules.violation import Violation

_GAME: Final = "game"
_RULES: Final = "rules"
_COMMENT: Final = "#"


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played: ``start`` is a position of its family, ``moves`` lead on from it."""

    game: Game
    start: Any
    moves: tuple[AnyMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """What a record stopped at: the line's text, why it cannot stand, and the rules it breaks if it is a move."""

    line: str
    why: str
    violations: tuple[Violation, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """``{"line", "why", "violations"}``."""
        return {"line": self.line, "why": self.why, "violations": [broken.to_json() for broken in self.violations]}


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record as far as it can be played: the moves accepted, the positions from the start to the last one reached,
    and what stopped it, if something did."""

    record: Record
    positions: tuple[Any, ...]
    stopped: Stop | None = None

    @property
    def position(self) -> Any:
        """The position reached."""
        return self.positions[-1]


def replay(record: Record) -> Replayed:
    """Plays a record; an illegal move stops it and does not lose the game so far."""
    family = family_of(record.game)
    positions = [record.start]
    for number, move in enumerate(record.moves):
        broken = family.violations(positions[-1], move, record.game)
        if broken:
            stop = Stop(move_text(move), "; ".join(map(str, broken)), broken)
            return Replayed(Record(record.game, record.start, record.moves[:number]), tuple(positions), stop)
        positions.append(family.play(positions[-1], move, record.game))
    return Replayed(record, tuple(positions))


def record_text(record: Record) -> str:
    """The text of a record; ``read_record`` gives the record back."""
    lines = {_GAME: record.game.id}
    if record.game.changed:
        options = record.game.rules.to_json()
        lines[_RULES] = " ".join(f"{name}={options[name]}" for name in record.game.changed)
    lines |= family_of(record.game).start_texts(record.start, record.game)
    head = [f"{key}: {value}" for key, value in lines.items()]
    moves = [f"{number}. {move_text(move)}" for number, move in enumerate(record.moves, start=1)]
    return "\n".join([*head, *moves]) + "\n"


def move_text(move: AnyMove) -> str:
    """The text of a move: its kind, its cards, and after ``@`` its places."""
    words = " ".join((move.kind, *map(seen_text, move.cards)))
    return f"{words} @ {', '.join(move.places)}" if move.places else words


def read_record(text: str) -> Replayed:
    """The one game of a text, played; raises PositionError where there is none or more than one, and RulesError
    where its beginning cannot be read. A line that is no move, or none that is legal, stops it."""
    games = list(_split(text))
    if len(games) != 1:
        said = f"a record of one game is wanted; this text has {len(games)}"
        raise PositionError(said, "one-record", given=len(games))
    return _read(games[0])


def read_records(text: str) -> tuple[Replayed, ...]:
    """Every game of a text, as ``read_record``; raises PositionError where there is none."""
    games = tuple(_read(lines) for lines in _split(text))
    if not games:
        raise PositionError("this is no record of a game: it has no line 'game: ID'", "no-game-line")
    return games


def looks_like_record(text: str) -> bool:
    """Whether a text begins as a record does."""
    return any(_key(line) == _GAME for line in _lines(text)[:1])


def _lines(text: str) -> list[str]:
    stripped = (line.strip() for line in text.splitlines())
    return [line for line in stripped if line and not line.startswith(_COMMENT)]


def _key(line: str) -> str:
    key, colon, _ = line.partition(":")
    return key.strip().lower() if colon else ""


def _split(text: str) -> Iterator[list[str]]:
    """The lines of each game; what stands before the first is left out."""
    lines: list[str] = []
    for line in _lines(text):
        if _key(line) == _GAME:
            if lines:
                yield lines
            lines = [line]
        elif lines:
            lines.append(line)
    if lines:
        yield lines


def _read(lines: list[str]) -> Replayed:
    if len(lines) > MOST_MOVES:
        raise PositionError(f"a record has at most {MOST_MOVES} lines", "long-record", most=MOST_MOVES)
    for line in lines:
        check_line(line)
    head = {_key(line): line.partition(":")[2].strip() for line in lines if _key(line)}
    changed = dict(_rule(word) for word in head.get(_RULES, "").split())
    game = find_game(head[_GAME], changed)
    family = family_of(game)
    start = family.parse_start({key: text for key, text in head.items() if key not in (_GAME, _RULES)}, game)
    check_counts(start.to_json())
    moves: list[AnyMove] = []
    for line in lines:
        if _key(line):
            continue
        try:
            moves.append(_move(line, game))
        except RulesError as error:
            played = replay(Record(game, start, tuple(moves)))
            return played if played.stopped else Replayed(played.record, played.positions, Stop(line, str(error)))
    return replay(Record(game, start, tuple(moves)))


def _rule(word: str) -> tuple[str, str]:
    name, sign, value = word.partition("=")
    if not sign:
        quoted = reprlib.repr(word)
        raise RuleError(f"{quoted}: write a rule as name=value", "rule-pair", text=quoted)
    return name, value


def _move(line: str, game: Game) -> AnyMove:
    """The move of a line, its number left out; raises PositionError or CardError."""
    head, _, places = line.partition("@")
    words = head.split()
    if words and words[0].rstrip(".").isdecimal():
        words = words[1:]
    kind, *codes = words or [""]
    cards = tuple(parse_seen(code) for code in codes)
    named = tuple(" ".join(place.split()) for place in places.split(",") if place.strip())
    if kind.lower() == "turn" and not named and game.family == "pyramid":
        # Where a turned card goes is the game's own affair: a line need not say so.
        named = (STOCK, TURNED if game.options.turned == "held" else WASTE)
    move: AnyMove = family_of(game).move(kind.lower(), cards, named)
    return move

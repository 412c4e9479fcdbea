"""How far the referee of the row games agrees with the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from random import Random
from typing import Any

from tests.oracle_rows.border import explained, game_explained
from tests.oracle_rows.game import HIDDEN, Move, Rule, Table, made, replayed
from tests.oracle_rows.lines import Look, Reading, guises, has_line, needed, readings
from tests.oracle_rows.plants import Plant, plant_on, plants
from tests.oracle_rows.play import RULES, deal, game_from, seen, some_move, told

MOST_SHOWN = 40
ALARMS = ("violations", "undone", "table")
PICTURED = 0.25
"""Share of cases in which of the earlier table too only a picture is known."""
LEGAL_LINE = 3
"""Legal moves within which the oracle looks for an innocent line before it calls a change a breach."""


@dataclass(frozen=True)
class Case:
    """A case that went wrong, to look at: the game, the looks, what is true, and what was told."""

    rule: Rule
    options: Any
    looks: list[dict[str, Any]]
    truth: Any
    answer: dict[str, Any]

    def __str__(self) -> str:
        before, after = self.looks[-2:]
        moved = [f"{key}: {before.get(key)} -> {after[key]}" for key in after if before.get(key) != after[key]]
        told = {key: value for key, value in self.answer.items() if key != "position" and value}
        return "\n     ".join((f"{self.rule.game} {self.options}", *moved, f"truth {self.truth}", f"told {told}"))


@dataclass
class Tally:
    """Counts by name, and the first few cases that went wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, Case]] = field(default_factory=list)

    def add(self, name: str, case: Case | None = None) -> None:
        """Counts a case; ``case`` is given where it is to be looked at."""
        self.counts[name] += 1
        if case is not None and len(self.wrong) < MOST_SHOWN:
            self.wrong.append((name, case))


def _games(rng: Random) -> Iterator[tuple[Rule, Any, list[tuple[Table, Move]]]]:
    """Games of every rule in turn, without end."""
    for rule, options in cycle(RULES):
        start = deal(rule, rng)
        if rule.game == "ulubiony" and rng.random() < 0.8:
            start = start._replace(direction=rng.choice(("up", "down")))
        played = game_from(rule, start, rng)
        if played:
            yield rule, options, played


def measure_lines(cases: int, seed: int) -> Tally:
    """One to three legal moves between two looks: ``found`` where the truth is told or among the alternatives, and
    ``shorter`` where the oracle itself finds fewer moves that lead there too."""
    tally, rng = Tally(), Random(f"lines {seed}")
    for rule, options, played in _games(rng):
        for table, _ in rng.sample(played, min(5, len(played))):
            _line(rule, options, table, rng, tally)
            if tally.counts["cases"] == cases:
                return tally
    raise AssertionError("there is always another game")


def _line(rule: Rule, options: Any, table: Table, rng: Random, tally: Tally) -> None:
    """Legal moves from a table of which all is known, or in a quarter of all cases of which a picture is known."""
    moves: list[Move] = []
    after = table
    for _ in range(rng.choice((1, 2, 2, 3, 3, 3))):
        move = some_move(rule, after, rng, moves[-1] if moves else None)
        if move is not None:
            moves.append(move)
            after = made(rule, after, move)
    look = Look.of(rule, after, camera=rng.random() < 0.7)
    truth = needed(rule, table, moves, look)
    pictured = rng.random() < PICTURED
    before = seen(rule, table) if pictured else told(rule, table)
    tables = list(guises(rule, table)) if pictured else [table]
    answer = explained(rule.game, options, before, look.data)
    case = Case(rule, options, [before, look.data], [move.to_json() for move in moves], answer)
    ways = [answer["moves"], *answer["alternatives"]]
    if truth and any(has_line(rule, one, look, len(truth) - 1) for one in tables):
        tally.add("shorter")
    else:
        tally.add("cases")
        tally.add("from a picture" if pictured else "from all known")
        tally.add(f"{len(truth)} moves")
        found = any(_shown_moves(way) == _shown_moves(truth) for way in ways)
        tally.add("found" if found else "missed", None if found else case)
    if any(answer.get(alarm, "same") not in ([], "same") for alarm in ALARMS):
        tally.add("false alarms", case)
    elif not all(any(_reaches(rule, one, _but_choices(way, pictured), look) for one in tables) for way in ways):
        tally.add("told, but not legal", case)


def _but_choices(way: list[dict[str, Any]], pictured: bool) -> list[dict[str, Any]]:
    """A way without its choices where only a picture is known, for they may have been made before."""
    return [move for move in way if not pictured or (move["kind"] != "direction" and len(move["places"]) != 1)]


def _shown_moves(way: list[Any]) -> frozenset[str]:
    """The moves of a way that a picture shows."""
    moves = [move.to_json() if isinstance(move, Move) else move for move in way]
    shown = [move for move in moves if move["kind"] not in HIDDEN and len(move["places"]) == 2]
    return frozenset(repr((move["kind"], move["cards"], move["places"])) for move in shown)


def _reaches(rule: Rule, table: Table, way: list[dict[str, Any]], look: Look) -> bool:
    end = replayed(rule, table, way)
    return end is not None and look.is_of(rule, end)


def measure_breaches(breaches: int, seed: int) -> Tally:
    """Changes against the rules: ``named`` with the right breach and card, or with those of another wrong move that
    explains the change as simply (``as simply``). In a quarter of all cases only a picture is known of the table."""
    tally, rng = Tally(), Random(f"breaches {seed}")
    sources = [(rule, options, plants(rule, Random(rng.random()))) for rule, options in RULES]
    for rule, options, source in cycle(sources):
        plant = next(source)
        _breach(rule, options, plant, tally, pictured=plant.look.camera and rng.random() < PICTURED)
        if tally.counts["cases"] == breaches:
            return tally
    raise AssertionError("there is always another plant")


def _breach(rule: Rule, options: Any, plant: Plant, tally: Tally, *, pictured: bool) -> None:
    before = seen(rule, plant.table) if pictured else told(rule, plant.table)
    tables = list(guises(rule, plant.table)) if pictured else [plant.table]
    answer = explained(rule.game, options, before, plant.look.data)
    case = Case(rule, options, [before, plant.look.data], plant.wrong, answer)
    accused = bool(answer["violations"])
    if any(has_line(rule, table, plant.look, LEGAL_LINE) for table in tables):
        tally.add("innocent line")
        if accused:
            tally.add("false alarms", case)
        return
    way = _but_choices(answer["moves"], pictured)
    if not accused and not answer.get("undone") and any(_reaches(rule, one, way, plant.look) for one in tables):
        tally.add("innocent line")
        return
    tally.add("cases")
    tally.add("from a picture" if pictured else "from all known")
    tally.add(f"{plant.moves} moves")
    for breach in sorted(plant.wrong.broken):
        tally.add(f"of them {breach}")
    if answer.get("undone"):
        tally.add("told as taken back", case)
    elif not accused:
        tally.add("told as legal", case)
    elif _names(answer, plant.wrong):
        tally.add("named")
    elif any(_names(answer, one) for table in tables for one in readings(rule, table, plant.look)):
        tally.add("named")
        tally.add("as simply")
    else:
        tally.add("misnamed", case)


def _names(answer: dict[str, Any], wrong: Reading) -> bool:
    found = answer["violations"]
    named = wrong.card is None or all(wrong.card in each["cards"] for each in found)
    return named and {each["breach"] for each in found} == wrong.broken


def measure_steps(steps: int, seed: int) -> Tally:
    """Single legal steps of whole games, each as a camera sees it and as it is told in turn."""
    tally, rng = Tally(), Random(f"steps {seed}")
    for rule, options, played in _games(rng):
        for table, move in played:
            camera = tally.counts["cases"] % 2 == 0
            look = Look.of(rule, made(rule, table, move), camera)
            before = seen(rule, table) if camera and rng.random() < PICTURED else told(rule, table)
            answer = explained(rule.game, options, before, look.data)
            ways = [answer["moves"], *answer["alternatives"]]
            tally.add("cases")
            case = Case(rule, options, [before, look.data], move.to_json(), answer)
            if any(answer.get(alarm, "same") not in ([], "same") for alarm in ALARMS):
                tally.add("false alarms", case)
            elif any(_shown_moves(way) == _shown_moves([move]) for way in ways):
                tally.add("found")
            else:
                tally.add("missed", case)
            if tally.counts["cases"] == steps:
                return tally
    raise AssertionError("there is always another game")


def measure_records(records: int, seed: int) -> Tally:
    """Whole games look by look that end with moves put back (``undone`` if told so), or with a change against the rules
    (``accused``, unless legal moves from an earlier look lead there)."""
    tally, rng = Tally(), Random(f"records {seed}")
    for number, (rule, options, played) in enumerate(_games(rng)):
        if tally.counts["cases"] == records:
            return tally
        if len(played) > 2:
            (_take_back, _go_wrong)[number % 2](rule, options, played, rng, tally)
    raise AssertionError("there is always another game")


def _looks(rule: Rule, tables: list[Table], rng: Random) -> list[dict[str, Any]]:
    """The first table told, the others as a camera sees them, most of them."""
    return [told(rule, tables[0]), *(Look.of(rule, table, rng.random() < 0.8).data for table in tables[1:])]


def _part(played: list[tuple[Table, Move]], rng: Random, count: int) -> list[tuple[Table, Move]]:
    first = rng.randrange(max(1, len(played) - count))
    return played[first : first + count + 1]


def _take_back(rule: Rule, options: Any, played: list[tuple[Table, Move]], rng: Random, tally: Tally) -> None:
    """One or two moves put back; in half of all cases the game goes on with another move."""
    part = _part(played, rng, rng.randint(1, 3))
    tables = [table for table, _ in part]
    back = rng.randint(1, min(2, len(part) - 1))
    undone = [move for _, move in part[:-1]][-back:]
    if any(move.kind in HIDDEN for move in undone):
        return
    look = Look.of(rule, tables[-1 - back], camera=True)
    if has_line(rule, tables[-1], look, LEGAL_LINE):
        return
    looks = [*_looks(rule, tables, rng), look.data]
    further = some_move(rule, tables[-1 - back], rng)
    if rng.random() < 0.5 and further is not None and further.shift is not None:
        look = Look.of(rule, made(rule, tables[-1 - back], further), camera=True)
        looks.append(look.data)
        tally.add("gone on after it")
    answer = game_explained(rule.game, options, looks)
    tally.add("cases")
    tally.add("put back")
    right = _shown_moves(answer.get("undone", [])) == _shown_moves(undone) and not answer["violations"]
    right = right and _reaches(rule, tables[0], answer["moves"], look)
    tally.add("undone" if right else "not undone", None if right else Case(rule, options, looks, undone, answer))


def _go_wrong(rule: Rule, options: Any, played: list[tuple[Table, Move]], rng: Random, tally: Tally) -> None:
    tables = [table for table, _ in _part(played, rng, rng.randint(0, 3))]
    plant = plant_on(rule, tables[-1], rng)
    if plant is None or any(has_line(rule, table, plant.look, LEGAL_LINE) for table in tables):
        return
    looks = [*_looks(rule, tables, rng), plant.look.data]
    answer = game_explained(rule.game, options, looks)
    if not answer["violations"] and _reaches(rule, tables[0], answer["moves"], plant.look):
        return
    tally.add("cases")
    tally.add("wrong")
    accused = bool(answer["violations"]) and not answer.get("undone")
    tally.add("accused" if accused else "excused", None if accused else Case(rule, options, looks, plant.wrong, answer))


MEASURES: dict[str, Callable[[int, int], Tally]] = {
    "cases": measure_lines,
    "breaches": measure_breaches,
    "steps": measure_steps,
    "records": measure_records,
}

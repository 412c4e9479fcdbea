"""What the referee said of a case, judged by the truth and by the rules written anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any

from rules.catalogue import Game as CatalogueGame
from rules.catalogue import find_game
from rules.pyramid.position import PyramidPosition
from rules.pyramid.referee import explain, explain_game
from tests.oracle_pyramid.cases import Case, Game
from tests.oracle_pyramid.line import why_not
from tests.oracle_pyramid.looks import HIDDEN
from tests.oracle_pyramid.table import JOKER, Act, Rules

Move = dict[str, Any]
REMOVALS = ("pair", "single")
PILES = ("turned", "waste")


def told_of(case: Case) -> dict[str, Any]:
    """The referee's answer, as the contract prints it: the border to what is judged."""
    before, after = (PyramidPosition.from_json(look) for look in (case.before, case.after))
    return explain(before, after, game_of(case.rules)).to_json()


def told_of_game(game: Game) -> dict[str, Any]:
    """The referee's answer to a whole game."""
    return explain_game([PyramidPosition.from_json(look) for look in game.looks], game_of(game.rules)).to_json()


def game_of(rules: Rules) -> CatalogueGame:
    """The game as the catalogue has it."""
    return find_game(rules.game, rules.as_texts())


@dataclass
class Tally:
    """How many cases of each name there were, what was wrong in how many, and one example of each fault."""

    cases: Counter[str] = field(default_factory=Counter)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], list[tuple[Case | Game, dict[str, Any], str]]] = field(default_factory=dict)

    def add(self, case: Case | Game, told: dict[str, Any], faults: dict[str, str]) -> None:
        """Counts a case with its faults, each with what is wrong in words."""
        self.cases[case.name] += 1
        for fault, words in faults.items():
            self.faults[case.name, fault] += 1
            self.examples.setdefault((case.name, fault), []).append((case, told, words))

    def of(self, *faults: str) -> int:
        """How many cases had one of these faults."""
        return sum(count for (_, fault), count in self.faults.items() if fault in faults)


def judge_moves(case: Case, told: dict[str, Any]) -> dict[str, str]:
    """Faults of what is told of legal moves: ``missed``, ``alarm``, ``twice``, ``needless turn``, ``illegal``."""
    faults: dict[str, str] = {}
    ways = [told["moves"], *told["alternatives"]]
    if told["violations"] or told.get("undone") or told.get("table"):
        faults["alarm"] = f"{told['violations']} {told.get('undone', '')} {told.get('table', '')}"
    if not any(is_truth(way, case) for way in ways):
        faults["missed"] = "the truth is not told"
    for way in told["alternatives"] if told["violations"] else ways:
        if twice := left_twice(way, case):
            faults["twice"] = f"{twice} leaves twice"
        elif why := why_not(case.before, way, case.after, case.rules):
            faults["illegal"] = f"{[(m['kind'], m['cards']) for m in way]}: {why}"
    if any(_leads(case, part) for part in _without_turns(told["moves"])):
        faults["needless turn"] = "fewer turns would do"
    return faults


def judge_game(game: Game, told: dict[str, Any]) -> dict[str, str]:
    """Faults of what is told of a legal game: ``alarm``, ``twice``, ``turns`` that were none, cards that ``stay``."""
    faults: dict[str, str] = {}
    if told["violations"] or told.get("undone") or told.get("table"):
        faults["alarm"] = f"{told['violations']} {told.get('undone', '')} {told.get('table', '')}"
    gone = [code for move in told["moves"] if move["kind"] in REMOVALS for code in move["cards"]]
    left = Counter(card for act in game.truth if act.kind in REMOVALS for card, _ in act.parts)
    twice = Counter(code for code in gone if code not in (HIDDEN, JOKER)) - left
    if twice:
        faults["twice"] = f"{dict(twice)} too often, or did not leave"
    if len(gone) != left.total():
        faults["stay"] = f"{len(gone)} cards told to have left, not {left.total()}"
    if _counts(told["moves"])[0] > sum(act.kind == "turn" for act in game.truth):
        faults["turns"] = "more turns than there were"
    return faults


def judge_breach(case: Case, told: dict[str, Any]) -> dict[str, str]:
    """Faults of what is told of a broken rule: ``excused`` by moves that no rule allows, or ``misnamed``. ``otherwise``
    is none: legal moves, or some taken back, lead to the same looks."""
    if told.get("table"):
        return {"misnamed": f"called {told['table']}"}
    if told.get("undone"):
        why = why_not(case.after, told["undone"][::-1], case.before, case.rules)
        return {"excused": f"taken back: {why}"} if why else {"otherwise": "taken back"}
    if not told["violations"]:
        why = why_not(case.before, told["moves"], case.after, case.rules)
        return {"excused": why} if why else {"otherwise": "legal moves"}
    named = {found["breach"] for found in told["violations"]}
    cards = {card for found in told["violations"] for card in found["cards"]}
    if named != case.breaches or not case.cards <= cards:
        return {
            "misnamed": f"{sorted(named)} {sorted(cards, key=str)}, not {sorted(case.breaches)} {sorted(case.cards)}"
        }
    return {}


def _leads(case: Case, way: list[Move]) -> bool:
    """Whether the moves lead from look to look as the game was played."""
    return not why_not(case.before, way, case.after, case.rules, hand=case.habit.in_hand)


def _without_turns(way: list[Move]) -> Iterator[list[Move]]:
    """The moves with one turn or more left out."""
    turns = [index for index, move in enumerate(way) if move["kind"] == "turn"]
    for size in range(1, len(turns) + 1):
        for out in combinations(turns, size):
            yield [move for index, move in enumerate(way) if index not in out]


def left_twice(way: list[Move], case: Case) -> str:
    """A card that leaves though it has left before, or twice."""
    gone = Counter(case.before.get("gone_cards") or [])
    top = case.before.get("foundation")
    if top is not None and top not in gone:
        gone[top] += 1
    gone.update(card for move in way if move["kind"] in ("pair", "single") for card in move["cards"])
    deck = Counter(case.rules.deck)
    return ", ".join(card for card, count in gone.items() if card not in (HIDDEN, JOKER) and count > deck[card])


def is_truth(way: list[Move], case: Case) -> bool:
    """Whether a way is what was done, in any order: the same cards left from the same places, and as often as in truth
    cards were turned and the waste turned over. Where fewer of these moves lead to the same looks they will do, for
    nobody can tell the others."""
    if why_not(case.before, way, case.after, case.rules):
        return False
    shown = {code for look in (case.before, case.after) for code in _codes(look)}
    taken = [move for move in way if move["kind"] in REMOVALS]
    for truth in _tellable(case):
        left = [act for act in truth if act.kind in REMOVALS]
        if len(left) != len(taken) or _counts(way) != _counts([_as_move(act) for act in truth]):
            continue
        anywhere = len(way) < len(case.truth)
        for order in permutations(left):
            pairs = zip(taken, order, strict=True)
            if all(_is_removal(move, act, shown, anywhere=anywhere) for move, act in pairs):
                return True
    return False


def _counts(way: list[Move]) -> tuple[int, int]:
    """How many turns and redeals there are."""
    kinds = [move["kind"] for move in way]
    return kinds.count("turn"), kinds.count("redeal")


def _tellable(case: Case) -> Iterator[tuple[Act, ...]]:
    """What was done, and all of it that leads to the same looks when the rest is left out."""
    yield case.truth
    for size in range(len(case.truth)):
        for kept in combinations(case.truth, size):
            if _leads(case, [_as_move(act) for act in kept]):
                yield kept


def _as_move(act: Act) -> Move:
    """The move as the contract writes it; cards turned are not told."""
    cards = [HIDDEN if act.kind == "turn" else card for card, _ in act.parts]
    return {"kind": act.kind, "cards": cards, "places": [place for _, place in act.parts]}


def _is_removal(move: Move, act: Act, shown: set[str], *, anywhere: bool) -> bool:
    """Whether a move takes the cards of a removal. Of cards that were never seen nobody can tell which lay where, nor
    (``anywhere``) of one turned between the looks whether it left from the hand or from the waste."""
    places, lay = sorted(move["places"]), sorted(place for _, place in act.parts)
    if anywhere:
        places, lay = (sorted("pile" if place in PILES else place for place in some) for some in (places, lay))
    cards = [card for card, _ in act.parts]
    return (
        move["kind"] == act.kind
        and places == lay
        and any(
            all(_is_card(code, card, shown) for code, card in zip(move["cards"], order, strict=True))
            for order in permutations(cards)
        )
    )


def _is_card(code: str, card: str, shown: set[str]) -> bool:
    return code == card or (code == HIDDEN and (card not in shown or card == JOKER))


def _codes(look: Any) -> list[str]:
    if isinstance(look, str):
        return [look]
    if isinstance(look, dict):
        return [code for value in look.values() for code in _codes(value)]
    return [code for value in look for code in _codes(value)] if isinstance(look, list) else []

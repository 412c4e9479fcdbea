"""The pyramid games written anew from their texts: a table where every card is known, and what may be done on it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random
from typing import Any

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
WORTH = {rank: number for number, rank in enumerate(RANKS, start=1)}
JOKER = "JK"

GAMES: dict[str, dict[str, Any]] = {
    "pyramid": {"face": "down", "turned": "held"},
    "king-tut": {"face": "down", "turned": "held", "apex": "KS"},
    "tuts-tomb": {"draw": 3, "passes": 0, "overlap": True},
    "relaxed-pyramid": {},
    "easy-pyramid": {"passes": 2},
    "math-pyramid": {},
    "math-pyramid-jokers": {"jokers": 3},
    "math-pyramid-ten": {"total": 10, "rows": 6},
    "math-pyramid-nine": {"total": 9, "rows": 6},
    "math-pyramid-three": {"draw": 3, "passes": 0},
}
USUAL: dict[str, Any] = {
    "total": 13,
    "rows": 7,
    "face": "up",
    "apex": None,
    "turned": "laid",
    "passes": 1,
    "draw": 1,
    "goal": "pyramid",
    "turn_when": "always",
    "overlap": False,
    "jokers": 0,
}
"""``passes`` 0 is without a limit."""

Cell = tuple[int, int]
"""Row and place of a pyramid's card, both from 1."""


@dataclass(frozen=True)
class Rules:
    """A game by its id, and what holds in it once the options chosen are applied."""

    game: str
    chosen: tuple[tuple[str, Any], ...] = ()
    values: dict[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        self.values.update(USUAL | GAMES[self.game] | dict(self.chosen))

    def __getattr__(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def deck(self) -> list[str]:
        """Its cards."""
        plain = [rank + suit for suit in "SHDC" for rank in RANKS[: self.total]]
        return plain + [JOKER] * self.jokers

    def as_texts(self) -> dict[str, str]:
        """The options chosen as a player writes them."""
        texts = {}
        for name, value in self.chosen:
            texts[name] = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            if name == "passes" and value == 0:
                texts[name] = "unlimited"
        return texts


def random_rules(game: str, rng: Random) -> Rules:
    """A game under options drawn at random, such that the deck is large enough."""
    base = USUAL | GAMES[game]
    while True:
        chosen: dict[str, Any] = {}
        offered = {
            "total": list(range(5, 14)),
            "rows": [3, 4, 5, 6, 7],
            "face": ["up", "down"],
            "turned": ["held", "laid"],
            "passes": [1, 2, 3, 0],
            "draw": [1, 3],
            "turn_when": ["always", "stuck"],
            "overlap": [False, True],
            "jokers": [0, 2, 3],
        }
        for name, values in offered.items():
            if rng.random() < 0.3:
                chosen[name] = rng.choice(values)
        now = base | chosen
        cards = 4 * now["total"] + now["jokers"] - now["rows"] * (now["rows"] + 1) // 2
        apex_fits = now["apex"] is None or now["total"] == 13
        if cards >= 0 and apex_fits and not (now["draw"] == 3 and now["turned"] == "held"):
            return Rules(game, tuple(chosen.items()))


def worth(card: str) -> int:
    """What a card counts; 0 for a joker."""
    return 0 if card == JOKER else WORTH[card[:-1]]


def makes_total(first: str, second: str, rules: Rules) -> bool:
    """Whether two cards may leave together: a joker goes with any card that does not leave alone."""
    total = rules.total
    if JOKER in (first, second):
        return total not in (worth(first), worth(second))
    return worth(first) + worth(second) == total


@dataclass(frozen=True)
class Act:
    """A move: its kind, the cards with the places where they lay (pairs in no order)."""

    kind: str
    parts: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, kind: str, *parts: tuple[str, str]) -> Act:
        """Parts in one order, so that equal moves are equal."""
        return cls(kind, tuple(sorted(parts)) if kind in ("pair", "single") else parts)


@dataclass(frozen=True)
class Table:
    """``pyramid``: the cards by their cells. ``stock``: the next one first. ``waste``: bottom to top. ``gone``: in the
    order in which they left, the top of the foundation last. ``played``: whether a card of the stock left in this pass.
    """

    pyramid: tuple[tuple[Cell, str], ...]
    stock: tuple[str, ...]
    waste: tuple[str, ...] = ()
    held: str | None = None
    number: int = 1
    gone: tuple[str, ...] = ()
    played: bool = False

    @property
    def lying(self) -> dict[Cell, str]:
        """The pyramid."""
        return dict(self.pyramid)


def deal(rules: Rules, rng: Random) -> Table:
    """A deal."""
    cards = rules.deck
    rng.shuffle(cards)
    if rules.apex:
        cards.remove(rules.apex)
        cards.insert(0, rules.apex)
    cells = all_cells(rules)
    return Table(tuple(zip(cells, cards, strict=False)), tuple(cards[len(cells) :]))


def all_cells(rules: Rules) -> list[Cell]:
    """Every place of the pyramid from the apex."""
    return [(row, place) for row in range(1, rules.rows + 1) for place in range(1, row + 1)]


def lies_on(cell: Cell, lying: dict[Cell, str]) -> list[Cell]:
    """The cells of the cards that still lie on one."""
    row, place = cell
    return [other for other in ((row + 1, place), (row + 1, place + 1)) if other in lying]


def place_of(cell: Cell) -> str:
    """A cell's place as the player writes it."""
    return f"pyramid {cell[0]} {cell[1]}"


def removals(table: Table, rules: Rules) -> list[Act]:
    """Every legal removal."""
    lying = table.lying
    free = [(place_of(cell), card) for cell, card in lying.items() if not lies_on(cell, lying)]
    if table.held is not None:
        free.append(("turned", table.held))
    if table.waste:
        free.append(("waste", table.waste[-1]))
    acts = [Act.of("single", (card, place)) for place, card in free if worth(card) == rules.total]
    acts += [
        Act.of("pair", (one, first), (other, second))
        for (first, one), (second, other) in combinations(free, 2)
        if makes_total(one, other, rules)
    ]
    if rules.overlap and rules.face == "up":
        for cell, card in lying.items():
            on_top = lies_on(cell, lying)
            if len(on_top) == 1 and not lies_on(on_top[0], lying) and makes_total(card, lying[on_top[0]], rules):
                acts.append(Act.of("pair", (card, place_of(cell)), (lying[on_top[0]], place_of(on_top[0]))))
    return acts


def acts(table: Table, rules: Rules) -> list[Act]:
    """Every legal move."""
    found = removals(table, rules)
    if rules.turn_when == "stuck" and found:
        return found
    if table.stock:
        goes_to = "turned" if rules.turned == "held" else "waste"
        found.append(Act("turn", tuple((card, goes_to) for card in table.stock[: rules.draw])))
    elif (table.waste or table.held) and (rules.passes == 0 or table.number < rules.passes) and not ended(table, rules):
        found.append(Act("redeal"))
    return found


def ended(table: Table, rules: Rules) -> bool:
    """English text: with three cards at a time the game ends after a pass in which no stock card was played."""
    return rules.game == "math-pyramid-three" and not table.played


def done(table: Table, act: Act, rules: Rules) -> Table:
    """The table after a move."""
    lying, waste, held = table.lying, table.waste, table.held
    if act.kind == "turn":
        turned = table.stock[: len(act.parts)]
        if rules.turned == "held":
            laid = waste if held is None else (*waste, held)
            return replace(table, stock=table.stock[1:], waste=laid, held=turned[0])
        return replace(table, stock=table.stock[len(turned) :], waste=waste + turned)
    if act.kind == "redeal":
        stock = waste if held is None else (*waste, held)
        return replace(table, stock=stock, waste=(), held=None, number=table.number + 1, played=False)
    for _, place in act.parts:
        if place == "turned":
            held = None
        elif place == "waste":
            waste = waste[:-1]
        else:
            row, column = place.split()[1:]
            del lying[int(row), int(column)]
    gone = (*table.gone, *(card for card, _ in act.parts))
    played = table.played or any(not place.startswith("pyramid") for _, place in act.parts)
    return replace(table, pyramid=tuple(lying.items()), waste=waste, held=held, gone=gone, played=played)

"""Whether moves lead by the rules from one look to the next, whatever the cards are that nobody saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from tests.oracle_pyramid.looks import HIDDEN
from tests.oracle_pyramid.table import Cell, Rules, all_cells, lies_on, makes_total, place_of, worth

Face = str | int
"""A card, or the number of one that is not known."""
Look = dict[str, Any]


class BrokenError(Exception):
    """The moves do not lead there; says why."""


def why_not(before: Look, moves: Sequence[dict[str, Any]], after: Look, rules: Rules, *, hand: bool = True) -> str:
    """Why the moves (as JSON objects) cannot have led from one look to the next; empty where they can.

    ``hand``: whether the card just turned may be held out of sight."""
    reason = ""
    for in_hand in (False, True) if hand else (False,):
        try:
            line = _Line(before, rules, in_hand=in_hand)
            for move in moves:
                line.play(move)
            line.compare(after)
            if not hand and "turned" in after and after["turned"] is None and line.held is not None:
                raise BrokenError("the card that is held does not show")
            line.deal_out(after)
            return ""
        except BrokenError as broken:
            reason = reason or str(broken)
    return reason


class _Line:
    def __init__(self, look: Look, rules: Rules, *, in_hand: bool) -> None:
        self.rules = rules
        self.look = look
        self.named: dict[int, str] = {}
        self.next_number = 0
        flat = [code for row in look["pyramid"] for code in row]
        lying = {cell: code for cell, code in zip(all_cells(rules), flat, strict=True) if code is not None}
        self.cells: dict[Cell, Face] = {cell: self.face(code) for cell, code in lying.items()}
        self.gone: list[Face] = []
        self.taken: list[list[Face]] = []
        self.number: int | None = look.get("pass", 1 if rules.passes == 1 else None)
        self._read_piles(look)
        if in_hand:
            self._hold_unseen()
        self.fresh_waste: str | None = None

    def _read_piles(self, look: Look) -> None:
        stock = look.get("stock", "open")
        self.open = stock is True or stock == "open"
        self.least = int(stock is True)
        count = 0 if self.open or not stock else int(stock)
        if self.open and self._just_dealt(look):
            count, self.open, self.least = len(self.rules.deck) - len(self.cells), False, 0
        self.stock: list[Face] = [self.face(code) for code in look.get("stock_cards", [HIDDEN] * count)]
        self.open = self.open and "stock_cards" not in look
        listed = look.get("waste_cards")
        top = look.get("waste", "open")
        self.below = listed is None and top is not None
        shown = listed if listed is not None else [] if top in (None, "open") else [top]
        self.waste: list[Face] = [self.face(code) for code in shown]
        held = look.get("turned") if self.rules.turned == "held" else None
        self.held: Face | None = None if held is None else self.face(held)

    def _just_dealt(self, look: Look) -> bool:
        """Whether nothing has left and nothing was turned: then all other cards are the stock."""
        piles = (look.get("waste", "open"), look.get("foundation", "open"), look.get("turned"))
        return piles == (None, None, None) and len(self.cells) == len(all_cells(self.rules))

    def _hold_unseen(self) -> None:
        if self.rules.turned != "held" or self.held is not None:
            raise BrokenError("no card can be held unseen")
        gone = self.look.get("gone_cards")
        if gone is not None and not self.open and not self.below:
            lying = len(self.cells) + len(self.stock) + len(self.waste) + len(gone)
            if lying >= len(self.rules.deck):
                raise BrokenError("every card is elsewhere")
        self.held = self.face(HIDDEN)

    def face(self, code: str) -> Face:
        """A card, or a new number."""
        if code != HIDDEN:
            return code
        self.next_number += 1
        return self.next_number

    def known(self, face: Face) -> str | None:
        """Which card it is, as far as that is known."""
        return face if isinstance(face, str) else self.named.get(face)

    def name(self, face: Face, code: str, where: str) -> None:
        """That a card is the one told or seen."""
        if code == HIDDEN:
            return
        known = self.known(face)
        if known not in (None, code):
            raise BrokenError(f"{where}: {known} is no {code}")
        if isinstance(face, int):
            self.named[face] = code

    def play(self, move: dict[str, Any]) -> None:
        """One move."""
        if move["kind"] == "turn":
            self._check_stuck()
            self._turn(move["cards"])
        elif move["kind"] == "redeal":
            self._check_stuck()
            self._redeal()
        else:
            self._take(move["cards"], move["places"])

    def _check_stuck(self) -> None:
        if self.rules.turn_when != "stuck":
            return
        free = [*self._free_faces()]
        known = [card for face in free if (card := self.known(face)) is not None]
        pairs = [(one, other) for one, other in combinations(known, 2) if makes_total(one, other, self.rules)]
        pairs += [pair for pair in self._overlaps() if makes_total(*pair, self.rules)]
        if pairs or any(worth(card) == self.rules.total for card in known):
            raise BrokenError("something could be removed")

    def _free_faces(self) -> Iterator[Face]:
        yield from (face for cell, face in self.cells.items() if not lies_on(cell, self.cells))  # type: ignore[arg-type]
        if self.held is not None:
            yield self.held
        yield from self.waste[-1:]

    def _overlaps(self) -> Iterator[tuple[str, str]]:
        for cell, face in self.cells.items() if self.rules.overlap else ():
            on_top = lies_on(cell, self.cells)  # type: ignore[arg-type]
            if len(on_top) == 1 and not lies_on(on_top[0], self.cells):  # type: ignore[arg-type]
                lower, upper = self.known(face), self.known(self.cells[on_top[0]])
                if lower is not None and upper is not None:
                    yield lower, upper

    def _turn(self, cards: list[str]) -> None:
        draw = self.rules.draw
        while self.open and len(self.stock) < len(cards):
            self.stock.append(self.face(HIDDEN))
            self.least = 0
        if not cards or len(cards) > draw or len(self.stock) < len(cards):
            raise BrokenError("the stock does not have the cards turned")
        if len(cards) < draw:
            if len(self.stock) > len(cards) or self.least:
                raise BrokenError("fewer cards turned than are drawn at a time")
            self.open = False
        drawn, self.stock = self.stock[: len(cards)], self.stock[len(cards) :]
        for face, code in zip(drawn, cards, strict=True):
            self.name(face, code, "turned")
        if self.rules.turned == "held":
            self.waste += [] if self.held is None else [self.held]
            self.held = drawn[-1]
        else:
            self.waste += drawn

    def _redeal(self) -> None:
        if self.stock or self.least:
            raise BrokenError("the stock is not empty")
        if not (self.waste or self.below or self.held is not None):
            raise BrokenError("there is no waste")
        if self.rules.passes and self.number is not None and self.number >= self.rules.passes:
            raise BrokenError("no pass is left")
        self.number = None if self.number is None else self.number + 1
        lying = self.waste + ([] if self.held is None else [self.held])
        self.open, self.least = self.below, int(self.below)
        self.stock = [] if self.below else lying
        self.waste, self.held, self.below = [], None, False

    def _take(self, cards: list[str], places: list[str]) -> None:
        if not 1 <= len(cards) <= 2 or len(set(places)) != len(cards):
            raise BrokenError("no removal takes so many")
        faces = []
        for code, place in zip(cards, places, strict=True):
            face = self._at(place, places)
            self.name(face, code, place)
            faces.append(face)
        for place in places:
            self._leave(place)
        self.taken.append(faces)
        self.gone += faces

    def _at(self, place: str, places: list[str]) -> Face:
        """The card in play at a place."""
        if place == "turned" and self.held is not None:
            return self.held
        if place == "waste":
            if not self.waste and self.below:
                self.waste.append(self.face(HIDDEN))
            if self.waste:
                return self.waste[-1]
        for cell, face in self.cells.items():
            if place_of(cell) != place:
                continue
            on_top = [place_of(other) for other in lies_on(cell, self.cells)]  # type: ignore[arg-type]
            if on_top and not (self.rules.overlap and len(on_top) == 1 and on_top[0] in places):
                raise BrokenError(f"{place} is covered")
            return face
        raise BrokenError(f"nothing lies at {place}")

    def _leave(self, place: str) -> None:
        if place == "turned":
            self.held = None
        elif place == "waste":
            self.waste.pop()
        else:
            row, column = place.split()[1:]
            del self.cells[int(row), int(column)]

    def compare(self, after: Look) -> None:
        """That the table is what the later look shows."""
        for cell, code in zip(all_cells(self.rules), [c for row in after["pyramid"] for c in row], strict=True):
            if (code is None) != (cell not in self.cells):
                raise BrokenError(f"{place_of(cell)} is not as it shows")
            if code is not None:
                self.name(self.cells[cell], code, place_of(cell))
        stock = after.get("stock", "open")
        if stock is True and not (self.stock or self.open):
            raise BrokenError("the stock has cards")
        if (stock is False or stock is None) and (self.stock or self.least):
            raise BrokenError("the stock is empty")
        if isinstance(stock, int) and not isinstance(stock, bool) and not self.open and stock != len(self.stock):
            raise BrokenError("the stock has another count")
        waste = after.get("waste", "open")
        if waste is None and self.waste:
            raise BrokenError("the waste is empty")
        if waste not in (None, "open"):
            if self.waste:
                self.name(self.waste[-1], waste, "waste")
            elif not self.below:
                raise BrokenError("a card lies on the waste")
            else:
                self.fresh_waste = waste
        held = after.get("turned")
        if held is not None and self.held is None:
            raise BrokenError("a card is held")
        if held is not None and self.held is not None:
            self.name(self.held, held, "turned")
        self._compare_foundation(after)

    def _compare_foundation(self, after: Look) -> None:
        top, was = after.get("foundation"), self.look.get("foundation")
        if top is None:
            return
        if not self.taken:
            if was is not None and top != was:
                raise BrokenError("the foundation shows another card")
            return
        for face in self.taken[-1]:
            if self.known(face) == top:
                return
        for face in self.taken[-1]:
            if self.known(face) is None:
                self.name(face, top, "foundation")
                return
        raise BrokenError("the foundation shows a card that did not leave last")

    def deal_out(self, after: Look) -> None:
        """That one deck can hold all these cards, and pairs make the total."""
        gone = list(self.look.get("gone_cards") or [])
        top = self.look.get("foundation")
        named = [code for code in gone if code != HIDDEN]
        named += [top] if top is not None and top not in gone else []
        faces = [*self.cells.values(), *self.stock, *self.waste, *self.gone]
        faces += [] if self.held is None else [self.held]
        named += [card for face in faces if (card := self.known(face)) is not None]
        named += [self.fresh_waste] if self.fresh_waste else []
        pool = Counter(self.rules.deck)
        pool.subtract(named)
        twice = [card for card, count in pool.items() if count < 0]
        if twice:
            raise BrokenError(f"more than once: {', '.join(twice)}")
        if not self._adds_up(self.taken, pool):
            raise BrokenError("cards left together that do not make the total")

    def _adds_up(self, taken: list[list[Face]], pool: Counter[str]) -> bool:
        """Whether every removal can make the total with cards of the pool where they are not known."""
        if not taken:
            return True
        (first, *others), rest = taken[0], taken[1:]
        for one in self._may_be(first, pool):
            left = pool - Counter([one] if self.known(first) is None else [])
            if not others:
                if worth(one) == self.rules.total and self._adds_up(rest, left):
                    return True
                continue
            for two in self._may_be(others[0], left):
                still = left - Counter([two] if self.known(others[0]) is None else [])
                if makes_total(one, two, self.rules) and self._adds_up(rest, still):
                    return True
        return False

    def _may_be(self, face: Face, pool: Counter[str]) -> list[str]:
        known = self.known(face)
        return [known] if known is not None else [card for card, count in pool.items() if count > 0]

"""Random endings as somebody may show them: games dealt and played here, of which only a part is told."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle_endings.laying import deck_of
from tests.oracle_endings.playing import Rule, World, after, free_cells, is_won, steps

CODES = {1: "A", 11: "J", 12: "Q", 13: "K"}
MOST_LEFT = 10


class Dealt:
    """One game played at random, with the codes of its cards."""

    def __init__(self, rule: Rule, rng: Random) -> None:
        self.rule, self._rng = rule, rng
        size = rule.rows * (rule.rows + 1) // 2
        worths = deck_of(rule)
        suits = {worth: rng.sample("SHDC", 4) for worth in range(1, rule.total + 1)}
        cards = [("JK", 0) if w == 0 else (CODES.get(w, str(w)) + suits[w].pop(), w) for w in worths]
        rng.shuffle(cards)
        if rule.king_at_apex:
            king = next(at for at, card in enumerate(cards) if card[0] == "KS")
            cards[0], cards[king] = cards[king], cards[0]
        self.code_at: list[str | None] = [code for code, _ in cards[:size]]
        self.stock = [code for code, _ in cards[size:]]
        self.waste: list[str] = []
        self.held: str | None = None
        self.gone: list[str] = []
        self.number = 1
        redeals = None if rule.passes is None else rule.passes - 1
        worth = [w for _, w in cards]
        played = False if rule.idle_ends else None
        self.world = World(tuple(worth[:size]), tuple(worth[size:]), (), None, redeals, played)

    def play_on(self, greedily: float) -> bool:
        """One more legal move, a removal as often as told where there is one; False where there is none."""
        choices = steps(self.world, self.rule)
        if not choices:
            return False
        taking = [step for step in choices if step[0] == "take"]
        step = self._rng.choice(taking if taking and self._rng.random() < greedily else choices)
        self.world = after(self.world, step, self.rule)
        kind, places = step
        if kind == "take":
            for place in places:
                self._take(place)
            return True
        if self.held is not None:
            self.waste.append(self.held)
            self.held = None
        if kind == "redeal":
            self.stock, self.waste, self.number = self.waste, [], self.number + 1
        else:
            drawn, self.stock = self.stock[: self.rule.draw], self.stock[self.rule.draw :]
            if self.rule.held:
                self.held = drawn[0]
            else:
                self.waste += drawn
        return True

    def _take(self, place: object) -> None:
        if place == "held":
            code, self.held = self.held, None
        elif place == "waste":
            code = self.waste.pop()
        else:
            at = int(str(place))
            code, self.code_at[at] = self.code_at[at], None
        self.gone.append(code or "")

    @property
    def left(self) -> int:
        """Cards left in the pyramid."""
        return sum(code is not None for code in self.code_at)

    @property
    def over(self) -> bool:
        """Whether it is won."""
        return is_won(self.world, self.rule)

    def shown(self) -> dict[str, Any]:
        """The position with a part of what is known: by somebody who followed the game, who lost track of it, or who
        sees a picture."""
        rng, rule = self._rng, self.rule
        position: dict[str, Any] = {"pyramid": self._rows()}
        position["waste"] = self.waste[-1] if self.waste else None
        if rule.held:
            position["turned"] = self.held
        followed = rng.random()
        position["stock"] = len(self.stock) if followed < 0.75 else bool(self.stock)
        if followed < 0.7:
            position["waste_cards"] = list(self.waste)
        if followed < 0.6 or (followed > 0.85 and rng.random() < 0.5):
            position["gone_cards"] = list(self.gone)
        elif self.gone and rng.random() < 0.7:
            position["foundation"] = self.gone[-1]
        if rng.random() < 0.2 and self.stock and followed < 0.75:
            known = rng.randrange(len(self.stock))
            position["stock_cards"] = self.stock[:known] + ["??"] * (len(self.stock) - known)
        if rng.random() < 0.8:
            position["pass"] = self.number
        if rule.idle_ends and rng.random() < 0.7:
            position["stock_played"] = self.world.played
        self._forget(position)
        return position

    def _forget(self, position: dict[str, Any]) -> None:
        """Some of what is told is not after all."""
        rng = self._rng
        if "waste_cards" in position and rng.random() < 0.1:
            position["waste_cards"] = ["??" if rng.random() < 0.3 else code for code in position["waste_cards"]]
            position["waste"] = position["waste_cards"][-1] if position["waste_cards"] else None
        if "gone_cards" in position and rng.random() < 0.1:
            position["gone_cards"] = ["??" if rng.random() < 0.1 else code for code in position["gone_cards"]]
        for key in ("turned", "waste"):
            if key in position and rng.random() < 0.02 and "waste_cards" not in position:
                del position[key]

    def _rows(self) -> list[list[str | None]]:
        rng, rule = self._rng, self.rule
        free = free_cells(self.world, rule)
        unread = rng.random() < 0.15
        codes: list[str | None] = []
        for cell, code in enumerate(self.code_at):
            if code is None:
                codes.append(None)
            elif rule.face_down and cell not in free:
                codes.append("??")
            else:
                codes.append("!!" if unread and rng.random() < 0.15 else code)
        return [codes[row * (row - 1) // 2 : row * (row + 1) // 2] for row in range(1, rule.rows + 1)]


def ending(rule: Rule, rng: Random) -> dict[str, Any] | None:
    """One ending; None where the game did not come to one."""
    game = Dealt(rule, rng)
    wanted, greedily = rng.randint(1, MOST_LEFT), rng.choice((0.5, 0.8, 0.95, 1.0))
    seen: list[dict[str, Any]] = []
    for _ in range(150):
        if game.left <= wanted and not game.over:
            seen.append(game.shown())
        if game.over or not game.play_on(greedily):
            break
    return rng.choice(seen) if seen else None

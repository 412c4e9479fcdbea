"""Whether a table wins, or loses, whatever its unseen cards are: by playing every world, and by what a player sees."""

from __future__ import annotations

from collections import defaultdict

from tests.oracle_endings.playing import Rule, Step, World, after, drawn_by, following, free_cells, is_won, steps

MOST_IDLE_REDEALS = 3
"""Redeals without a card taken between them that a player may make: more than enough to see all and to come to each
card again."""

Belief = frozenset[World]


class TooMuch(Exception):  # noqa: N818
    """The case is too large for the brute force."""


class Judge:
    """Judges beliefs, sets of worlds that nobody can tell apart, under one rule; ``known`` are the places of the
    pyramid whose card was seen at first."""

    def __init__(self, rule: Rule, known: frozenset[int], work: int) -> None:
        self._rule, self._known, self._work = rule, known, work
        self._can_be_won: dict[World, bool] = {}
        self._won: dict[tuple[Belief, int], bool] = {}

    def can_be_won(self, start: World) -> bool:
        """Whether somebody who knows the world wins it: every world that can be reached is looked at."""
        if start in self._can_be_won:
            return self._can_be_won[start]
        seen, waiting, won = {start}, [start], False
        while waiting and not won:
            world = waiting.pop()
            if is_won(world, self._rule) or self._can_be_won.get(world):
                won = True
                break
            for child in following(world, self._rule):
                if child not in seen and self._can_be_won.get(child) is not False:
                    self._spend(1)
                    seen.add(child)
                    waiting.append(child)
        if won:
            self._can_be_won[start] = True
        else:
            self._can_be_won.update(dict.fromkeys(seen, False))
        return won

    def seen(self, world: World) -> object:
        """What a player sees of a world, and knows of the pass."""
        rule = self._rule
        faces = tuple(world.pyramid[cell] for cell in free_cells(world, rule))
        shape = tuple(worth is None for worth in world.pyramid)
        return (shape, faces, world.waste[-1:], world.held, bool(world.stock), world.redeals, world.played)

    def told_apart(self, worlds: Belief) -> list[Belief]:
        """The beliefs that looking at the table leads to."""
        parts: dict[object, set[World]] = defaultdict(set)
        for world in worlds:
            parts[self.seen(world)].add(world)
        return [frozenset(part) for part in parts.values()]

    def beyond(self, worlds: Belief, step: Step) -> list[Belief]:
        """The beliefs that a move legal in all these worlds leads to."""
        parts: dict[object, set[World]] = defaultdict(set)
        for world in worlds:
            child = after(world, step, self._rule)
            parts[(self.seen(child), drawn_by(world, step, self._rule))].add(child)
        return [frozenset(part) for part in parts.values()]

    def wins(self, worlds: Belief, idle: int = 0) -> bool:
        """Whether there is a way to play that wins in all these worlds, which look alike so far."""
        if all(is_won(world, self._rule) for world in worlds):
            return True
        key = (worlds, idle)
        if key not in self._won:
            self._spend(len(worlds))
            hopeful = all(self.can_be_won(world) for world in worlds)
            self._won[key] = hopeful and any(self._wins_by(worlds, step, idle) for step in self._choices(worlds))
        return self._won[key]

    def _wins_by(self, worlds: Belief, step: Step, idle: int) -> bool:
        idle = 0 if step[0] == "take" else idle + (step[0] == "redeal")
        return idle <= MOST_IDLE_REDEALS and all(self.wins(part, idle) for part in self.beyond(worlds, step))

    def _choices(self, worlds: Belief) -> list[Step]:
        """The moves legal in all these worlds that take no card of the pyramid whose face was never seen."""
        some = next(iter(worlds))
        told = self._known | set(free_cells(some, self._rule))
        return [step for step in self._legal(some, told) if all(step in self._legal(world, told) for world in worlds)]

    def _legal(self, world: World, told: set[int] | frozenset[int]) -> list[Step]:
        found = steps(world, self._rule)
        if self._rule.stuck and not any(step[0] != "take" for step in found):
            taken = [step for step in found if self._is_told(step, told)]
            if not taken:
                # What could be taken cannot be seen, so it does not keep anybody from turning a card.
                lenient = steps(world, Rule(**{**self._rule.__dict__, "stuck": False}))
                return [step for step in lenient if step[0] != "take"]
            return taken
        return [step for step in found if self._is_told(step, told)]

    def _is_told(self, step: Step, told: set[int] | frozenset[int]) -> bool:
        return all(not isinstance(place, int) or place in told for place in step[1])

    def wins_after(self, worlds: Belief, step: Step) -> bool:
        """Whether a move, the same in all worlds, wins whatever the unseen cards are."""
        for part in self.told_apart(worlds):
            told = self._known | set(free_cells(next(iter(part)), self._rule))
            if not all(step in self._legal(world, told) for world in part):
                return False
            if not self._wins_by(part, step, 0):
                return False
        return True

    def loses_after(self, worlds: Belief, step: Step) -> bool:
        """Whether no world is won after a move by anybody; worlds that do not allow it say nothing."""
        allowed = [world for world in worlds if step in steps(world, self._rule)]
        return not any(self.can_be_won(after(world, step, self._rule)) for world in allowed)

    def loses(self, worlds: Belief) -> bool:
        """Whether no world can be won by anybody."""
        return not any(self.can_be_won(world) for world in worlds)

    def _spend(self, work: int) -> None:
        self._work -= work
        if self._work < 0:
            raise TooMuch

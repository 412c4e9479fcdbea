"""The error tree of the rules.

::

    RulesError (ValueError)
    ├── CardError        a text that names no card
    ├── UnknownGameError a game the catalogue does not have
    ├── RuleError        an option with a wrong name, value or combination
    ├── PositionError    a position that cannot be: wrong shape, keys that contradict each other
    ├── NotNotedError    a score asked for that the position given cannot give
    └── IllegalMove      a move the rules forbid; carries its violations
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.violation import Violation


class RulesError(ValueError):
    """Anything wrong with what was handed to the rules. The text says it in English; ``code`` and ``values`` say it to
    an interface that has sentences of its own (no code: it has only the text)."""

    def __init__(self, text: str = "", code: str = "", /, **values: object) -> None:
        super().__init__(text)
        self.code = code
        self.values = values


class CardError(RulesError):
    """A text that is no card code."""


class UnknownGameError(RulesError):
    """An id the catalogue does not have; the message lists those it has."""


class RuleError(RulesError):
    """An option of a game has a wrong name or value, or does not go with the others."""


class PositionError(RulesError):
    """A position whose shape is not the game's or whose keys contradict each other."""


class NotNotedError(RulesError):
    """A score that needs more than the position or record given shows."""


class IllegalMove(RulesError):  # noqa: N818 - the name says what happened, as house style has it
    """A move that breaks the rules; ``violations`` says which and where."""

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        super().__init__("; ".join(str(violation) for violation in violations))
        self.violations = violations

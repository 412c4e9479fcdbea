"""The options of the pyramid family: one frozen record, the text form of each value, and which values go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, cast

from rules.cards import Card, Rank, deck
from rules.errors import RuleError

FaceRule = Literal["up", "down"]
TurnedRule = Literal["held", "laid"]
GoalRule = Literal["pyramid", "all"]
TurnWhen = Literal["always", "stuck"]


@dataclass(frozen=True, slots=True)
class Options:
    """The rules of one pyramid game. ``passes`` None is unlimited; ``apex`` None is no card chosen beforehand."""

    total: int = 13
    rows: int = 7
    face: FaceRule = "up"
    apex: Card | None = None
    turned: TurnedRule = "laid"
    passes: int | None = 1
    draw: int = 1
    goal: GoalRule = "pyramid"
    turn_when: TurnWhen = "always"
    overlap: bool = False
    jokers: int = 0

    def __post_init__(self) -> None:
        _check_together(self)

    @property
    def layout(self) -> str:
        """The id of the layout, such as ``pyramid-7``; it follows the rows."""
        return f"pyramid-{self.rows}"

    @property
    def values(self) -> Mapping[str, Mapping[str, object]]:
        """Each option's values by their text."""
        return OPTION_VALUES

    @property
    def deck(self) -> tuple[Card, ...]:
        """Every card of the game; cards above the total are not in it."""
        return deck(self.total, self.jokers)

    @property
    def pyramid_size(self) -> int:
        """Cards in the pyramid as dealt."""
        return self.rows * (self.rows + 1) // 2

    @property
    def stock_size(self) -> int:
        """Cards in the stock as dealt."""
        return 4 * self.total + self.jokers - self.pyramid_size

    def to_json(self) -> dict[str, Any]:
        """Every option by name, numbers as numbers, ``passes`` unlimited and no apex as texts."""
        return {
            "total": self.total,
            "rows": self.rows,
            "face": self.face,
            "apex": "none" if self.apex is None else str(self.apex),
            "turned": self.turned,
            "passes": "unlimited" if self.passes is None else self.passes,
            "draw": self.draw,
            "goal": self.goal,
            "turn_when": self.turn_when,
            "overlap": "yes" if self.overlap else "no",
            "jokers": self.jokers,
        }


OPTION_VALUES: Final[Mapping[str, Mapping[str, object]]] = {
    "total": {str(total): total for total in range(5, 14)},
    "rows": {str(rows): rows for rows in range(3, 8)},
    "face": {"up": "up", "down": "down"},
    "apex": {"none": None, "KS": Card.parse("KS")},
    "turned": {"held": "held", "laid": "laid"},
    "passes": {"1": 1, "2": 2, "3": 3, "unlimited": None},
    "draw": {"1": 1, "3": 3},
    "goal": {"pyramid": "pyramid", "all": "all"},
    "turn_when": {"always": "always", "stuck": "stuck"},
    "overlap": {"no": False, "yes": True},
    "jokers": {"0": 0, "2": 2, "3": 3},
}
"""Each option's values by their text, as ``--rule name=value`` and the page write them."""


def parse_options(texts: Mapping[str, str], known: Mapping[str, Mapping[str, object]]) -> dict[str, Any]:
    """The values of option texts, ready for ``dataclasses.replace``, where ``known`` has each option's values by their
    text; raises RuleError for an unknown name or value."""
    return {name: _parse(name, text, known) for name, text in texts.items()}


def option_text(options: Options, name: str) -> str:
    """The text of one option's present value, the inverse of ``parse_options``."""
    return str(options.to_json()[name])


def _parse(name: str, text: str, known: Mapping[str, Mapping[str, object]]) -> object:
    values = known.get(name)
    if values is None:
        rules = ", ".join(known)
        raise RuleError(
            f"there is no rule {name!r} in this game; the rules are {rules}", "no-rule", rule=name, rules=rules
        )
    by_text = {one.lower(): value for one, value in values.items()}
    wanted = str(text).strip().lower()
    if wanted not in by_text:
        rest = ", ".join(values)
        said = f"{name} cannot be {text!r}; it is one of {rest}"
        raise RuleError(said, "rule-value", rule=name, value=text, values=rest)
    return by_text[wanted]


def _check_together(options: Options) -> None:
    for field in fields(Options):
        value = getattr(options, field.name)
        if not any(value == known and type(value) is type(known) for known in OPTION_VALUES[field.name].values()):
            raise RuleError(f"{field.name} cannot be {value!r}; it is one of {', '.join(OPTION_VALUES[field.name])}")
    if options.stock_size < 0:
        raise RuleError(
            f"total {options.total} leaves {4 * options.total + options.jokers} cards,"
            f" but {options.rows} rows need {options.pyramid_size}: take fewer rows or a higher total",
            "few-cards",
            total=options.total,
            cards=4 * options.total + options.jokers,
            rows=options.rows,
            needed=options.pyramid_size,
        )
    if options.apex is not None and cast(Rank, options.apex.rank) > options.total:
        said = f"apex {options.apex} is not in the deck when the total is {options.total}"
        raise RuleError(said, "apex-not-in-deck", apex=options.apex, total=options.total)
    if options.draw == 3 and options.turned == "held":
        said = "draw 3 needs turned laid: three cards turned at once are laid on the waste, none is held"
        raise RuleError(said, "draw-held")

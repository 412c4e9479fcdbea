"""A table on the page: the picture, what a person settled, and what follows. Values only; `desk` changes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion_app.beside import beside, beside_faults
from companion_app.compose import Look, compose
from companion_app.errors import UsageTrouble
from companion_app.spreads import with_foreign
from companion_app.thinking import Thought
from rules.cards import GONE, Card, Seen
from rules.catalogue import Game
from rules.pyramid.faults import Fault, Stage, layout_faults
from rules.pyramid.hint_records import Hints
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition
from rules.pyramid.referee import Explanation, explain
from vision.reading import TableReading

LAST_STEP = 4


@dataclass(frozen=True, slots=True)
class Help:
    """How much of a hint is shown: the step (0 nothing … 4 why) and the key of the move chosen, "" for the best."""

    step: int = 0
    move: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything about one table. `before` is the table one picture earlier; `text` a position given without a picture;
    `story` what happened since `before`. `advised` is what `thought` had found when the table was looked up."""

    id: str
    name: str
    game: Game
    reading: TableReading | None = None
    picture: bytes | None = None
    text: PyramidPosition | None = None
    pins: Mapping[str, Seen] = field(default_factory=dict)
    stage: Stage = "play"
    stock_count: int | None = None
    pass_number: int | None = None
    before: "Table | None" = None
    allowed: bool = False
    thought: Thought | None = None
    advised: Hints | None = None
    thinking: bool = False
    help: Help = Help()
    story: Explanation | None = None
    fits: tuple[str, ...] = ()

    def seen(self) -> PyramidPosition:
        """What the picture (with what was settled) or the text shows, and what was told of the piles."""
        position = self.text if self.reading is None else self._look().position
        if position is None:
            raise UsageTrouble("no-position-here")
        if self.reading is None:
            position = pinned(position, self.pins)
        if self.stock_count is not None:
            cards = position.stock_cards if position.stock_count == self.stock_count else None
            position = replace(position, stock=self.stock_count > 0, stock_count=self.stock_count, stock_cards=cards)
        return replace(position, pass_number=self.pass_number or position.pass_number)

    def _look(self) -> Look:
        assert self.reading is not None
        return compose(self.reading, self.game, self.pins, self.stage)

    def refereed(self) -> "Table":
        """The table with the story since the picture before it worked out."""
        return replace(self, story=explain(self.before.position(), self.seen(), self.game) if self.before else None)

    def position(self) -> PyramidPosition:
        """All that is known of the table now: what is seen, and what follows from the moves before."""
        return self.story.position if self.story and not self.story.violations else self.seen()

    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the layout."""
        faults = layout_faults(self.position(), self.game, self.stage)
        if self.reading is None:
            return faults
        return (*with_foreign(faults, self.reading.foreign), *beside_faults(self.reading, self.pins))

    @property
    def beside(self) -> dict[str, Seen]:
        """What lies beside the layout, by its place."""
        return {} if self.reading is None else beside(self.reading, self.pins)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Places in doubt that are not settled."""
        return () if self.reading is None else tuple(place for place in self.reading.doubts if place not in self.pins)

    @property
    def shown(self) -> int:
        """The number of the move that is shown among those advised, from 0; the best where none was chosen."""
        keys = [move_key(hint.move) for hint in self.advised.hints] if self.advised else []
        return keys.index(self.help.move) if self.help.move in keys else 0

    def looked_up(self) -> "Table":
        """The table with the best answer so far of what is thought about it."""
        if self.thought is None:
            return self
        answer = self.thought.latest()
        return replace(self, advised=answer.hints, thinking=answer.thinking)

    def changed(self, **changes: object) -> "Table":
        """The table with changes that make an earlier hint worthless."""
        worthless: dict[str, object] = {"thought": None, "advised": None, "thinking": False, "help": Help()}
        return replace(self, **{**worthless, **changes})  # type: ignore[arg-type]


def move_key(move: Move) -> str:
    """Tells the moves of a position apart, whatever their rank: better answers may put them in another order."""
    return " ".join((move.kind, *move.places))


def pinned(position: PyramidPosition, pins: Mapping[str, Seen]) -> PyramidPosition:
    """A position with places overridden; what was listed of a changed pile is no longer known."""
    rows = [list(row) for row in position.rows]
    changes: dict[str, object] = {}
    for place, seen in pins.items():
        words = place.split()
        if words[0] == "pyramid":
            rows[int(words[1]) - 1][int(words[2]) - 1] = seen
        else:
            changes[place] = seen is not GONE if place == "stock" else seen
    if "stock" in changes:
        changes |= {"stock_count": None, "stock_cards": None}
    if "waste" in changes:
        changes["waste_cards"] = None
    return replace(position, rows=tuple(tuple(row) for row in rows), **changes)  # type: ignore[arg-type]


def lasting_pins(pins: Mapping[str, Seen], reading: TableReading) -> dict[str, Seen]:
    """The settled cards that still hold on the next picture: those of the pyramid where a face still lies."""
    still = {place for place, seen in reading.places.items() if isinstance(seen, Card)}
    return {place: card for place, card in pins.items() if place in still and place.startswith("pyramid ")}

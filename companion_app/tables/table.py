"""A table on the page: the picture, what a person settled, and what follows. Values only; `desk` changes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from companion_app.beside import beside, beside_faults, is_beside
from companion_app.errors import UsageTrouble
from companion_app.hints.thinking import Thought
from companion_app.tables.compose import sure_cards
from companion_app.tables.game_so_far import answered, doubts, evidence, gone_on, story_of
from companion_app.tables.games import by_rules, fewest_faults, fitting_games, games_left_open, possible_games
from companion_app.tables.practice import Practice
from companion_app.tables.spreads import with_foreign
from rules.cards import UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.families import family_of
from rules.family import AnyMove, Outcome
from rules.fault import Fault, Stage
from rules.following import belief as following
from rules.following.belief import Belief
from rules.following.line import Line, chances
from rules.hint_records import Hints
from rules.looks import Position, Told, cards_told, layout_faults, layouts_of, position_from_places
from rules.pyramid.position import PyramidPosition
from rules.rows.moves import Direction
from rules.rows.places import parse_place
from rules.rows.position import RowPosition
from vision.reading import TableReading

Way = Literal["play", "check", "score"]
WAYS: Final[tuple[Way, ...]] = ("play", "check", "score")
"""What a table is opened for: to be helped in play, to have the layout checked, or to have the game scored."""
LAST_STEP = 4
MOST_LOOKS_AGAIN = 3


@dataclass(frozen=True, slots=True)
class Help:
    """How much of a hint is shown: the step (0 nothing … 4 why) and the key of the move chosen, "" for the best."""

    step: int = 0
    move: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything about one table. `before` is the table one picture earlier; `text` a position given without a picture;
    `story` what happened since `before`. `advised` is what `thought` had found when the table was looked up. `fits` are
    the games that fit; `asked` those of them that it may as well be of, until a person says which. `hindsight` is what
    a person settled on a later picture of cards that lay here already. `belief` is what is believed of the game after
    this look, if it is not the first, and `basis` what that follows from; `answer` what a person said happened.
    `stock_count`, `pass_number`, `direction` and `reversed` are what a person told that no picture shows. `look` is the
    number of its picture or text, not used again. `edited`: a person moved cards of a row that was read or
    given, or pointed at piles on the picture, which since then are looked for there (`pointed`).
    `way`: what it was opened for. `confirmed`: the player said that its score counts as the table lies now. `practice`:
    the sums that a person has practised at it.
    `can_undo`, `can_redo`: whether there is a change to take back, or one that was taken back, and `watched` what the
    camera above it was seen to show, when the table was looked up."""

    id: str
    name: str
    game: Game
    reading: TableReading | None = None
    picture: bytes | None = None
    text: Position | None = None
    pins: Mapping[str, Seen] = field(default_factory=dict)
    stage: Stage = "play"
    stock_count: int | None = None
    pass_number: int | None = None
    direction: Direction | None = None
    reversed: bool | None = None
    before: "Table | None" = None
    allowed: bool = False
    thought: Thought | None = None
    advised: Hints[Any] | None = None
    thinking: bool = False
    help: Help = Help()
    story: Told | None = None
    belief: Belief | None = None
    answer: str | None = None
    basis: tuple[object, ...] = field(default=(), compare=False)
    edited: bool = False
    pointed: bool = False
    way: Way = "play"
    confirmed: bool = False
    can_undo: bool = field(default=False, compare=False)
    can_redo: bool = field(default=False, compare=False)
    watched: TableReading | None = field(default=None, compare=False)
    fits: tuple[str, ...] = ()
    asked: tuple[Game, ...] = ()
    hindsight: Mapping[str, Seen] = field(default_factory=dict)
    look: int = 0
    practice: Practice = field(default_factory=Practice)

    @property
    def settled(self) -> dict[str, Seen]:
        """What persons settled, on this picture or a later one; what was settled on this one goes before."""
        return {**self.hindsight, **self.pins}

    def seen(self) -> Position:
        """What the picture (with what was settled) or the text shows, and what was told that neither shows."""
        if self.reading is not None:
            position = position_from_places(self.game, {**self.reading.places, **self.settled})
        elif self.text is not None:
            position = self.text.with_seen(self.settled)
        else:
            raise UsageTrouble("no-position-here")
        if isinstance(position, RowPosition):
            turned = position.reversed if self.reversed is None else self.reversed
            return replace(position, direction=self.direction or position.direction, reversed=turned)
        if self.stock_count is not None:
            cards = position.stock_cards if position.stock_count == self.stock_count else None
            position = replace(position, stock=self.stock_count > 0, stock_count=self.stock_count, stock_cards=cards)
        return replace(position, pass_number=self.pass_number or position.pass_number)

    def layouts(self) -> tuple[str, ...]:
        """The layouts that the cards may be laid as: the one of the picture, or those that the text leaves open."""
        found = self.reading.layout if self.reading else None
        return layouts_of(self.seen()) if found is None or self.reading is None else (found, *self.reading.also)

    def sure_cards(self) -> list[Seen]:
        """The cards seen surely, on this picture and those before."""
        earlier = self.before.sure_cards() if self.before and not self.is_anew else []
        if self.reading is not None:
            return [*earlier, *sure_cards(self.reading, self.settled)]
        return [*earlier, *cards_told(self.seen())]

    def recognised(self) -> "Table":
        """The table as the game that it is most likely of, to be asked about where several are as likely."""
        seen = self.seen()
        layout = self.layouts()[0]
        cards = self.sure_cards()
        open_too = games_left_open(self.reading.also if self.reading else (), cards)
        possible = [*possible_games(layout, cards), *open_too]
        able = [game for game in possible if _goes_on_to(game, seen)]
        likely = fewest_faults(
            able or possible,
            lambda game: len(layout_faults(replace(self, game=game).seen(), game, self.stage)),
        )
        return replace(
            self,
            game=next((game for game in likely if game.id == self.game.id), likely[0]),
            asked=likely if len(by_rules(likely)) > 1 else (),
            fits=tuple(game.id for game in (*fitting_games(layout, cards), *open_too)),
        )

    def refereed(self) -> "Table":
        """The table with what is believed of the game since the picture before it; what was settled of cards that lay
        there already holds for that picture too."""
        if self.before is None:
            return self
        before = self.before.in_hindsight(self.settled, self)
        if self._follows_from(self._basis(before)):
            return self
        earlier = before.game_so_far()
        seen = evidence(self.reading, self.seen(), self.settled)
        belief = following.counted(gone_on(earlier, seen, self.settled), self.stock_count, self.pass_number)
        belief = answered(belief, self.answer, allowed=self.allowed)
        standing = before.story.violations if before.story else ()
        found = replace(self, before=before, belief=belief, story=story_of(belief, standing))
        if found.is_anew:
            found = replace(found, before=before.in_hindsight({}, self))
        return replace(found, basis=found._basis(found.before))

    def _basis(self, before: "Table | None") -> tuple[object, ...]:
        """All that the belief follows from."""
        said = tuple(self.settled.items())
        told = self.stock_count, self.pass_number, self.direction, self.reversed, self.allowed, self.answer
        return before, self.reading, self.text, self.game, said, told

    def _follows_from(self, basis: tuple[object, ...]) -> bool:
        """Whether the belief follows from just this."""
        old, values = self.basis, 3
        same = len(old) == len(basis) and all(one is other for one, other in zip(old[:values], basis, strict=False))
        return self.belief is not None and same and old[values:] == basis[values:]

    def game_so_far(self) -> Belief:
        """What is believed of the game after this look."""
        if self.belief is not None:
            return self.belief
        seen = self.seen()
        return following.start(self.game, evidence(self.reading, seen, self.settled), seen)

    def as_game(self, game: Game) -> "Table":
        """The table, and those before it, refereed as another game."""
        before = self.before.as_game(game) if self.before else None
        return replace(self, game=game, before=before, belief=None).refereed()

    def in_hindsight(self, pins: Mapping[str, Seen], later: "Table") -> "Table":
        """The table with what a person settled on the picture after it of cards that evidently lay here already."""
        known = {
            place: card for place, card in pins.items() if isinstance(card, Card) and self._lay(place, card, later)
        }
        return self if known == self.hindsight else replace(self, hindsight=known).refereed()

    def _lay(self, place: str, card: Card, later: "Table") -> bool:
        """Whether the card at a place is the one that a later picture shows there: in the pyramid a card that was seen
        stays the same, and in a row game one that was seen nowhere else cannot have come; a pile must have been read
        alike."""
        if self.reading is None or later.reading is None or is_beside(place):
            return False
        here, there = self.reading.places.get(place), later.reading.places.get(place)
        if not isinstance(here, Card) and here is not UNREADABLE:
            return False
        nowhere_else = parse_place(place) is not None and card not in self.reading.places.values()
        return place.startswith("pyramid ") or nowhere_else or here == there

    @property
    def is_proposed(self) -> bool:
        """Whether it was opened to be scored, and the player has not said yet that the score counts."""
        return self.way == "score" and not self.confirmed

    @property
    def is_anew(self) -> bool:
        """Whether the picture shows a new deal or another table than the picture before it."""
        return self.story is not None and self.story.table != "same"

    @property
    def is_open(self) -> bool:
        """Whether it is open what happened: another look, or a person, must tell."""
        return self.belief is not None and not self.belief.is_clear

    @property
    def wants_look(self) -> bool:
        """Whether another look may tell what happened; when many have not, only a person is waited for."""
        return self.is_open and self.belief is not None and self.belief.unclear <= MOST_LOOKS_AGAIN

    def ways(self) -> tuple[Line, ...]:
        """The ways in which the game may have gone that are open, the likeliest first; none where it is clear."""
        return () if self.belief is None or self.belief.is_clear else (self.belief.best, *self.belief.rivals)

    def has_news(self, before: "Table") -> bool:
        """Whether the look shows anything that the table before does not tell, as far as its picture can be trusted."""
        if self.story is None or self.belief is None or before.is_open:
            return True
        if self.is_hidden:
            return False
        stood = before.story.violations if before.story else ()
        changed = self.story.violations != stood or self.story.undone or self.story.table != "same"
        # That an earlier look took a card for another one is news as well.
        told = bool(self.belief.best.event.corrected)
        return bool(changed or self.story.moves or self.is_open or told)

    @property
    def is_hidden(self) -> bool:
        """Whether too little of the look could be seen to take anything of it."""
        return self.belief is not None and self.belief.best.event.kind == "hidden"

    @property
    def is_broken(self) -> bool:
        """Whether what lies there breaks a rule."""
        return self.belief is not None and self.belief.best.odd is not None

    @property
    def outcome(self) -> Outcome:
        """Whether the game is won or lost as the table lies, or still open."""
        return family_of(self.game).outcome(self.position(), self.game)

    @property
    def is_won(self) -> bool:
        """Whether the game is won as the table lies."""
        return self.outcome == "won"

    def position(self) -> Position:
        """All that is known of the table now: what is seen, and what follows from the looks before."""
        return self.seen() if self.belief is None else self.belief.best.position

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
        """Places in doubt that are not settled; what earlier looks told surely is in doubt no more."""
        if self.reading is None:
            return ()
        found = self.reading.doubts if self.belief is None else doubts(self.belief, self.reading)
        return tuple(place for place in found if place not in self.settled)

    def guesses(self, place: str) -> dict[Seen, float]:
        """What may lie at a place by all looks, with its chance, the likeliest first; nothing where only the picture
        tells."""
        told = chances(self.belief.best, place) if self.belief else {}
        return dict(sorted(told.items(), key=lambda one: -one[1]))

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
        """The table with changes that make an earlier hint worthless; how much help is wanted stays."""
        worthless: dict[str, object] = {"thought": None, "advised": None, "thinking": False}
        worthless["help"] = Help(self.help.step)
        return replace(self, **{**worthless, **changes})  # type: ignore[arg-type]


def move_key(move: AnyMove) -> str:
    """Tells the moves of a position apart, whatever their rank: better answers may put them in another order."""
    return " ".join((move.kind, *move.places))


def _goes_on_to(game: Game, seen: Position) -> bool:
    """Whether a game has the pass and so large a stock as a position tells."""
    if not isinstance(seen, PyramidPosition):
        return True
    passes, stock = game.options.passes, seen.stock_count or 0
    return (passes is None or (seen.pass_number or 1) <= passes) and stock <= game.options.stock_size


def lasting_pins(pins: Mapping[str, Seen], earlier: TableReading | None, later: TableReading) -> dict[str, Seen]:
    """The settled cards that still hold on a later picture: those of a pyramid where a face still lies, and those of a
    row game where both pictures were read alike and the card is not seen elsewhere now."""

    def lasts(place: str, card: Seen) -> bool:
        there = later.places.get(place)
        if place.startswith("pyramid "):
            return isinstance(there, Card)
        if earlier is None or parse_place(place) is None or earlier.places.get(place) != there:
            return False
        return all(other == place for other, seen in later.places.items() if seen == card)

    return {place: card for place, card in pins.items() if lasts(place, card)}

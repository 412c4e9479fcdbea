"""Half rows that a picture does not tell, or of which a reading takes a column of cards for the bases, are read anew by
where they lay before."""

from dataclasses import replace

from companion_app.tables.following import carried_on, evidence_of, in_place
from rules.catalogue import GAMES
from rules.following import belief as following
from rules.rows.places import parse_place
from rules.rows.position import RowPosition
from rules.simulation import deal_of
from tests.companion_app.fakes import FakeEyes, row_quad, row_reading
from vision.errors import PictureError
from vision.layout.by_hand import ByHand
from vision.layout.in_place import Asked
from vision.reading import TableReading

GAME = GAMES["arcydzielo"]


class Eyes(FakeEyes):
    """Eyes that see what they are told where a person points half rows out, and note what they were asked."""

    def __init__(self, seen: TableReading | None) -> None:
        super().__init__()
        self.seen, self.pointed = seen, list[ByHand]()

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        """What was told; refused where that is nothing."""
        if layout is None:
            cards = (replace(card, place=f"table {n}") for n, card in enumerate(right().cards, start=1))
            return replace(right(), layout=None, cards=tuple(cards), places={})
        assert isinstance(layout, ByHand)
        self.pointed.append(layout)
        if self.seen is None:
            raise PictureError("no-layout")
        return self.seen


def right() -> TableReading:
    """A deal with every card where it lies."""
    position = deal_of(GAME, 5)
    assert isinstance(position, RowPosition)
    told = row_reading(position)
    return replace(told, cards=tuple(replace(card, quad_xy=row_quad(card.place)) for card in told.cards))


def beside(told: TableReading) -> TableReading:
    """The same with all cards of the half rows told one place farther to the right than they lie."""

    def name(place: str) -> str:
        stack, index = parse_place(place) or (None, 0)
        if stack is None or stack.kind != "half":
            return place
        if stack.side == "right":
            return stack.place(index + 1)
        return replace(stack, side="right").place(1) if index == 1 else stack.place(index - 1)

    cards = tuple(replace(card, place=name(card.place)) for card in told.cards)
    return replace(told, cards=cards, places={card.place: card.card for card in cards})


def test_half_rows_told_beside_where_they_lie_are_read_where_they_lay() -> None:
    told = right()
    belief = following.start(GAME, evidence_of(told))
    places = {card.place: card.quad_xy for card in told.cards}
    eyes = Eyes(told)
    found = in_place(eyes, b"", beside(told), belief, places)
    assert found.places == told.places
    (asked,) = eyes.pointed
    assert asked.layout == GAME.layout
    assert {"base 1", "base 4", "left", "right"} == set(asked.corners)
    assert in_place(Eyes(beside(told)), b"", beside(told), belief, places).places != told.places
    assert in_place(Eyes(None), b"", beside(told), belief, places).places != told.places


def test_half_rows_told_where_they_lie_are_not_read_again() -> None:
    told, eyes = right(), Eyes(None)
    belief = following.start(GAME, evidence_of(told))
    assert in_place(eyes, b"", told, belief, {card.place: card.quad_xy for card in told.cards}) == told
    assert not eyes.pointed


def test_half_rows_that_are_not_told_by_themselves_are_read_where_they_lay() -> None:
    told = right()
    belief = following.start(GAME, evidence_of(told))
    places = {card.place: card.quad_xy for card in told.cards}
    eyes = Eyes(told)
    assert carried_on(eyes, b"", belief, places) == told
    assert len(eyes.pointed) == 1
    # Where that tells nothing either, each card of the spread lies where the place is on which it lies.
    found = carried_on(Eyes(None), b"", belief, places)
    assert found is not None and {card.place: card.card for card in found.cards} == {
        card.place: card.card for card in told.cards
    }

"""A look that missed a card amid a row, or took something there for one, is told with all others at their places."""

from dataclasses import replace
from random import Random

import pytest

from rules.cards import GONE, UNREADABLE, Card, Seen
from rules.catalogue import GAMES
from rules.families import family_of
from rules.following import belief as following
from rules.following.alignment import OVERSEEN, aligned, ways_it_may_lie
from rules.following.evidence import Evidence
from rules.following.likely_looks import proposals
from rules.looks import lying, position_from_places
from rules.rows.position import RowPosition

GAME = GAMES["arcydzielo"]
ROW = [f"right 2 {number}" for number in range(1, 9)]


def dealt() -> RowPosition:
    position = family_of(GAME).deal(GAME, Random(7))
    assert isinstance(position, RowPosition)
    return position


def look_of(position: RowPosition, cards: list[Seen]) -> Evidence:
    """The look in which these cards are read in the row, one after the other."""
    rest = {place: card for place, card in lying(position) if place not in ROW}
    return Evidence({p: {c: 0.99} for p, c in (rest | dict(zip(ROW, cards, strict=False))).items()})


@pytest.fixture
def position() -> RowPosition:
    return dealt()


@pytest.fixture
def row(position: RowPosition) -> list[Seen]:
    return [card for place, card in lying(position) if place in ROW]


def read(evidence: Evidence) -> list[Seen | None]:
    return [evidence.best(place) for place in ROW if place in evidence.chances]


def test_of_a_card_missed_amid_others_nothing_is_told(position: RowPosition, row: list[Seen]) -> None:
    assert len(row) >= 3
    told = aligned(look_of(position, [row[0], *row[2:]]), position)
    assert read(told) == [row[0], None, *row[2:]] and told.hides(ROW[1])
    belief = following.start(GAME, look_of(position, row))
    after = following.followed(belief, look_of(position, [row[0], *row[2:]]))
    assert after.is_clear and not after.best.event.violations and after.best.moves == ()


@pytest.mark.parametrize("missed", range(2))
def test_a_gap_may_seem_to_be_elsewhere_than_where_a_card_was_missed(
    position: RowPosition, row: list[Seen], missed: int
) -> None:
    rest = [card for at, card in enumerate(row) if at != missed]
    evidence = look_of(position, [*rest[:-1], UNREADABLE, rest[-1]])
    # The next card may look a little like the one that was missed.
    looks = {row[0]: 0.02, rest[0]: 0.9}
    chances = {**evidence.chances, ROW[len(row) - 2]: {}, ROW[0]: looks}
    told = aligned(replace(evidence, chances=chances), position)
    assert read(told) == [None if at == missed else card for at, card in enumerate(row)]
    assert told.log_laid == OVERSEEN


def test_a_card_missed_at_every_look_has_not_vanished(position: RowPosition, row: list[Seen]) -> None:
    belief = following.start(GAME, look_of(position, row))
    for _ in range(8):
        belief = following.followed(belief, look_of(position, [row[0], *row[2:]]))
        assert belief.is_clear and not belief.best.event.violations
        assert dict(lying(belief.best.position))[ROW[1]] == row[1]


def test_of_a_row_that_lies_as_it_may_well_have_lain_nothing_was_missed(position: RowPosition, row: list[Seen]) -> None:
    fewer = look_of(position, [row[0], *row[2:]])
    other = position_from_places(GAME, fewer.look)
    assert aligned(fewer, position).chances != fewer.chances == aligned(fewer, other).chances


def test_what_was_taken_for_a_card_amid_others_is_left_out(position: RowPosition, row: list[Seen]) -> None:
    told = aligned(look_of(position, [*row[:1], row[0], *row[1:]]), position)
    assert read(told) == row


def test_a_gap_amid_a_row_is_closed(position: RowPosition, row: list[Seen]) -> None:
    assert read(aligned(look_of(position, [row[0], GONE, *row[1:]]), position)) == row


def test_where_nothing_is_told_amid_a_row_there_is_a_gap_if_all_cards_are_read(
    position: RowPosition, row: list[Seen]
) -> None:
    more = look_of(position, [row[0], row[0], *row[1:]])
    gap = replace(more, chances={**more.chances, ROW[1]: {}})
    told = aligned(gap, position)
    assert read(told) == row and told.log_laid == 0
    assert following.followed(following.start(GAME, look_of(position, row)), gap).best.event.kind == "nothing"


def test_the_last_card_of_a_row_may_have_left(position: RowPosition, row: list[Seen]) -> None:
    fewer = look_of(position, row[:-1])
    assert aligned(fewer, position).chances == fewer.chances


def test_a_card_drawn_from_amid_a_row_that_shows_elsewhere_was_not_missed(
    position: RowPosition, row: list[Seen]
) -> None:
    moved = look_of(position, [row[0], *row[2:]])
    end = f"left 1 {len(position.left[0]) + 1}"
    shown = Evidence({**moved.chances, end: {row[1]: 0.99}})
    assert aligned(shown, position).chances == shown.chances


def test_another_card_at_a_place_shifts_nothing(position: RowPosition, row: list[Seen]) -> None:
    other = look_of(position, [row[0], Card.parse("2H") if row[1] != Card.parse("2H") else Card.parse("3H"), *row[2:]])
    assert aligned(other, position).chances == other.chances


def test_two_cards_laid_at_the_end_of_a_row_are_both_new(position: RowPosition, row: list[Seen]) -> None:
    new = [card for card in (Card.parse("2H"), Card.parse("3H"), Card.parse("4H")) if card not in row][:2]
    longer = look_of(position, [*row, *new])
    assert aligned(longer, position).chances == longer.chances


def test_the_last_card_of_a_row_was_missed_where_another_lies_upon_it(position: RowPosition, row: list[Seen]) -> None:
    laid = position.left[0][-1]
    built = look_of(position, [*row[:-1], laid])
    told = aligned(built, position)
    assert read(told) == [*row[:-1], None, laid] and told.hides(ROW[len(row) - 1])
    # Unless it shows elsewhere: then it was taken, and the other card laid in its place.
    elsewhere = Evidence({**built.chances, f"left 1 {len(position.left[0])}": {row[-1]: 0.99}})
    assert aligned(elsewhere, position).chances == elsewhere.chances


@pytest.mark.parametrize("extra", [UNREADABLE, None], ids=["unreadable", "twice"])
def test_where_the_whole_deck_is_read_nothing_else_is_a_card(
    position: RowPosition, row: list[Seen], extra: Seen | None
) -> None:
    more = look_of(position, [row[0], row[0] if extra is None else extra, *row[1:]])
    more = replace(more, chances={**more.chances, ROW[1]: {more.look[ROW[1]]: 0.6}})
    belief = following.start(GAME, more)
    assert dict(lying(belief.best.position)) == dict(lying(position))
    # Of a deck of which a card is not read, what cannot be read may be that card.
    rest = {place: one for place, one in more.chances.items() if place != "left 1 1"}
    assert following.start(GAME, replace(more, chances=rest)).best.position != position


def test_among_as_many_as_before_the_last_was_missed_under_another_or_taken_for_it(
    position: RowPosition, row: list[Seen]
) -> None:
    built = look_of(position, [*row[:-1], position.left[0][-1]])
    hidden, plain = ways_it_may_lie(built, position)
    assert hidden.hides(ROW[len(row) - 1]) and hidden.log_laid == OVERSEEN
    assert plain.chances == built.chances and plain.log_laid == 0
    # Of fewer than before one was missed: there is no other way.
    [fewer] = ways_it_may_lie(look_of(position, [row[0], *row[2:]]), position)
    assert fewer.log_laid == OVERSEEN


def test_a_card_misread_amid_as_many_as_before_shifts_none() -> None:
    game = GAMES["ulubiony"]
    position = family_of(game).deal(game, Random(7))
    look = dict(lying(position))
    column = [place for place in look if place.startswith("left column")]
    strange = next(card for card in look.values() if isinstance(card, Card) and card not in map(look.get, column))
    dim: dict[Seen, float] = {UNREADABLE: 0.75}
    chances = {place: {seen: 0.99} for place, seen in look.items()}
    chances |= dict.fromkeys(column[:-1], dim) | {column[1]: {strange: 0.35}}
    dark = Evidence(chances)
    assert aligned(dark, position).chances == chances


def test_of_two_cards_missed_amid_others_nothing_is_told_and_more_are_no_oversight(
    position: RowPosition, row: list[Seen]
) -> None:
    long = [*row, *position.left[0][-2:]][: len(ROW)]
    row_2 = tuple(tuple(long) if n == 1 else cards for n, cards in enumerate(position.right))
    shorter = (position.left[0][:-2], *position.left[1:])
    longer = replace(position, right=row_2, left=shorter)
    told = aligned(look_of(longer, [long[0], long[2], *long[4:]]), longer)
    assert read(told)[:5] == [long[0], None, long[2], None, long[4]]
    fewer = look_of(longer, [long[0], *long[4:]])
    assert aligned(fewer, longer).chances == fewer.chances


def test_cards_that_a_foundation_may_have_taken_under_others_were_not_missed() -> None:
    game = GAMES["piwnica"]
    position = family_of(game).deal(game, Random(7))
    assert isinstance(position, RowPosition)
    nine, eight, seven, six = (Card.parse(code) for code in ("9D", "8D", "7D", "6D"))
    others = [card for card in (Card.parse("2H"), Card.parse("3H")) if card not in position.left[1]]
    before = replace(position, bases=(nine, *position.bases[1:]), right=((seven, eight), *position.right[1:]))
    chances = {place: {card: 0.99} for place, card in lying(before) if not place.startswith("right 1 ")}
    # All three went to the foundation, and another card was laid into the empty row.
    taken = Evidence({**chances, "base 1": {six: 0.99}, "right 1 1": {others[0]: 0.99}})
    assert aligned(taken, before).chances == taken.chances
    # The foundation took none: both were missed, for cards do not vanish.
    missed = aligned(Evidence({**chances, "right 1 1": {others[0]: 0.99}}), before)
    assert missed.hides("right 1 1") and missed.hides("right 1 2") and missed.best("right 1 3") == others[0]


def test_a_card_taken_for_one_that_is_missed_elsewhere_does_not_show_it(position: RowPosition, row: list[Seen]) -> None:
    fewer = look_of(position, [row[0], *row[2:]])
    place = next(place for place in fewer.chances if place.startswith("left 1 "))
    lay = fewer.best(place)
    assert isinstance(lay, Card)
    doubted = Evidence({**fewer.chances, place: {row[1]: 0.6, lay: 0.3}})
    assert aligned(doubted, position).hides(ROW[1])


def test_of_a_row_from_whose_end_several_cards_went_one_may_have_been_missed_as_well(
    position: RowPosition, row: list[Seen]
) -> None:
    assert len(row) >= 5
    told = aligned(look_of(position, row[1:-2]), position)
    assert read(told) == [None, *row[1:-2]] and told.hides(ROW[0])


def test_a_card_that_a_foundation_shows_was_not_misread_where_it_lay() -> None:
    """The first card of a reversed column left, and of the others one too many was read amid them."""
    game = GAMES["ulubiony"]
    dealt = family_of(game).deal(game, Random(3))
    assert isinstance(dealt, RowPosition)
    stack = next(one for one in dealt.stacks() if one.kind == "column" and len(dealt.cards_in(one)) > 2)
    first, *rest = dealt.cards_in(stack)
    lies = {place: {card: 0.99} for place, card in lying(dealt) if not place.startswith(stack.place(1)[:-1])}
    doubtful = dict.fromkeys(rest[:1], 0.2)
    read = [{rest[0]: 0.99}, doubtful, *({card: 0.99} for card in rest[1:])]
    look = {**lies, **{stack.place(n): chances for n, chances in enumerate(read, start=1)}}
    still = aligned(Evidence(look), dealt)
    assert [still.best(stack.place(n)) for n in range(1, len(read) + 1)] == [
        max(one, key=one.__getitem__) for one in read
    ]
    gone = aligned(Evidence({**look, "base 1": {first: 0.99}}), dealt)
    assert [gone.best(stack.place(n)) for n in range(1, len(rest) + 1)] == rest


def test_in_a_column_that_moved_up_a_card_that_was_missed_is_the_one_that_lay_below() -> None:
    """Its first card left, another one shows elsewhere, and one amid the others was not seen."""
    game = GAMES["ulubiony"]
    deal = family_of(game).deal(game, Random(3))
    lay = dict(lying(deal))
    column = [place for place in lay if place.startswith("left column")]
    first, *others = [lay[place] for place in column]
    assert len(others) >= 4
    look = {place: card for place, card in lay.items() if place not in column} | dict(zip(column, others, strict=False))
    elsewhere = next(place for place in reversed(look) if place.startswith("right 1"))
    look[elsewhere] = first
    chances: dict[str, dict[Seen, float]] = {place: {card: 0.99} for place, card in look.items()}
    chances[column[2]] = {}
    line = following.start(game, Evidence({place: {card: 0.99} for place, card in lay.items()})).best
    tried = [
        {place: way[place] for place in (*column[:-1], elsewhere)}
        for _, _, way in proposals(line, Evidence(chances), game)
    ]
    assert {place: look[place] for place in (*column[:-1], elsewhere)} in tried

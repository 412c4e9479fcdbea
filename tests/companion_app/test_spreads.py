"""Cards without a layout: which cards of the deck are not to be seen, which lie there twice, which are foreign."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_app.languages import CODES, language
from companion_app.languages.phrases import fault_phrase, missing_phrases
from companion_app.tables.compose import compose, read_answer
from companion_app.tables.spreads import MOST_OF_A_DECK, is_counted
from rules.cards import FACE_DOWN, UNREADABLE, Seen, deck, parse_seen
from tests.companion_app.fakes import spread


def answer(cards: Sequence[Seen], **more: tuple[str, ...]) -> dict[str, object]:
    return read_answer("spread.jpg", compose(spread(cards, **more), None))


@given(st.sets(st.sampled_from(deck())), st.lists(st.sampled_from([FACE_DOWN, UNREADABLE])))
def test_every_spread_tells_which_cards_of_the_deck_it_does_not_show(cards: set[Seen], others: list[Seen]) -> None:
    shown = {parse_seen(str(card)) for card in answer([*cards, *others])["missing"]}  # type: ignore[attr-defined]
    assert shown | cards == set(deck())
    assert not shown & cards


@given(st.sets(st.sampled_from(deck())))
def test_a_few_cards_however_often_are_no_deck_laid_out_to_be_counted(cards: set[Seen]) -> None:
    missing = answer([*cards, *cards])["missing"]
    assert is_counted(missing) == (len(cards) >= MOST_OF_A_DECK)  # type: ignore[arg-type]


def told(cards: Sequence[Seen], **more: tuple[str, ...]) -> list[str]:
    return missing_phrases(language("en"), answer(cards, **more))


ALL_BUT_ONE = [card for card in deck() if str(card) != "7C"]


def test_a_card_is_missing_where_all_others_are_read_surely() -> None:
    assert told(ALL_BUT_ONE) == ["The 7 of clubs is missing."]
    assert told(ALL_BUT_ONE[1:]) == ["2 cards are missing: ace of spades, 7 of clubs."]
    assert told(deck()) == ["All 52 cards of the deck are there."]


@pytest.mark.parametrize("other", [FACE_DOWN, UNREADABLE])
def test_a_card_is_only_not_to_be_seen_where_another_lies_unread(other: Seen) -> None:
    assert told([*ALL_BUT_ONE, other]) == [
        "One card is not to be seen: 7 of clubs.",
        "One card lies face down or cannot be read: it may be one of these.",
    ]
    assert told([*deck(), other]) == ["All 52 cards of the deck are there."]


def test_a_foreign_card_is_surely_none_of_those_missing() -> None:
    assert told([*ALL_BUT_ONE, UNREADABLE], foreign=("table 52",)) == ["The 7 of clubs is missing."]


def test_a_card_in_doubt_may_be_the_one_that_is_not_to_be_seen() -> None:
    assert told(ALL_BUT_ONE, doubts=("table 3",)) == [
        "One card is not to be seen: 7 of clubs.",
        "One card was not read surely: look at it first.",
    ]
    assert told(deck(), doubts=("table 3", "table 4")) == [
        "All 52 cards of the deck are there.",
        "2 cards were not read surely: look at these first.",
    ]


def test_two_of_a_card_are_a_duplicate_with_both_their_places() -> None:
    cards = [parse_seen(code) for code in ("7C", "KD", "7C", "JK", "JK")]
    assert answer(cards)["faults"] == [
        {"kind": "duplicate-card", "places": ["table 1", "table 3"], "cards": ["7C", "7C"]}
    ]


def test_a_second_of_a_card_that_is_in_doubt_is_asked_about_instead() -> None:
    told = answer([parse_seen("7C"), parse_seen("7C")], doubts=("table 2",))
    assert told["faults"] == []
    assert told["doubts"] == ["table 2"]


def test_a_foreign_card_is_told_from_one_that_cannot_be_read() -> None:
    told = answer([UNREADABLE, UNREADABLE], doubts=("table 1", "table 2"), foreign=("table 2",))
    assert [(fault["kind"], fault["places"]) for fault in told["faults"]] == [  # type: ignore[attr-defined]
        ("unreadable", ["table 1"]),
        ("foreign-card", ["table 2"]),
    ]


@pytest.mark.parametrize("code", CODES)
def test_missing_and_foreign_cards_are_named_in_every_language(code: str) -> None:
    spoken = language(code)
    seven = spoken.card("7C")
    (missing,), (none,) = (missing_phrases(spoken, answer(cards)) for cards in (ALL_BUT_ONE, deck()))
    assert seven in missing
    assert seven not in none
    foreign = fault_phrase(spoken, {"kind": "foreign-card", "places": ["table 4"], "cards": ["!!"]})
    assert spoken.place("table 4") in foreign
    assert spoken.card("!!") not in foreign

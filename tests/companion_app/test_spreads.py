"""Cards without a layout: which cards of the deck are not to be seen, which lie there twice, which are foreign."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_app.compose import compose, read_answer
from companion_app.languages import CODES, language
from companion_app.phrases import fault_phrase, missing_phrase
from companion_app.spreads import MOST_OF_A_DECK
from rules.cards import FACE_DOWN, UNREADABLE, Seen, deck, parse_seen
from vision.reading import SeenCard, TableReading

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.4), (0.0, 1.4))


def spread(cards: Sequence[Seen], doubts: tuple[str, ...] = (), foreign: tuple[str, ...] = ()) -> TableReading:
    places = [f"table {number}" for number in range(1, len(cards) + 1)]
    seen = tuple(SeenCard(p, c, 0.9, p in doubts, ((c, 0.9),), QUAD) for p, c in zip(places, cards, strict=True))
    return TableReading(100, 100, None, seen, {}, doubts, (), {"total": 1.0}, foreign)


def answer(cards: Sequence[Seen], **more: tuple[str, ...]) -> dict[str, object]:
    return read_answer("spread.jpg", compose(spread(cards, **more), None))


@given(st.sets(st.sampled_from(deck()), min_size=MOST_OF_A_DECK), st.lists(st.sampled_from([FACE_DOWN, UNREADABLE])))
def test_a_deck_laid_out_is_told_what_it_lacks(cards: set[Seen], others: list[Seen]) -> None:
    shown = {parse_seen(str(card)) for card in answer([*cards, *others])["missing"]}  # type: ignore[attr-defined]
    assert shown | cards == set(deck())
    assert not shown & cards


@given(st.sets(st.sampled_from(deck()), max_size=MOST_OF_A_DECK - 1))
def test_a_few_cards_are_no_deck_that_lacks_others(cards: set[Seen]) -> None:
    assert "missing" not in answer([*cards, *cards])


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
    assert seven in missing_phrase(spoken, ["7C", "KD"])
    assert missing_phrase(spoken, []) != missing_phrase(spoken, ["7C"])
    foreign = fault_phrase(spoken, {"kind": "foreign-card", "places": ["table 4"], "cards": ["!!"]})
    assert spoken.place("table 4") in foreign
    assert spoken.card("!!") not in foreign

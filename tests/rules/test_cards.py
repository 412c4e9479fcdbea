"""Cards and their codes."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import FACE_DOWN, GONE, JOKER, UNREADABLE, Card, Rank, Suit, deck, parse_seen, seen_code, seen_text
from rules.errors import CardError

cards = st.one_of(st.just(JOKER), st.builds(Card, st.sampled_from(Rank), st.sampled_from(Suit)))
seen = st.one_of(cards, st.sampled_from((FACE_DOWN, UNREADABLE, GONE)))


@given(cards)
def test_card_code_round_trips(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert Card.parse(f" {str(card).lower()} ") == card
    assert pickle.loads(pickle.dumps(card)) == card


@given(seen)
def test_what_is_seen_round_trips_through_json_and_text(value: Card) -> None:
    assert parse_seen(seen_code(value)) == value
    assert parse_seen(seen_text(value)) == value


@pytest.mark.parametrize(("code", "text"), [("10H", "10H"), ("th", "10H"), ("TH", "10H"), ("as", "AS"), ("jk", "JK")])
def test_codes_are_accepted_in_any_case_and_t_for_ten(code: str, text: str) -> None:
    assert str(Card.parse(code)) == text


@pytest.mark.parametrize("text", ["", "H", "10", "11H", "1S", "0S", "KX", "??", "K S", "JKS", "10HH"])
def test_what_is_no_card_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(CardError, match="is no card"):
        Card.parse(text)


def test_ranks_carry_their_worth() -> None:
    assert [rank.code for rank in Rank] == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    assert Rank.SIX + Rank.SEVEN == Rank.KING == 13
    assert JOKER.worth == 0 and JOKER.is_joker


def test_decks_have_four_suits_of_the_ranks_up_to_the_highest() -> None:
    assert len(deck()) == len(set(deck())) == 52
    assert len(deck(10)) == 40 and len(deck(9)) == 36
    assert max(card.worth for card in deck(9)) == 9
    assert deck(13, 3)[-3:] == (JOKER, JOKER, JOKER)


def test_repr_rebuilds_a_card() -> None:
    rebuilt = repr(Card.parse("10H")).replace("<Rank.TEN: 10>", "Rank.TEN").replace("<Suit.HEARTS: 'H'>", "Suit.HEARTS")
    assert eval(rebuilt, {"Card": Card, "Rank": Rank, "Suit": Suit}) == Card.parse("10H")


def test_a_card_with_a_rank_but_no_suit_is_refused() -> None:
    with pytest.raises(CardError):
        Card(Rank.ACE, None)

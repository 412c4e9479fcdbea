"""What the languages say: cards, numbers and phrases in each of them."""

import re

import pytest

from companion_app.languages import CODES, language, preferred
from companion_app.languages.phrases import breach_phrase, move_phrase, percent
from tests.companion_app.command_line import run


def test_polish_counts_as_polish_does() -> None:
    polish = language("pl")
    assert [polish.count("table.read", n) for n in (1, 3, 5, 13, 22)] == [
        "odczytano 1 kartę",
        "odczytano 3 karty",
        "odczytano 5 kart",
        "odczytano 13 kart",
        "odczytano 22 karty",
    ]


def test_cards_are_named_in_each_language() -> None:
    assert [language(code).card("8H") for code in CODES] == ["8 of hearts", "hertta 8", "8 kier", "hjerter 8"]


def test_finnish_court_cards_and_aces_are_one_word() -> None:
    named = [language("fi").card(code) for code in ("KS", "AH", "QD", "JC", "10S")]
    assert named == ["patakuningas", "herttaässä", "ruutukuningatar", "ristijätkä", "pata 10"]


def test_decimals_have_a_comma_in_finnish_polish_and_norwegian() -> None:
    assert [language(code).say("hint.cards-left", n=2.5)[-3:] for code in CODES] == ["2.5", "2,5", "2,5", "2,5"]
    assert [percent(language(code), 0.125, 1) for code in CODES] == ["12.5%", "12,5\u00a0%", "12,5%", "12,5\u00a0%"]
    assert [language(code).number(12345) for code in CODES] == ["12,345", *["12\u00a0345"] * 3]


@pytest.mark.parametrize("code", CODES)
def test_the_commands_write_decimals_as_the_language_does_and_json_with_points(code: str) -> None:
    small = ("simulate", "--game", "math-pyramid", "--policy", "random", "--deals", "3", "--lang", code)
    said, data = run(*small).stdout, run(*small, "--json").stdout
    sign = "." if code == "en" else ","
    assert re.search(rf"\d{re.escape(sign)}\d\s?%", said)
    assert not re.search(r"\d[.]\d" if code != "en" else r"\d,\d", said)
    assert '"estimate": 0.0' in data


def test_a_card_that_nobody_saw_is_no_face_down_card() -> None:
    move = {"kind": "pair", "cards": ["5H", "??"], "places": ["pyramid 7 1", "waste"]}
    assert move_phrase(language("en"), move) == "Pair: 5 of hearts + unseen card"
    breach = {"breach": "covered", "cards": ["??", "??"], "places": ["waste", "pyramid 6 1"]}
    assert "unseen card, face-down card (waste; row 6, place 1)" in breach_phrase(language("en"), breach)


@pytest.mark.parametrize(
    ("accept", "code"),
    [
        ("pl,en;q=0.8", "pl"),
        ("no", "nb"),
        ("de, fi;q=0.5, en;q=0.3", "fi"),
        ("", "en"),
        ("fi;q=0", "en"),
        ("fi;q=x", "en"),
    ],
)
def test_the_browser_says_which_language(accept: str, code: str) -> None:
    assert preferred(accept) == code

"""What the page shows of cards without a layout, as plain values for the template."""

from collections.abc import Sequence
from typing import Any

from companion_app.drawing.marks import Marks
from companion_app.drawing.photo import LOOSE_LABEL, draw_overlay
from companion_app.drawing.suits import SIGNS
from companion_app.languages import Language
from companion_app.languages.phrases import missing_phrases
from companion_app.tables.chooser import chooser_view, question_view
from companion_app.tables.compose import read_answer
from companion_app.tables.spread_table import Spread
from companion_app.tables.spreads import is_counted
from companion_app.views.view import advice_view, faults_view, read_view
from rules.cards import JOKER, Card, Rank, Seen, Suit, deck, seen_code

PLAIN_SIGNS = {"??": "▒", "!!": "?", "JK": "JK", "None": "·"}


def spread_view(spoken: Language, spread: Spread, place: str | None) -> dict[str, Any]:
    """Everything the template of a spread names."""
    answer = read_answer(spread.name, spread.look())
    seen = spread.seen
    chosen = None
    if place in seen and place is not None:
        chosen = chooser_view(spoken, spread, place, seen[place], (*deck(), JOKER), is_in_line=False)
    marks = Marks(
        doubtful=frozenset(answer["doubts"]),
        pinned=frozenset(spread.pins),
        faulty=frozenset(spot for fault in answer["faults"] for spot in fault["places"]),
        chosen=place if chosen else None,
    )
    return {
        "table": spread,
        "overlay": draw_overlay(spread.reading, marks, spread.pins, LOOSE_LABEL),
        "read": read_view(spread),
        "advice": advice_view(spoken, spread),
        "groups": groups_of(spoken, spread, marks),
        "deck": deck_view(spread),
        "told": missing_phrases(spoken, answer),
        "absent": absent_cards(spoken, answer["missing"]),
        "counted": is_counted(answer["missing"]),
        "faults": faults_view(spoken, answer["faults"]),
        "questions": [question_view(spoken, spread, spot) for spot in answer["doubts"]],
        "chooser": chosen,
    }


def groups_of(spoken: Language, spread: Spread, marks: Marks) -> list[list[dict[str, Any]]]:
    """The cards to be listed, in groups: one for each suit and one for the rest, or all as they lie."""
    lying = spread.seen
    cards = list(lying.items())
    if spread.order == "suit":
        suits = [[item for item in cards if isinstance(item[1], Card) and item[1].suit is suit] for suit in Suit]
        for group in suits:
            group.sort(key=lambda item: _rank(item[1]))
        known = {place for group in suits for place, _ in group}
        groups = [*suits, [item for item in cards if item[0] not in known]]
    else:
        groups = [cards]
    first = marks.chosen or next((place for group in groups for place, _ in group), "")
    return [[entry(spoken, lying, item, (marks, first)) for item in group] for group in groups if group]


def _rank(seen: Seen) -> int:
    return seen.rank if isinstance(seen, Card) and seen.rank is not None else 0


def entry(spoken: Language, lying: dict[str, Seen], item: tuple[str, Seen], how: tuple[Marks, str]) -> dict[str, Any]:
    """One card of the list; `how`: the marks, and the place that Tab reaches."""
    (place, seen), (marks, first) = item, how
    code = seen_code(seen)
    alike = sum(other == seen for other in lying.values()) if isinstance(seen, Card) and not seen.is_joker else 1
    said = {"cell.doubtful": place in marks.doubtful, "cell.pinned": place in marks.pinned}
    parts = [spoken.card(code), spoken.place(place), *(spoken.say(key) for key, wanted in said.items() if wanted)]
    if alike > 1:
        parts.append(spoken.say("spread.alike", n=alike))
    return {
        "place": place,
        "id": "cell-" + place.replace(" ", "-"),
        "sign": PLAIN_SIGNS.get(str(code)) or f"{str(code)[:-1]}{SIGNS[str(code)[-1]]}",
        "red": str(code)[-1:] in ("H", "D"),
        "label": "; ".join(parts),
        "classes": marks.classes(place),
        "alike": alike,
        "tab": 0 if place == first else -1,
    }


def absent_cards(spoken: Language, missing: Sequence[str]) -> list[dict[str, str]]:
    """The missing cards to choose from, should one lie there after all; none where most of the deck is elsewhere."""
    if not is_counted(missing):
        return []
    return [{"code": code, "name": spoken.card(code), "sign": f"{code[:-1]}{SIGNS[code[-1]]}"} for code in missing]


def deck_view(spread: Spread) -> list[dict[str, Any]]:
    """The 52 cards suit by suit, each with how often it is seen."""
    seen = list(spread.seen.values())
    return [
        {
            "suit": SIGNS[suit.value],
            "red": suit in (Suit.HEARTS, Suit.DIAMONDS),
            "cards": [{"rank": str(Card(rank, suit))[:-1], "seen": seen.count(Card(rank, suit))} for rank in Rank],
        }
        for suit in Suit
    ]

"""Sentences for people, made from the data of the contract: moves, faults, breaches and hints."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from companion_app.languages import Language
from rules.rows.places import CELLAR, Stack

WIDEST_INTERVAL = 0.6
UNREAD = ("??", "!!")
PILES = ("stock", "turned", "waste", "foundation")
SEVERAL = ("misplaced", "wrong-apex")
"""Faults of which the cards are of different sorts."""


def cards_phrase(language: Language, cards: Sequence[str | None], joint: str = ", ") -> str:
    """Names of cards as a list."""
    return joint.join(language.card(card) for card in cards)


def places_phrase(language: Language, places: Sequence[str]) -> str:
    """Names of places as a list."""
    return "; ".join(language.place(place) for place in places)


def stack_name(spoken: Language, stack: Stack) -> str:
    """The name of a half row, a column, the cellar, or the base column."""
    if stack.kind == "half":
        return spoken.say(f"area.{stack.side}", row=stack.row)
    if stack.kind == "column":
        return spoken.say(f"area.{stack.side}-column")
    return spoken.say("area.base") if stack.kind == "base" else spoken.place(CELLAR)


def move_phrase(language: Language, move: Mapping[str, Any]) -> str:
    """A move as a list of its cards, with the place where it goes if it goes somewhere."""
    if move["kind"] == "direction":
        return language.say(f"rows.{move['places'][0]}")
    goal = language.place(move["places"][-1]) if move["places"] else ""
    # A card that moved lay face up: one that nobody saw is no face-down card.
    names = [language.say("seen.unseen") if card == "??" else language.card(card) for card in move["cards"]]
    return language.say(f"move.{move['kind']}", cards=" + ".join(names), goal=goal)


def fault_phrase(language: Language, fault: Mapping[str, Any]) -> str:
    """What is wrong, with which cards, where."""
    is_gap = fault["kind"] == "missing-card" and not fault["cards"]
    return _named(language, "fault.gap" if is_gap else f"fault.{fault['kind']}", fault)


def breach_phrase(language: Language, breach: Mapping[str, Any]) -> str:
    """Which rule a move broke, with which cards, where."""
    key = f"breach.{breach['breach']}"
    return _named(language, key if key in language else "breach.other", breach, unseen_in=PILES)


def _named(language: Language, key: str, data: Mapping[str, Any], unseen_in: Sequence[str] = ()) -> str:
    text = language.say(key) if key in language else key.partition(".")[2]
    detail = fault_detail(language, data, unseen_in)
    return f"{text}: {detail}" if detail else text


def fault_detail(language: Language, data: Mapping[str, Any], unseen_in: Sequence[str] = ()) -> str:
    """The cards of a fault or breach, each once, with their places in brackets; of a card of no deck the place alone. A
    card without a face at one of the places `unseen_in` lay face up there, and nobody saw it."""
    kind = data.get("kind")
    if kind in SEVERAL and len(data["cards"]) == len(data["places"]):
        return _each_in_its_place(language, data)
    known = [] if kind in ("foreign-card", "unreadable") and data["cards"] == ["!!"] else data["cards"]
    names = [
        language.say("seen.unseen") if card == "??" and place in unseen_in else language.card(card)
        for card, place in zip_longest(known, data["places"][: len(known)])
    ]
    cards, places = ", ".join(dict.fromkeys(names)), places_phrase(language, data["places"])
    return f"{cards} ({places})" if cards and places else cards or places


def _each_in_its_place(language: Language, data: Mapping[str, Any]) -> str:
    """What lies wrongly, each with its place, and apart from it what is wanted there, or the place that is empty."""
    told = list(zip(data["cards"], data["places"], strict=True))
    wrong = told[:1] if data["kind"] == "wrong-apex" else [one for one in told if one[0] is not None]
    rest = [one for one in told if one not in wrong]
    found, others = (", ".join(f"{language.card(card)} ({language.place(place)})" for card, place in part)
                     for part in (wrong, rest))  # fmt: skip
    if not found or not others:
        return found or others
    if data["kind"] == "wrong-apex":
        return language.say("fault.wanted", found=found, wanted=others)
    return f"{found}; {others}"


def missing_phrases(language: Language, answer: Mapping[str, Any]) -> list[str]:
    """Which cards of the deck the answer to a spread does not name, and what else may be one of them.

    They are called missing only where every card that lies there is read and none is in doubt.
    """
    missing, cards = answer["missing"], answer["cards"]
    foreign = {place for fault in answer["faults"] if fault["kind"] == "foreign-card" for place in fault["places"]}
    unread = sum(card["card"] in UNREAD and card["place"] not in foreign for card in cards)
    doubted = sum(card["doubtful"] and card["card"] not in UNREAD for card in cards)
    lines = [language.say("missing.none")]
    if missing:
        key = "missing.unseen" if unread or doubted else "missing.cards"
        lines = [language.count(key, len(missing), cards=cards_phrase(language, missing))]
    if missing and unread:
        lines.append(language.count("missing.unread", unread))
    if doubted:
        lines.append(language.count("missing.doubted", doubted))
    return lines


def advice_phrase(language: Language, code: str, places: Sequence[str]) -> str:
    """What would make the next picture read better, and which cards it is about (of what lies outside: no card)."""
    key = f"advice.{code}"
    text = language.say(key if key in language else "advice.other")
    return f"{text} ({places_phrase(language, places)})" if places and code != "outside" else text


def area_of(places: Sequence[str]) -> list[str]:
    """Every place of the parts of the table in which the given places lie: a third of a row each, or a pile."""
    area = []
    for place in places:
        words = place.split()
        if words[0] != "pyramid":
            area.append(place)
            continue
        row, side = int(words[1]), _third(int(words[1]), int(words[2]))
        area += [f"pyramid {row} {column}" for column in range(1, row + 1) if _third(row, column) == side]
    return list(dict.fromkeys(area))


def area_phrase(language: Language, places: Sequence[str]) -> str:
    """The parts of the table to look at, as a list."""
    parts = []
    for place in places:
        words = place.split()
        if words[0] == "pyramid":
            side = language.say(f"hint.side.{_third(int(words[1]), int(words[2]))}")
            parts.append(language.say("hint.area.row", row=words[1], side=side))
        elif place in PILES:
            parts.append(language.place(place))
    return "; ".join(dict.fromkeys(parts))


def _third(row: int, column: int) -> str:
    centre = (column - 0.5) / row
    return "left" if centre < 1 / 3 else "right" if centre > 2 / 3 else "middle"


def hint_lines(language: Language, hint: Mapping[str, Any], others: Iterable[Mapping[str, Any]] = ()) -> list[str]:
    """Why a hint is given: how sure it is, the chance to win, in how many moves, or the cards expected to stay.
    others: the hints given with it, one of which may win in fewer moves."""
    lines = [hint["reason"], language.say(f"certainty.{hint['certainty']}")]
    win = hint["win"]
    if win["high"] - win["low"] > WIDEST_INTERVAL:
        lines.append(language.say("hint.win-unknown"))
    elif win["low"] == win["high"]:
        lines.append(language.say("hint.win-sure", estimate=percent(language, win["estimate"])))
    else:
        low, high = percent(language, win["low"]), percent(language, win["high"])
        lines.append(language.say("hint.win", estimate=percent(language, win["estimate"]), low=low, high=high))
    if hint["moves_to_win"]:
        fewest = min((other["moves_to_win"] for other in others if other["moves_to_win"]), default=hint["moves_to_win"])
        lines.append(length_phrase(language, hint["moves_to_win"], hint["shortest"], fewest))
    else:
        lines.append(language.say("hint.cards-left", n=round(hint["cards_left"], 1)))
    return lines


def score_phrase(language: Language, score: Mapping[str, Any]) -> str:
    """What a score counts, to be read after its figure: `cards left in the pyramid`."""
    scheme, parts = score["scheme"], score["parts"]
    if scheme == "par":
        return language.say("score.par")
    if scheme == "cards-left":
        # Where all cards are to go, those in hand count beside those of the pyramid.
        scheme = "cards-off" if "rows" in parts else "cards-all" if len(parts) > 1 else scheme
    return language.count(f"score.{scheme}", score["score"])


def score_parts(language: Language, score: Mapping[str, Any]) -> list[str]:
    """What a score is made of, a counted phrase for each part that counts; nothing where it has one part alone."""
    scheme, parts = score["scheme"], score["parts"]
    if len(parts) < 2:
        return []
    if scheme == "par":
        return [
            language.say("score.part.game", n=name.rpartition(" ")[2], score=language.number(count))
            for name, count in parts.items()
        ]
    kind = "points" if scheme == "points" else "left"
    return [language.count(f"score.part.{kind}.{name}", count) for name, count in parts.items() if count]


def length_phrase(language: Language, moves: int, shortest: bool, fewest: int | None = None) -> str:
    """In how many moves a line wins, and whether none is shorter, as far as that is proven. fewest: in how many another
    line that is known wins."""
    if fewest is not None and fewest < moves:
        return language.count("hint.line-longer", moves)
    return language.count("hint.line-shortest" if shortest else "hint.line-open", moves)


def reason_phrase(language: Language, reason: Mapping[str, Any]) -> str:
    """Why a move is worth it."""
    key = f"reason.{reason['code']}"
    return language.say(key, cards=cards_phrase(language, reason["cards"])) if key in language else reason["code"]


def percent(language: Language, share: float, digits: int = 0) -> str:
    """A share as per cent."""
    return language.percent(share, digits)

"""Positions, faults, moves and breaches for people, in the terminal."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console

from companion_app.languages import Language
from companion_app.languages.phrases import breach_phrase, fault_phrase

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
CELL = 6


def card_mark(code: str | None) -> str:
    """A card as rank and suit sign, with the colour of its suit; always of the same width."""
    if code is None:
        return f"[dim]{'·':^{CELL}}[/dim]"
    if code[-1] not in SUIT_SIGNS:
        return f"{code:^{CELL}}"
    sign = code[:-1] + SUIT_SIGNS[code[-1]]
    return f"[red]{sign:^{CELL}}[/red]" if code[-1] in "HD" else f"[bold]{sign:^{CELL}}[/bold]"


def show_position(console: Console, language: Language, position: Mapping[str, Any]) -> None:
    """A position of either family as the player sees it."""
    if "pyramid" in position:
        show_pyramid(console, language, position)
    else:
        show_rows(console, language, position)


def show_rows(console: Console, language: Language, position: Mapping[str, Any]) -> None:
    """The half rows on both sides of the base column, columns outermost, the cellar below; then what was chosen."""
    sides = [position["left"], position["right"]]
    widths = [max((len(row) for row in side), default=0) * CELL for side in sides]
    columns = [position.get("left_column") or [], position.get("right_column") or []]
    bases = position["base"]
    for index in range(max(len(sides[0]), len(bases), *(len(column) for column in columns))):
        row = [side[index] if index < len(side) else [] for side in sides]
        left = " " * (widths[0] - len(row[0]) * CELL) + "".join(card_mark(code) for code in reversed(row[0]))
        right = "".join(card_mark(code) for code in row[1]) + " " * (widths[1] - len(row[1]) * CELL)
        outer = [card_mark(column[index]) if index < len(column) else " " * CELL for column in columns]
        middle = card_mark(bases[index]) if index < len(bases) else " " * CELL
        parts = [outer[0], left, f"|{middle}|", right, outer[1]] if any(columns) else [left, f"|{middle}|", right]
        console.print("".join(parts).rstrip())
    told = [f"{language.place('cellar')} {card_mark(position['cellar']).strip()}"] if "cellar" in position else []
    told += [language.say(f"rows.{position['direction']}")] if "direction" in position else []
    told += [language.say("rows.reversed")] if position.get("reversed") else []
    free = [language.place(f"base {row}") for row in position.get("free_centre", ())]
    told += [f"{language.say('rows.free')}: {', '.join(free)}"] if free else []
    if told:
        console.print("   ".join(told))


def show_pyramid(console: Console, language: Language, position: Mapping[str, Any]) -> None:
    """The pyramid as the player sees it, with the piles below."""
    rows = position.get("pyramid") or []
    for number, row in enumerate(rows, start=1):
        indent = " " * ((len(rows) - number) * CELL // 2)
        console.print(indent + "".join(card_mark(code) for code in row))
    piles = [
        f"{language.place(pile)} {_pile(language, pile, position)}"
        for pile in ("stock", "turned", "waste", "foundation")
        if pile in position
    ]
    console.print("   ".join(piles))


def _pile(language: Language, pile: str, position: Mapping[str, Any]) -> str:
    value = position[pile]
    if pile != "stock":
        return card_mark(value).strip()
    if isinstance(value, bool):
        return "+" if value else "0"
    return str(value)


def show_faults(console: Console, language: Language, faults: Iterable[Mapping[str, Any]]) -> None:
    """Every fault on a line."""
    for fault in faults:
        console.print(f"[bold red]![/bold red] {fault_phrase(language, fault)}")


def show_breaches(console: Console, language: Language, breaches: Iterable[Mapping[str, Any]]) -> None:
    """Every breach on a line."""
    for breach in breaches:
        console.print(f"[bold red]✕[/bold red] {breach_phrase(language, breach)}")

"""Positions, faults, moves and breaches for people, in the terminal."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console

from companion_app.languages import Language
from companion_app.phrases import breach_phrase, fault_phrase

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

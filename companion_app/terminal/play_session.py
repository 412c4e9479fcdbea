"""A conversation about a patience at the terminal: a line typed, an answer as data; nothing is printed here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion_app.errors import UnreadableTrouble
from companion_app.hints.advise import advise, hint_answer
from companion_app.languages import Language
from companion_app.languages.phrases import area_phrase
from companion_app.terminal.attempts import attempt, meant, places_of, wanted_of
from companion_app.terminal.consoles import plain_sign
from companion_app.terminal.sitting import Sitting
from companion_app.terminal.whereabouts import partners
from companion_app.views.row_view import first_phrase, look_at
from companion_app.views.story_view import REMOVALS
from rules.cards import Card
from rules.errors import NotNotedError, RuleError
from rules.families import family_of
from rules.family import AnyMove
from rules.hint_records import Hints
from rules.looks import Position
from rules.record import record_text
from rules.rows.position import RowPosition
from rules.scoring import SCHEMES, score_records

WORDS = ("hint", "undo", "redo", "moves", "partners", "rules", "save", "show", "help", "quit")
HELP = "?"
MOST_DIGITS = 6
WHERE, CARDS, WHY = 2, 3, 4
"""The steps of a hint after the first, which says whether there is a move."""

Think = Callable[[Callable[[float], Any]], Any]


@dataclass(slots=True)
class Session:
    """A game being played. ``think`` calls what it is given with the seconds a hint may take.
    ``seed``: None where nothing was drawn."""

    sitting: Sitting
    seed: int | None
    language: Language
    think: Think
    step: int = 0
    hints_asked: int = 0
    taken_back: int = 0
    saved_as: str = ""
    advice: tuple[Any, Hints[Any]] | None = None

    def state(self, did: str, **more: object) -> dict[str, Any]:
        """The game as it stands, after what was done."""
        sitting = self.sitting
        return {
            "game": sitting.game.id,
            "seed": self.seed,
            "did": did,
            **more,
            "made": len(sitting.moves),
            "position": sitting.view.to_json(),
            "moves": [move.to_json() for move in sitting.legal],
            "outcome": sitting.outcome,
        }

    def answer(self, line: str) -> dict[str, Any]:
        """What comes of a line; raises UnreadableTrouble where it can be neither a move nor a word."""
        first, *rest = line.split()
        word = self._word(first)
        acts: dict[str, Callable[[], dict[str, Any]]] = {
            "hint": lambda: self._hint(rest),
            "undo": self._undo,
            "redo": self._redo,
            "partners": lambda: self._partners(rest),
            "rules": lambda: self.state("rules", rules=self.sitting.game.to_json()),
            "save": lambda: self._save(line.split(maxsplit=1)[1:]),
        }
        if word in acts:
            return acts[word]()
        if word:
            return self.state(word)
        return self._move(line)

    def is_end(self, line: str) -> bool:
        """Whether a line ends the game."""
        return self._word(line.split()[0]) == "quit"

    def ended(self) -> dict[str, Any]:
        """The game as it was left: its scores, its record, and what helped."""
        scores = []
        for scheme in SCHEMES:
            try:
                scores.append(score_records(scheme, [self.sitting.replayed()]).to_json())
            except (RuleError, NotNotedError):
                continue  # no score of this family, or of a match
        aids = {"hints": self.hints_asked, "undone": self.taken_back}
        return self.state("quit", scores=scores, aids=aids, record=record_text(self.sitting.record()))

    def _word(self, text: str) -> str:
        """The word meant, in English or in the language spoken, accents or not; empty for none."""
        spoken = {_plain(self.language.say(f"play.word.{word}")): word for word in WORDS}
        known = {**spoken, **{word: word for word in WORDS}, HELP: "help"}
        return known.get(_plain(text), "")

    def _move(self, line: str) -> dict[str, Any]:
        legal = self.sitting.legal
        if line.strip().isdecimal():
            number = int(line.strip()[:MOST_DIGITS])
            if not 1 <= number <= len(legal):
                raise UnreadableTrouble("number", self.language.say("play.no-number", n=number))
            return self._made(legal[number - 1])
        wanted = wanted_of(line.split())
        if wanted is None:
            raise UnreadableTrouble("word", self.language.say("play.unknown", text=line.strip()))
        fitting = meant(wanted, legal, self.sitting.view)
        if len(fitting) == 1:
            return self._made(fitting[0])
        if fitting:
            return self.state("several", fitting=[number + 1 for number, move in enumerate(legal) if move in fitting])
        if self.sitting.outcome == "won":
            raise UnreadableTrouble("word", self.language.say("verdict.won"))
        tried = attempt(wanted, self.sitting.view, self.sitting.game)
        if tried is None:
            unseen = [card for card in wanted.cards if not places_of(self.sitting.view, card)]
            names = ", ".join(self.language.card(str(card)) for card in unseen or wanted.cards)
            raise UnreadableTrouble("card", self.language.say("play.not-seen", cards=names))
        broken = family_of(self.sitting.game).violations(self.sitting.view, tried, self.sitting.game)
        if not broken:
            return self._made(tried)
        return self.state("illegal", move=tried.to_json(), violations=[breach.to_json() for breach in broken])

    def _made(self, move: AnyMove) -> dict[str, Any]:
        self.sitting, self.step = self.sitting.play(move), 0
        return self.state("move", move=self.sitting.moves[-1].to_json())

    def _undo(self) -> dict[str, Any]:
        if not self.sitting.moves:
            return self.state("undo", move=None)
        back = self.sitting.moves[-1]
        self.sitting, self.step, self.taken_back = self.sitting.undo(), 0, self.taken_back + 1
        return self.state("undo", move=back.to_json())

    def _redo(self) -> dict[str, Any]:
        if not self.sitting.undone:
            return self.state("redo", move=None)
        self.sitting, self.step = self.sitting.redo(), 0
        return self.state("redo", move=self.sitting.moves[-1].to_json())

    def _partners(self, rest: Sequence[str]) -> dict[str, Any]:
        if len(rest) != 1:
            raise UnreadableTrouble("word", self.language.say("play.which-card"))
        card = Card.parse(rest[0])
        found = partners(self.sitting.view, self.sitting.game, card)
        return self.state("partners", card=str(card), partners=found)

    def _save(self, rest: Sequence[str]) -> dict[str, Any]:
        name = rest[0].strip() if rest else ""
        if not name:
            raise UnreadableTrouble("word", self.language.say("play.which-file"))
        try:
            with Path(name).open("w" if name == self.saved_as else "x", encoding="utf-8") as file:
                file.write(record_text(self.sitting.record()))
        except FileExistsError as error:
            raise UnreadableTrouble("not-kept", self.language.say("play.there-already", name=name)) from error
        except (OSError, ValueError) as error:
            raise UnreadableTrouble("not-kept", self.language.say("error.not-kept", name=name, why=error)) from error
        self.saved_as = name
        return self.state("save", saved=name)

    def _hint(self, rest: Sequence[str]) -> dict[str, Any]:
        """One step more than before, or the step named."""
        asked = int(rest[0][:MOST_DIGITS]) if rest and rest[0].isdecimal() else self.step + 1
        self.step = max(1, min(asked, WHY))
        view, game = self.sitting.view, self.sitting.game
        if self.sitting.outcome != "open" or not self.sitting.legal:
            return self.state("hint", hint={"step": self.step, "verdict": self._end(), "says": ""})
        if self.sitting.is_being_dealt:
            says = self.language.say("hint.choice")
            return self.state("hint", hint={"step": self.step, "verdict": "undecided", "says": says})
        if self.advice is None or self.advice[0] is not view:
            self.advice = (view, self.think(lambda seconds: advise(view, game, seconds)))
        self.hints_asked += 1
        found = hint_answer(self.advice[1], self.language)
        return self.state("hint", hint=self._told(found, view))

    def _end(self) -> str:
        return {"won": "won", "lost": "lost"}.get(self.sitting.outcome, "undecided")

    def _told(self, found: dict[str, Any], view: Position) -> dict[str, Any]:
        """So much of the best hint as its step tells."""
        if not found["hints"]:
            return {"step": self.step, "verdict": found["verdict"], "says": self.language.say("hint.none")}
        best = found["hints"][0]
        move = best["move"]
        told: dict[str, Any] = {"step": self.step, "verdict": found["verdict"], "says": self._first(move, view)}
        if self.step >= WHERE:
            told["area"] = self._area(move, view)
        if self.step >= CARDS:
            told["move"] = move
        if self.step >= WHY:
            told["why"] = best
        return told

    def _first(self, move: dict[str, Any], view: Position) -> str:
        if isinstance(view, RowPosition):
            return first_phrase(self.language, move)
        return self.language.say("hint.remove" if move["kind"] in REMOVALS else "hint.turn-only")

    def _area(self, move: dict[str, Any], view: Position) -> str:
        if isinstance(view, RowPosition):
            return look_at(self.language, view, move)[1]
        return area_phrase(self.language, move["places"] if move["kind"] in REMOVALS else move["places"][:1])


def _plain(text: str) -> str:
    return "".join(map(plain_sign, text.lower()))

"""The replay of a game on the page: one frame of it, what is told of it, and what hindsight says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion_app.drawing.board import board_of
from companion_app.drawing.drawing import draw_position
from companion_app.drawing.marks import Marks
from companion_app.languages import Language
from companion_app.languages.phrases import breach_phrase, length_phrase, move_phrase, percent, places_phrase
from companion_app.library.frames import Frame, Settled
from companion_app.views.story_view import told_lines
from companion_app.views.view import cell_name
from rules.cards import Seen, seen_code
from rules.review import Review


@dataclass(frozen=True, slots=True)
class Back:
    """What is known of a game looking back: its review, whether that is under way, and whether there can be one."""

    review: Review | None = None
    is_under_way: bool = False
    is_possible: bool = False
    seconds: int = 0


def frame_view(
    spoken: Language, frames: Sequence[Frame], step: int, settled: Sequence[Settled], helped: Mapping[int, int]
) -> dict[str, Any]:
    """One frame of a game, its number from 1. helped: the steps of help shown, by the looks of the game."""
    frame = frames[step - 1]
    each = frame.look
    told = told_lines(spoken, each) if frame.is_look else []
    moves = [move_phrase(spoken, move.to_json()) for move in each.story.moves] if each.story else []
    move = move_phrase(spoken, frame.move.to_json()) if frame.move else ""
    lines = [line for line in told if line not in moves] if move else told
    found = notes(spoken, frame, settled) if frame.is_look else []
    shown = helped.get(each.look, 0) if frame.is_look else 0
    if shown:
        found.append((spoken.say("replay.help"), spoken.say(f"hint.step.{shown}")))
    return {
        "step": step,
        "all": len(frames),
        "board": _board(spoken, frame),
        "picture": f"/tables/{each.id}/looks/{each.look}.jpg" if each.reading is not None else "",
        "look": spoken.say("replay.look", n=frame.look_number, name=each.name) if each.name else "",
        "move": move or lines[0],
        "part_of": spoken.say("replay.one-of", n=frame.number, all=frame.of) if frame.of > 1 else "",
        "lines": lines if move else lines[1:],
        "notes": found,
    }


def _board(spoken: Language, frame: Frame) -> str:
    each, position = frame.look, frame.position
    places = frame.move.places if frame.move else ()
    broken = each.story.violations if frame.is_look and each.story and not each.allowed else ()
    marks = Marks(
        pair=tuple(places[:2]),
        pinned=frozenset(each.pins) if frame.is_look else frozenset(),
        illegal=frozenset(place for one in broken for place in one.places),
    )
    plain = Marks(pinned=marks.pinned, illegal=marks.illegal)
    cells = board_of(position.to_json()).cells
    labels = {cell.place: cell_name(spoken, each, position, plain, cell.place, cell.code) for cell in cells}
    named = Marks(pair=marks.pair, pinned=marks.pinned, illegal=marks.illegal, labels=labels)
    return draw_position(position.to_json(), named, title=spoken.say("table.board"))


def notes(spoken: Language, frame: Frame, settled: Sequence[Settled]) -> list[tuple[str, str]]:
    """What was in doubt, corrected or broken at a look, and how that was settled: a head and what it is about."""
    each = frame.look
    found: list[tuple[str, str]] = []
    if each.reading is not None and each.reading.doubts:
        found.append((spoken.say("replay.doubts"), places_phrase(spoken, each.reading.doubts)))
    corrected = each.belief.best.event.corrected if each.belief else {}
    later = {place: seen for place, seen in each.hindsight.items() if place not in each.pins}
    for key, said in (("told", each.pins), ("later", later), ("corrected", corrected)):
        if said:
            found.append((spoken.say(f"replay.{key}"), _named(spoken, said)))
    for one in settled:
        if one.look != each.look:
            continue
        broken = "; ".join(breach_phrase(spoken, breach) for breach in one.violations)
        what = f"{spoken.say('replay.breach')}: {broken}" if broken else spoken.say("replay.question")
        found.append((what, f"{spoken.say('replay.settled')}: {spoken.say(f'replay.how.{one.how}')}"))
    return found


def _named(spoken: Language, said: Mapping[str, Seen]) -> str:
    return "; ".join(f"{spoken.place(place)}: {spoken.card(seen_code(seen))}" for place, seen in said.items())


def hindsight(spoken: Language, review: Review | None, frame: Frame) -> str:
    """What a review says of a frame; nothing where that is not known, or the record does not lead there."""
    if review is None or not frame.stands:
        return ""
    if review.won and frame.is_look and frame.look.is_won:
        return spoken.say("verdict.won")
    if review.verdict == "lost":
        return spoken.say("replay.never") if review.exact else ""
    if review.verdict != "winnable" or not (review.won or review.exact or review.lost_at):
        return ""
    if review.lost_at is None or frame.made < review.lost_at:
        return spoken.say("replay.still")
    is_it = frame.made == review.lost_at and frame.move is not None
    return spoken.say("replay.lost-here" if is_it else "replay.gone")


def review_lines(spoken: Language, review: Review, moves: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a review says of the whole game. moves: those that were made."""
    lines = [spoken.say(f"review.{review.verdict}")]
    if review.unseen:
        lines.append(spoken.count("review.unseen", review.unseen))
    if review.verdict == "depends" and review.share is not None:
        share = {end: percent(spoken, getattr(review.share, end)) for end in ("estimate", "low", "high")}
        lines.append(spoken.say("review.share", **share))
    if review.won:
        lines.append(spoken.say("review.won"))
    elif review.lost_at is not None:
        move = move_phrase(spoken, moves[review.lost_at - 1])
        lines.append(spoken.say("review.lost-at", n=review.lost_at, move=move))
    if review.cards_left:
        lines.append(spoken.say("review.fewest" if review.exact else "review.found", n=review.cards_left))
    if review.verdict == "winnable" and review.line:
        lines.append(length_phrase(spoken, len(review.line), review.shortest))
    return lines

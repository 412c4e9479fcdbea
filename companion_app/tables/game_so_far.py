"""A game on the page as it is believed to have gone: what each look at a table adds to what was known before."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import cast

from companion_app.beside import is_beside
from companion_app.tables.following import evidence_of, places_after
from rules.cards import Card, Seen
from rules.following import belief as following
from rules.following.belief import Belief
from rules.following.evidence import Evidence
from rules.following.line import Line
from rules.looks import Position, Told, lying
from rules.story import Explanation, TableChange
from rules.violation import Violation
from vision.reading import Quad, TableReading

MISREAD, NONE = "misread", "none"
"""What a person said happened: that the look was misread, or none of the ways told; else the `story_key` of one of the
lines."""


def evidence(reading: TableReading | None, position: Position, said: Mapping[str, Seen]) -> Evidence:
    """What a look says: a picture as read, or a position given as text; what a person said of it is certain."""
    if reading is not None:
        return evidence_of(reading).as_told(said)
    return Evidence({place: {seen: 1.0} for place, seen in {**dict(lying(position)), **said}.items()})


def gone_on(before: Belief, seen: Evidence, said: Mapping[str, Seen]) -> Belief:
    """What is believed after one more look, of which a person said this."""
    belief = following.followed(before, seen)
    if belief.best.event.kind == "another-table":
        return belief
    for place, card in said.items():
        belief = following.told(belief, place, card)
    return belief


def answered(after: Belief, answer: str | None, *, allowed: bool) -> Belief:
    """The belief after a look once a person answered what happened, or said that a house rule allows it."""
    if answer == MISREAD:
        return following.all_misread(after)
    if answer == NONE:
        return following.none_of_these(after)
    chosen = next((line for line in after.lines if story_key(line) == answer), None)
    after = following.answered(after, chosen) if chosen else after
    return following.allowed(after) if allowed else after


def story_key(line: Line) -> str:
    """Tells what a line tells from other stories, also when it is told again."""
    told = json.dumps(line.story, default=str)
    return sha256(told.encode()).hexdigest()[:16]


def story_of(belief: Belief, standing: tuple[Violation, ...]) -> Told:
    """What the last look showed. standing: rules that were broken before it."""
    best = belief.best
    table: TableChange = "same"
    if best.event.kind == "another-table":
        table = "new-deal" if following.is_dealt(best.position, belief.game) else "another-table"
    told = belief.broken or best.event.violations or (standing if best.odd is not None else ())
    violations = () if best.pending else told
    explanation = Explanation(best.event.moves, (), violations, best.position, best.event.undone, table)
    return cast(Told, explanation)


def doubts(belief: Belief, reading: TableReading) -> tuple[str, ...]:
    """The places of which all looks together leave it open what lies there; beside the layout the last one tells."""
    told = belief.best.said
    known = {place for place, seen in lying(belief.best.position) if isinstance(seen, Card) and told.get(place)}
    return (*(place for place in reading.doubts if is_beside(place) or place not in known), *belief.doubts)


def places_seen(looks: Iterable[tuple[TableReading | None, Belief | None]]) -> dict[str, Quad]:
    """Where each place lay when it was last seen, in pixels of the last of these looks, the oldest first."""
    places: dict[str, Quad] = {}
    for reading, belief in looks:
        if reading is not None:
            places = places_after(places, reading, belief)
    return places

"""The tables of the model card, from what was measured."""

from __future__ import annotations

import pathlib
from collections import Counter
from collections.abc import Mapping

from models.measure import calibration, spreads
from models.measure.conditions import CONDITIONS
from models.measure.runs import ANGLES, QUARTERS, VIEWS
from models.measure.store import Cell, Run
from models.training.layouts import ROW_LAYOUTS

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
KINDS = {
    "pyramid_up": "face up",
    "pyramid_down": "face down",
    "king_tut": "king of spades at the apex",
    "ten": "total ten",
}

# What is read with one thing wrong at a time.
CONDITIONED = {
    "photos": "real photographs",
    "scenes": "drawn validation pictures",
    "rows": "drawn tables of half rows",
}
# Who took the drawn tables whose places are counted.
CAMERAS = {"places": "by an ordinary camera", "validation": "with every fault of light, lens and camera"}


def text(measured: Mapping[str, Run]) -> str:
    """All tables of what was measured, as Markdown."""
    parts = []
    if "photos" in measured:
        parts.append(_photographs(measured["photos"]))
    if "tables" in measured:
        parts.append(_rendered(measured["tables"]))
    if "validation" in measured:
        parts.append(_calibration(measured["validation"], measured.get("rows")))
    for name, camera in CAMERAS.items():
        if name in measured:
            parts.append(_places(measured[name], camera))
    if "rows" in measured:
        parts.append(_row_tables(measured["rows"]))
    if "spreads" in measured:
        parts.append(_spreads(measured["spreads"]))
    for name, title in CONDITIONED.items():
        if name in measured:
            parts.append(_conditions(measured[name], title))
    return "\n\n".join(parts) + "\n"


def write(body: str, measured: Mapping[str, Run], path: pathlib.Path, diagram: pathlib.Path) -> None:
    """Put the tables between the marks of the model card, and the reliability diagram beside it."""
    whole = path.read_text("utf-8")
    head, rest = whole.split(BEGIN)
    path.write_text(f"{head}{BEGIN}\n{body}{END}{rest.split(END)[1]}", "utf-8")
    if "validation" in measured:
        diagram.write_text(calibration.drawing(calibration.bins_of(_answers(measured["validation"]))), "utf-8")


def _rows(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def percent(part: float, whole: float, digits: int = 1) -> str:
    """A share as a percentage; a dash where there is nothing to share."""
    return f"{100 * part / whole:.{digits}f} %" if whole else "–"


def _one_in(part: int, whole: int) -> str:
    return f"{part}" + (f" (1 in {round(whole / part)})" if part else "")


def _conditions(run: Run, title: str) -> str:
    base = run.cells["base"].counts
    names = {"base": "as it is", **{k: v[0] for k, v in CONDITIONS.items()}, "turned": "turned by every 15°"}
    names |= {k: v[0] for k, v in VIEWS.items()}
    rows = [_condition(label, run.cells[name].counts, base) for name, label in names.items() if name in run.cells]
    angles = [(f"turned {a}", run.cells[f"turned {a}"].counts) for a in ANGLES if f"turned {a}" in run.cells]
    if angles:
        worst = min(angles, key=lambda pair: pair[1]["found"] / max(pair[1]["wanted"], 1))
        rows.append(_condition(f"… worst angle, {worst[0].removeprefix('turned ')}°", worst[1], base))
    head = ("condition", "cards", "read rightly", "against as it is", "wrong with confidence", "asked about in vain")
    return f"One condition at a time, {title} ({base['pictures']}):\n\n" + _rows(head, rows)


def _condition(label: str, c: Counter[str], base: Counter[str]) -> tuple[str, ...]:
    recall, usual = (100 * x["found"] / max(x["wanted"], 1) for x in (c, base))
    change = "" if c is base else f"{recall - usual:+.1f}"
    sure, doubts = _one_in(c["sure_wrong"], c["wanted"]), percent(c["doubted"], c["right"])
    return label, f"{c['wanted']}", percent(c["found"], c["wanted"], 2), change, sure, doubts


def _photographs(run: Run) -> str:
    c = run.cells["base"].counts
    rows = [
        ("photographs without one error", f"{c['exact']} of {c['pictures']} ({percent(c['exact'], c['pictures'])})"),
        ("precision", f"{c['right'] / max(c['named'], 1):.4f} of {c['named']} cards named"),
        ("recall", f"{c['found'] / max(c['wanted'], 1):.4f} of {c['wanted']} cards"),
        ("wrong with confidence", f"{c['sure_wrong']}"),
        ("asked about, though read rightly", percent(c["doubted"], c["right"])),
    ]
    return "Real photographs:\n\n" + _rows(("what", "figure"), rows)


def _rendered(run: Run) -> str:
    c = run.cells["base"].counts
    rows = [("tables without one error", f"{c['exact']} of {c['pictures']} ({percent(c['exact'], c['pictures'])})")]
    for kind, label in KINDS.items():
        if kind in run.cells:
            k = run.cells[kind].counts
            rows.append((f"… of them {label}", f"{k['exact']} of {k['pictures']}"))
    rows += [
        ("places wrong", f"{percent(c['slots_wrong'], c['slots'], 2)} of {c['slots']}"),
        ("wrong with confidence", f"{c['sure_wrong']}"),
        ("asked about, though read rightly", percent(c["doubted"], c["right"])),
    ]
    for degrees in QUARTERS:
        t = run.cells[f"turned {degrees}"].counts
        wrong = percent(t["slots_wrong"], t["slots"], 2)
        rows.append((f"turned by {degrees}°", f"{t['exact']} without error, {wrong} of places wrong"))
    return "Rendered tables:\n\n" + _rows(("what", "figure"), rows)


def _row_tables(run: Run) -> str:
    rows = []
    for name in (*ROW_LAYOUTS, "tables"):
        if name in run.cells:
            c = run.cells[name].counts
            right = percent(c["slots"] - c["slots_wrong"], c["slots"], 2)
            exact, doubts = f"{c['exact']} of {c['pictures']}", percent(c["doubted"], c["right"])
            rows.append(
                (name if name != "tables" else "together", exact, f"{c['slots']}", right, f"{c['sure_wrong']}", doubts)
            )
    head = ("layout", "without one error", "places", "told rightly", "wrong with confidence", "asked about in vain")
    return f"Drawn tables of half rows in play ({run.cells['tables'].counts['pictures']}):\n\n" + _rows(head, rows)


def _answers(run: Run) -> list[tuple[float, bool]]:
    return [answer for name in ("tables", "loose") if name in run.cells for answer in run.cells[name].answers]


def _calibration(run: Run, rows: Run | None) -> str:
    answers = _answers(run)
    bins = calibration.bins_of(answers)
    error = calibration.expected_error(answers)
    shares = [
        (f"{b.low:.1f} to {b.high:.1f}", f"{b.count}", f"{b.chance:.3f}" if b.count else "–", _share(b)) for b in bins
    ]
    by_kind = [
        (label, f"{len(run.cells[name].answers)}", f"{calibration.expected_error(run.cells[name].answers):.4f}")
        for name, label in (("tables", "whole tables"), ("loose", "loose cards"))
        if name in run.cells
    ]
    by_kind.append(("together", f"{len(answers)}", f"{error:.4f}"))
    if rows is not None:
        own = rows.cells["tables"].answers
        by_kind.append(("half rows, by an ordinary camera", f"{len(own)}", f"{calibration.expected_error(own):.4f}"))
    head = "Calibration of the chance given with each card, drawn validation pictures:"
    first = _rows(("pictures", "cards named", "expected calibration error"), by_kind)
    second = _rows(("chance given", "cards", "mean chance", "right"), shares)
    return f"{head}\n\n{first}\n\n{second}\n\n![Chance given against share right](reliability.svg)"


def _share(b: calibration.Bin) -> str:
    return f"{b.right:.3f}" if b.count else "–"


def _spreads(run: Run) -> str:
    names = {kind: kind for kind in (*spreads.KINDS, spreads.CLOSE)} | {str(n): f"of {n} cards" for n in spreads.COUNTS}
    rows = [
        _spread(label, run.cells[name]) for name, label in (names | {"base": "together"}).items() if name in run.cells
    ]
    head = (
        "cards without a layout",
        "show",
        "read rightly",
        "precision",
        "wrong with confidence",
        "asked about in vain",
        "outlines off",
        "not there, and told so",
        "there, and called missing",
    )
    return f"Cards without a layout, drawn ({run.cells['base'].counts['pictures']} pictures):\n\n" + _rows(head, rows)


def _spread(label: str, cell: Cell) -> tuple[str, ...]:
    c, right = cell.counts, sum(right for _, right in cell.answers)
    return (
        label,
        f"{c['wanted']}",
        percent(c["found"], c["wanted"], 2),
        percent(right, len(cell.answers), 2),
        f"{c['sure_wrong']}",
        percent(c["doubted"], c["right"]),
        f"{c['off']} of {c['outlined']}",
        f"{c['lacking_told']} of {c['lacking']}",
        f"{c['denied']}",
    )


def _places(run: Run, camera: str) -> str:
    c = run.cells["tables"].counts
    rows = []
    for kind, label in (("place", "places of the pyramid"), ("pile", "piles")):
        whole = right = 0
        for state, name in (("up", "face up"), ("down", "face down"), ("gone", "gone")):
            n, r = c[f"{kind}_{state}"], c[f"{kind}_{state}_right"]
            whole, right = whole + n, right + r
            rows.append((f"{label}, {name}", f"{n}", percent(r, n, 2)))
        rows.append((f"{label}, together", f"{whole}", percent(right, whole, 2)))
    rows.append(("pictures refused", f"{c['pictures']}", f"{c['unanswered']}"))
    head = ("what", "count", "told rightly")
    return f"Face up, face down or gone, on {c['pictures']} whole drawn tables {camera}:\n\n" + _rows(head, rows)

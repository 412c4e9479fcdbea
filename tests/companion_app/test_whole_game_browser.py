"""A short game played to its end before the camera of a real browser: the hint is followed, a rule broken and put back,
the focus lost and found, the game won and scored, and found again after the server was killed."""

from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import expect

from models.measure import played
from models.measure.played import Turn
from models.training import decks
from rules.cards import FACE_DOWN, GONE, Card, Seen
from rules.catalogue import GAMES
from rules.families import family_of
from rules.pyramid.moves import pair, single
from rules.pyramid.position import PyramidPosition
from rules.record import read_record
from tests.companion_app.filming import browsing, filmed
from tests.companion_app.serving import serving

GAME = GAMES["relaxed-pyramid"]
SIZE = (960, 720)
# Seconds that each look is shown: long enough for a slow machine to read it while other tests run.
SHOWN, LAST = 14, 120
BLUR = 6.0


def card(code: str) -> Card:
    return Card.parse(code)


def late() -> PyramidPosition:
    """A game near its end, with one pair to take."""
    rows: list[list[Seen]] = [[card("KS")], [card("6H"), card("10D")], [card("9D"), card("4C"), GONE]]
    rows += [[GONE] * n for n in range(4, 8)]
    return PyramidPosition(
        rows=tuple(tuple(row) for row in rows),
        stock=True,
        stock_count=2,
        stock_cards=(FACE_DOWN, FACE_DOWN),
        waste_cards=(card("7D"), card("3S")),
        pass_number=1,
    )


MOVES = (
    pair(card("9D"), "pyramid 3 1", card("4C"), "pyramid 3 2"),
    pair(card("10D"), "pyramid 2 2", card("3S"), "waste"),
    pair(card("6H"), "pyramid 2 1", card("7D"), "waste"),
    single(card("KS"), "pyramid 1 1"),
)


def states() -> list[Turn]:
    """The start, and what each move leads to."""
    turns = [Turn(None, late(), card("QC"))]
    for move in MOVES:
        turns.append(Turn(move, family_of(GAME).play(turns[-1].view, move, GAME), move.cards[0]))
    return turns


def broken(turn: Turn) -> Turn:
    """Two cards taken together that make sixteen."""
    taken = {"pyramid 2 1": GONE, "pyramid 2 2": GONE}
    return Turn(None, turn.view.with_seen(taken), card("10D"))


def by_pen(rng: np.random.Generator) -> decks.Deck:
    return decks.draw_deck("by pen", rng, validation=True, by_pen=True)


def looks() -> list[np.ndarray]:
    """What a camera on a stand sees, as pictures (h, w, 3) uint8 BGR: the start, the hint followed, a rule broken, put
    back, the focus lost, and the moves that win."""
    first, second, *rest = states()
    shots = played.pictures(GAME, [first, second, broken(second), *rest], (0, 11), by_pen, {}, steady=True)
    start, followed, wrong, *later = (np.ascontiguousarray(shot.picture.pixels[..., ::-1]) for shot in shots)
    return [start, followed, wrong, followed, cv2.GaussianBlur(followed, (0, 0), BLUR), *later]


def test_a_game_is_played_to_its_end_before_the_camera_and_found_again(tmp_path: Path) -> None:
    pictures = looks()
    start = tmp_path / "start.jpg"
    cv2.imwrite(str(start), pictures[0])
    seconds = [SHOWN] * (len(pictures) - 1) + [LAST]
    video = filmed(zip(pictures, seconds, strict=True), SIZE, tmp_path / "game.y4m")
    kept_in = {"CARDTABLE_KEEP": "true", "XDG_DATA_HOME": str(tmp_path / "data")}
    with serving(**kept_in) as served, browsing(served.address, video) as page:
        page.select_option("#game", GAME.id)
        page.set_input_files("#opener input[type=file]:not([capture])", start)
        page.wait_for_selector("[data-table]")
        page.wait_for_load_state()
        page.click(".piles summary")
        page.fill("#stock", "2")
        page.fill("#pass", "1")
        page.click("#piles-apply")
        expect(page.locator("#stock")).to_have_value("2")
        page.click("#step-3")
        expect(page.locator(".said .move")).to_contain_text("9 of diamonds + 4 of clubs")
        page.click("#watch-start")
        told, breach = page.locator(".told"), page.locator(".breach")
        expect(told).to_contain_text("Pair: 9 of diamonds + 4 of clubs")
        expect(breach).to_contain_text("6 of hearts")
        expect(breach).to_contain_text("10 of diamonds")
        expect(breach).to_be_hidden()
        expect(page.locator("#watch-says")).to_contain_text(
            "Hold still and let the camera focus: the picture is blurred."
        )
        expect(told).to_contain_text("Nothing has changed")
        expect(told).to_contain_text("Pair: 10 of diamonds + 3 of spades")
        expect(told).to_contain_text("Pair: 6 of hearts + 7 of diamonds")
        expect(page.locator(".said")).to_contain_text("The pyramid is cleared. Well played!")
        expect(told).to_contain_text("Alone: king of spades")
        expect(page.locator(".score .figure")).to_have_text("0")
        served.process.kill()
    with serving(**kept_in) as served, browsing(served.address) as page:
        page.click("#go-on")
        page.wait_for_selector("[data-table]")
        page.wait_for_load_state()
        expect(page.locator(".said")).to_contain_text("The pyramid is cleared. Well played!")
        expect(page.locator(".score .figure")).to_have_text("0")
        record = page.request.get(f"{page.url}/record.txt").text()
    kept = read_record(record)
    assert kept.stopped is None
    assert [(move.kind, move.cards) for move in kept.record.moves] == [(move.kind, move.cards) for move in MOVES]

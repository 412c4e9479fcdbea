"""The whole reader on the built-in pictures: what lies there, from any side, in lamp light, and what is no table."""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from rules.cards import Seen, Unseen
from rules.catalogue import GAMES
from rules.rows.position import RowPosition
from vision.errors import PictureError
from vision.nets import session
from vision.posterior.spotted import Spotted
from vision.posterior.told import as_foreign, as_pile
from vision.reader import NETS, Reader
from vision.reading import SeenCard, TableReading
from vision.recognize.index_reader import NONE

SAMPLES = importlib.resources.files("sample_images")


@cache
def reader() -> Reader:
    return Reader.load()


def truth(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SAMPLES.joinpath(f"{name}.json").read_text("utf-8"))
    return found


def pixels(name: str) -> np.ndarray:
    return np.asarray(
        cv2.imdecode(np.frombuffer(SAMPLES.joinpath(f"{name}.jpg").read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    )


def jpeg(image: np.ndarray) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


def names(shown: str | None = "pyramid") -> list[str]:
    """The samples whose position has that key, pyramids or (``base``) row games, or that have none."""
    found = sorted(p.name.removesuffix(".json") for p in SAMPLES.iterdir() if p.name.endswith(".json"))
    positions = {name: truth(name)["position"] for name in found}
    return [name for name, at in positions.items() if (at is None if shown is None else at and shown in at)]


def code(seen: Seen | bool | None) -> str | bool | None:
    if seen is None or isinstance(seen, bool):
        return seen
    return None if seen is Unseen.GONE else str(seen.value) if isinstance(seen, Unseen) else str(seen)


def compared(reading: TableReading, position: dict[str, Any]) -> tuple[int, int, int]:
    """(places, slips, slips without a doubt) against a contract-style position."""
    want: dict[str, Any] = {
        f"pyramid {r + 1} {c + 1}": card for r, row in enumerate(position["pyramid"]) for c, card in enumerate(row)
    }
    want |= {"waste": position["waste"], "stock": bool(position["stock"])}
    got = {place: code(seen) for place, seen in reading.places.items()}
    wrong = [place for place, card in want.items() if got.get(place, "absent") != card]
    sure = [p for p in wrong if p not in reading.doubts and p in got and got[p] != "!!"]
    return len(want), len(wrong), len(sure)


def totals(turn: int | None = None) -> tuple[int, int, int, int]:
    """(tables, tables exact, places, slips) over all samples with a layout, turned by quarter turns."""
    tables = exact = places = slips = 0
    for name in names():
        position = truth(name)["position"]
        data = SAMPLES.joinpath(f"{name}.jpg").read_bytes()
        if turn is not None:
            data = jpeg(cv2.rotate(pixels(name), turn))
        n, wrong, _ = compared(reader().read(data, layout=f"pyramid-{len(position['pyramid'])}"), position)
        tables, exact, places, slips = tables + 1, exact + (wrong == 0), places + n, slips + wrong
    return tables, exact, places, slips


def test_built_in_tables_are_read() -> None:
    tables, exact, places, slips = totals()
    assert tables >= 12
    assert exact >= 0.85 * tables, (exact, tables)
    assert slips <= 0.01 * places, (slips, places)


def test_built_in_row_tables_are_read() -> None:
    wrong = {}
    for name in names("base"):
        want = {place: code(seen) for place, seen in RowPosition.from_json(truth(name)["position"]).lying()}
        reading = reader().read(SAMPLES.joinpath(f"{name}.jpg").read_bytes(), layout=GAMES[truth(name)["game"]].layout)
        got = {place: code(seen) for place, seen in reading.places.items() if seen is not Unseen.GONE}
        both = {place: (want.get(place), got.get(place)) for place in want | got}
        wrong |= {f"{name} {place}": cards for place, cards in both.items() if cards[0] != cards[1]}
    assert len(names("base")) == 5
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_at_most_two_tables_are_lost_when_the_picture_is_turned(turn: int) -> None:
    assert totals(turn)[1] >= totals()[1] - 2


def test_what_seemed_turned_up_on_the_stock_and_is_a_back_is_the_stock() -> None:
    quad = ((0.0, 0.0), (50.0, 0.0), (50.0, 70.0), (0.0, 70.0))
    back = as_pile(SeenCard("turned", Unseen.FACE_DOWN, 0.97, False, (), quad))
    assert (back.place, back.card, back.doubtful) == ("stock", Unseen.FACE_DOWN, False)
    unread = as_pile(SeenCard("turned", Unseen.UNREADABLE, 0.6, True, (), quad))
    assert (unread.place, unread.card, unread.doubtful) == ("stock", Unseen.FACE_DOWN, True)


def test_what_seems_a_card_of_no_deck_on_the_stock_is_its_back() -> None:
    quad = ((0.0, 0.0), (80.0, 0.0), (80.0, 112.0), (0.0, 112.0))
    strange = Spotted("turned", 1.0, 0.99, np.full(NONE, 1 / NONE), np.array(quad), foreign=0.99)
    unread = as_pile(SeenCard("turned", Unseen.UNREADABLE, 0.9, True, (), quad))
    assert (told := as_foreign(unread, strange)).place == "stock" and not told.foreign and told.doubtful
    elsewhere = replace(unread, place="waste", card=Unseen.UNREADABLE)
    assert as_foreign(elsewhere, replace(strange, place="waste")).foreign


def test_an_index_printed_on_the_stocks_back_makes_no_card_of_it() -> None:
    name = "relaxed-deal"
    image, cards = pixels(name), truth(name)["cards"]
    back = next(card for card in cards if card["slot"][0] == "stock")
    face = next(card for card in cards if card["face_up"] and card["slot"][0] == "tableau")
    corner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    ends = []
    for card in (face, back):
        onto = cv2.getPerspectiveTransform(corner, np.array(card["quad"], np.float32))
        ends.append(cv2.perspectiveTransform(corner[None] * np.float32([0.24, 0.26]), onto)[0])
    moved = cv2.warpPerspective(image, cv2.getPerspectiveTransform(*ends), image.shape[1::-1])
    mask = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), ends[1].round().astype(np.int32), 1)
    reading = reader().read(jpeg(np.where(mask[..., None] > 0, moved, image)), layout="pyramid-7")
    assert reading.places["stock"] is True
    assert "turned" not in reading.places


def test_a_spread_is_read_without_a_layout() -> None:
    for name in names(None):
        reading = reader().read(SAMPLES.joinpath(f"{name}.jpg").read_bytes(), layout=None)
        assert reading.layout is None
        assert dict(reading.places) == {}
        got = sorted(str(code(c.card)) for c in reading.cards)
        assert got == sorted(truth(name)["face_up"])
        assert all(c.place.startswith("table ") for c in reading.cards)


def test_the_layout_is_found_by_itself() -> None:
    told = [reader().read(SAMPLES.joinpath(f"{name}.jpg").read_bytes()).layout for name in names()]
    want = [f"pyramid-{len(truth(name)['position']['pyramid'])}" for name in names()]
    assert sum(a == b for a, b in zip(told, want, strict=True)) >= len(want) - 3, list(
        zip(names(), told, want, strict=True)
    )


def test_red_is_red_a_reader_fed_blue_for_red_would_say_black() -> None:
    """Channel order: the same pixels with red and blue exchanged must not read as well as the true ones."""
    name = names()[0]
    rows = len(truth(name)["position"]["pyramid"])
    image = cv2.cvtColor(pixels(name), cv2.COLOR_BGR2RGB)
    right = compared(reader().read_pixels(image, layout=f"pyramid-{rows}"), truth(name)["position"])[1]
    try:
        swapped = reader().read_pixels(np.ascontiguousarray(image[..., ::-1]), layout=f"pyramid-{rows}")
        wrong = compared(swapped, truth(name)["position"])[1]
    except PictureError:
        wrong = 99
    assert right <= wrong


def test_lamp_light_does_not_turn_red_cards_black() -> None:
    name = names()[0]
    position = truth(name)["position"]
    lamp = np.clip(pixels(name) * np.array([0.6, 0.85, 1.0]), 0, 255).astype(np.uint8)
    _, wrong, sure = compared(reader().read(jpeg(lamp), layout=f"pyramid-{len(position['pyramid'])}"), position)
    assert wrong <= 2
    assert sure <= 1


def test_chances_and_quads_are_sound() -> None:
    reading = reader().read(SAMPLES.joinpath(f"{names()[0]}.jpg").read_bytes())
    for card in reading.cards:
        assert 0 <= card.probability <= 1
        assert len(card.alternatives) <= 3
        assert [p for _, p in card.alternatives] == sorted((p for _, p in card.alternatives), reverse=True)
        area = cv2.contourArea(np.array(card.quad_xy, np.float32), oriented=True)
        assert area > 100  # clockwise on the screen, where y grows downwards
    assert reading.milliseconds["total"] >= reading.milliseconds["find"] > 0


def test_the_same_picture_always_gives_the_same_answer() -> None:
    data = SAMPLES.joinpath(f"{names()[0]}.jpg").read_bytes()
    first, second = reader().read(data), reader().read(data)
    assert first.cards == second.cards
    assert first.doubts == second.doubts


def bad_pictures() -> dict[str, tuple[np.ndarray, str | None]]:
    rng = np.random.default_rng(0)
    cloth = cv2.GaussianBlur((rng.random((900, 1200, 3)) * 255).astype(np.uint8), (0, 0), 9)
    cloth = np.asarray(cv2.normalize(cloth, None, 0, 255, cv2.NORM_MINMAX))
    page = np.full((900, 1200, 3), 240, np.uint8)
    for y in range(40, 900, 40):
        cv2.putText(page, "The quick 10 K brown fox 7 A jumps 89", (10, y), 0, 1.1, (20, 20, 20), 2)
    deal, king = pixels("relaxed-deal"), pixels("king-tut")
    beside = np.hstack([deal, cv2.resize(king, (king.shape[1] * deal.shape[0] // king.shape[0], deal.shape[0]))])
    return {
        "no-cards: cloth": (cloth, "pyramid-7"),
        "no-cards: a printed page": (page, None),
        "no-layout: separate cards": (pixels(names(None)[0]), "pyramid-7"),
        "outside: the left half": (deal[:, : deal.shape[1] // 2], "pyramid-7"),
        "outside: the right half": (deal[:, deal.shape[1] // 2 :], "pyramid-7"),
        "two-layouts: a pyramid beside a pyramid": (beside, "pyramid-7"),
        "two-layouts: where nobody says which": (beside, "auto"),
        "too-blurred: out of focus": (cv2.GaussianBlur(deal, (0, 0), 12), "pyramid-7"),
    }


@pytest.mark.parametrize("case", list(bad_pictures()))
def test_what_is_no_table_is_named(case: str) -> None:
    image, layout = bad_pictures()[case]
    with pytest.raises(PictureError) as caught:
        reader().read(jpeg(image), layout=layout)
    assert caught.value.code == case.split(":")[0]


def test_models_are_what_their_manifests_say() -> None:
    for name in NETS:
        manifest = session.load(name).manifest
        for key in ("sha256", "input", "outputs", "training_data", "art", "licence", "command"):
            assert manifest[key], (name, key)


def test_the_models_together_are_small() -> None:
    folder = importlib.resources.files("models")
    assert sum(len(folder.joinpath(f"{name}.onnx").read_bytes()) for name in NETS) <= 2_000_000


def test_a_changed_model_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    for name in ("search.onnx", "search.json"):
        data = importlib.resources.files("models").joinpath(name).read_bytes()
        (tmp_path / name).write_bytes(data[:-1] + b"x" if name.endswith("onnx") else data)
    monkeypatch.setattr("vision.nets.session.importlib.resources.files", lambda _: tmp_path)
    with pytest.raises(session.ModelError, match="manifest"):
        session.load("search")


def test_a_large_picture_reads_in_its_own_pixels() -> None:
    name = "relaxed-lamp"
    small = pixels(name)
    large = cv2.resize(small, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    plain, reduced = reader().read(jpeg(small)), reader().read(jpeg(large))
    assert (reduced.width, reduced.height) == (3 * plain.width, 3 * plain.height)
    want = {card.place: np.array(card.quad_xy) for card in plain.cards}
    got = {card.place: np.array(card.quad_xy) / 3 for card in reduced.cards}
    assert len(set(want) & set(got)) >= 15
    width = float(np.linalg.norm(want["pyramid 1 1"][1] - want["pyramid 1 1"][0]))
    assert all(np.abs(got[place] - want[place]).max() < 0.2 * width for place in set(want) & set(got))

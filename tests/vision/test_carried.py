"""A layout carried on to a picture in which too few cards are left: where places lay, moved as the table has moved."""

import cv2
import numpy as np

from rules.cards import FACE_DOWN, GONE, Card, Seen
from vision.layout import carried
from vision.reading import Quad, SeenCard, TableReading

CARD = np.array([[-40, -56], [40, -56], [40, 56], [-40, 56]], float)
AT = {
    "pyramid 1 1": (400, 100),
    "pyramid 2 1": (350, 160),
    "pyramid 2 2": (450, 160),
    "pyramid 3 1": (300, 220),
    "pyramid 3 2": (400, 220),
    "pyramid 3 3": (500, 220),
    "stock": (300, 420),
    "waste": (400, 420),
}
KNOWN: dict[str, Seen] = {
    place: Card.parse(code)
    for place, code in zip(AT, ("KS", "2H", "3D", "4C", "5S", "6H", "??", "7D"), strict=True)
    if code != "??"
} | {"stock": FACE_DOWN}


def quad(place: str, moved: np.ndarray | None = None) -> Quad:
    corners = CARD + AT[place]
    if moved is not None:
        corners = cv2.perspectiveTransform(corners[None], moved)[0]
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def tilted() -> np.ndarray:
    """Another view of the same table."""
    return np.array([[0.95, 0.12, 40], [-0.1, 0.9, 60], [1e-4, 5e-5, 1]])


def spread(cards: list[tuple[Seen, Quad]]) -> TableReading:
    """What is read without a layout."""
    seen = tuple(
        SeenCard(f"table {n}", card, 0.99, False, ((card, 0.99),), where) for n, (card, where) in enumerate(cards, 1)
    )
    return TableReading(1000, 800, None, seen, {}, (), (), {})


def places() -> dict[str, Quad]:
    return {place: quad(place) for place in AT}


def test_cards_that_are_left_tell_where_every_place_lies() -> None:
    left = ("pyramid 1 1", "waste", "stock")
    seen = spread([(KNOWN[place], quad(place, tilted())) for place in left])
    there = carried.carried_places(seen, KNOWN, places())
    assert there is not None and there.keys() == AT.keys()
    found = carried.carried(seen, "pyramid-3", there, KNOWN)
    assert found.layout == "pyramid-3"
    assert {card.place for card in found.cards} == set(left)
    assert found.places["pyramid 1 1"] == Card.parse("KS")
    assert found.places["pyramid 3 2"] is GONE


def test_a_card_that_lies_a_little_off_where_it_lay_still_lies_there_and_another_card_does_not() -> None:
    off = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 58.0], [0.0, 0.0, 1.0]])
    seen = spread([(KNOWN["waste"], quad("waste", off)), (Card.parse("QC"), quad("stock", off))])
    found = carried.carried(seen, "pyramid-3", places(), KNOWN)
    assert found.places["waste"] == Card.parse("7D") and found.places["stock"] is GONE


def test_a_card_that_was_slid_aside_takes_its_place_along() -> None:
    slid = np.array([[1.0, 0.0, 45.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    others = [place for place in AT if place not in ("pyramid 3 1", "stock")]
    seen = spread(
        [*((KNOWN[place], quad(place)) for place in others), (KNOWN["pyramid 3 1"], quad("pyramid 3 1", slid))]
    )
    there = carried.carried_places(seen, KNOWN, places())
    assert there is not None
    assert np.allclose(there["pyramid 3 1"], quad("pyramid 3 1", slid), atol=1)
    assert np.allclose(there["pyramid 3 2"], quad("pyramid 3 2"), atol=1)


def test_cards_that_overlap_are_told_where_each_of_them_lay_and_none_is_dropped() -> None:
    codes = ("10D", "AD", "9C", "4S")
    line = [laid_at(f"left 1 {n}", code, 400 - 22 * n, 300) for n, code in enumerate(codes, start=1)]
    there = {card.place: card.quad_xy for card in line}
    seen = [(card.card, laid_at(card.place, "2H", 391 - 22 * n, 300).quad_xy) for n, card in enumerate(line, start=1)]
    found = carried.carried(spread(seen[:3]), "rows-5-4", there, {card.place: card.card for card in line})
    assert {card.place: str(card.card) for card in found.cards} == dict(zip(list(there)[:3], codes[:3], strict=True))
    moved = carried.carried(spread([*seen[:3], (Card.parse("8H"), seen[3][1])]), "rows-5-4", there, {})
    assert len(moved.cards) == 4


def test_a_card_laid_at_the_end_of_a_row_that_was_never_so_long_is_told_there() -> None:
    line = [laid_at(f"left 1 {n}", code, 400 - 60 * n, 300) for n, code in enumerate(("10D", "AD", "9C"), start=1)]
    there = {card.place: card.quad_xy for card in line}
    known = {card.place: card.card for card in line} | {"right 5 1": Card.parse("8S")}
    seen = [*((card.card, card.quad_xy) for card in line), (Card.parse("8S"), laid_at("", "8S", 162, 303).quad_xy)]
    found = carried.carried(spread(seen), "rows-5-4", there, known)
    assert found.places["left 1 4"] == Card.parse("8S")
    assert "left 1 4" not in carried.carried(spread(seen[:3]), "rows-5-4", there, known).places


def test_the_turned_card_tells_nothing_for_it_is_laid_on_the_waste() -> None:
    known = {**KNOWN, "turned": Card.parse("9C")}
    lay = {**places(), "turned": quad("stock")}
    stayed = ("pyramid 1 1", "pyramid 2 2", "stock")
    seen = spread([*((known[place], quad(place)) for place in stayed), (Card.parse("9C"), quad("waste"))])
    there = carried.carried_places(seen, known, lay)
    assert there is not None and np.allclose(there["waste"], quad("waste"), atol=1)


def test_one_card_in_common_is_too_few_but_at_the_end_of_a_game() -> None:
    seen = spread([(KNOWN["waste"], quad("waste", tilted()))])
    assert carried.carried_places(seen, KNOWN, places()) is None
    moved = np.array([[1.0, 0.0, 9.0], [0.0, 1.0, 5.0], [0.0, 0.0, 1.0]])
    one = spread([(Card.parse("QH"), quad("waste", moved))])
    assert carried.carried_places(one, KNOWN, places()) is None
    last = {place: seen for place, seen in KNOWN.items() if not place.startswith("pyramid 3")}
    there = carried.carried_places(one, last, places())
    assert there is not None and np.allclose(there["pyramid 1 1"], quad("pyramid 1 1", moved), atol=1)
    elsewhere = spread([(Card.parse("QH"), quad("waste", moved)), (Card.parse("2C"), quad("waste", tilted()))])
    assert carried.carried_places(elsewhere, last, places()) is None


def test_of_a_picture_that_only_moved_places_far_away_are_not_turned() -> None:
    # The two piles that show lie beside each other, and one is seen a little smaller than it is.
    small = tuple((300 + (x - 300) * 0.88 + 3, 420 + (y - 420) * 0.88 - 2) for x, y in quad("stock"))
    moved = np.array([[1.0, 0.0, 5.0], [0.0, 1.0, -4.0], [0.0, 0.0, 1.0]])
    now = spread([(FACE_DOWN, small), (KNOWN["waste"], quad("waste", moved))])  # type: ignore[list-item]
    found = carried.carried_places(now, {place: KNOWN[place] for place in ("stock", "waste")}, places())
    assert found is not None
    off = np.array(found["pyramid 1 1"]).mean(0) - np.array(quad("pyramid 1 1", moved)).mean(0)
    assert np.abs(off).max() < 4


def test_one_card_tells_where_to_look_for_the_others() -> None:
    moved = np.array([[1.0, 0.0, 60.0], [0.0, 1.0, -40.0], [0.0, 0.0, 1.0]])
    now = spread([(KNOWN["waste"], quad("waste", moved)), (FACE_DOWN, quad("stock", moved))])
    found = carried.carried_places(now, {place: KNOWN[place] for place in ("stock", "waste")}, places())
    assert found is not None and np.allclose(found["pyramid 1 1"], quad("pyramid 1 1", moved), atol=1)


def test_of_a_pyramid_that_is_gone_the_piles_tell_where_it_lay() -> None:
    at = {**AT, "foundation": (500, 420)}
    before = places() | {"foundation": quad("stock")}
    before["foundation"] = tuple((x + at["foundation"][0] - at["stock"][0], y) for x, y in quad("stock"))  # type: ignore[assignment]
    cards = [(FACE_DOWN, quad("stock")), (Card.parse("9C"), quad("waste")), (Card.parse("JH"), before["foundation"])]
    assert carried.carried_places(spread(cards), KNOWN, before) is not None
    assert carried.carried_places(spread(cards[:2]), KNOWN, before) is None
    last_two = {place: seen for place, seen in KNOWN.items() if not place.startswith(("pyramid 2", "pyramid 3"))}
    assert carried.carried_places(spread(cards[1:]), last_two, before) is not None


def test_cards_that_moved_otherwise_than_the_table_carry_nothing() -> None:
    swapped = {
        "pyramid 1 1": "stock",
        "pyramid 2 1": "pyramid 3 3",
        "pyramid 2 2": "pyramid 1 1",
        "waste": "pyramid 2 1",
    }
    seen = spread([(KNOWN[place], quad(other)) for place, other in swapped.items()])
    there = carried.carried_places(seen, KNOWN, places())
    assert there is None or not np.allclose(there["pyramid 1 1"], quad("stock"), atol=20)


def test_places_seen_only_before_lie_where_they_lay_as_the_camera_moved() -> None:
    left = ("pyramid 1 1", "pyramid 2 1", "pyramid 3 3", "waste")
    cards = tuple(SeenCard(p, KNOWN[p], 0.99, False, (), quad(p, tilted())) for p in left)
    now = TableReading(1000, 800, "pyramid-3", cards, {}, (), (), {})
    kept = carried.places_of(now, places())
    there, tenth = np.array(quad("pyramid 3 1", tilted())), 7.0  # a tenth of a card's width, in pixels
    assert np.allclose(np.array(kept["pyramid 3 1"]), there, atol=tenth)


def test_places_are_kept_where_one_card_alone_tells_how_the_camera_moved() -> None:
    moved = np.array([[1.0, 0.0, 7.0], [0.0, 1.0, -4.0], [0.0, 0.0, 1.0]])
    cards = (SeenCard("stock", FACE_DOWN, 0.99, False, (), quad("stock", moved)),)
    found = carried.places_of(TableReading(1000, 800, "pyramid-3", cards, {}, (), (), {}), places())
    assert found.keys() == AT.keys()
    assert np.allclose(found["waste"], quad("waste", moved), atol=1e-6)


def test_places_are_not_taken_from_cards_in_doubt() -> None:
    over = {"pyramid 1 1": "pyramid 3 3", "pyramid 3 3": "pyramid 1 1", "pyramid 2 1": "pyramid 2 2"}
    cards = tuple(SeenCard(place, KNOWN[place], 0.4, True, (), quad(where)) for place, where in over.items())
    found = carried.places_of(TableReading(1000, 800, "pyramid-3", cards, {}, (), (), {}), places())
    assert found == places()


def test_a_layout_put_beside_where_it_lies_is_told_by_where_its_places_lay() -> None:
    def laid(where: dict[str, str]) -> TableReading:
        cards = tuple(SeenCard(p, KNOWN[k], 0.7, True, (), quad(k)) for p, k in where.items())
        return TableReading(1000, 800, "pyramid-3", cards, {}, (), (), {})

    below = {"pyramid 2 1": "pyramid 1 1", "pyramid 3 1": "pyramid 2 1", "pyramid 3 2": "pyramid 2 2"}
    assert carried.is_elsewhere(laid(below), places())
    assert not carried.is_elsewhere(laid(dict(list(below.items())[:2])), places())  # too few to say so
    assert not carried.is_elsewhere(laid({place: place for place in AT if place != "stock"}), places())


def test_a_card_read_the_other_way_up_tells_as_well_how_the_camera_moved() -> None:
    moved = np.array([[1.0, 0.0, 20.0], [0.0, 1.0, -15.0], [0.0, 0.0, 1.0]])
    where = {place: quad(place, moved) for place in AT if place != "stock"}
    cards = [(KNOWN[place], (there[2], there[3], there[0], there[1])) for place, there in where.items()]
    found = carried.carried_places(spread(cards), KNOWN, places())
    assert found is not None and np.allclose(found["pyramid 3 1"], quad("pyramid 3 1", moved), atol=1)


def laid_at(place: str, code: str, x: float, y: float) -> SeenCard:
    a, b, c, d = ((float(px), float(py)) for px, py in CARD + np.array([x, y]))
    return SeenCard(place, Card.parse(code), 0.9, False, (), (a, b, c, d))


def rows(*cards: SeenCard) -> TableReading:
    return TableReading(1000, 800, "rows-5-4", cards, {card.place: card.card for card in cards}, (), (), {})


LINES = (
    laid_at("left column 1", "4H", 60, 300),
    laid_at("left 1 1", "10D", 400, 300),
    laid_at("left 1 2", "AD", 340, 300),
)
WHERE = {card.place: card.quad_xy for card in LINES}
WERE: dict[str, Seen] = {card.place: card.card for card in LINES}


def test_the_last_card_of_a_column_told_as_of_the_row_beside_it_is_of_the_column() -> None:
    told = rows(*LINES[1:], laid_at("left 1 3", "4H", 62, 304))
    found = carried.regrouped(told, WERE, WHERE)
    assert found.places == {
        "left 1 1": Card.parse("10D"),
        "left 1 2": Card.parse("AD"),
        "left column 1": Card.parse("4H"),
    }
    beside = carried.regrouped(rows(*LINES[1:], laid_at("table 1", "4H", 62, 304)), WERE, WHERE)
    assert beside.places == found.places


def test_a_card_that_was_laid_at_the_end_of_a_row_stays_there() -> None:
    built = rows(*LINES[1:], laid_at("left 1 3", "4H", 280, 300))
    assert carried.regrouped(built, WERE, WHERE) == built
    shorter = rows(LINES[0], LINES[1])
    assert carried.regrouped(shorter, WERE, WHERE) == shorter


def test_half_rows_are_pointed_out_by_where_their_bases_lie_or_the_cards_beside_them() -> None:
    row = {"left 1 2": 240, "left 1 1": 320, "right 1 1": 480, "right 1 2": 560}
    last = {"base 4": 400, "right 4 1": 480}
    cards = [
        laid_at(place, code, x, 100) for (place, x), code in zip(row.items(), ("KS", "2H", "3D", "4C"), strict=True)
    ]
    cards += [laid_at(place, code, x, 460) for (place, x), code in zip(last.items(), ("5S", "6H"), strict=True)]
    told = rows(*cards)
    where = {card.place: card.quad_xy for card in told.cards}
    found = carried.pointed_out("rows-5-4", where, told)
    assert found is not None and found.layout == "rows-5-4"
    assert found.corners == {"base 1": (400, 100), "base 4": (400, 460), "left": (240, 100), "right": (560, 100)}
    del where["left 1 1"]
    assert carried.pointed_out("rows-5-4", where, told) is None

"""One posterior a place: every witness is heard once, by weights that were fitted, and nothing else edits it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion_app.commands.models import check
from rules.cards import FACE_DOWN, GONE, Card
from tests.vision import laying
from vision.deck_prints import RANKS, SUITS
from vision.nets import session
from vision.nets.session import ModelError
from vision.posterior import place_model
from vision.posterior.known import Known
from vision.posterior.observation import Observed, Query, none_read, without_cards
from vision.posterior.place_model import BACK, FOREIGN, posterior
from vision.posterior.spotted import decided, judged
from vision.reader import Reader
from vision.recognize.index_reader import FACES, NONE, SIZE

MANIFEST = laying.SAMPLES.parent / "models/place.json"
CODES = [str(face) for face in FACES]
AXES = np.array([[50.0, 0.0, 0.0], [0.0, 70.0, 0.0]])
NOTHING, FACE, A_BACK = (0.98, 0.01, 0.01), (0.01, 0.98, 0.01), (0.01, 0.01, 0.98)


def chances(code: str = "", sure: float = 0.0, none: float = 0.0) -> np.ndarray:
    """Chances (54,): of a card, of none, and the rest evenly."""
    out = np.full(SIZE, (1 - sure - none) / NONE)
    out[NONE] = none
    if code:
        out[CODES.index(code)] += sure
    return out


def seen(*, shows: tuple[float, float, float], index: np.ndarray, card: np.ndarray, **of: object) -> Observed:
    """One place, of which the map and the net say the same."""
    shares = np.array([shows])
    query = Query("pyramid 7 1", AXES, none_read(), **of)  # type: ignore[arg-type]
    told, corners = np.array([1 - index[NONE]]), np.array([4.0 if query.found else 0.0])
    one, none = np.ones(1), np.zeros(1)
    # Of how it is printed nothing was seen.
    prints = np.zeros((1, RANKS)), np.zeros((1, SUITS)), none
    covers = none, np.zeros((1, 3)), none
    return Observed(
        (query,),
        shares,
        shares,
        one,
        corners,
        shares,
        card[None],
        index[None],
        told,
        *covers,
        *prints,
        np.zeros((1, 8, 6)),
    )


def covered(each: list[Observed]) -> Observed:
    """Several places that carry cards."""
    queries = tuple(replace(one.queries[0], place=f"pyramid 1 {n}", carries=True) for n, one in enumerate(each, 1))
    rest = (np.concatenate([getattr(one, name) for one in each]) for name in Observed.__slots__[1:])
    return Observed(queries, *rest)


UNREAD, ANY = chances(none=1.0), chances()
PLAIN = seen(shows=FACE, index=chances("9H", 0.999), card=chances("9H", 0.97))
BARE = seen(shows=NOTHING, index=UNREAD, card=ANY, found=False)
DOWN = seen(shows=A_BACK, index=UNREAD, card=ANY)


def test_chances_come_to_one_whatever_is_seen() -> None:
    for one in (PLAIN, BARE, DOWN):
        assert posterior(one).sum() == pytest.approx(1)
    assert posterior(Observed((), *(getattr(PLAIN, name)[:0] for name in Observed.__slots__[1:]))).shape == (0, 56)


def test_a_card_read_a_back_and_a_bare_place_are_told() -> None:
    assert [card.card for one in (PLAIN, DOWN, BARE) for card in decided(judged(one), 0.004)] == [
        Card.parse("9H"),
        FACE_DOWN,
        GONE,
    ]


def test_two_witnesses_that_agree_are_surer_than_one() -> None:
    at = CODES.index("9H")
    index = chances("9H", 0.8)
    both = posterior(seen(shows=FACE, index=index, card=chances("9H", 0.8)))[0, at]
    alone = posterior(seen(shows=FACE, index=index, card=ANY))[0, at]
    against = posterior(seen(shows=FACE, index=index, card=chances("5D", 0.8)))[0, at]
    assert both > alone > against


def test_where_no_index_was_read_the_whole_card_speaks_alone() -> None:
    (spotted,) = judged(seen(shows=FACE, index=UNREAD, card=chances("KS", 0.98)))
    assert CODES[int(spotted.belief.argmax())] == "KS"
    assert spotted.belief.max() > 0.5


def named(count: int, *, others: int = 0) -> list[Observed]:
    """So many cards of a table that their pips name as their indices do, and `others` that they name otherwise."""
    codes = CODES[:count], CODES[20 : 20 + others]
    alike = [seen(shows=FACE, index=chances(code, 0.99), card=chances(code, 0.99)) for code in codes[0]]
    unlike = [chances(CODES[CODES.index(code) + 1], 0.99) for code in codes[1]]
    wrong = [seen(shows=FACE, index=chances(code, 0.99), card=one) for code, one in zip(codes[1], unlike, strict=True)]
    return alike + wrong


def test_pips_that_gainsay_the_indices_of_their_table_are_trusted_less() -> None:
    """On some decks the net of whole cards takes nines for tens: there the index counts for more."""
    disputed = seen(shows=FACE, index=chances("9H", 0.9), card=chances("10H", 0.99))
    alike, unlike = (
        posterior(covered([disputed, *cards]))[0, CODES.index("9H")] for cards in (named(12), named(6, others=6))
    )
    assert unlike > alike + 0.1


def test_a_card_without_a_corner_is_told_as_surely_as_the_pips_of_its_table_are_right() -> None:
    unread = seen(shows=FACE, index=UNREAD, card=chances("KS", 0.999))
    many, some = (judged(covered([unread, *cards]))[0].told for cards in (named(20), named(10, others=3)))
    assert judged(unread)[0].told == pytest.approx(0.9)
    assert many > 0.96
    assert some < 0.9


def test_a_card_of_no_deck_is_called_foreign() -> None:
    (spotted,) = judged(seen(shows=FACE, index=UNREAD, card=chances(none=0.995)))
    assert posterior(seen(shows=FACE, index=UNREAD, card=chances(none=0.995)))[0].argmax() == FOREIGN
    assert spotted.is_foreign


def test_a_taught_deck_is_not_judged_by_the_net_of_whole_cards() -> None:
    strange = seen(shows=FACE, index=chances("9H", 0.99), card=chances("5D", 0.99))
    assert posterior(without_cards(strange))[0, CODES.index("9H")] > posterior(strange)[0, CODES.index("9H")]


def test_covered_cards_of_one_table_lie_alike() -> None:
    """One that may be either is a back among backs, and a face among faces; one that plainly shows its face does so
    among backs too: the apex of King Tut, and the fault that a covered card lies face up."""
    either = seen(shows=(0.02, 0.49, 0.49), index=chances("9H", 0.45, 0.5), card=ANY)
    faces = [seen(shows=FACE, index=chances(code, 0.99), card=chances(code, 0.9)) for code in CODES[:12]]
    backs = [DOWN] * 12
    assert posterior(covered([either, *backs]))[0, BACK] > 0.9
    assert posterior(covered([either, *faces]))[0, BACK] < 0.2
    assert posterior(covered([PLAIN, *backs]))[0, CODES.index("9H")] > 0.8


def test_a_pile_is_a_back_the_sooner_the_more_it_is_like_the_backs_that_are_known() -> None:
    """Of something that may be a back or nothing, where two backs or more of its deck were seen and where none was."""
    some = replace(seen(shows=(0.5, 0.0, 0.5), index=UNREAD, card=ANY, kind="pile"), edges=np.array([0.5]))
    like, unlike, open_ = (
        posterior(replace(some, deck=np.array([deck])))[0, BACK]
        for deck in ([1.0, 0.9, 0.05], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0])
    )
    assert like > open_ > unlike


def test_a_pile_that_does_not_stand_out_from_the_table_is_likely_none() -> None:
    some = seen(shows=(0.5, 0.0, 0.5), index=UNREAD, card=ANY, kind="pile")
    sharp, faint = (posterior(replace(some, edges=np.array([edge])))[0, place_model.GONE] for edge in (2.0, 0.05))
    assert faint > sharp


def told_of(cards: dict[str, float]) -> Known:
    return Known({"pyramid 7 1": {Card.parse(code): chance for code, chance in cards.items()}})


def test_a_place_holds_a_card_only_as_surely_as_one_of_those_that_lie_on_it() -> None:
    """A doubtful find on bare table does not make the place below it sure; a plain back does."""
    some = seen(shows=(0.6, 0.0, 0.4), index=UNREAD, card=ANY, found=False)

    def told(above: Observed, on: tuple[str, ...]) -> np.ndarray:
        """What lies at a place and at the one on it, if that is known to lie on it."""
        below = replace(some.queries[0], place="pyramid 6 1", carries=True, covered_by=on)
        rest = (np.concatenate([getattr(each, name) for each in (some, above)]) for name in Observed.__slots__[1:])
        return posterior(Observed((below, above.queries[0]), *rest))[:, place_model.GONE]

    doubtful = seen(shows=(0.85, 0.0, 0.15), index=UNREAD, card=ANY)
    for above, more in ((doubtful, 0.05), (DOWN, 0.0)):
        (taken, _), (weighed, gone) = told(above, ()), told(above, ("pyramid 7 1",))
        assert taken + more <= weighed <= taken + gone + 0.02


def test_a_soft_picture_makes_no_name_as_sure_as_a_sharp_one() -> None:
    spotted = judged(seen(shows=FACE, index=chances("9H", 0.97), card=ANY))
    (sharp,), (soft,) = decided(spotted, 0.004), decided(spotted, 0.004, "soft")
    assert sharp.card == soft.card == Card.parse("9H")
    assert sharp.probability > soft.probability


def test_a_prior_of_the_caller_is_added_once_and_tells_what_the_picture_leaves_open() -> None:
    open_ = seen(shows=FACE, index=chances("9H", 0.5), card=ANY)
    without, (told,) = judged(open_)[0], judged(open_, told_of({"9H": 1.0, "9D": 1e-6}))
    (against,) = judged(open_, told_of({"9H": 1e-6}))
    hearts = CODES.index("9H")
    assert told.belief[hearts] >= without.belief[hearts] > against.belief[hearts]
    assert judged(open_, Known({"elsewhere": {GONE: 1.0}}))[0].belief[hearts] == without.belief[hearts]


@cache
def reader() -> Reader:
    return Reader.load(1)


def test_a_reading_hears_what_was_known_before() -> None:
    image = laying.pixels("relaxed-deal")
    plain = reader().read_pixels(image, layout="pyramid-7")
    place = "pyramid 7 3"
    card = plain.places[place]
    assert isinstance(card, Card)
    known = reader().read_pixels(image, layout="pyramid-7", known=Known({place: {card: 1e-9, GONE: 1.0}}))
    assert {c.place: c for c in known.cards}.get(place) != {c.place: c for c in plain.cards}[place]


def test_weights_of_other_features_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place_model, "GONE_FEATURES", (*place_model.GONE_FEATURES, "the weather"))
    with pytest.raises(ModelError, match="place"):
        place_model.load.__wrapped__()


def test_the_manifest_says_how_the_weights_were_made() -> None:
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    assert manifest["command"].startswith("python -m models.training.train_place")
    assert manifest["measured"]["places"] > 10_000
    assert manifest["measured"]["wrong"] < 0.02 * manifest["measured"]["places"]


def test_changed_weights_are_refused_by_the_reader_and_by_verify(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    manifest["weights"]["cards"]["index"] += 0.1
    tmp_path.joinpath("place.json").write_text(json.dumps(manifest), "utf-8")
    monkeypatch.setattr(session.importlib.resources, "files", lambda package: tmp_path)
    with pytest.raises(ModelError, match="changed"):
        place_model.load.__wrapped__()
    monkeypatch.setattr("companion_app.commands.models.files", lambda package: tmp_path)
    assert check("place")["reason"] == "other sha256"

"""Two cards that the reader takes for each other are one mistake: what follows from it is told as such."""

from collections.abc import Mapping

import pytest

from rules.cards import GONE, UNREADABLE, Card, Seen, deck
from rules.catalogue import GAMES
from rules.families import family_of
from rules.family import AnyMove
from rules.following import belief as following
from rules.following.evidence import Evidence
from rules.following.likely_looks import told_once
from rules.following.line import cards_gone
from rules.layouts import FOUNDATION
from rules.looks import lying
from tests.rules.test_following import SURE, Played, begun, seen

PLAYED = ("pair", "single", "build", "foundation")
NAMES = ("relaxed-pyramid", "math-pyramid", "nowy-domator", "arcydzielo")


def doubted(look: Mapping[str, Seen], pair: tuple[str, str], chance: float) -> Evidence:
    """A look at which the cards at two places are read each as the other, with this chance, else rightly."""
    one, other = pair
    chances: dict[str, dict[Seen, float]] = {place: {card: SURE} for place, card in look.items()}
    chances[one] = {look[other]: chance, look[one]: 0.99 - chance}
    chances[other] = {look[one]: chance, look[other]: 0.99 - chance}
    return Evidence(chances)


def with_a_move(name: str) -> tuple[Played, AnyMove, tuple[str, str]]:
    """A game whose deal lets a card be played that shows, that move, and the places of its card and of one that lies
    elsewhere and takes part in no move."""
    for number in range(100):
        played = begun(GAMES[name], number)[0]
        moves = [move for move in family_of(played.game).legal_moves(played.view, played.game) if move.kind in PLAYED]
        still = [place for place, card in lying(played.view) if isinstance(card, Card)]
        still = [place for place in still if all(place not in move.places for move in moves)]
        if moves and still:
            return played, moves[0], (moves[0].places[0], still[0])
    raise AssertionError("no such deal")


@pytest.mark.parametrize("name", NAMES)
def test_one_of_two_cards_swapped_in_the_first_picture_is_played_and_both_are_told_rightly(name: str) -> None:
    played, move, pair = with_a_move(name)
    belief = following.start(GAMES[name], doubted(played.look(), pair, 0.75))
    played.truth = played.family.play(played.truth, played.family.fill(move, played.truth), played.game)
    view = played.family.play(played.view, move, played.game)
    played.view = played.truth if played.game.family == "rows" else played.family.look(view, played.truth, played.game)
    played.top = move.cards[0] if move.kind in ("pair", "single") else played.top
    belief = following.followed(belief, seen(played.look()))
    assert [(each.kind, set(each.cards)) for each in belief.best.event.moves] == [(move.kind, set(move.cards))]
    assert not belief.best.event.violations
    lies = dict(lying(belief.best.position))
    assert all(lies[place] == card for place, card in played.look().items() if place in pair)


def test_a_swap_counts_once_and_two_cards_misread_apart_count_twice() -> None:
    look: dict[str, Seen] = {f"pyramid 2 {n}": Card.parse(code) for n, code in ((1, "JS"), (2, "JC"))}
    right = seen(look).total(look)
    swapped = doubted(look, ("pyramid 2 1", "pyramid 2 2"), 0.75)
    apart = Evidence(
        {
            place: {Card.parse(code): 0.75, card: 0.24}
            for (place, card), code in zip(look.items(), ("QS", "QC"), strict=True)
        }
    )
    cost = apart.log("pyramid 2 1", look["pyramid 2 1"]) - apart.log("pyramid 2 1", Card.parse("QS"))
    assert right > swapped.total(look) > apart.total(look)
    assert swapped.total(look) - apart.total(look) == pytest.approx(-cost)


def test_cards_read_each_as_the_next_are_one_misreading_and_another_table_is_none() -> None:
    def lost(number: int, *, hidden: bool = False) -> float:
        """What it costs that so many cards are read each as the next, also where something may lie in the way."""
        cards = deck()[:number]
        look: dict[str, Seen] = {f"right 1 {n}": card for n, card in enumerate(cards, start=1)}
        read = {place: cards[(n + 1) % number] for n, place in enumerate(look)}
        right, wrong = seen(look), Evidence({p: {card: SURE} for p, card in read.items()})
        right_cost, wrong_cost = (one.total_hidden(look) if hidden else one.total(look) for one in (right, wrong))
        return right_cost - wrong_cost

    for hidden in (False, True):
        assert lost(4, hidden=hidden) == pytest.approx(lost(3, hidden=hidden)) == pytest.approx(lost(2, hidden=hidden))
        assert lost(5, hidden=hidden) > 4 * lost(2, hidden=hidden)


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.family == "rows"])
def test_out_of_sight_for_good_is_what_was_built_upon(name: str) -> None:
    played, belief = begun(GAMES[name], 5)
    for _ in range(25):
        if not played.move():
            break
        belief = following.followed(belief, seen(played.look()))
        shown = set(played.look().values())
        assert cards_gone(belief.best) == {card for card in deck() if card not in shown}


@pytest.mark.parametrize("number", range(3))
def test_a_card_that_shows_on_the_foundation_left_where_it_lay_though_that_place_cannot_be_read(number: int) -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], number)
    while not isinstance(played.look().get(FOUNDATION), Card):
        assert played.move()
        belief = following.followed(belief, seen(played.look()))
    look = {place: card for place, card in played.look().items() if isinstance(card, Card)}
    rows = [place for place in look if place.startswith("pyramid") and not place.startswith("pyramid 7")]
    pairs = [(p, q) for p in rows for q in rows if p < q and int(look[p].rank) + int(look[q].rank) == 13]  # type: ignore[arg-type]
    one, other = pairs[0]
    after = seen({**played.look(), other: GONE, FOUNDATION: look[one]})
    dim: dict[Seen, float] = {Card.parse("AD"): 0.03, Card.parse("2D"): 0.02, UNREADABLE: 0.5}
    told = []
    for _ in range(2):
        belief = following.followed(belief, Evidence({**after.chances, one: dim}))
        told += belief.best.event.violations if belief.is_clear else ()
    taken = {card for broken in told for card in broken.cards}
    assert {broken.breach for broken in told} == {"covered"}
    assert {look[one], look[other]} <= taken


def test_a_card_in_doubt_that_was_taken_is_the_one_with_which_the_rules_allow_it() -> None:
    played, moves = next(
        (played, pairs)
        for played in (begun(GAMES["relaxed-pyramid"], number)[0] for number in range(100))
        if (
            pairs := [
                move for move in family_of(played.game).legal_moves(played.view, played.game) if move.kind == "pair"
            ]
        )
    )
    look, (place, _) = played.look(), moves[0].places
    unseen = next(card for card in deck() if card not in look.values() and card.rank != look[place].rank)  # type: ignore[union-attr]
    chances: dict[str, dict[Seen, float]] = {at: {card: SURE} for at, card in look.items()}
    belief = following.start(played.game, Evidence(chances | {place: {unseen: 0.9, look[place]: 0.09}}))
    assert dict(lying(belief.best.position))[place] == unseen
    after = {at: card for at, card in look.items() if at not in moves[0].places} | {FOUNDATION: moves[0].cards[1]}
    belief = following.followed(belief, seen(after))
    assert belief.best.moves == (moves[0],) and not belief.best.event.violations


@pytest.mark.parametrize("name", NAMES)
def test_of_a_card_read_twice_in_the_deal_one_is_the_card_that_is_read_nowhere(name: str) -> None:
    played, _ = begun(GAMES[name], 3)
    look = played.look()
    (place, card), (_, other), *_ = ((place, card) for place, card in look.items() if isinstance(card, Card))
    chances: dict[str, dict[Seen, float]] = {at: {seen: SURE} for at, seen in look.items()}
    chances[place] = {other: 0.99, card: 0.005}
    evidence = Evidence(chances)
    belief = following.start(played.game, evidence)
    assert dict(lying(belief.best.position))[place] == card and place in belief.doubts
    assert told_once(evidence)[place] == card and evidence.look[place] == other  # what was read stays as it was
    # Where no other card may lie there, the same one lies there twice for all that is known.
    twice = following.start(played.game, Evidence(chances | {place: {other: 0.99}}))
    assert dict(lying(twice.best.position))[place] == other and place in twice.doubts

"""A game followed by evidence: true moves, poor looks, misreadings, breaches, moves taken back, another table."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen, deck
from rules.catalogue import GAMES, Game
from rules.families import family_of
from rules.following import belief as following
from rules.following.belief import Belief
from rules.following.evidence import Evidence
from rules.looks import lying
from rules.pyramid.planting import picture as pyramid_picture

EASY = ("relaxed-pyramid", "pyramid", "math-pyramid", "nowy-domator", "arcydzielo")
SURE = 0.997


class Played:
    """A game played at random, and what a camera would see of it; written without the belief that is tried."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed, self.rng, self.family = game, seed, Random(seed), family_of(game)
        self.truth = self.family.deal(game, self.rng)
        self.view = self.truth if game.family == "rows" else self.family.show(self.truth, game)
        self.top: Seen = GONE
        self.moves: list[object] = []

    def move(self) -> bool:
        """Make one move that can be seen; False where there is none."""
        legal = [
            move
            for move in self.family.legal_moves(self.view, self.game)
            if move.kind not in ("base", "direction", "reverse", "redeal")
        ]
        if not legal:
            return False
        move = self.family.fill(self.rng.choice(legal), self.truth)
        self.truth = self.family.play(self.truth, move, self.game)
        played = self.family.play(self.view, move, self.game)
        rows = self.game.family == "rows"
        self.view = self.truth if rows else self.family.look(played, self.truth, self.game)
        if move.kind in ("pair", "single"):
            self.top = self.rng.choice(move.cards)
        self.moves.append(move)
        return True

    def look(self) -> dict[str, Seen]:
        """What lies where, as a picture shows it."""
        if self.game.family == "rows":
            return dict(lying(self.view))
        return dict(lying(pyramid_picture(self.truth, self.top, self.game)))


def seen(look: Mapping[str, Seen], chance: float = SURE, wrong: Mapping[str, Seen] | None = None) -> Evidence:
    """A look as evidence, some places read wrongly and as surely."""
    wrong = wrong or {}
    return Evidence({place: {wrong.get(place, card): chance} for place, card in look.items()})


def begun(game: Game, seed: int) -> tuple[Played, Belief]:
    played = Played(game, seed)
    return played, following.start(game, seen(played.look()))


def told(belief: Belief) -> list[str]:
    """The moves told, in a form to compare."""
    kinds = ("base", "direction", "reverse")
    return [f"{move.kind} {sorted(map(str, move.cards))}" for move in belief.best.moves if move.kind not in kinds]


def made(played: Played) -> list[str]:
    return [f"{move.kind} {sorted(map(str, move.cards))}" for move in played.moves]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", EASY)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_seen_well_is_told_move_by_move(name: str, seed: int) -> None:
    played, belief = begun(GAMES[name], seed)
    for _ in range(12):
        if not played.move():
            break
        belief = following.followed(belief, seen(played.look()))
        assert belief.best.event.kind == "moves"
        assert belief.best.event.violations == ()
    assert told(belief) == made(played)


@pytest.mark.parametrize("name", EASY)
def test_nothing_new_is_nothing(name: str) -> None:
    played, belief = begun(GAMES[name], 5)
    again = following.followed(belief, seen(played.look()))
    assert again.best.event.kind == "nothing"
    assert again.is_clear


@pytest.mark.parametrize("name", ("relaxed-pyramid", "math-pyramid"))
@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_card_forced_upon_a_reading_is_misread_or_asked_about(name: str, seed: int) -> None:
    played, belief = begun(GAMES[name], seed)
    played.move()
    belief = following.followed(belief, seen(played.look()))
    look = played.look()
    place = next(place for place, card in look.items() if isinstance(card, Card) and place.startswith("pyramid"))
    other = played.rng.choice([card for card in deck() if card not in look.values()])
    after = following.followed(belief, seen(look, wrong={place: other}))
    assert after.best.moves == belief.best.moves
    assert after.best.event.kind in ("misread", "hidden") or not after.is_clear
    assert place in after.best.event.misread
    healed = following.followed(after, seen(look))
    assert healed.best.event.kind == "nothing"
    assert dict(lying(healed.best.position))[place] == look[place]


def test_a_card_misread_at_first_is_corrected_by_later_looks_and_never_a_breach() -> None:
    played = Played(GAMES["relaxed-pyramid"], 8)
    look = played.look()
    place = "pyramid 1 1"
    other = next(card for card in deck() if card not in look.values())
    belief = following.start(played.game, seen(look, 0.97, wrong={place: other}))
    for _ in range(3):
        belief = following.followed(belief, seen(look))
        assert belief.best.event.kind in ("nothing", "misread")
    assert dict(lying(belief.best.position))[place] == look[place]
    assert dict(lying(belief.best.states[0].position))[place] == look[place]


def test_a_picture_in_which_nothing_can_be_read_changes_nothing() -> None:
    _, belief = begun(GAMES["pyramid"], 3)
    after = following.unread(belief)
    assert after.best.event.kind == "hidden"
    assert after.best.position == belief.best.position


def test_a_hand_over_half_of_the_table_breaks_no_rule() -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], 4)
    look = played.look()
    places = [place for place in look if place.startswith("pyramid")]
    hidden = dict.fromkeys(places[len(places) // 2 :], GONE)
    after = following.followed(belief, seen(look, 0.98, wrong=hidden))
    assert after.best.event.kind == "hidden"
    assert following.followed(after, seen(look)).best.event.kind == "nothing"


def test_a_move_taken_back_is_told_as_such() -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], 11)
    before = played.look()
    while not any(move.kind == "pair" for move in played.moves):  # type: ignore[attr-defined]
        before = played.look()
        assert played.move()
        belief = following.followed(belief, seen(played.look()))
    after = following.followed(belief, seen(before))
    assert after.best.event.kind == "undone"
    assert [move.kind for move in after.best.event.undone] == ["pair"]
    assert len(after.best.moves) == len(belief.best.moves) - 1


def test_a_broken_rule_is_told_and_goes_away_when_it_is_put_right() -> None:
    game = GAMES["relaxed-pyramid"]
    played, belief = begun(game, 2)
    look = played.look()
    base = {place: card for place, card in look.items() if place.startswith("pyramid 7") and isinstance(card, Card)}
    first, second = next(
        (a, b)
        for a in base
        for b in base
        if a < b and base[a].worth + base[b].worth != 13 and 13 not in (base[a].worth, base[b].worth)
    )
    broken = {**look, first: GONE, second: GONE, "foundation": base[first]}
    after = following.followed(belief, seen(broken))
    assert {each.breach for each in after.best.event.violations} == {"wrong-total"}
    assert after.best.moves == ()
    still = following.followed(after, seen(broken))
    assert still.best.odd is not None
    right = following.followed(still, seen(look))
    assert right.best.odd is None
    assert right.best.event.violations == ()


def test_nobody_is_accused_of_a_vanished_card_at_first_sight() -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], 6)
    look = played.look()
    place = next(
        p for p, card in look.items() if p.startswith("pyramid 7") and isinstance(card, Card) and card.worth < 13
    )
    gone = {**look, place: GONE}
    first = following.followed(belief, seen(gone))
    assert not first.is_clear or first.best.event.kind != "breach"
    second = following.followed(first, seen(gone))
    assert second.best.event.kind == "breach"
    assert second.best.event.violations[0].places == (place,)


def test_one_picture_of_another_table_does_not_end_the_game_and_two_do() -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], 6)
    other = Played(GAMES["relaxed-pyramid"], 77)
    for _ in range(6):
        other.move()
    once = following.followed(belief, seen(other.look()))
    assert once.best.event.kind == "another-table"
    back = following.followed(once, seen(played.look()))
    assert dict(lying(back.best.position)) == dict(lying(belief.best.position))
    assert back.best.moves == belief.best.moves
    twice = following.followed(once, seen(other.look()))
    assert dict(lying(twice.best.position))["pyramid 1 1"] == other.look()["pyramid 1 1"]


def test_turns_made_out_of_sight_stay_a_range_until_they_show() -> None:
    game = GAMES["math-pyramid"]
    played, belief = begun(game, 9)
    turn = next(move for move in played.family.legal_moves(played.view, game) if move.kind == "turn")
    for _ in range(2):
        move = played.family.fill(turn, played.truth)
        played.truth = played.family.play(played.truth, move, game)
    belief = following.unread(belief)
    belief = following.followed(belief, seen(dict(lying(pyramid_picture(played.truth, GONE, game)))))
    low, high = belief.stock_count or (0, 0)
    assert low <= len(played.truth.stock_cards) <= high
    assert low < high


def test_what_a_person_says_is_a_fact_from_the_moment_it_is_about() -> None:
    played = Played(GAMES["relaxed-pyramid"], 8)
    look = played.look()
    other = next(card for card in deck() if card not in look.values())
    belief = following.start(played.game, seen(look, wrong={"pyramid 1 1": other}))
    settled = following.told(belief, "pyramid 1 1", look["pyramid 1 1"])
    after = following.followed(settled, seen(look))
    assert after.best.event.kind == "nothing"
    assert dict(lying(after.best.position)) == dict(lying(replace(settled.best.position)))


def test_no_picture_stands_against_a_persons_word() -> None:
    played = Played(GAMES["relaxed-pyramid"], 8)
    look = played.look()
    other = next(card for card in deck() if card not in look.values())
    belief = following.told(following.start(played.game, seen(look)), "pyramid 1 1", look["pyramid 1 1"])
    for _ in range(5):
        belief = following.followed(belief, seen(look, wrong={"pyramid 1 1": other}))
        assert belief.best.event.violations == () or not belief.is_clear
    assert dict(lying(belief.best.states[0].position))["pyramid 1 1"] == look["pyramid 1 1"]


def test_evidence_says_how_likely_each_card_is() -> None:
    evidence = Evidence({"waste": {Card.parse("KH"): 0.7, UNREADABLE: 0.2}, "turned": {}})
    assert evidence.best("waste") == Card.parse("KH")
    assert evidence.log("waste", Card.parse("KH")) > evidence.log("waste", Card.parse("2S"))
    assert evidence.log("turned", Card.parse("KH")) == 0
    assert evidence.best("turned") is None
    assert evidence.log("stock", GONE) > evidence.log("stock", FACE_DOWN)


def test_what_cannot_be_read_is_as_likely_nothing_as_any_one_card() -> None:
    evidence = Evidence({"pyramid 1 1": {UNREADABLE: 0.6, Card.parse("KH"): 0.4}})
    assert evidence.log("pyramid 1 1", GONE) == pytest.approx(evidence.log("pyramid 1 1", Card.parse("2S")))
    assert evidence.log("pyramid 1 1", GONE) < evidence.log("pyramid 1 1", Card.parse("KH"))


def test_a_card_half_covered_look_after_look_never_turns_into_the_one_below_it() -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], 8)
    turned = [turn_up(played)]
    belief = following.followed(belief, seen(played.look()))
    turned += [turn_up(played)]
    belief = following.followed(belief, seen(played.look()))
    turned += [turn_up(played)]
    look = played.look()
    chances = {place: {card: SURE} for place, card in look.items()} | {"waste": {look["waste"]: 0.86, UNREADABLE: 0.13}}
    for _ in range(6):
        belief = following.followed(belief, Evidence(chances, is_covered=True))
    belief = following.followed(belief, seen(look))
    assert [move.cards for move in belief.best.moves] == turned


def test_cards_turned_unseen_are_no_question_but_a_range_of_the_stock() -> None:
    played, belief = begun(GAMES["math-pyramid"], 3)
    turn_up(played)
    belief = following.followed(belief, seen(played.look()))
    assert belief.is_clear and len(belief.lines) > 1
    least, most = belief.stock_count or (0, 0)
    assert least < most == len(played.truth.stock_cards)  # type: ignore[union-attr]


def test_a_card_taken_alone_is_told_though_one_never_seen_might_have_gone_with_it() -> None:
    played, belief = begun(GAMES["math-pyramid"], 5)
    for _ in range(8):
        assert played.move()
        belief = following.followed(belief, seen(played.look()))
    look = played.look()
    place = next(place for place, card in reversed(list(look.items())) if place.startswith("pyramid") and _alone(card))
    broken = {**look, place: GONE, "foundation": look[place]}
    looks = [belief := following.followed(belief, seen(broken)) for _ in range(2)]
    assert (
        not [line for line in looks[0].lines if line.log > -3.0 and line.event.kind == "moves"] or not looks[0].is_clear
    )
    breaches = [[each.breach for each in seen_so.best.event.violations] for seen_so in looks if seen_so.broken]
    assert breaches == [["wrong-total"]]
    belief = following.followed(belief, seen(look))
    assert belief.best.odd is None and told(belief) == made(played)


def test_a_breach_at_first_sight_is_a_question_and_moves_that_the_rules_allow_are_among_its_answers() -> None:
    played, belief = begun(GAMES["math-pyramid"], 5)
    look = played.look()
    place = next(place for place, card in reversed(list(look.items())) if place.startswith("pyramid") and _alone(card))
    belief = following.followed(belief, seen({**look, place: GONE, "foundation": look[place]}))
    assert belief.best.event.kind == "breach" and not (belief.is_clear or belief.broken)
    (lawful,) = belief.rivals
    assert [move.kind for move in lawful.moves] == ["turn", "pair"]
    assert following.answered(belief, lawful).is_clear


def _alone(card: Seen) -> bool:
    """Whether a card is seen that the game does not take alone."""
    return isinstance(card, Card) and card.rank not in (None, 10, 13)


def test_a_doubted_breach_is_told_once_when_a_second_look_leaves_no_doubt() -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], 2)
    look = played.look()
    base = {place: card for place, card in look.items() if place.startswith("pyramid 7") and isinstance(card, Card)}
    low = [place for place, card in base.items() if card.worth < 6]
    first, second = low[:2]
    broken = {**look, first: GONE, second: GONE, "foundation": base[first]}
    doubted = {place: {GONE: 0.75, base[place]: 0.2} for place in (first, second)}
    once = following.followed(belief, Evidence({**seen(broken).chances, **doubted}))
    assert not (once.is_clear or once.broken)
    twice = following.followed(once, seen(broken))
    assert twice.is_clear
    assert [each.breach for each in twice.best.event.violations] == ["wrong-total"]
    again = following.followed(twice, seen(broken))
    assert again.best.event.violations == () and again.best.odd is not None


def test_a_second_look_that_shows_the_same_breach_settles_it_by_whichever_story_it_is_told() -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], 2)
    look = played.look()
    base = {place: card for place, card in look.items() if place.startswith("pyramid 7") and isinstance(card, Card)}
    first, second = [place for place, card in base.items() if card.worth < 6][:2]
    evidence = seen({**look, first: GONE, second: GONE, "foundation": base[first]})
    poor = replace(evidence, is_covered=True)
    once = following.followed(belief, poor)
    assert once.best.pending and not once.broken
    # The story that tells it anew knows nothing of the one that told it first.
    anew = replace(once, lines=(replace(once.best, odd=None),))
    twice = following.followed(anew, poor)
    assert not twice.best.pending and twice.broken


@pytest.mark.parametrize("name", ("nowy-domator", "arcydzielo"))
def test_a_row_read_with_one_card_too_many_is_no_breach_when_it_looks_as_before(name: str) -> None:
    played, belief = begun(GAMES[name], 4)
    look = played.look()
    places = [place for place in look if place.startswith("left 1 ")]
    cards = [look[place] for place in places]
    strange = next(card for card in deck() if card not in look.values()) if len(set(look.values())) < 52 else cards[0]
    shifted = [cards[0], strange, *cards[1:]]
    poor = look | {f"left 1 {index}": card for index, card in enumerate(shifted, start=1)}
    belief = following.followed(belief, seen(poor, 0.6))
    assert not (belief.is_clear and belief.best.event.violations)
    assert played.move()
    belief = following.followed(belief, seen(played.look()))
    assert belief.best.event.violations == () and told(belief) == made(played)


def test_a_card_known_to_lie_under_another_is_not_taken_for_one_turned_up_later() -> None:
    played, belief = begun(GAMES["math-pyramid"], 3)
    known = []
    for _ in range(2):
        known += turn_up(played)
        belief = following.followed(belief, seen(played.look()))
    belief = following.followed(belief, seen(played.look(), 0.4))
    known += turn_up(played)
    belief = following.followed(belief, seen(played.look()))
    assert list(belief.best.position.waste_cards or ()) == known  # type: ignore[union-attr]


def turn_up(played: Played) -> tuple[Seen, ...]:
    """Turn the next card or cards of the stock."""
    family, game = played.family, played.game
    turn = next(move for move in family.legal_moves(played.view, game) if move.kind == "turn")
    move = family.fill(turn, played.truth)
    played.truth = family.play(played.truth, move, game)
    played.view = family.look(family.play(played.view, move, game), played.truth, game)
    return move.cards

"""Thinking about hints beside the server: the first answer at once, better ones later, one thought at a time."""

import re
import threading
import time
from collections.abc import Callable, Collection, Iterator
from itertools import count
from random import Random

import httpx
import pytest

from companion_app.hints.advise import advise, improve
from companion_app.hints.resting import LATE, Clock, Rest
from companion_app.hints.thinking import Answer, Thinker, Thought
from companion_app.languages import CODES, language
from rules.catalogue import Game, find_game
from rules.pyramid.full import random_deal
from rules.pyramid.hint_records import Hints
from rules.pyramid.legality import outcome
from rules.pyramid.position import PyramidPosition
from tests.companion_app.fakes import FakeEyes, reading
from tests.companion_app.steps import PATIENCE, Steps
from tests.companion_app.test_load import SlowEyes, sending
from tests.companion_app.test_server import AFTER, table_path, upload

Serve = Callable[..., httpx.Client]


def numbered(worlds: int) -> Answer:
    """An answer told from others by the samples it rests on."""
    return Answer(Hints((), "undecided", "order", worlds, 0.0), thinking=True)


def test_the_first_answer_is_there_before_the_last_is_found() -> None:
    go = threading.Event()

    def answers(clock: Clock) -> Iterator[Answer]:
        yield numbered(1)
        go.wait()
        yield numbered(2)

    thought = Thinker().think(answers)
    assert (thought.latest().hints.worlds, thought.latest().thinking) == (1, True)
    go.set()
    thought.end()
    assert (thought.latest().hints.worlds, thought.latest().thinking) == (2, False)


def test_a_stopped_thought_is_late_at_its_next_look_at_the_clock_and_gives_no_more_answers() -> None:
    looks, looked = count(), threading.Event()

    def answers(clock: Clock) -> Iterator[Answer]:
        yield numbered(1)
        began = clock()
        while clock() - began < LATE / 2:
            looked.set()
        yield numbered(2)
        yield numbered(3)

    thought = Thought(answers, clock=lambda: float(next(looks)) / 1e6)
    looked.wait()
    thought.stop()
    thought.end()
    assert (thought.latest().hints.worlds, thought.latest().thinking) == (2, False)


def test_the_next_question_ends_the_one_before_which_keeps_its_first_answer() -> None:
    thinker, running, most = Thinker(), list[int](), list[int]()

    def answers(number: int) -> Callable[[Clock], Iterator[Answer]]:
        def thinking(clock: Clock) -> Iterator[Answer]:
            running.append(number)
            most.append(len(running))
            began = clock()
            yield numbered(number)
            while clock() - began < LATE / 2:
                pass
            running.remove(number)

        return thinking

    thoughts = [thinker.think(answers(number)) for number in range(5)]
    assert [thought.latest().hints.worlds for thought in thoughts] == list(range(5))
    assert [thought.latest().thinking for thought in thoughts] == [False] * 4 + [True]
    thoughts[-1].end()
    assert (max(most), running) == (1, [])


def test_what_keeps_the_first_answer_from_being_found_is_raised_and_later_trouble_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(clock: Clock) -> Iterator[Answer]:
        raise ValueError("no such table")
        yield numbered(1)

    def breaking(clock: Clock) -> Iterator[Answer]:
        yield numbered(1)
        raise ValueError("out of luck")

    with pytest.raises(ValueError, match="no such table"):
        Thinker().think(broken)
    thought = Thinker().think(breaking)
    thought.end()
    assert (thought.latest().hints.worlds, thought.latest().thinking) == (1, False)
    assert "the answer before stands" in caplog.text


class Walk:
    """A thought of ten seconds by a clock that the test sets: an answer at its start, steps that the test allows one by
    one, each a look at the clock, and an answer at its end. `gone_by`: the seconds that its last look told."""

    def __init__(self) -> None:
        self.seconds = self.gone_by = 0.0
        self._allowed, self._looked, self._told = threading.Semaphore(0), threading.Event(), threading.Semaphore(0)

    def clock(self) -> float:
        """The seconds that the test has set."""
        seconds = self.seconds
        self._looked.set()
        return seconds

    def answers(self, clock: Clock) -> Iterator[Answer]:
        """As a thinker wants them."""
        began = clock()
        yield numbered(1)
        while self.gone_by < 10:
            assert self._allowed.acquire(timeout=PATIENCE)
            self.gone_by = clock() - began
            self._told.release()
        yield numbered(2)

    def look(self) -> None:
        """Return once it looks at the clock."""
        self._looked.clear()
        self._allowed.release()
        assert self._looked.wait(PATIENCE)

    def is_told(self, seconds: float = PATIENCE) -> bool:
        """Whether it is told the time within so many seconds of the test's own."""
        return self._told.acquire(timeout=seconds)


def test_a_thought_rests_while_it_is_asked_to_and_goes_on_with_all_its_time() -> None:
    walk, rest = Walk(), Rest()
    thought = Thought(walk.answers, walk.clock, rest)
    thought.latest()
    for _ in range(2):
        with rest.asked():
            with rest.asked():
                walk.look()
            walk.seconds += 3600
            assert not walk.is_told(0.1)
        assert walk.is_told() and walk.gone_by == 0
    walk.seconds += 9
    walk.look()
    assert walk.is_told() and walk.gone_by == 9
    walk.seconds += 1
    walk.look()
    assert walk.is_told() and walk.gone_by == 10
    thought.end()
    assert thought.latest().hints.worlds == 2


def test_a_thought_that_rests_ends_when_it_is_stopped() -> None:
    walk, rest = Walk(), Rest()
    thought = Thought(walk.answers, walk.clock, rest)
    thought.latest()
    with rest.asked():
        walk.look()
        thought.stop()
        assert walk.is_told() and walk.gone_by >= LATE
        thought.end()
    assert not thought.latest().thinking


def test_who_asks_for_rest_keeps_nobody_from_a_first_answer() -> None:
    walk, rest = Walk(), Rest()
    with rest.asked():
        thought = Thought(walk.answers, walk.clock, rest)
        until = time.monotonic() + PATIENCE
        while thought.so_far is None:
            assert time.monotonic() < until
    walk.seconds += 10
    walk.look()
    thought.end()
    assert thought.latest().hints.worlds == 2


@pytest.mark.parametrize("word", ["", "next", "watched"])
def test_a_thought_makes_no_step_while_a_picture_is_read_and_goes_on_after(serve: Serve, word: str) -> None:
    over = threading.Event()
    looks = 0

    def think(
        position: PyramidPosition, game: Game, seconds: float, doubtful: Collection[str], clock: Clock
    ) -> Iterator[Answer]:
        nonlocal looks
        began = clock()
        yield Answer(advise(position, game, 0.01, doubtful), thinking=True)
        while clock() - began < LATE / 2 and not over.is_set():
            looks += 1

    eyes = SlowEyes(reading())
    eyes.allowed.release()
    client = serve(eyes, think)
    thought_about, other = [table_path(upload(client)) for _ in range(2)]
    assert eyes.begun.acquire(timeout=PATIENCE) and eyes.begun.acquire(timeout=PATIENCE)
    client.post(f"{thought_about}/hint", data={"step": "3"})
    with sending(client, eyes, f"{other}/{word}" if word else "/tables") as answers:
        before = looks
        page = client.get(thought_about).text
        meanwhile = looks
    until = time.monotonic() + PATIENCE
    while looks <= meanwhile + 1 and time.monotonic() < until:
        pass
    over.set()
    assert [answer.status_code for answer in answers] == [200] and "is-thinking" in page
    # One look may have been under way.
    assert before <= meanwhile <= before + 1 < looks


def test_a_move_proven_to_win_by_a_line_of_which_none_is_shorter_ends_the_thinking() -> None:
    game = find_game("easy-pyramid", {"rows": "3"})
    position = random_deal(game, Random(2)).to_position()
    ticks = count()
    answers = list(improve(position, game, 1e9, (), lambda: next(ticks) * 1e-6))
    assert outcome(position, game) == "open"
    assert [answer.thinking for answer in answers] == [True, False]
    assert (answers[0].hints.hints[0].certainty, answers[0].hints.verdict) == ("proven", "winnable")
    assert [answer.hints.hints[0].shortest for answer in answers] == [False, True]


def test_what_rests_on_samples_is_thought_about_until_the_time_is_over() -> None:
    game = find_game("easy-pyramid")
    position = PyramidPosition(random_deal(game, Random(11)).to_position().rows, stock=True)
    ticks = count()
    answers = list(improve(position, game, 2.0, (), lambda: next(ticks) * 0.05))
    assert len(answers) > 1
    assert all(answer.thinking for answer in answers)
    assert answers[-1].hints.worlds > answers[0].hints.worlds


def move_shown(page: str) -> str:
    found = re.search(r'<p class="move">([^<]*)<', page)
    assert found
    return found[1]


def finished(client: httpx.Client, path: str) -> str:
    """The page once nothing more is thought about its table."""
    until = time.monotonic() + PATIENCE
    while "is-thinking" in (page := client.get(path).text):
        assert time.monotonic() < until
    return page


def test_a_page_shows_the_first_answer_then_the_better_one_and_says_when_it_is_done(serve: Serve) -> None:
    steps = Steps(0, 1)
    client = serve(think=steps.think)
    path = table_path(upload(client))
    first = client.post(f"{path}/hint", data={"step": "3"}).text
    assert "Still thinking" in first
    assert "is-thinking" in client.get(path).text
    steps.allow()
    steps.allow()
    later = finished(client, path)
    assert "Done thinking." in later
    assert move_shown(later) != move_shown(first)
    client.post(f"{path}/hint", data={"step": "4"})
    assert steps.begun == 1


@pytest.mark.parametrize("code", CODES)
def test_every_language_says_whether_it_thinks(serve: Serve, code: str) -> None:
    steps = Steps(0)
    client = serve(think=steps.think)
    client.headers["accept-language"] = code
    path = table_path(upload(client))
    assert language(code).say("hint.still") in client.post(f"{path}/hint", data={"step": "1"}).text
    steps.allow()
    assert language(code).say("hint.done") in finished(client, path)


def test_a_move_that_was_chosen_stays_chosen_whatever_its_rank_becomes(serve: Serve) -> None:
    steps = Steps(0, 1)
    client = serve(think=steps.think)
    path = table_path(upload(client))
    first = client.post(f"{path}/hint", data={"step": "3"}).text
    following = re.search(r'id="another"[^>]* name="move" value="([^"]*)"', first)
    assert following
    chosen = client.post(f"{path}/hint", data={"step": "3", "move": following[1]}).text
    assert "Move 2 of" in chosen
    unknown = client.post(f"{path}/hint", data={"step": "3", "move": "pair moon"}).text
    assert "Move 1 of" in unknown and "moon" not in unknown
    client.post(f"{path}/hint", data={"step": "3", "move": following[1]})
    steps.allow()
    steps.allow()
    later = finished(client, path)
    assert "Move 1 of" in later
    assert move_shown(later) == move_shown(chosen)


CHANGES = [
    ("settle", {"place": "pyramid 7 3", "card": "8C"}),
    ("game", {"game": "easy-pyramid"}),
    ("piles", {"stock": "10"}),
    ("stage", {"stage": "deal"}),
    ("text", {"position": '{"pyramid": [["KS"], ["6D", "6H"], ["5H", "3D", "5C"]]}'}),
]


@pytest.mark.parametrize(("action", "form"), CHANGES, ids=[action for action, _ in CHANGES])
def test_thinking_stops_when_the_table_changes_and_begins_anew_with_as_much_help(
    serve: Serve, action: str, form: dict[str, str]
) -> None:
    steps = Steps(0, 1)
    client = serve(think=steps.think)
    path = table_path(upload(client))
    client.post(f"{path}/hint", data={"step": "3"})
    changed = client.post(f"{path}/{action}", data=form)
    assert changed.status_code == 200, changed.text
    steps.wait_for_stops(1)
    assert "is-thinking" in changed.text and move_shown(changed.text)
    assert (steps.begun, steps.most_running) == (2, 1)


def test_help_that_is_turned_off_stays_off(serve: Serve) -> None:
    steps = Steps(0, 1)
    client = serve(think=steps.think)
    path = table_path(upload(client))
    client.post(f"{path}/hint", data={"step": "3"})
    off = client.post(f"{path}/hint", data={"step": "0"}).text
    assert 'class="move"' not in off
    changed = client.post(f"{path}/stage", data={"stage": "deal"})
    assert 'class="move"' not in changed.text
    steps.wait_until_idle()
    assert (steps.begun, steps.stopped) == (1, 1)


def test_what_keeps_a_hint_from_being_given_is_told_in_its_place(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    client.post(f"{path}/hint", data={"step": "2"})
    twice = client.post(f"{path}/settle", data={"place": "pyramid 7 3", "card": "10H"})
    assert twice.status_code == 200 and "The same card twice: 10 of hearts" in twice.text
    assert re.search(r'data-part="said"[^>]*>\s*<p class="warn">[^<]*10 of hearts', twice.text)


def test_thinking_stops_with_the_next_picture_and_when_the_table_is_forgotten(serve: Serve) -> None:
    steps = Steps(0, 1)
    client = serve(FakeEyes(reading(), reading(AFTER, {"waste": None, "foundation": "4C"})), steps.think, max_tables=1)
    path = table_path(upload(client, game="relaxed-pyramid"))
    client.post(f"{path}/hint", data={"step": "3"})
    upload(client, path=f"{path}/next")
    steps.wait_for_stops(1)
    client.post(f"{path}/hint", data={"step": "3"})
    upload(client)
    steps.wait_until_idle()
    assert steps.stopped == 2


def test_one_table_is_thought_about_at_a_time(serve: Serve) -> None:
    steps = Steps(0, 1)
    client = serve(think=steps.think)
    paths = [table_path(upload(client)) for _ in range(4)]
    pages = [client.post(f"{path}/hint", data={"step": "3"}).text for path in paths]
    assert all("Still thinking" in page for page in pages)
    assert ["is-thinking" in client.get(path).text for path in paths] == [False, False, False, True]
    client.post(f"{paths[-1]}/hint", data={"step": "0"})
    client.post(f"{paths[-1]}/stage", data={"stage": "deal"})
    steps.wait_until_idle()
    assert (steps.begun, steps.most_running, steps.running) == (4, 1, 0)

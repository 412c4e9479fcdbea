"""How kept games ended, and the figures of them, against games played on purpose."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion_app.library.aids import Aid
from companion_app.library.archive import Archive, PlayedGame
from companion_app.library.outcomes import Standing
from companion_app.library.statistics import Figures, Streak, statistics, streak
from companion_app.library.store import Store
from companion_app.tables.proposal import CONFIRMED, confirmed, score_stamp
from rules.catalogue import find_game
from tests.companion_app.command_line import answers, run
from tests.companion_app.fakes import ROWS, picture_bytes, reading
from tests.companion_app.played import ENGLISH, GAME, LOST, SMALL, WON, desk_of, play, small_game
from tests.companion_app.test_store import AFTER, LATER

ROWS_WORTH = (150, 250, 500)
"""What the three rows are worth once they are cleared, by the rules of the scheme."""

NEW = reading(
    ("2S", "6C 6H", "5H 3D 5C", "8H 6S 4D 3C", "7H 5D KC QS 2D", "2H 8S KD QH JD 10D", "KS JC 9C 10C 8D AS JS"),
    {"waste": None, "foundation": None},
)


def kept(folder: Path) -> list[PlayedGame]:
    return Archive(Store(folder)).games()


def endings(folder: Path) -> list[str]:
    return [game.ending for game in kept(folder)]


def test_a_game_is_won_lost_left_or_in_play(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, *WON, *LOST, reading(), AFTER, reading())
    won, lost = play(desk, 2), play(desk, 2)
    assert (won.is_won, endings(tmp_path)) == (True, ["lost", "won"])
    left = play(desk, 2)
    assert endings(tmp_path) == ["play", "lost", "won"]
    play(desk, 1)
    assert endings(tmp_path) == ["play", "left", "lost", "won"]
    # Whoever goes on with it has not left it.
    desk.settle(left, "pyramid 1 1", "2S")
    assert [(game.id, game.ending) for game in kept(tmp_path)][:1] == [(left.id, "play")]
    assert {game.id: game.ending for game in kept(tmp_path)}[lost.id] == "lost"


def test_a_layout_only_checked_is_no_game_and_one_photographed_to_be_scored_is_over(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), AFTER)
    play(desk, 1, way="check")
    table = play(desk, 1, way="score")
    desk.change(table, lambda now: confirmed(now, score_stamp(now)), CONFIRMED)
    scored, checked = kept(tmp_path)
    assert (scored.ending, scored.is_counted, scored.stands is not None and scored.stands.left) == ("left", True, 27)
    assert not checked.is_counted
    (figures,) = statistics(kept(tmp_path))
    assert (figures.all.games, figures.all.given_up, figures.in_play) == (1, 1, 0)


def test_a_game_that_was_not_played_counts_neither_way(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), reading(), AFTER)
    play(desk, 1)
    play(desk, 2)
    (figures,) = statistics(kept(tmp_path))
    assert (figures.all.games, figures.in_play) == (0, 1)


def test_deals_on_one_table_are_games_of_their_own(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), AFTER, NEW, reading())
    table = play(desk, 2, step=2)
    desk.begin_anew(desk.next_picture(table, picture_bytes(), "new.jpg", ENGLISH))
    second, first = kept(tmp_path)
    assert (first.id, second.id) == (table.id, table.id)
    assert (first.ending, second.ending, first.is_newest, second.is_newest) == ("left", "play", False, True)
    assert (first.is_assisted, second.is_assisted) == (True, False)
    assert first.stands is not None and first.stands.moves == 1
    assert second.stands is not None and not second.stands.is_middle and first.stands.is_middle
    desk.undo(table)
    (only,) = kept(tmp_path)
    assert only.ending == "play" and only.is_assisted
    desk.redo(table)
    assert len(kept(tmp_path)) == 2


def test_a_text_put_in_place_of_the_picture_begins_no_other_game(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading())
    table = play(desk, 1)
    desk.change_text(table, json.dumps(table.position().to_json()), ENGLISH)
    desk.settle(table, "pyramid 1 1", "2S")
    assert len(kept(tmp_path)) == 1


def test_a_game_begun_in_the_middle_counts_and_is_marked(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, *WON)
    play(desk, 2)
    (figures,) = statistics(kept(tmp_path))
    assert (figures.all.games, figures.all.begun_in_the_middle) == (1, 1)
    # Points need the whole game; that no card is left shows by itself.
    assert figures.all.best == {"cards-left": 0}


def test_help_and_no_help_are_told_apart(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, *WON, *WON, *LOST)
    play(desk, 2, step=1)
    play(desk, 2)
    play(desk, 2)
    (figures,) = statistics(kept(tmp_path))
    assert (figures.all.games, figures.all.won) == (3, 2)
    assert (figures.assisted.games, figures.assisted.won) == (1, 1)
    assert (figures.unassisted.games, figures.unassisted.won, figures.unassisted.lost) == (2, 1, 1)
    assert figures.all.streak == Streak(0, 2) and figures.unassisted.mean_left == 0.5


def test_house_rules_are_apart(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, *WON, *WON)
    play(desk, 2)
    other = play(desk, 2)
    desk.choose_game(other, GAME, {"passes": "3"})
    found = statistics(kept(tmp_path))
    assert [(each.game.changed, each.all.games) for each in found] == [(("passes",), 1), ((), 1)]


def test_a_whole_game_from_its_deal_has_points_and_par(tmp_path: Path) -> None:
    rules, looks = small_game(seed=3)
    desk = desk_of(tmp_path, *looks)
    table = desk.open_picture(picture_bytes(), "deal.jpg", "", ENGLISH)
    desk.choose_game(table, rules.id, SMALL)
    for _ in looks[1:]:
        table = desk.next_picture(table, picture_bytes(), "next.jpg", ENGLISH)
    (game,) = kept(tmp_path)
    assert game.stands is not None and not game.stands.is_middle
    assert (game.ending, game.stands.moves) == ("won", len(looks) - 1)
    removed = len(re.findall(r"^\d+\. (?:pair|single) ", Store(tmp_path).record(table.id) or "", re.MULTILINE))
    assert game.stands.left == 0 and game.stands.scores["points"] == 5 * removed + sum(ROWS_WORTH)


def test_a_deleted_game_is_in_no_figure(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, *WON, *LOST)
    won = play(desk, 2)
    play(desk, 2)
    desk.delete(won.id)
    (figures,) = statistics(kept(tmp_path))
    assert (figures.all.games, figures.all.won) == (1, 0)


def test_a_state_that_cannot_be_read_takes_nothing_from_the_others(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, *WON)
    play(desk, 2)
    Store(tmp_path).add("unknown-game", (), "opened", '{"game": "no-such-game", "rules": {}, "looks": []}', "{}")
    Store(tmp_path).add("no-object", (), "anew", "[1", "[]")
    stranger, strange, won = kept(tmp_path)
    assert (stranger.stands, stranger.game, stranger.looks) == (None, "", 0)
    assert (strange.stands, strange.is_counted, won.ending) == (None, False, "won")
    assert statistics(kept(tmp_path))[0].all.games == 1


@pytest.mark.parametrize(
    ("won", "found"),
    [("", (0, 0)), ("w", (1, 1)), ("wwl", (0, 2)), ("wwlwwwlw", (1, 3)), ("lww", (2, 2)), ("ll", (0, 0))],
)
def test_streaks(won: str, found: tuple[int, int]) -> None:
    assert streak(each == "w" for each in won) == Streak(*found)


def test_the_share_won_has_its_interval() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    game = find_game(GAME)

    def played(number: int) -> PlayedGame:
        outcome = "won" if number % 4 == 0 else "lost"
        stands = Standing(game, outcome, "play", False, 9, number)  # type: ignore[arg-type]
        aids = (Aid(1, "hint", 1, start),) if number % 2 else ()
        at = start + timedelta(hours=number)
        return PlayedGame(str(number), GAME, at, at, stands, outcome, aids)  # type: ignore[arg-type]

    (found,) = statistics(played(number) for number in range(40))
    figures: Figures = found.all
    assert (figures.games, figures.won, figures.win.estimate) == (40, 10, 0.25)
    # Wilson's interval of 10 of 40, as published tables have it.
    assert (round(figures.win.low, 3), round(figures.win.high, 3)) == (0.142, 0.402)
    assert figures.best == {"cards-left": 0} and figures.mean_left == 19.5
    assert figures.last_played == start + timedelta(hours=39)
    assert (found.unassisted.won, found.assisted.won, found.assisted.games) == (10, 0, 20)


def test_the_command_prints_an_object_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion_app.commands.stats.games_folder", lambda: tmp_path)
    assert answers(run("stats", "--json")) == []
    assert list(tmp_path.iterdir()) == []
    desk = desk_of(tmp_path, *WON, reading(), AFTER, LATER)
    play(desk, 2, step=4)
    play(desk, 3)
    desk.open_text(json.dumps(last_cards_text()), "king-tut", ENGLISH)
    (answer,) = answers(run("stats", "--json"))
    assert (answer["game"], answer["rules"], answer["games"], answer["won"], answer["left"]) == (GAME, {}, 2, 1, 1)
    assert answer["assisted"]["games"] == answer["unassisted"]["games"] == 1
    assert answer["win"]["estimate"] == 0.5 and answer["streak"] == {"current": 0, "longest": 1}
    for code, words in {"en": "Without help", "fi": "Ilman apua", "pl": "Bez pomocy", "nb": "Uten hjelp"}.items():
        assert words in run("stats", "--lang", code).stdout


def last_cards_text() -> dict[str, object]:
    """A position as text."""
    return {"pyramid": [row.split() for row in ROWS], "stock": 20}


def test_a_file_that_cannot_be_read_ends_the_command_with_its_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion_app.commands.stats.games_folder", lambda: tmp_path)
    (tmp_path / "games.sqlite3").write_bytes(b"no file of games, but something else altogether " * 400)
    done = run("stats", "--json")
    assert done.exit_code == 3 and answers(done)[0]["error"]["code"] == "store-damaged"

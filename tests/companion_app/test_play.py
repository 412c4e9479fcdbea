"""A patience played at the terminal: what is typed, what is answered, and that nothing hidden is told."""

import os
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion_app.languages import CODES, language
from companion_app.terminal.play_session import WORDS
from rules.cards import Card
from rules.catalogue import GAMES, find_game
from rules.families import family_of
from rules.record import read_record
from tests.companion_app.command_line import answers, run

SMALL = ("--game", "relaxed-pyramid", "--rule", "rows=3", "--rule", "total=6")
TABLE = '{"pyramid": [["2S"], ["KH", "6S"], [null, "7S", "4C"]], "stock": 3, "waste": null, "foundation": "9D"}'


def played(lines: str, *arguments: str, status: int = 0) -> list[dict[str, Any]]:
    """The answers to some lines."""
    done = run("play", "--json", "--seconds", "0.1", *arguments, stdin=lines)
    assert done.exit_code == status, done.output
    return answers(done)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_record(game: str) -> None:
    rng = Random(game)
    lines = [str(rng.randint(1, 2)) for _ in range(16)]
    # Where there are not so many moves the number is answered as a wrong one, and the game goes on.
    done = run("play", "--json", "--game", game, "--seed", "5", stdin="\n".join(lines))
    start, *told, end = answers(done)
    made = [state for state in told if "error" not in state]
    assert len(told) == len(lines) and len(made) >= 2
    replayed = read_record(end["record"])
    assert replayed.stopped is None and len(replayed.record.moves) == len(made) == end["made"]
    assert made[-1]["position"] == end["position"] != start["position"]
    reached = replayed.position.to_json()
    for key in ("base", "left", "right", "waste", "turned", "direction"):
        assert end["position"].get(key) == reached.get(key)
    for row, told in zip(reached.get("pyramid", ()), end["position"].get("pyramid", ()), strict=True):
        assert all(seen in (card, "??") for card, seen in zip(row, told, strict=True))


@pytest.mark.parametrize("game", ["pyramid", "king-tut", "relaxed-pyramid", "math-pyramid-three"])
def test_what_no_player_sees_is_neither_told_nor_thought_about(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def advise(position: Any, *rest: Any) -> Any:
        from companion_app.hints.advise import advise as real

        seen.append(position.to_json())
        return real(position, *rest)

    monkeypatch.setattr("companion_app.terminal.play_session.advise", advise)
    told = played("hint 4\nturn\nhint 4\npartners 9S", "--game", game, "--seed", "8")
    *states, _ = told
    truth = read_record(told[-1]["record"]).record.start
    covered = {str(card) for row in truth.rows[:-1] for card in row} if GAMES[game].options.face == "down" else set()
    hidden = {str(card) for card in truth.stock_cards[GAMES[game].options.draw :]} | covered
    for position in [*seen, *(state["position"] for state in states)]:
        assert not hidden & set(str(position).replace("'", " ").split())
    assert len(seen) == 2
    assert all(other["where"] == "unseen" for other in states[-1]["partners"] if other["card"] in hidden)


def test_a_hint_says_one_step_more_each_time() -> None:
    # All six cards are thought through in some 20 ms; a loaded machine needs more than the 0.1 s of the other tests.
    proven = (*SMALL, "--seed", "4", "--seconds", "30")
    first, where, cards, why, again = played("hint\nhint\nhint\nhint\nhint", *proven)[1:6]
    steps = [set(told["hint"]) for told in (first, where, cards, why)]
    assert [len(later - earlier) for earlier, later in pairwise(steps)] == [1, 1, 1]
    assert cards["hint"]["move"] in cards["moves"]
    assert why["hint"]["why"]["reason"] and again["hint"]["step"] == 4
    assert why["hint"]["why"]["certainty"] == "proven"
    assert played("hint 3", *proven)[1]["hint"] == cards["hint"]


def test_an_illegal_move_is_told_with_its_rule_and_moves_nothing() -> None:
    start, covered, total, unknown, absent, _ = played("6S\n7S 4C\nxyz\n9H", *SMALL_TABLE, TABLE, status=3)
    assert [breach["breach"] for breach in covered["violations"]] == ["covered", "wrong-total"]
    assert covered["violations"][0]["cards"] == ["6S", "7S", "4C"]
    assert [breach["breach"] for breach in total["violations"]] == ["wrong-total"]
    assert total["position"] == start["position"]
    assert unknown["error"]["code"] == "word" and "xyz" in unknown["error"]["message"]
    assert "hearts" in absent["error"]["message"]
    assert run("play", "--seed", "1", *SMALL_TABLE, TABLE, stdin="6S").exit_code == 1


SMALL_TABLE = ("--game", "relaxed-pyramid", "--rule", "rows=3")


def test_a_table_is_gone_on_from_and_its_unseen_cards_are_drawn_by_the_seed() -> None:
    one, other, again = (played("turn\nturn\nturn", *SMALL_TABLE, "--seed", seed, TABLE) for seed in ("1", "2", "1"))
    assert one == again
    drawn = [[told["move"]["cards"][0] for told in told_of[1:4]] for told_of in (one, other)]
    assert drawn[0] != drawn[1]
    seen = {"2S", "KH", "6S", "7S", "4C", "9D"}
    assert all(len({*cards} - seen) == 3 for cards in drawn)
    assert one[4]["position"]["stock"] is False


def test_undo_and_redo_walk_through_the_game() -> None:
    start, one, two, back, first, none, redo, _ = played(
        "turn\nturn\nundo\nundo\nundo\nredo", "--game", "math-pyramid", "--seed", "3"
    )
    assert (back["position"], first["position"], redo["position"]) == (
        one["position"],
        start["position"],
        one["position"],
    )
    assert none["move"] is None and none["position"] == start["position"]
    assert two["position"] != one["position"]


@pytest.mark.parametrize("name", ["easy-pyramid", "arcydzielo", "piwnica"])
def test_a_deal_is_won_by_typing_the_cards_of_the_line_that_wins(name: str) -> None:
    game = find_game(name)
    family = family_of(game)
    seed, moves = next(
        (seed, found.moves)
        for seed in range(200)
        if (found := family.solve(family.deal(game, Random(f"deal {seed} 0")), game, 5)).verdict == "winnable"
    )
    lines, truth = [], family.deal(game, Random(f"deal {seed} 0"))
    for move in moves:
        legal = list(family.legal_moves(truth, game))
        # A card that is built may have several ways to go: these are told apart by their numbers.
        lines.append(typed(move) if sum(typed(other) == typed(move) for other in legal) == 1 else legal.index(move) + 1)
        truth = family.play(truth, move, game)
    *_, last, end = played("\n".join(map(str, lines)), "--game", name, "--seed", str(seed))
    assert last["outcome"] == end["outcome"] == "won"
    assert end["scores"][0]["score"] == 0
    assert end["made"] == len(moves)


def typed(move: Any) -> str:
    """A move as a player types it, with as much as tells it apart."""
    if move.kind in ("turn", "redeal", "reverse"):
        return str(move.kind)
    if move.kind == "direction":
        return str(move.places[0])
    return f"{move.kind} {' '.join(map(str, move.cards))}"


def test_a_move_that_may_go_to_several_places_is_asked_for() -> None:
    start = played("", "--game", "wiezniowie", "--seed", "7")[0]
    builds = [move["cards"][0] for move in start["moves"] if move["kind"] == "build"]
    assert builds
    # A card that may be built, and go into the cellar as well.
    start, told, _ = played("AS", "--game", "piwnica", "--seed", "7")
    kinds = [start["moves"][number - 1]["kind"] for number in told["fitting"]]
    assert told["did"] == "several" and sorted(kinds) == ["build", "cellar"]


def test_a_game_is_saved_gone_on_with_and_never_written_over_another(tmp_path: Path) -> None:
    file, other = tmp_path / "game.txt", tmp_path / "other.txt"
    other.write_text("mine")
    told = played(f"turn; 1; save {file}; turn; save {file}; save {other}", *SMALL, "--seed", "6", status=3)
    assert other.read_text() == "mine"
    assert [state["did"] for state in told if state.get("saved")] == ["save", "save"]
    on = played("", str(file))
    assert on[0]["position"] == told[-1]["position"] and on[0]["made"] == told[-1]["made"]
    # Nothing of it was drawn: no seed would deal it again.
    assert on[0]["seed"] is None and "--seed" not in run("play", str(file), stdin="").stderr
    assert played("undo", str(file))[1]["made"] == on[0]["made"] - 1
    assert "rules: rows=3" in file.read_text() or "rules: total=6" in file.read_text()


def test_without_a_seed_the_seed_is_told_and_deals_the_same_again() -> None:
    start = played("", "--game", "nowy-domator")[0]
    again = played("", "--game", "nowy-domator", "--seed", str(start["seed"]))[0]
    assert start == again


def test_the_direction_of_the_favourite_is_chosen_before_the_cards_are_seen() -> None:
    start, hint, chosen, _ = played("hint 4\nup", "--game", "ulubiony", "--seed", "7")
    assert [move["kind"] for move in start["moves"]] == ["direction", "direction"]
    assert sum(card is not None for card in start["position"]["base"]) == 1
    assert not any(start["position"]["left"]) and "move" not in hint["hint"]
    assert sum(len(row) for side in ("left", "right") for row in chosen["position"][side]) == 38


@pytest.mark.parametrize("code", CODES)
def test_words_are_understood_in_the_language_and_in_english(code: str) -> None:
    spoken = language(code)
    words = [spoken.say(f"play.word.{word}") for word in WORDS if word not in ("save", "partners", "quit")]
    done = run("play", *SMALL, "--seed", "1", "--seconds", "0.1", "--lang", code, stdin="\n".join([*words, "moves"]))
    assert done.exit_code == 0, done.output
    for word in WORDS:
        assert spoken.say(f"play.help.{word}") in done.output
    assert len({spoken.say(f"play.word.{word}") for word in WORDS}) == len(WORDS)


@pytest.mark.parametrize(
    ("card", "fitting"),
    [("9S", {"4S", "4H", "4D", "4C"}), ("KS", set()), ("JK", None)],
)
def test_partners_of_a_card(card: str, fitting: set[str] | None) -> None:
    told = played(f"partners {card}", "--game", "math-pyramid-jokers", "--seed", "2")[1]
    found = {other["card"] for other in told["partners"]}
    # A joker goes with every card but the king, and with another joker.
    assert found == (fitting if fitting is None else fitting | {"JK"} if fitting else set()) or (
        card == "JK" and found == {str(c) for c in find_game("math-pyramid-jokers").rules.deck if c.worth != 13}
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((), 2),
        (("--game", "nothing"), 2),
        (("--game", "pyramid", "--rule", "rows=99"), 2),
        (("--game", "pyramid", "no-such-file.jpg"), 3),
        ((TABLE,), 2),
        (("--game", "pyramid", "--seed", "-1"), 2),
    ],
)
def test_what_cannot_be_played_is_told(arguments: tuple[str, ...], status: int) -> None:
    done = run("play", *arguments, stdin="")
    assert done.exit_code == status
    assert "Traceback" not in done.output


def test_bytes_that_are_no_text_and_numbers_that_are_none_end_nothing() -> None:
    done = run("play", *SMALL, stdin=b"\xff\xfe\n" + b"9" * 9000 + b"\nhint " + b"8" * 9000 + b"\n;;\n \n")
    assert done.exit_code == 3
    assert "Traceback" not in done.output and "foresaw" not in done.output


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal, which Windows lacks")
def test_at_a_real_terminal_a_slip_costs_nothing_and_the_end_of_input_ends_it() -> None:
    import pty
    import subprocess

    outer, inner = pty.openpty()
    command = [sys.executable, "-m", "companion_app", "play", *SMALL, "--seed", "3"]
    with subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner) as process:
        os.close(inner)
        told = b""
        for typed_in in (b"xyz\n", b"1\n", b"\x04"):
            while not told.endswith(b"> "):
                told += os.read(outer, 4096)
            os.write(outer, typed_in)
            told += os.read(outer, 1)
        with suppress(OSError):  # how a terminal says that nobody is left
            while piece := os.read(outer, 4096):
                told += piece
        assert process.wait(30) == 0
    assert b"xyz" in told and b"cards left in the pyramid" in told
    os.close(outer)


def test_cards_are_typed_in_any_case_and_with_any_joint() -> None:
    start = played("", "--game", "math-pyramid", "--seed", "1")[0]
    pair = next(move for move in start["moves"] if move["kind"] == "pair")
    first, second = (str(Card.parse(code)) for code in pair["cards"])
    for text in (f"{second.lower()} {first}", f"{first}+{second}", f"{first},{second}", f"pair {first} {second}"):
        assert played(text, "--game", "math-pyramid", "--seed", "1")[1]["move"]["cards"] == pair["cards"]

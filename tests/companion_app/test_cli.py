"""The commands as the contract has them: JSON on stdout, messages on stderr, exit status by precedence."""

import io
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from companion_app import settings, wiring
from companion_app.commands.base import Output
from companion_app.commands.hint import found_in
from companion_app.languages import language
from companion_app.languages.phrases import move_phrase
from rules.cards import Suit, deck
from rules.catalogue import find_game
from rules.pyramid.hint_records import Hints
from rules.pyramid.hints import hints
from rules.pyramid.position import PyramidPosition
from tests.companion_app.command_line import answers, run
from tests.companion_app.fakes import ROWS, FakeEyes, picture_bytes, reading, spread

GAME = "relaxed-pyramid"
SMALL = {"pyramid": [["KS"], ["6D", "7H"], ["5H", "8S", None]], "stock": 0, "waste": None, "turned": None}
SMALL_RULES = ("--game", GAME, "--rule", "rows=3")


@pytest.fixture
def eyes(monkeypatch: pytest.MonkeyPatch) -> FakeEyes:
    """The eyes the commands use in these tests."""
    fake = FakeEyes()
    monkeypatch.setattr(wiring, "eyes", lambda: fake)
    return fake


@pytest.fixture
def picture(tmp_path: Path) -> str:
    """A picture file."""
    path = tmp_path / "table.jpg"
    path.write_bytes(picture_bytes())
    return str(path)


def test_games_lists_sixteen_games_in_four_languages() -> None:
    result = run("games", "--json")
    assert result.exit_code == 0
    games = answers(result)
    assert len(games) == 16
    assert all(set(game["names"]) == {"en", "fi", "pl", "nb"} for game in games)
    assert "Pyramidi" in run("games", "--lang", "fi").stdout


def test_read_answers_as_the_contract_says(eyes: FakeEyes, picture: str) -> None:
    result = run("read", "--json", "--game", GAME, picture)
    (answer,) = answers(result)
    keys = "schema picture layout game games position cards doubts faults advice milliseconds"
    assert list(answer) == keys.split()
    assert result.exit_code == 0
    assert answer["position"]["pyramid"][0] == ["KS"]
    assert answer["position"]["stock"] is True
    assert answer["position"]["foundation"] is None
    assert list(answer["cards"][0]) == ["place", "card", "probability", "doubtful", "alternatives", "quad"]
    assert eyes.asked == ["pyramid-7"]


def test_a_whole_deck_without_a_layout_is_told_what_it_lacks(eyes: FakeEyes, picture: str) -> None:
    few = spread([card for card in deck() if card.suit is Suit.SPADES and str(card) != "7S"])
    eyes.readings = [few]
    asked = ("read", "--game", "none", picture)
    (answer,) = answers(run(*asked, "--json"))
    assert len(answer["missing"]) == 40
    assert "7S" in answer["missing"]
    assert "missing" not in run(*asked).stdout
    assert run(*asked).exit_code == 0
    counted = run(*asked, "--whole-deck")
    assert "40 cards are missing: 7 of spades, ace of hearts" in counted.stdout
    assert counted.exit_code == 1
    eyes.readings = [spread(deck())]
    assert run(*asked, "--whole-deck").exit_code == 0
    assert run("read", "--game", GAME, "--whole-deck", picture).exit_code == 2
    assert eyes.asked[-1] is None


def test_cards_beside_the_layout_are_read_but_are_in_no_position(eyes: FakeEyes, picture: str) -> None:
    eyes.readings = [reading(beside=("KC", "!!"), doubts=("table 2",))]
    result = run("read", "--json", "--game", GAME, picture)
    (answer,) = answers(result)
    assert [(card["place"], card["card"]) for card in answer["cards"][-2:]] == [("table 1", "KC"), ("table 2", "!!")]
    assert len(answer["cards"][-2]["quad"]) == 4
    assert answer["doubts"] == ["table 2"]
    eyes.readings = [reading()]
    (alone,) = answers(run("read", "--json", "--game", GAME, picture))
    assert answer["position"] == alone["position"]
    assert result.exit_code == 1


def test_a_card_beside_the_layout_is_out_of_place_and_hints_go_on(eyes: FakeEyes, picture: str) -> None:
    eyes.readings = [reading(beside=("9H", "6H"), doubts=("table 1",))]
    result = run("check", "--json", "--game", GAME, picture)
    (answer,) = answers(result)
    assert answer["faults"] == [
        {"kind": "duplicate-card", "places": ["pyramid 2 2", "table 2"], "cards": ["6H", "6H"]},
        {"kind": "misplaced", "places": ["table 1"], "cards": ["9H"]},
        {"kind": "misplaced", "places": ["table 2"], "cards": ["6H"]},
    ]
    assert result.exit_code == 1
    told = run("check", "--game", GAME, picture).stdout
    assert "Lies where nothing holds it: 9 of hearts (card 1 on the table)" in told
    (advised,) = answers(run("hint", "--json", "--game", GAME, "--seconds", "0.2", picture))
    assert advised["hints"]
    assert not any(place.startswith("table") for hint in advised["hints"] for place in hint["depends_on"])


def test_a_card_taken_out_of_the_deck_says_nothing_of_the_game(eyes: FakeEyes, picture: str) -> None:
    ten = ("AS", "2S 3S", "4S 5S 6S", "7S 8S 9S 10S", "AH 2H 3H 4H 5H", "6H 7H 8H 9H 10H AD")
    eyes.readings = [reading(ten, {"waste": None, "foundation": None}, beside=("JC", "QC", "KC"))]
    (answer,) = answers(run("read", "--json", picture))
    assert answer["games"][0] == "math-pyramid-ten"


def test_a_rule_without_a_game_is_not_passed_over(eyes: FakeEyes, picture: str) -> None:
    result = run("read", "--json", "--rule", "total=10", picture)
    assert result.exit_code == 2
    assert eyes.asked == []


def test_any_file_name_is_printed_as_it_is(eyes: FakeEyes, tmp_path: Path) -> None:
    path = tmp_path / "table [bold] 1.jpg"
    path.write_bytes(picture_bytes())
    assert "table [bold] 1.jpg" in run("read", str(path)).stdout


def test_the_referee_names_every_table_that_cannot_be_read(eyes: FakeEyes, picture: str, tmp_path: Path) -> None:
    bad = tmp_path / "notes.jpg"
    bad.write_bytes(b"no picture")
    result = run("referee", "--json", "--game", GAME, picture, str(bad), str(tmp_path / "none.jpg"))
    assert result.exit_code == 3
    assert [answer["error"]["code"] for answer in answers(result)] == ["not-a-picture", "no-file"]
    assert [Path(answer["source"]["file"]).name for answer in answers(result)] == ["notes.jpg", "none.jpg"]


@pytest.mark.parametrize(
    ("setting", "told"), [("CARDTABLE_PORT=x", "CARDTABLE_PORT"), ("port = 'x'", "port"), ("port =", "settings.toml")]
)
def test_wrong_settings_are_named_and_are_wrong_use(
    setting: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(settings, "settings_file", lambda: tmp_path / "settings.toml")
    if setting.startswith("CARDTABLE_"):
        monkeypatch.setenv(*setting.split("="))
    else:
        (tmp_path / "settings.toml").write_text(setting)
    result = run("games", "--json")
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(("game", "layout"), [("auto", "auto"), ("none", None), ("math-pyramid-ten", "pyramid-6")])
def test_read_asks_for_the_layout_of_the_game(eyes: FakeEyes, picture: str, game: str, layout: str | None) -> None:
    run("read", "--json", "--game", game, picture)
    assert eyes.asked == [layout]


def test_read_auto_names_every_game_that_fits(eyes: FakeEyes, picture: str) -> None:
    (answer,) = answers(run("read", "--json", picture))
    assert answer["game"] is None
    assert answer["games"][0] == GAME
    assert {"king-tut", "pyramid", "math-pyramid-jokers"} <= set(answer["games"])
    assert "math-pyramid-ten" not in answer["games"]


def test_read_goes_on_after_what_cannot_be_read(eyes: FakeEyes, picture: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jpg"
    empty.write_bytes(b"")
    result = run("read", "--json", str(empty), str(tmp_path / "none.jpg"), picture)
    found = answers(result)
    assert [answer.get("error", {}).get("code") for answer in found] == ["empty", "no-file", None]
    assert found[0]["picture"] == {"file": str(empty)}
    assert result.exit_code == 3
    assert "empty" in result.stderr


def test_a_fault_gives_status_1_and_something_unreadable_goes_before_it(
    monkeypatch: pytest.MonkeyPatch, picture: str, tmp_path: Path
) -> None:
    twice = FakeEyes(reading((*ROWS[:6], "10H JC 9C 10C 8D AS 10H")))
    monkeypatch.setattr(wiring, "eyes", lambda: twice)
    result = run("read", "--json", "--game", GAME, picture)
    assert result.exit_code == 1
    assert [fault["kind"] for fault in answers(result)[0]["faults"]] == ["duplicate-card"]
    assert run("read", "--json", "--game", GAME, picture, str(tmp_path / "none.jpg")).exit_code == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ("read", "--game", "chess", "x.jpg"),
        ("read", "--lang", "xx", "x.jpg"),
        ("check", "--game", GAME, "--rule", "passes", "{}"),
        ("check", "--game", GAME, "--rule", "passes=9", "{}"),
        ("check", "x.jpg"),
        ("score", "--game", GAME, "--scheme", "par", json.dumps(SMALL)),
        ("score", "--game", GAME, "--scheme", "golf", "x.jpg"),
        ("referee", "--game", GAME, "--rule", "rows=3", json.dumps(SMALL)),
        ("nothing",),
    ],
)
def test_wrong_usage_gives_status_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_check_takes_positions_as_text_as_file_and_from_stdin(tmp_path: Path) -> None:
    text = json.dumps(SMALL)
    path = tmp_path / "position.json"
    path.write_text(text + "\n" + text)
    result = run("check", "--json", *SMALL_RULES, text, str(path), "-", stdin=text)
    assert [answer["faults"] for answer in answers(result)] == [[]] * 4
    assert result.exit_code == 0


def test_check_finds_every_fault_at_once() -> None:
    position = {**SMALL, "pyramid": [["KS"], ["KS", "??"], ["5H", "8S", None]]}
    result = run("check", "--json", *SMALL_RULES, json.dumps(position))
    kinds = {fault["kind"] for fault in answers(result)[0]["faults"]}
    assert {"duplicate-card", "should-be-face-up"} <= kinds
    assert result.exit_code == 1


def test_a_position_that_cannot_be_is_an_error_of_its_own() -> None:
    result = run("check", "--json", *SMALL_RULES, '{"pyramid": [["KS", "2H"]]}', "{", json.dumps(SMALL))
    assert [answer.get("error", {}).get("code") for answer in answers(result)] == ["position", "position", None]
    assert result.exit_code == 3


def test_hint_ranks_the_moves_with_a_reason_in_the_language_asked() -> None:
    result = run("hint", "--json", "--lang", "fi", "--seconds", "0.2", *SMALL_RULES, json.dumps(SMALL))
    (answer,) = answers(result)
    best = answer["hints"][0]
    assert best["move"] == {"kind": "pair", "cards": ["5H", "8S"], "places": ["pyramid 3 1", "pyramid 3 2"]}
    assert set(best) >= {"move", "certainty", "win", "cards_left", "reason", "depends_on"}
    assert isinstance(best["reason"], str)
    assert answer["verdict"] in ("winnable", "lost", "undecided")


@pytest.mark.parametrize(("as_json", "terminal"), [(False, True), (True, True), (False, False)])
def test_a_terminal_shows_the_first_move_while_hint_thinks_on_and_programs_do_not(
    as_json: bool, terminal: bool
) -> None:
    written, spans = io.StringIO(), list[float]()
    messages = Console(file=written, force_terminal=terminal, width=200)

    def think(seconds: float) -> Hints:
        spans.append(seconds)
        return hints(PyramidPosition.from_json(SMALL), find_game(GAME, {"rows": "3"}), rng=Random(1))

    found = found_in(2.0, think, Output(as_json, language("nb"), messages=messages))
    assert found.hints
    early = "Tenker… Par: hjerter 5 + spar 8"
    assert (early in written.getvalue()) is (terminal and not as_json)
    assert sum(spans) == 2.0
    assert len(spans) == (2 if terminal and not as_json else 1)


def test_hint_from_a_picture_names_the_doubts_it_rests_on(monkeypatch: pytest.MonkeyPatch, picture: str) -> None:
    monkeypatch.setattr(wiring, "eyes", lambda: FakeEyes(reading(doubts=("pyramid 7 3",))))
    (answer,) = answers(run("hint", "--json", "--game", GAME, "--seconds", "0.2", picture))
    resting = [hint for hint in answer["hints"] if "pyramid 7 3" in hint["move"]["places"]]
    assert resting
    assert all("pyramid 7 3" in hint["depends_on"] for hint in resting)


def test_solve_finds_the_shortest_line_on_request() -> None:
    deal = "6D 4H 5D AC 6S 5C 3D 2D 4D AS 5H 2C 4S 3H 4C 6C 3C 3S 2S AH 5S AD 6H 2H"
    asked = ("solve", "--json", "--game", GAME, "--rule", "total=6", "--rule", "rows=3", "--rule", "passes=unlimited")
    plain, shortest = (json.loads(run(*asked, *more, "-", stdin=deal).stdout) for more in ((), ("--shortest",)))
    assert "shortest" not in plain
    assert shortest["shortest"] is True
    assert 0 < len(shortest["moves"]) <= len(plain["moves"])


def test_solve_reads_one_deal_a_line_from_stdin() -> None:
    from random import Random

    from rules.catalogue import GAMES
    from rules.pyramid.full import random_deal
    from rules.pyramid.notation import deal_text

    deals = [deal_text(random_deal(GAMES[GAME], Random(seed))) for seed in range(2)]
    result = run("solve", "--json", "--game", GAME, "--limit-seconds", "20", "-", stdin="\n".join([*deals, "KS KS"]))
    found = answers(result)
    assert [answer["deal"] for answer in found] == [*deals, "KS KS"]
    assert all(answer["verdict"] in ("winnable", "lost", "undecided") for answer in found[:2])
    assert found[2]["error"]["code"] == "position"
    assert result.exit_code == 3


@pytest.mark.parametrize("code", ["en", "fi", "pl", "nb"])
def test_what_is_our_reading_of_a_source_is_marked_where_the_games_are_explained(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion_app.languages import language
    from rules.catalogue import GAMES

    monkeypatch.setenv("COLUMNS", "4000")
    ours = language(code).say("games.our-reading")
    lines = run("games", "--lang", code).stdout.splitlines()
    for game in GAMES.values():
        (options,) = [line for line in _lines_of(lines, game.id) if line.lstrip().startswith(("total ", "build_on_"))]
        marked = {text.split()[0] for text in options.strip().split(", ") if text.endswith(f"({ours})")}
        assert marked == set(game.our_reading) & set(game.rules.values), game.id


def _lines_of(lines: list[str], game_id: str) -> list[str]:
    """The lines of one game in what `games` prints for people: three of them."""
    (first,) = [index for index, line in enumerate(lines) if line.split()[:1] == [game_id]]
    return lines[first : first + 3]


def test_referee_says_which_moves_were_taken_back() -> None:
    after = {**SMALL, "pyramid": [["KS"], ["6D", "7H"], [None, None, None]]}
    result = run("referee", *SMALL_RULES, json.dumps(SMALL), json.dumps(after), json.dumps(SMALL))
    assert result.exit_code == 0
    assert "Taken back: Pair: 5 of hearts + 8 of spades" in result.stdout
    assert "Nothing has changed" not in result.stdout


def test_referee_recognises_a_pair_and_names_a_breach() -> None:
    after = {**SMALL, "pyramid": [["KS"], ["6D", "7H"], [None, None, None]]}
    result = run("referee", "--json", *SMALL_RULES, json.dumps(SMALL), json.dumps(after))
    (answer,) = answers(result)
    assert [move["cards"] for move in answer["moves"]] == [["5H", "8S"]]
    assert result.exit_code == 0
    vanished = {**SMALL, "pyramid": [["KS"], ["6D", "7H"], [None, "8S", None]]}
    broken = run("referee", "--json", *SMALL_RULES, json.dumps(SMALL), json.dumps(vanished))
    assert answers(broken)[0]["violations"]
    assert broken.exit_code == 1


def test_score_counts_the_cards_left(eyes: FakeEyes, picture: str) -> None:
    result = run("score", "--json", "--scheme", "cards-left", "--game", GAME, picture)
    (answer,) = answers(result)
    assert (answer["scheme"], answer["score"], answer["parts"]) == ("cards-left", 28, {"pyramid": 28})


def test_models_verify_compares_every_model_with_its_manifest() -> None:
    result = run("models", "verify", "--json")
    found = answers(result)
    kept = {"place", "placing", "prints", "advice", "sureness"}
    assert {answer["model"] for answer in found} == {"search", "patch", "card"} | kept
    assert all(answer["ok"] for answer in found)
    assert result.exit_code == 0


def test_settings_show_names_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDTABLE_PORT", "4321")
    (answer,) = answers(run("settings", "show", "--json"))
    assert answer["settings"]["port"] == 4321
    assert "port = 4321" in run("settings", "show").stdout


@pytest.mark.parametrize("command", ["read", "check", "hint", "score"])
def test_people_get_words_instead_of_json(eyes: FakeEyes, picture: str, command: str) -> None:
    result = run(command, "--game", GAME, picture)
    assert result.exit_code == 0
    assert "{" not in result.stdout
    assert result.stdout.strip()


def test_a_missing_system_library_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch, picture: str) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    wiring.plain_reader.cache_clear()
    wiring.deck_eyes.cache_clear()
    result = run("read", "--json", "--game", GAME, picture)
    assert answers(result)[0]["error"]["code"] == "no-library"
    assert "libgl1" in result.stderr
    assert result.exit_code == 3


def test_no_command_waits_for_what_another_one_needs() -> None:
    heavy = ("cv2", "fastapi", "markdown_it", "numba", "numpy", "onnxruntime", "uvicorn")
    code = f"import sys, companion_app.cli, companion_app.decoding; print(*[n for n in {heavy} if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_a_won_table_is_told_as_won() -> None:
    won = json.dumps({"pyramid": [[None], [None, None], [None, None, None]], "stock": True, "waste": "2H"})
    assert run("hint", *SMALL_RULES, won).stdout.strip() == "This game is won."
    answer = answers(run("hint", *SMALL_RULES, won, "--json"))[0]
    assert (answer["verdict"], answer["hints"]) == ("winnable", [])


def test_a_card_never_seen_is_not_called_face_down() -> None:
    spoken = language("en")
    move = {"kind": "pair", "cards": ["??", "5H"], "places": ["waste", "pyramid 3 1"]}
    assert "unseen card + 5 of hearts" in move_phrase(spoken, move)
    assert "unseen card + 5 of hearts" in move_phrase(spoken, {**move, "places": ["pyramid 3 2", "pyramid 3 1"]})

"""Many games at once, here and on a cluster: the same deals and the same figures, whoever plays them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from companion_app.cli import app
from companion_app.hints import policies
from companion_app.hints.simulating import Plan, play_all, play_batch
from rules.catalogue import find_game
from rules.simulation import POLICIES, Played

SMALL = {"rows": "4", "total": "9"}
RULES = ("--rule", "rows=4", "--rule", "total=9")


def run(*arguments: str) -> Result:
    """`simulate` of a small game in this process."""
    return CliRunner().invoke(app, ["simulate", "--game", "easy-pyramid", *RULES, *arguments])


def answer(*arguments: str) -> dict[str, Any]:
    """Its one JSON object without the times."""
    done = run("--json", *arguments)
    assert done.exit_code == 0, done.output
    (line,) = done.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    assert set(found.pop("milliseconds")) == {"game", "total"}
    return found


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A cluster of two workers in this process' computer."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def test_simulate_answers_as_the_contract_says() -> None:
    found = answer("--deals", "12", "--seed", "3", "--policy", "greedy")
    assert (found["schema"], found["game"], found["policy"], found["deals"], found["seed"]) == (
        1,
        "easy-pyramid",
        "greedy",
        12,
        3,
    )
    assert found["rules"] == SMALL
    assert found["win"]["low"] <= found["win"]["estimate"] == round(found["won"] / 12, 4) <= found["win"]["high"]
    assert found["cards_left"]["low"] <= found["cards_left"]["estimate"] <= found["cards_left"]["high"]
    assert found["undecided"] == 0


def test_the_same_seed_gives_the_same_figures_and_another_one_other_deals() -> None:
    first, again, other = (answer("--deals", "12", "--seed", seed, "--policy", "random") for seed in ("3", "3", "4"))
    assert first == again
    assert first["moves"] != other["moves"]


def test_deals_are_played_in_order_however_they_are_shared_out() -> None:
    plan = Plan("easy-pyramid", SMALL, "greedy", 1, 0.05)
    told: list[int] = []
    found = play_all(plan, 12, told=told.append)
    alone = play_batch(plan, range(12))
    assert [played.number for played in found] == list(range(12))
    assert sum(told) == 12
    assert [(played.won, played.cards_left, played.moves) for played in found] == [
        (played.won, played.cards_left, played.moves) for played in alone
    ]


def test_a_cluster_plays_the_same_games(scheduler: str) -> None:
    here = answer("--deals", "11", "--policy", "greedy")
    assert answer("--deals", "11", "--policy", "greedy", "--scheduler", scheduler) == here


@pytest.mark.parametrize("policy", POLICIES)
def test_people_read_the_figures(policy: str) -> None:
    done = run("--deals", "2", "--policy", policy, "--seconds", "0.02" if policy == "hint" else "5")
    assert done.exit_code == 0
    assert "of 2 games won" in done.stdout
    assert "Cards left" in done.stdout


def test_time_that_runs_out_is_not_decided() -> None:
    game = find_game("relaxed-pyramid")
    assert game.options.passes == 1
    done = CliRunner().invoke(
        app,
        [
            "simulate",
            "--game",
            "relaxed-pyramid",
            "--deals",
            "4",
            "--policy",
            "perfect",
            "--seconds",
            "0.001",
            "--json",
        ],
    )
    found = json.loads(done.stdout)
    assert found["undecided"] > 0
    assert done.exit_code == 4


@pytest.mark.parametrize(
    "arguments",
    [("--policy", "clever"), ("--deals", "0"), ("--scheduler", "nowhere://x"), ("--seconds", "0")],
)
def test_wrong_usage_gives_status_2(arguments: tuple[str, ...]) -> None:
    assert run("--deals", "2", *arguments).exit_code == 2


def test_policies_are_compared_on_the_same_deals(capsys: pytest.CaptureFixture[str]) -> None:
    policies.main(["--deals", "3", "--seconds", "0.01", "--only", "laid 2"])
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("laid 2  3 deals: hint ")


def test_the_difference_of_two_policies_is_taken_deal_by_deal() -> None:
    def played(*left: int) -> list[Played]:
        return [Played(number, not cards, cards, 30, True, 0.5) for number, cards in enumerate(left)]

    line = policies.Duel("x", played(0, 4, 8, 2), played(2, 6, 10, 4), played(0, 0, 8, 2)).line()
    assert "hint 25.0 %" in line
    assert "50 % of perfect (50.0 %), greedy 0.0 %" in line
    assert "-2.00 (-2.00 to -2.00); 500 ms a game" in line

"""`eights simulate`: players by name, their points, records, and Ctrl-C."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
from importlib import resources
from pathlib import Path

import click
import eights
import pytest
from commands import EIGHTS, needs_terminal, on_terminal, run
from eights.events import End
from eights.specs import PlayerSpec
from eights_cli.interrupt import INTERRUPTED
from eights_cli.player_specs import parse_player
from eights_cli.simulation import Simulation, Tally, names_of, write
from goldens import check_golden

SMALL = "standard+deck=1.1.1.1.1.1.1.1.1.1.1.1+hand_size=1+open_size=1+blind_size=1+match_rounds=2"
"""Short rounds for two players, in matches of two."""


def simulated(*arguments: object) -> dict[str, object]:
    answer: dict[str, object] = json.loads(run("simulate", "--json", *arguments).stdout)
    return answer


# ---- players by name


def test_players_that_are_made() -> None:
    engine = parse_player("engine:time=2ms,iterations=500").make(3)
    assert isinstance(engine, eights.EnginePlayer)
    assert (engine.time, engine.iterations) == (0.002, 500)
    assert isinstance(parse_player("greedy").make(3), eights.GreedyPlayer)
    position = eights.parse_position("standard 0 4 9:568:136:3:-/9:???:889:3:-/9:???:247:3:-/8:???:05G:3:-")
    first, second, other = (
        [player.choose(position) for _ in range(20)]
        for player in (parse_player("random").make(seed) for seed in (3, 3, 4))
    )
    assert first == second != other


@pytest.mark.parametrize("text", ["gredy", "", "greedy:time=2ms", "engine:", "engine:iterations=" + "9" * 5000])
def test_what_is_no_player(text: str) -> None:
    """The sentences are those of the library (test_specs.py)."""
    with pytest.raises(ValueError, match=r"\S") as refused:
        PlayerSpec.parse(text)
    assert str(refused.value) in run("simulate", "--player", text, status=2).stderr


def test_no_two_names_are_alike() -> None:
    specs = list(map(parse_player, ("engine:time=2ms", "engine:time=0.002s", "random", "engine:time=2ms")))
    assert names_of(specs) == ["engine:time=2ms", "engine:time=2ms (2)", "random", "engine:time=2ms (3)"]


# ---- what is printed


def test_a_row_for_each_player() -> None:
    printed = run("simulate", "--rounds", 7, "--players", 4, "--player", "greedy", "--player", "random").stdout
    lines = printed.splitlines()
    assert lines[0].split() == ["player", "rounds", "wins", "points", "a", "round", "cards", "left"]
    assert [line.split("  ")[0] for line in lines[1:5]] == ["greedy", "random", "greedy (2)", "random (2)"]
    assert all(re.search(r" 7 +\d  +\d\.\d{3}  ± \d\.\d{3} +\d+\.\d$", line) for line in lines[1:5]), printed
    assert re.fullmatch(r"Rounds: 7; matches: 2; \d+\.\d\d s; seed 1\.", lines[-1])


def test_values_are_those_of_the_records(tmp_path: Path) -> None:
    cast = ("--player", "greedy", "--player", "random")
    answer = simulated("--rounds", 5, "--rules", SMALL, "--seed", 3, "--records", tmp_path, *cast)
    assert (answer["rounds"], answer["matches"], answer["seed"], answer["stopped"]) == (5, 3, 3, False)
    assert answer["rules"] == SMALL
    rounds = [
        record for path in sorted(tmp_path.iterdir()) for record in eights.MatchRecord.loads(path.read_text()).rounds
    ]
    players = answer["players"]
    assert isinstance(players, list)
    for player in players:
        ends = [(record.names.index(player["name"]), record.events[-1]) for record in rounds]
        points = [end.points[seat] for seat, end in ends if isinstance(end, End)]
        assert len(points) == player["rounds"] == 5
        assert player["points"] == pytest.approx(sum(points) / 5)
        assert player["wins"] == sum(isinstance(end, End) and end.winner == seat for seat, end in ends)
        assert player["cards"] == pytest.approx(sum(end.counts[seat] for seat, end in ends if isinstance(end, End)) / 5)


def test_the_standard_error_of_points() -> None:
    tally = Tally()
    assert (tally.mean, tally.mean_se) == (0.0, float("inf"))
    for points in (3, 0, 1, 0):
        tally.add(points, cards=2, won=points == 3)
    assert (tally.rounds, tally.wins, tally.mean, tally.mean_cards) == (4, 1, 1.0, 2.0)
    assert tally.mean_se == pytest.approx((2 / 4) ** 0.5)


def test_the_same_seed_gives_the_same_rounds(tmp_path: Path) -> None:
    cast = ("--player", "random", "--player", "engine:iterations=20")
    for name, seed, rounds in (("one", 5, 3), ("same", 5, 4), ("other", 6, 3)):
        run("simulate", "--rounds", rounds, "--rules", SMALL, "--seed", seed, "--records", tmp_path / name, *cast)
    one, same, other = (
        [(tmp_path / name / f"match-{number:05}.jsonl").read_text() for number in (0, 1)]
        for name in ("one", "same", "other")
    )
    assert one[0] == same[0] != other[0]
    assert same[1].startswith(one[1])  # with another round


def test_the_players_of_a_match_change_seats_and_exchange_cards(tmp_path: Path) -> None:
    run("simulate", "--rounds", 2, "--rules", SMALL, "--player", "greedy", "--player", "random", "--records", tmp_path)
    match = eights.MatchRecord.loads((tmp_path / "match-00000.jsonl").read_text())
    assert [record.names for record in match.rounds] == [("greedy", "random"), ("random", "greedy")]
    assert match.rounds[1].start.exchange is not None
    assert match.is_over


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Missing option '--player'"),
        (["--player", "greedy", "--players", "7"], "7 is not in the range"),
        (["--player", "greedy"] * 7, "7 is not in the range"),
        (["--player", "greedy"] * 3 + ["--players", "2"], "3 are named, but 2 play."),
        (["--player", "greedy", "--rounds", "0"], "0 is not in the range"),
        (["--player", "greedy", "--rules", "chess"], "'chess' is not a preset"),
        (["--player", "greedy", "--rules", "standard+match_rounds=0"], "a match would never end"),
    ],
)
def test_usage_errors(arguments: list[str], complaint: str) -> None:
    result = run("simulate", *arguments, status=2)
    assert complaint in result.stderr
    assert result.stdout == ""


def test_weights_that_cannot_be_used_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.weights"
    wrong.write_text("no weights")
    for weights, rules, complaint in (
        (tmp_path / "missing", "standard", "The weights cannot be read: No such file or directory: "),
        (tmp_path, "standard", "The weights cannot be read: Is a directory: "),
        (wrong, "standard", "'wrong.weights' does not begin with"),
    ):
        cast = ("--player", "greedy", "--player", f"engine:iterations=5,weights={weights}")
        result = run("simulate", "--rules", rules, "--records", tmp_path / "games", *cast, status=2)
        assert f"Invalid value for --player: {complaint}" in result.stderr.replace("'--player'", "--player")
        assert (result.stdout, (tmp_path / "games").exists()) == ("", False)


@pytest.mark.parametrize(("players", "rules"), [(3, "standard"), (2, SMALL)])
def test_weights_for_another_table_are_refused(tmp_path: Path, players: int, rules: str) -> None:
    path = tmp_path / "two.weights"
    path.write_bytes(resources.files("eights").joinpath("weights", "2.weights").read_bytes())
    cast = ("--player", f"engine:iterations=5,weights={path}", "--players", players)
    result = run("simulate", "--rounds", 1, "--rules", rules, *cast, status=2)
    assert "'two.weights' holds weights for " in result.stderr
    assert result.stdout == ""
    run("simulate", "--rounds", 1, "--player", f"engine:iterations=5,weights={path}")


def test_weights_that_are_lost_end_the_simulation_with_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "two.weights"
    path.write_bytes(resources.files("eights").joinpath("weights", "2.weights").read_bytes())
    spec = PlayerSpec.parse(f"engine:iterations=1,weights={path}")
    simulation = Simulation(eights.Rules.standard(2, match_rounds=1), [spec, spec], seed=1)
    with pytest.raises(click.ClickException, match="The weights cannot be read"):
        simulation.run(3, threading.Event(), on_round=lambda: path.unlink(missing_ok=True))
    assert simulation.rounds == 1


# ---- records


def test_the_record_of_a_match(tmp_path: Path) -> None:
    cast = ("--player", "greedy", "--player", "random")
    run("simulate", "--rounds", 2, "--rules", SMALL, "--seed", 11, "--records", tmp_path / "new" / "games", *cast)
    (path,) = (tmp_path / "new" / "games").iterdir()
    assert path.name == "match-00000.jsonl"
    check_golden("cli/match.jsonl", path.read_text("utf-8"))


def test_records_are_not_written_over(tmp_path: Path) -> None:
    there = tmp_path / "match-00007.jsonl"
    there.touch()
    result = run("simulate", "--player", "greedy", "--records", tmp_path, status=2)
    assert "There are records in" in result.stderr
    assert list(tmp_path.iterdir()) == [there]


def test_a_folder_that_cannot_be_made_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("simulate", "--player", "greedy", "--records", tmp_path / "file" / "games", status=2)
    assert "Not a directory" in result.stderr


def test_what_was_played_is_shown_where_a_record_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "replace", full)
    arguments = ("--player", "greedy", "--rules", SMALL, "--rounds", 9, "--records", tmp_path)
    result = run("simulate", *arguments, status=1)
    assert "Stopped early. Rounds: 2; matches: 1;" in result.stdout
    assert "The record cannot be written: No space left on device: " in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_record_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    class Interrupted(eights.MatchRecord):
        def dump(self, file: object) -> None:
            raise KeyboardInterrupt

    match = eights.Match(eights.Rules.standard(players=2), ("a", "b"), seed=1)
    path = tmp_path / "match.jsonl"
    write(path, eights.MatchRecord(match))
    before = path.read_text()
    with pytest.raises(KeyboardInterrupt):
        write(path, Interrupted(match))
    assert (path.read_text(), list(tmp_path.iterdir())) == (before, [path])


@pytest.mark.slow
def test_records_that_are_cut_or_damaged() -> None:
    script = Path(__file__).parent.parent / "benchmarks" / "cut_records.py"
    done = subprocess.run([sys.executable, script, "--rounds", "6"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.startswith("6 rounds in 1 records, 0 of them failed")


# ---- Ctrl-C


def test_ctrl_c_ends_between_rounds_with_what_was_played(tmp_path: Path) -> None:
    arguments = ("simulate", "--json", "--rounds", "1000000", "--rules", SMALL, "--player", "random")
    command = [*EIGHTS, *arguments, "--records", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + 60
        while len(list(tmp_path.glob("match-*.jsonl"))) < 3:
            assert time.monotonic() < end
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        printed, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (INTERRUPTED, "")
    answer = json.loads(printed)
    assert answer["stopped"]
    assert {player["rounds"] for player in answer["players"]} == {answer["rounds"]}
    paths = sorted(tmp_path.iterdir())
    matches = [eights.MatchRecord.loads(path.read_text()) for path in paths]
    assert len(matches) == answer["matches"] >= 3
    assert sum(len(match.rounds) for match in matches) == answer["rounds"]
    assert all(record.is_over for match in matches for record in match.rounds)
    assert all(match.is_over for match in matches[:-1])


@needs_terminal
def test_a_second_ctrl_c_ends_the_round_too_and_a_terminal_has_a_bar() -> None:
    with on_terminal("simulate", "--player", "engine:time=10m", "--rounds", "3", "--seed", "2") as command:
        command.read_until("Rounds  [")
        time.sleep(0.3)  # the first round has begun
        command.process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        command.process.send_signal(signal.SIGINT)
        printed = command.read_until("seed 2.")
        assert command.process.wait(timeout=30) == INTERRUPTED
    assert "Stopped early. Rounds: 0; matches: 0;" in printed
    assert "Traceback" not in printed


def test_a_program_that_ends_is_told_in_a_sentence(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("raise SystemExit(3)\n", encoding="utf-8")
    cast = ("--player", f"cmd:{sys.executable} {program}", "--player", "greedy")
    refused = run("simulate", "--players", 2, "--rounds", 2, *cast, status=1)
    assert refused.stderr.startswith("Error: ")
    assert refused.stderr.count("\n") == 1

"""The command `eights`: what it prints, what it refuses, and its exit status."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

import pytest
from commands import needs_terminal, on_terminal, run
from eights_cli import sources
from eights_cli.interrupt import INTERRUPTED
from eights_cli.limits import duration
from goldens import check_golden

FORCED = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
OF_73 = FORCED.replace(" 7:", " 8:")
CHOICE = "standard 2 - 0:???:68G:3:-/3:???:5HH:3:6888HG/3:145:444:3:002577789HHHG/1:???:2HH:3:013333459G 28"
UNKNOWN_HAND = FORCED.replace("024", "02?")


# ---- the group


@pytest.mark.parametrize("command", ["", "suggest", "show", "replay", "simulate", "bench"])
def test_help(command: str) -> None:
    check_golden(f"cli/help{'_' if command else ''}{command}.txt", run(*command.split(), "--help").stdout)


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], {"eights", "eights_core", "numpy", "pyspiel"}),
        (["suggest", "--help"], {"eights", "eights_core", "numpy", "pyspiel"}),
        (["replay", "--help"], {"eights", "eights_core", "numpy", "pyspiel"}),
        (["simulate", "--help"], {"eights", "eights_core", "numpy", "pyspiel"}),
        (["suggest", "--iterations", "9", FORCED], {"numpy", "pyspiel"}),
    ],
)
def test_what_is_heavy_is_imported_only_when_used(arguments: list[str], heavy: set[str]) -> None:
    code = (
        f"import sys; from eights_cli.main import main; main({arguments}, standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & set(done.stdout.splitlines()[-1].split())


def test_the_package_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "eights_cli", "show", FORCED], capture_output=True, text=True, check=True
    )
    assert done.stdout == run("show", FORCED).stdout


def test_an_unknown_command_is_a_usage_error() -> None:
    assert "No such command 'sugest'" in run("sugest", status=2).stderr


# ---- suggest: answers


def test_the_only_legal_move_is_suggested() -> None:
    result = run("suggest", "--iterations", "500", FORCED)
    lines = result.stdout.splitlines()
    assert lines[0] == FORCED
    assert "Best move: 0" in lines
    assert "It is the only legal one." in lines
    assert result.stderr == ""


def test_every_legal_move_has_a_row_and_the_best_is_marked() -> None:
    lines = run("suggest", "--iterations", "500", CHOICE).stdout.splitlines()
    moves = [line[1:].split()[0] for line in lines[3:6]]
    assert sorted(moves) == ["1", "4", "5"]
    assert lines[3].startswith("*")
    assert f"Best move: {moves[0]}" in lines


def test_the_same_seed_and_iterations_give_the_same_answer() -> None:
    def answer(seed: str) -> str:
        return re.sub(r"in \d+\.\d\d s", "", run("suggest", "--iterations", "2000", "--seed", seed, CHOICE).stdout)

    assert answer("1") == answer("1")
    assert answer("1") != answer("2")


def test_time_limits_the_search() -> None:
    start = time.monotonic()
    run("suggest", "--time", "50ms", CHOICE)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(("text", "seconds"), [("200ms", 0.2), ("1s", 1), ("1.5s", 1.5), ("2m", 120), ("0.5m", 30)])
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == pytest.approx(seconds)


def test_json_has_every_value_for_every_seat() -> None:
    answer = json.loads(run("suggest", "--json", "--iterations", "3000", "--seed", "7", CHOICE).stdout)
    assert answer["position"] == CHOICE
    assert (answer["seat"], answer["seed"], answer["iterations"], answer["stopped"]) == (2, 7, 3000, False)
    assert answer["move"] == answer["moves"][0]["move"]
    assert sorted(move["move"] for move in answer["moves"]) == ["1", "4", "5"]
    assert sum(move["visits"] for move in answer["moves"]) <= 3000
    for move in (answer["root"], *answer["moves"]):
        assert [len(move[key]) for key in ("points", "points_se", "win")] == [4, 4, 4]
    for move in answer["moves"]:
        assert move["pv"][0] == move["move"]
    assert answer["margin"] == pytest.approx(
        answer["moves"][0]["points"][2] - answer["moves"][1]["points"][2],
    )
    assert set(answer["risks"]) == {"caught", "takes"}
    assert type(answer["too_close"]) is bool
    assert answer["nodes"] > 0
    assert answer["time_ms"] >= 0


def test_json_knows_no_infinity() -> None:
    def refuse(constant: str) -> NoReturn:
        raise AssertionError(constant)

    for position, iterations in ((CHOICE, "1"), (CHOICE, "3"), (FORCED, "1")):
        json.loads(run("suggest", "--json", "--iterations", iterations, position).stdout, parse_constant=refuse)


# ---- suggest: several positions


def test_a_file_of_positions_is_answered_in_order(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"# two positions\n\n{FORCED}   # a comment\n{CHOICE}\n", encoding="utf-8")
    answers = run("suggest", "--json", "--iterations", "20", str(path)).stdout.splitlines()
    assert [json.loads(answer)["position"] for answer in answers] == [FORCED, CHOICE]


def test_standard_input_is_read_where_a_source_is_a_dash() -> None:
    answers = run("suggest", "--json", "--iterations", "20", "-", CHOICE, input=f"{FORCED}\n").stdout.splitlines()
    assert [json.loads(answer)["position"] for answer in answers] == [FORCED, CHOICE]


def test_several_positions_stand_apart() -> None:
    assert f"seed 1.\n\n{CHOICE}\n" in run("suggest", "--iterations", "20", FORCED, CHOICE).stdout


def test_a_faulty_position_of_a_file_is_named_by_its_line_and_the_others_are_answered(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{FORCED}\n{OF_73}\nnonsense\n{CHOICE}\n", encoding="utf-8")
    result = run("suggest", "--json", "--iterations", "20", str(path), status=2)
    assert [json.loads(answer)["position"] for answer in result.stdout.splitlines()] == [FORCED, CHOICE]
    assert {line.partition(": ")[0] for line in result.stderr.splitlines()} == {f"{path}:2", f"{path}:3"}


# ---- suggest: refusals


def test_all_faults_of_a_position_are_listed_one_a_line() -> None:
    result = run("suggest", OF_73, status=2)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert "The cards add up to 73: the deck has 72, so there is 1 too many." in lines
    assert len(lines) == 2
    assert all(line.endswith(".") for line in lines)


def test_a_position_without_the_hand_of_its_mover_is_refused() -> None:
    result = run("suggest", UNKNOWN_HAND, status=2)
    assert result.stderr.startswith("Seat 1 is to act, but not all cards ")
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Say which position"),
        (["--players", "4"], "Say which position"),
        (["--hand", "024"], "Say which position"),
        (["no_such_file"], "There is no file: 'no_such_file'"),
        (["."], "A folder is no SOURCE: '.'"),
        (["--hand", "58"], "or --players and --hand (--players is missing)"),
        (["x" * 10_000], "There is no file"),
        ([FORCED, "--players", "4"], "A SOURCE is a whole position"),
        ([FORCED, "--time", "1"], "'1' is not a number with its unit"),
        ([FORCED, "--time", "0s"], "'0s' is not more than nothing"),
        ([FORCED, "--time", "9" * 9 + "m"], "at most a day"),
        ([FORCED, "--iterations", "0"], "0 is not in the range"),
        ([FORCED, "--seed", "-1"], "-1 is not in the range"),
        (["--players", "7", "--hand", "024"], "7 is not in the range"),
        (["--players", "4", "--hand", "0x4"], "'X' is no card"),
        (["--players", "4", "--hand", "024", "--rules", "chess"], "'chess' is not a preset"),
    ],
)
def test_usage_errors(arguments: list[str], complaint: str) -> None:
    result = run("suggest", *arguments, status=2)
    assert complaint in result.stderr
    assert result.stdout == ""


# ---- suggest: the quick form


def test_the_quick_form_prints_the_position_that_it_made() -> None:
    lines = run("suggest", "--players", "4", "--hand", "024", "--pile", "9", "--iterations", "50").stdout.splitlines()
    assert lines[0] == "standard 0 9 8:024:???:3:-/8:???:???:3:?/8:???:???:3:??/7:???:???:3:? 6"
    assert "Best move: 0" in lines


def test_faults_of_the_quick_form_come_with_the_position_that_it_made() -> None:
    result = run("suggest", "--players", "4", "--hand", "024", "--pile", "9,3", status=2)
    *faults, position = result.stderr.splitlines()
    assert faults == ["Play 2 of the pile, 3, may not be laid on 9."]
    assert position.startswith("The position was: standard 0 9,3 ")


def test_on_a_terminal_with_nothing_said_the_parts_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_can_ask", lambda: True)
    result = run("suggest", "--iterations", "50", input="9\n3\n02x\n024\n136\n05g\n\n9\n")
    asked = result.output  # where an answer is echoed differs with the version of click
    assert "9 is not in the range" in asked
    assert "'X' is no card" in asked
    assert "Your Open Cards [???]" in asked
    assert "Open Cards of player 1 to your left [???]" in asked
    assert "Open Cards of player 2 to your left [???]" in asked
    assert "standard 0 9 14:024:136:3:-/14:???:05G:3:" in result.stdout


@pytest.mark.parametrize(
    ("first", "fault", "second", "position"),
    [
        ("2|024|||9,9x", "Play 2 of the pile: '9x' is not", "||||9,G", "standard 0 9,G 25:024:???:3:-/"),
        ("2|024|||9,3", "Play 2 of the pile, 3, may not be laid", "||||-", "standard 0 - 26:024:???:3:-/"),
        ("2|111|111||-", "The deck has 4 cards of rank 1, but 6", "|024|||", "standard 0 - 26:024:111:3:-/"),
        ("2|-|||9", "plays from its Open Cards, but not all", "||136||", "standard 0 9 0:-:136:3:"),
        ("2|0 2 4|?? ?||9, 3", "may not be laid", "||||  ", "standard 0 - 26:024:???:3:-/"),
        ("4|024|136|05G|||9,3", "may not be laid", "2||||9", "standard 0 9 26:024:136:3:-/25:???:05G:3:"),
    ],
)
def test_answers_that_make_no_position_are_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, first: str, fault: str, second: str, position: str
) -> None:
    monkeypatch.setattr(sources, "_can_ask", lambda: True)
    answers = "".join(f"{answer}\n" for answer in f"{first}|{second}".split("|"))
    result = run("suggest", "--iterations", "50", input=answers)
    assert fault in result.stderr
    assert result.stderr.count("Once more: ") == 1
    assert result.stdout.splitlines()[-1].endswith("seed 1.")
    assert position in result.stdout


def test_where_something_was_said_only_what_is_needed_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sources, "_can_ask", lambda: True)
    result = run("show", "--hand", "024", input="3\n")
    assert result.stderr.startswith("Players at the table:")
    assert "Your Open Cards" not in result.output
    assert "3 players" in result.stdout


def test_cards_are_written_in_either_case() -> None:
    small, large = (
        run("show", "--players", 2, "--hand", hand, "--pile", pile, "--open", cards).stdout
        for hand, pile, cards in (("0hg", "9X2,gX2,h", "1hg"), ("0HG", "9x2,Gx2,H", "1HG"))
    )
    assert small == large


# ---- suggest: Ctrl-C


@needs_terminal
def test_ctrl_c_on_a_terminal_shows_the_analysis_so_far() -> None:
    with on_terminal("suggest", "--time", "10m", CHOICE) as command:
        command.read_until("best so far")  # the progress line: the search runs
        command.process.send_signal(signal.SIGINT)
        printed = command.read_until("seed 1.")
        assert command.process.wait(timeout=30) == INTERRUPTED
    assert "Best move: " in printed
    assert "Stopped early: " in printed
    assert "Traceback" not in printed


# ---- bench


def test_bench_gives_the_same_number_twice() -> None:
    first, second = (run("bench", "--iterations", "100").stdout.splitlines()[-1] for _ in range(2))
    assert re.fullmatch(r"Nodes: [1-9]\d*", first)
    assert first == second


def test_bench_as_json() -> None:
    text, answer = (run("bench", "--iterations", "50", *option).stdout for option in ([], ["--json"]))
    measured = json.loads(answer)
    assert text.splitlines()[-1] == f"Nodes: {measured['nodes']}"
    assert measured["iterations"] == 50
    assert measured["positions"] == int(text.splitlines()[0].removeprefix("Positions: "))
    assert measured["iterations_per_s"] > 0

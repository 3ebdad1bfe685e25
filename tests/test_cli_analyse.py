"""`eights analyse`: what is printed, drawn and refused."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import eights
import eights_cli
import pytest
from commands import needs_terminal, on_terminal, run
from eights.review import Review, review
from eights_cli.interrupt import INTERRUPTED
from goldens import DATA, check_golden
from rounds import LITTLE, played

MATCH = DATA / "cli" / "match.jsonl"
ROUND = played(eights.Rules.parse(LITTLE, 2), 3)
FEW = ("--iterations", 300, "--seed", 5)


Draw: TypeAlias = Callable[[Review, Path], None]


@pytest.fixture
def draw() -> Draw:
    """What draws the picture, where it can be drawn."""
    pytest.importorskip("matplotlib", reason="the picture wants the extra eights[arena]")
    from eights_cli.picture import draw

    return draw


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a whole round."""
    path = tmp_path / "round.jsonl"
    path.write_text(ROUND.dumps(), "utf-8")
    return path


def analysed(*arguments: object) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run("analyse", "--json", *FEW, *arguments).stdout)
    return answer


def test_help() -> None:
    check_golden("cli/help_analyse.txt", run("analyse", "--help").stdout)


# ---- what is printed


def test_the_values_are_those_of_the_library(path: Path) -> None:
    expected = review(ROUND, iterations=300, seed=5)
    answer = analysed(path)
    assert [choice["cost"] for choice in answer["choices"]] == [choice.cost for choice in expected.choices]
    assert [choice["forced"] for choice in answer["choices"]] == [choice.is_forced for choice in expected.choices]
    assert [seat["accuracy"] for seat in answer["seats"]] == [seat.accuracy for seat in expected.seats]
    assert [turn["ply"] for turn in answer["turning_points"]] == [turn.choice.ply for turn in expected.turning_points]
    assert (answer["finished"], answer["stopped"], answer["plies"]) == (True, False, ROUND.plies)
    assert (answer["rules"], answer["names"]) == (LITTLE, ["seat 0", "seat 1"])


def test_every_free_choice_has_a_row_and_every_seat(path: Path) -> None:
    answer = analysed(path)
    lines = run("analyse", *FEW, path).stdout.splitlines()
    assert lines[0].split() == ["ply", "seat", "move", "better", "cost", "points"]
    free = [choice for choice in answer["choices"] if not choice["forced"]]
    rows = lines[1 : 1 + len(free)]
    for choice, row in zip(free, rows, strict=True):
        assert row.startswith("*") == choice["mistake"]
        cells = row[1:].split()
        assert cells[:3] == [str(choice["ply"]), str(choice["seat"]), choice["move"]]
        assert cells[-1] == f"{choice['points']:.3f}"
        if choice["move"] != choice["best"]:
            assert cells[3:5] == [choice["best"], f"{choice['cost']:.3f}"]
    heading = lines.index(next(line for line in lines if "accuracy" in line))
    for seat, row in zip(answer["seats"], lines[heading + 1 :], strict=False):
        assert re.fullmatch(
            rf" +{seat['seat']} +{seat['free']} +{seat['forced']} +{seat['mistakes']} .* {seat['accuracy']:.1f} %  .*",
            row,
        )
    assert any(line.startswith("Turning points") for line in lines)
    assert max(map(len, lines)) <= 80


def test_turning_points_are_told_in_sentences(path: Path) -> None:
    turn = analysed(path)["turning_points"][0]
    text = " ".join(run("analyse", *FEW, path).stdout.split())
    assert f"- Ply {turn['ply']}, seat {turn['seat']} plays " in text
    assert f"it could expect {turn['before']:.3f} points before, and " in text
    assert f"({turn['after'] - turn['before']:+.3f} ± " in text


def test_a_round_of_a_match_and_a_seat_of_it() -> None:
    match = eights.MatchRecord.loads(MATCH.read_text("utf-8"))
    last, first = analysed(MATCH), analysed(MATCH, "--round", 0)
    assert (last["plies"], first["plies"]) == (match.rounds[1].plies, match.rounds[0].plies)
    one = analysed(MATCH, "--round", 0, "--seat", 1)
    assert one["seat"] == 1
    assert one["choices"] == [choice for choice in first["choices"] if choice["seat"] == 1]
    assert [seat["seat"] for seat in one["seats"]] == [1]


def test_the_same_choice_at_the_same_ply_as_suggest(path: Path) -> None:
    choice = next(choice for choice in analysed(path)["choices"] if not choice["forced"])
    answer = json.loads(run("suggest", "--json", *FEW, "--record", path, "--ply", choice["ply"]).stdout)
    assert (answer["move"], answer["root"]["points"][choice["seat"]]) == (choice["best"], choice["points"])


# ---- the picture


@pytest.mark.parametrize(("name", "begins"), [("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")])
@pytest.mark.usefixtures("draw")
def test_the_picture_is_drawn(path: Path, name: str, begins: bytes) -> None:
    file = path.with_name(name)
    run("analyse", *FEW, path, "--plot", file)
    assert file.read_bytes().startswith(begins)


def test_the_picture_has_a_line_for_each_seat_and_is_the_same_each_time(path: Path, draw: Draw) -> None:
    first, second = path.with_name("1.svg"), path.with_name("2.svg")
    found = review(ROUND, iterations=300, seed=5)
    draw(found, first)
    draw(found, second)
    assert first.read_bytes() == second.read_bytes()
    text = first.read_text("utf-8")
    assert all(f"<!-- seat {seat}, seat {seat} -->" in text for seat in range(2))


def test_names_are_no_formulas(tmp_path: Path, draw: Draw) -> None:
    rules = eights.Rules.parse(LITTLE, 2)
    record = eights.Record(rules, names=("$\\frac{$", "_x$y$"))
    record.deal(eights.Rng(1))
    draw(review(record, iterations=10), tmp_path / "a.svg")
    assert "seat 1, _x$y$" in (tmp_path / "a.svg").read_text("utf-8").replace("\\$", "$")


def test_matplotlib_is_imported_only_for_a_picture(path: Path) -> None:
    code = (
        "import sys; from eights_cli.main import main; "
        f"main(['analyse', '--iterations', '9', {str(path)!r}], standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"matplotlib", "numpy", "rich"} & set(done.stdout.splitlines()[-1].split())


def test_without_matplotlib_it_is_told_how_to_get_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "eights_cli.picture", raising=False)
    monkeypatch.delattr(eights_cli, "picture", raising=False)
    told = run("analyse", path, "--plot", "a.svg", status=2).stderr
    assert "pip install matplotlib" in " ".join(told.split())


@pytest.mark.usefixtures("draw")
@pytest.mark.parametrize(
    ("name", "told"), [("a.xyz", "'a.xyz' does not end in one of"), ("no_such_folder/a.svg", "There is no folder")]
)
def test_a_picture_that_cannot_be_is_refused_before_the_work(path: Path, name: str, told: str) -> None:
    result = run("analyse", path, "--plot", path.parent / name, "--time", "1m", status=2)
    assert told in result.stderr
    assert result.stdout == ""


@pytest.mark.usefixtures("draw")
def test_a_picture_that_cannot_be_written_comes_after_the_figures(path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no file that is always full")
    link = path.with_name("full.svg")
    link.symlink_to(full)
    result = run("analyse", *FEW, path, "--plot", link, status=1)
    assert "Turning points" in result.stdout
    assert "The picture cannot be written: No space left on device" in result.stderr


# ---- records that are not whole


@pytest.mark.usefixtures("draw")
def test_a_record_that_is_cut_is_analysed_as_far_as_it_goes(path: Path) -> None:
    text = path.read_text("utf-8")
    path.write_text(text[: len(text) // 2], "utf-8")
    result = run("analyse", *FEW, path, "--plot", path.with_name("a.svg"), status=2)
    plies = len(re.findall('"act"', "\n".join(text[: len(text) // 2].splitlines()[:-1])))
    assert f"The record ends at ply {plies}, before the round is over." in result.stdout
    assert re.match(rf"{re.escape(str(path))}:\d+: The line is not JSON, or cut short", result.stderr)
    assert path.with_name("a.svg").exists()


def test_a_round_that_goes_on_is_analysed_so_far() -> None:
    lines = ROUND.dumps().splitlines(keepends=True)
    answer = json.loads(run("analyse", "--json", *FEW, "-", input="".join(lines[:14])).stdout)
    assert answer["finished"] is False
    assert len(answer["choices"]) == answer["plies"] > 0


@pytest.mark.parametrize(
    ("text", "arguments", "told"),
    [
        ("", [], "-: The record is empty.\n"),
        ("nonsense", [], "-:1: The line is not JSON"),
        (ROUND.dumps(), ["--round", 1], "This is the record of one round"),
        (ROUND.dumps(), ["--seat", 4], "There is no seat 4"),
        (ROUND.view(1).dumps(), ["--seat", 0], "This is what seat 1 saw"),
    ],
)
def test_what_cannot_be_analysed_is_told(text: str, arguments: list[object], told: str) -> None:
    result = run("analyse", "-", *arguments, input=text, status=2)
    assert told in result.stderr
    assert result.stdout == ""


@needs_terminal
def test_ctrl_c_ends_it_with_what_has_been_reviewed(path: Path) -> None:
    with on_terminal("analyse", str(path), "--time", "5s") as command:
        command.read_until("Choices")
        command.process.send_signal(signal.SIGINT)
        shown = command.read_until("is not reviewed.")
        assert "Stopped early: what followed from ply " in shown
        assert command.process.wait(60) == INTERRUPTED

"""Analyses and positions as text: tables, drawings, words."""

import json
import math
from dataclasses import replace
from importlib.resources import files
from typing import Any

import eights
import pytest
from eights.models import NO_ERRORS
from eights_cli.drawing import drawing
from eights_cli.render import WIDTH, analysis_json, analysis_text, in_words, progress_line, table
from goldens import check_golden
from situations import situation

POSITION = "standard 2 - 0:???:68G:3:-/3:???:5HH:3:6888HG/3:145:444:3:002577789HHHG/1:???:2HH:3:013333459G 28"

DRAWINGS = {
    "turn": "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5",
    "opening": "amigo 2o - 3:???:56H:3:-/3:???:44H:3:-/3:112:004:3:-/3:???:334:3:-/3:???:07G:3:-/3:???:68G:3:- 0",
    "exchange": "standard 1x3 - 9:???:9HH:3:-/9:146:379:3:-/9:???:259:3:-/9:???:28H:3:- 0",
    "late": "standard+open_sets=1 1 0 0:00248:-:2:1122233344445556667789HHHHGGGGGG*/"
    "0:899HHHGG:7:3:0011333556677788999H* 115",
    "felon": "shafir 0 H 0:5G:077:3:-/0:???:018:3:233599H/0:???:48G:3:0000233444455666678899G/"
    "0:?{9G}:5HG:3:278HHHHG 39",
    "demand": "standard 2 ?,5 8:???:???:3:??/8:???:???:3:-/8:038:149:3:-/7:???:???:3:? 9",
    "blind": "standard+deck=3.2.2.3.3.3.3.3.3.3.4.4 0 G,9,H 0:-:-:2:001234567*/0:134456678:-:3:578899GHHH* 73",
}


def analysis(**changes: Any) -> eights.Analysis:
    """A made-up analysis of three moves."""

    def move(text: str, visits: int, points: float, win: float, pv: str) -> eights.Move:
        return eights.Move(
            action=eights.parse_action(text),
            visits=visits,
            points=(0.5, 1.25, points, 0.75),
            points_se=(0.002, 0.002, 2 / math.sqrt(visits), 0.002),
            sampling_se=(0.002, 0.002, 2 / math.sqrt(visits), 0.002),
            win=(0.125, 0.5, win, 0.25),
            pv=tuple(map(eights.parse_action, pv.split(","))),
            valued=1.0,
        )

    made = eights.Analysis(
        position=eights.parse_position(POSITION),
        moves=(
            move("5", 12_345, 1.0625, 0.375, "5,G,0,take,8H,3x2,blind"),
            move("1", 1_600, 1.03, 0.25, "1"),
            move("4", 1, 3.0, 1.0, "4,Hx3"),
        ),
        errors=NO_ERRORS,
        risks=eights.Risks(caught=0.125, takes=0.005),
        iterations=13_950,
        nodes=4_321,
        time=0.25,
        seed=7,
        stopped=False,
    )
    return replace(made, **changes)


def test_an_analysis_as_text() -> None:
    check_golden("cli/analysis.txt", analysis_text(analysis()) + "\n")


def test_an_analysis_as_json() -> None:
    check_golden("cli/analysis.json", json.dumps(analysis_json(analysis()), indent=1, allow_nan=False) + "\n")


def test_a_clear_lead_is_not_too_close_to_call() -> None:
    best, second, *_ = analysis().moves
    ahead = analysis(moves=(replace(best, points=(0.5, 1.25, 2.0, 0.75)), second))
    assert "Too close to call" not in in_words(ahead)
    assert "It is 0.970 ± 0.053 points ahead of 1." in in_words(ahead)


def test_a_single_legal_move_is_said_to_be_one() -> None:
    words = in_words(analysis(moves=analysis().moves[:1]))
    assert "It is the only legal one." in words
    assert "Too close" not in words


@pytest.mark.parametrize(
    ("caught", "takes", "words"),
    [
        (0.0, 0.004, "nothing"),
        (0.0, 0.5, "having to take the pile (50 %)"),
        (1.0, 0.25, "being caught by a policeman (100 %) and having to take the pile (25 %)"),
    ],
)
def test_what_the_best_move_fears(caught: float, takes: float, words: str) -> None:
    feared = in_words(analysis(risks=eights.Risks(caught=caught, takes=takes))).splitlines()[-1]
    assert feared == f"What it fears until your next turn is over: {words}."


def test_a_search_that_was_stopped_says_so() -> None:
    assert analysis_text(analysis(stopped=True)).endswith("\n\nStopped early: 13,950 iterations in 0.25 s, seed 7.")


def test_the_progress_line_fits_a_line() -> None:
    assert progress_line(analysis()) == "0.2 s, 13,950 iterations, best so far: 5 1.062 ± 0.018"


def test_a_table_is_cut_at_the_edge() -> None:
    lines = table([["a", "x" * 100], ["bb", "y"]], "><").splitlines()
    assert lines == [" a  " + "x" * (WIDTH - 7) + "...", "bb  y"]


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings(name: str) -> None:
    check_golden(f"cli/show_{name}.txt", drawing(eights.parse_position(DRAWINGS[name])) + "\n")


@pytest.mark.parametrize(("pile", "policeman"), [("7,H", "an 8"), ("4,H", "a 5"), ("8H", "a 9")])
def test_the_policeman_is_named(pile: str, policeman: str) -> None:
    position = situation(f"standard 0 {pile} 8:024:136:3:…/8:???:889:3:-/8:???:247:3:-/7:???:05G:3:-")
    assert f"- Seat 3 is a felon, and {policeman} catches him." in drawing(position).splitlines()


def workload() -> list[eights.Position]:
    lines = files("eights_cli").joinpath("bench_positions.txt").read_text("utf-8").splitlines()
    return [eights.parse_position(line) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("position", workload(), ids=str)
def test_drawings_fit_the_page(position: eights.Position) -> None:
    assert max(map(len, drawing(position).splitlines())) <= WIDTH


# ---- the workload of `eights bench`


def test_the_workload_is_of_canonical_positions_that_can_be_analysed() -> None:
    for position in workload():
        assert position.is_analysable
    lines = files("eights_cli").joinpath("bench_positions.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == list(map(str, workload()))
    assert len(set(lines)) == len(lines)


def test_the_workload_covers_players_rules_and_phases() -> None:
    positions = workload()
    assert {position.players for position in positions} == {2, 3, 4, 5, 6}
    assert {position.mode for position in positions} == {"", "o", "x"}
    text = " ".join(map(str, positions))
    for preset in ("standard", "amigo", "shafir"):
        assert preset in text
    for option in ("deck", "hand_size", "open_size", "blind_size", "max_plies"):
        assert f"+{option}=" in text, option
    for option in (
        "five_through_ghost",
        "sealed_eight_and_a_half",
        "halves_add_up",
        "policeman_starts_pile",
        "open_sets",
    ):
        assert f"+{option}=1" in text, option
    for tie in ("split", "none"):
        assert f"+fewest_tie={tie}" in text
    movers = [position.seats[position.mover] for position in positions]
    assert any(seat.bank for seat in movers)
    assert any(seat.hand and not seat.bank and not seat.at_table for seat in movers)
    assert any(seat.hand and seat.at_table for seat in movers)
    assert any(seat.open and not seat.hand for seat in movers)
    assert "?{" in text

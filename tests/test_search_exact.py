"""The search finds what plain expectimax finds, in positions small enough for both.

The positions and their exact values are committed (see generate_exact_positions.py); ties between equally good moves of
any player make no difference in them.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import eights
import pytest
from expectimax import Expectimax, at_the_table

DATA = Path(__file__).parent / "data"


def load(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def values(line: dict[str, Any]) -> dict[int, Fraction]:
    """The mover's exact points after each legal action."""
    return {eights.parse_action(text): Fraction(value) for text, value in line["moves"].items()}


EXACT = load("exact_positions.jsonl")
BEST = load("best_moves.jsonl")


def test_there_are_enough() -> None:
    assert len({line["position"] for line in EXACT}) == 50
    assert len({line["position"] for line in BEST}) == 20


@pytest.mark.parametrize("line", EXACT + BEST, ids=lambda line: line["position"])
def test_positions_are_positions(line: dict[str, Any]) -> None:
    position = eights.parse_position(line["position"])
    assert position.format() == line["position"]
    assert all(seat.at_table for seat in position.seats)
    assert position.legal_actions() == list(values(line)) == at_the_table(line["position"]).legal_actions()


@pytest.mark.parametrize("line", BEST, ids=lambda line: line["position"])
def test_best_moves_are_provably_best(line: dict[str, Any]) -> None:
    ranked = sorted(values(line).values(), reverse=True)
    assert len(ranked) >= 3
    assert ranked[0] - ranked[1] >= Fraction(3, 20)


@pytest.mark.parametrize(
    "line", [line for line in EXACT + BEST if line["size"] < 1_000], ids=lambda line: line["position"]
)
def test_committed_values_are_those_of_expectimax(line: dict[str, Any]) -> None:
    """Checked again for the smaller trees; the generator has done the others in the same way."""
    game, solver = at_the_table(line["position"]), Expectimax()
    bounds = solver.moves(game)
    assert {action: bounds[action].low[game.turn] for action in bounds} == values(line)
    assert {action: bounds[action].high[game.turn] for action in bounds} == values(line)
    assert solver.size(game) == line["size"]


@pytest.mark.parametrize("line", EXACT, ids=lambda line: line["position"])
def test_points_come_within_two_hundredths(line: dict[str, Any]) -> None:
    analysis = eights.analyse(eights.parse_position(line["position"]), iterations=200_000, seed=1)
    best = max(values(line).values())
    assert analysis.points[analysis.position.mover] == pytest.approx(float(best), abs=0.02)
    assert values(line)[analysis.best] == best


@pytest.mark.parametrize("line", BEST, ids=lambda line: line["position"])
def test_best_move_is_found(line: dict[str, Any]) -> None:
    analysis = eights.analyse(eights.parse_position(line["position"]), iterations=20_000, seed=1)
    exact = values(line)
    assert analysis.best == max(exact, key=lambda action: exact[action])

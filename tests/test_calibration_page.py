"""docs/calibration.md is about what is shipped."""

from pathlib import Path

import pytest
from eights import Rules
from eights.models import HIDDEN_HANDS, OPEN_HANDS, default_checksum

PAGE = Path(__file__).parent.parent / "docs" / "calibration.md"


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_page_is_of_the_weights_that_are_shipped(players: int) -> None:
    assert f"`{default_checksum(Rules.standard(players=players))}` for {players} players" in PAGE.read_text("utf-8")


@pytest.mark.parametrize(("hands", "errors"), [("hidden", HIDDEN_HANDS), ("open", OPEN_HANDS)])
def test_errors_are_those_of_the_page(hands: str, errors: tuple[float, float]) -> None:
    for what, error in zip(("points", "margin"), errors, strict=True):
        row = next(
            line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| all | {hands} | {what} |")
        )
        tau, low_and_high = row.split("|")[6].strip().split(" ", 1)
        high = low_and_high.strip("()").split(" to ")[1]
        assert error == pytest.approx(float(tau) or float(high), abs=0.006)

"""The page about OpenSpiel does not lie: its code runs from top to bottom, and comes to what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parent.parent / "docs" / "openspiel.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PLOT = next(block for block in BLOCKS if "matplotlib" in block)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What all blocks but the plot leave behind."""
    found: dict[str, Any] = {}
    for block in BLOCKS:
        if block is not PLOT:
            exec(compile(block, "docs/openspiel.md", "exec"), found)
    return found


def test_all_blocks_are_python() -> None:
    assert len(BLOCKS) == PAGE.count("```") // 2 == 8


def test_the_solver_comes_nearer(names: dict[str, Any]) -> None:
    curve = names["curve"]
    assert list(curve) == [10, 100, 1000, 5000]
    assert curve[5000] < 0.1 < 0.2 < curve[10]


def test_our_bot_is_ahead_and_plays_what_it_may(names: dict[str, Any]) -> None:
    gain, error = names["result"].margin(0)
    assert gain > 3 * error
    assert names["engine"].step(names["state"]) in names["state"].legal_actions()


def test_the_agent_learns(names: dict[str, Any]) -> None:
    assert names["after"] > names["before"] + 0.1


def test_the_plot(names: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="the plot wants the extra eights[arena]")
    monkeypatch.chdir(tmp_path)
    exec(compile(PLOT, "docs/openspiel.md", "exec"), dict(names))
    assert (tmp_path / "openspiel.svg").read_text("utf-8").count("</svg>") == 1

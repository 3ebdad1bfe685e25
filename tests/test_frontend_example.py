"""The example of a front end does what it says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import eights
import pytest
from eights.events import Act

EXAMPLE = Path(__file__).parent.parent / "docs" / "frontend_example.py"


def test_it_plays_a_round(capsys: pytest.CaptureFixture[str]) -> None:
    table = runpy.run_path(str(EXAMPLE))["main"]()
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert table.is_over
    assert eights.Record.loads(table.dumps()) == table
    assert lines[0] == "A round of Ann and the engine and Cleo"
    acts = [event for event in table.events if isinstance(event, Act)]
    assert [line for line in lines if " plays " in line] == [
        f"{table.names[act.seat]} plays {act.action}" for act in acts
    ]
    assert lines[-1] == f"Points: {dict(zip(table.names, table.state.points(), strict=True))}"
    mine = [(ply, act) for ply, act in enumerate(acts) if act.seat == 1]
    best = re.findall(r"^(.+)\nBest is (\S+), for -?\d\.\d\d points\nthe engine plays \2$", printed, re.MULTILINE)
    assert best == [(str(table.position(ply, seat=1)), act.action) for ply, act in mine]
    assert any("?{" in position for position, _ in best)
    assert [eights.parse_position(position).mover for position, _ in best] == [1] * len(mine)

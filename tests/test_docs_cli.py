"""docs/cli.md is what the commands print."""

import runpy
from pathlib import Path

import pytest
from commands import run

DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_is_what_the_commands_print() -> None:
    assert (DOCS / "cli.md").read_text("utf-8") == runpy.run_path(str(DOCS / "make_cli.py"))["page"]()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(shell: str) -> None:
    words = {"COMP_WORDS": "eights sug", "COMP_CWORD": "1" if shell != "fish" else "sug"}
    completed = run(env={"_EIGHTS_COMPLETE": f"{shell}_complete", **words}).stdout
    assert "suggest" in completed

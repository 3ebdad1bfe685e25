"""The README does not lie: its Python examples are doctests, its commands print what it says."""

import doctest
import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from eights.events import decode, encode
from eights_cli.main import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"^```console\n\$ eights (.*)\n((?:.*\n)*?)```$", README, re.MULTILINE)


def test_the_python_examples() -> None:
    text = re.sub(r"^```.*$", "", README, flags=re.MULTILINE)  # the end of a block ends what is expected
    examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    failures, tries = doctest.DocTestRunner().run(examples)
    assert tries > 5
    assert failures == 0


def test_the_commands_print_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where the records of one command are read by the next
    for arguments, expected in CONSOLE:
        printed = CliRunner().invoke(main, shlex.split(arguments), prog_name="eights").output
        assert doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS), printed


def test_there_are_commands() -> None:
    assert len(CONSOLE) >= 7


def test_the_events_of_the_notation_page() -> None:
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    lines = [line for line in re.findall(r"^ {4}(\{.*\})$", page, re.MULTILINE) if "…" not in line]
    assert {json.loads(line)["type"] for line in lines} == {"start", "reveal", "act", "end", "match", "scores"}
    assert [encode(*decode(line)) for line in lines] == lines


def test_there_are_two_commands_that_set_up() -> None:
    first, second = re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)
    assert first.split(" && ")[-1].startswith(".venv/bin/eights suggest 'standard ")
    assert second.split(" && ")[-1].startswith(".venv/bin/python -m pytest")


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "docs/rules.md", "docs/notation.md"])
def test_links_lead_to_files(page: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (ROOT / page).read_text(encoding="utf-8")):
        assert (ROOT / page).parent.joinpath(target).exists(), target

"""Writes docs/cli.md: the help of every command, as the commands themselves print it.

python docs/make_cli.py
"""

from pathlib import Path

from click import Context
from click.testing import CliRunner
from eights_cli.main import main

HEAD = """\
# The command line

Made by `python docs/make_cli.py` from what the commands print with `--help`.

Shells complete commands and options once they are told so: put `eval "$(_EIGHTS_COMPLETE=bash_source eights)"` into
`~/.bashrc`, the same with `zsh_source` into `~/.zshrc`, or `_EIGHTS_COMPLETE=fish_source eights | source` into
`~/.config/fish/completions/eights.fish`.
"""


def page() -> str:
    """The whole page."""
    commands: list[list[str]] = [[], *([name] for name in main.list_commands(Context(main)))]
    parts = [HEAD]
    for command in commands:
        text = CliRunner().invoke(main, [*command, "--help"], prog_name="eights").output
        parts.append(f"## {' '.join(['eights', *command])}\n\n```text\n{text.rstrip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    (Path(__file__).parent / "cli.md").write_text(page(), encoding="utf-8")

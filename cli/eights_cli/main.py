"""The command group. A subcommand's module is imported when it is asked for, and imports the library when it runs."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands are named by "module:attribute" and imported on first use."""

    def __init__(self, *args: Any, lazy: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._lazy:
            return None
        module, _, name = self._lazy[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(
    cls=LazyGroup,
    lazy={
        "suggest": "eights_cli.suggest:suggest",
        "show": "eights_cli.show:show",
        "replay": "eights_cli.replay:replay",
        "analyse": "eights_cli.analyse:analyse",
        "play": "eights_cli.play:play",
        "simulate": "eights_cli.simulate:simulate",
        "match": "eights_cli.match:match",
        "train": "eights_cli.train:train",
        "engine": "eights_cli.engine:engine",
        "bench": "eights_cli.bench:bench",
    },
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="eights", message="%(prog)s %(version)s")
def main() -> None:
    """Find the best move in a position of the card game 8½.

    A position is one line of text, in single quotes because the shell has its own uses for ? and *:

    \b
      eights suggest 'standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5'
      eights show    'standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5'

    From the table, with the cards you see:

    \b
      eights suggest --players 4 --hand 024 --pile 9

    Rounds between players of any kind, and what happened in them:

    \b
      eights simulate --player engine:time=5ms --player greedy --records games
      eights replay games/match-00000.jsonl
    """

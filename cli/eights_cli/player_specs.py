"""Players named at the command line."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from eights.specs import PlayerSpec

HELP = """\
A PLAYER is random (any legal action), greedy (the lowest number it may play, all copies of it, wild cards last), plain
(search with random playouts to the end) or engine (the search of `eights suggest`), both for 200ms an action.
engine:time=2ms, engine:iterations=500 or both with a comma between them set other limits; weights=FILE gives the engine
weights that `eights train` has made.
"""


def parse_player(text: str) -> "PlayerSpec":
    """The player of a text."""
    from eights.specs import PlayerSpec

    try:
        return PlayerSpec.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None

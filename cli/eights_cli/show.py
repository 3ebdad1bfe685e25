"""`eights show`: a position as a person sees it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from eights_cli.sources import HELP, positions

if TYPE_CHECKING:
    import eights


@click.command(short_help="Draw a position.", epilog=HELP)
@positions(analysable=False)
def show(positions: Iterator["eights.Position"]) -> None:
    """Draw a position as the player to move sees it: the others clockwise from his left, the pile, his own cards.

    \b
      eights show 'standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5'
      eights show --players 4 --hand 024 --pile 9 --open 136
      eights show --record round.jsonl --ply 12

    [4] is a card that he knows, [?] one that he does not, [#] one that nobody knows. Below stands what is to be done,
    and who knows what.
    """
    from eights_cli.drawing import drawing

    for number, position in enumerate(positions):
        click.echo("\n" * (number > 0) + drawing(position))

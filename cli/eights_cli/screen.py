"""The table as a person at the terminal sees it, in the colours of the cards: from positions to what rich prints."""

import os
from collections import Counter
from collections.abc import Sequence

import eights
from eights.actions import GHOST, HALF, RANK_CHARS, YELLOW
from eights.seat import Card
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from eights_cli import drawing
from eights_cli.render import WIDTH, wrapped
from eights_cli.telling import printable

_STYLES = dict.fromkeys(YELLOW, "yellow") | {5: "bright_blue", 9: "bright_red"}
_STYLES |= dict.fromkeys((0, HALF, GHOST), "bright_magenta")
_BOXES = 5
"""Most cards of a hand that are drawn one by one; of more each rank is counted."""
_LAST_PLAYS = 12
"""Plays of the pile that are shown."""
_LONGEST_NAME = 18
_LEAST_WIDTH = 68
"""Columns below which a table would leave a name less than six."""


def console() -> Console:
    """A console of at most 80 columns that takes all text as it is.

    NO_COLOR in the environment keeps it plain. It speaks of colour only, but where that is not wanted (a log, a screen
    reader) bold and dim type is not either.
    """
    plain = bool(os.environ.get("NO_COLOR"))
    made = Console(markup=False, highlight=False, emoji=False, color_system=None if plain else "auto")
    made.width = min(made.width, WIDTH)
    return made


def seen(position: eights.Position, names: Sequence[str], width: int) -> RenderableType:
    """The table from the mover's chair, the others clockwise from his left; the pile, and what it asks for.

    Where there are fewer columns (`width`) than a row needs, a seat has three lines, so that no card is cut off.
    """
    *asked, _legal = drawing.to_do(position)  # the menu says what is legal
    order = [(position.mover + step) % position.players for step in range(1, position.players + 1)]
    if width < _LEAST_WIDTH:
        seats: RenderableType = Group(*(_block(position, number, names[number]) for number in order))
    else:
        seats = _rows(position, order, names, _LONGEST_NAME - (WIDTH - width))
    return Group(seats, _pile(position), drawing.notes(asked))


def menu(legal: Sequence[int], width: int) -> Text:
    """The legal actions with the numbers by which they can be chosen too; lines break between them alone."""
    items = (f"#{number} {eights.action_text(action)}" for number, action in enumerate(legal, start=1))
    rows = wrapped("   ".join(item.replace(" ", "_") for item in items), width=width)
    return Text(rows.replace("_", " "), style="bold")


def _block(position: eights.Position, number: int, name: str) -> Text:
    """What lies before a seat, below its name."""
    seat = position.seats[number]
    aside = f"  aside {len(seat.aside)}" if seat.aside else ""
    return Text.assemble(
        f"{number} {printable(name)}\n  Bank {seat.bank}  Blind {seat.blind}{aside}\n  Open ",
        _cards(seat.open),
        "  Hand ",
        _cards(seat.hand),
        style="bold" if number == position.mover else "",
    )


def _rows(position: eights.Position, order: Sequence[int], names: Sequence[str], longest_name: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", expand=False)
    for heading, right in (("seat", True), ("player", False), ("Bank", True), ("Blind", False), ("Open", False)):
        table.add_column(heading, justify="right" if right else "left", no_wrap=True, overflow="ellipsis")
    table.columns[1].max_width = longest_name
    table.add_column("Hand", max_width=25)
    table.add_column("aside", justify="right", no_wrap=True)
    for number in order:
        seat = position.seats[number]
        table.add_row(
            str(number),
            Text(printable(names[number])),
            str(seat.bank),
            Text("[#]" * seat.blind, style="dim"),
            _cards(seat.open),
            _cards(seat.hand),
            str(len(seat.aside) or ""),
            style="bold" if number == position.mover else "",
        )
    return table


def _pile(position: eights.Position) -> Text:
    """The last plays of the pile, the newest at the end."""
    plays = position.pile[-_LAST_PLAYS:]
    text = Text("Pile: ")
    if not plays:
        return text.append("empty")
    if len(plays) < len(position.pile):
        text.append(f"{len(position.pile) - len(plays)} plays, then ")
    for play in plays:
        shown = "?" if play is None else eights.action_text(play)
        text.append(f"[{shown}]", style=_style(shown[0]))
    return text


def _cards(cards: Sequence[Card]) -> Text:
    chars = ["?" if isinstance(card, eights.Unknown) else eights.rank_char(card) for card in cards]
    if len(chars) <= _BOXES:
        return Text.assemble(*((f"[{char}]", _style(char)) for char in chars))
    counted = [(f"{char}x{count}" if count > 1 else char, _style(char)) for char, count in Counter(chars).items()]
    return Text(" ").join(Text(text, style=style) for text, style in counted)


def _style(char: str) -> str:
    return "dim" if char == "?" else _STYLES[RANK_CHARS.index(char)]

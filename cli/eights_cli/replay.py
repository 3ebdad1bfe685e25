"""`eights replay`: a recorded round step by step."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from eights_cli.sources import COUNT, RECORD, SEAT

if TYPE_CHECKING:
    import eights


def ply_range(text: str) -> tuple[int, int]:
    """The first and the last ply of `12` or `12-20`."""
    parts = re.fullmatch(r"(\d{1,7})(?:-(\d{1,7}))?", text, re.ASCII)
    if parts is None:
        raise click.BadParameter(f"{text!r} is no ply or range of plies: write 12 or 12-20.")
    first, last = int(parts[1]), int(parts[2] or parts[1])
    if first > last:
        raise click.BadParameter(f"{text!r} ends before it begins.")
    return first, last


@click.command(short_help="Show a recorded round step by step.")
@click.argument("file", type=RECORD)
@click.option("--seat", type=SEAT, metavar="N", help="As this seat saw it.  [default: with every card]")
@click.option(
    "--round",
    "round_number",
    type=COUNT,
    metavar="K",
    help="One round of a match, from 0.  [default: all; with --seat or --ply the last]",
)
@click.option(
    "--ply", "plies", type=ply_range, metavar="N[-M]", help="One ply, or from one to another.  [default: all]"
)
def replay(file: str, seat: int | None, round_number: int | None, plies: tuple[int, int] | None) -> None:
    """Show a recorded round step by step: the table at each decision, and what happened then.

    \b
      eights replay round.jsonl
      eights replay match.jsonl --round 2 --seat 1 --ply 30-40

    FILE is the record of a round, or of a match, in which the scores stand between the rounds; - is standard input. A
    ply is numbered by the actions before it. Where players sit changes from round to round, so in a match --seat and
    --ply are those of one round.

    As a seat saw it, the hands of the others are hidden; what they have shown is told. Where a line of the record is
    cut short or faulty, what came before it is shown, then the fault by its number, and the exit status is 2.
    """
    from eights_cli import records

    record, fault = records.read(file)
    wrong = [fault] if fault else []
    if record is not None:
        try:
            paragraphs = _paragraphs(record, round_number, seat, plies)
        except ValueError as error:
            wrong.append(str(error))
        else:
            click.echo_via_pager("\n\n" * (count > 0) + text for count, text in enumerate(paragraphs))
    for sentence in wrong:
        click.echo(sentence, err=True)
    if wrong:
        click.get_current_context().exit(2)


def _paragraphs(
    record: "eights.Record | eights.MatchRecord",
    round_number: int | None,
    seat: int | None,
    plies: tuple[int, int] | None,
) -> Iterator[str]:
    """What is to be shown; ValueError if there is no such round, seat or ply."""
    from eights import MatchRecord

    from eights_cli.pages import match_pages, round_pages
    from eights_cli.records import round_of

    title = "A round"
    if isinstance(record, MatchRecord):
        if (round_number, seat, plies) == (None, None, None):
            return match_pages(record)
        title = f"Round {len(record.rounds) - 1 if round_number is None else round_number}"
    record = round_of(record, round_number)
    if plies is not None and plies[1] > record.plies:
        raise ValueError(f"There is no ply {plies[1]}: the round has plies 0 to {record.plies}.")
    if seat is not None:
        record = record.view(seat)
    return round_pages(record, title, plies)

"""`eights analyse`: what each move of a recorded round cost its player."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eights_cli.interrupt import INTERRUPTED, ctrl_c
from eights_cli.limits import ITERATIONS, SEED, duration
from eights_cli.sources import COUNT, RECORD, SEAT

if TYPE_CHECKING:
    import eights

DEFAULT_TIME = 0.2


@click.command(short_help="Say what each move of a recorded round cost.")
@click.argument("file", metavar="RECORD", type=RECORD)
@click.option(
    "--round", "round_number", type=COUNT, metavar="K", help="The round of a match, from 0.  [default: the last]"
)
@click.option("--seat", type=SEAT, metavar="N", help="The choices of this seat only.  [default: all]")
@click.option("--time", "seconds", type=duration, help="Search for so long, each time.  [default: 200ms]")
@click.option("--iterations", type=ITERATIONS, metavar="N", help="Search for so many iterations, each time.")
@click.option("--seed", type=SEED, metavar="N", default=1, show_default=True, help="Of the searches.")
@click.option(
    "--threads", type=click.IntRange(1, 256), metavar="N", default=1, show_default=True, help="Search with so many."
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Draw what every seat could expect: .svg, .png, .pdf.",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def analyse(
    file: str,
    round_number: int | None,
    seat: int | None,
    seconds: float | None,
    iterations: int | None,
    seed: int,
    threads: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Say what each move of a recorded round cost its player, how well every seat chose, and what turned the round.

    \b
      eights analyse round.jsonl
      eights analyse match.jsonl --round 2 --time 1s --plot round.svg

    RECORD is that of a round or of a match, finished or not, of all cards or of what one seat saw; - is standard input.

    At every choice the best move is searched for as `eights suggest --record RECORD --ply N` does it, from what the
    player could know there; where another was played, that is then searched alone for as long. What a move cost are the
    points that the best one promised less those that it promised itself. A seat's accuracy is the mean over its choices
    of 103.17 exp(-4.354 cost / 3) - 3.17, at least 0: that of lichess.org with points in the place of chances to win. A
    turning point is where what a seat could expect changed by half a point or more until its next choice or the end, by
    its own move, the cards or the others.

    The picture needs matplotlib: pip install matplotlib. Where a line of the record is cut short or faulty, what
    came before it is analysed, the fault is told by its number, and the exit status is 2. Ctrl-C ends the analysis
    with what has been reviewed, and the exit status is 130.
    """
    from eights.review import review

    from eights_cli import costs

    if plot is not None:
        _check_plot(plot)
    record, fault = _round(file, round_number, seat)
    on_terminal = sys.stdout.isatty() and sys.stderr.isatty()
    with (
        ctrl_c() as stop,
        click.progressbar(length=record.plies, label="Choices", file=sys.stderr, hidden=not on_terminal) as bar,
    ):
        found = review(
            record,
            time=DEFAULT_TIME if seconds is None and iterations is None else seconds,
            iterations=iterations,
            seed=seed,
            threads=threads,
            on_choice=lambda done, of: bar.update(1),
            stop=stop,
        )
    click.echo(json.dumps(costs.review_json(found)) if as_json else costs.review_text(found))
    if plot is not None:
        from eights_cli.picture import draw

        try:
            draw(found, plot)
        except OSError as error:
            raise click.ClickException(f"The picture cannot be written: {error.strerror}: {plot}") from None
    if fault:
        click.echo(fault, err=True)
    if stop.is_set():
        click.get_current_context().exit(INTERRUPTED)
    if fault:
        click.get_current_context().exit(2)


def _round(file: str, number: int | None, seat: int | None) -> tuple["eights.Record", str]:
    """The round that is asked about, and the fault of the record if it has one; without a round the status is 2."""
    from eights_cli import records

    read, fault = records.read(file)
    wrong = fault
    if read is not None:
        try:
            found = records.round_of(read, number)
            return (found if seat is None else found.view(seat)), fault
        except ValueError as error:
            wrong = f"{fault}\n{error}" if fault else str(error)
    click.echo(wrong, err=True)
    raise click.exceptions.Exit(2)


def _check_plot(path: Path) -> None:
    """Say before the work what would keep the picture from being drawn."""
    try:
        from eights_cli.picture import FORMATS
    except ImportError:
        raise click.BadParameter("a picture needs matplotlib: pip install matplotlib", param_hint="--plot") from None
    if path.suffix[1:] not in FORMATS:
        listed = ", ".join(f".{name}" for name in sorted(FORMATS))
        raise click.BadParameter(f"{path.name!r} does not end in one of {listed}.", param_hint="--plot")
    if not path.parent.is_dir():
        raise click.BadParameter(f"There is no folder {str(path.parent)!r}.", param_hint="--plot")

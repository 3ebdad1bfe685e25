"""`eights suggest`: the best move of a position."""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from eights_cli.interrupt import INTERRUPTED, ctrl_c
from eights_cli.limits import ITERATIONS, SEED, THREADS, duration
from eights_cli.sources import HELP, positions

if TYPE_CHECKING:
    import eights

DEFAULT_TIME = 1.0


@click.command(short_help="Say which move is best.", epilog=HELP)
@positions(analysable=True)
@click.option("--time", "seconds", type=duration, help="Think for so long: 200ms, 1s, 2m.  [default: 1s]")
@click.option("--iterations", type=ITERATIONS, metavar="N", help="Think for so many iterations.")
@click.option("--seed", type=SEED, metavar="N", default=1, show_default=True, help="Of the search.")
@click.option(
    "--threads", type=THREADS, metavar="N", default=1, show_default=True, help="Trees that grow at the same time."
)
@click.option("--json", "as_json", is_flag=True, help="Write a line with a JSON object for each position.")
def suggest(
    positions: Iterator["eights.Position"],
    seconds: float | None,
    iterations: int | None,
    seed: int,
    threads: int,
    as_json: bool,
) -> None:
    """Say which move is best, what every legal move is worth, and what the best one has to fear.

    \b
      eights suggest 'standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5'
      eights suggest --players 4 --hand 024 --pile 9 --open 136 --open 889
      eights suggest --time 200ms --json positions.txt
      eights suggest --record round.jsonl --ply 12

    Points are the player's who is to move, with their standard error. Of two limits the first that is reached ends
    the search; with --iterations alone the same seed and threads give the same answer on every machine. Ctrl-C ends
    the search and shows the analysis so far, and the exit status is 130.
    """
    import eights

    from eights_cli import render

    if seconds is None and iterations is None:
        seconds = DEFAULT_TIME
    on_terminal = sys.stdout.isatty() and sys.stderr.isatty()
    for number, position in enumerate(positions):
        with ctrl_c() as stop:
            analysis = eights.analyse(
                position,
                time=seconds,
                iterations=iterations,
                seed=seed,
                on_progress=show_progress if on_terminal else None,
                stop=stop,
                risks=True,
                threads=threads,
            )
        if on_terminal:
            wipe_progress()
        if as_json:
            click.echo(json.dumps(render.analysis_json(analysis)))
        else:
            click.echo("\n" * (number > 0) + render.analysis_text(analysis))
        if stop.is_set():
            click.get_current_context().exit(INTERRUPTED)


def show_progress(analysis: "eights.Analysis") -> None:
    from eights_cli import render

    click.echo(f"\r{render.progress_line(analysis):{render.WIDTH - 1}}", nl=False, err=True)


def wipe_progress() -> None:
    from eights_cli import render

    click.echo(f"\r{'':{render.WIDTH - 1}}\r", nl=False, err=True)

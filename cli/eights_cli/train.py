"""`eights train`: learn the weights of the strongest player from zero."""

import math
from pathlib import Path

import click

from eights_cli.interrupt import INTERRUPTED
from eights_cli.limits import SEED


def _a_number(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if math.isnan(value):  # which is in every range for click
        raise click.BadParameter("nan is no number.")
    return value


@click.command()
@click.option("--players", type=click.IntRange(2, 6), multiple=True, metavar="N", help="For games of N.  Repeatable.")
@click.option(
    "--effort",
    type=click.FloatRange(0.001, 10.0),
    callback=_a_number,
    default=1.0,
    show_default=True,
    metavar="X",
    help="How much is played and learnt: 1 makes what is shipped, 0.05 a try of a few minutes.",
)
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=Path("training"), show_default=True)
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes.  [default: one for each processor]")
@click.option("--seed", type=SEED, default=1, show_default=True)
def train(players: tuple[int, ...], effort: float, folder: Path, jobs: int | None, seed: int) -> None:
    """Learn weights by self-play from nothing: a policy from plain search, a value, then both by searching with them.

    Every number of players has a folder of its own in FOLDER, where each stage leaves what it has done: a training that
    was interrupted, by Ctrl-C or otherwise, goes on there when it is started again in the same words; all files stay
    until you delete the folder. The weights are FOLDER/N/N.weights, and
    a player uses them as engine:weights=FILE.

    \b
      eights train --players 2 --effort 0.05
      eights simulate --players 2 --player engine:time=5ms,weights=training/2/2.weights --player greedy
    """
    from eights.forest import processors
    from eights.training.pipeline import PLANS, TrainingError, train

    for number in players or tuple(PLANS):
        plan = PLANS[number].scaled(effort, seed)
        own = folder / str(number)
        try:
            train(plan, own, jobs=jobs or processors(), say=click.echo)
        except TrainingError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            raise click.ClickException(f"The training cannot be kept in {own}: {error.strerror}.") from None
        except KeyboardInterrupt:
            click.echo(f"Interrupted. The same command goes on from what is in {own}.", err=True)
            click.get_current_context().exit(INTERRUPTED)

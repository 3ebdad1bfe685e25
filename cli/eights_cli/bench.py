"""`eights bench`: a fixed workload, its speed, and one number that stands for the behaviour of the search."""

import json
from importlib.resources import files
from time import perf_counter

import click

from eights_cli.limits import ITERATIONS

DEFAULT_ITERATIONS = 30_000


@click.command(short_help="Search a fixed set of positions; print speed and total nodes.")
@click.option(
    "--iterations",
    type=ITERATIONS,
    metavar="N",
    default=DEFAULT_ITERATIONS,
    show_default=True,
    help="Iterations for each position.",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def bench(iterations: int, as_json: bool) -> None:
    """Search a fixed set of positions on one thread, with a fixed seed and number of iterations.

    The number of nodes in all their trees is the same on every machine, and changes only when the rules, the random
    numbers or the search behave in another way. A change that should change nothing keeps it.
    """
    import eights

    texts = files("eights_cli").joinpath("bench_positions.txt").read_text(encoding="utf-8").splitlines()
    positions = [eights.parse_position(text) for text in texts if text and not text.startswith("#")]
    start = perf_counter()
    nodes = sum(eights.analyse(position, iterations=iterations, seed=1).nodes for position in positions)
    seconds = perf_counter() - start
    speed = len(positions) * iterations / seconds
    if as_json:
        measured = {"positions": len(positions), "iterations": iterations, "nodes": nodes}
        click.echo(json.dumps(measured | {"time_ms": round(1000 * seconds), "iterations_per_s": round(speed)}))
        return
    click.echo(f"Positions: {len(positions)}")
    click.echo(f"Iterations: {iterations:,} each, {speed:,.0f} a second, {seconds:.1f} s in all")
    click.echo(f"Nodes: {nodes}")

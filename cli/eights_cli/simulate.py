"""`eights simulate`: rounds between players of any kind, what they come to, and their records."""

import json
import math
import sys
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from eights_cli.interrupt import INTERRUPTED, ctrl_c
from eights_cli.limits import SEED
from eights_cli.player_specs import HELP, parse_player
from eights_cli.sources import PLAYERS, RULES

if TYPE_CHECKING:
    from eights.specs import PlayerSpec

    from eights_cli.simulation import Simulation

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command(short_help="Let players play rounds against each other.", epilog=HELP)
@click.option(
    "--player",
    "specs",
    type=parse_player,
    multiple=True,
    required=True,
    metavar="PLAYER",
    help="Who plays.  Repeatable.",
)
@click.option("--players", type=PLAYERS, metavar="N", help="Players at the table.  [default: as many as are named]")
@click.option(
    "--rounds", type=click.IntRange(min=1), metavar="N", default=100, show_default=True, help="Rounds to play."
)
@click.option("--rules", metavar="RULES", default="standard", show_default=True, help=RULES)
@click.option("--seed", type=SEED, metavar="N", default=1, show_default=True, help="Of the deals and the players.")
@click.option("--records", "folder", type=_FOLDER, metavar="FOLDER", help="Write the record of each match there.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def simulate(
    specs: tuple["PlayerSpec", ...],
    players: int | None,
    rounds: int,
    rules: str,
    seed: int,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Let players play rounds against each other, and say what each of them won.

    \b
      eights simulate --player engine:iterations=500 --player greedy
      eights simulate --players 4 --rounds 200 --player greedy --player random --records games

    With fewer names than players these are repeated in turn. The rounds are those of matches, one after another:
    seats change and Open Cards are exchanged as the rules say, and the last match may stay unfinished. The standard
    errors are those of independent rounds.

    With --records each match becomes a file of that folder, match-00000.jsonl and so on, once it is over; see
    `eights replay`. The folder is made if need be, and may not hold such files already.

    The same seed gives the same rounds, unless an engine is limited by time. Ctrl-C ends the simulation after the
    round that is being played, and once more at once, without that round. What was played until then is counted and
    written, and the exit status is 130.
    """
    import eights

    from eights_cli.simulation import Simulation

    cast = _cast(specs, players)
    try:
        rule_set = eights.Rules.parse(rules, len(cast))
    except eights.RulesError as error:
        raise click.BadParameter(str(error), param_hint="--rules") from None
    try:
        simulation = Simulation(rule_set, cast, seed, folder)
    except click.ClickException as error:
        raise click.BadParameter(error.message, param_hint="--player") from None
    if folder is not None:
        _prepare(folder)
    on_terminal = sys.stdout.isatty() and sys.stderr.isatty()
    start = perf_counter()
    fault: click.ClickException | None = None
    with (
        ctrl_c() as stop,
        click.progressbar(length=rounds, label="Rounds", file=sys.stderr, hidden=not on_terminal) as bar,
    ):
        try:
            simulation.run(rounds, stop, on_round=lambda: bar.update(1))
        except click.ClickException as error:
            fault = error
    seconds = perf_counter() - start
    click.echo(json.dumps(_json(simulation, rounds, seconds)) if as_json else _text(simulation, rounds, seconds))
    if fault is not None:
        raise fault
    if stop.is_set():
        click.get_current_context().exit(INTERRUPTED)


def _cast(specs: Sequence["PlayerSpec"], players: int | None) -> list["PlayerSpec"]:
    """Who plays in each place."""
    places = PLAYERS(max(2, len(specs))) if players is None else players
    if len(specs) > places:
        raise click.BadParameter(f"{len(specs)} are named, but {places} play.", param_hint="--player")
    return list(islice(cycle(specs), places))


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        used = any(folder.glob("match-*.jsonl"))
    except OSError as error:
        raise click.BadParameter(f"{error.strerror}: {folder}", param_hint="--records") from None
    if used:
        raise click.BadParameter(f"There are records in {folder} already: name another folder.", param_hint="--records")


def _text(simulation: "Simulation", rounds: int, seconds: float) -> str:
    """A row for each player, and what the simulation took."""
    from eights_cli import render

    rows = [
        [
            name,
            f"{tally.rounds:,}",
            f"{tally.wins:,}",
            render.points(tally.mean),
            render.error(tally.mean_se),
            f"{tally.mean_cards:.1f}",
        ]
        for name, tally in simulation.tallies.items()
    ]
    heading = ["player", "rounds", "wins", "points a round", "", "cards left"]
    stopped = "Stopped early. " if simulation.rounds < rounds else ""
    effort = f"Rounds: {simulation.rounds:,}; matches: {simulation.matches:,}; {seconds:.2f} s; seed {simulation.seed}."
    return f"{render.table([heading, *rows], '<>>><>')}\n\n{stopped}{effort}"


def _json(simulation: "Simulation", rounds: int, seconds: float) -> dict[str, Any]:
    """The same for programs; `points`, their error and `cards` are means of a round."""
    return {
        "rules": simulation.rules.text(),
        "players": [
            {
                "name": name,
                "rounds": tally.rounds,
                "wins": tally.wins,
                "points": tally.mean,
                "points_se": tally.mean_se if math.isfinite(tally.mean_se) else None,
                "cards": tally.mean_cards,
            }
            for name, tally in simulation.tallies.items()
        ],
        "rounds": simulation.rounds,
        "matches": simulation.matches,
        "time_ms": round(1000 * seconds),
        "seed": simulation.seed,
        "stopped": simulation.rounds < rounds,
    }

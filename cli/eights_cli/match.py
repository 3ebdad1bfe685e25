"""`eights match`: how much stronger one player is than another, by paired deals."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from eights_cli.interrupt import INTERRUPTED, ctrl_c
from eights_cli.limits import SEED
from eights_cli.player_specs import parse_player
from eights_cli.sources import PLAYERS, RULES

if TYPE_CHECKING:
    from eights.specs import PlayerSpec
    from eights.sprt import Sprt

    from eights_cli.tournament import Tournament

DEALS = 100
DEALS_OF_A_TEST = 1_000_000
LOG = "eights-matches"
_FOLDER = click.Path(file_okay=False, path_type=Path)
_EVERY = 0.1  # seconds between two lines of progress

HELP = """\
A PLAYER is random, greedy, plain or engine, as of `eights simulate`: engine:time=10ms,threads=2. level:casual is one of
the levels of `eights play`.

cmd:COMMAND is a program that speaks the protocol of `eights engine`, as cmd:'python bot.py'. It gets limits and threads
before its command: cmd:time=10ms,./bot. It has 5s more for an answer; grace=30s before the command gives it another
while. Each job runs a program for every seat that the player has; no shell reads the command.

spiel:NAME is a bot that is registered in OpenSpiel, as spiel:uniform_random. spiel:FILE.py:NAME and spiel:MODULE:NAME
are a policy, or a function that makes a bot of a game and a player.
"""


def _sprt(context: click.Context, parameter: click.Parameter, means: tuple[float, float] | None) -> "Sprt | None":
    if means is None:
        return None
    from eights.sprt import Sprt

    try:
        return Sprt(*means)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command(short_help="Measure players against each other.", epilog=HELP)
@click.argument("specs", metavar="PLAYER PLAYER [PLAYER]...", type=parse_player, nargs=-1, required=True)
@click.option("--players", type=PLAYERS, metavar="N", default=2, show_default=True, help="Players at the table.")
@click.option("--rules", metavar="RULES", default="standard", show_default=True, help=RULES)
@click.option(
    "--deals",
    type=click.IntRange(1, DEALS_OF_A_TEST),
    metavar="N",
    help=f"Deals of each match.  [default: {DEALS}; with --sprt {DEALS_OF_A_TEST:,}]",
)
@click.option("--seed", type=SEED, metavar="N", default=1, show_default=True, help="Of the deals and the players.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="N", default=1, show_default=True, help="Deals at the same time."
)
@click.option(
    "--sprt",
    type=float,
    nargs=2,
    metavar="LOW HIGH",
    callback=_sprt,
    help="Stop when it is clear that the difference is LOW or rather HIGH.",
)
@click.option(
    "--log",
    type=_FOLDER,
    metavar="FOLDER",
    help=f"Keep the deals, and go on from there.  [default: {LOG}]",
)
@click.option("--no-log", is_flag=True, help="Keep nothing.")
@click.option("--records", type=_FOLDER, metavar="FOLDER", help="Write the record of each round there.")
@click.option(
    "--on-failure",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="When a player fails, end in order, or leave the deal out.",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw a picture.")
def match(
    specs: tuple["PlayerSpec", ...],
    players: int,
    rules: str,
    deals: int | None,
    seed: int,
    jobs: int,
    sprt: "Sprt | None",
    log: Path | None,
    no_log: bool,
    records: Path | None,
    on_failure: str,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Measure players against each other: each deal is played with each of them in every seat.

    \b
      eights match engine:time=10ms plain:time=10ms --deals 200 --jobs 2
      eights match engine 'cmd:python my_bot.py' --sprt 0 0.2 --plot course.png
      eights match engine:time=2ms plain:time=2ms greedy random --players 4

    Of two players the first is the challenger, in one seat, and the second sits in all others. The difference is the
    challenger's points minus the mean of the others', a round, with its standard error over deals. More than two meet
    each other in turn, as a table: all on the same deals, at tables of more than two each of them against each other
    both ways. A player's points there are the mean of his differences.

    --sprt is a sequential test with two players: it goes on until it accepts one of the two differences, and is wrong
    in about 5 % of the cases where the true difference is one of them. The difference that is shown then is a little
    too large; play a fixed number of deals to measure it.

    Every deal is logged when it is over. The same command goes on from there, however it was ended, and with more
    --deals plays those that are missing; it knows its log by players, rules and seed, and a program by its command,
    name and version. Unless there are limits of time, the same seed gives the same results with any number of jobs.
    With limits of time each thread of each job wants a core.

    A player fails that ends, does not answer in time, or plays what may not be played. Then no more deals are begun and
    those in progress are played to their end, or, with --on-failure skip, that deal is left out and said. A player that
    fails where he would lose looks better so than he is.

    With --records each round that is played becomes a file, see `eights replay`; a deal that the log has already is not
    played again for that. --plot draws the course of the match, or the standings; it needs matplotlib.

    Ctrl-C ends the match when the deals in progress are over, and once more at once, without them. What was played
    until then is shown, and the exit status is 130.
    """
    import eights
    from eights.arena import Arena

    from eights_cli import standings
    from eights_cli.tournament import Settings, Tournament

    _check_cast(specs, sprt)
    if no_log and log is not None:
        raise click.UsageError("Give --log or --no-log, not both.")
    try:
        rule_set = eights.Rules.parse(rules, players)
    except eights.RulesError as error:
        raise click.BadParameter(str(error), param_hint="--rules") from None
    draw = None if plot is None else _drawing(plot)
    settings = Settings(
        deals=deals or (DEALS if sprt is None else DEALS_OF_A_TEST),
        sprt=sprt,
        log=None if no_log else log or Path(LOG),
        records=records,
        skip_failures=on_failure == "skip",
    )
    with ctrl_c() as stop, Arena(jobs) as arena:
        tournament = Tournament(arena, specs, rule_set, seed, settings)
        progress = _Progress(tournament)
        fault: click.ClickException | None = None
        try:
            tournament.run(stop, progress.show, progress.say)
        except click.ClickException as error:
            fault = error
        progress.clear()
    _print(json.dumps(standings.as_json(tournament)) if as_json else standings.text(tournament))
    if tournament.failures:
        click.echo(f"Deals that were left out since a player failed: {tournament.failures}.", err=True)
    if draw is not None:
        draw(tournament)
    if fault is not None:
        raise fault
    if stop.is_set():
        click.get_current_context().exit(INTERRUPTED)


def _check_cast(specs: tuple["PlayerSpec", ...], sprt: "Sprt | None") -> None:
    if len(specs) < 2:
        raise click.UsageError("A match is between two players or more: name another.")
    if len(specs) > 2 and len(set(specs)) < len(specs):
        raise click.UsageError("In a table of several players each is named once.")
    if len(specs) > 2 and sprt is not None:
        raise click.UsageError("--sprt is a test of two players.")


def _drawing(path: Path) -> Callable[["Tournament"], None]:
    """What draws the picture; BadParameter if that is not possible."""
    try:
        from eights_cli import match_plot
    except ImportError:
        raise click.BadParameter("It needs matplotlib: pip install matplotlib", param_hint="--plot") from None
    if path.suffix.removeprefix(".") not in match_plot.formats():
        formats = ", ".join(match_plot.formats())
        raise click.BadParameter(f"{path} has none of the endings {formats}.", param_hint="--plot")
    if not path.parent.is_dir():
        raise click.BadParameter(f"There is no folder {str(path.parent)!r}.", param_hint="--plot")

    def draw(tournament: "Tournament") -> None:
        try:
            match_plot.draw(path, tournament)
        except OSError as error:
            raise click.ClickException(f"The picture cannot be written: {error.strerror}: {path}") from None

    return draw


def _print(text: str) -> None:
    try:
        click.echo(text)
    except BrokenPipeError:
        raise  # nobody reads it any more: the command ends quietly
    except OSError as error:
        raise click.ClickException(f"The result cannot be written: {error.strerror}.") from None


class _Progress:
    """How the match stands, on a line of the terminal that is written over; elsewhere nothing."""

    def __init__(self, tournament: "Tournament") -> None:
        self._tournament = tournament
        self._on_terminal = sys.stderr.isatty()
        self._start = monotonic()
        self._shown = self._start - _EVERY
        self._before = self._deals()
        if self._before:
            self.say(f"Going on from {tournament.settings.log}: {self._before:,} deals are there.")
        self.show()

    def say(self, text: str) -> None:
        """A line of its own."""
        self.clear()
        click.echo(text, err=True)

    def show(self) -> None:
        """The match as it stands, unless it was shown a moment ago."""
        now = monotonic()
        if self._on_terminal and now - self._shown >= _EVERY:
            self._shown = now
            columns = shutil.get_terminal_size().columns
            click.echo(f"\r{self._line(now)[: columns - 1]}\033[K", err=True, nl=False)

    def clear(self) -> None:
        if self._on_terminal:
            click.echo("\r\033[K", err=True, nl=False)

    def _deals(self) -> int:
        return sum(len(result.deals) for result in self._tournament.results)

    def _line(self, now: float) -> str:
        from eights_cli import standings

        results, settings = self._tournament.results, self._tournament.settings
        most = settings.deals
        number = next((number for number, result in enumerate(results) if result.stopped), len(results) - 1)
        result = results[number]
        parts = [
            f"{len(result.deals):,} of {most:,} deals" if settings.sprt is None else f"{len(result.deals):,} deals"
        ]
        if result.deals:
            parts.append(f"{standings.difference(result.difference, result.difference_se)} points a round")
        if result.verdict is not None:
            lower, upper = result.verdict.sprt.bounds
            parts.append(f"LLR {result.verdict.llr:.2f} ({lower:.2f} to {upper:.2f})")
        elif (played := self._deals() - self._before) > 0 and settings.sprt is None:
            left = (most * len(results) - self._deals()) * (now - self._start) / played
            parts.append(f"{left:.0f} s left" if left < 100 else f"{left / 60:.0f} min left")
        line = ", ".join(parts)
        return line if len(results) == 1 else f"Match {number + 1} of {len(results)}: {line}"

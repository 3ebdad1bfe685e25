"""A tournament as a picture; needs matplotlib, which is imported with this module."""

import math
from itertools import accumulate
from pathlib import Path

from eights.pairing import Result
from eights.sprt import Run, Sprt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from eights_cli.render import wrapped
from eights_cli.standings import name
from eights_cli.tournament import Tournament


def formats() -> list[str]:
    """The endings of files that can be drawn."""
    return sorted(FigureCanvasAgg.get_supported_filetypes())


def draw(path: Path, tournament: Tournament) -> None:
    """Draw the way of a duel, deal by deal, or the standings of several players; OSError if it cannot be written."""
    sprt = tournament.settings.sprt
    figure = Figure(figsize=(7, 6 if sprt else 4), layout="constrained")
    if len(tournament.players) > 2:
        _standings(figure.subplots(), tournament)
    elif sprt is None:
        _course(figure.subplots(), tournament.results[0])
    else:
        above, below = figure.subplots(2, sharex=True, height_ratios=(3, 2))
        _course(above, tournament.results[0])
        _test(below, tournament.results[0], sprt)
    figure.savefig(path)


def _course(axes: Axes, result: Result) -> None:
    """The difference after each deal, with one and two standard errors."""
    values = [deal.difference for deal in result.deals]
    means, errors = [], []
    for number, (total, squares) in enumerate(
        zip(accumulate(values), accumulate(value * value for value in values), strict=True), start=1
    ):
        mean = total / number
        means.append(mean)
        variance = max(0.0, squares - number * mean**2) / (number - 1) if number > 1 else math.nan
        errors.append(math.sqrt(variance / number))
    deals = range(1, len(values) + 1)
    for width in (2, 1):
        low, high = (
            [mean + sign * width * error for mean, error in zip(means, errors, strict=True)] for sign in (-1, 1)
        )
        axes.fill_between(deals, low, high, color="C0", alpha=0.2, linewidth=0)
    axes.plot(deals, means, color="C0")
    axes.axhline(0, color="black", linewidth=0.8)
    title = f"{name(result.pairing.challenger)} against {name(result.pairing.field)}"
    axes.set_title(wrapped(title, width=72), fontsize="medium", parse_math=False)
    axes.set_ylabel("difference, points a round")
    axes.set_xlabel("deals")


def _test(axes: Axes, result: Result, sprt: Sprt) -> None:
    """The log-likelihood ratio after each deal, between its bounds."""
    run, ratios = Run(sprt), []
    for deal in result.deals:
        if run.accepted is not None:
            break
        run.add(deal.difference)
        ratios.append(run.llr)
    axes.plot(range(1, len(ratios) + 1), ratios, color="C1")
    for bound, mean in zip(sprt.bounds, (sprt.low, sprt.high), strict=True):
        axes.axhline(bound, color="black", linewidth=0.8, linestyle="--")
        axes.annotate(f"{mean:g}", (1, bound), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    axes.set_ylabel("LLR")
    axes.set_xlabel("deals")


def _standings(axes: Axes, tournament: Tournament) -> None:
    """All players, the best on top, with standard errors."""
    standings = [standing for standing in reversed(tournament.standings) if standing.deals]
    places = range(len(standings))
    axes.errorbar(
        [standing.points for standing in standings],
        places,
        xerr=[standing.points_se if math.isfinite(standing.points_se) else 0.0 for standing in standings],
        fmt="o",
        capsize=3,
    )
    axes.set_yticks(places, [name(standing.player) for standing in standings], parse_math=False)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel("difference to the others, points a round")

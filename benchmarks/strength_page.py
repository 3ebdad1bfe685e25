"""The page of the strength table: ratings, tables and the plot, from results of the arena."""

import math
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import choix
import matplotlib
import numpy as np
from eights.pairing import Result
from matplotlib.figure import Figure
from numpy.typing import NDArray

SCALE = 400 / math.log(10)
"""Elo's: 400 points more are winning ten times as often in a round for two."""
ALPHA = 0.1  # choix's regularization, so that who never won is not infinitely weak
GROUPS = 10  # of deals, for the jackknife
ZERO = "greedy"

Choice: TypeAlias = tuple[int, tuple[int, ...]]
"""Who won a round and the others, as numbers of names."""

PAGE = """\
# How strong the players are

Made by `python benchmarks/strength.py` on {machine}.

Players are named as in `eights.specs`: `plain` is a search with random playouts, `engine` the one that `eights suggest`
asks, and each thinks for the time it is given at every free decision. `random`, `greedy` and `plain` never change, so
that tables of other times can be held against this one. More deals of some of these matches:
`python benchmarks/duels.py`.

A cell is the match of the player of its row, in one seat, against that of its column, in all others: the points of
the one minus the mean of the others', a round of the preset standard, with the standard error. All matches are on the
same deals, and each deal is played with the challenger in every seat.

The rating is that of a Plackett–Luce model of who wins a round, fitted to all rounds of the table by
[choix](https://choix.lum.li), on Elo's scale with `{zero}` at 0: with two players, 400 points more are winning ten
times as often as losing. Its error is a jackknife over deals. Rounds that nobody wins do not count there.

{tables}
## Thinking time

Points of a player with more or less time minus those of `{field}`, two players; bars are standard errors.

![Points a round against thinking time](strength.svg)

{curves}"""


@dataclass(frozen=True)
class Table:
    """The matches between all `names` with so many players at the table; some may have no deals yet."""

    players: int
    names: Sequence[str]
    results: Sequence[Result]


@dataclass(frozen=True)
class Curve:
    """A kind of player with several times against the same field."""

    kind: str
    field: str
    results: Sequence[Result]


def write(docs: Path, tables: Sequence[Table], curves: Sequence[Curve]) -> None:
    """Write strength.md and strength.svg."""
    machine = f"{os.cpu_count()} cores of {platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    page = PAGE.format(
        machine=machine,
        zero=ZERO,
        tables="\n".join(map(table_text, tables)),
        field=curves[0].field,
        curves=curves_text(curves),
    )
    (docs / "strength.md").write_text(page, encoding="utf-8")
    draw(docs / "strength.svg", curves)


def table_text(table: Table) -> str:
    cells = {}
    for result in table.results:
        challenger, field = str(result.pairing.challenger), str(result.pairing.field)
        cells[challenger, field] = difference(result)
        if table.players == 2:  # one against one: what the one gains the other loses
            cells[field, challenger] = difference(result, -1)
    rating = dict(zip(table.names, ratings(table), strict=True))
    lines = [
        f"## {table.players} players\n",
        f"| player | rating | {' | '.join(f'`{name}`' for name in table.names)} |",
        f"|---|{'---:|' * (1 + len(table.names))}",
    ]
    for name in sorted(table.names, key=lambda name: -rating[name][0]):
        row = [figure(*rating[name], "{:.0f}")]
        row += [cells.get((name, other), "") for other in table.names]
        lines.append(f"| `{name}` | {' | '.join(row)} |")
    deals = [len(result.deals) for result in table.results]
    rounds = sum(result.rounds for result in table.results)
    lines.append(f"\n{min(deals)} to {max(deals)} deals a match, {rounds:,} rounds in all.\n")
    return "\n".join(lines)


def curves_text(curves: Sequence[Curve]) -> str:
    lines = ["| player | points a round | deals |", "|---|---:|---:|"]
    lines += [
        f"| `{result.pairing.challenger}` | {difference(result)} | {len(result.deals)} |"
        for curve in curves
        for result in curve.results
    ]
    return "\n".join(lines) + "\n"


def difference(result: Result, sign: int = 1) -> str:
    return figure(sign * result.difference, result.difference_se, "{:+.2f}")


def figure(value: float, error: float, form: str) -> str:
    """A value with its error; a dash where there is none."""
    if not math.isfinite(error):
        return "–"
    return f"{form.format(value)} ± {form.replace('+', '').format(error)}"


def ratings(table: Table) -> list[tuple[float, float]]:
    """The rating and its standard error of each name; NaN and infinity where not all groups of deals were played.

    The jackknife leaves out every GROUPS-th deal of all matches, since these are of the same deals.
    """
    groups = [choices(table, group) for group in range(GROUPS)]
    if not all(groups):
        return [(math.nan, math.inf)] * len(table.names)
    whole = fit(table, groups)
    without = [fit(table, groups[:left] + groups[left + 1 :]) for left in range(GROUPS)]
    variance = (GROUPS - 1) * np.var(without, axis=0)
    return list(zip(whole.tolist(), np.sqrt(variance).tolist(), strict=True))


def choices(table: Table, group: int) -> list[Choice]:
    """Who won, of all rounds in a group of deals that somebody won."""
    found: list[Choice] = []
    for result in table.results:
        mine, theirs = (table.names.index(str(spec)) for spec in (result.pairing.challenger, result.pairing.field))
        for deal in result.deals:
            if deal.deal % GROUPS != group:
                continue
            for seat, played in enumerate(deal.rounds):
                if played.winner is None:
                    continue
                won = played.winner == seat
                losers = (theirs,) * (table.players - 1) if won else (mine, *(theirs,) * (table.players - 2))
                found.append((mine if won else theirs, losers))
    return found


def fit(table: Table, groups: Sequence[Sequence[Choice]]) -> NDArray[np.float64]:
    """The ratings that make what happened most likely."""
    data = [choice for group in groups for choice in group]
    strengths: NDArray[np.float64] = SCALE * choix.ilsr_top1(len(table.names), data, alpha=ALPHA)
    strengths -= strengths[table.names.index(ZERO)]
    return strengths


def draw(path: Path, curves: Sequence[Curve]) -> None:
    """The plot, the same for the same figures."""
    drawing = Figure(figsize=(7, 4.2), layout="constrained")
    axes = drawing.subplots()
    milliseconds = set()
    for curve in curves:
        found = [result for result in curve.results if math.isfinite(result.difference_se)]
        times = [1000 * (result.pairing.challenger.time or math.nan) for result in found]
        points = [result.difference for result in found]
        errors = [result.difference_se for result in found]
        axes.errorbar(times, points, errors, label=curve.kind, marker="o", markersize=4, capsize=3)
        milliseconds.update(times)
    axes.set_xscale("log")
    axes.set_xticks(sorted(milliseconds), [f"{time:g}" for time in sorted(milliseconds)])
    axes.minorticks_off()
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.set_xlabel("milliseconds for each decision")
    axes.set_ylabel(f"points a round ahead of {curves[0].field}")
    axes.grid(alpha=0.3)
    axes.legend()
    with matplotlib.rc_context({"svg.hashsalt": "eights"}):
        drawing.savefig(path, metadata={"Date": None})

"""The page of the calibration: tables and the reliability plot, from rounds."""

import os
import platform
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path

import matplotlib
from calibration_figures import (
    Bin,
    Gap,
    bins,
    calibration_error,
    line,
    margin_gap,
    point_gap,
    point_series,
    score,
    seeds_against_said,
    win_gap,
    win_series,
)
from calibration_rounds import PER_ROUND, PLAYERS, Header, Replay, Round
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIN_EDGES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
POINT_EDGES = tuple(0.25 * step for step in range(13))
MEASURES: dict[str, Callable[[Sequence[Replay]], Gap]] = {
    "points": point_gap,
    "win": win_gap,
    "margin": margin_gap,
}

FEWEST = 2
"""Positions without which there is no error to tell."""


class Hands(Enum):
    """Whether the mover knows all hands, as late in a round when everybody plays from the table (rules §10)."""

    HIDDEN = "hidden"
    OPEN = "open"


PAGE = """\
# Whether the engine's figures can be trusted

Made by `python benchmarks/calibration.py` on {machine};
{setting}.

## What it expects, and what comes

In rounds that the engine plays against itself, {per_round} free decisions a round are chosen at random: {positions:,}
positions of {rounds:,} rounds of the preset standard. The points and the win chance that the analysis gives each seat
are held against how the round ended. Errors are clustered by round, since all seats and positions of a round share its
end.

![Observed against predicted win chance, and points](calibration.svg)

{scores}
The Brier score is the mean square of what a win chance was off by; the base rate is what gives every seat the share of
rounds that a seat wins. The calibration error is the mean distance between the chance predicted and the share observed,
over the bins below; chance alone would make it about as much as stands in brackets. A line from predicted to observed
points has the slope 1 and the intercept 0 where all is well.

{win_bins}
{point_bins}
## What `±` leaves out

`sampling_se` is the error of the search alone: another seed gives another figure. What the learned value is wrong by,
and what later moves gain that the search does not see, is the same for every seed. So from one position a round, the
round is played on {continuations} times after each of the two best moves, each time with other hidden cards and with
all seats searching. The mean of these ends is held against what the analysis said. The square of what it is off by,
less the sampling variances of both, is τ² on average, that of a random effect. In brackets are τ for τ² one standard
error lower and higher.

{gaps}
Hands are open where the mover knows all of them, as late in a round when everybody plays from the table. The error of
a figure is the root of its sampling variance and τ². Bias is the mean of what was said less what came. The last columns
tell how many of the positions are off by at most one and two standard errors, once τ is among them: 68 % and 95 % if
errors were normal. τ is fitted to the same positions, which makes them a little too good.

{seeds}

The weights are {weights}.
What `eights.models` adds to the errors of an analysis are the figures of all players.
"""


def write(docs: Path, header: Header, rounds: Sequence[Round]) -> str:
    """Write calibration.md and calibration.svg; the page."""
    page = page_text(header, rounds)
    (docs / "calibration.md").write_text(page, encoding="utf-8")
    draw(docs / "calibration.svg", rounds)
    return page


def page_text(header: Header, rounds: Sequence[Round]) -> str:
    machine = f"{os.cpu_count()} cores of {platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    several = [played.replay for played in rounds if played.replay is not None]
    return PAGE.format(
        machine=machine,
        setting=f"{header.iterations:,} iterations a decision, seed {header.seed}",
        per_round=PER_ROUND,
        positions=sum(len(played.decisions) for played in rounds),
        rounds=len(rounds),
        continuations=header.continuations,
        scores=scores_text(rounds),
        win_bins=bins_text("win chance", bins(win_series(rounds), WIN_EDGES), "{:.3f}"),
        point_bins=bins_text("points", bins(point_series(rounds), POINT_EDGES), "{:.2f}"),
        gaps=gaps_text(several),
        seeds=seeds_text(several),
        weights=weights_text(header),
    )


def by_players(rounds: Sequence[Round]) -> dict[int, list[Round]]:
    """The rounds of each number of players."""
    found: dict[int, list[Round]] = {}
    for played in rounds:
        found.setdefault(played.players, []).append(played)
    return dict(sorted(found.items()))


def players_of(several: Sequence[Replay]) -> list[int]:
    """The numbers of players in replays."""
    return sorted({replay.players for replay in several})


def scores_text(rounds: Sequence[Round]) -> str:
    lines = [
        "| players | positions | Brier score | base rate | better by | calibration error | slope, points | intercept |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for players, several in by_players(rounds).items():
        wins = win_series(several)
        brier = score(wins)
        gap, noise = calibration_error(bins(wins, WIN_EDGES))
        fitted = line(point_series(several))
        cells = (
            players,
            sum(len(played.decisions) for played in several),
            f"{brier.brier:.4f}",
            f"{brier.base:.4f}",
            f"{brier.gain:.4f} ± {brier.gain_error:.4f}",
            f"{gap:.3f} ({noise:.3f})",
            f"{fitted.slope:.3f} ± {fitted.slope_error:.3f}",
            f"{fitted.intercept:+.3f} ± {fitted.intercept_error:.3f}",
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def bins_text(what: str, found: Sequence[Bin], form: str) -> str:
    lines = [f"| {what} predicted | observed | forecasts | rounds |", "|---:|---:|---:|---:|"]
    for each in found:
        observed = form.format(each.came)
        if each.rounds > 1:
            observed += f" ± {form.format(each.error)}"
        lines.append(f"| {form.format(each.expected)} | {observed} | {each.count:,} | {each.rounds:,} |")
    return "\n".join(lines) + "\n"


def gaps_text(several: Sequence[Replay]) -> str:
    lines = [
        "| players | hands | what | positions | bias | τ | sampling error of the search | within 1 | within 2 |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for players in (*players_of(several), None):
        for hands in Hands:
            chosen = choice(several, players, hands)
            if len(chosen) >= FEWEST:
                lines += [gap_row(players, hands, what, measure(chosen)) for what, measure in MEASURES.items()]
    return "\n".join(lines) + "\n"


def choice(several: Sequence[Replay], players: int | None, hands: Hands) -> list[Replay]:
    """The replays with so many players, or all, and such hands."""
    return [
        replay for replay in several if players in (None, replay.players) and replay.hands_open == (hands is Hands.OPEN)
    ]


def gap_row(players: int | None, hands: Hands, what: str, gap: Gap) -> str:
    low, high = gap.bounds
    cells = (
        "all" if players is None else players,
        hands.value,
        what,
        len(gap),
        f"{gap.bias:+.3f} ± {gap.bias_error:.3f}",
        f"{gap.tau:.3f} ({low:.3f} to {high:.3f})",
        f"{gap.search_error:.3f}",
        f"{100 * gap.within(1):.0f} %",
        f"{100 * gap.within(2):.0f} %",
    )
    return f"| {' | '.join(map(str, cells))} |"


def seeds_text(several: Sequence[Replay]) -> str:
    """What two seeds differ by, for each number of players."""
    grouped = {players: [each for each in several if each.players == players] for players in players_of(several)}
    ratios = [f"{seeds_against_said(chosen):.2f} with {players} players" for players, chosen in grouped.items()]
    return (
        f"Two seeds differ in the points of a best move by so many times what `sampling_se` says:\n{', '.join(ratios)}."
    )


def weights_text(header: Header) -> str:
    """The weights that were played with, by what tells them from others (`eights.models.default_checksum`)."""
    named = zip(PLAYERS, header.engine, strict=True)
    return ", ".join(f"`{checksum}` for {players} players" for players, (checksum, _) in named)


def draw(path: Path, rounds: Sequence[Round]) -> None:
    """The reliability plot, the same for the same figures."""
    drawing = Figure(figsize=(9, 4.5), layout="constrained")
    panels = drawing.subplots(1, 2)
    for axes, what, most, series, edges in (
        (panels[0], "win chance", 1.0, win_series, WIN_EDGES),
        (panels[1], "points", 3.0, point_series, POINT_EDGES),
    ):
        for players, several in by_players(rounds).items():
            found = bins(series(several), edges)
            expected, came = [each.expected for each in found], [each.came for each in found]
            axes.plot(expected, came, alpha=0.4, label=str(players))
        _panel(axes, what, most, bins(series(rounds), edges))
    panels[0].legend(title="players")
    with matplotlib.rc_context({"svg.hashsalt": "eights"}):
        drawing.savefig(path, metadata={"Date": None})


def _panel(axes: Axes, what: str, most: float, found: Sequence[Bin]) -> None:
    known = [each for each in found if each.rounds > 1]
    expected, came = [each.expected for each in known], [each.came for each in known]
    errors = [2 * each.error for each in known]
    axes.errorbar(expected, came, errors, color="black", linestyle="none", marker="o", markersize=4, capsize=3)
    axes.plot([0, most], [0, most], color="gray", linewidth=0.8)
    axes.set_xlim(0, most)
    axes.set_ylim(0, 1.05 * most)
    axes.set_xlabel(f"{what} predicted")
    axes.set_ylabel(f"{what} observed, ± two standard errors")
    axes.grid(alpha=0.3)

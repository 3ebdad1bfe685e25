"""Figures of calibration: bins, scores and lines with errors clustered by round, and how wrong forecasts are."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from calibration_rounds import Branch, Forecast, Replay, Round
from numpy.typing import NDArray

Array = NDArray[np.float64]

MEAN_ABSOLUTE = math.sqrt(2 / math.pi)
"""The mean of the absolute value of a normal variable with standard deviation 1."""


# ---- forecasts against the outcome of their round


@dataclass(frozen=True)
class Series:
    """What was expected and what came, one number a seat of a decision, and the round of each, numbered from 0.

    Decisions of a round and its seats share an outcome, so that errors are those of rounds (Liang and Zeger 1986).
    """

    expected: Array
    came: Array
    round: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.expected)

    def between(self, low: float, high: float) -> "Series":
        """The part with an expectation in [low, high)."""
        inside = (self.expected >= low) & (self.expected < high)
        return Series(self.expected[inside], self.came[inside], self.round[inside])


def win_series(rounds: Sequence[Round]) -> Series:
    """Win chances, and 1 where the seat won."""
    return _series(rounds, lambda best: best.win, lambda played, seat: float(played.outcome.winner == seat))


def point_series(rounds: Sequence[Round]) -> Series:
    """Points."""
    return _series(rounds, lambda best: best.points, lambda played, seat: played.outcome.points[seat])


def _series(
    rounds: Sequence[Round], said: Callable[[Forecast], Sequence[float]], came: Callable[[Round, int], float]
) -> Series:
    rows = [
        (value, came(played, seat), number)
        for number, played in enumerate(rounds)
        for decision in played.decisions
        for seat, value in enumerate(said(decision.best))
    ]
    expected, observed, numbers = zip(*rows, strict=True) if rows else ((), (), ())
    return Series(np.array(expected, float), np.array(observed, float), np.array(numbers, np.int64))


def clustered_error(residuals: Array, clusters: NDArray[np.int64]) -> float:
    """The standard error of the mean of values, less that mean, which depend on each other within clusters.

    Infinite with less than two clusters. With each value a cluster of its own it is the usual one:

    >>> values = np.array([0.0, 1.0, 1.0, 4.0])
    >>> round(clustered_error(values - values.mean(), np.arange(4)), 6) == round(values.std(ddof=1) / 2, 6)
    True
    """
    sums = np.bincount(np.unique(clusters, return_inverse=True)[1], residuals)
    if len(sums) < 2:
        return math.inf
    return math.sqrt(len(sums) / (len(sums) - 1) * float(sums @ sums)) / len(residuals)


@dataclass(frozen=True)
class Bin:
    """Forecasts that are alike: how many, of how many rounds, their mean, that of what came, and its error."""

    count: int
    rounds: int
    expected: float
    came: float
    error: float


def bins(series: Series, edges: Sequence[float]) -> list[Bin]:
    """The bins between edges that have anything in them; the last edge belongs to the last bin."""
    found = []
    for low, high in zip(edges, [*edges[1:-1], math.inf], strict=False):
        part = series.between(low, high)
        if len(part):
            mean = float(part.came.mean())
            error = clustered_error(part.came - mean, part.round)
            found.append(Bin(len(part), len(np.unique(part.round)), float(part.expected.mean()), mean, error))
    return found


@dataclass(frozen=True)
class Score:
    """Mean squares of what win chances were off by (Brier): the engine's, and those of the base rate."""

    brier: float
    base: float
    gain: float
    gain_error: float


def score(series: Series) -> Score:
    """Brier scores; `gain` is how much better than the base rate, with the error of that difference."""
    off = (series.expected - series.came) ** 2
    off_base = (series.came.mean() - series.came) ** 2
    gains = off_base - off
    error = clustered_error(gains - gains.mean(), series.round)
    return Score(float(off.mean()), float(off_base.mean()), float(gains.mean()), error)


def calibration_error(found: Sequence[Bin]) -> tuple[float, float]:
    """The expected calibration error of bins, and what chance alone would make it where all is well.

    Bins of a single round are left out: nothing is known of their errors.
    """
    known = [each for each in found if each.rounds > 1]
    total = sum(each.count for each in known)
    if not total:
        return math.nan, math.nan
    gap = sum(each.count * abs(each.expected - each.came) for each in known) / total
    noise = sum(each.count * each.error for each in known) / total
    return gap, MEAN_ABSOLUTE * noise


@dataclass(frozen=True)
class Line:
    """The line of least squares from what was expected to what came."""

    slope: float
    slope_error: float
    intercept: float
    intercept_error: float


def line(series: Series) -> Line:
    """Slope and intercept, 1 and 0 where all is well, with errors clustered by round."""
    inputs = np.column_stack((np.ones(len(series)), series.expected))
    inverse = np.linalg.inv(inputs.T @ inputs)
    found = inverse @ inputs.T @ series.came
    moments = inputs * (series.came - inputs @ found)[:, None]
    numbers = np.unique(series.round, return_inverse=True)[1]
    sums = np.column_stack([np.bincount(numbers, column) for column in moments.T])
    covariance = len(sums) / (len(sums) - 1) * inverse @ sums.T @ sums @ inverse
    intercept_error, slope_error = np.sqrt(np.diag(covariance))
    return Line(float(found[1]), float(slope_error), float(found[0]), float(intercept_error))


# ---- forecasts against many rounds played on from their position


@dataclass(frozen=True)
class Gap:
    """What forecasts were off by, and what is known of why: one number a position.

    `outcome` is the sampling variance of the mean that a forecast is held against, `search` that of the forecast.
    What is left is tau², the variance of a random effect: what the engine is wrong by. With n positions the moments
    are mean(off² - outcome - search), so tau² may come out below 0.
    """

    off: Array
    outcome: Array
    search: Array

    def __len__(self) -> int:
        return len(self.off)

    @cached_property
    def bias(self) -> float:
        return float(self.off.mean())

    @property
    def bias_error(self) -> float:
        return _error(self.off)

    @cached_property
    def variance(self) -> float:
        """Tau²."""
        return float((self.off**2 - self.outcome - self.search).mean())

    @property
    def variance_error(self) -> float:
        return _error(self.off**2 - self.outcome - self.search)

    @property
    def tau(self) -> float:
        return math.sqrt(max(0.0, self.variance))

    @property
    def bounds(self) -> tuple[float, float]:
        """Tau where tau² is one standard error less, and more."""
        less, more = self.variance - self.variance_error, self.variance + self.variance_error
        return math.sqrt(max(0.0, less)), math.sqrt(max(0.0, more))

    @property
    def search_error(self) -> float:
        """The sampling error of a forecast: the root of its mean square."""
        return math.sqrt(self.search.mean())

    def within(self, errors: float) -> float:
        """The share that is off by at most so many standard errors, tau and both samplings taken together."""
        known = np.sqrt(self.tau**2 + self.outcome + self.search)
        return float((np.abs(self.off) <= errors * known).mean())


def point_gap(replays: Sequence[Replay]) -> Gap:
    """The mover's points after the best move; the search's variance is that of its `sampling_se`."""
    said = np.array([replay.best.forecast.points[replay.mover] for replay in replays])
    search = np.array([replay.best.forecast.sampling_se**2 for replay in replays])
    return _gap(said, np.array([_points(replay, replay.best) for replay in replays]), search)


def win_gap(replays: Sequence[Replay]) -> Gap:
    """The mover's win chance after the best move; the search's variance is what two seeds differ by."""
    said = np.array([replay.best.forecast.win[replay.mover] for replay in replays])
    again = np.array([replay.again.win[replay.mover] for replay in replays])
    won = np.array([[float(end.winner == replay.mover) for end in replay.best.outcomes] for replay in replays])
    return _gap(said, won, (said - again) ** 2 / 2)


def margin_gap(replays: Sequence[Replay]) -> Gap:
    """The mover's points after the best move less those after the second, in the same worlds."""
    pairs = [(replay.best.forecast, replay.second.forecast, replay.mover) for replay in replays]
    said = [one.points[mover] - other.points[mover] for one, other, mover in pairs]
    search = [one.sampling_se**2 + other.sampling_se**2 for one, other, _ in pairs]
    came = [_points(replay, replay.best) - _points(replay, replay.second) for replay in replays]
    return _gap(np.array(said), np.array(came), np.array(search))


def seeds_against_said(replays: Sequence[Replay]) -> float:
    """How far two seeds are apart in the points of a move, by what `sampling_se` says: 1 where it says what is so."""
    pairs = [(replay.best.forecast, replay.again, replay.mover) for replay in replays]
    apart = sum((one.points[mover] - other.points[mover]) ** 2 for one, other, mover in pairs)
    said = sum(one.sampling_se**2 + other.sampling_se**2 for one, other, _ in pairs)
    return math.sqrt(apart / said)


def _points(replay: Replay, branch: Branch) -> Array:
    return np.array([end.points[replay.mover] for end in branch.outcomes])


def _gap(said: Array, came: Array, search: Array) -> Gap:
    return Gap(said - came.mean(axis=1), came.var(axis=1, ddof=1) / came.shape[1], search)


def _error(values: Array) -> float:
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf

"""The sequential test: its formula, its errors, and that a match with it depends on the deals alone."""

from __future__ import annotations

import math
import random
import statistics
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from eights import Rules
from eights.arena import duel
from eights.pairing import Result
from eights.sprt import Run, Sprt
from rounds import LITTLE


def run(sprt: Sprt, differences: list[float]) -> Run:
    found = Run(sprt)
    for difference in differences:
        found.add(difference)
    return found


def endless(low: float, high: float) -> Sprt:
    """A test that decides nothing here."""
    return Sprt(low, high, alpha=1e-15, beta=1e-15)


def test_bounds_are_walds() -> None:
    assert Sprt(0, 1).bounds == pytest.approx((-2.944439, 2.944439))
    lower, upper = Sprt(0, 1, alpha=0.01, beta=0.1).bounds
    assert (math.exp(lower), math.exp(upper)) == pytest.approx((0.1 / 0.99, 0.9 / 0.01))


def test_the_ratio_is_that_of_normal_distributions_with_the_variances_that_fit_best() -> None:
    values = 400 * [0.5, -1.0, 1.5, 0.0, 1.0, 0.5]  # so many that the prior makes no difference
    low, high = 0.3, 0.5

    def likelihood(mean: float) -> float:
        spread = math.sqrt(statistics.fmean((value - mean) ** 2 for value in values))
        return sum(math.log(statistics.NormalDist(mean, spread).pdf(value)) for value in values)

    assert run(endless(low, high), values).llr == pytest.approx(likelihood(high) - likelihood(low), rel=0.01)


def test_with_many_deals_the_ratio_is_that_of_the_known_approximation() -> None:
    """Van den Bergh's formula (2.1): N (high - low) (2 mean - high - low) / (2 variance)."""
    source = random.Random(1)
    values = [source.choice((-1.5, -0.5, 0.0, 0.5, 1.5)) for _ in range(2_000)]
    mean, variance = statistics.fmean(values), statistics.pvariance(values)
    low, high = mean - 0.03, mean + 0.01
    expected = len(values) * (high - low) * (2 * mean - high - low) / (2 * variance)
    assert run(endless(low, high), values).llr == pytest.approx(expected, rel=0.01)
    assert run(endless(-high, -low), [-value for value in values]).llr == pytest.approx(-expected, rel=0.01)


def of_two(source: random.Random) -> float:
    """About what a deal of two equal players comes to."""
    return sum(source.choices((0, 1, 2, 3), (1, 4, 3, 2))[0] * source.choice((-1, 1)) for _ in range(2)) / 2


def of_four(source: random.Random) -> float:
    return source.gauss(0, 0.4)


def of_unequal(source: random.Random) -> float:
    """What a deal of greedy against random came to in 400 of them, less its mean."""
    values, times = (-3, -2, -1, 0, 1, 2, 3), (1, 4, 6, 66, 66, 54, 203)
    mean = sum(value * time for value, time in zip(values, times, strict=True)) / sum(times)
    return source.choices(values, times)[0] - mean


@pytest.mark.parametrize(
    ("high", "draw"), [(0.5, of_two), (1.0, of_two), (0.3, of_four), (0.5, of_unequal), (1.0, of_unequal)]
)
def test_it_is_wrong_as_rarely_as_it_says(high: float, draw: Callable[[random.Random], float]) -> None:
    """With few deals too, and between unequal players. The bound is four standard errors above 5 %."""
    source, tests = random.Random(3), 1_000
    for truth in (0.0, high):
        wrong = 0
        for _ in range(tests):
            trial = Run(Sprt(0, high))
            while trial.accepted is None:
                trial.add(truth + draw(source))
            wrong += trial.accepted != truth
        assert wrong / tests < 0.05 + 4 * math.sqrt(0.05 * 0.95 / tests)


def test_players_that_are_always_alike_are_found_to_be_so() -> None:
    trial = Run(Sprt(0, 0.05))
    while trial.accepted is None:
        trial.add(0.0)
        assert trial.deals < 200
    assert trial.accepted == 0
    with pytest.raises(ValueError, match="The test is over"):
        trial.add(0.0)


@pytest.mark.parametrize("means", [(0, 0), (1, 0), (math.nan, 1), (0, math.inf), (0, 3.1), (-1e308, 1e308)])
def test_means_that_cannot_be_told_apart_or_that_no_players_have_are_refused(means: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="A test is between two means from -3 to 3, the lower first"):
        Sprt(*means)


@pytest.mark.parametrize("errors", [{"alpha": 0.0}, {"beta": 0.5}, {"alpha": -1.0}])
def test_errors_are_probabilities(errors: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"above 0 and below 0\.5"):
        Sprt(0, 1, **errors)


# ---- in a match


def decided(result: Result) -> tuple[object, ...]:
    """What a test has come to, and over which deals."""
    assert result.verdict is not None
    return (result.verdict, result.stopped, [deal.deal for deal in result.deals], result.difference)


def test_a_match_ends_when_the_test_has_decided_whatever_the_number_of_jobs(tmp_path: Path) -> None:
    rules, sprt, log = Rules.parse(LITTLE, 2), Sprt(0, 0.5), tmp_path / "log.jsonl"
    alone = duel("greedy", "random", rules, deals=500, sprt=sprt)
    assert alone.verdict is not None
    assert alone.verdict.accepted == 0.5
    assert not alone.stopped
    assert 3 < alone.verdict.deals == len(alone.deals) < 100
    assert alone.verdict == run(sprt, [deal.difference for deal in alone.deals]).verdict
    together = duel("greedy", "random", rules, deals=500, sprt=sprt, jobs=2, log=log)
    assert decided(together) == decided(alone)
    # The log may have deals that were in progress. Nothing more is played, and other means take what is there.
    before = log.read_bytes()
    again = duel("greedy", "random", rules, deals=500, sprt=sprt, log=log)
    assert (decided(again), log.read_bytes()) == (decided(alone), before)
    longer = duel("greedy", "random", rules, deals=500, sprt=Sprt(0, 0.3), log=log)
    assert decided(longer) == decided(duel("greedy", "random", rules, deals=500, sprt=Sprt(0, 0.3)))


def test_a_test_goes_on_from_the_log_where_it_was_stopped(tmp_path: Path) -> None:
    rules, sprt, log = Rules.parse(LITTLE, 2), Sprt(0, 0.5), tmp_path / "log.jsonl"
    stop = threading.Event()
    half = duel("greedy", "random", rules, deals=500, sprt=sprt, log=log, stop=stop, on_deal=lambda _: stop.set())
    assert half.stopped
    assert half.verdict is not None
    assert (half.verdict.accepted, half.verdict.deals) == (None, 1)
    whole = duel("greedy", "random", rules, deals=500, sprt=sprt, log=log)
    assert decided(whole) == decided(duel("greedy", "random", rules, deals=500, sprt=sprt))


def test_a_test_without_a_decision_says_so() -> None:
    found = duel("greedy", "random", Rules.parse(LITTLE, 2), deals=2, sprt=Sprt(0, 0.05))
    assert found.verdict is not None
    assert (found.verdict.accepted, found.stopped, found.verdict.deals) == (None, False, 2)

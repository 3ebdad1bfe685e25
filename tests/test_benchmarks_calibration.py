"""Calibration: its figures are those of made-up rounds that are known, and its log is gone on with."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from eights import Rules, parse_position
from eights.models import default_checksum
from msgspec import structs

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
sys.path.append(str(BENCHMARKS))

from calibration_figures import (  # noqa: E402
    Gap,
    Series,
    bins,
    calibration_error,
    clustered_error,
    line,
    margin_gap,
    point_gap,
    point_series,
    score,
    seeds_against_said,
    win_gap,
    win_series,
)
from calibration_rounds import (  # noqa: E402
    PER_ROUND,
    Branch,
    CalibrationError,
    Decision,
    Forecast,
    Header,
    Log,
    Outcome,
    Replay,
    Round,
    Setting,
    play,
)

SETTING = Setting(iterations=100, continuations=3, seed=5)
HEADER = Header.of(SETTING)


@pytest.fixture(scope="module")
def played() -> Round:
    """A round of three players that was played on from."""
    return play(SETTING, 3, 0, replayed=True)


# ---- figures


def series_of(rounds: int, each: int, slope: float, seed: int) -> Series:
    """Rounds with so many forecasts, all of which share what chance adds."""
    rng = np.random.default_rng(seed)
    expected = rng.random(rounds * each)
    numbers = np.repeat(np.arange(rounds), each)
    return Series(expected, 0.1 + slope * expected + rng.normal(0, 0.5, rounds)[numbers], numbers)


def test_forecasts_of_one_round_are_worth_one() -> None:
    values = np.random.default_rng(1).normal(0, 1, 50)
    one = clustered_error(values - values.mean(), np.arange(50))
    assert one == pytest.approx(values.std(ddof=1) / 50**0.5)
    seven = clustered_error(np.repeat(values - values.mean(), 7), np.repeat(np.arange(50), 7))
    assert seven == pytest.approx(one)
    assert clustered_error(np.zeros(3), np.zeros(3, np.int64)) == np.inf


def test_bins_hold_every_forecast_and_the_last_edge() -> None:
    series = Series(np.array([0.0, 0.1, 0.5, 1.0]), np.array([0.0, 1.0, 0.0, 1.0]), np.array([0, 1, 1, 2]))
    low, high = bins(series, (0.0, 0.5, 1.0))
    assert (low.count, low.rounds, low.expected, low.came) == (2, 2, 0.05, 0.5)
    assert (high.count, high.rounds, high.expected, high.came) == (2, 2, 0.75, 0.5)
    assert calibration_error([low, high])[0] == pytest.approx((0.45 + 0.25) / 2)
    assert len(bins(series, (0.0, 0.2, 0.4, 1.0))) == 2, "an empty bin is none"


def test_chance_alone_makes_the_calibration_error_that_is_told() -> None:
    rng = np.random.default_rng(4)
    chances = rng.random(4000)
    fair = Series(chances, (rng.random(4000) < chances).astype(float), np.arange(4000))
    edges = tuple(np.linspace(0, 1, 21))
    gap, noise = calibration_error(bins(fair, edges))
    assert gap == pytest.approx(noise, rel=0.5)
    off = Series(np.sqrt(fair.expected), fair.came, fair.round)
    assert calibration_error(bins(off, edges))[0] > 5 * noise


def test_brier_scores() -> None:
    came = np.array([1.0, 0.0, 0.0, 0.0])
    perfect = score(Series(came, came, np.arange(4)))
    assert (perfect.brier, perfect.base, perfect.gain) == (0.0, 0.1875, 0.1875)
    base = score(Series(np.full(4, 0.25), came, np.arange(4)))
    assert (base.gain, base.gain_error) == (0.0, 0.0)


def test_a_line_and_its_errors_are_those_of_many_samples() -> None:
    found = [line(series_of(100, 6, 0.8, seed)) for seed in range(300)]
    for what, is_so in (("slope", 0.8), ("intercept", 0.1)):
        values = np.array([getattr(one, what) for one in found])
        errors = np.array([getattr(one, f"{what}_error") for one in found])
        assert abs(values.mean() - is_so) < 4 * values.std() / 300**0.5
        assert errors.mean() == pytest.approx(values.std(), rel=0.15)


@pytest.mark.parametrize("tau", [0.0, 0.2])
def test_what_forecasts_are_wrong_by_is_found(tau: float) -> None:
    rng = np.random.default_rng(7)
    number, continuations = 4000, 24
    search = rng.uniform(0.001, 0.004, number)
    truth = rng.uniform(0.5, 2, number)
    said = truth + rng.normal(0, tau, number) + rng.normal(0, np.sqrt(search))
    came = truth[:, None] + rng.normal(0, 0.8, (number, continuations))
    gap = Gap(said - came.mean(axis=1), came.var(axis=1, ddof=1) / continuations, search)
    assert abs(gap.variance - tau**2) < 3 * gap.variance_error < 0.01
    assert abs(gap.bias) < 3 * gap.bias_error
    assert gap.bounds[0] <= gap.tau <= gap.bounds[1]
    assert gap.within(1) == pytest.approx(0.683, abs=0.03)
    assert gap.within(2) == pytest.approx(0.954, abs=0.02)


def test_a_replay_is_read_for_its_mover() -> None:
    def forecast(points: float, win: float, error: float) -> Forecast:
        return Forecast(action=0, visits=9, points=(3 - points, points), sampling_se=error, win=(1 - win, win))

    lost, won = Outcome((3.0, 0.0), 0), Outcome((0.0, 3.0), 1)
    replay = Replay(
        position="",
        mover=1,
        best=Branch(forecast(2.0, 0.7, 0.3), (won, won, lost)),
        second=Branch(forecast(1.5, 0.5, 0.4), (won, lost, lost)),
        again=forecast(2.5, 0.9, 0.4),
    )
    several = [replay, replay]
    points, win, margin = point_gap(several), win_gap(several), margin_gap(several)
    assert points.off == pytest.approx([0.0, 0.0])
    assert points.outcome == pytest.approx([1.0, 1.0])  # a variance of 3, of three outcomes
    assert points.search == pytest.approx([0.09, 0.09])
    assert win.off == pytest.approx([0.7 - 2 / 3] * 2)
    assert win.search == pytest.approx([0.02] * 2)
    assert margin.off == pytest.approx([0.5 - 1.0] * 2)
    assert margin.outcome == pytest.approx([1.0] * 2)
    assert margin.search == pytest.approx([0.25] * 2)
    assert seeds_against_said(several) == pytest.approx(1.0)


def test_series_have_every_seat_of_every_decision() -> None:
    best = Forecast(action=0, visits=9, points=(1.0, 2.0), sampling_se=0.1, win=(0.3, 0.6))
    one = Round(2, 0, (Decision(0, 3, best), Decision(1, 8, best)), Outcome((1.0, 2.0), 1), None)
    other = Round(2, 1, (Decision(0, 3, best),), Outcome((1.0, 0.0), None), None)
    wins, points = win_series([one, other]), point_series([one, other])
    assert wins.expected.tolist() == [0.3, 0.6] * 3
    assert wins.came.tolist() == [0, 1, 0, 1, 0, 0]
    assert points.expected.tolist() == [1.0, 2.0] * 3
    assert points.came.tolist() == [1, 2, 1, 2, 1, 0]
    assert wins.round.tolist() == points.round.tolist() == [0, 0, 0, 0, 1, 1]


def test_hands_are_open_where_the_mover_knows_all() -> None:
    forecast = Forecast(action=0, visits=9, points=(1.0, 2.0), sampling_se=0.1, win=(0.3, 0.6))
    branch = Branch(forecast, ())
    hidden = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
    known = "standard 0 G,7,7 0:001122334556779HHGGG:3:3:001124444455567888899999HHHHHGG*/0:-:35:3:002366678* 211"
    assert not Replay(hidden, 1, branch, branch, forecast).hands_open
    assert Replay(known, 0, branch, branch, forecast).hands_open


# ---- rounds


def test_a_round_depends_on_its_arguments_alone(played: Round) -> None:
    alone = play(SETTING, 3, 0, replayed=False)
    assert (alone.decisions, alone.outcome, alone.replay) == (played.decisions, played.outcome, None)
    assert play(SETTING, 3, 0, replayed=True) == played
    assert play(SETTING, 3, 1, replayed=False).decisions != played.decisions
    assert play(replace(SETTING, seed=6), 3, 0, replayed=False).decisions != played.decisions


def test_what_is_kept_of_a_round(played: Round) -> None:
    assert len({decision.plies for decision in played.decisions}) == len(played.decisions) == PER_ROUND
    for decision in played.decisions:
        assert all(0 <= chance <= 1 for chance in decision.best.win)
        assert len(decision.best.points) == 3
    replay, first = played.replay, played.decisions[0]
    assert replay is not None
    position = parse_position(replay.position)
    assert (position.mover, position.plies, replay.mover) == (first.mover, first.plies, first.mover)
    assert replay.players == 3
    assert replay.best.forecast == first.best
    assert replay.best.forecast.action != replay.second.forecast.action
    assert {replay.best.forecast.action, replay.second.forecast.action} <= set(position.legal_actions())
    assert replay.again.action == replay.best.forecast.action
    assert replay.again != replay.best.forecast
    for branch in (replay.best, replay.second):
        assert len(branch.outcomes) == SETTING.continuations
        assert all(2 <= sum(end.points) <= 5 for end in branch.outcomes if end.winner is not None)


# ---- the log


def test_a_log_is_gone_on_with(tmp_path: Path, played: Round) -> None:
    path = tmp_path / "log"
    log = Log(path, HEADER)
    short = play(SETTING, 3, 0, replayed=False)
    log.add(short)
    log.close()
    with path.open("ab") as file:
        file.write(b'{"players":3,"num')  # killed while it wrote
    log = Log(path, HEADER)
    assert log.rounds == {(3, 0): short}
    log.add(played)
    log.close()
    assert Log(path, HEADER).rounds == {(3, 0): played}
    assert path.read_bytes().count(b"\n") == 3


def test_the_log_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log"
    Log(path, HEADER).close()
    for header in (Header.of(replace(SETTING, iterations=200)), structs.replace(HEADER, engine=HEADER.engine[:2])):
        with pytest.raises(CalibrationError, match="other settings or another engine"):
            Log(path, header)
    for content in (b"something", b"something\n", b'{"type":"duel"}\n', path.read_bytes() + b"{}\n", b"\xff\n"):
        path.write_bytes(content)
        with pytest.raises(CalibrationError, match="is not the log of a calibration"):
            Log(path, HEADER)
        assert path.read_bytes() == content


# ---- the script


@pytest.mark.slow
def test_the_script_writes_its_page_and_does_not_play_twice(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the plot wants the extra eights[arena]")
    log, page = tmp_path / "log.jsonl", tmp_path / "calibration.md"
    numbers = ("--rounds", "3", "--replayed", "2", "--continuations", "2", "--iterations", "100", "--jobs", "2")
    script = str(BENCHMARKS / "calibration.py")
    command = [sys.executable, script, *numbers, "--log", str(log), "--docs", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("12 rounds are to be played, of 12: about ")
    text = page.read_text("utf-8")
    assert text in done.stdout
    assert "60\npositions of 12 rounds" in text
    for players in (2, 3, 4, 6):
        assert f"`{default_checksum(Rules.standard(players=players))}` for {players} players" in text
    assert (tmp_path / "calibration.svg").read_text("utf-8").count("</svg>") == 1
    again = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert again.stdout.startswith("0 rounds are to be played, of 12")
    assert page.read_text("utf-8") == text
    command += ["--seed", "2"]
    refused = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert refused.returncode == 1
    assert refused.stderr == f"{log} has rounds of other settings or another engine: name another file.\n"

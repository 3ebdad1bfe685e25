"""How strong the engine is: matches against frozen players, and its speed.

    python benchmarks/duels.py [--row NAME ...] [--jobs N] [--log DIR] [--quick]

Every row prints its figure with the standard error, the bound of the 95 % interval that has to hold, and what was to be
reached. A difference is the engine's points minus the mean of the others', a round of the preset standard; each deal is
played with the engine in every seat. All rows take about 75 minutes on one core and 40 on two (`--jobs 2`); what is
to come is said beforehand. With --log the deals are kept in a folder, and played once only, however often the program
is ended; --quick plays a tenth of them. Limits of time want a quiet machine with a core for each job.
"""

import argparse
import math
import statistics
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import speed
from costs import in_words, seconds_per_deal
from eights import Position, Rules, analyse
from eights.arena import ArenaError, duel
from eights.pairing import BOUND, Result
from eights.specs import PlayerSpec
from eights_cli.interrupt import INTERRUPTED, ctrl_c

QUICK = 10
LOOP_PLIES = 2_000
THREAD_POSITIONS = 100


@dataclass(frozen=True)
class Options:
    """How rows are measured."""

    jobs: int
    log: Path | None
    quick: bool
    stop: threading.Event

    def deals(self, number: int) -> int:
        return max(2, number // QUICK) if self.quick else number

    def play(self, name: str, challenger: str, field: str, rules: Rules, deals: int) -> Result:
        """The deals of a duel, with the count of them on a terminal; a core for every thread of the players."""
        most_threads = max(PlayerSpec.parse(side).threads or 1 for side in (challenger, field))

        def on_deal(so_far: Result) -> None:
            print(f"\r{name}: {len(so_far.deals)} of {self.deals(deals)} deals", end="", file=sys.stderr, flush=True)

        found = duel(
            challenger,
            field,
            rules,
            deals=self.deals(deals),
            jobs=max(1, self.jobs // most_threads),
            log=None if self.log is None else self.log / f"{name}.jsonl",
            on_deal=on_deal if sys.stderr.isatty() else None,
            stop=self.stop,
        )
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        return found


@dataclass(frozen=True)
class Figure:
    """What a row has come to: more is better, or `less` is. `reach` has to hold for the bound, `aim` is wished for."""

    value: float
    error: float
    reach: float
    aim: float | None
    form: str
    less: bool = False
    notes: tuple[str, ...] = ()

    @property
    def bound(self) -> float:
        return self.value + (BOUND if self.less else -BOUND) * self.error

    @property
    def verdict(self) -> str:
        sign = -1 if self.less else 1
        if not sign * self.bound > sign * self.reach:
            return "short"
        return "aim" if self.aim is not None and sign * self.value >= sign * self.aim else "reach"

    def cells(self) -> list[str]:
        """Figure, error, bound, reach, aim and verdict, as texts."""
        error = "" if not self.error else f"± {self.form.replace('+', '').format(self.error)}"
        than = "<" if self.less else ">"
        aim = "–" if self.aim is None else self.form.format(self.aim)
        bound = f"{than} {self.form.format(self.bound)}" if self.error else ""
        return [self.form.format(self.value), error, bound, f"{than} {self.form.format(self.reach)}", aim, self.verdict]


@dataclass(frozen=True)
class Row:
    """A row of the table; `seconds` is what it takes with so many jobs, about."""

    name: str
    title: str
    measure: Callable[[Options], Figure]
    seconds: Callable[[Options], float]


def against(
    name: str, players: int, challenger: str, field: str, deals: int, *, reach: float, aim: float | None = None
) -> Row:
    """A row that is the difference of a duel."""

    def measure(options: Options) -> Figure:
        found = options.play(name, challenger, field, Rules.standard(players=players), deals)
        return Figure(found.difference, found.difference_se, reach, aim, "{:+.2f}", notes=notes_of(found))

    def seconds(options: Options) -> float:
        one = seconds_per_deal(PlayerSpec.parse(challenger), PlayerSpec.parse(field), players)
        return options.deals(deals) * one / options.jobs

    return Row(name, f"{players} players: {challenger} against {field}", measure, seconds)


def notes_of(found: Result) -> tuple[str, ...]:
    sides = ((found.pairing.challenger, found.challenger), (found.pairing.field, found.field))
    times = ", ".join(f"{spec} {1000 * side.seconds_per_decision:.2f} ms" for spec, side in sides)
    return (
        f"{len(found.deals)} deals{', stopped early' if found.stopped else ''}; a decision took {times}; "
        f"{100 * found.challenger.win_rate:.0f} % won against {100 * found.field.win_rate:.0f} %; "
        f"{found.plies:.0f} plies a round, {100 * found.unfinished:.1f} % without a winner",
    )


def loops(name: str, limit: str, deals: int, *, aim: float) -> Row:
    """The share of two-player rounds of the engine against itself that nobody wins, and half of the plain search's."""
    rules = Rules.standard(players=2, max_plies=LOOP_PLIES)
    specs = {kind: f"{kind}:{limit}" for kind in ("plain", "engine")}

    def measure(options: Options) -> Figure:
        plain, engine = (options.play(f"{name}-{kind}", spec, spec, rules, deals) for kind, spec in specs.items())
        least = 3 / max(1, engine.rounds)  # the 95 % bound of a share of which nothing was seen
        error = 100 * max(math.hypot(engine.unfinished_se, plain.unfinished_se / 2), least / BOUND)
        notes = (*notes_of(plain), *notes_of(engine))
        return Figure(100 * engine.unfinished, error, 50 * plain.unfinished, aim, "{:.1f} %", less=True, notes=notes)

    def seconds(options: Options) -> float:
        sides = map(PlayerSpec.parse, specs.values())
        return options.deals(deals) * sum(seconds_per_deal(side, side, 2) for side in sides) / options.jobs

    return Row(name, f"2 players: {specs['engine']} against itself, rounds of {LOOP_PLIES:,} plies", measure, seconds)


def rate(name: str, players: int, *, reach: float, aim: float) -> Row:
    """Thousands of iterations a second at the first free decision."""

    def measure(options: Options) -> Figure:
        return Figure(speed.searches(players)[0] / 1000, 0.0, reach, aim, "{:.0f} k/s")

    return Row(name, f"{players} players: iterations at the first free decision", measure, lambda options: 10)


def two_threads(name: str, *, reach: float, aim: float) -> Row:
    """How many times the iterations a second of one thread two threads do."""

    def iterations_per_s(position: Position, threads: int) -> float:
        analysis = analyse(position, time=0.1, threads=threads)
        return analysis.iterations / analysis.time

    def measure(options: Options) -> Figure:
        ratios = []
        for seed in range(options.deals(THREAD_POSITIONS)):
            if options.stop.is_set():
                break
            position = speed.first_free_decision(Rules.standard(players=2 + seed % 3), seed)
            order = (1, 2) if seed % 2 else (2, 1)
            rates = {threads: iterations_per_s(position, threads) for threads in order}
            ratios.append(rates[2] / rates[1])
        return Figure(statistics.mean(ratios), statistics.stdev(ratios) / len(ratios) ** 0.5, reach, aim, "{:.2f}")

    def seconds(options: Options) -> float:
        return 0.25 * options.deals(THREAD_POSITIONS)

    return Row(name, "iterations a second with two threads to those with one", measure, seconds)


ROWS = (
    against("2p-2ms", 2, "engine:time=2ms", "plain:time=2ms", 200, reach=0.7, aim=1.2),
    against("2p-1000", 2, "engine:iterations=1000", "plain:iterations=1000", 200, reach=0.6, aim=1.0),
    against("2p-10ms", 2, "engine:time=10ms", "plain:time=10ms", 120, reach=0.3, aim=0.8),
    against("2p-1ms-10ms", 2, "engine:time=1ms", "plain:time=10ms", 120, reach=0.0, aim=0.5),
    against("4p-1ms", 4, "engine:time=1ms", "plain:time=1ms", 600, reach=0.05, aim=0.25),
    against("2p-greedy", 2, "engine:time=5ms", "greedy", 150, reach=1.5),
    against("4p-greedy", 4, "engine:time=5ms", "greedy", 1000, reach=0.2),
    against("3p-2ms", 3, "engine:time=2ms", "plain:time=2ms", 200, reach=0.0),
    against("6p-2ms", 6, "engine:time=2ms", "plain:time=2ms", 400, reach=0.0),
    loops("loops", "time=2ms", 300, aim=1.0),
    rate("speed-2p", 2, reach=400, aim=700),
    rate("speed-4p", 4, reach=450, aim=800),
    two_threads("threads-speed", reach=1.8, aim=1.95),
    against("threads-play", 2, "engine:time=5ms,threads=2", "engine:time=5ms", 150, reach=0.0),
)
"""Deals are about as many as leave the 95 % bound above the reach, by first figures of this engine."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--row", action="append", choices=[row.name for row in ROWS], help="this row; repeatable")
    parser.add_argument("--jobs", type=int, default=1, help="deals at the same time (default 1)")
    parser.add_argument("--log", type=Path, metavar="DIR", help="keep the deals in this folder, and go on from there")
    parser.add_argument("--quick", action="store_true", help="a tenth of the deals")
    given = parser.parse_args(arguments)
    if given.log is not None:
        given.log.mkdir(parents=True, exist_ok=True)
    with ctrl_c() as stop:
        options = Options(given.jobs, given.log, given.quick, stop)
        rows = [row for row in ROWS if not given.row or row.name in given.row]
        announce(rows, options)
        short = 0
        print(f"{'row':14} {'figure':>9} {'':9} {'95 %':>9}  {'reach':>9} {'aim':>8}  verdict")
        for row in rows:
            short += show(row, options) == "short"
            if stop.is_set():
                return INTERRUPTED
    print(f"\n{len(rows) - short} of {len(rows)} rows hold what was to be reached.")
    return 1 if short else 0


def announce(rows: Sequence[Row], options: Options) -> None:
    """Say how long it will take."""
    expected = [row.seconds(options) for row in rows]
    for row, seconds in zip(rows, expected, strict=True):
        print(f"{row.name:14} {row.title:70} about {in_words(seconds)}")
    print(f"In all about {in_words(sum(expected))}, less what the logs have already.\n", flush=True)


def show(row: Row, options: Options) -> str:
    """Measure a row and print it; its verdict."""
    start = time.perf_counter()
    figure = row.measure(options)
    value, error, bound, reach, aim, verdict = figure.cells()
    print(f"{row.name:14} {value:>9} {error:9} {bound:>9}  {reach:>9} {aim:>8}  {verdict}")
    for note in (*figure.notes, in_words(time.perf_counter() - start)):
        print(f"    {note}")
    sys.stdout.flush()
    return verdict


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ArenaError, ValueError) as error:
        sys.exit(str(error))

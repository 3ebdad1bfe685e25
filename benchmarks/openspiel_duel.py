"""Our engine measured against OpenSpiel's algorithms, in OpenSpiel.

    python benchmarks/openspiel_duel.py [--table NAME ...] [--jobs 2] [--log DIR] [--quick] [--agent FILE]

Five tables: `duels` against its ISMCTSBot, `yardsticks` from random play to an MCTSBot that sees all hands,
`exploitability` on decks of six and seven cards, `learned` against its PPO, and `speed`. A difference is the points of
the one minus the mean of the others', a round of the preset standard, with the standard error over deals; each deal is
played with the one in every seat.

With --quick all takes less than five minutes on two cores; in full about three hours, most of it the thinking of
OpenSpiel's bots. With --log the deals are kept in a folder and played once only, however often the program is ended by
Ctrl-C. `learned` wants `pip install '.[learn]'`, and trains for some minutes unless --agent names what
openspiel_learner.py has saved. Limits of time want a quiet machine with a core for each job.
"""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import openspiel_exploitability as exploitability
import openspiel_speed
from costs import in_words
from eights.processes import Workers
from eights.specs import parse_duration
from eights_cli.interrupt import INTERRUPTED, ctrl_c
from openspiel_deals import LogError, Match, Outcome, play

FREE_DECISIONS = {2: 32, 4: 12}
"""Of each seat in a round; seen in some deals."""
MCTS_PER_S = 1000
QUICK_SECONDS = 12.0  # for a match, after which no deal begins
EXPLOITABILITY_SECONDS = {False: 2400.0, True: 30.0}  # by --quick; likewise
SPEED_SECONDS = {False: 60.0, True: 20.0}
MINUTES = {False: 10.0, True: 0.25}
RATIO = 500
"""How many times as fast as ISMCTSBot our search has to be."""


@dataclass(frozen=True)
class Row:
    """A match, how many deals it wants in full and with --quick, and what its lower 95 % bound has to be above."""

    match: Match
    deals: int
    quick: int
    reach: float | None = None

    @property
    def name(self) -> str:
        match = self.match
        name = f"{match.players}p {match.challenger} {match.field}"
        return name.replace(":", "-").replace(" ", "_").replace("/", "-")

    def seconds(self) -> float:
        """What a deal takes a process, about."""
        players = self.match.players
        thought = _thought(self.match.challenger) + (players - 1) * _thought(self.match.field)
        return players * (FREE_DECISIONS[players] * thought + 0.5)


def _thought(name: str) -> float:
    """Seconds that a player takes for a free decision, about."""
    kind, _, setting = name.partition(":")
    limit, _, value = setting.partition("=")
    if limit == "time":
        return parse_duration(value)
    return int(value) / MCTS_PER_S if kind == "mcts" else 0.0


DUELS = (
    Row(Match("engine:time=2ms", "ismcts:time=200ms", 2), 150, 4, reach=1.0),
    Row(Match("engine:time=2ms", "ismcts:time=200ms", 4), 150, 4, reach=0.15),
    Row(Match("engine:time=50ms", "ismcts:time=50ms", 2), 150, 4),
    Row(Match("engine:time=50ms", "ismcts:time=50ms", 4), 150, 4),
)
YARDSTICKS = tuple(
    Row(Match(challenger, field, players), deals, quick)
    for challenger, field, sizes, deals, quick in (
        ("engine:time=2ms", "random", (2, 4), 300, 20),
        ("engine:time=2ms", "greedy", (2, 4), 300, 20),
        ("engine:time=2ms", "mcts:simulations=200", (2, 4), 150, 4),
        ("ismcts:time=200ms", "random", (2,), 60, 2),
        ("ismcts:time=200ms", "greedy", (2,), 60, 2),
    )
    for players in sizes
)
"""The last two show what ISMCTSBot, the opponent of the duels, is worth itself."""


@dataclass(frozen=True)
class Options:
    """How tables are measured."""

    quick: bool
    log: Path | None
    agent: Path | None
    minutes: float
    most_deals: int
    workers: Workers
    stop: threading.Event

    def deals(self, row: Row) -> int:
        return min(row.quick if self.quick else row.deals, self.most_deals)

    def play(self, row: Row) -> Outcome:
        """The match of a row, as far as it is asked for."""
        log = None if self.log is None else self.log / f"{row.name}.jsonl"
        most = QUICK_SECONDS if self.quick else float("inf")
        return play(row.match, self.deals(row), self.workers, log, self.stop, most)


@dataclass(frozen=True)
class Table:
    """A table of the report: what it shows, how it is made, and what it takes, about."""

    name: str
    title: str
    show: Callable[[Options], Iterator[str]]
    seconds: Callable[[Options], float]


def matches(rows: Sequence[Row], options: Options) -> Iterator[str]:
    """The lines of a table of matches."""
    names = f"{'players':7} {'one':18} {'others':22} {'difference':>14} {'95 % above':>10} {'reach':>7} {'deals':>6}"
    yield f"{names}  ms a decision"
    for row in rows:
        if options.stop.is_set():
            return
        found = options.play(row)
        if not found.deals:
            continue
        match = row.match
        reach = "" if row.reach is None else f"> {row.reach:.2f}"
        holds = "" if row.reach is None else ", holds" if found.lower > row.reach else ", not shown"
        yield (
            f"{match.players:7} {match.challenger:18} {match.field:22} {found.difference:+7.2f} ± {found.error:.2f} "
            f"{found.lower:+10.2f} {reach:>7} {len(found.deals):6}  "
            f"{found.milliseconds('challenger'):.1f} and {found.milliseconds('field'):.1f}{holds}"
        )


def matches_seconds(rows: Sequence[Row]) -> Callable[[Options], float]:
    def seconds(options: Options) -> float:
        each = [options.deals(row) * row.seconds() / options.workers.jobs for row in rows]
        return sum(
            min(QUICK_SECONDS + row.seconds(), one) if options.quick else one
            for row, one in zip(rows, each, strict=True)
        )

    return seconds


def exploited(options: Options) -> Iterator[str]:
    """The lines of `exploitability`."""
    yield "NashConv: what both players gain by best responses; with utilities of half the difference in points."
    end = time.perf_counter() + EXPLOITABILITY_SECONDS[options.quick]
    for name, budgets in (exploitability.QUICK if options.quick else exploitability.FULL).items():
        tree = exploitability.grow(exploitability.DECKS[name])
        yield (
            f"{name}: {tree.histories:,} histories, {tree.information_states:,} information states, "
            f"{len(tree.free):,} with a choice"
        )
        if not tree.free:
            yield "    nobody ever has a choice: the NashConv of every policy is 0"
        for one in exploitability.measure(tree, budgets, options.stop, end):
            error = "" if one.error is None else f"± {one.error:.4f}"
            yield f"    {one.name:42} {one.nash_conv:8.4f}  {error:9} {one.seconds:7.1f} s"
            if options.stop.is_set():
                return


def learned(options: Options) -> Iterator[str]:
    """The lines of `learned`."""
    if find_spec("torch") is None:
        yield "PPO wants PyTorch, which is not installed: pip install '.[learn]'."
        return
    import openspiel_learner  # wants the extra

    with tempfile.TemporaryDirectory() as folder:
        agent = options.agent
        if agent is None:
            agent = Path(folder, "ppo.pt")
            learner = openspiel_learner.train(2, options.minutes, stop=options.stop)
            openspiel_learner.save(learner, agent, 2)
            options = replace(options, log=None)  # nobody can go on with an agent that is gone
            yield f"PPO has learned for {options.minutes:g} minutes, {learner.total_steps_done:,} decisions."
        rows = [
            Row(Match(f"ppo:{agent}", field, 2), deals, quick)
            for field, deals, quick in (("random", 300, 20), ("greedy", 300, 20), ("engine:time=2ms", 150, 6))
        ]
        for line in matches(rows, options):
            yield line.replace(f"ppo:{agent}".ljust(18), "ppo".ljust(18))


def fast(options: Options) -> Iterator[str]:
    """The lines of `speed`."""
    seconds = SPEED_SECONDS[options.quick] / (len(openspiel_speed.GAMES) + 2)
    for name in openspiel_speed.GAMES:
        rate, error, moves = openspiel_speed.random_rounds(name, seconds)
        yield f"{name:32} {rate:8,.0f} ± {error:3.0f} random rounds/s in a Python loop, {moves:.0f} moves a round"
    for players in openspiel_speed.PLAYERS:
        theirs, their_error = openspiel_speed.ismcts_rate(players, 25 if options.quick else 100)
        ours, our_error = openspiel_speed.engine_rate(players)
        ratio = ours / theirs
        error = ratio * ((our_error / ours) ** 2 + (their_error / theirs) ** 2) ** 0.5
        yield f"{players} players: engine {ours:10,.0f} ± {our_error:,.0f} iterations/s at first free decisions"
        yield f"{'':11}ISMCTSBot {theirs:7,.0f} ± {their_error:,.0f} simulations/s"
        holds = "holds" if ratio > RATIO else "not reached"
        yield f"{'':11}ratio {ratio:11,.0f} ± {error:,.0f}, to be at least {RATIO}: {holds}"


TABLES = (
    Table("duels", "against ISMCTSBot", lambda options: matches(DUELS, options), matches_seconds(DUELS)),
    Table(
        "yardsticks",
        "from random play to all hands seen",
        lambda options: matches(YARDSTICKS, options),
        matches_seconds(YARDSTICKS),
    ),
    Table("exploitability", "on small decks", exploited, lambda options: EXPLOITABILITY_SECONDS[options.quick]),
    Table(
        "learned",
        "PPO after some minutes",
        learned,
        lambda options: 0 if find_spec("torch") is None else 60 * options.minutes * (options.agent is None) + 60,
    ),
    Table("speed", "random rounds, and searches", fast, lambda options: SPEED_SECONDS[options.quick]),
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--table", action="append", choices=[table.name for table in TABLES], help="this table; repeatable"
    )
    parser.add_argument("--jobs", type=int, default=2, help="deals at the same time (default 2)")
    parser.add_argument("--deals", type=int, default=1 << 31, help="at most so many of each match; a log can have more")
    parser.add_argument("--log", type=Path, metavar="DIR", help="keep the deals in this folder, and go on from there")
    parser.add_argument("--agent", type=Path, metavar="FILE", help="a saved agent, for `learned`")
    parser.add_argument("--minutes", type=float, help="how long `learned` trains (default 10, or 0.25)")
    parser.add_argument("--quick", action="store_true", help="few deals and small budgets")
    given = parser.parse_args(arguments)
    if given.log is not None:
        given.log.mkdir(parents=True, exist_ok=True)
    minutes = MINUTES[given.quick] if given.minutes is None else given.minutes
    tables = [table for table in TABLES if not given.table or table.name in given.table]
    with ctrl_c() as stop, Workers(given.jobs) as workers:
        options = Options(given.quick, given.log, given.agent, minutes, given.deals, workers, stop)
        expected = [table.seconds(options) for table in tables]
        for table, seconds in zip(tables, expected, strict=True):
            print(f"{table.name:15} {table.title:35} about {in_words(seconds)}")
        print(f"In all about {in_words(sum(expected))}, less what the logs have already.", flush=True)
        for table in tables:
            print(f"\n{table.name}: {table.title}", flush=True)
            start = time.perf_counter()
            for line in table.show(options):
                print(f"\r\033[K{line}" if sys.stdout.isatty() else line, flush=True)
            print(f"({in_words(time.perf_counter() - start)})", flush=True)
            if stop.is_set():
                return INTERRUPTED
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenProcessPool:
        sys.exit("A process has died, perhaps for want of memory. The logs have the deals that were over: start again.")
    except (LogError, ValueError, OSError) as error:
        sys.exit(str(error))

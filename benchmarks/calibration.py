"""Whether the engine's win chances, points and errors mean what they say: against the outcomes of its own rounds.

    pip install '.[arena]'
    python benchmarks/calibration.py [--jobs 2] [--quick] [--log build/calibration.jsonl] [--docs docs]

The engine plays rounds with 2, 3, 4 and 6 players against itself. What its analyses expect in over 5,000 positions is
held against how the rounds end; and from some positions rounds are played on many times, which tells how wrong an
analysis is beyond its sampling error. Writes docs/calibration.md and docs/calibration.svg, and prints the page. That
takes about 8 minutes on two quiet cores, 1 minute with --quick. The log keeps the rounds: started again, the program
goes on from there, unless the engine has changed meanwhile.
"""

import argparse
import sys
import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import islice
from pathlib import Path

from calibration_page import FEWEST, write
from calibration_rounds import PLAYERS, CalibrationError, Header, Log, Round, Setting, play
from costs import in_words, seconds_per_deal
from eights.processes import Workers
from eights.specs import PlayerSpec
from eights_cli.interrupt import INTERRUPTED, ctrl_c

QUICK = 10
FEWEST_ITERATIONS = 100
REST = 0.5  # of a round, from a decision in it on: they are chosen at random
Task = tuple[int, int, bool]
"""A round: with how many players, its number, and whether it is played on from one of its decisions."""


def tasks(rounds: int, replayed: int) -> list[Task]:
    """All rounds, those first that are played on: they are long."""
    return [(players, number, number < replayed) for number in range(max(rounds, replayed)) for players in PLAYERS]


def missing(task: Task, log: Log) -> bool:
    """Whether a log has not all that a task asks for."""
    players, number, replayed = task
    played = log.rounds.get((players, number))
    return played is None or (replayed and played.replay is None)


def seconds(task: Task, setting: Setting) -> float:
    """What a task takes one process, about."""
    players, _, replayed = task
    engine = PlayerSpec("engine", iterations=setting.iterations)
    rounds = 1 + replayed * 2 * setting.continuations * REST
    return rounds * seconds_per_deal(engine, engine, players) / players


def play_all(
    setting: Setting, waiting: Sequence[Task], jobs: int, stop: threading.Event
) -> Generator[Round, None, None]:
    """Play rounds as long as `stop` is not set, and give each when it is over."""
    with Workers(jobs) as workers:
        # A round for each process and no more: what waits in the pool itself cannot be stopped.
        left = iter(waiting)
        running = {workers.submit(play, setting, *task) for task in islice(left, jobs)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            if not stop.is_set():
                running |= {workers.submit(play, setting, *task) for task in islice(left, len(done))}
            for future in done:
                yield future.result()


def show(done: float, whole: float, start: float) -> None:
    """How far it is, on a terminal."""
    if sys.stderr.isatty():
        passed = time.perf_counter() - start
        left = f", about {in_words(passed * (whole / done - 1))} to go"
        print(f"\r\033[K{100 * done / whole:.0f} % after {in_words(passed)}{left}", end="", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=260, help="of every number of players (default 260)")
    parser.add_argument("--replayed", type=int, default=48, help="of these, from which to play on (default 48)")
    parser.add_argument("--continuations", type=int, default=16, help="how often, after each move (default 16)")
    parser.add_argument("--iterations", type=int, default=1000, help="of every search (default 1,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="rounds at the same time (default 2)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    parser.add_argument("--log", type=Path, default=Path("build/calibration.jsonl"), metavar="FILE", help="the rounds")
    parser.add_argument("--docs", type=Path, default=Path("docs"), metavar="DIR", help="folder of the page")
    given = parser.parse_args(arguments)
    if given.replayed < FEWEST or given.continuations < 2:
        parser.error(f"--replayed is at least {FEWEST} and --continuations at least 2: errors are told from them.")
    if given.iterations < FEWEST_ITERATIONS:
        parser.error(f"--iterations is at least {FEWEST_ITERATIONS}: every move has to be tried.")
    setting = Setting(given.iterations, given.continuations, given.seed)
    header = Header.of(setting)
    part = QUICK if given.quick else 1
    asked = tasks(given.rounds // part, max(FEWEST, given.replayed // part))
    given.log.parent.mkdir(parents=True, exist_ok=True)
    with closing(Log(given.log, header)) as log, ctrl_c() as stop:
        waiting = [task for task in asked if missing(task, log)]
        cost = {task[:2]: seconds(task, setting) for task in waiting}
        whole = sum(cost.values())
        print(
            f"{len(waiting)} rounds are to be played, of {len(asked)}: about {in_words(whole / given.jobs)}.",
            flush=True,
        )
        start, done = time.perf_counter(), 0.0
        try:
            with closing(play_all(setting, waiting, given.jobs, stop)) as rounds_played:
                for played in rounds_played:
                    log.add(played)
                    done += cost[played.key]
                    show(done, whole, start)
        except KeyboardInterrupt:
            stop.set()
        if sys.stderr.isatty():
            print(file=sys.stderr)
        print(f"Played for {in_words(time.perf_counter() - start)}.\n")
        rounds = [log.rounds[task[:2]] for task in asked if task[:2] in log.rounds]
    if any(missing(task, log) for task in tasks(0, FEWEST)):
        print("There are too few rounds for a page; the log has them, and the program can go on from there.")
    else:
        print(write(given.docs, header, rounds))
    return INTERRUPTED if stop.is_set() else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenProcessPool:
        sys.exit("A process has died, perhaps for want of memory. The log has the rounds that were over: start again.")
    except (CalibrationError, ValueError, OSError) as error:
        sys.exit(str(error))

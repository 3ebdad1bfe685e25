"""The strength table: all kinds of players against each other, and strength against thinking time.

    pip install '.[arena]'
    python benchmarks/strength.py [--minutes 40] [--jobs 2] [--log build/strength] [--docs docs]

Plays for at most so many minutes and writes docs/strength.md and docs/strength.svg. Every cell of the table is a match
on the same deals, which the folder of logs keeps: started again, the program goes on, and plays more if there is time.
Ctrl-C ends it early; with `--minutes 0` the page is only written. Limits of time want a quiet machine with a core for
each job.
"""

import argparse
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from costs import in_words, seconds_per_deal
from eights import Rules
from eights.arena import Arena, ArenaError
from eights.pairing import Result
from eights.specs import PlayerSpec
from eights_cli.interrupt import INTERRUPTED, ctrl_c
from strength_page import Curve, Table, write

ZOO = (
    "random",
    "greedy",
    *(f"{kind}:time={milliseconds}ms" for kind in ("plain", "engine") for milliseconds in (1, 3, 10)),
)
PLAYERS = (2, 3, 4, 6)
CURVE_KINDS = ("plain", "engine")
CURVE_MILLISECONDS = (1, 3, 10, 30)
CURVE_FIELD = "plain:iterations=1000"

SHARE = {2: 1.0, 1: 0.3, 0: 0.05}
"""Of the time, for a cell in which so many sides search: the others are clear after a few deals."""
CURVE_SHARE = 3.0
MARGIN = 0.85  # of the time is planned: cells do not end at the same time in all jobs
FIRST_PASS = 0.3  # of the deals of all cells come before the rest of any
FEWEST, MOST = 4, 200  # deals of a cell


@dataclass(frozen=True)
class Cell:
    """A match: which, and how much of the time it may take."""

    challenger: str
    field: str
    players: int
    share: float

    @property
    def name(self) -> str:
        return f"{self.players}p {self.challenger} {self.field}".replace(":", "-").replace(" ", "_")

    def seconds(self) -> float:
        """What a deal takes, about."""
        return seconds_per_deal(PlayerSpec.parse(self.challenger), PlayerSpec.parse(self.field), self.players)

    def deals(self, seconds_per_share: float) -> int:
        return min(MOST, max(FEWEST, int(self.share * seconds_per_share / self.seconds())))


def zoo_cells(players: int) -> Iterator[Cell]:
    """Everyone against everyone before him: in a round of more than two he is one against several."""
    for number, challenger in enumerate(ZOO):
        for field in ZOO[:number]:
            searching = sum(PlayerSpec.parse(side).searches for side in (challenger, field))
            yield Cell(challenger, field, players, SHARE[searching])


def curve_cells(kind: str) -> Iterator[Cell]:
    for milliseconds in CURVE_MILLISECONDS:
        yield Cell(f"{kind}:time={milliseconds}ms", CURVE_FIELD, 2, CURVE_SHARE)


def logged(log: Path) -> int:
    """How many deals a log has, which may be more than there is time for now."""
    return log.read_bytes().count(b"\n") - 1 if log.exists() else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=40, help="how long to play at most (default 40)")
    parser.add_argument("--jobs", type=int, default=2, help="deals at the same time (default 2)")
    parser.add_argument("--log", type=Path, default=Path("build/strength"), metavar="DIR", help="folder of the deals")
    parser.add_argument("--docs", type=Path, default=Path("docs"), metavar="DIR", help="folder of the page")
    given = parser.parse_args(arguments)
    given.log.mkdir(parents=True, exist_ok=True)
    zoo = {players: list(zoo_cells(players)) for players in PLAYERS}
    curves = {kind: list(curve_cells(kind)) for kind in CURVE_KINDS}
    cells = [cell for several in (*zoo.values(), *curves.values()) for cell in several]
    per_share = MARGIN * 60 * given.minutes * given.jobs / sum(cell.share for cell in cells)
    plan = {cell: cell.deals(per_share) for cell in cells}
    expected = sum(deals * cell.seconds() for cell, deals in plan.items()) / given.jobs
    print(f"{len(cells)} matches, {sum(plan.values()):,} deals: about {in_words(expected)}, less what the logs have.")

    start = time.perf_counter()
    results: dict[Cell, Result] = {}
    with ctrl_c() as stop, Arena(given.jobs) as arena:
        timer = threading.Timer(60 * given.minutes, stop.set)
        timer.daemon = True
        timer.start()
        for share in (FIRST_PASS, 1.0):
            for cell, most in plan.items():
                rules, log = Rules.standard(players=cell.players), given.log / f"{cell.name}.jsonl"
                deals = max(FEWEST, round(share * most), logged(log))
                results[cell] = arena.duel(cell.challenger, cell.field, rules, deals=deals, log=log, stop=stop)
                if sys.stdout.isatty() and not stop.is_set():
                    passed = in_words(time.perf_counter() - start)
                    print(f"\r\033[KAfter {passed}: {results[cell]}"[:120], end="", flush=True)
        interrupted = stop.is_set() and timer.is_alive()
        timer.cancel()
    print(f"\nPlayed for {in_words(time.perf_counter() - start)}.")
    write(
        given.docs,
        [Table(players, ZOO, [results[cell] for cell in several]) for players, several in zoo.items()],
        [Curve(kind, CURVE_FIELD, [results[cell] for cell in several]) for kind, several in curves.items()],
    )
    print(f"Written: {given.docs / 'strength.md'}.")
    return INTERRUPTED if interrupted else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ArenaError, ValueError, OSError) as error:
        sys.exit(str(error))

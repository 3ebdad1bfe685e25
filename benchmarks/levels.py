"""How strong the levels of `eights play` are: each against greedy, and against the one below it.

    python benchmarks/levels.py [--players 2] [--deals 100] [--level NAME ...] [--jobs N] [--log DIR]

Each row is a match on the same deals: points of the one minus the mean of the others', a round of the preset standard,
with the standard error and the share of rounds that it won. A level is as it should be if it is clearly ahead of the
one below. With --log the deals are kept in a folder, and played once only, however often the program is ended by
Ctrl-C. 100 deals of two players take a few minutes up to `expert`, and the master about an hour on one core.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from eights import Rules
from eights.arena import Arena, ArenaError
from eights.levels import LEVELS
from eights.pairing import Result
from eights_cli.interrupt import INTERRUPTED, ctrl_c


def pairs(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Who is measured against whom, of the levels that are asked for."""
    below = None
    for level in LEVELS:
        if level.name in names:
            yield f"level:{level.name}", "greedy"
            if below is not None:
                yield f"level:{level.name}", f"level:{below}"
        below = level.name


def row(result: Result) -> str:
    """A line of the table."""
    pairing = result.pairing
    return (
        f"{pairing.challenger!s:16} {pairing.field!s:16} {result.difference:+7.3f} ± {result.difference_se:.3f} "
        f"{100 * result.challenger.win_rate:5.0f} %  {len(result.deals):5}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    names = [level.name for level in LEVELS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=2, choices=range(2, 7), help="at the table (default 2)")
    parser.add_argument("--deals", type=int, default=100, help="of each row (default 100)")
    parser.add_argument("--level", action="append", choices=names, help="this level; repeatable (default all)")
    parser.add_argument("--jobs", type=int, default=1, help="deals at the same time (default 1)")
    parser.add_argument("--log", type=Path, metavar="DIR", help="keep the deals in this folder, and go on from there")
    given = parser.parse_args(arguments)
    if given.log is not None:
        given.log.mkdir(parents=True, exist_ok=True)
    print(f"{'level':16} {'against':16} {'difference':>15} {'won':>7}  deals", flush=True)
    with ctrl_c() as stop, Arena(given.jobs) as arena:
        for challenger, field in pairs(given.level or names):
            log = None
            if given.log is not None:
                log = given.log / f"{given.players}p {challenger} {field}.jsonl".replace(":", "-").replace(" ", "_")
            found = arena.duel(
                challenger, field, Rules.standard(players=given.players), deals=given.deals, log=log, stop=stop
            )
            print(row(found), flush=True)
            if stop.is_set():
                return INTERRUPTED
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ArenaError, ValueError, OSError) as error:
        sys.exit(str(error))

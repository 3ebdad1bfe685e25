"""Several search trees over one question, each grown by a thread of its own."""

import os
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from time import monotonic
from typing import Final, NamedTuple, Self

from eights_core.game import Evaluator, Problem
from eights_core.ismcts import Search
from eights_core.rng import Rng

MOST_THREADS: Final = 256
LEAST_MEMORY: Final = 1 << 16
"""Bytes of a tree."""


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Learnt(NamedTuple):
    """What was learnt of an action: visits, and how many of them came to the end of the game; for each seat sums.

    The sums are those of its utilities, of their squares, and of its chances to win.
    """

    visits: int
    ended: int
    utilities: list[float]
    squares: list[float]
    wins: list[float]

    def merged(self, other: "Learnt") -> "Learnt":
        """The same of both together."""
        lists = ([x + y for x, y in zip(*both, strict=True)] for both in zip(self[2:], other[2:], strict=True))
        return Learnt(self.visits + other.visits, self.ended + other.ended, *lists)


class Forest:
    """Trees that know nothing of each other; what they have learnt of the root's actions is added up.

    That is root parallelization, which for information-set search does better than threads that share a tree
    (Sephton, Cowling, Powley, Slaven and Whitehouse 2014). How threads are scheduled makes no difference to what is
    learnt in so many iterations. `memory` bounds all trees together, in bytes; the first has the `seed` itself. At the
    root only `actions` are tried, by default all that are legal.
    """

    def __init__(
        self,
        problem: Problem,
        evaluator: Evaluator,
        *,
        trees: int,
        seed: int,
        memory: int,
        actions: Collection[int] | None = None,
    ) -> None:
        if not 1 <= trees <= MOST_THREADS:
            raise ValueError(f"A search has from 1 to {MOST_THREADS} threads, not {trees}.")
        if memory // trees < LEAST_MEMORY <= memory:
            raise ValueError(f"{trees} threads need at least {trees * LEAST_MEMORY} bytes, not {memory}.")
        rng = Rng(seed)
        seeds = [seed, *(rng.below(1 << 31) for _ in range(trees - 1))]
        self._trees = [Search(problem, evaluator, seed=each, memory=memory // trees, actions=actions) for each in seeds]
        self._threads = ThreadPoolExecutor(trees - 1) if trees > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """End the threads; the trees can still be asked."""
        if self._threads is not None:
            self._threads.shutdown()

    def begin(self, iterations: int, limit: int) -> None:
        """Iterate in the first tree alone, so often at most, as a part of the `limit` of all."""
        self._trees[0].run(min(iterations, self._shares(limit)[0]))

    def run(self, iterations: int, seconds: float | None = None) -> None:
        """Go on until there have been `iterations` in all trees together, for at most `seconds`."""
        deadline = None if seconds is None else monotonic() + seconds

        def grow(tree: Search, share: int) -> None:  # a thread may start late
            tree.run(share, None if deadline is None else max(0.0, deadline - monotonic()))

        first, *others = zip(self._trees, self._shares(iterations), strict=True)
        running = [self._threads.submit(grow, *each) for each in others] if self._threads else []
        grow(*first)
        for each in running:
            each.result()

    def _shares(self, iterations: int) -> list[int]:
        number = len(self._trees)
        return [iterations // number + (tree < iterations % number) for tree in range(number)]

    @property
    def iterations(self) -> int:
        return sum(tree.iterations for tree in self._trees)

    @property
    def nodes(self) -> int:
        """Actions in the trees, each counted once for every node that it leaves."""
        return sum(tree.nodes for tree in self._trees)

    def moves(self) -> dict[int, tuple[Learnt, Search]]:
        """What was learnt of each action of the root, and the tree that has tried it most often."""
        found: dict[int, list[tuple[Learnt, Search]]] = {}
        for tree in self._trees:
            for action, *learnt in tree.moves():
                found.setdefault(action, []).append((Learnt._make(learnt), tree))
        return {
            action: (
                reduce(Learnt.merged, (learnt for learnt, _ in each)),
                max(each, key=lambda pair: pair[0].visits)[1],
            )
            for action, each in found.items()
        }

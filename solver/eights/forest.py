"""Several search trees over one question, each grown by a thread of its own."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, Self

from eights_core.game import Evaluator, Problem
from eights_core.ismcts import Search
from eights_core.rng import Rng

MOST_THREADS: Final = 256


class Learnt(NamedTuple):
    """What was learnt of an action: visits; for each seat sums of utilities, of their squares, of chances to win."""

    visits: int
    sums: list[float]
    squares: list[float]
    wins: list[float]

    def merged(self, other: "Learnt") -> "Learnt":
        """The same of both together."""
        lists = ([x + y for x, y in zip(*both, strict=True)] for both in zip(self[1:], other[1:], strict=True))
        return Learnt(self.visits + other.visits, *lists)


class Forest:
    """Trees that know nothing of each other; what they have learnt of the root's actions is added up.

    That is root parallelization, which for information-set search does better than threads that share a tree
    (Sephton, Cowling, Powley, Slaven and Whitehouse 2014). How threads are scheduled makes no difference to what is
    learnt in so many iterations. `memory` bounds all trees together, in bytes; the first has the `seed` itself.
    """

    def __init__(self, problem: Problem, evaluator: Evaluator, *, trees: int, seed: int, memory: int) -> None:
        if not 1 <= trees <= MOST_THREADS:
            raise ValueError(f"A search has from 1 to {MOST_THREADS} threads, not {trees}.")
        rng = Rng(seed)
        seeds = [seed, *(rng.below(1 << 31) for _ in range(trees - 1))]
        self._trees = [Search(problem, evaluator, seed=each, memory=memory // trees) for each in seeds]
        self._threads = ThreadPoolExecutor(trees - 1) if trees > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """End the threads; the trees can still be asked."""
        if self._threads is not None:
            self._threads.shutdown()

    def run(self, iterations: int, seconds: float | None = None) -> None:
        """Go on until there have been `iterations` in all trees together, for at most `seconds`."""
        number = len(self._trees)
        shares = [iterations // number + (tree < iterations % number) for tree in range(number)]
        first, *others = zip(self._trees, shares, strict=True)
        running = [self._threads.submit(tree.run, share, seconds) for tree, share in others] if self._threads else []
        first[0].run(first[1], seconds)
        for each in running:
            each.result()

    @property
    def iterations(self) -> int:
        return sum(tree.iterations for tree in self._trees)

    @property
    def nodes(self) -> int:
        """Actions in the trees, each counted once for every node that it leaves."""
        return sum(tree.nodes for tree in self._trees)

    def moves(self) -> dict[int, Learnt]:
        """What was learnt of each action of the root."""
        merged: dict[int, Learnt] = {}
        for tree in self._trees:
            for action, visits, sums, squares, wins in tree.moves():
                found = Learnt(visits, sums, squares, wins)
                merged[action] = merged[action].merged(found) if action in merged else found
        return merged

    def most_searched(self, action: int) -> Search:
        """The tree that has tried an action of the root most often."""
        return max(self._trees, key=lambda tree: next((n for move, n, *_ in tree.moves() if move == action), 0))

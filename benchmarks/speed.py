"""Speed of the core on one thread: whole random rounds, and search iterations at the first free decision.

    python benchmarks/speed.py [--json]

Each figure is the median of five runs, after one that is not counted. `playouts_per_s` are whole rounds of the preset
standard from the deal to the end; `iterations_per_s` are SO-ISMCTS iterations with random playouts to the end, 10,000
at each of 20 positions, the first of a round in which its mover has a choice; `bytes_per_iteration` is what their trees
take up; `strongest_iterations_per_s` are those of the search as it is used by default. `state_bytes` is the size of a
round.
"""

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable

from eights import Position, Rules, State
from eights.models import default_evaluator
from eights_core.belief import RandomPlayouts
from eights_core.game import Evaluator
from eights_core.halves import playouts
from eights_core.ismcts import Search
from eights_core.rng import Rng

RUNS = 5
ROUNDS = 50_000
POSITIONS = 20
ITERATIONS = 10_000


def median_rate(work: Callable[[], int]) -> float:
    """Units of work a second; `work` does some and says how much."""
    work()
    rates = []
    for _ in range(RUNS):
        start = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - start))
    return statistics.median(rates)


def first_free_decision(rules: Rules, seed: int) -> Position:
    rng, state = Rng(seed), State(rules)
    state.deal(rng)
    while len(state.legal_actions()) == 1:
        state.apply(state.legal_actions()[0])
        state.deal(rng)
    return state.observation(state.mover)


def random_rounds(players: int) -> tuple[float, float]:
    """Rounds a second, and plies a round."""
    ruleset = Rules.standard(players=players).ruleset
    plies = playouts(ruleset, ROUNDS, Rng(1))

    def work() -> int:
        playouts(ruleset, ROUNDS, Rng(1))
        return ROUNDS

    return median_rate(work), plies / ROUNDS


def searches(players: int, evaluator: Evaluator | None = None) -> tuple[float, float]:
    """Iterations a second, and bytes of tree an iteration; by default with the strongest evaluator."""
    rules = Rules.standard(players=players)
    evaluator = evaluator or default_evaluator(rules)
    positions = [first_free_decision(rules, seed) for seed in range(POSITIONS)]
    sizes = []

    def work() -> int:
        sizes.clear()
        for position in positions:
            search = Search(position.belief, evaluator, seed=1, memory=1 << 30)
            search.run(ITERATIONS)
            sizes.append(search.bytes_used / ITERATIONS)
        return POSITIONS * ITERATIONS

    return median_rate(work), max(sizes)


def measure() -> dict[str, object]:
    result: dict[str, dict[str, float]] = {
        name: {}
        for name in (
            "playouts_per_s",
            "ns_per_ply",
            "iterations_per_s",
            "strongest_iterations_per_s",
            "bytes_per_iteration",
            "state_bytes",
        )
    }
    for players in (2, 3, 4, 6):
        name = str(players)
        rounds, plies = random_rounds(players)
        iterations, size = searches(players, RandomPlayouts())
        strongest, _ = searches(players)
        result["playouts_per_s"][name] = round(rounds)
        result["ns_per_ply"][name] = round(1e9 / rounds / plies, 1)
        result["iterations_per_s"][name] = round(iterations)
        result["strongest_iterations_per_s"][name] = round(strongest)
        result["bytes_per_iteration"][name] = round(size, 1)
        result["state_bytes"][name] = len(State(Rules.standard(players=players)).key())
    return {**result, "machine": platform.machine(), "python": platform.python_version()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    result = measure()
    if arguments.json:
        print(json.dumps(result))
        return
    for name, figures in result.items():
        if isinstance(figures, dict):
            print(f"{name:28}" + "".join(f"{players} players: {figure:>10,}   " for players, figure in figures.items()))


if __name__ == "__main__":
    main()

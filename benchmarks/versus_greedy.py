"""Plain search against the greedy player: two players, the same deals from both seats, points difference per round.

    python benchmarks/versus_greedy.py [--deals 300] [--iterations 2000]

Prints the mean difference, its standard error over deals and the lower 95 % bound. About three minutes by default.
"""

import argparse
import statistics
import time

import eights
from eights.deal import Deal
from eights.players import EnginePlayer, GreedyPlayer, Player
from eights_core.belief import RandomPlayouts


def play(rules: eights.Rules, deal: Deal, players: list[Player]) -> eights.State:
    state = eights.State(rules)
    deal.complete(state)
    while state.mover != eights.TERMINAL:
        state.apply(players[state.mover].choose(state.observation(state.mover)))
        deal.complete(state)
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rules = eights.Rules.standard(players=2)
    differences = []
    start = time.perf_counter()
    for number in range(arguments.deals):
        deal = Deal(rules, arguments.seed + number)
        difference = 0.0
        for seat in (0, 1):
            players: list[Player] = [GreedyPlayer(), GreedyPlayer()]
            players[seat] = EnginePlayer(iterations=arguments.iterations, seed=number, evaluator=RandomPlayouts())
            points = play(rules, deal, players).points()
            difference += (points[seat] - points[1 - seat]) / 2
        differences.append(difference)
        if number and number % 20 == 0:
            print(f"{number} deals: {statistics.mean(differences):+.3f}", flush=True)
    mean = statistics.mean(differences)
    error = statistics.stdev(differences) / len(differences) ** 0.5
    print(
        f"plain search at {arguments.iterations} iterations against greedy, {arguments.deals} paired deals: "
        f"{mean:+.3f} ± {error:.3f} points a round, lower 95 % bound {mean - 1.645 * error:+.3f} "
        f"({time.perf_counter() - start:.0f} s)"
    )


if __name__ == "__main__":
    main()

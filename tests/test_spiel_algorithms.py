"""OpenSpiel's algorithms on the games, and the playthroughs that are kept."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    external_sampling_mccfr,
    generate_playthrough,
    ismcts,
    mcts,
)
from spiel_games import SIX_CARDS, load, play_on

if not flags.FLAGS.is_parsed():
    flags.FLAGS(["tests"])

PLAYTHROUGHS = sorted((Path(__file__).parent / "data" / "playthroughs").glob("*.txt"))
"""Made by `generate_playthrough.playthrough(game, action_sequence=None, seed=1)`; a change must be meant."""


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    kept, now = generate_playthrough.replay(str(path))
    assert now == kept


def test_there_are_playthroughs() -> None:
    names = {path.read_text().split("game: ")[1].split("(")[0] for path in PLAYTHROUGHS}
    assert names == {"eight_and_a_half", "eight_and_a_half_match"}


@pytest.mark.slow
@pytest.mark.parametrize(("text", "uniform", "iterations"), [(SIX_CARDS[0], 0.0, 1), (SIX_CARDS[1], 0.2147, 10)])
def test_cfr_solves_six_cards(text: str, uniform: float, iterations: int) -> None:
    """In the first of the games no choice makes a difference."""
    game = load(f"eight_and_a_half({text})")
    assert exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) == pytest.approx(uniform, abs=1e-4)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.01


def test_other_algorithms_run() -> None:
    """Those that sample, those written in C++, and the environment for learning."""
    game = load(f"eight_and_a_half({SIX_CARDS[1].replace('max_plies=20', 'max_plies=4')})")
    sampling = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(20):
        sampling.iteration()
    solver = pyspiel.CFRSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert 0 <= pyspiel.nash_conv(game, average) <= exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    environment = rl_environment.Environment(game)
    environment.seed(1)
    step = environment.reset()
    sizes = {len(state) for state in step.observations["info_state"]}
    assert sizes == {game.information_state_tensor_size()}
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == 0


@pytest.mark.parametrize("text", ["eight_and_a_half(players=3)", f"eight_and_a_half_match({SIX_CARDS[0]})"])
def test_ismcts_can_play(text: str) -> None:
    game = load(text)
    random = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=1.0, max_simulations=20, random_state=random)
    state = play_on(game.new_initial_state(), Random(1), 60 if "players=3" in text else 8)
    for _ in range(6):
        while state.is_chance_node():
            play_on(state, Random(1), 1)
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)

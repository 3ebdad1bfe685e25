"""A learned baseline: OpenSpiel's PPO in PyTorch, trained by playing rounds of 8½ against itself.

    pip install '.[learn]'
    python benchmarks/openspiel_learner.py [--minutes 10] [--players 2] [--save build/ppo.pt]

The observation tensors of the game go in, points minus the mean of all come out, and one network plays all seats. Then
the agent plays random and greedy players and our engine, deal by deal in every seat; `openspiel_duel.py --agent FILE`
does so with a saved one.
"""

import argparse
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import eights.spiel  # noqa: F401  # registers the game
import numpy as np
import pyspiel
from costs import in_words
from eights.spiel import evaluate
from eights.spiel.bots import Maker
from open_spiel.python.rl_environment import Environment, ObservationType, TimeStep
from open_spiel.python.vector_env import SyncVectorEnv

try:
    import torch
    from open_spiel.python.pytorch.ppo import PPO, PPOAgent
except ModuleNotFoundError as error:
    raise SystemExit(f"{error}; PPO wants PyTorch: pip install '.[learn]'.") from None

ENVIRONMENTS = 16
STEPS = 64
"""Decisions in each environment between two updates."""
LEARNING_RATE = 1e-3
ENTROPY = 0.01
OPPONENTS = (("random", 200), ("greedy", 200), ("engine:time=2ms", 40))
"""Who the agent plays in the end, and how many deals."""


class SelfPlay:
    """An environment for one learner: it sits anywhere, all others are played by `opponent`, and forced actions too.

    The learner is player 0 of the time steps, wherever it sits.
    """

    def __init__(self, players: int, opponent: Callable[[TimeStep, int], int], seed: int) -> None:
        game = pyspiel.load_game(f"eight_and_a_half(players={players},utility=zero_sum)")
        self.num_players = 1
        self._environment = Environment(game, observation_type=ObservationType.OBSERVATION)
        self._environment.seed(seed)
        self._players = players
        self._opponent = opponent
        self._random = random.Random(seed)

    def reset(self) -> TimeStep:
        while True:
            self._seat = self._random.randrange(self._players)
            step = self._played_on(self._environment.reset())
            if not step.last():  # a round in which there was something to decide
                return step

    def step(self, actions: list[int]) -> TimeStep:
        return self._played_on(self._environment.step(actions))

    def get_time_step(self) -> TimeStep:
        return self._now

    def _played_on(self, step: TimeStep) -> TimeStep:
        """What the learner sees when it has something to decide, or the round is over."""
        while not step.last():
            player = step.observations["current_player"]
            (action, *others) = step.observations["legal_actions"][player]
            if others and player == self._seat:
                break
            step = self._environment.step([self._opponent(step, player) if others else action])
        seen = {name: [step.observations[name][self._seat]] for name in ("info_state", "legal_actions")}
        rewards = None if step.rewards is None else [step.rewards[self._seat]]
        self._now = TimeStep({**seen, "current_player": 0}, rewards, None, step.step_type)
        return self._now


class Agent(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """A bot that plays by a trained network: it draws from its policy."""

    def __init__(self, network: Any, seed: int) -> None:
        super().__init__()
        self._network = network
        self._random = np.random.default_rng(seed)

    def restart(self) -> None:
        pass

    def step(self, state: Any) -> int:
        legal = state.legal_actions()
        chances = policy(self._network, state.observation_tensor(), legal)
        return int(self._random.choice(legal, p=chances))


def policy(network: Any, observation: Any, legal: list[int]) -> Any:
    """The probabilities of the legal actions."""
    with torch.no_grad():
        logits = network.actor(torch.as_tensor(observation, dtype=torch.float32))[legal]
        return torch.softmax(logits.double(), 0).numpy()


def new_learner(players: int) -> PPO:
    game = pyspiel.load_game(f"eight_and_a_half(players={players})")
    return PPO(
        input_shape=tuple(game.observation_tensor_shape()),
        num_actions=game.num_distinct_actions(),
        num_players=1,
        num_envs=ENVIRONMENTS,
        steps_per_batch=STEPS,
        learning_rate=LEARNING_RATE,
        gamma=1.0,
        entropy_coef=ENTROPY,
        agent_fn=PPOAgent,
    )


def train(players: int, minutes: float, seed: int = 1, stop: threading.Event | None = None) -> PPO:
    """Learn for some minutes, or until `stop` is set; says now and then how it goes."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # the network is small: more would wait for each other
    learner = new_learner(players)
    drawn = random.Random(seed)

    def opponent(step: TimeStep, player: int) -> int:
        legal = step.observations["legal_actions"][player]
        chances = policy(learner.network, step.observations["info_state"][player], legal)
        return int(drawn.choices(legal, chances)[0])

    environments = SyncVectorEnv([SelfPlay(players, opponent, seed + number) for number in range(ENVIRONMENTS)])
    steps = environments.reset()
    start = told = time.perf_counter()
    while (now := time.perf_counter()) < start + 60 * minutes and not (stop and stop.is_set()):
        # The rate falls to nothing as the time ends.
        learner.optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - (now - start) / (60 * minutes))
        for _ in range(STEPS):
            output = learner.step(steps)
            steps, rewards, done, _ = environments.step(output, reset_if_done=True)
            learner.post_step(rewards, done)
        learner.learn(steps)
        if now - told > 60:
            told = now
            print(f"    {in_words(now - start)}: {learner.total_steps_done:,} decisions", file=sys.stderr, flush=True)
    return learner


def save(learner: PPO, path: Path, players: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"players": players, "network": learner.network.state_dict()}, path)


def load(path: Path, game: Any, seed: int) -> Agent:
    """The agent of a file; ValueError if it has learned with another number of players."""
    torch.set_num_threads(1)
    saved = torch.load(path, weights_only=True)
    if saved["players"] != game.num_players():
        raise ValueError(f"The agent of {path} has learned with {saved['players']} players, not {game.num_players()}.")
    network = PPOAgent(game.num_distinct_actions(), tuple(game.observation_tensor_shape()), "cpu")
    network.load_state_dict(saved["network"])
    return Agent(network, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10, help="how long to train (default 10)")
    parser.add_argument("--players", type=int, default=2, help="at the table (default 2)")
    parser.add_argument("--save", type=Path, metavar="FILE", default=Path("build/ppo.pt"))
    given = parser.parse_args()
    learner = train(given.players, given.minutes)
    save(learner, given.save, given.players)
    print(f"{learner.total_steps_done:,} decisions in {given.minutes:g} minutes; saved in {given.save}.")
    game = pyspiel.load_game(f"eight_and_a_half(players={given.players})")
    for name, deals in OPPONENTS:
        bots: list[str | Maker] = [lambda game, player: Agent(learner.network, player), *[name] * (given.players - 1)]
        gain, error = evaluate(bots, game, deals).margin()
        print(f"against {name:16} {gain:+.2f} ± {error:.2f} points a round, {deals} deals")


if __name__ == "__main__":
    main()

"""Players of a match in OpenSpiel by name: ours, OpenSpiel's searches, and an agent that has learned.

engine:time=2ms, greedy, random    as `eights duel` names them
ismcts:time=200ms                  OpenSpiel's ISMCTSBot in Python, which knows what its player knows
ismcts:simulations=50
mcts:simulations=200               OpenSpiel's MCTSBot in C++: it searches from the true state, so it sees all hands
ppo:FILE                           what openspiel_learner.py has saved
"""

import re
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

import numpy as np
import pyspiel
from eights.pairing import Effort, derived_seed
from eights.rules import Rules
from eights.specs import PlayerSpec, parse_duration
from eights.spiel import bot
from eights.spiel.bots import step
from open_spiel.python.algorithms import ismcts, mcts

UCT_C = 1.5
"""UCB's constant in points: 0.5 of rewards in [0, 1], as for `plain`; a round is worth 0 to 3 points."""
MCTS_MEGABYTES = 500
_SEEDS = 1 << 32  # numpy's


class TimedISMCTSBot(ismcts.ISMCTSBot):  # type: ignore[misc]  # open_spiel has no types
    """`ISMCTSBot` that searches for some seconds at each decision, and whose random numbers all come from its seed.

    The time is that of its own thread, so that a busy machine takes nothing from it. It simulates at least once more
    than there are legal actions, for its first simulation tries none.
    """

    def __init__(self, game: Any, seconds: float, seed: int) -> None:
        self._seconds = seconds
        _begin(self, game, 0, seed)

    def run_search(self, state: Any) -> list[tuple[int, float]]:
        """The policy at a state: the action with the most visits, or those."""
        self.reset()
        self._root_node = self.create_new_node(state)
        least = 1 + len(state.legal_actions())
        end = thread_time() + self._seconds
        while least > 0 or thread_time() < end:
            self.run_simulation(self.sample_root_state(state))
            least -= 1
        return self.get_final_policy(state, self._root_node)  # type: ignore[no-any-return]


def ismcts_bot(game: Any, simulations: int, seed: int) -> Any:
    """`ISMCTSBot` with so many simulations, whose random numbers all come from its seed."""
    return _begin(ismcts.ISMCTSBot.__new__(ismcts.ISMCTSBot), game, simulations, seed)


def _begin(bot: Any, game: Any, simulations: int, seed: int) -> Any:
    random = np.random.RandomState(seed % _SEEDS)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    ismcts.ISMCTSBot.__init__(bot, game, evaluator, UCT_C, simulations, random_state=random)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, random.random_sample))
    return bot


class Clocked(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """A bot that is asked only where there is a choice, and whose `effort` is kept."""

    def __init__(self, bot: Any) -> None:
        super().__init__()
        self.effort = Effort(0, 0.0)
        self._bot = bot

    def restart(self) -> None:
        self._bot.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        self._bot.inform_action(state, player, action)

    def step(self, state: Any) -> int:
        legal = state.legal_actions()
        if len(legal) == 1:
            return int(legal[0])
        start = perf_counter()
        action = step(self._bot, state)
        self.effort = Effort(self.effort.decisions + 1, self.effort.seconds + perf_counter() - start)
        return action


@dataclass(frozen=True)
class BotSpec:
    """A player by name; ValueError, a sentence, for what is none."""

    name: str

    def __post_init__(self) -> None:
        kind, setting, value = self._parts()
        fits = {"ismcts": ("time", "simulations"), "mcts": ("simulations",)}
        if kind in fits:
            if setting not in fits[kind]:
                raise ValueError(f"{self.name}: {kind} has {' or '.join(fits[kind])} to set.")
            if setting == "time":
                parse_duration(value)
            elif not re.fullmatch("[1-9][0-9]{0,8}", value):
                raise ValueError(f"{self.name}: simulations are a whole number above 0.")
        elif kind != "ppo":
            PlayerSpec.parse(self.name)

    def identity(self, rules: Rules) -> str:
        """What tells the player from others of its name: for logs to go on from."""
        kind, _, value = self._parts()
        if kind == "ppo":
            return f"ppo {Path(value).stat().st_mtime_ns}"
        return self.name if kind in ("ismcts", "mcts") else PlayerSpec.parse(self.name).identity(rules)

    def make(self, game: Any, player: int, seed: int) -> Any:
        """The bot, as a player of a game."""
        kind, setting, value = self._parts()
        seed = derived_seed(seed, player)
        if kind == "ismcts":
            if setting == "time":
                return TimedISMCTSBot(game, parse_duration(value), seed)
            return ismcts_bot(game, int(value), seed)
        if kind == "mcts":
            return mcts_bot(game, int(value), seed)
        if kind == "ppo":
            from openspiel_learner import load  # wants an extra

            return load(Path(value), game, seed)
        return bot(game, player, self.name, seed)

    def _parts(self) -> tuple[str, str, str]:
        kind, _, rest = self.name.partition(":")
        if kind == "ppo":
            return kind, "", rest
        setting, _, value = rest.partition("=")
        return kind, setting, value


def mcts_bot(game: Any, simulations: int, seed: int) -> Any:
    """`pyspiel.MCTSBot` with random rollouts."""
    seed %= 1 << 31
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    uct = pyspiel.ChildSelectionPolicy.UCT
    return pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, MCTS_MEGABYTES, False, seed, False, uct)

"""Players: whoever chooses an action from what a seat sees."""

from typing import Protocol

from eights_core.rng import Rng

from eights.actions import BLIND, EIGHT_HALF, GHOST, HALF, KEEP, split_play
from eights.analysis import DEFAULT_MEMORY, analyse
from eights.position import Position


class Player(Protocol):
    """Whoever plays a seat."""

    def choose(self, observation: Position) -> int:
        """A legal action of the mover of `observation`, who is told no more than that."""
        ...


class RandomPlayer:
    """Plays any legal action, each equally likely."""

    def __init__(self, seed: int) -> None:
        self._rng = Rng(seed)

    def choose(self, observation: Position) -> int:
        legal = observation.legal_actions()
        return legal[self._rng.below(len(legal))]


class GreedyPlayer:
    """Plays the lowest number it may, all copies of it, and wild cards last: zeros before Halves before Ghosts."""

    def choose(self, observation: Position) -> int:
        return min(observation.legal_actions(), key=_greedy_order)


def _greedy_order(action: int) -> tuple[int, int, int]:
    if action >= BLIND:
        return (0 if action == KEEP else 1, 0, 0)
    if action == EIGHT_HALF:
        return (3, 0, 0)
    rank, copies = split_play(action)
    wild = rank in (0, HALF, GHOST)
    return (2 if wild else 0, rank, -copies)


class EnginePlayer:
    """Plays what `analyse` finds best within the limits; a forced action at once."""

    def __init__(
        self, *, time: float | None = None, iterations: int | None = None, seed: int = 1, memory: int = DEFAULT_MEMORY
    ) -> None:
        self.time = time
        self.iterations = iterations
        self.memory = memory
        self._seeds = Rng(seed)

    def choose(self, observation: Position) -> int:
        legal = observation.legal_actions()
        if len(legal) == 1:
            return legal[0]
        seed = self._seeds.below(1 << 31)
        return analyse(observation, time=self.time, iterations=self.iterations, seed=seed, memory=self.memory).best

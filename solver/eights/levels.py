"""Levels: engine players from beginner to master, weaker by less search and by a softer choice."""

from dataclasses import dataclass
from typing import Final

from eights_core.rng import Rng

from eights.analysis import Analysis
from eights.players import EnginePlayer
from eights.position import Position
from eights.text import quoted

WON: Final = 0.9
"""With a move by which a level wins this often or more, as far as it sees, it takes no other."""
_OTHER_STREAM: Final = 0x5DEECE66D  # so that searches and choices draw other numbers


@dataclass(frozen=True)
class Level:
    """How strong a player is to be: the `iterations` of a search, and the `temperature` of the choice after it.

    A move is played as often as its visits to the power of 1 / temperature say: with 0 always the most visited one.
    """

    name: str
    iterations: int
    temperature: float

    def make(self, seed: int) -> "LevelPlayer":
        """A new player of the level, whose random numbers come from `seed`, from 0 to 2**64 - 1."""
        return LevelPlayer(self, seed)


LEVELS: Final = (
    Level("beginner", iterations=12, temperature=3.0),
    Level("learner", iterations=25, temperature=1.5),
    Level("casual", iterations=60, temperature=1.0),
    Level("skilled", iterations=200, temperature=0.6),
    Level("expert", iterations=1_500, temperature=0.3),
    Level("master", iterations=40_000, temperature=0.0),
)
"""From the weakest to the strongest; benchmarks/levels.py measures each against the next, and against greedy."""


def parse_level(name: str) -> Level:
    """The level of a name; ValueError if there is none.

    >>> parse_level("expert")
    Level(name='expert', iterations=1500, temperature=0.3)
    """
    for level in LEVELS:
        if level.name == name:
            return level
    raise ValueError(f"{quoted(name)} is no level: they are {', '.join(level.name for level in LEVELS)}.")


class LevelPlayer(EnginePlayer):
    """Searches as long as its level does, and chooses as softly; but a game that it sees to be won it does not throw.

    `analysis` is that of its last choice, whose best move it need not have played.
    """

    def __init__(self, level: Level, seed: int) -> None:
        super().__init__(iterations=level.iterations, seed=seed)
        self.level = level
        self._choices = Rng(seed ^ _OTHER_STREAM)

    def choose(self, observation: Position) -> int:
        best = super().choose(observation)
        return best if self.analysis is None else self._soft(self.analysis)

    def _soft(self, analysis: Analysis) -> int:
        if not self.level.temperature:
            return analysis.best
        seat = analysis.position.mover
        won = [move for move in analysis.moves if move.win[seat] >= WON]
        if won:
            return won[0].action
        weights = [move.visits ** (1 / self.level.temperature) for move in analysis.moves]
        at = self._choices.random() * sum(weights)
        for move, weight in zip(analysis.moves, weights, strict=True):
            at -= weight
            if at < 0:
                return move.action
        return analysis.best

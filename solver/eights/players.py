"""Players: whoever chooses an action from what a seat sees."""

from eights_core.game import Evaluator
from eights_core.rng import Rng

from eights.actions import BLIND, EIGHT_HALF, GHOST, HALF, KEEP, split_play
from eights.analysis import DEFAULT_MEMORY, Analysis, analyse
from eights.events import Event, Start
from eights.position import Position
from eights.record import Record


class PlayerError(Exception):
    """A player that cannot go on, such as a program that has ended; the message is a sentence."""


class Player:
    """Whoever plays a seat; subclasses choose.

    Before each round `new_round` is called with its start as the seat sees it, then `event` with every event that it
    sees, its own actions too. A player who keeps no record need not listen.
    PlayerError from any of them ends the round.
    """

    def choose(self, observation: Position) -> int:
        """A legal action of the mover of `observation`, who is told no more than that and the events."""
        raise NotImplementedError

    def new_round(self, start: Start) -> None:
        """A round begins."""

    def event(self, event: Event) -> None:
        """Something has happened in the round."""

    def close(self) -> None:
        """The player is not needed any more, and gives back what it holds, if anything."""


class RandomPlayer(Player):
    """Plays any legal action, each equally likely."""

    def __init__(self, seed: int) -> None:
        self._rng = Rng(seed)

    def choose(self, observation: Position) -> int:
        legal = observation.legal_actions()
        return legal[self._rng.below(len(legal))]


class GreedyPlayer(Player):
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


class EnginePlayer(Player):
    """Plays what `analyse` finds best within the limits, a forced action at once.

    It keeps the record of each round that it is told of, and so knows what hidden hands have shown. `analysis` is that
    of its last choice, None where there was no choice. With `RandomPlayouts` as its evaluator it is the plain search
    that others are measured against.
    """

    analysis: Analysis | None = None

    def __init__(
        self,
        *,
        time: float | None = None,
        iterations: int | None = None,
        seed: int = 1,
        memory: int = DEFAULT_MEMORY,
        evaluator: Evaluator | None = None,
        threads: int = 1,
    ) -> None:
        self.time = time
        self.iterations = iterations
        self.memory = memory
        self.evaluator = evaluator
        self.threads = threads
        self._seeds = Rng(seed)
        self._record: Record | None = None

    def new_round(self, start: Start) -> None:
        self._record = Record.begin(start, {})

    def event(self, event: Event) -> None:
        if self._record is not None:
            self._record.add(event)

    def choose(self, observation: Position) -> int:
        self.analysis = None
        position = observation if self._record is None else self._record.position()
        legal = position.legal_actions()
        if len(legal) == 1:
            return legal[0]
        seed = self._seeds.below(1 << 31)
        self.analysis = analyse(
            position,
            time=self.time,
            iterations=self.iterations,
            seed=seed,
            memory=self.memory,
            evaluator=self.evaluator,
            threads=self.threads,
        )
        return self.analysis.best

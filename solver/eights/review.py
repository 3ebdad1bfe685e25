"""What each move of a recorded round cost its player: expected points against those of the best move."""

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from eights_core.game import Evaluator

from eights.actions import parse_action
from eights.analysis import DEFAULT_MEMORY, MOST_POINTS, Analysis, Move, analyse
from eights.events import Act, End
from eights.record import Record

CLEAR: Final = 2.0
"""Standard errors beyond which a cost, or a change of what a seat could expect, is taken to be real."""
TURNING: Final = 0.5
"""Points by which what a seat can expect must change to make a turning point: a quarter of what winning gives."""


def accuracy(cost: float) -> float:
    """How good a move is that costs so many points, from 100 for the best to 0.

    It is the accuracy of a move at lichess.org (https://lichess.org/page/accuracy), ``103.1668 exp(-0.04354 d) -
    3.1669`` for a move that lowers the chance to win by d per cent, where d is taken to be the share of the 3 points
    that a round can give.

    >>> [round(accuracy(cost)) for cost in (0, 0.03, 0.1, 0.3, 1, 3)]
    [100, 96, 86, 64, 21, 0]
    """
    return min(100.0, max(0.0, 103.1668 * math.exp(-0.04354 * 100 * cost / MOST_POINTS) - 3.1669))


@dataclass(frozen=True, slots=True)
class Choice:
    """What a seat did at a ply; `analysis` is that of the position as its player knew it, None where he had no choice.

    `alone` is what a search of nothing else found out about the action, None where it is the best one: what looks worse
    is tried seldom in `analysis`, and not as deep. Points are those of the seat itself.
    """

    ply: int
    seat: int
    action: int
    analysis: Analysis | None
    alone: Move | None

    @property
    def is_forced(self) -> bool:
        """Whether one action was legal."""
        return self.analysis is None

    @property
    def best(self) -> int:
        """The best action."""
        return self.action if self.analysis is None else self.analysis.best

    @property
    def points(self) -> float | None:
        """What the seat could expect of the best action; None where it had no choice, which is not searched."""
        return None if self.analysis is None else self.analysis.points[self.seat]

    @property
    def cost(self) -> float:
        """Points of the best action less those of the one that was played, and never below 0."""
        if self.analysis is None or self.alone is None:
            return 0.0
        return max(0.0, self.analysis.points[self.seat] - self.alone.points[self.seat])

    @property
    def cost_se(self) -> float:
        """The standard error of `cost`: as of `Analysis.margin_se`, and 0 for the best action."""
        if self.analysis is None or self.alone is None:
            return 0.0
        compared = self.analysis.moves[0], self.alone
        valued = max(move.valued for move in compared)
        return math.hypot(*(move.sampling_se[self.seat] for move in compared), valued * self.analysis.errors.margin)

    @property
    def is_mistake(self) -> bool:
        """Whether it cost more than `CLEAR` standard errors."""
        return self.cost > CLEAR * self.cost_se

    @property
    def accuracy(self) -> float:
        """How good it was, see `accuracy`."""
        return accuracy(self.cost)


@dataclass(frozen=True, slots=True)
class SeatReview:
    """All choices of a seat.

    `free` are those with more than one legal action, and the others are `forced`. `cost` is the sum of what the free
    ones cost, `accuracy` the mean of theirs, None if there are none. Since no cost is below 0, what searches are wrong
    by makes `cost` rather too large than too small; `cost_se` is the standard error without that.
    """

    seat: int
    free: int
    forced: int
    mistakes: int
    cost: float
    cost_se: float
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """What a seat could expect `before` a choice, and `after` it: at its next free one, or as what it got `at_end`.

    Of the `change` the seat's own doing is minus the cost of the choice; the rest came of cards and of other seats.
    """

    choice: Choice
    before: float
    after: float
    at_end: bool
    change_se: float

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Review:
    """The choices of a recorded round, in order: those of all seats, or in the record of a seat its own.

    `stopped` tells that not all that are in the record were reviewed.
    """

    record: Record
    choices: tuple[Choice, ...]
    stopped: bool

    @property
    def is_whole(self) -> bool:
        """Whether the round was reviewed to its end."""
        return self.record.is_over and not self.stopped

    @property
    def seats(self) -> tuple[SeatReview, ...]:
        """The sums of each seat that was reviewed."""
        whose = range(self.record.rules.players) if self.record.seat is None else (self.record.seat,)
        return tuple(map(self._seat, whose))

    def _seat(self, seat: int) -> SeatReview:
        mine = [choice for choice in self.choices if choice.seat == seat]
        free = [choice for choice in mine if not choice.is_forced]
        return SeatReview(
            seat=seat,
            free=len(free),
            forced=len(mine) - len(free),
            mistakes=sum(choice.is_mistake for choice in free),
            cost=math.fsum(choice.cost for choice in free),
            cost_se=math.hypot(*(choice.cost_se for choice in free)),
            accuracy=math.fsum(choice.accuracy for choice in free) / len(free) if free else None,
        )

    @property
    def turning_points(self) -> tuple[TurningPoint, ...]:
        """Where what a seat could expect clearly changed by `TURNING` points or more; the largest changes first."""
        found = [
            turn
            for seat in range(self.record.rules.players)
            for turn in self._changes(seat)
            if abs(turn.change) >= max(TURNING, CLEAR * turn.change_se)
        ]
        return tuple(sorted(found, key=lambda turn: (-abs(turn.change), turn.choice.ply)))

    def expected(self, seat: int) -> tuple[tuple[int, float], ...]:
        """What a seat could expect at each of its free choices, and got at the end, with the plies."""
        found = [(choice.ply, choice.points) for choice in self.choices if choice.seat == seat]
        end = self._end
        if end is not None:
            found.append((self.record.plies, end.points[seat]))
        return tuple((ply, points) for ply, points in found if points is not None)

    @property
    def _end(self) -> End | None:
        end = self.record.events[-1]
        return end if isinstance(end, End) and not self.stopped else None

    def _changes(self, seat: int) -> Iterator[TurningPoint]:
        free = [choice for choice in self.choices if choice.seat == seat and not choice.is_forced]
        stages = [(*_expectation(choice), False) for choice in free]
        if self._end is not None:
            stages.append((self._end.points[seat], 0.0, True))
        for choice, (before, error, _), (after, later_error, at_end) in zip(free, stages, stages[1:], strict=False):
            yield TurningPoint(choice, before, after, at_end, math.hypot(error, later_error))


def _expectation(choice: Choice) -> tuple[float, float]:
    """What the seat could expect, and the standard error."""
    assert choice.analysis is not None
    return choice.analysis.points[choice.seat], choice.analysis.points_se[choice.seat]


def review(
    record: Record,
    *,
    time: float | None = None,
    iterations: int | None = None,
    seed: int = 1,
    threads: int = 1,
    memory: int = DEFAULT_MEMORY,
    evaluator: Evaluator | None = None,
    on_choice: Callable[[int, int], object] | None = None,
    stop: threading.Event | None = None,
) -> Review:
    """Search for the best move at every choice of a round, finished or not, and hold against it what was played.

    Each search starts from `record.position(ply)`, which is what the mover could know there, and is that of `analyse`
    with these arguments; an action that is not the best one is then searched alone, with the same limits. Where one
    action was legal it costs nothing, and is not searched. In the record of what a seat saw, its own choices are
    reviewed.

    `on_choice` is called after each choice with how many have been reviewed, and of how many. Once `stop` is set the
    choices before are the review; a search that it ends does not count. ValueError for limits that are none.

    >>> from eights_core.rng import Rng
    >>> from eights.rules import Rules
    >>> record = Record(Rules.standard(players=2))
    >>> record.deal(Rng(3))
    >>> while record.plies < 4:
    ...     record.act(record.state.legal_actions()[0])
    ...     record.deal(Rng(4))
    >>> [choice.is_forced for choice in review(record, iterations=50).choices]
    [True, False, False, False]
    """
    search = partial(
        analyse,
        time=time,
        iterations=iterations,
        seed=seed,
        threads=threads,
        memory=memory,
        evaluator=evaluator,
        stop=stop,
    )
    acts = [event for event in record.events if isinstance(event, Act)]
    mine = [(ply, act) for ply, act in enumerate(acts) if record.seat in (None, act.seat)]
    choices: list[Choice] = []
    for ply, act in mine:
        position, action = record.position(ply), parse_action(act.action)
        analysis = alone = None
        if len(position.legal_actions()) > 1:
            analysis = search(position)
            if action != analysis.best:
                (alone,) = search(position, actions=[action]).moves
        if stop is not None and stop.is_set():
            break
        choices.append(Choice(ply, act.seat, action, analysis, alone))
        if on_choice is not None:
            on_choice(len(choices), len(mine))
    return Review(record, tuple(choices), stopped=len(choices) < len(mine))

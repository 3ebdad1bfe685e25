"""Asking for the best move: `analyse` and the `Analysis` that it gives."""

import math
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import index
from time import perf_counter
from typing import Final

from eights_core.game import Evaluator
from eights_core.ismcts import Search
from eights_core.rng import Rng

from eights.actions import BLIND, TAKE, action_text
from eights.forest import Forest, Learnt
from eights.models import Errors, default_evaluator, errors_of
from eights.position import Position
from eights.seat import all_known
from eights.state import State

DEFAULT_TIME: Final = 0.2
DEFAULT_MEMORY: Final = 512 << 20
MOST_POINTS: Final = 3.0
"""Points of a round are from 0 to this (rules §6)."""
MOST_ITERATIONS: Final = (1 << 32) - 1
_SLICE: Final = 0.01  # seconds between two looks at `stop`, signals and the need to report
_OTHER_STREAM: Final = 0x5DEECE66D  # so that walks and iterations draw other worlds
_WALKS: Final = 400  # worlds for `Risks`: a standard error of at most 0.025


@dataclass(frozen=True, slots=True)
class Move:
    """What the search found out about one legal action; points and win chances have an entry for each seat.

    `points_se` are standard errors of `points`. They are put together from `sampling_se`, those of means of so many
    independent rounds and two more, one at each end of what a round can give, since a few equal results prove nothing;
    and from what a learned value is wrong by, as measured in play (`models.errors_of`), for the share of the iterations
    that were `valued`, not having come to the end of the round. `pv` is the line most often played, `action` first;
    cards drawn on its way are those that were drawn most often.
    """

    action: int
    visits: int
    points: tuple[float, ...]
    points_se: tuple[float, ...]
    sampling_se: tuple[float, ...]
    win: tuple[float, ...]
    pv: tuple[int, ...]
    valued: float


@dataclass(frozen=True, slots=True)
class Risks:
    """What may follow the best move before its player acts again, as probabilities against likely answers.

    `caught`: a policeman catches him. `takes`: he has to take the pile, with a Blind Card that does not fit or because
    nothing can be played in his next turn.
    """

    caught: float
    takes: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer of a search. `moves` holds the actions, the best first: the most visited, then the most points.

    They are those that are legal, or that were asked for; fewer if the iterations were fewer.

    `points` and `win` of every seat are those of the best move. `margin` says by how many of the mover's points it is
    ahead of the second, `margin_se` with which standard error; both are None where there is no second. `errors` are
    what it is wrong by besides sampling. `risks` are told when they were asked for. `stopped` is True when the search
    was ended before its limits.
    """

    position: Position
    moves: tuple[Move, ...]
    errors: Errors
    risks: Risks | None
    iterations: int
    nodes: int
    time: float
    seed: int
    stopped: bool

    @property
    def best(self) -> int:
        """The id of the best action."""
        return self.moves[0].action

    @property
    def points(self) -> tuple[float, ...]:
        return self.moves[0].points

    @property
    def points_se(self) -> tuple[float, ...]:
        return self.moves[0].points_se

    @property
    def win(self) -> tuple[float, ...]:
        return self.moves[0].win

    @property
    def margin(self) -> float | None:
        if len(self.moves) < 2:
            return None
        mover = self.position.mover
        return self.moves[0].points[mover] - self.moves[1].points[mover]

    @property
    def margin_se(self) -> float | None:
        if len(self.moves) < 2:
            return None
        mover = self.position.mover
        valued = max(move.valued for move in self.moves[:2])
        return math.hypot(*(move.sampling_se[mover] for move in self.moves[:2]), valued * self.errors.margin)

    @property
    def too_close(self) -> bool:
        """Whether the best move is ahead of the second by less than two standard errors."""
        return self.margin is not None and self.margin_se is not None and self.margin < 2 * self.margin_se

    def __repr__(self) -> str:
        mover = self.position.mover
        return (
            f"<Analysis: {action_text(self.best)} of {len(self.moves)} moves, "
            f"{self.points[mover]:.3f} points for seat {mover}, {self.iterations} iterations>"
        )


def analyse(
    position: Position,
    *,
    time: float | None = None,
    iterations: int | None = None,
    seed: int = 1,
    on_progress: Callable[[Analysis], object] | None = None,
    report_every: float = 0.1,
    stop: threading.Event | None = None,
    memory: int = DEFAULT_MEMORY,
    evaluator: Evaluator | None = None,
    risks: bool = False,
    threads: int = 1,
    actions: Iterable[int] | None = None,
) -> Analysis:
    """Search for the best move of the seat to act, who knows what `position` tells and no more.

    Ends after `time` seconds or `iterations`, whichever comes first, or soon after `stop` is set; with neither limit
    after 0.2 seconds. With a limit of iterations alone the same seed and threads give the same analysis everywhere.
    `on_progress` is called with the analysis so far about every `report_every` seconds; `memory` bounds the tree in
    bytes. `evaluator` is what the search thinks where its tree ends, by default `models.default_evaluator`. With
    `risks` it is also found out what the best move fears, which takes some milliseconds. `threads` grow as many trees
    at the same time, which share the iterations and the memory. With `actions` these alone are searched, as
    if no others were legal. Other threads can run meanwhile.

    ValueError for limits that are none, for actions that are not legal, and where the position does not tell what its
    mover may play; TypeError for iterations or actions that are not whole.

    >>> from eights.position import parse_position
    >>> text = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
    >>> action_text(analyse(parse_position(text), iterations=100).best)
    '0'
    """
    position.check_analysable()
    if time is None and iterations is None:
        time = DEFAULT_TIME
    if time is not None and not 0 < time <= 1e9:
        raise ValueError(f"The time is a number of seconds above 0, not {time}.")
    if iterations is not None and not 0 < index(iterations) <= MOST_ITERATIONS:
        raise ValueError(f"The iterations are a number from 1 to {MOST_ITERATIONS}, not {iterations}.")
    legal = position.legal_actions()
    chosen = None if actions is None else _legal_only(actions, legal)
    evaluator = evaluator or default_evaluator(position.rules)
    errors = errors_of(evaluator, hands_open=all_known(card for seat in position.seats for card in seat.hand))
    limit = iterations or MOST_ITERATIONS
    start = perf_counter()

    def report(now: float, stopped: bool) -> Analysis:
        return _analysis(position, forest, errors, seed, now - start, stopped, risks)

    with Forest(position.belief, evaluator, trees=threads, seed=seed, memory=memory, actions=chosen) as forest:
        report_at = start + report_every
        forest.begin(len(chosen or legal), limit)  # each action is tried before anything can be told
        while forest.iterations < limit:
            now = perf_counter()
            left = _SLICE if time is None else start + time - now
            if left <= 0:
                return report(now, stopped=False)
            if stop is not None and stop.is_set():
                return report(now, stopped=True)
            if on_progress is not None and now >= report_at:
                on_progress(report(now, stopped=False))
                report_at = perf_counter() + report_every
            forest.run(limit, min(left, _SLICE))
        return report(perf_counter(), stopped=False)


def _legal_only(actions: Iterable[int], legal: list[int]) -> list[int]:
    """The actions that are to be searched; ValueError if they are none, or not legal."""
    chosen = [index(action) for action in actions]
    if not chosen:
        raise ValueError("There must be an action to search.")
    for action in chosen:
        if action not in legal:
            raise ValueError(f"{action_text(action)} is not legal here; legal is {', '.join(map(action_text, legal))}.")
    return chosen


def _analysis(
    position: Position, forest: Forest, errors: Errors, seed: int, seconds: float, stopped: bool, risks: bool
) -> Analysis:
    mover = position.mover
    found = forest.moves()
    moves = sorted(
        (_move(tree, errors, action, learnt) for action, (learnt, tree) in found.items()),
        key=lambda move: (-move.visits, -move.points[mover], move.action),
    )
    return Analysis(
        position=position,
        moves=tuple(moves),
        errors=errors,
        risks=_risks(position, found[moves[0].action][1], moves[0].action, seed) if risks else None,
        iterations=forest.iterations,
        nodes=forest.nodes,
        time=seconds,
        seed=seed,
        stopped=stopped,
    )


def _move(tree: Search, errors: Errors, action: int, learnt: Learnt) -> Move:
    visits, ended, sums, squares, wins = learnt
    valued = 1 - ended / visits  # what came to the end of the round is known and not valued
    points = tuple(total / visits for total in sums)
    sampling_se = tuple(_standard_error(visits, *of_seat) for of_seat in zip(sums, squares, strict=True))
    return Move(
        action=action,
        visits=visits,
        points=points,
        points_se=tuple(math.hypot(error, valued * errors.points) for error in sampling_se),
        sampling_se=sampling_se,
        win=tuple(won / visits for won in wins),
        pv=tuple(tree.variation(action)),
        valued=valued,
    )


def _standard_error(visits: int, total: float, squares: float) -> float:
    n, total, squares = visits + 2, total + MOST_POINTS, squares + MOST_POINTS**2
    return math.sqrt(max(0.0, squares - total * total / n) / (n - 1) / n)


def _risks(position: Position, search: Search, action: int, seed: int) -> Risks:
    rng, seat = Rng(seed ^ _OTHER_STREAM), position.mover
    after, end = State(position.rules), State(position.rules)
    before = sum(position.seats[seat].sizes)
    caught = takes = 0
    for _ in range(_WALKS):
        search.walk(action, rng, after, end)
        own = after.counts()[seat]
        if action == BLIND and own > before:
            takes += 1  # the Blind Card did not fit
            continue
        caught += end.counts()[seat] > own
        takes += end.legal_actions() == [TAKE]
    return Risks(caught=caught / _WALKS, takes=takes / _WALKS)

"""Rounds played by search against itself, and what is to be learnt from them.

Only decisions that are searched teach: those with more than one legal action.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np
from eights_core.belief import RandomPlayouts
from eights_core.game import Evaluator
from eights_core.ismcts import Search
from eights_core.model import Model, inputs, plays
from eights_core.rng import Rng
from numpy.typing import NDArray

from eights.rules import Rules
from eights.state import State
from eights.training.fit import OUTPUTS, POLICY

FEATURES: Final = 8
"""The most weights that make up the logit of a play."""
OPTIONS: Final = (
    "five_through_ghost",
    "sealed_eight_and_a_half",
    "halves_add_up",
    "policeman_starts_pile",
    "open_sets",
)
_MEMORY: Final = 64 << 20
_MOST_PLIES: Final = 400  # then a round is broken off: if it goes round in circles it teaches little more


@dataclass(frozen=True)
class Lessons:
    """What searched decisions teach; see `fit` for the shapes.

    `features` [plays, FEATURES] and `shares` [plays] are the plays and their shares of the visits, one decision after
    another, and `lengths` [decisions] how many each has; decisions without plays, as in an exchange, are left out.
    `packed` [n, INPUTS / 8], `expected` [n, OUTPUTS] and `got` [n, OUTPUTS] are the inputs of every seat at every
    decision, what the search expected of the move that was made, and what the round gave; `rounds` [rounds] says how
    many of these rows each round has.
    """

    features: NDArray[np.int16]
    shares: NDArray[np.float32]
    lengths: NDArray[np.int64]
    packed: NDArray[np.uint8]
    expected: NDArray[np.float32]
    got: NDArray[np.float32]
    rounds: NDArray[np.int64]

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each decision begins among the plays, and where the last ends."""
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(self.lengths)))

    def returns(self, trace: float, players: int) -> NDArray[np.float32]:
        """What every row is to teach the value [n, OUTPUTS], by TD(λ) with `trace` for λ (Sutton 1988).

        A return is what the search expected for 1 - λ, and for λ the return of the next decision of the round; that of
        the last is what the round gave.
        """
        values = (1 - trace) * self.expected + trace * self.got
        ends = np.cumsum(self.rounds)
        for first, end in zip(ends - self.rounds, ends, strict=True):
            for row in range(end - 2 * players, first - 1, -players):
                now = slice(row, row + players)
                values[now] = (1 - trace) * self.expected[now] + trace * values[row + players : row + 2 * players]
        return values.astype(np.float32)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """All lessons in one."""
        return cls(**{each.name: np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)})


def evaluator_of(arrays: Mapping[str, NDArray[Any]] | None, plies: int, exploration: float) -> Evaluator:
    """A model with these arrays, or random playouts without."""
    return RandomPlayouts() if arrays is None else Model(**arrays, plies=plies, exploration=exploration)


def random_rules(players: int, rng: Rng) -> Rules:
    """Rules to learn from: half of the time a preset as it is, else one with some options drawn at random."""
    preset = Rules.shafir if rng.below(4) == 0 else Rules.standard
    if rng.below(2):
        return preset(players=players)
    turned = {name: bool(rng.below(2)) for name in OPTIONS if rng.below(2)}
    return preset(players=players, **turned)


def searched_rounds(players: int, evaluator: Evaluator, *, rounds: int, iterations: int, seed: int) -> Lessons:
    """Play rounds with a search of so many iterations at every decision with more than one legal action.

    One of the moves in eight is drawn by its visits, the others have the most. A round that is broken off gave what was
    expected last.
    """
    rng = Rng(seed)
    features: list[list[int]] = []
    shares: list[float] = []
    lengths: list[int] = []
    packed: list[bytes] = []
    expected: list[tuple[float, float]] = []
    got: list[tuple[float, float]] = []
    lasted: list[int] = []
    for _ in range(rounds):
        state = State(random_rules(players, rng))
        state.deal(rng)
        decisions = 0
        while state.mover >= 0 and state.plies < _MOST_PLIES:
            legal = state.legal_actions()
            action = legal[0]
            if len(legal) > 1:
                search = Search(
                    state.observation(state.mover).belief, evaluator, seed=rng.below(1 << 31), memory=_MEMORY
                )
                search.run(iterations)
                moves = search.moves()
                visits = {move: n for move, n, *_ in moves}
                choices = plays(state)
                for play, which in choices:
                    features.append(which + [POLICY - 1] * (FEATURES - len(which)))
                    shares.append(visits.get(play, 0) / iterations)
                if choices:
                    lengths.append(len(choices))
                action = _chosen(visits, iterations, rng)
                _, n, _, points, _, wins = next(move for move in moves if move[0] == action)
                for seat in range(players):
                    packed.append(inputs(state, seat))
                    expected.append((points[seat] / n, wins[seat] / n))
                decisions += 1
            state.apply(action)
            state.deal(rng)
        if state.winner is None:
            got += expected[-players:] * decisions
        else:
            got += [(points, float(seat == state.winner)) for seat, points in enumerate(state.points())] * decisions
        lasted.append(decisions * players)
    return Lessons(
        np.array(features, np.int16).reshape(-1, FEATURES),
        np.array(shares, np.float32),
        np.array(lengths, np.int64),
        np.frombuffer(b"".join(packed), np.uint8).reshape(len(packed), -1),
        np.array(expected, np.float32).reshape(-1, OUTPUTS),
        np.array(got, np.float32).reshape(-1, OUTPUTS),
        np.array(lasted, np.int64),
    )


def _chosen(visits: dict[int, int], total: int, rng: Rng) -> int:
    if rng.below(8):
        return max(visits, key=lambda action: visits[action])
    at = rng.below(total)
    for action, n in visits.items():
        at -= n
        if at < 0:
            return action
    return max(visits, key=lambda action: visits[action])

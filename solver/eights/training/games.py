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
    `packed` [n, INPUTS / 8] and `values` [n, OUTPUTS] are the inputs of every seat at every decision, and what it may
    expect.
    """

    features: NDArray[np.int16]
    shares: NDArray[np.float32]
    lengths: NDArray[np.int64]
    packed: NDArray[np.uint8]
    values: NDArray[np.float32]

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each decision begins among the plays, and where the last ends."""
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(self.lengths)))

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


def searched_rounds(
    players: int, evaluator: Evaluator, *, rounds: int, iterations: int, share: float, seed: int
) -> Lessons:
    """Play rounds with a search of so many iterations at every decision with more than one legal action.

    A seat's value is for the `share` what it got in the end, and for the rest what the search expected of the move that
    was made; it is all expected in a round that is broken off. One of these moves in eight is drawn by its visits,
    the others have the most.
    """
    rng = Rng(seed)
    features: list[list[int]] = []
    shares: list[float] = []
    lengths: list[int] = []
    packed: list[bytes] = []
    expected: list[tuple[float, float]] = []
    got: list[tuple[float, float]] = []
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
                _, n, points, _, wins = next(move for move in moves if move[0] == action)
                for seat in range(players):
                    packed.append(inputs(state, seat))
                    expected.append((points[seat] / n, wins[seat] / n))
                decisions += 1
            state.apply(action)
            state.deal(rng)
        if state.winner is None:
            got += expected[len(got) :]
        else:
            got += [(points, float(seat == state.winner)) for seat, points in enumerate(state.points())] * decisions
    values = share * np.array(got, np.float32) + (1 - share) * np.array(expected, np.float32)
    return Lessons(
        np.array(features, np.int16).reshape(-1, FEATURES),
        np.array(shares, np.float32),
        np.array(lengths, np.int64),
        np.frombuffer(b"".join(packed), np.uint8).reshape(len(packed), -1),
        values.reshape(-1, OUTPUTS).astype(np.float32),
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

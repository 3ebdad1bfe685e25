from collections.abc import Sequence
from typing import Final

from eights_core.game import Evaluator, Problem
from eights_core.halves import RoundState, Ruleset
from eights_core.rng import Rng

MOST_STATES: Final[int]

class Belief(Problem):
    ruleset: Final[Ruleset]
    def __init__(
        self,
        ruleset: Ruleset,
        *,
        mover: int,
        phase: int,
        exchange: tuple[int, int] | None,
        value: int,
        demand: bool,
        plies: int,
        pile: Sequence[int],
        seats: Sequence[tuple[int, Sequence[int], Sequence[int], int, Sequence[int], bool]],
        unknown: Sequence[tuple[int, int, int, int]],
    ) -> None: ...
    @property
    def deals(self) -> float: ...
    def sample_into(self, state: RoundState, rng: Rng) -> None: ...

class RandomPlayouts(Evaluator): ...

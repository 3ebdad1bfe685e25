from typing import Any

from eights_core.game import Evaluator
from eights_core.halves import RoundState, Ruleset
from eights_core.rng import Rng

class Model(Evaluator):
    def __init__(
        self,
        *,
        hidden: Any,
        hidden_bias: Any,
        output: Any,
        output_bias: Any,
        policy: Any,
        plies: int,
        exploration: float,
    ) -> None: ...
    @property
    def plies(self) -> int: ...
    def choose(self, state: RoundState, rng: Rng) -> int: ...
    def products(self, words: bytes) -> list[list[int]]: ...
    def shares(self, state: RoundState) -> list[float]: ...
    def evaluate(self, state: RoundState) -> tuple[list[float], list[float]]: ...

def inputs(state: RoundState, seat: int) -> bytes: ...
def plays(state: RoundState) -> list[tuple[int, list[int]]]: ...
def self_play(
    ruleset: Ruleset, model: Model | None, rounds: int, every: int, rng: Rng, *, samples: int
) -> tuple[bytes, bytes]: ...

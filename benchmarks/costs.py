"""How long paired deals will take: rough figures, to tell before they are played.

Measured with the plain search on one core of a small machine that had nothing else to do.
"""

from eights.analysis import DEFAULT_TIME
from eights.specs import PlayerSpec

FREE_DECISIONS = {2: 150, 3: 65, 4: 43, 5: 42, 6: 42}
"""Free decisions of all players in a round between players who search."""
SHORTER = 0.5  # of such a round against players who do not
ITERATIONS_PER_S = {"plain": 150_000, "engine": 400_000}
SECONDS_PER_SEARCH = 0.0006  # beyond its limits: the position from the record, the belief, the answer
SECONDS_PER_SEAT = 0.004  # of a round: the state's moves, and the seat's record


def seconds_per_deal(challenger: PlayerSpec, field: PlayerSpec, players: int) -> float:
    """What a deal takes one process: a round with the challenger in every seat."""
    others = players - 1
    decisions = FREE_DECISIONS[players] / players
    if not (challenger.searches and field.searches):
        decisions *= SHORTER
    thinking = decisions * (_seconds_per_decision(challenger) + others * _seconds_per_decision(field))
    return players * (thinking + players * SECONDS_PER_SEAT)


def in_words(seconds: float) -> str:
    """Some time for a reader."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def _seconds_per_decision(spec: PlayerSpec) -> float:
    if not spec.searches:
        return 0.0
    limits = []
    if spec.time is not None:
        limits.append(spec.time)
    if spec.iterations is not None:
        limits.append(spec.iterations / ITERATIONS_PER_S[spec.kind])
    return min(limits, default=DEFAULT_TIME) + SECONDS_PER_SEARCH

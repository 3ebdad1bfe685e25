"""A sequential test of two means: deals are played until one of them is accepted, and no longer."""

import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple

MOST: Final = 3.0
"""No difference is larger: the points of a winner with the lowest count, by either scoring."""
PRIOR: Final = MOST**2
"""The squared deviation of one more deal, from either mean: as large as that of any deal that has not come yet.

Without it the variance of the first few deals is often far too small, most of all between unequal players, of whom one
nearly always wins. Of tests with the differences of greedy and random, shifted so that the lower mean was true, 12 %
were wrong with a prior of 1, instead of 5 %, for means 0.5 or 1 apart; with this one 5 % and 2 %. It takes 7 deals more
where they were 40, and 20 where they were 80 (4,000 simulated tests each way).
"""


@dataclass(frozen=True)
class Sprt:
    """A generalized sequential probability ratio test of the mean difference of paired deals: `low` against `high`.

    It accepts `high` where the mean is `low` with probability `alpha`, `low` where it is `high` with `beta`, about.
    ValueError, a sentence, for means that cannot be told apart or that no players have, and for other probabilities
    than between 0 and 0.5.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -MOST <= self.low < self.high <= MOST:
            raise ValueError(
                f"A test is between two means from {-MOST:g} to {MOST:g}, the lower first, "
                f"not {self.low:g} and {self.high:g}."
            )
        if not all(0 < error < 0.5 for error in (self.alpha, self.beta)):
            raise ValueError("The probabilities of an error are above 0 and below 0.5.")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `low` and `high` are accepted (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


class Verdict(NamedTuple):
    """What a test says: the log-likelihood ratio, the mean that is accepted, if any yet, and of how many deals."""

    sprt: Sprt
    llr: float
    accepted: float | None
    deals: int


@dataclass
class Run:
    """A test as its deals come in.

    >>> run = Run(Sprt(0, 0.5))
    >>> for difference in (1.5, 0.0, 1.0, 2.0, 0.5, 1.0, 1.0, 1.5, 1.0, 2.0, 1.5, 1.0, 1.5):
    ...     run.add(difference)
    >>> run.verdict.accepted, run.verdict.deals, f"{run.verdict.llr:.2f}"
    (0.5, 13, '3.23')
    """

    sprt: Sprt
    deals: int = 0
    accepted: float | None = None
    _squares: list[float] = field(default_factory=lambda: [PRIOR, PRIOR])  # of the deviations from low and high

    def add(self, difference: float) -> None:
        """Take in the next deal; ValueError when the test is over."""
        if self.accepted is not None:
            raise ValueError("The test is over.")
        self.deals += 1
        for side, mean in enumerate((self.sprt.low, self.sprt.high)):
            self._squares[side] += (difference - mean) ** 2
        lower, upper = self.sprt.bounds
        if self.llr <= lower:
            self.accepted = self.sprt.low
        elif self.llr >= upper:
            self.accepted = self.sprt.high

    @property
    def llr(self) -> float:
        """The generalized log-likelihood ratio of `high` to `low`, for a normal distribution of unknown variance.

        Each mean is given the variance that fits it best, as in fishtest: M. Van den Bergh, A Practical Introduction to
        the GSPRT; on why the bounds are still Wald's: X. Li, J. Liu and Z. Ying, Generalized Sequential Probability
        Ratio Test for Separate Families of Hypotheses, 2014.
        """
        of_low, of_high = self._squares
        return self.deals / 2 * math.log(of_low / of_high)

    @property
    def verdict(self) -> Verdict:
        """What the test says so far."""
        return Verdict(self.sprt, self.llr, self.accepted, self.deals)

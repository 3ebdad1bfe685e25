"""Learning from rounds that were played: the value as a small net, the policy as a softmax over plays, in numpy.

The constants up to `MOST_ACTIVE` are those of `eights_core.model`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

INPUTS: Final = 448
HIDDEN: Final = 64
OUTPUTS: Final = 2
POLICY: Final = 256
ONE: Final = 256
"""What stands for 1 in the integers of the hidden layer and of the policy."""
ONE_OUT: Final = 1024
"""What stands for 1 in the integers of the outputs."""
MOST_ACTIVE: Final = 4095 / ONE
"""Hidden units are cut off here."""
BATCH: Final = 4096
"""Rows of a step of the value."""
DECISIONS: Final = 2048
"""Decisions of a step of the policy."""

Floats = NDArray[np.float32]
Progress = Callable[[str], object]


@dataclass
class Network:
    """A value network in floats: `hidden` [INPUTS, HIDDEN], `output` [HIDDEN, OUTPUTS] and their biases."""

    hidden: Floats
    hidden_bias: Floats
    output: Floats
    output_bias: Floats

    @classmethod
    def fresh(cls, seed: int) -> "Network":
        """Small random weights."""
        rng = np.random.default_rng(seed)
        return cls(
            rng.normal(0, 0.1, (INPUTS, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            rng.normal(0, 0.1, (HIDDEN, OUTPUTS)).astype(np.float32),
            np.array([0.75, 0.25], np.float32),
        )

    @property
    def parts(self) -> tuple[Floats, ...]:
        return self.hidden, self.hidden_bias, self.output, self.output_bias

    def __call__(self, bits: Floats) -> Floats:
        """Points and chance to win, [n, OUTPUTS], of inputs [n, INPUTS] of zeros and ones."""
        active = np.clip(bits @ self.hidden + self.hidden_bias, 0, MOST_ACTIVE)
        return np.asarray(active @ self.output + self.output_bias, np.float32)

    def gradients(self, bits: Floats, targets: Floats, weights: Floats) -> tuple[float, tuple[Floats, ...]]:
        """Squared error over a batch, weighted by output and meant over rows, and its gradient by every part."""
        sums = bits @ self.hidden + self.hidden_bias
        active = np.clip(sums, 0, MOST_ACTIVE)
        errors = active @ self.output + self.output_bias - targets
        loss = float((errors * errors * weights).sum() / len(bits))
        back = errors * weights * (2 / len(bits))
        inner = (back @ self.output.T) * ((sums > 0) & (sums < MOST_ACTIVE))
        return loss, (bits.T @ inner, inner.sum(0), active.T @ back, back.sum(0))


class Adam:
    """The optimizer of Kingma and Ba (2015), for a list of arrays that it changes in place."""

    def __init__(self, parts: tuple[Floats, ...]) -> None:
        self.parts = parts
        self.first = [np.zeros_like(part) for part in parts]
        self.second = [np.zeros_like(part) for part in parts]
        self.steps = 0

    def step(self, gradients: tuple[Floats, ...], rate: float) -> None:
        self.steps += 1
        corrected = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for part, gradient, first, second in zip(self.parts, gradients, self.first, self.second, strict=True):
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            part -= corrected * first / (np.sqrt(second) + 1e-8)


def unpacked(packed: NDArray[np.uint8]) -> Floats:
    """Inputs [n, INPUTS] of zeros and ones from bytes [n, INPUTS / 8]."""
    return np.unpackbits(packed, axis=1, bitorder="little").astype(np.float32)


def fit_value(
    network: Network, packed: NDArray[np.uint8], targets: Floats, *, epochs: int, rate: float, seed: int, say: Progress
) -> None:
    """Move a network towards targets [n, OUTPUTS] by `epochs` passes; the rate falls to nothing as a cosine.

    `packed` are inputs as of `unpacked`. What does not fill a last batch is left out, other rows in every pass.
    """
    rng = np.random.default_rng(seed)
    adam = Adam(network.parts)
    weights = np.array([1.0, 2.0], np.float32)  # a chance to win varies less than points
    batches = max(1, len(packed) // BATCH)
    total = epochs * batches
    for epoch in range(epochs):
        order = rng.permutation(len(packed))
        losses = []
        for number in range(batches):
            chosen = order[number * BATCH : (number + 1) * BATCH]
            done = (epoch * batches + number) / total
            loss, gradients = network.gradients(unpacked(packed[chosen]), targets[chosen], weights)
            adam.step(gradients, rate * 0.5 * (1 + np.cos(np.pi * done)))
            losses.append(loss)
        say(f"value: epoch {epoch + 1} of {epochs}, loss {np.mean(losses):.4f}")


def fit_policy(
    policy: Floats,
    features: NDArray[np.int32],
    starts: NDArray[np.int64],
    targets: Floats,
    *,
    epochs: int,
    rate: float,
    decay: float,
    seed: int,
    say: Progress,
) -> None:
    """Move a policy [POLICY] towards the shares of plays in decisions, by cross entropy.

    `features` [plays, k] are the weights that make up each play's logit, filled up with POLICY - 1, which stays 0.
    Decision i has the plays from starts[i] up to, but not with, starts[i + 1]; its `targets` [plays] add up to 1. The
    rate falls to nothing as a cosine; `decay` draws all weights to 0.
    """
    rng = np.random.default_rng(seed)
    adam = Adam((policy,))
    decisions = len(starts) - 1
    batches = max(1, decisions // DECISIONS)
    for epoch in range(epochs):
        order = rng.permutation(decisions)
        losses = []
        for number in range(batches):
            chosen = order[number * DECISIONS : (number + 1) * DECISIONS]
            lengths = starts[chosen + 1] - starts[chosen]
            firsts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
            rows = np.repeat(starts[chosen] - firsts, lengths) + np.arange(lengths.sum())
            which = features[rows]
            logits = policy[which].sum(1)
            logits -= np.repeat(np.maximum.reduceat(logits, firsts), lengths)
            odds = np.exp(logits)
            chances = odds / np.repeat(np.add.reduceat(odds, firsts), lengths)
            losses.append(-float((targets[rows] * np.log(chances + 1e-12)).sum()) / len(chosen))
            errors = (chances - targets[rows]) / len(chosen)
            gradient = np.bincount(which.ravel(), np.repeat(errors, which.shape[1]), POLICY).astype(np.float32)
            gradient += decay * policy
            gradient[POLICY - 1] = 0
            done = (epoch * batches + number) / (epochs * batches)
            adam.step((gradient,), rate * 0.5 * (1 + np.cos(np.pi * done)))
        say(f"policy: epoch {epoch + 1} of {epochs}, cross entropy {np.mean(losses):.4f}")


def quantized(network: Network, policy: Floats) -> dict[str, NDArray[np.int16] | NDArray[np.int32]]:
    """The arrays of `eights_core.model.Model`: rounded to its units, and cut off where they leave its integers."""

    def rounded(values: Floats, one: int) -> NDArray[np.int16]:
        return np.clip(np.rint(values * one), -32767, 32767).astype(np.int16)

    return {
        "hidden": rounded(network.hidden, ONE),
        "hidden_bias": rounded(network.hidden_bias, ONE),
        "output": rounded(np.ascontiguousarray(network.output.T), ONE_OUT),
        "output_bias": np.rint(network.output_bias * ONE * ONE_OUT).astype(np.int32),
        "policy": rounded(policy, ONE),
    }

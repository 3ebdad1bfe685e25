"""The random number generator: reference values, unbiased draws, copies."""

import pickle
from collections import Counter

import pytest
from eights_core.rng import Rng
from hypothesis import given
from hypothesis import strategies as st

MASK = (1 << 64) - 1


def reference(seed: int) -> "list[int]":
    """The first outputs of xoshiro256++ seeded by splitmix64, straight from the published algorithms."""
    state = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        state.append(z ^ (z >> 31))

    def rotl(x: int, k: int) -> int:
        return ((x << k) | (x >> (64 - k))) & MASK

    outputs = []
    for _ in range(20):
        outputs.append((rotl((state[0] + state[3]) & MASK, 23) + state[0]) & MASK)
        t = (state[1] << 17) & MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= t
        state[3] = rotl(state[3], 45)
    return outputs


@pytest.mark.parametrize("seed", [0, 1, 12345, MASK])
def test_floats_are_the_high_bits_of_xoshiro(seed: int) -> None:
    rng = Rng(seed)
    assert [rng.random() for _ in range(20)] == [(x >> 11) / 2**53 for x in reference(seed)]


def test_the_splitmix_of_zero_is_the_published_one() -> None:
    # The first output of splitmix64 from 0 is 0xE220A8397B1DCDAF; xoshiro's state begins with it.
    seed = 0x9E3779B97F4A7C15
    z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    assert z ^ (z >> 31) == 0xE220A8397B1DCDAF


@given(st.integers(0, MASK), st.integers(1, (1 << 32) - 1))
def test_below_stays_below(seed: int, n: int) -> None:
    assert 0 <= Rng(seed).below(n) < n


def test_below_is_uniform() -> None:
    rng, n = Rng(1), 70_000
    counts = Counter(rng.below(7) for _ in range(n))
    chi_squared = sum((counts[k] - n / 7) ** 2 / (n / 7) for k in range(7))
    assert chi_squared < 22.5  # 6 degrees of freedom: exceeded once in a thousand


def test_below_rejects_what_would_bias() -> None:
    # 3 * 2**30 numbers: without rejection two of the thirds would be hit with probability 1/4 and the other with 1/2.
    rng, n = Rng(2), 30_000
    thirds = Counter(rng.below(3 << 30) >> 30 for _ in range(n))
    assert all(abs(thirds[k] - n / 3) < 5 * (n * 2 / 9) ** 0.5 for k in range(3))


def test_copies_and_pickles_go_on_alike() -> None:
    rng = Rng(9)
    rng.random()
    copies = [rng.copy(), pickle.loads(pickle.dumps(rng))]
    expected = [rng.below(1000) for _ in range(10)]
    for copy in copies:
        assert [copy.below(1000) for _ in range(10)] == expected


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_seeds_out_of_range_are_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="A seed is a whole number from 0 to"):
        Rng(seed)


@pytest.mark.parametrize("n", [0, -3, 1 << 32])
def test_nothing_is_drawn_below_nonsense(n: int) -> None:
    with pytest.raises(ValueError, match="Cannot draw a number below"):
        Rng(1).below(n)

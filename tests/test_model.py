"""The learned player in the core against plain numpy, and the file of its weights."""

import json
import math
import os
from collections import Counter
from pathlib import Path

import eights
import numpy as np
import pytest
from eights import Rng, Rules, State, parse_position
from eights.actions import BLIND, TAKE
from eights.models import (
    MAGIC,
    ArrayHeader,
    WeightsError,
    default_evaluator,
    file_checksum,
    load_weights,
    read_weights,
    write_weights,
)
from eights_core.belief import RandomPlayouts
from eights_core.halves import PLAY
from eights_core.ismcts import Search
from eights_core.model import Model, inputs, plays, self_play
from hypothesis import given, settings
from hypothesis import strategies as st


def random_arrays(seed: int) -> "dict[str, np.ndarray]":
    rng = np.random.default_rng(seed)
    return {
        "hidden": rng.integers(-80, 80, (448, 64), dtype=np.int16),
        "hidden_bias": rng.integers(-300, 300, 64, dtype=np.int16),
        "output": rng.integers(-200, 200, (2, 64), dtype=np.int16),
        "output_bias": rng.integers(-100_000, 300_000, 2, dtype=np.int32),
        "policy": rng.integers(-400, 400, 256, dtype=np.int16),
    }


def model_of(arrays: "dict[str, np.ndarray]", plies: int = 4) -> Model:
    return Model(**arrays, plies=plies, exploration=0.3)


def content_of(arrays: "dict[str, np.ndarray]", players: int = 4) -> bytes:
    return write_weights(
        {key: array.astype(array.dtype.newbyteorder("<")).tobytes() for key, array in arrays.items()},
        {key: ArrayHeader(array.shape, str(array.dtype)) for key, array in arrays.items()},
        players=players,
        plies=4,
        exploration=0.3,
        made_by="a test",
    )


def some_state(seed: int, players: int, plies: int, **options: bool) -> State:
    """A random round at a decision."""
    rng, state = Rng(seed), State(Rules.standard(players=players, **options))
    state.deal(rng)
    for _ in range(plies):
        legal, after = state.legal_actions(), state.copy()
        after.apply(legal[rng.below(len(legal))])
        after.deal(rng)
        if after.mover == eights.TERMINAL:
            break
        state = after
    return state


STATES = st.builds(
    some_state,
    seed=st.integers(0, 2**32),
    players=st.integers(2, 6),
    plies=st.integers(0, 90),
    open_sets=st.booleans(),
    halves_add_up=st.booleans(),
)


@given(state=STATES, seed=st.integers(0, 100))
@settings(max_examples=60, deadline=None)
def test_the_value_is_that_of_the_net_in_integers(state: State, seed: int) -> None:
    arrays = random_arrays(seed)
    points, wins = model_of(arrays).evaluate(state)
    for seat in range(state.players):
        bits = np.unpackbits(np.frombuffer(inputs(state, seat), np.uint8), bitorder="little")
        sums = arrays["hidden"][bits == 1].astype(np.int64).sum(0) + arrays["hidden_bias"]
        active = np.clip(sums, 0, 4095)
        outputs = (arrays["output"].astype(np.int64) @ active + arrays["output_bias"]) / 2**18
        assert points[seat] == min(max(outputs[0], 0), 3)
        assert wins[seat] == min(max(outputs[1], 0), 1)


@given(seed=st.integers(0, 2**32), chance=st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_all_ways_to_compute_the_net_agree(seed: int, chance: float) -> None:
    arrays = random_arrays(seed)
    bits = np.random.default_rng(seed).random(448) < chance
    ways = model_of(arrays).products(np.packbits(bits, bitorder="little").tobytes())
    active = np.clip(arrays["hidden"][bits].astype(np.int64).sum(0) + arrays["hidden_bias"], 0, 4095)
    assert len(ways) >= 1
    assert ways == [list(arrays["output"].astype(np.int64) @ active)] * len(ways)


def test_the_inputs_of_a_position_bit_by_bit() -> None:
    text = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
    state = parse_position(text).sample(Rng(1))
    bits = np.unpackbits(np.frombuffer(inputs(state, 1), np.uint8), bitorder="little").reshape(7, 64)

    def ranks(word: int, at: int) -> "list[int]":
        return [rank for rank in range(12) if bits[word, at + rank]]

    assert ranks(0, 0) == [0, 2, 4]  # own hand, once at least
    assert ranks(0, 12) == ranks(0, 24) == ranks(0, 36) == []
    assert ranks(0, 48) == [1, 3, 6]  # own Open Cards
    assert list(bits[0, 60:62]) == [0, 1]  # not at the table; to act
    assert ranks(1, 24) == [8, 9]  # the next player's Open Cards
    assert ranks(1, 48) == [0, 5, 11]  # those of the one before
    assert list(bits[2, 24:34]) == [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]  # a Bank of 8
    assert list(bits[2, 34:37]) == [1, 1, 1]  # three Blind Cards
    assert list(np.flatnonzero(bits[4])) == [18]  # the pile stands at 9, and it is his turn
    assert list(np.flatnonzero(bits[5, :28])) == []
    assert list(np.flatnonzero(bits[5, 28:33])) == [2]  # four players
    assert list(bits[5, 40:46]) == [1, 1, 0, 0, 0, 0]  # five cards on the pile


@given(state=STATES)
@settings(max_examples=60, deadline=None)
def test_the_policy_knows_every_legal_play(state: State) -> None:
    choices = plays(state)
    legal = [action for action in state.legal_actions() if action not in (BLIND, TAKE)]
    assert sorted(action for action, _ in choices) == legal
    for _, which in choices:
        assert len(set(which)) == len(which) <= 8
        assert all(0 <= index < 255 for index in which)


def test_the_policy_plays_by_the_exponentials_of_its_sums() -> None:
    arrays = random_arrays(3)
    states = (some_state(seed, 2, 80) for seed in range(1000))
    state = next(state for state in states if state.phase == PLAY and len(plays(state)) > 4)
    choices = plays(state)
    logits = np.array([arrays["policy"][which].astype(int).sum() / 256 for _, which in choices])
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    seen: Counter[int] = Counter()
    rng, n = Rng(1), 20_000
    model = model_of(arrays)
    for _ in range(n):
        seen[model.choose(state, rng)] += 1
    expected = {action: n * chance for (action, _), chance in zip(choices, chances, strict=True)}
    chi_squared = sum((seen[action] - mean) ** 2 / mean for action, mean in expected.items())
    assert set(seen) <= set(expected)
    assert chi_squared < 30  # up to 9 degrees of freedom: exceeded once in two thousand


@given(state=STATES, seed=st.integers(0, 100))
@settings(max_examples=60, deadline=None)
def test_shares_are_the_probabilities_of_the_policy(state: State, seed: int) -> None:
    arrays = random_arrays(seed)
    shares = model_of(arrays).shares(state)
    logits = np.array([arrays["policy"][which].astype(int).sum() / 256 for _, which in plays(state)])
    chances = np.exp(logits - logits.max(initial=0))
    expected = chances / chances.sum() if len(logits) else np.full(len(shares), 1 / len(shares))
    assert shares == pytest.approx(list(expected), abs=1e-4)


def test_the_policy_has_no_shares_where_nobody_is_to_act() -> None:
    with pytest.raises(ValueError, match="asked where a player is to act"):
        model_of(random_arrays(1)).shares(State(Rules.standard(players=2)))


def test_the_root_tries_the_likeliest_first() -> None:
    states = (some_state(seed, 2, 80) for seed in range(1000))
    state = next(state for state in states if state.phase == PLAY and len(plays(state)) > 4)
    model = model_of(random_arrays(4))
    order = sorted(zip(model.shares(state), state.legal_actions(), strict=True), key=lambda pair: (-pair[0], pair[1]))
    search = Search(state.observation(state.mover).belief, model, seed=1, memory=1 << 20)
    for tried in range(1, len(order) + 1):
        search.run(tried)
        assert [(action, visits) for action, visits, *_ in search.moves()] == [
            (action, 1) for action in sorted(action for _, action in order[:tried])
        ]


def test_below_the_root_a_tree_widens_slowly() -> None:
    """With a prior fewer actions are tried than without, and what the policy thinks decides which."""
    position = parse_position(
        "standard 0 G,7,7 0:001122334556779HHGGG:3:3:001124444455567888899999HHHHHGG*/0:-:35:3:002366678* 211"
    )
    guided, free = (
        Search(position.belief, evaluator, seed=1, memory=1 << 24)
        for evaluator in (default_evaluator(position.rules), RandomPlayouts())
    )
    guided.run(2000)
    free.run(2000)
    lengths = [len(search.variation(max(search.moves(), key=lambda move: move[1])[0], 99)) for search in (guided, free)]
    assert lengths[0] > lengths[1]


def test_a_full_tree_goes_on_learning() -> None:
    position = some_state(9, 4, 20).observation(some_state(9, 4, 20).mover)
    search = Search(position.belief, model_of(random_arrays(1)), seed=1, memory=1 << 16)
    search.run(20_000)
    assert search.full
    assert search.bytes_used <= 1 << 16
    assert sum(visits for _, visits, *_ in search.moves()) == 20_000


def test_analysis_with_a_model_is_reproducible_and_fair() -> None:
    model = model_of(random_arrays(1))
    position = some_state(9, 4, 20).observation(some_state(9, 4, 20).mover)
    twins = [position.sample(Rng(seed)).observation(position.mover) for seed in range(3)]
    analyses = [eights.analyse(twin, iterations=500, evaluator=model).moves for twin in twins]
    assert analyses[0] == analyses[1] == analyses[2]
    plain = eights.analyse(position, iterations=500, evaluator=RandomPlayouts()).moves
    assert plain != analyses[0]


def test_self_play_gives_what_the_rounds_gave() -> None:
    rules = Rules.standard(players=3)
    packed, targets = self_play(rules.ruleset, model_of(random_arrays(2)), 40, 3, Rng(1), samples=5000)
    bits = np.unpackbits(np.frombuffer(packed, np.uint8).reshape(-1, 56), axis=1, bitorder="little")
    got = np.frombuffer(targets, np.float32).reshape(-1, 2)
    assert len(bits) == len(got)
    assert len(got) % 3 == 0
    by_state = got.reshape(-1, 3, 2)
    assert (by_state[:, :, 1].sum(1) <= 1).all()  # one winner
    assert ((by_state[:, :, 0].sum(1) >= 1) & (by_state[:, :, 0].sum(1) <= 5)).all()
    acting = bits.reshape(-1, 3, 448)[:, :, 61]
    assert (acting.sum(1) == 1).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"policy": np.zeros(10, np.int16)}, "other shapes"),
        ({"hidden": np.zeros((448, 32), np.int16)}, "other shapes"),
        ({"output": np.full((2, 64), 32767, np.int16)}, "too large"),
        ({"hidden": np.full((448, 64), 100, np.int16)}, "hidden unit 0 are too large"),
        ({"hidden": np.full((448, 64), -100, np.int16)}, "hidden unit 0 are too large"),
        ({"hidden": np.zeros((448, 64), np.float32)}, "Buffer dtype"),
    ],
)
def test_wrong_arrays_are_refused(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model_of({**random_arrays(1), **change})
    with pytest.raises(ValueError, match="0 to 1000 plies"):
        model_of(random_arrays(1), plies=-1)
    for exploration in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match="more than 0 and at most 10"):
            Model(**random_arrays(1), plies=4, exploration=exploration)


# ---- files


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    arrays = random_arrays(4)
    path = tmp_path / "some.weights"
    path.write_bytes(content_of(arrays))
    state = some_state(1, 4, 30)
    assert load_weights(path).evaluate(state) == model_of(arrays).evaluate(state)


def test_damaged_files_are_refused_with_a_sentence(tmp_path: Path) -> None:
    content = content_of(random_arrays(4))
    head, _, data = content[len(MAGIC) :].partition(b"\n")
    header = json.loads(head)

    def with_header(**changes: object) -> bytes:
        return MAGIC + json.dumps({**header, **changes}).encode() + b"\n" + data

    shapes = {**header["arrays"], "policy": {"shape": [128, 2], "dtype": "int16"}}
    rooms = header["arrays"]["policy"]["shape"]
    deep = {**header["arrays"], "policy": {"shape": [1] * 80 + rooms, "dtype": "int16"}}
    cases = {
        b"": "does not begin with",
        content.replace(b"weights 1", b"weights 2", 1): "does not begin with",
        content[:-1]: "cut short or too long",
        content + b"x": "cut short or too long",
        content[:-1] + bytes([content[-1] ^ 1]): "its checksum",
        MAGIC + b"{}\n" + data: "header .* cannot be read",
        MAGIC + b"[" * 100_000: "header .* cannot be read",
        with_header(arrays={}): "has the arrays",
        with_header(arrays=shapes): "does not fit this version",
        with_header(arrays=deep): "does not fit this version",
        with_header(arrays={"x" * 999: header["arrays"]["policy"]}): "has the arrays 'x+'…",
        with_header(plies=-3): "does not fit this version",
        with_header(plies=10**4000): "does not fit this version",
        with_header(players=7): "header .* cannot be read",
        with_header(exploration=0): "header .* cannot be read",
        with_header(exploration=-1): "header .* cannot be read",
        with_header(exploration=10.5): "header .* cannot be read",
        with_header(exploration=math.inf): "header .* cannot be read",
        with_header(exploration=math.nan): "header .* cannot be read",
    }
    for wrong, message in cases.items():
        with pytest.raises(WeightsError, match=message) as caught:
            read_weights(wrong)
        assert len(str(caught.value)) < 400
    path = tmp_path / "huge.weights"
    path.write_bytes(MAGIC + bytes(3 << 20))
    for read in (load_weights, file_checksum):
        with pytest.raises(WeightsError, match=r"'huge\.weights' is larger than"):
            read(path)


def test_weights_are_refused_where_they_are_of_no_use(tmp_path: Path) -> None:
    path = tmp_path / "four.weights"
    path.write_bytes(content_of(random_arrays(4), players=4))
    load_weights(path, Rules.standard(4, open_sets=True))
    with pytest.raises(WeightsError, match=r"^'four.weights' holds weights for 4 players, not for 3\.$"):
        load_weights(path, Rules.standard(3))
    with pytest.raises(WeightsError, match="for the full deck and three cards in each zone"):
        load_weights(path, Rules.standard(4, hand_size=2))


def test_a_file_is_read_again_when_it_has_changed_only(tmp_path: Path) -> None:
    path = tmp_path / "some.weights"
    path.write_bytes(content_of(random_arrays(4)))
    first = load_weights(path)
    assert load_weights(path, Rules.standard(4)) is first
    path.write_bytes(content_of(random_arrays(5)))
    os.utime(path, ns=(0, 1))
    state = some_state(1, 4, 30)
    assert load_weights(path).evaluate(state) == model_of(random_arrays(5)).evaluate(state)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        load_weights(path)


@given(st.binary(max_size=300), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_any_content_is_a_model_or_a_sentence(noise: bytes, at: int) -> None:
    content = content_of(random_arrays(4))
    for wrong in (noise, MAGIC + noise, content[: at % len(content)] + noise):
        with pytest.raises(WeightsError):
            read_weights(wrong)

"""The encoding of an observation: its layout, entry by entry, and that it shows no more than its seat sees."""

import eights
import numpy as np
import pytest
from eights import Rng, Rules, State, parse_position
from eights.actions import COPIES
from eights_core.encoding import encode, encoding_size, layout
from hypothesis import given, settings
from hypothesis import strategies as st


def encoded(state: State, seat: int) -> np.ndarray:
    out = np.full(encoding_size(state.players), np.nan, dtype=np.float32)
    encode(state, seat, out)
    return out


def parts(state: State, seat: int) -> "dict[str, np.ndarray]":
    out = encoded(state, seat)
    return {name: out[start : start + length] for name, start, length in layout(state.players)}


def hot(length: int, at: int) -> "list[float]":
    return [float(i == at) for i in range(length)]


def shares(cards: str) -> "list[np.float32]":
    counts = [cards.count(char) for char in "0123456789HG"]
    return [np.float32(n / copies) for n, copies in zip(counts, COPIES, strict=True)]


@pytest.mark.parametrize("players", range(2, 7))
def test_the_layout_covers_the_encoding(players: int) -> None:
    at = 0
    for _, start, length in layout(players):
        assert start == at
        at += length
    assert at == encoding_size(players)


def test_every_part_of_a_position() -> None:
    text = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
    seen = parts(parse_position(text).sample(Rng(1)), 1)
    assert list(seen["phase"]) == hot(7, 3)
    assert list(seen["mover"]) == hot(4, 0)
    assert list(seen["pile"]) == shares("1889G")
    assert list(seen["value"]) == hot(27, 18)
    assert list(seen["demand"]) == [0]
    assert list(seen["hand"]) == shares("024")
    assert list(seen["open"]) == shares("136") + shares("889") + shares("247") + shares("05G")
    assert not seen["aside"].any()
    assert not seen["table hand"].any()
    assert list(seen["hand size"]) == [np.float32(3 / 72)] * 4
    assert list(seen["bank"]) == [np.float32(n / 36) for n in (8, 8, 8, 7)]
    assert list(seen["blind"]) == [1] * 4
    assert not seen["at table"].any()
    assert list(seen["plies"]) == [np.float32(5 / 1000)]
    known = "1889G" + "05G" + "024" + "136" + "889" + "247"
    rest = "".join(char * (n - known.count(char)) for char, n in zip("0123456789HG", COPIES, strict=True))
    assert list(seen["unseen"]) == shares(rest)


def test_a_public_hand_a_demand_and_cards_aside() -> None:
    deck = "deck=0.0.0.0.2.2.0.0.0.0.2.2+hand_size=1+open_size=1+blind_size=1"
    text = f"standard+{deck} 0 5 0:H:5:1:4/0:4H:-:1:-* 9"
    state = parse_position(text).sample(Rng(1))
    for observer in (0, 1):
        seen = parts(state, observer)
        assert list(seen["demand"]) == [1]
        assert list(seen["mover"]) == hot(2, observer)
        assert list(seen["hand"]) == shares("H" if observer == 0 else "4H")
        public = [shares(""), shares("4H")]
        assert list(seen["table hand"]) == public[observer] + public[1 - observer]
        aside = [shares("4"), shares("")]
        assert list(seen["aside"]) == aside[observer] + aside[1 - observer]
        assert list(seen["at table"]) == [float(observer), float(1 - observer)]
        # The Ghosts are the Blind Cards; seat 1 does not see seat 0's hand either.
        assert list(seen["unseen"]) == shares("GG" if observer == 0 else "GGH")


@given(seed=st.integers(0, 2**32), players=st.integers(2, 6), steps=st.integers(0, 200))
@settings(max_examples=60, deadline=None)
def test_any_node_can_be_encoded_in_the_unit_interval(seed: int, players: int, steps: int) -> None:
    rng, state = Rng(seed), State(Rules.standard(players=players), exchange=(0, 1) if seed % 2 else None)
    for _ in range(steps):
        if state.mover == eights.TERMINAL:
            break
        choices = state.legal_actions() or [rank for rank, _ in state.chance_outcomes()]
        state.apply(choices[rng.below(len(choices))])
    for seat in range(players):
        out = encoded(state, seat)
        assert np.isfinite(out).all()
        assert out.min() >= 0
        assert out.max() <= 1


@given(seed=st.integers(0, 2**32), players=st.integers(2, 6), plies=st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_what_a_seat_cannot_see_is_not_in_it(seed: int, players: int, plies: int) -> None:
    rng, state = Rng(seed), State(Rules.standard(players=players))
    state.deal(rng)
    for _ in range(plies):
        legal = state.legal_actions()
        after = state.copy()
        after.apply(legal[rng.below(len(legal))])
        after.deal(rng)
        if after.mover == eights.TERMINAL:
            break
        state = after
    twins = [state.observation(state.mover).sample(Rng(other)) for other in range(4)]
    assert all((encoded(twin, state.mover) == encoded(state, state.mover)).all() for twin in twins)


def test_with_whom_an_exchange_is() -> None:
    for loser in (1, 2, 3):
        state = State(Rules.standard(players=4), exchange=(0, loser))
        state.deal(Rng(1))
        assert list(parts(state, 0)["big loser"]) == hot(4, loser)
        assert list(parts(state, 3)["big loser"]) == hot(4, (loser - 3) % 4)
        state.apply(eights.parse_action("keep"))
        assert not parts(state, 0)["big loser"].any()


def test_wrong_buffers_and_seats_are_refused() -> None:
    state = State(Rules.standard(players=4))
    with pytest.raises(ValueError, match="has 240 entries, not 10"):
        encode(state, 0, np.zeros(10, dtype=np.float32))
    with pytest.raises(IndexError, match="There is no seat 4"):
        encode(state, 4, np.zeros(240, dtype=np.float32))
    with pytest.raises(ValueError, match="Buffer dtype"):
        encode(state, 0, np.zeros(240))

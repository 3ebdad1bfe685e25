"""Whatever is done to a state: it answers, refuses in a sentence and stays as it was, and no card is ever lost."""

from __future__ import annotations

from random import Random
from typing import Any

import eights
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

RULES = [
    eights.Rules.standard(players=2),
    eights.Rules.standard(players=4, halves_add_up=True, open_sets=True),
    eights.Rules.shafir(players=3),
    eights.Rules.standard(players=5, policeman_starts_pile=True, five_through_ghost=True),
    eights.Rules.amigo(players=6),
    eights.Rules.standard(
        players=2, deck=(2, 1, 1, 2, 1, 2, 1, 2, 2, 1, 3, 2), hand_size=2, open_size=2, blind_size=1, max_plies=60
    ),
    eights.Rules.standard(players=3, deck=(1, 1, 0, 1, 0, 1, 0, 0, 2, 1, 2, 1), hand_size=1, open_size=1, blind_size=0),
]

rule_sets = st.sampled_from(RULES)
seeds = st.integers(0, 2**64 - 1)
actions = st.one_of(st.integers(-3, 230), st.integers(), st.sampled_from([2**31, 2**63, -(2**31), 2**200, -(2**200)]))


def everywhere(state: eights.State) -> list[int]:
    """How many cards of each rank there are, in all places together."""
    zones = [state.pool, state.pile]
    for seat in range(state.players):
        zones += [state.hand(seat), state.open(seat), state.aside(seat)]
    return [sum(zone[rank] for zone in zones) for rank in range(12)]


def possible(state: eights.State) -> list[int]:
    """What `apply` has to accept now: actions, or ranks where chance moves."""
    return state.legal_actions() or [rank for rank, _ in state.chance_outcomes()]


def somewhere(rules: eights.Rules, seed: int, steps: int) -> eights.State:
    """The state after some random events; before the end, unless the round was over sooner."""
    random = Random(seed)
    state = eights.State(rules, exchange=(0, 1) if rules.exchange and seed % 2 else None)
    for _ in range(steps):
        if state.mover == eights.TERMINAL:
            break
        state.apply(random.choice(possible(state)))
    return state


@settings(max_examples=300, deadline=None)
@given(rules=rule_sets, seed=seeds, steps=st.integers(0, 150), tried=st.lists(actions, min_size=1, max_size=20))
def test_any_action_is_played_or_refused(rules: eights.Rules, seed: int, steps: int, tried: list[int]) -> None:
    state = somewhere(rules, seed, steps)
    for action in tried:
        before, legal = state.copy(), action in possible(state)
        if legal:
            state.apply(action)
            assert state != before
        else:
            with pytest.raises(eights.IllegalAction, match=r"^[A-Z].{10,}\.$"):
                state.apply(action)
            assert state == before
            assert state.key() == before.key()


@pytest.mark.parametrize("action", [None, "3", "take", 2.5, [], (0,)])
def test_what_is_no_number_is_a_type_error(action: Any) -> None:
    state = somewhere(RULES[0], 1, 40)
    before = state.copy()
    with pytest.raises(TypeError):
        state.apply(action)
    assert state == before


@settings(max_examples=100, deadline=None)
@given(rules=rule_sets, seed=seeds)
def test_no_card_is_lost(rules: eights.Rules, seed: int) -> None:
    random = Random(seed)
    state = somewhere(rules, seed, 0)
    while state.mover != eights.TERMINAL:
        assert everywhere(state) == list(rules.deck)
        if state.mover >= 0:
            assert_counts(state)
        state.apply(random.choice(possible(state)))
    assert everywhere(state) == list(rules.deck)
    assert_counts(state)


def assert_counts(state: eights.State) -> None:
    """A player's count is the cards that he has, and what nobody has is on the pile."""
    seats = range(state.players)
    assert state.counts() == [
        state.bank(seat) + state.blind(seat) + sum(state.hand(seat) + state.open(seat) + state.aside(seat))
        for seat in seats
    ]
    assert sum(state.counts()) + sum(state.pile) == sum(state.rules.deck)
    assert sum(state.pool) == sum(state.bank(seat) + state.blind(seat) for seat in seats)
    for seat in seats:
        if state.bank(seat):
            assert sum(state.hand(seat)) == state.rules.hand_size
        if state.at_table(seat):
            assert state.bank(seat) == 0


@settings(max_examples=100, deadline=None)
@given(rules=rule_sets, seed=seeds, steps=st.integers(0, 60))
def test_playouts_end_and_lose_no_card(rules: eights.Rules, seed: int, steps: int) -> None:
    state = somewhere(rules, seed, steps)
    played = state.plies
    assert state.playout(eights.Rng(seed)) == state.plies - played
    assert state.mover == eights.TERMINAL
    assert everywhere(state) == list(rules.deck)
    assert_counts(state)
    if state.winner is None:
        assert state.plies == rules.max_plies
    else:
        assert state.counts()[state.winner] == sum(state.aside(state.winner))


@settings(max_examples=50, deadline=None)
@given(rules=rule_sets, seed=seeds, steps=st.integers(0, 80))
def test_deal_draws_all_that_is_pending(rules: eights.Rules, seed: int, steps: int) -> None:
    state = somewhere(rules, seed, steps)
    twin = state.copy()
    state.deal(eights.Rng(seed))
    twin.deal(eights.Rng(seed))
    assert state.mover != eights.CHANCE
    assert state == twin
    assert everywhere(state) == list(rules.deck)


@pytest.mark.parametrize("seat", [-1, 2, 6, 10**6])
@pytest.mark.parametrize("ask", ["hand", "open", "aside", "bank", "blind", "at_table", "observation"])
def test_seats_that_do_not_exist(ask: str, seat: int) -> None:
    state = somewhere(RULES[0], 3, 30)
    state.deal(eights.Rng(1))
    with pytest.raises(IndexError):
        getattr(state, ask)(seat)


@settings(max_examples=50, deadline=None)
@given(rules=rule_sets, seed=seeds, steps=st.integers(0, 120))
def test_a_round_that_is_over_accepts_nothing(rules: eights.Rules, seed: int, steps: int) -> None:
    state = somewhere(rules, seed, steps)
    state.playout(eights.Rng(seed))
    for action in (0, 11, 74, 75):
        with pytest.raises(eights.IllegalAction, match="over"):
            state.apply(action)
    with pytest.raises(ValueError, match="decides"):
        state.observation(0)

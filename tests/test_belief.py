"""Sampled deals follow the exact posterior: chi-squared tests against plain enumeration on small decks."""

from collections import Counter
from itertools import permutations, product
from math import factorial

import pytest
from eights import ImpossiblePosition, Rules, State, parse_position
from eights_core.belief import Belief
from eights_core.halves import ASIDE, HAND, OPEN, OPENING, PILE, PLAY
from eights_core.rng import Rng
from posterior import assert_follows, enumerate_deals, sampled_deals

SMALL = "standard+deck=1.1.1.1.0.1.0.1.1.1.1.1+hand_size=2+open_size=1+blind_size=1"
# Several copies of a rank, and hands of three: 14 cards, 7 for each of two players.
TWINS = "standard+deck=1.2.1.2.0.1.0.0.2.1.2.2+open_size=1+blind_size=1"
CASES = {
    "twins": (f"{TWINS} 0 1 2:038:H:1:-/1:?{{1H}}?{{19}}?:G:1:- 1", lambda zone, seat, rank: True),
    "three players": (
        f"{TWINS.replace('blind_size=1', 'blind_size=0')} 0 1 1:038:H:0:-/1:?{{1H}}??{{1H}}:G:0:-/0:?{{39}}?:8:0:- 4",
        lambda zone, seat, rank: True,
    ),
    "bare": (f"{SMALL} 0 5 1:03:7:1:-/0:??:G:1:- 1", lambda zone, seat, rank: True),
    "braces": (f"{SMALL} 0 5 1:03:7:1:-/0:?{{12}}?{{8H}}:G:1:- 1", lambda zone, seat, rank: True),
    "one kind": (f"{SMALL} 0 5 1:03:7:1:-/0:?{{12}}?{{12}}:G:1:- 1", lambda zone, seat, rank: True),
    "overlapping": (f"{SMALL} 0 5 1:03:7:1:-/0:?{{128}}?{{289}}:G:1:- 1", lambda zone, seat, rank: True),
    "one known": (f"{SMALL} 0 5 1:03:7:1:-/0:8?{{12}}:G:1:- 1", lambda zone, seat, rank: True),
    "open unknown": (f"{SMALL} 0 5 1:03:?:1:-/0:?{{8}}?:G:1:- 1", lambda zone, seat, rank: True),
    "pile unknown": (f"{SMALL} 1 ?,5 0:??:7:1:-/0:03:G:1:- 2", lambda zone, seat, rank: True),
    # Seat 1 opens with a 3: seat 0 holds no 1, 2 or 3.
    "opening": (
        f"{SMALL} 1o - 1:??:7:1:-/1:03:G:1:- 0",
        lambda zone, seat, rank: zone != "hand" or rank not in (1, 2, 3),
    ),
    # Seat 0 opens with anything: nobody holds a yellow card.
    "nobody yellow": (
        f"{SMALL} 0o - 1:0H:7:1:-/1:??:1:1:- 0",
        lambda zone, seat, rank: zone != "hand" or rank not in (1, 2, 3, 4, 6, 7, 8),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_samples_follow_the_enumerated_posterior(case: str) -> None:
    text, allowed = CASES[case]
    position = parse_position(text)
    assert_follows(sampled_deals(position, 20_000, seed=11), enumerate_deals(position, allowed))


def test_the_number_of_deals_is_the_enumerated_one() -> None:
    text, allowed = CASES["overlapping"]
    position = parse_position(text)
    unknown_for_ever = sum(seat.bank + seat.blind for seat in position.seats)
    assert position.belief.deals == sum(enumerate_deals(position, allowed).values()) * factorial(unknown_for_ever)


def test_an_opening_with_an_uncertain_card_is_sampled_exactly() -> None:
    position = parse_position(f"{SMALL} 0o - 1:0?:7:1:-/1:??:G:1:- 0")
    unseen = [rank for rank, n in enumerate(position.unseen) for _ in range(n)]
    exact: Counter[tuple] = Counter()
    for own, *other in permutations(unseen, 3):
        yellow = [rank for rank in (1, 2, 3, 4, 6, 7, 8) if rank in (0, own)]
        theirs = [rank for rank in (1, 2, 3, 4, 6, 7, 8) if rank in other]
        if not theirs or (yellow and min(yellow) <= min(theirs)):
            exact[own, tuple(sorted(other))] += 1
    rng = Rng(3)
    seen: Counter[tuple] = Counter()
    for _ in range(20_000):
        state = position.sample(rng)
        assert state.mover == 0
        hands = [tuple(rank for rank, k in enumerate(state.hand(seat)) for _ in range(k)) for seat in (0, 1)]
        seen[max(hands[0]), hands[1]] += 1
    assert_follows(seen, exact)


def test_what_remains_is_the_pool_and_draws_from_it_are_uniform() -> None:
    position = parse_position(f"{SMALL} 0 5 1:03:7:1:-/0:?{{12}}?:G:1:- 1")
    rng = Rng(5)
    for _ in range(200):
        state = position.sample(rng)
        assert sum(state.pool) == sum(state.bank(seat) + state.blind(seat) for seat in range(2))
        assert [
            sum(n)
            for n in zip(
                state.pool,
                state.pile,
                *(zone(seat) for zone in (state.hand, state.open, state.aside) for seat in range(2)),
                strict=True,
            )
        ] == list(Rules.parse(SMALL, 2).deck)


def test_the_same_seed_gives_the_same_sample() -> None:
    position = parse_position(CASES["twins"][0])
    keys = {position.sample(Rng(seed)).key() for seed in range(50)}
    assert len(keys) > 3
    assert position.sample(Rng(8)).key() == position.sample(Rng(8)).key()


def test_evidence_that_no_deal_fits_is_refused() -> None:
    with pytest.raises(ImpossiblePosition, match="No deal"):
        parse_position(f"{SMALL} 0 5 1:03:7:1:-/0:??{{0123456789H}}:G:1:- 1")


def blank(players: int) -> "list[tuple]":
    return [(15, [0] * 12, [0] * 12, 3, [0] * 12, False)] * players


def make_belief(**changes) -> Belief:
    rules = Rules.standard(players=4)
    arguments = {
        "mover": 0,
        "phase": PLAY,
        "exchange": None,
        "value": 0,
        "demand": False,
        "plies": 0,
        "pile": [0] * 12,
        "seats": blank(4),
        "unknown": [],
    }
    return Belief(rules.ruleset, **{**arguments, **changes})


def test_the_sum_of_places_must_be_right() -> None:
    assert make_belief().deals > 1e90
    with pytest.raises(ValueError, match="72 cards are unseen, and 75 places are unknown"):
        make_belief(unknown=[(HAND, 1, 4095, 3)])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mover": 4}, "The rules are for 4 players"),
        ({"seats": blank(3)}, "The rules are for 4 players"),
        ({"value": 99}, "No pile has the value 99"),
        ({"value": 4, "demand": True}, "No pile has the value 4"),
        ({"pile": [0] * 11}, "A zone is 12 counts"),
        ({"pile": [9] + [0] * 11}, "There cannot be 9 cards"),
        ({"pile": [8] + [0] * 11}, "More cards of rank 0 are known"),
        ({"unknown": [(7, 0, 4095, 1)]}, "No card lies in zone 7"),
        ({"unknown": [(OPEN, 9, 4095, 1)]}, "No card lies in zone 1 of seat 9"),
        ({"unknown": [(ASIDE, 0, 4095, 0)]}, "0 unknown cards cannot be in a place"),
        ({"unknown": [(PILE, -1, 4095, 100)]}, "100 unknown cards cannot be in a place"),
    ],
)
def test_nonsense_is_refused(changes: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_belief(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"unknown": [(HAND, 1, 4095, 1)] * 100}, "in more than 48 ways"),
        (
            {"unknown": [(HAND, 1, 1 << rank | 1 << other, 1) for rank, other in product(range(6), range(6, 12))]},
            "restricted in more than 24 ways",
        ),
        (
            {
                "seats": [(6, [0] * 12, [0] * 12, 3, [0] * 12, False)] * 4,
                "unknown": [(HAND, rank % 4, 7 << rank, 4) for rank in range(9)],
            },
            "too many different ways",
        ),
    ],
)
def test_what_differs_too_much_to_count_is_refused(changes: dict, message: str) -> None:
    with pytest.raises(OverflowError, match=message):
        make_belief(**changes)


def test_a_state_of_other_rules_is_refused() -> None:
    with pytest.raises(ValueError, match="other rules"):
        make_belief().sample_into(State(Rules.standard(players=3)), Rng(1))


def test_an_opening_belief_keeps_its_phase() -> None:
    seats = [(9, [0] * 12, [0] * 12, 3, [0] * 12, False)] * 4
    unknown = [(zone, seat, 4095, 3) for seat in range(4) for zone in (HAND, OPEN)]
    state = State(Rules.standard(players=4))
    belief = Belief(
        Rules.standard(players=4).ruleset,
        mover=2,
        phase=OPENING,
        exchange=None,
        value=0,
        demand=False,
        plies=0,
        pile=[0] * 12,
        seats=seats,
        unknown=unknown,
    )
    belief.sample_into(state, Rng(1))
    assert (state.phase, state.mover) == (OPENING, 2)

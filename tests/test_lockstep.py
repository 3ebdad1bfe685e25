"""The core against the transcripts and against the oracle, step by step: what can be asked is answered alike."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import eights
import oracle
import pytest
from eights_core import halves
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from situations import table
from transcripts import Transcript, load

ZONES = {"hand": halves.HAND, "open": halves.OPEN, "blind": halves.BLIND}


def counts(cards: Sequence[int]) -> tuple[int, ...]:
    """Twelve counts by rank of a list of cards."""
    number = Counter(cards)
    return tuple(number[rank] for rank in range(12))


def exact(points: Sequence[float]) -> list[Fraction]:
    """Points as the fractions that they stand for: shares of at most six players."""
    fractions = [Fraction(share).limit_denominator(6) for share in points]
    assert list(map(float, fractions)) == list(points)
    return fractions


@pytest.mark.parametrize("transcript", load(), ids=lambda transcript: transcript.name)
def test_transcript(transcript: Transcript) -> None:
    record = transcript.round
    rules = eights.Rules.parse(record["rules"], record["players"])
    assert rules.text() == record["rules"]
    state = eights.State(rules, exchange=record["exchange"] and tuple(record["exchange"]))
    rng = eights.Rng(1)
    for number, step in enumerate(record["steps"]):
        where = f"step {number}: {step}"
        if "chance" in step:
            follow_chance(state, step, where)
        else:
            follow_action(state, step, where, rng)
    assert state.mover == eights.TERMINAL
    assert (state.legal_actions(), state.chance_outcomes()) == ([], [])
    assert exact(state.points()) == [Fraction(share) for share in record["points"]]
    assert state.counts() == record["counts"]
    assert (state.winner, state.big_loser, state.plies) == (record["winner"], record["big_loser"], record["plies"])
    assert record["end"] == ("max_plies" if state.winner is None else "win")


def follow_chance(state: eights.State, step: dict[str, Any], where: str) -> None:
    pool = step["pool"]
    assert state.mover == eights.CHANCE, where
    assert state.legal_actions() == [], where
    assert state.chance_place() == (step["seat"], ZONES[step["zone"]]), where
    assert state.chance_outcomes() == [(rank, n / sum(pool)) for rank, n in enumerate(pool) if n], where
    state.apply(step["chance"])


def follow_action(state: eights.State, step: dict[str, Any], where: str, rng: eights.Rng) -> None:
    assert state.mover == step["seat"], where
    assert state.legal_actions() == step["legal"], where
    assert state.chance_outcomes() == [], where
    assert (Fraction(state.value, 2), state.felon) == (Fraction(step["value"]), step["felon"]), where
    assert state.points() == [0.0] * state.players, where
    seen = state.observation(state.mover)
    assert seen.format() == step["position"], where
    position = eights.parse_position(step["position"])
    assert position == seen, where
    assert position.legal_actions() == step["legal"], where
    deal = position.sample(rng)
    assert deal.legal_actions() == step["legal"], where
    assert deal.observation(deal.mover).format() == step["position"], where
    assert (eights.action_text(step["act"]), eights.parse_action(step["text"])) == (step["text"], step["act"]), where
    state.apply(step["act"])


# --- against the oracle ----------------------------------------------------------------------------------------------


def assert_same(state: eights.State, game: oracle.Round) -> None:
    """Everything that both can tell about a round is the same."""
    assert state.mover == game.mover
    assert state.plies == game.plies
    assert state.legal_actions() == game.legal_actions()
    assert exact(state.points()) == game.points()
    assert (state.winner, state.big_loser) == (game.winner, game.big_loser)
    assert state.pool == tuple(game.pool)
    if game.mover == oracle.CHANCE:
        drawing, zone = game.chance_place()
        assert state.chance_place() == (drawing, ZONES[zone])
        assert state.chance_outcomes() == [(rank, float(share)) for rank, share in game.chance_outcomes()]
        return
    assert state.chance_outcomes() == []
    assert state.counts() == game.counts()
    assert (Fraction(state.value, 2), state.pile) == (game.value, counts(game.pile.cards))
    for number, seat in enumerate(game.seats):
        assert (state.bank(number), state.blind(number)) == (seat.bank, seat.blind)
        assert state.hand(number) == counts(seat.hand)
        assert state.open(number) == counts(seat.open)
        assert state.aside(number) == counts(seat.aside)
        assert state.at_table(number) == seat.at_table
    if game.mover >= 0:
        assert (state.felon, state.demand) == (game.felon, game.pile.demand)
        assert state.observation(state.mover).format() == game.position(game.mover)


def walk_together(rules: eights.Rules, exchange: tuple[int, int] | None, random: Random) -> None:
    """A random round, core and oracle side by side; the core's copies and keys are looked at on the way."""
    state = eights.State(rules, exchange=exchange)
    replay = eights.State(rules, exchange=exchange)
    game = oracle.Round(oracle.parse_rules(rules.text(), rules.players), exchange)
    assert_same(state, game)
    while game.mover != oracle.TERMINAL:
        if game.mover == oracle.CHANCE:
            ranks, shares = zip(*game.chance_outcomes(), strict=True)
            event = random.choices(ranks, [float(share) for share in shares])[0]
        else:
            event = random.choice(game.legal_actions())
        before = state.copy()
        assert before == state
        assert before.key() == state.key()
        state.apply(event)
        game.apply(event)
        assert before != state
        assert before.key() != state.key()
        assert before == replay
        replay.apply(event)
        assert replay.key() == state.key()
        assert_same(state, game)


OPTIONS = [
    dict(
        zip(
            (
                "five_through_ghost",
                "sealed_eight_and_a_half",
                "halves_add_up",
                "policeman_starts_pile",
                "open_sets",
                "scoring",
                "fewest_tie",
            ),
            values,
            strict=True,
        )
    )
    for values in itertools.product(*[(False, True)] * 5, ("standard", "shafir"), ("all", "split", "none"))
]


@pytest.mark.parametrize("number", range(len(OPTIONS)), ids=lambda number: "-".join(map(str, OPTIONS[number].values())))
def test_every_option_combination(number: int) -> None:
    players = 2 + number % 5
    rules = eights.Rules.standard(players=players, **OPTIONS[number])
    seats = Random(number).sample(range(players), 2)
    walk_together(rules, (seats[0], seats[1]) if number % 2 else None, Random(number))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("preset", ["standard", "amigo", "shafir"])
def test_presets(preset: str, players: int) -> None:
    walk_together(eights.Rules.parse(preset, players), None, Random(players))


@st.composite
def small_rules(draw: st.DrawFn) -> eights.Rules:
    """Any options, a smaller deck, smaller zones."""
    sizes = {
        "hand_size": draw(st.integers(1, 3)),
        "open_size": draw(st.integers(1, 3)),
        "blind_size": draw(st.integers(0, 3)),
    }
    most = draw(st.sampled_from([2, 3, 8]))
    deck = tuple(draw(st.integers(0, min(most, copies))) for copies in oracle.COPIES)
    needed = 2 * sum(sizes.values())
    if sum(deck) < needed:
        deck = oracle.COPIES
    players = draw(st.integers(2, min(6, sum(deck) // sum(sizes.values()))))
    max_plies = draw(st.sampled_from([1, 2, 3, 8, 40, 300]))
    return eights.Rules.standard(
        players=players, deck=deck, max_plies=max_plies, **sizes, **draw(st.sampled_from(OPTIONS))
    )


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rules=small_rules(), seats=st.permutations(range(6)), exchanged=st.booleans(), seed=st.integers(0, 2**32))
def test_small_decks(rules: eights.Rules, seats: list[int], exchanged: bool, seed: int) -> None:
    winner, loser = [seat for seat in seats if seat < rules.players][:2]
    walk_together(rules, (winner, loser) if exchanged else None, Random(seed))


# --- identity of states ----------------------------------------------------------------------------------------------


def test_copies_are_independent() -> None:
    state = eights.State(eights.Rules.standard(players=3))
    state.deal(eights.Rng(7))
    twin = state.copy()
    key = state.key()
    twin.apply(twin.legal_actions()[0])
    assert state.key() == key
    assert (state.plies, twin.plies) == (0, 1)
    assert state != twin


def test_equality_is_for_states_of_the_same_rules() -> None:
    one = eights.State(eights.Rules.standard(players=2))
    assert one == eights.State(eights.Rules.standard(players=2))
    assert one != eights.State(eights.Rules.standard(players=2, open_sets=True))
    assert one != eights.State(eights.Rules.standard(players=3))
    assert one != eights.State(eights.Rules.standard(players=2), exchange=(0, 1))
    assert one != "one"


def test_states_change_and_so_have_no_hash() -> None:
    state = eights.State(eights.Rules.standard(players=2))
    with pytest.raises(TypeError):
        hash(state)
    assert {state.key(): 1}


def test_order_of_the_pile_does_not_matter() -> None:
    """Two histories that lead to the same cards, value and plies are one state, though seen they differ."""
    seats = "0:8:5:2:11*/0:-:5:2:3"
    one, other = (table(f"small 0 {pile} {seats}", unseen="4444") for pile in ("1,0,2,0,7", "2,0,1,0,7"))
    assert one == other
    assert one.key() == other.key()
    assert one.observation(0) != other.observation(0)

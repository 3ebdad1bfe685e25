"""Positions under attack: whatever the text, a position or a NotationError; and no position of a round is refused."""

from __future__ import annotations

import random
from dataclasses import replace

import transcripts
from eights.actions import played_ranks
from eights.errors import NotationError
from eights.position import Position, parse_position
from eights.rules import Rules
from eights.seat import Card, Seat, Unknown
from eights.state import State
from eights_core.rng import Rng
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rule_sets

TEXTS = [step["position"] for _, played in transcripts.load() for step in played["steps"] if "position" in step]
GLYPHS = "0123456789HG?{}:/,-+=*.xo ablindtke"


def check(text: str) -> None:
    """Parse a text that may be anything; what is accepted must stand every use of a position."""
    position, faults = None, ()
    try:
        position = parse_position(text)
    except NotationError as error:
        faults = error.faults
    if position is None:
        assert faults
        assert all(fault[-1] == "." and "\n" not in fault for fault in faults)
        return
    assert parse_position(position.format()) == position
    assert parse_position(position.format()).format() == position.format()
    state = position.sample(Rng(1))
    assert state.mover == position.mover
    assert state.plies == position.plies
    assert sum(state.counts()) + sum(state.pile) == sum(position.rules.deck)
    if position.is_analysable:
        assert state.legal_actions() == position.legal_actions() != []


@given(st.text(max_size=80) | st.text(GLYPHS, max_size=80))
def test_any_text(text: str) -> None:
    check(text)


@given(st.lists(st.text(GLYPHS.replace(" ", ""), min_size=1, max_size=40), min_size=4, max_size=5))
def test_any_four_or_five_parts(parts: list[str]) -> None:
    check(" ".join(parts))


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A position's text with a few characters changed, put in or left out, or parts of another text."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        until = min(len(text), at + draw(st.integers(0, 3)))
        text = text[:at] + draw(st.text(GLYPHS, max_size=3)) + text[until:]
    return text


@settings(max_examples=300, deadline=None)
@given(damaged())
def test_damaged_positions(text: str) -> None:
    check(text)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.lists(st.booleans(), min_size=5, max_size=5))
def test_positions_made_of_two(one: str, other: str, choices: list[bool]) -> None:
    pairs = zip(one.split(" "), other.split(" "), choices, strict=True)
    check(" ".join(a if first else b for a, b, first in pairs))


CARDS = st.lists(st.integers(0, 11) | st.builds(Unknown, st.sampled_from([0, 0, 1 << 9, 0b111, 4095])), max_size=4)
SEATS = st.builds(Seat, st.integers(0, 9), CARDS, CARDS, st.integers(0, 3), CARDS, st.booleans())


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([Rules.standard(), Rules.shafir(3), Rules.amigo(2, deck=(2,) * 12)]),
    st.integers(0, 4),
    st.sampled_from(["", "o", "x"]),
    st.lists(st.none() | st.integers(0, 72), max_size=4),
    st.lists(SEATS, min_size=4, max_size=4),
    st.integers(0, 3),
)
def test_positions_put_together_anyhow(
    rules: Rules, mover: int, mode: str, pile: list[int | None], seats: list[Seat], plies: int
) -> None:
    big_loser = 0 if mode == "x" else None
    seats = seats[: rules.players]
    check(Position(rules, mover, mode, big_loser, tuple(pile), tuple(seats), plies).format())  # type: ignore[arg-type]


# ---- no position of a round is refused


@st.composite
def rounds(draw: st.DrawFn) -> State:
    """A round at a decision, anywhere from its first to its last."""
    rules = draw(rule_sets())
    exchange = (
        tuple(draw(st.permutations(range(rules.players)))[:2]) if rules.exchange and draw(st.booleans()) else None
    )
    state = State(rules, exchange)  # type: ignore[arg-type]
    rng = random.Random(draw(st.integers(0, 2**32)))
    state.deal(Rng(rng.randrange(2**32)))
    for _ in range(draw(st.integers(0, 120))):
        ahead = state.copy()
        ahead.apply(rng.choice(ahead.legal_actions()))
        ahead.deal(Rng(rng.randrange(2**32)))
        if ahead.mover < 0:
            break
        state = ahead
    return state


@settings(max_examples=150, deadline=None)
@given(rounds())
def test_what_each_seat_sees_is_a_position(state: State) -> None:
    for seat in range(state.players):
        seen = state.observation(seat)
        assert parse_position(seen.format()) == seen
        drawn = seen.sample(Rng(seat))
        assert drawn.observation(seat) == seen
        assert drawn.mover == state.mover
        assert drawn.legal_actions() == state.legal_actions() or seat != state.mover


def vaguer(seat: Seat, rng: random.Random) -> Seat:
    """A seat of which less is known: cards not at all, those of the hand perhaps by what they are not."""

    def hidden(card: Card, braces: list[int]) -> Card:
        if isinstance(card, Unknown) or rng.random() < 0.5:
            return card
        return Unknown(rng.choice(braces) & ~(1 << card))

    return replace(
        seat,
        hand=[hidden(card, [0, 0b111, 1 << 9 | 1 << 11]) for card in seat.hand],
        open=[hidden(card, [0]) for card in seat.open],
        aside=[hidden(card, [0]) for card in seat.aside],
    )


@settings(max_examples=150, deadline=None)
@given(rounds(), st.integers(0, 2**32))
def test_whoever_knows_less_has_a_position_too(state: State, seed: int) -> None:
    rng = random.Random(seed)
    seen = state.observation(rng.randrange(state.players))
    seats = tuple(vaguer(seat, rng) for seat in seen.seats)
    fixing = [at for at, play in enumerate(seen.pile) if play is not None and not 56 <= play < 72]
    under = rng.randint(0, max(fixing, default=0))  # so many plays are not remembered
    cards = sum(len(played_ranks(play)) for play in seen.pile[:under] if play is not None)
    vague = replace(seen, seats=seats, pile=(*[None] * cards, *seen.pile[under:]))
    assert parse_position(vague.format()) == vague
    assert vague.value == seen.value
    drawn = vague.sample(Rng(seed))
    assert drawn.mover == state.mover
    assert drawn.counts() == state.counts()

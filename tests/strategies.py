"""What Hypothesis draws for several test files."""

from __future__ import annotations

from dataclasses import replace

from eights.actions import COPIES
from eights.record import Record
from eights.rules import MOST_PLIES, Rules
from hypothesis import strategies as st
from rounds import played

seeds = st.integers(0, 2**32)


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Rules in which every option may differ from every preset; the deck is often no larger than it must be."""
    players = draw(st.integers(2, 6))
    sizes = draw(st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(0, 3)))
    deck = draw(st.tuples(*(st.integers(0, most) for most in COPIES)))
    return Rules(
        players=players,
        deck=deck if sum(deck) >= players * sum(sizes) else COPIES,
        hand_size=sizes[0],
        open_size=sizes[1],
        blind_size=sizes[2],
        five_through_ghost=draw(st.booleans()),
        sealed_eight_and_a_half=draw(st.booleans()),
        halves_add_up=draw(st.booleans()),
        policeman_starts_pile=draw(st.booleans()),
        open_sets=draw(st.booleans()),
        scoring=draw(st.sampled_from(["standard", "shafir"])),
        fewest_tie=draw(st.sampled_from(["all", "split", "none"])),
        max_plies=draw(st.sampled_from([1, 2, 40, 1000, MOST_PLIES])),
        exchange=draw(st.booleans()),
        match_rounds=draw(st.integers(0, 7)),
        match_target=draw(st.integers(1, 7)),
    )


@st.composite
def exchanges(draw: st.DrawFn, rules: Rules) -> tuple[int, int] | None:
    """The seats of an exchange decision, where the rules have one."""
    if not rules.exchange or draw(st.booleans()):
        return None
    winner, loser = draw(st.permutations(range(rules.players)))[:2]
    return winner, loser


@st.composite
def records(draw: st.DrawFn, most_plies: int = 120) -> Record:
    """A round played at random under any rules, to its end or to some ply."""
    rules = draw(rule_sets())
    rules = replace(rules, max_plies=min(rules.max_plies, most_plies))
    plies = draw(st.none() | st.integers(0, 60))
    return played(rules, draw(seeds), exchange=draw(exchanges(rules)), plies=plies)

"""The rules page sentence by sentence: exchange, presets, actions, what each player knows (sections 7 to 10).

What is expected stands on the rules page; nothing here was read off a program.
"""

from __future__ import annotations

from typing import Any

import eights
import pytest
from situations import COPIES, RANKS, cards, choices, deals, dealt, hands, holds, play, situation, table

# --- §7 Matches ------------------------------------------------------------------------------------------------------


def test_s7_match_lengths() -> None:
    """`amigo`: 6 rounds; `shafir`: until somebody has at least 7 points; `standard` uses 6 rounds."""
    lengths = [
        (rules.match_rounds, rules.match_target)
        for rules in (eights.Rules.standard(), eights.Rules.amigo(), eights.Rules.shafir())
    ]
    assert lengths == [(6, 0), (6, 0), (0, 7)]


def test_s7_exchange_comes_before_the_opening() -> None:
    """Once cards are dealt and seen, and before the opening play, the winner of the previous round may exchange."""
    state = dealt("standard", "567:33H", "567:499", exchange=(1, 0))
    assert (state.mover, state.plies, cards(state.hand(1))) == (1, 0, "499")
    play(state, "keep")
    assert (state.mover, choices(state)) == (0, "3 3x2")


def test_s7_keep_or_swap() -> None:
    """`keep`, or `swap a b`: his rank a for the Big Loser's rank b, a ≠ b."""
    state = dealt("standard", "339:33H", "34G:499", exchange=(0, 1))
    assert choices(state) == "keep swap 3 4 swap 3 G swap 9 3 swap 9 4 swap 9 G"
    play(state, "swap 9 G")
    assert (holds(state, 0), holds(state, 1)) == ("33H:33G:-", "499:349:-")


def test_s7_only_the_big_losers_cards() -> None:
    """One of his Open Cards with one of the previous Big Loser's, nobody else's."""
    state = dealt("standard", "666:699", "345:345", "777:799", exchange=(0, 2))
    assert choices(state) == "keep swap 6 7"
    play(state, "swap 6 7")
    assert [cards(state.open(seat)) for seat in range(3)] == ["667", "345", "677"]


def test_s7_nothing_can_be_swapped() -> None:
    """Where nothing can be swapped he still says `keep`."""
    assert choices(dealt("standard", "444:33H", "444:599", exchange=(0, 1))) == "keep"


def test_s7_exchange_leaves_hands_and_opener_alone() -> None:
    """Every round is opened as section 5 says."""
    state = play(dealt("standard", "555:66H", "111:499", exchange=(0, 1)), "swap 5 1")
    assert (state.mover, choices(state), hands(state)) == (1, "4", ["66H", "499"])


def test_s7_no_exchange_without_a_winner() -> None:
    """After a round without a winner there is no exchange: the first event after the deal is the opening."""
    assert choices(dealt("standard", "567:33H", "567:499")) == "3 3x2"


# --- §8 Presets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "scoring", "sealed", "exchange"),
    [
        (eights.Rules.standard(), "standard", False, True),
        (eights.Rules.amigo(), "standard", False, False),
        (eights.Rules.shafir(), "shafir", True, False),
    ],
)
def test_s8_presets(rules: eights.Rules, scoring: str, sealed: bool, exchange: bool) -> None:
    """The table of presets; the other options are off."""
    assert (rules.scoring, rules.sealed_eight_and_a_half, rules.exchange) == (scoring, sealed, exchange)
    others = (rules.five_through_ghost, rules.halves_add_up, rules.policeman_starts_pile, rules.open_sets)
    assert not any(others)
    assert rules.fewest_tie == "all"
    assert (rules.hand_size, rules.open_size, rules.blind_size) == (3, 3, 3)


def test_s8_smaller_deck() -> None:
    """A rule set may have a smaller deck and smaller hand, open and blind sizes."""
    deck = (1, 1, 0, 1, 0, 1, 0, 0, 2, 1, 2, 1)
    state = eights.State(eights.Rules.standard(players=2, deck=deck, hand_size=1, open_size=1, blind_size=1))
    assert [rank for rank, _ in state.chance_outcomes()] == [0, 1, 3, 5, 8, 9, 10, 11]
    state.deal(eights.Rng(1))
    assert state.counts() == [5, 5]


@pytest.mark.parametrize("size", ["hand_size", "open_size", "blind_size"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_s8_sizes(size: str, number: int) -> None:
    """… each 1–3."""
    rules = eights.Rules.standard(players=2, **{size: number})
    assert getattr(rules, size) == number


def test_s8_blind_may_be_none() -> None:
    """Blind may be 0."""
    state = eights.State(eights.Rules.standard(players=2, blind_size=0))
    state.deal(eights.Rng(1))
    assert (state.blind(0), state.counts()) == (0, [36, 36])


@pytest.mark.parametrize(
    "fault",
    [
        {"hand_size": 0},
        {"hand_size": 4},
        {"open_size": 0},
        {"open_size": 4},
        {"blind_size": -1},
        {"blind_size": 4},
        {"deck": (7, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8)},
        {"deck": (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, -1)},
        {"deck": (6, 4, 4, 3, 0, 0, 0, 0, 0, 0, 0, 0)},
    ],
)
def test_s8_what_a_deck_cannot_be(fault: dict[str, Any]) -> None:
    """Any number of copies up to the table in section 1; a deck that cannot give every player his cards is an error."""
    with pytest.raises(ValueError, match=r"\."):
        eights.Rules.standard(players=2, **fault)


def test_s8_empty_bank_is_no_error() -> None:
    """A deck that cannot give every player those cards is an error (an empty Bank is none)."""
    state = eights.State(eights.Rules.standard(players=2, deck=(6, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0)))
    state.deal(eights.Rng(1))
    assert (state.bank(0), state.bank(1), state.counts()) == (0, 0, [9, 9])


# --- §9 Actions ------------------------------------------------------------------------------------------------------

FIRST = (0, 6, 10, 14, 20, 26, 32, 38, 44, 50, 56, 64)


@pytest.mark.parametrize(
    ("action", "text"),
    [(FIRST[r] + k - 1, RANKS[r] + (f"x{k}" if k > 1 else "")) for r in range(12) for k in range(1, COPIES[r] + 1)]
    + [(72, "8H"), (73, "blind"), (74, "take"), (75, "keep"), (76 + 12 * 3 + 9, "swap 3 9"), (76, "swap 0 0")],
)
def test_s9_actions(action: int, text: str) -> None:
    """Play k copies of rank r: `first[r] + k − 1`; `8H` 72, `blind` 73, `take` 74, `keep` 75, `swap` 76 + 12·a + b."""
    assert eights.action_text(action) == text
    assert eights.parse_action(text) == action


def test_s9_220_ids() -> None:
    """220 ids in all."""
    texts = {eights.action_text(action) for action in range(220)}
    assert len(texts) == 220
    assert [eights.parse_action(eights.action_text(action)) for action in range(220)] == list(range(220))
    for action in (-1, 220):
        with pytest.raises(ValueError, match=str(action)):
            eights.action_text(action)


@pytest.mark.parametrize(
    "text",
    ["3x1", "3x0", "3x7", "1x5", "x3", "33", "h", "H8", "8h", "Take", " take", "3 ", "swap 3", "swap  3 9", "10", ""],
)
def test_s9_canonical_text_only(text: str) -> None:
    """Text is canonical only (`3x1` is refused)."""
    with pytest.raises(ValueError, match=r".+"):
        eights.parse_action(text)


def test_s9_chance_outcome_is_a_rank() -> None:
    """A chance outcome is the rank's id, its text the rank's char."""
    state = table("small 0 6 0:-:-:2:1*/0:-:5:2:8", "blind", unseen="77HG")
    assert [eights.rank_char(rank) for rank, _ in state.chance_outcomes()] == ["7", "H", "G"]


def test_s9_legal_actions_ascend() -> None:
    """Legal actions are listed in ascending id."""
    actions = situation("standard 0 3 0:0345689HHG8:345:3:-*/0:-:345:3:…").legal_actions()
    assert actions == [0, 14, 20, 26, 32, 44, 45, 50, 56, 57, 64, 72]


def test_s9_chance_event_with_one_outcome() -> None:
    """A chance event with one possible outcome is still a chance event."""
    state = table("small 0 6 0:-:-:2:11*/0:-:5:2:8", "blind", unseen="7777")
    assert (state.mover, state.chance_outcomes()) == (eights.CHANCE, [(7, 1.0)])


def test_s9_open_card_is_played_with_the_same_action() -> None:
    """An Open Card is played with the same action as a hand card."""
    for seat in ("0:7:7:2:11*", "0:-:7:2:11*"):
        assert situation(f"small 0 6 {seat}/0:-:5:2:8", unseen="4444").legal_actions() == [38]


# --- §10 What each player knows --------------------------------------------------------------------------------------


def test_s10_public() -> None:
    """Public: everything played, put aside, every Open Card, the size of every Bank and hand; the hand is private."""
    state = play(dealt("standard", "345:499", "567:88G"), "4", "0", "8", "1", "9", "2")
    assert state.observation(1).format() == "standard 1 4,8,9 25:???:345:3:-/26:18G:567:3:- 3"


def test_s10_hand_at_the_table_is_public() -> None:
    """The hand of a player who plays from the table holds only cards that he took: everybody knows it."""
    state = table("small 0 6,8 0:7:-:2:11*/0:-:5:2:8", "take", unseen="4444")
    seats = state.observation(1).format().split()[3]
    assert seats == "0:678:-:2:11*/0:-:5:2:8*"


def test_s10_banks_and_blind_cards_are_known_to_nobody() -> None:
    """Known to nobody: Banks and Blind Cards, the owner included."""
    state = dealt("standard", "345:499", "567:88G")
    assert state.observation(0).format() == "standard 0o - 27:499:345:3:-/27:???:567:3:- 0"


def test_s10_a_take_shows_that_nothing_was_legal() -> None:
    """Whoever says `take` with a hidden hand shows that no card that he holds was legal on that pile."""
    text = "standard 1 - 8:?{09HG}?{09HG}?{09HG}:345:3:9…/8:012:345:3:- 60"
    drawn = {card for state in deals(text) for card in cards(state.hand(0))}
    assert drawn == set("12345678")


def test_s10_cards_drawn_later_are_free_of_it() -> None:
    """… cards he draws later are free of it."""
    text = "standard 1 3 8:?{09HG}?{09HG}?:345:3:9…/8:012:345:3:- 60"
    drawn = [cards(state.hand(0)) for state in deals(text)]
    assert all(sum(card in "09HG" for card in hand) <= 1 for hand in drawn)
    assert {card for hand in drawn for card in hand} == set(RANKS)


def test_s10_what_nobody_knows_changes_nothing() -> None:
    """Banks and Blind cards are unknown to all: what a seat sees is the same whatever the others hold."""
    one = dealt("standard", "345:499", "567:88G")
    other = dealt("standard", "345:499", "567:77H")
    assert one.observation(0).format() == other.observation(0).format()
    assert one.observation(1).format() != other.observation(1).format()

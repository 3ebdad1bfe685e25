"""The rules page sentence by sentence: turns, the end of a round and scoring (sections 5 and 6).

What is expected stands on the rules page; nothing here was read off a program.
"""

from __future__ import annotations

from collections.abc import Sequence

import eights
import pytest
from situations import cards, choices, deals, dealt, hands, holds, legal, play, table, worth

# --- §5 A turn -------------------------------------------------------------------------------------------------------


def test_s5_hand_not_empty() -> None:
    """1. Hand not empty: play legal cards of the hand, one rank, k copies, or `8H`; the Open Cards wait."""
    assert legal("standard 0 3 5:448:569:3:…/5:???:345:3:-") == "4 4x2 8"
    assert legal("standard 0 3 5:48H:569:3:…/5:???:345:3:-") == "4 8 H 8H"
    assert legal("standard 0 3 0:48H2:569:3:…*/0:-:345:3:-") == "4 8 H 8H"


def test_s5_hand_not_empty_and_nothing_legal() -> None:
    """If none is legal: `take`."""
    assert legal("standard 0 9 5:478:99G:3:…/5:???:345:3:-") == "take"


def test_s5_open_cards() -> None:
    """2. Hand and Bank empty, Open Cards left: play one legal Open Card, just one."""
    assert legal("standard 0 3 0:-:55G:3:…*/0:-:345:3:-") == "5 G"
    assert legal("standard 0 3 0:-:8H:3:…*/0:-:345:3:-") == "8 H"
    state = table("standard 0 3 0:-:55G:3:…*/0:-:345:3:-", "5")
    assert (worth(state), cards(state.open(0))) == ("5", "5G")


def test_s5_option_open_sets() -> None:
    """Option `open_sets` allows k copies and `8H` from the Open Cards."""
    assert legal("standard+open_sets=1 0 3 0:-:55G:3:…*/0:-:345:3:-") == "5 5x2 G"
    assert legal("standard+open_sets=1 0 3 0:-:88H:3:…*/0:-:345:3:-") == "8 8x2 H 8H"
    state = table("standard+open_sets=1 0 3 0:-:88H:3:…*/0:-:345:3:-", "8H")
    assert (worth(state), cards(state.open(0))) == ("8½", "8")


def test_s5_open_cards_and_nothing_legal() -> None:
    """If none is legal: `take`."""
    assert legal("standard 0 9 0:-:456:3:…*/0:-:345:3:-") == "take"


def test_s5_only_blind_cards() -> None:
    """3. Only Blind Cards left: `blind`: one Blind Card is flipped."""
    assert legal("standard 0 9 0:-:-:3:…*/0:-:345:3:-") == "blind"
    assert legal("standard 0 - 0:-:-:1:…*/0:-:345:3:9") == "blind"


def test_s5_blind_card_that_fits() -> None:
    """If it is legal on the pile it counts as played."""
    state = table("small 0 6 0:-:-:2:11*/0:4:5:2:8", "blind", "7", unseen="7777")
    assert (worth(state), cards(state.pile), state.mover) == ("7", "67", 1)
    assert (holds(state, 0), state.blind(0)) == ("-:-:11", 1)


def test_s5_blind_policeman() -> None:
    """A policeman then catches."""
    state = table("small 0 6,H 0:-:-:2:11*/0:-:5:2:8", "blind", "7", unseen="7777")
    assert (state.mover, worth(state), holds(state, 1), choices(state)) == (0, "0", "-:5:678H", "blind")


def test_s5_blind_card_that_does_not_fit() -> None:
    """If not, the player takes the pile and that card."""
    state = table("small 0 5,G,9 0:-:-:2:11*/0:4:5:2:8", "blind", "7", unseen="7777")
    assert (state.mover, cards(state.pile), holds(state, 0), state.blind(0)) == (1, "-", "579G:-:11", 1)


def test_s5_blind_card_on_a_demanding_five() -> None:
    """Whether it is legal is a matter of section 3: on a demanding five a 3 fits, a 7 does not."""
    text = "small 0 5 0:-:-:2:111*/0:4:5:2:8"
    assert worth(table(text, "blind", "3", unseen="3377")) == "3"
    assert holds(table(text, "blind", "7", unseen="3377"), 0) == "57:-:111"


@pytest.mark.parametrize("pile", ["-", "3", "5", "8,H"])
def test_s5_nobody_may_decline(pile: str) -> None:
    """`take` is legal only when nothing else is."""
    assert "take" not in legal(f"standard 0 {pile} 0:3G:345:3:-*/0:-:345:3:…")


def test_s5_refill() -> None:
    """After a play from the hand, the hand is refilled to 3 while the Bank lasts."""
    state = table("standard 0 3 5:448:569:3:…/5:???:345:3:-", "4x2")
    assert state.mover == eights.CHANCE
    state.deal(eights.Rng(1))
    assert (state.mover, state.bank(0), sum(state.hand(0))) == (1, 3, 3)


def test_s5_refill_while_the_bank_lasts() -> None:
    """… while the Bank lasts: two cards played, one left to draw."""
    state = table("standard 0 3 1:448:569:3:…/5:???:345:3:-", "4x2")
    state.deal(eights.Rng(1))
    assert (state.mover, state.bank(0), sum(state.hand(0))) == (1, 0, 2)


def test_s5_hand_is_played_down() -> None:
    """With the Bank empty the hand is played down."""
    state = table("standard 0 3 0:48:569:3:…/0:???:345:3:-", "4")
    assert (state.mover, holds(state, 0)[:5]) == (1, "8:569")
    assert legal("standard 0 3 0:8:569:3:…/0:???:345:3:-") == "8"


def test_s5_take() -> None:
    """The taker removes the whole pile. The next player clockwise starts a new pile with any card."""
    state = table("standard 0 4,9 5:478:99G:3:-/5:34H:345:3:…", "take")
    assert (state.mover, holds(state, 0), worth(state)) == (1, "478:99G:49", "0")
    assert choices(state) == "3 4 H"


def test_s5_no_refill_after_a_take() -> None:
    """The hand is refilled after a play from it, and only then."""
    state = table("standard 0 9 5:478:99G:3:-/5:???:345:3:…", "take")
    assert (state.mover, state.bank(0)) == (1, 5)


def test_s5_taken_cards_go_aside() -> None:
    """Until a player has begun to play from the table they go aside: out of the game, but counted against him."""
    state = table("standard 0 4,9 0:7:99G:3:1/0:???:345:3:…", "take")
    assert holds(state, 0) == "7:99G:149"
    assert state.counts()[0] == 10


def test_s5_taken_cards_go_into_the_hand_at_the_table() -> None:
    """From then on they go into his hand, and he must play the hand out before he may go on with the table."""
    text = "standard 0 {} 0:{}:{}:3:1*/0:-:345:3:…"
    state = table(text.format("4,9", "7", "99G"), "take")
    assert (holds(state, 0), state.counts()[0]) == ("479:99G:1", 10)
    assert legal(text.format("4", "47", "99G")) == "4 7"
    assert legal(text.format("4", "7", "99G")) == "7"
    assert legal(text.format("4", "-", "99G")) == "9 G"


def test_s5_a_felon_caught_after_his_last_hand_card() -> None:
    """A felon caught right after his last hand card still puts the pile aside."""
    state = table("standard 0 4 0:H:99G:3:-/0:5:345:3:…*", "H", "5")
    assert (holds(state, 0), state.at_table(0)) == ("-:99G:45H", False)


def test_s5_no_open_card_fits_on_the_first_turn_at_the_table() -> None:
    """One who finds none of his three Open Cards playable takes the pile into his hand."""
    state = table("standard 1 4,8 0:6:456:3:-/0:9:345:3:…", "9")
    assert (state.mover, choices(state), state.at_table(0)) == (0, "take", False)
    state = table("standard 1 4,8 0:-:456:3:-/0:9:345:3:…", "9")
    assert (state.mover, choices(state), state.at_table(0)) == (0, "take", True)
    assert holds(play(state, "take"), 0) == "489:456:-"


def test_s5_begins_at_the_table_with_the_start_of_his_turn() -> None:
    """… with the start of his first turn on which his hand and Bank are empty, not before."""
    state = table("standard 0 4 0:6:99G:3:-/0:7:345:3:…", "6")
    assert not state.at_table(0)
    play(state, "7")
    assert state.at_table(0)
    assert not state.at_table(1)


def test_s5_catchers_second_play_is_an_ordinary_turn() -> None:
    """A catcher's second play is an ordinary turn of its own: sets and `8H` are allowed."""
    state = table("standard 0 4,H 0:5338H:345:3:…*/0:-:345:3:-", "5")
    assert choices(state) == "3 3x2 8 H 8H"


def test_s5_catchers_second_play_may_begin_at_the_table() -> None:
    """… and it may be the turn with which he begins to play from the table."""
    state = table("standard 0 4,H 0:5:345:3:1/0:-:345:3:…", "5")
    assert (state.mover, state.at_table(0), choices(state)) == (0, True, "3 4 5")


def test_s5_order_cards_leave_then_value() -> None:
    """Cards leave their place → the pile's value changes → …"""
    state = table("standard 0 3 5:448:569:3:…/5:???:345:3:-", "4x2")
    assert (cards(state.hand(0)), worth(state), cards(state.pile)) == ("8", "4", "344")


def test_s5_order_felon_takes_then_refill_then_next() -> None:
    """… → a caught felon takes the pile → the player refills → … → the next player to act (the catcher himself)."""
    state = table("standard 0 4,H 5:568:345:3:…/5:???:345:3:-", "5")
    assert (cards(state.aside(1)), state.mover, state.chance_place()) == ("45H", eights.CHANCE, (0, 0))
    state.deal(eights.Rng(1))
    assert (state.mover, sum(state.hand(0)), worth(state)) == (0, 3, "0")


def test_s5_order_catch_with_the_last_card() -> None:
    """… a caught felon takes the pile → … → if he has no card left anywhere but aside, the round ends."""
    state = table("small 0 4,H 0:5:-:0:11*/0:-:5:2:8", "5", unseen="77")
    assert (state.mover, state.winner, holds(state, 1)) == (eights.TERMINAL, 0, "-:5:458H")
    assert state.counts() == [2, 7]


def test_s5_order_last_card_before_the_limit() -> None:
    """… the round ends → the limit `max_plies` is looked at: the last card wins on the last ply too."""
    state = table("small+max_plies=61 0 4 0:5:-:0:11*/0:-:5:2:8", "5", unseen="77")
    assert (state.mover, state.winner, state.plies) == (eights.TERMINAL, 0, 61)


def test_s5_order_refill_before_the_limit() -> None:
    """… → the player refills → … → the limit `max_plies` is looked at."""
    state = table("standard+max_plies=61 0 3 5:448:569:3:…/5:???:345:3:-", "4x2")
    assert state.mover == eights.CHANCE
    state.deal(eights.Rng(1))
    assert (state.mover, state.bank(0), sum(state.hand(0))) == (eights.TERMINAL, 3, 3)


# Opening a round


def test_s5_opener_holds_the_lowest_yellow_card() -> None:
    """The opener is the player who holds the lowest yellow card in his hand; Open Cards do not count."""
    assert dealt("standard", "111:699", "888:44G", "555:37G").mover == 2


def test_s5_first_of_several_openers() -> None:
    """… with several, the first of them from seat 0."""
    assert dealt("standard", "111:699", "888:37G", "555:33G").mover == 1


def test_s5_opener_must_play_that_rank() -> None:
    """He must play that rank, one or more copies."""
    assert choices(dealt("standard", "567:33H", "567:499")) == "3 3x2"
    assert choices(dealt("standard", "567:123", "567:444")) == "1"


def test_s5_nobody_holds_a_yellow_card() -> None:
    """If nobody holds a yellow card, seat 0 opens with anything."""
    state = dealt("standard", "567:55H", "567:099", "234:GGG")
    assert (state.mover, choices(state)) == (0, "5 5x2 H")


def test_s5_opener_with_the_eight_plays_eights() -> None:
    """An opener whose lowest yellow card is the 8 plays 8s, not `8H`."""
    assert choices(dealt("standard", "567:88H", "567:099")) == "8 8x2"


def test_s5_who_opens_is_public() -> None:
    """That no hand holds a lower yellow card, and that no seat before the opener's holds that rank, everybody knows."""
    drawn = [hands(state) for state in deals("standard 1o - 15:???:889:3:-/15:47G:136:3:-/15:???:345:3:- 0")]
    assert not any(set(first) & set("1234") for first, _, _ in drawn)
    assert not any(set(third) & set("123") for _, _, third in drawn)
    assert any("4" in third for _, _, third in drawn)
    assert any("6" in first for first, _, _ in drawn)


def test_s5_nobody_yellow_is_public() -> None:
    """Nobody yellow: that no hand holds any."""
    drawn = [hands(state) for state in deals("standard 0o - 27:5HG:889:3:-/27:???:136:3:- 0")]
    assert not any(set(second) & set("1234678") for _, second in drawn)
    assert {card for _, second in drawn for card in second} == set("059HG")


# --- §6 End of the round and scoring ---------------------------------------------------------------------------------

LAST_CARD = "small{} 0 4 0:6:-:0:{}*/0:-:5:2:{}/0:-:3:2:{}"


def scored(options: str, *asides: str, last: str = "6") -> eights.State:
    """Three players; seat 0 wins with his last card; with nothing aside the others have 3 cards each."""
    return table(LAST_CARD.format(options, *(aside or "-" for aside in asides)), last, unseen="7777")


def test_s6_round_ends_at_once() -> None:
    """The round ends at once when a player has no card left in Bank, Hand, Open and Blind Cards: he is the winner."""
    state = scored("", "11", "8", "9")
    assert (state.mover, state.winner, state.legal_actions()) == (eights.TERMINAL, 0, [])


def test_s6_round_goes_on_with_a_blind_card() -> None:
    """… no card left in Bank, Hand, Open and Blind Cards."""
    assert table("small 0 4 0:6:-:1:11*/0:-:5:2:8", "6", unseen="777").mover == 1


def test_s6_winner_may_leave_a_felony() -> None:
    """… even if he leaves a felony behind."""
    assert table("small 0 4 0:H:-:0:11*/0:-:5:2:8", "H", unseen="77").winner == 0


def test_s6_flipped_last_card_wins() -> None:
    """A Blind Card that fits may be the last card; one that does not is taken with the pile."""
    text = "small 0 6 0:-:-:1:11*/0:-:5:2:8"
    assert table(text, "blind", "7", unseen="747").winner == 0
    state = table(text, "blind", "4", unseen="747")
    assert (state.winner, state.mover, holds(state, 0)) == (None, 1, "46:-:11")


def test_s6_count() -> None:
    """A player's count is Bank + Hand + Open + Blind + aside."""
    state = table("standard 0 3 5:448:569:3:0117/5:???:345:3:…")
    assert state.counts() == [18, 72 - 18 - 1]


def test_s6_big_loser() -> None:
    """The Big Loser is the player with the highest count apart from the winner."""
    assert scored("", "11", "8", "99").big_loser == 2
    assert scored("", "11", "88", "9").big_loser == 1
    assert scored("", "000000", "8", "99").big_loser == 2


def test_s6_big_loser_on_a_tie() -> None:
    """On a tie: the first of them clockwise from the winner."""
    assert scored("", "11", "8", "9").big_loser == 1
    state = table("small 1 4 0:-:5:2:8/0:6:-:0:11*/0:-:3:2:9", "6", unseen="7777")
    assert (state.winner, state.big_loser) == (1, 2)


@pytest.mark.parametrize(
    ("asides", "points"),
    [(("11", "8", "9"), [3, 0, 0]), (("00000", "8", "99"), [2, 1, 0]), (("00000", "88", "9"), [2, 0, 1])],
)
def test_s6_standard_scoring(asides: Sequence[str], points: list[float]) -> None:
    """Winner 2; lowest count of all players 1 (a winner with the lowest count: 3)."""
    assert scored("", *asides).points() == points


@pytest.mark.parametrize(
    ("asides", "points"),
    [(("11", "8", "9"), [2, 0, 0]), (("00000", "8", "99"), [1, 1, 0]), (("", "888", "9"), [3, 0, 0])],
)
def test_s6_shafir_scoring(asides: Sequence[str], points: list[float]) -> None:
    """Winner 1; lowest count of all players 1; winner with nothing aside 1 more."""
    assert scored("+scoring=shafir", *asides).points() == points


@pytest.mark.parametrize(
    ("option", "points"),
    [("", [2, 1, 1]), ("+fewest_tie=split", [2, 0.5, 0.5]), ("+fewest_tie=none", [2, 0, 0])],
)
def test_s6_option_fewest_tie(option: str, points: list[float]) -> None:
    """Several share the lowest count: `all` (default, each gets the point), `split` (they share it), `none`."""
    assert scored(option, "00000", "8", "9").points() == points


@pytest.mark.parametrize(
    ("option", "points"),
    [("", [3, 1, 0]), ("+fewest_tie=split", [2.5, 0.5, 0]), ("+fewest_tie=none", [2, 0, 0])],
)
def test_s6_winner_shares_the_lowest_count(option: str, points: list[float]) -> None:
    """Lowest count of all players: the winner may be among several."""
    assert scored(option, "1111", "8", "99").points() == points


def test_s6_no_points_before_the_end() -> None:
    """Points are scored when the round ends."""
    state = table("small 0 4 0:6:-:1:11*/0:-:5:2:8", unseen="777")
    assert (state.points(), state.winner, state.big_loser) == ([0, 0], None, None)


def test_s6_forced_circle() -> None:
    """A round can go round in circles, with every move forced: `5 G take 8 G take`."""
    state = table("small+five_through_ghost=1 0 - 0:5:7:2:1*/0:8G:7:2:1*", unseen="3333")
    for _ in range(2):
        for action in ("5", "G", "take", "8", "G", "take"):
            assert choices(state) == action
            play(state, action)
        assert (state.mover, holds(state, 0), holds(state, 1)) == (0, "5:7:1", "8G:7:1")
    assert state.plies == 72


def test_s6_max_plies() -> None:
    """After `max_plies` it ends without a winner and without a Big Loser; the lowest count's point is still given."""
    state = table("small+max_plies=61 0 4 0:6:-:1:1*/0:-:5:2:88/0:-:3:2:99", "6", unseen="77777")
    assert (state.mover, state.winner, state.big_loser, state.plies) == (eights.TERMINAL, None, None, 61)
    assert state.points() == [1, 0, 0]


def test_s6_max_plies_default() -> None:
    """`max_plies` player actions (default 1,000)."""
    assert eights.Rules.standard().max_plies == 1000


def test_s6_every_action_counts() -> None:
    """Every action of section 9 counts, `keep` and `swap` too."""
    state = dealt("standard", "567:33H", "567:499", exchange=(0, 1))
    assert (state.plies, play(state, "keep").plies) == (0, 1)
    assert play(dealt("standard", "567:33H", "567:499", exchange=(0, 1)), "swap 5 6").plies == 1
    limited = play(dealt("standard+max_plies=1", "567:33H", "567:499", exchange=(0, 1)), "keep")
    assert (limited.mover, limited.winner, limited.points()) == (eights.TERMINAL, None, [1, 1])


@pytest.mark.parametrize("events", [("take",), ("blind", "7"), ("blind", "4")])
def test_s6_takes_and_flips_count_once(events: tuple[str, ...]) -> None:
    """Player actions: a flip and what comes of it are one."""
    text = "small 0 6 0:{}:-:2:11*/0:-:5:2:8".format("3" if events == ("take",) else "-")
    assert table(text, *events, unseen="7474").plies == 61

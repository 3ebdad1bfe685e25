"""The rules page sentence by sentence: cards, the deal, the pile, felony and policeman (sections 1 to 4).

What is expected stands on the rules page; nothing here was read off a program.
"""

from __future__ import annotations

import eights
import pytest
from situations import cards, choices, dealt, legal, play, table, worth

# Seat 0 plays from the table with one card of every rank in hand; seat 1 has just played his last hand card.
ALL = "0:0123456789HG:345:3:-*/0:-:345:3:…"


def hand(cards: str, options: str = "", *, pile: str) -> str:
    """A situation in which seat 0 acts with these cards in hand, on this pile, and seat 1 has nothing aside."""
    return f"standard{options} 0 {pile} 0:{cards}:345:3:…*/0:-:345:3:-"


# --- §1 Cards --------------------------------------------------------------------------------------------------------


def test_s1_deck() -> None:
    """72 cards, 12 ranks: the copies column."""
    deck = eights.Rules.standard().deck
    assert deck == (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8)
    assert sum(deck) == 72


@pytest.mark.parametrize(("rank", "char"), list(enumerate("0123456789HG")))
def test_s1_rank_chars_and_ids(rank: int, char: str) -> None:
    """The char and id columns."""
    assert eights.rank_char(rank) == char
    assert eights.parse_rank(char) == rank


def test_s1_cards_of_one_rank_are_indistinguishable() -> None:
    """Cards of one rank are indistinguishable: a draw has one outcome a rank."""
    state = eights.State(eights.Rules.standard(players=2))
    assert state.chance_outcomes() == [(rank, n / 72) for rank, n in enumerate((6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8))]


@pytest.mark.parametrize("card", "1234678")
def test_s1_yellow_opens(card: str) -> None:
    """Yellow = {1, 2, 3, 4, 6, 7, 8}; it matters only for who opens."""
    assert dealt("standard", "333:59G", f"444:99{card}").mover == 1


@pytest.mark.parametrize("card", "059HG")
def test_s1_five_and_nine_and_wild_cards_are_not_yellow(card: str) -> None:
    """5 is blue and 9 red, 0, Half and Ghost are wild: none of them opens before an 8."""
    assert dealt("standard", f"333:{card * 3}", "444:889").mover == 1


# --- §2 Players and deal ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_s2_two_to_six_players(players: int) -> None:
    """2 to 6 players."""
    assert eights.State(eights.Rules.standard(players=players)).players == players


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_s2_no_other_number_of_players(players: int) -> None:
    """2 to 6 players."""
    with pytest.raises(ValueError, match="players"):
        eights.Rules.standard(players=players)


@pytest.mark.parametrize(
    ("players", "banks"),
    [(2, [27, 27]), (3, [15, 15, 15]), (4, [9] * 4), (5, [6, 6, 5, 5, 5]), (6, [3] * 6)],
)
def test_s2_deck_is_dealt_out_entirely(players: int, banks: list[int]) -> None:
    """The deck is dealt out entirely, one card at a time from seat 0; of five, seats 0 and 1 get 15, the others 14."""
    state = eights.State(eights.Rules.standard(players=players))
    state.deal(eights.Rng(2))
    assert [state.bank(seat) for seat in range(players)] == banks
    assert state.counts() == [bank + 9 for bank in banks]


def test_s2_three_blind_three_open_three_in_hand() -> None:
    """From its top each player sets out 3 Blind Cards, 3 Open Cards, and draws a Hand of 3."""
    state = dealt("standard", "567:123", "89H:4G0")
    for seat, open_, hand_ in ((0, "567", "123"), (1, "89H", "04G")):
        assert (cards(state.open(seat)), cards(state.hand(seat)), state.blind(seat)) == (open_, hand_, 3)


def test_s2_seats_are_numbered_clockwise() -> None:
    """Seats are numbered 0, 1, … clockwise: after seat n comes seat n + 1, after the last one seat 0."""
    state = dealt("standard", "333:778", "333:889", "444:66G")
    assert state.mover == 2
    assert play(state, "6", "7").mover == 0
    assert play(state, "7", "7").mover == 1


def test_s2_a_rank_is_drawn_uniformly_from_the_pool() -> None:
    """A card's rank is drawn when somebody first sees it, uniformly from the pool of cards that nobody has yet seen."""
    state = play(eights.State(eights.Rules.standard(players=2)), "1", "1", "G")
    left = (6, 2, 4, 6, 6, 6, 6, 6, 6, 6, 8, 7)
    assert state.chance_outcomes() == [(rank, count / 69) for rank, count in enumerate(left)]
    play(state, "1", "1")
    assert [rank for rank, _ in state.chance_outcomes()] == [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]


def test_s2_order_of_chance_first_the_deal() -> None:
    """For seat 0, 1, …: that seat's open cards, then its hand cards."""
    state = eights.State(eights.Rules.standard(players=2))
    places = []
    for rank in "056123789456":
        places.append(state.chance_place())
        play(state, rank)
    hand_zone, open_zone = 0, 1
    assert places == [(seat, zone) for seat in (0, 1) for zone in [open_zone] * 3 + [hand_zone] * 3]
    assert state.mover == 0


def test_s2_order_of_chance_then_the_refills() -> None:
    """After each play from the hand: the cards that refill it, one by one."""
    state = play(dealt("standard", "567:113", "89H:4G0"), "1x2")
    for rank, so_far in (("7", "3"), ("9", "37")):
        assert (state.mover, state.chance_place(), cards(state.hand(0))) == (eights.CHANCE, (0, 0), so_far)
        play(state, rank)
    assert (state.mover, cards(state.hand(0))) == (1, "379")


def test_s2_order_of_chance_and_the_flips() -> None:
    """After the action `blind`: the flipped card."""
    state = table("small 0 6 0:-:-:2:1*/0:-:5:2:8", "blind", unseen="7777")
    assert (state.mover, state.chance_place()) == (eights.CHANCE, (0, 4))
    assert state.chance_outcomes() == [(7, 1.0)]


# --- §3 The pile and its value ---------------------------------------------------------------------------------------

NUMBERS = "1 2 3 4 5 6 7 8 9"


def test_s3_empty_pile_takes_anything() -> None:
    """An empty pile has value 0; anything may open a pile."""
    assert worth(table(f"standard 0 - {ALL}")) == "0"
    assert legal(f"standard 0 - {ALL}") == f"0 {NUMBERS} H G 8H"


@pytest.mark.parametrize(("opening", "value"), [("H", "½"), ("G", "0"), ("0", "0"), ("8H", "8½"), ("7", "7")])
def test_s3_what_opens_a_pile(opening: str, value: str) -> None:
    """A Half then makes ½ and a Ghost leaves 0."""
    assert worth(table(f"standard 0 - {ALL}", opening)) == value


@pytest.mark.parametrize(
    ("pile", "allowed"),
    [
        ("0", f"0 {NUMBERS} H G 8H"),
        ("1", "0 1 2 3 4 5 6 7 8 9 H G 8H"),
        ("3", "0 3 4 5 6 7 8 9 H G 8H"),
        ("6", "0 6 7 8 9 H G 8H"),
        ("7", "0 7 8 9 H G 8H"),
        ("8", "0 8 9 H G 8H"),
        ("H", "1 2 3 4 5 6 7 8 9 H G 8H"),
        ("2,H", "3 4 5 6 7 8 9 H G 8H"),
        ("4,H", "5 6 7 8 9 H G 8H"),
        ("5,H", "6 7 8 9 H G 8H"),
        ("6,H", "7 8 9 H G 8H"),
        ("7,H", "8 9 H G 8H"),
        ("3,3,0", f"0 {NUMBERS} H G 8H"),
        ("4,6", "0 6 7 8 9 H G 8H"),
        ("4,G", "0 4 5 6 7 8 9 H G 8H"),
    ],
)
def test_s3_table_of_what_is_allowed(pile: str, allowed: str) -> None:
    """Numbers n ≥ v; `0` on a whole v; `H` unless v = 8½; `G` always; `8H` on v ≤ 8½."""
    assert legal(f"standard 0 {pile} {ALL}") == allowed


@pytest.mark.parametrize(
    ("pile", "laid", "value"),
    [
        ("3", "3", "3"),
        ("3", "8", "8"),
        ("3", "0", "0"),
        ("3", "H", "3½"),
        ("3,H", "H", "4"),
        ("3", "G", "3"),
        ("3,H", "G", "3½"),
        ("3", "8H", "8½"),
        ("3,H", "9", "9"),
        ("9", "9", "9"),
        ("9", "0", "0"),
    ],
)
def test_s3_table_of_new_values(pile: str, laid: str, value: str) -> None:
    """The new value: n, 0, v + ½, v, 8½."""
    assert worth(table(f"standard 0 {pile} {ALL}", laid)) == value


def test_s3_five_demands_five_or_lower() -> None:
    """When the pile is brought to 5, the next player's numbers must be 5 or lower; 0, Half and Ghost are as usual."""
    assert legal(f"standard 0 5 {ALL}") == "0 1 2 3 4 5 H G"
    assert legal(f"standard 0 3,5 {ALL}") == "0 1 2 3 4 5 H G"
    assert worth(table(f"standard 0 5 {ALL}", "2")) == "2"


def test_s3_half_on_a_five() -> None:
    """Half (→ 5½)."""
    assert worth(table(f"standard 0 5 {ALL}", "H")) == "5½"


def test_s3_five_on_a_five_demands_again() -> None:
    """When the pile is brought to 5: also from 5."""
    assert legal(f"standard 0 5,5 {ALL}") == "0 1 2 3 4 5 H G"


def test_s3_demand_ends_with_the_value() -> None:
    """The demand is on the next player only: a 2 on a five is an ordinary two."""
    assert legal(f"standard 0 5,2 {ALL}") == "0 2 3 4 5 6 7 8 9 H G 8H"
    assert legal(f"standard 0 5,H {ALL}") == "6 7 8 9 H G 8H"


def test_s3_four_and_a_half_and_half_is_a_five_too() -> None:
    """It is the pile that counts, so 4½ + Half is a five too."""
    assert legal(f"standard 0 4,H,H {ALL}") == "0 1 2 3 4 5 H G"


def test_s3_ghost_releases_a_five() -> None:
    """If he plays a Ghost the pile still stands at 5; the player after him is bound by n ≥ v, and may play `8H`."""
    assert worth(table(f"standard 0 5 {ALL}", "G")) == "5"
    assert legal(f"standard 0 5,G {ALL}") == "0 5 6 7 8 9 H G 8H"


@pytest.mark.parametrize("pile", ["G,5", "4,G,5", "4,G,H,H", "4,H,G,H"])
def test_s3_ghost_before_the_five_releases_nothing(pile: str) -> None:
    """A Ghost played before the pile became five releases nothing."""
    assert legal(f"standard 0 {pile} {ALL}") == "0 1 2 3 4 5 H G"


@pytest.mark.parametrize("pile", ["5,G", "5,G,G", "4,H,H,G"])
def test_s3_option_five_through_ghost(pile: str) -> None:
    """Option `five_through_ghost`: the Ghost, being transparent, passes the demand on."""
    assert legal(f"standard+five_through_ghost=1 0 {pile} {ALL}") == "0 1 2 3 4 5 H G"


def test_s3_half_not_on_eight_and_a_half() -> None:
    """8½: only `G`, `8H` and `9` may be played on it."""
    assert legal(f"standard 0 8,H {ALL}") == "9 G 8H"
    assert legal(f"standard 0 8H {ALL}") == "9 G 8H"


@pytest.mark.parametrize("pile", ["8,H", "8H", "8,0,8H", "7,H,8H"])
@pytest.mark.parametrize("rules", ["standard+sealed_eight_and_a_half=1", "shafir"])
def test_s3_option_sealed_eight_and_a_half(rules: str, pile: str) -> None:
    """Option `sealed_eight_and_a_half`: nothing at all may be played on 8½; the next player takes the pile."""
    assert legal(f"{rules} 0 {pile} {ALL}") == "take"


def test_s3_sealed_eight_and_a_half_with_only_blind_cards_left() -> None:
    """… also one who has only Blind Cards left: he flips none."""
    text = "{} 0 8,H 0:-:-:3:…*/0:-:345:3:-"
    assert legal(text.format("standard")) == "blind"
    assert legal(text.format("shafir")) == "take"
    state = table(text.format("shafir"), "take")
    assert (state.mover, cards(state.hand(0)), state.blind(0)) == (1, "8H", 3)


@pytest.mark.parametrize(
    ("pile", "allowed"),
    [("9", "0 9 H G"), ("9,H", "H G"), ("9,H,H", "0 H G"), ("9,H,H,H", "H G"), ("9,G", "0 9 H G")],
)
def test_s3_nine_and_above(pile: str, allowed: str) -> None:
    """On 9: `9`, `0`, `G`, `H`. Halves go on: 9½ (only `H`, `G`), 10 (`H`, `G`, `0`), …"""
    assert legal(f"standard 0 {pile} {ALL}") == allowed


def test_s3_halves_go_on_above_nine() -> None:
    """9½, 10, …: each Half adds its half."""
    state = table(hand("HHH", pile="9,H,H"), "H")
    assert worth(state) == "10½"
    assert worth(table(hand("0", pile="9,H,H"), "0")) == "0"


def test_s3_several_identical_cards() -> None:
    """Any number k ≥ 1 of the copies held may be played in one turn."""
    assert legal(hand("3335", pile="2")) == "3 3x2 3x3 5"
    assert legal(hand("00HHGGG", pile="2")) == "0 0x2 H Hx2 G Gx2 Gx3"
    state = table(hand("3335", pile="2"), "3x2")
    assert (worth(state), cards(state.hand(0)), cards(state.pile)) == ("3", "35", "233")


def test_s3_several_halves_count_as_one() -> None:
    """They count as one card: k Halves raise the pile by one half."""
    assert worth(table(hand("HHH", pile="2"), "Hx3")) == "2½"
    assert legal(hand("HHH", pile="8,H")) == "take"
    assert legal(hand("HHH", pile="8")) == "H Hx2 Hx3"


def test_s3_option_halves_add_up() -> None:
    """Option `halves_add_up`: k Halves raise it by k halves."""
    assert worth(table(hand("HHH", "+halves_add_up=1", pile="2"), "Hx3")) == "3½"
    assert worth(table(hand("HHH", "+halves_add_up=1", pile="2"), "Hx2")) == "3"
    assert worth(table(hand("HHH", "+halves_add_up=1", pile="9"), "Hx3")) == "10½"


@pytest.mark.parametrize(
    ("pile", "allowed"), [("7", "H Hx2 Hx3"), ("7,H", "H Hx2"), ("8", "H"), ("8,H", "take"), ("9", "H Hx2 Hx3 Hx4")]
)
def test_s3_each_of_several_halves_has_to_be_legal(pile: str, allowed: str) -> None:
    """… each of them having to be legal on the value it is laid on: none on 8½."""
    assert legal(hand("HHHH", "+halves_add_up=1", pile=pile)) == allowed


def test_s3_several_halves_make_a_five() -> None:
    """It is the pile that counts: 4 and two added Halves are a five, 4½ and two are not."""
    assert legal(f"standard+halves_add_up=1 0 4,Hx2 {ALL}") == "0 1 2 3 4 5 H G"
    assert legal(f"standard+halves_add_up=1 0 4,Hx3 {ALL}") == "6 7 8 9 H G 8H"


def test_s3_wild_cards_may_be_several() -> None:
    """May "use one of the Wild Cards" is not read as forbidding several identical ones."""
    assert legal(hand("00GG", pile="4")) == "0 0x2 G Gx2"


def test_s3_eight_and_half_together() -> None:
    """A player who holds both may lay one 8 and one Half together; it makes 8½."""
    state = table(hand("88HH", pile="2"), "8H")
    assert (worth(state), cards(state.hand(0)), cards(state.pile)) == ("8½", "8H", "28H")
    assert legal(hand("88", pile="2")) == "8 8x2"
    assert legal(hand("HH", pile="2")) == "H Hx2"


@pytest.mark.parametrize(
    ("pile", "allowed"), [("8,H", True), ("7,H", True), ("9", False), ("9,H", False), ("5", False)]
)
def test_s3_eight_and_half_up_to_eight_and_a_half(pile: str, allowed: bool) -> None:
    """`8H`: v ≤ 8½, not on a demanding five."""
    assert ("8H" in legal(hand("8H", pile=pile)).split()) is allowed


def test_s3_eight_and_half_is_no_policeman() -> None:
    """On 7½ the 8 alone catches, `8H` does not."""
    both = table(hand("8H3", pile="7,H"), "8H")
    assert (both.mover, worth(both), both.felon, cards(both.aside(1))) == (1, "8½", 0, "-")
    alone = table(hand("8H3", pile="7,H"), "8")
    assert (alone.mover, worth(alone), alone.felon, cards(alone.aside(1))) == (0, "0", None, "78H")


# --- §4 Felony and policeman -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pile", "laid"), [("3", "H"), ("3", "8H"), ("3,H", "G"), ("9", "H"), ("8,H", "G"), ("9,H", "G")]
)
def test_s4_felon(pile: str, laid: str) -> None:
    """If the value ends in ½ after a play (a Half, `8H`, a Ghost on such a pile) its player is a felon."""
    assert table(f"standard 0 {pile} {ALL}", laid).felon == 0


@pytest.mark.parametrize(("pile", "laid"), [("3,H", "H"), ("3", "G"), ("3,H", "6"), ("3", "0"), ("8,H", "9")])
def test_s4_no_felon(pile: str, laid: str) -> None:
    """The player who made a play after which the value is whole is none, and the felony before it is over."""
    assert table(f"standard 0 {pile} {ALL}", laid).felon is None


def test_s4_felon_until_the_next_player_has_acted() -> None:
    """… is a felon until the next player has acted, also if he takes the pile."""
    state = table(hand("12", pile="3,H"))
    assert state.felon == 1
    assert play(state, "take").felon is None
    ghost = table(hand("G2", pile="3,H"), "G")
    assert ghost.felon == 0


@pytest.mark.parametrize(
    ("pile", "policeman"),
    [
        ("H", "1"),
        ("1,H", "2"),
        ("2,H", "3"),
        ("3,H", "4"),
        ("4,H", "5"),
        ("5,H", "6"),
        ("6,H", "7"),
        ("7,H", "8"),
        ("8,H", "9"),
        ("8H", "9"),
    ],
)
def test_s4_policeman(pile: str, policeman: str) -> None:
    """The policeman of x½ is x+1 (8½: the 9; ½: the 1): the felon takes the whole pile, the policeman included."""
    state = table(f"standard 0 {pile} 0:0123456789HG:3:3:…*/0:-:345:3:-", policeman)
    pile_cards = "".join(sorted(pile.replace(",", "") + policeman))
    assert "".join(sorted(cards(state.aside(1)))) == pile_cards
    assert (state.mover, worth(state), cards(state.pile)) == (0, "0", "-")


@pytest.mark.parametrize("pile", ["9,H", "9,H,H,H"])
def test_s4_no_policeman_above_nine(pile: str) -> None:
    """9½ and above have none: no number may be laid there."""
    assert legal(hand("123456789", pile=pile)) == "take"


def test_s4_any_other_number_does_not_catch() -> None:
    """Only x+1 catches: a 6 on 4½ is an ordinary play."""
    state = table(hand("56", pile="4,H"), "6")
    assert (state.mover, worth(state), cards(state.aside(1)), cards(state.pile)) == (1, "6", "-", "46H")


def test_s4_policeman_on_a_whole_value_does_not_catch() -> None:
    """Nobody is a felon on a whole value: 5 on 4, also after two Halves."""
    state = table(hand("5", pile="3,H,H"), "5")
    assert (worth(state), cards(state.aside(1)), state.mover) == ("5", "-", 1)


def test_s4_several_policemen() -> None:
    """The policeman: one or more copies; the felon takes them all."""
    state = table(hand("5556", pile="4,H"), "5x2")
    assert (cards(state.aside(1)), cards(state.hand(0)), state.mover) == ("455H", "56", 0)


def test_s4_the_ghosts_player_is_caught() -> None:
    """The felon is who passed such a pile on with a Ghost, not who laid the Half."""
    state = table("standard 0 4,H,G 0:56:345:3:…*/0:-:345:3:-/0:-:345:3:-", "5")
    assert (cards(state.aside(1)), cards(state.aside(2))) == ("-", "45HG")


def test_s4_catcher_starts_a_new_pile() -> None:
    """The player who caught him then starts a new pile (he plays again, now on an empty pile)."""
    state = table(hand("510", pile="4,H"), "5")
    assert (state.mover, choices(state)) == (0, "0 1")
    assert (play(state, "0").mover, worth(state)) == (1, "0")


def test_s4_laying_the_policeman_always_catches() -> None:
    """Laying the policeman always catches; whoever does not want to catch plays something else."""
    assert legal(hand("56G", pile="4,H")) == "5 6 G"
    assert cards(table(hand("56G", pile="4,H"), "5").aside(1)) == "45H"
    assert cards(table(hand("56G", pile="4,H"), "G").aside(1)) == "-"


def test_s4_option_policeman_starts_pile() -> None:
    """The felon takes the pile without the policeman cards; these are the new pile, and the turn passes on."""
    state = table(hand("6667", "+policeman_starts_pile=1", pile="5,H"), "6x2")
    assert (cards(state.aside(1)), cards(state.pile), worth(state)) == ("5H", "66", "6")
    assert (state.felon, state.mover) == (None, 1)


def test_s4_option_policeman_starts_pile_with_a_five() -> None:
    """The new pile's value is the policemen's number; a pile brought to 5 so is a demanding five too."""
    seats = "0:56:345:3:…*/0:0123456789HG:345:3:-*"
    state = table(f"standard+policeman_starts_pile=1 0 4,H {seats}", "5")
    assert (worth(state), cards(state.hand(1))) == ("5", "01234456789HHG")
    assert choices(state) == "0 1 2 3 4 4x2 5 H Hx2 G"


def test_s4_felon_though_nobody_can_catch() -> None:
    """The felon is marked as such whether or not anybody can catch him (9½, a sealed 8½)."""
    assert table(hand("H", pile="9"), "H").felon == 0
    assert table(hand("H1", "+sealed_eight_and_a_half=1", pile="8"), "H").felon == 0

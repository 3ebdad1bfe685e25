"""Positions: their text both ways, what they tell, and every kind of fault (the notation of positions)."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
import transcripts
from eights.actions import action_text
from eights.errors import ImpossiblePosition, NotationError, PositionSyntaxError
from eights.position import Position, parse_position
from eights.rules import Rules
from eights.seat import UNKNOWN, Seat, Unknown
from eights_core.rng import Rng

EXAMPLE = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
OPENING = "standard 1o - 9:???:05G:3:-/9:024:136:3:-/9:???:889:3:-/9:???:247:3:- 0"
EXCHANGE = "standard 1x0 - 9:???:05G:3:-/9:024:136:3:-/9:???:889:3:-/9:???:247:3:- 0"
TABLE = "standard 1 3 0:-:-:3:00011122333555555666777888999HHHHGGGG*/0:01448HG:244:3:0024466677899HHGGG* 67"
LAST = "standard 1 3 0:01448HG:-:3:00011122333555555666777888999HHHHGGGG*/0:-:244:3:0024466677899HHGGG* 67"


def faults(text: str) -> tuple[str, ...]:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    return caught.value.faults


# ---- the text, both ways


def test_the_example_of_the_notation() -> None:
    position = parse_position(EXAMPLE)
    assert position == Position(
        rules=Rules.standard(players=4),
        mover=1,
        mode="",
        big_loser=None,
        pile=(6, 44, 44, 50, 64),
        seats=(
            Seat(7, (UNKNOWN,) * 3, (0, 5, 11), 3),
            Seat(8, (0, 2, 4), (1, 3, 6), 3),
            Seat(8, (UNKNOWN,) * 3, (8, 8, 9), 3),
            Seat(8, (UNKNOWN,) * 3, (2, 4, 7), 3),
        ),
        plies=5,
    )
    assert position.format() == str(position) == EXAMPLE
    assert [action_text(action) for action in position.legal_actions()] == ["0"]


@pytest.mark.parametrize("text", [EXAMPLE, OPENING, EXCHANGE, TABLE, LAST])
def test_canonical_text_comes_back(text: str) -> None:
    assert parse_position(text).format() == text


@pytest.mark.parametrize(
    ("old", "new", "canonical"),
    [
        ("8:024:136", "8:420:631", "8:024:136"),
        (":- 5", ":-", ":- 5"),
        ("standard 1 ", "  amigo+exchange=1\t1  ", "standard 1 "),
        ("7:???:", "7:?{GH909}??:", "7:???{09HG}:"),
        ("1,8,8,9,G 7:", "?,8,8,9,G 7:", "?,8,8,9,G 7:"),
    ],
)
def test_other_text_is_made_canonical(old: str, new: str, canonical: str) -> None:
    position = parse_position(EXAMPLE.replace(old, new, 1))
    assert position.format() == EXAMPLE.replace(old, canonical, 1)
    assert parse_position(position.format()) == position


def test_unknown_cards_come_last_and_bare_ones_first() -> None:
    seat = Seat(bank=0, hand=(Unknown(1 << 9), 11, UNKNOWN, Unknown(1 << 0 | 1 << 11), 3), open=(), blind=0)
    assert str(seat) == "0:3G??{0G}?{9}:-:0:-"


def test_default_plies_are_the_plays_on_the_pile_each_unknown_card_one() -> None:
    text = EXAMPLE.removesuffix(" 5").replace("1,8,8,9,G", "?,?,8,9,G")
    assert parse_position(text).plies == 5


@pytest.mark.parametrize("transcript", transcripts.load(), ids=lambda transcript: transcript.name)
def test_every_position_of_a_transcript(transcript: transcripts.Transcript) -> None:
    for step in transcript.round["steps"]:
        if "position" in step:
            position = parse_position(step["position"])
            assert position.format() == step["position"]
            assert position.mover == step["seat"]
            assert position.value == Fraction(step["value"])
            assert position.felon == step["felon"]
            assert position.is_analysable
            if step["act"] % 7 == 0:  # a part of them, for time
                assert position.legal_actions() == step["legal"]


def test_positions_are_copied_without_what_is_derived() -> None:
    position = parse_position(EXAMPLE)
    _ = position.belief
    assert pickle.loads(pickle.dumps(position)) == copy.deepcopy(position) == position
    assert repr(position) == f"parse_position({EXAMPLE!r})"


# ---- what it tells


def test_s3_value_of_a_pile_of_which_only_the_top_is_known() -> None:
    position = parse_position(EXAMPLE.replace("1,8,8,9,G", "?,?,5,H,G"))
    assert position.value == Fraction(11, 2)
    assert position.felon == 0


def test_unseen_cards() -> None:
    position = parse_position(EXAMPLE)
    assert position.players == 4
    assert sum(position.unseen) == 31 + 12 + 9  # Banks, Blind Cards, three hands
    assert position.unseen == (4, 2, 2, 5, 4, 5, 5, 5, 2, 4, 8, 6)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (EXAMPLE.replace("024", "0?4"), "cards of its hand"),
        (EXCHANGE.replace("024", "???"), "cards of its hand"),
        (EXCHANGE.replace("05G", "0?G"), "Open Cards of seat 0"),
        (EXCHANGE.replace("136", "13?"), "Open Cards of seat 1"),
        (LAST.replace("0:-:244", "0:-:2?4"), "Open Cards"),
    ],
)
def test_what_must_be_known_to_analyse(text: str, words: str) -> None:
    position = parse_position(text)
    assert not position.is_analysable
    with pytest.raises(ValueError, match=words):
        position.legal_actions()
    assert position.sample(Rng(1)).mover == 1


@pytest.mark.parametrize(
    "text", [EXAMPLE.replace("05G", "???").replace("136", "???"), TABLE.replace(":244:", ":???:"), EXCHANGE, LAST]
)
def test_what_need_not_be_known_to_analyse(text: str) -> None:
    position = parse_position(text)
    assert position.is_analysable
    assert position.legal_actions()


def test_s7_the_exchange_decision() -> None:
    texts = [action_text(action) for action in parse_position(EXCHANGE).legal_actions()]
    assert texts == ["keep", *(f"swap {own} {other}" for own in "136" for other in "05G")]


# ---- the deals that fit


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        (OPENING, {0: "12", 2: "1", 3: "1"}),  # the opener's lowest is a 2
        (OPENING.replace("024", "08H"), {0: "1234678", 2: "123467", 3: "123467"}),
        (
            OPENING.replace("1o", "0o").replace("???", "59G", 1).replace("024", "???"),
            dict.fromkeys((1, 2, 3), "1234678"),
        ),
    ],
)
def test_s5_what_an_opening_shows_of_the_hands(text: str, seats: dict[int, str]) -> None:
    position, rng = parse_position(text), Rng(5)
    seen = {seat: Counter[str]() for seat in seats}
    for _ in range(300):
        state = position.sample(rng)
        assert state.mover == position.mover
        for seat in seats:
            seen[seat] += Counter(char for char, n in zip("0123456789HG", state.hand(seat), strict=True) if n)
    for seat, never in seats.items():
        assert set(seen[seat]) == set("0123456789HG") - set(never)


OPENER_UNKNOWN = [
    ("0o", "1:??:3:0:-/1:??:0:0:-"),
    ("1o", "1:??:3:0:-/1:??:0:0:-"),
    ("1o", "1:??:3:0:-/1:?{1}?:0:0:-"),
    ("1o", "1:0?:3:0:-/1:3?:0:0:-"),
    ("0o", "1:0?:3:0:-/1:3?:0:0:-"),
    ("0o", "1:?{1}?{1}:3:0:-/1:?{36}?:0:0:-"),
]


@pytest.mark.parametrize(("mover", "seats"), OPENER_UNKNOWN)
def test_s5_deals_of_an_opening_by_an_unknown_hand(mover: str, seats: str) -> None:
    """Every deal in which just this seat opens is equally likely: 1,500 draws against all of them."""
    deck = "0x2 1x2 3x2 6 H"
    counts = {char: int(n or 1) for char, _, n in (card.partition("x") for card in deck.split())}
    dotted = ".".join(str(counts.get(char, 0)) for char in "0123456789HG")
    position = parse_position(f"standard+deck={dotted}+hand_size=2+open_size=1+blind_size=0 {mover} - {seats} 0")
    fitting = Counter(
        hands
        for hands in _deals(position)
        if _opener(hands) == position.mover  # cards told apart
    )
    draws = 1500
    rng = Rng(7)
    drawn = Counter(_hands(position.sample(rng)) for _ in range(draws))
    assert set(drawn) <= set(fitting)
    for hands, ways in fitting.items():
        p = ways / fitting.total()
        assert abs(drawn[hands] / draws - p) < 4.5 * (p * (1 - p) / draws) ** 0.5, hands


Hands = tuple[tuple[int, ...], ...]


def _deals(position: Position) -> list[Hands]:
    """The hands, sorted, of every way to put the unseen cards into the unknown places and the Banks."""
    unseen = [rank for rank, n in enumerate(position.unseen) for _ in range(n)]
    deals = []
    for order in itertools.permutations(unseen):
        cards = iter(order)
        hands = []
        for seat in position.seats:
            places = [(card, next(cards) if isinstance(card, Unknown) else card) for card in seat.hand]
            if any(isinstance(card, Unknown) and card.excluded >> rank & 1 for card, rank in places):
                break
            hands.append(tuple(sorted(rank for _, rank in places)))
        else:
            deals.append(tuple(hands))
    return deals


def _opener(hands: Hands) -> int:
    lowest = [min((rank for rank in hand if rank in (1, 2, 3, 4, 6, 7, 8)), default=99) for hand in hands]
    return lowest.index(min(lowest))


def _hands(state: Any) -> Hands:
    return tuple(
        tuple(rank for rank, n in enumerate(state.hand(seat)) for _ in range(n)) for seat in range(state.players)
    )


def test_an_opening_that_no_deal_fits() -> None:
    text = OPENING.replace("9:024", "9:?{1234678}?{1234678}?{1234678}")
    assert "without a yellow card" in faults(text)[0]
    nobody = (
        OPENING.replace("1o", "3o")
        .replace("9:024", "9:?{12346}?{12346}?{12346}")
        .replace("???", "?{12346}?{12346}?{12346}")
    )
    assert parse_position(nobody).sample(Rng(1)).mover == 3


# ---- faults: what cannot be read

SYNTAX = [
    ("", "", "", ["four parts", "has 0"]),
    ("too few parts", EXAMPLE, "standard 1 -", ["four parts", "has 3"]),
    ("too many parts", " 5", " 5 5", ["has 6"]),
    ("preset", "standard", "standart", ["'standart' is not a preset"]),
    ("option", "standard", "standard+speed=1", ["'speed=1'", "option"]),
    ("one seat", EXAMPLE, "standard 0 - 9:???:05G:3:- 5", ["players is 1"]),
    ("seven seats", EXAMPLE, "standard 0 - " + "/".join(["9:???:05G:3:-"] * 7), ["players is 7"]),
    ("small deck", "standard", "standard+deck=3.3.3.3.3.3.3.3.3.3.3.2", ["35 cards", "need 36"]),
    ("mover", "standard 1 ", "standard one ", ["mover is 'one'"]),
    ("mover's letter", "standard 1 ", "standard 1p ", ["mover is '1p'"]),
    ("exchange without loser", "standard 1 ", "standard 1x ", ["mover is '1x'"]),
    ("pile card", "1,8,8,9,G", "1,8,8,9,g", ["Play 5 of the pile", "'g'"]),
    ("empty play", "1,8,8,9,G", "1,8,,9,G", ["Play 3 of the pile"]),
    ("pile not canonical", "1,8,8,9,G", "1x1,8,8,9,G", ["Play 1 of the pile", "one card is written '1'"]),
    ("no play", "1,8,8,9,G", "1,take,8,9,G", ["Play 2 of the pile", "take, does not lay"]),
    ("unknown on known", "1,8,8,9,G", "1,8,?,9,G", ["Unknown cards", "first"]),
    ("long pile", "1,8,8,9,G", ",".join("G" * 73), ["73 plays", "72 cards"]),
    ("seat parts", "8:024:136:3:-", "8:024:136:3", ["Seat 1", "five parts"]),
    ("bank", "8:024:", "+8:024:", ["Seat 1's Bank is '+8'"]),
    ("bank with zero", "8:024:", "08:024:", ["Seat 1's Bank is '08'"]),
    ("huge bank", "8:024:", "9" * 500 + ":024:", ["Seat 1's Bank", "seven digits"]),
    ("blind", "136:3:", "136:three:", ["Blind Cards of seat 1", "'three'"]),
    ("hand", "8:024:", "8:0z4:", ["Seat 1's hand", "'z4'"]),
    ("open", ":136:", ":13h:", ["Open Cards of seat 1", "'h'"]),
    ("aside", "136:3:-", "136:3:--", ["What seat 1 has aside", "'--'"]),
    ("empty zone", "136:3:-", "136:3:", ["What seat 1 has aside", "written -"]),
    ("open braces", "7:???", "7:??{9?", ["Seat 0's hand", "'{9?'"]),
    ("empty braces", "7:???", "7:??{}?", ["Seat 0's hand"]),
    ("braces of a known card", "8:024:", "8:024{9}:", ["Seat 1's hand", "'{9}'"]),
    ("too many cards", "136:3:-", "136:3:" + "?" * 73, ["What seat 1 has aside", "more cards"]),
    ("plies", " 5", " five", ["number of plies is 'five'"]),
    ("negative plies", " 5", " -5", ["number of plies is '-5'"]),
    ("star in the middle", "8:024:136:3:-", "8:024:136:3*:-", ["Blind Cards of seat 1", "'3*'"]),
    ("long text", " 5", " " * 20_000 + "5", ["longer than 20,000"]),
]


@pytest.mark.parametrize(("old", "new", "words"), [case[1:] for case in SYNTAX], ids=[case[0] for case in SYNTAX])
def test_text_that_cannot_be_read(old: str, new: str, words: list[str]) -> None:
    with pytest.raises(PositionSyntaxError) as caught:
        parse_position(EXAMPLE.replace(old, new, 1) if old else "")
    assert len(caught.value.faults) == 1, caught.value.faults
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert len(str(caught.value)) < 400


def test_all_faults_of_a_text_are_named() -> None:
    text = "amiga 1y 1,nine 7:???:05G:3:-/8:0x4:13y:-3:-/8:???:889:3/8:???:247:3:- x"
    found = faults(text)
    words = [
        "'amiga'",
        "'1y'",
        "'nine'",
        "Seat 1's hand",
        "Open Cards of seat 1",
        "Blind Cards of seat 1",
        "Seat 2",
        "'x'",
    ]
    assert [any(word in fault for fault in found) for word in words] == [True] * len(words)
    assert len(found) == len(words)


# ---- faults: what cannot be. Each edit of a text makes at least the fault with these words.

EDITS = [
    ("card too many", EXAMPLE, "05G:3:-", "05G:3:?", ["add up to 73", "1 too many"]),
    ("cards missing", EXAMPLE, "8:???:247", "6:???:247", ["add up to 70", "2 missing"]),
    ("rank too often", EXAMPLE, "8:024:136", "8:111:136", ["deck has 4 cards of rank 1", "5 are known"]),
    ("mover who is not there", EXAMPLE, "standard 1 ", "standard 5 ", ["Seat 5 is to act", "0 to 3"]),
    ("play too low", EXAMPLE, "1,8,8,9,G", "1,9,8,9,G", ["Play 3 of the pile, 8", "not be laid on 9"]),
    ("play on a demanding five", EXAMPLE, "1,8,8,9,G", "1,5,8,9,G", ["Play 3 of the pile, 8", "a demanding 5"]),
    ("play on a five that is 4½ + ½", EXAMPLE, "1,8,8,9,G", "4,H,H,6,G", ["Play 4 of the pile, 6", "a demanding 5"]),
    ("8H on a demanding five", EXAMPLE, "1,8,8,9,G", "1,5,8H,9,G", ["Play 3 of the pile, 8H", "a demanding 5"]),
    ("zero on a half", EXAMPLE, "1,8,8,9,G", "1,H,0,9,G", ["Play 3 of the pile, 0", "not be laid on 1½"]),
    ("Half on 8½", EXAMPLE, "1,8,8,9,G", "1,8,H,H,G", ["Play 4 of the pile, H", "not be laid on 8½"]),
    ("after an illegal play", EXAMPLE, "1,8,8,9,G", "1,9,8,6,G", ["Play 4 of the pile, 6", "not be laid on 8"]),
    ("policeman", EXAMPLE, "1,8,8,9,G", "1,8,H,9,G", ["Play 4 of the pile, 9", "policeman of 8½"]),
    ("policeman after a Ghost", EXAMPLE, "1,8,8,9,G", "6,H,G,7,G", ["Play 4 of the pile, 7", "policeman of 6½"]),
    ("play on what must be 8½", EXAMPLE, "1,8,8,9,G", "?,8H,H,9,G", ["Play 3 of the pile, H", "8½"]),
    ("value not fixed", EXAMPLE, "1,8,8,9,G", "?,?,H,H,G", ["value of the pile is not fixed"]),
    ("nothing known of the pile", EXAMPLE, "1,8,8,9,G", "?,?,?,?,?", ["value of the pile is not fixed"]),
    ("hand of four with a Bank", EXAMPLE, "7:???:05G", "6:????:05G", ["Seat 0's hand has 4 cards", "exactly 3"]),
    ("hand of two with a Bank", EXAMPLE, "8:???:889", "9:??:889", ["Seat 2's hand has 2 cards", "exactly 3"]),
    ("hand of four without a Bank", EXAMPLE, "7:???:05G", "0:????:05G", ["Seat 0's hand has 4 cards", "at most 3"]),
    ("Bank larger than dealt", EXAMPLE, "8:024:", "10:024:", ["Seat 1's Bank has 10 cards", "with 9"]),
    ("* with a Bank", EXAMPLE, "136:3:-", "136:3:-*", ["Seat 1 has a *", "8 cards left in the Bank"]),
    ("Open Card missing", EXAMPLE, "8:???:889:3:-", "8:???:88:3:?", ["Seat 2 has 2 Open Cards", "all 3"]),
    ("Blind Card missing", EXAMPLE, "8:???:889:3:-", "8:???:889:2:?", ["Seat 2 has 2 Blind Cards", "all 3"]),
    ("Open Card too many", EXAMPLE, "8:???:889:3:-", "7:???:8889:3:-", ["Seat 2 has 4 Open Cards", "with 3"]),
    ("Blind Card too many", EXAMPLE, "8:???:889:3:-", "7:???:889:4:-", ["Seat 2 has 4 Blind Cards", "with 3"]),
    ("* missing", EXAMPLE, "8:024:136:3:-", "0:-:136:3:???????????", ["Seat 1 is to act", "* is missing"]),
    ("card without a rank", EXAMPLE, "7:???:", "7:??{0123456789HG}?:", ["Seat 0 has a card", "every rank"]),
    ("no deal fits", EXAMPLE, "???", "?{023456789HG}" * 3, ["No deal", "fits"]),
    ("plies fewer than plays", EXAMPLE, " 5", " 4", ["plies are 4", "at least 5"]),
    ("plies at the limit", EXAMPLE, " 5", " 1000", ["plies are 1000", "ends after 1000"]),
    ("laid, but not gone", EXAMPLE, "7:???:05G", "9:???:05G", ["Seat 0 laid 2 cards of the pile", "still has 18"]),
    ("set larger than a hand", EXAMPLE, "1,8,8,9,G", "1,8,8,9,Gx4", ["Seat 0 laid Gx4", "at most 3"]),
    ("empty pile that nobody took", EXAMPLE, "1,8,8,9,G", "-", ["pile is empty", "seat 0 took", "aside"]),
    ("opening not marked", OPENING, "1o", "1", ["Nobody has played", "written 1o"]),
    ("opening on a pile", OPENING, "1o - ", "1o 1 ", ["Seat 1 opens", "there is a pile"]),
    ("opening with a card gone", OPENING, "9:???:889", "8:???:889", ["Seat 1 opens", "seat 2 has only 17 of the 18"]),
    ("opening with cards aside", OPENING, "889:3:-", "889:3:G", ["Seat 1 opens", "seat 2 has cards aside"]),
    ("opening without yellow", OPENING, "024", "059", ["Seat 1 opens", "without a yellow card", "seat 0"]),
    ("lower yellow card elsewhere", OPENING, "9:???:889", "9:1??:889", ["Seat 1 opens", "seat 2 holds a 1"]),
    ("same yellow card before", OPENING, "9:???:05G", "9:2??:05G", ["Seat 1 opens", "seat 0 holds a 2"]),
    ("opening late", OPENING, " 0", " 2", ["plies are 2", "at most 1"]),
    ("exchange with a pile", EXCHANGE, "1x0 - ", "1x0 1 ", ["Seat 1 decides", "there is a pile"]),
    ("exchange where there is none", EXCHANGE, "standard", "amigo", ["rules have no exchange"]),
    ("exchange with oneself", EXCHANGE, "1x0", "1x1", ["Seat 1 cannot exchange", "itself"]),
    ("exchange with nobody", EXCHANGE, "1x0", "1x4", ["Big Loser is seat 4", "0 to 3"]),
    ("exchange after a ply", EXCHANGE, " 0", " 1", ["plies are 1", "at most 0"]),
    ("* missing with Open Cards gone", TABLE, "GGGG*", "GGGG", ["Seat 0 has 0 Open Cards", "(*)"]),
    ("* missing with a large hand", TABLE, "HHGGG*", "HHGGG", ["Seat 1's hand has 7 cards", "(*)"]),
    ("Blind Card gone before Open Cards", TABLE, "244:3:", "244:2:", ["Seat 1 has Open Cards left", "only 2"]),
    ("nothing left", TABLE, "0:-:-:3:", "0:-:-:0:", ["Seat 0 has no card left", "round is over"]),
    ("empty pile, empty hand", TABLE, "standard 1 3", "standard 1 -", ["pile is empty", "seat 0", "in its hand"]),
]


@pytest.mark.parametrize(("text", "old", "new", "words"), [case[1:] for case in EDITS], ids=[case[0] for case in EDITS])
def test_position_that_cannot_be(text: str, old: str, new: str, words: list[str]) -> None:
    parse_position(text)
    assert old in text
    with pytest.raises(ImpossiblePosition) as caught:
        parse_position(text.replace(old, new, 1))
    assert any(all(word in fault for word in words) for fault in caught.value.faults), caught.value.faults
    assert all(fault[0].isupper() and fault.endswith(".") for fault in caught.value.faults)


@pytest.mark.parametrize(("pile", "least"), [("1,8,8,9,G", 5), ("?,8,8,9,G", 5), ("?,?,?,?,9", 2)])
def test_unknown_cards_may_have_been_one_play(pile: str, least: int) -> None:
    text = EXAMPLE.replace("1,8,8,9,G", pile)
    assert parse_position(text[:-1] + str(least)).plies == least
    assert f"at least {least}" in faults(text[:-1] + str(least - 1))[-1]


def test_s7_an_exchange_decision_is_a_ply_before_the_opening() -> None:
    late = OPENING[:-1] + "1"
    assert parse_position(late).plies == 1
    assert "at most 0" in faults(late.replace("standard", "amigo"))[0]


@pytest.mark.parametrize(
    ("options", "pile"),
    [
        ("policeman_starts_pile=1", "9,G,9,9,9"),  # the first may have caught; what lies on it must not
        ("halves_add_up=1", "1,Hx2,2,9,G"),
        ("five_through_ghost=1", "1,5,G,5,G"),
        ("sealed_eight_and_a_half=1", "1,8,8,8,H"),
    ],
)
def test_s3_s4_options_count(options: str, pile: str) -> None:
    cards = 5 + pile.count("x2")
    text = f"standard+{options} 1 {pile} 7:???:05G:3:-/{13 - cards}:024:136:3:-/8:???:?:3:-/8:???:247:3:- 5"
    text = text.replace("8:???:?", "8:???:???")
    assert parse_position(text).plies == 5


@pytest.mark.parametrize(
    ("options", "pile", "words"),
    [
        ("policeman_starts_pile=1", "9,8H,9,9,9", ["Play 3 of the pile, 9", "policeman of 8½"]),
        ("halves_add_up=1", "8,Hx2,9,9,G", ["Play 2 of the pile, Hx2", "on 8"]),
        ("five_through_ghost=1", "1,5,G,8,G", ["Play 4 of the pile, 8", "a demanding 5"]),
        ("sealed_eight_and_a_half=1", "1,8,8,H,G", ["Play 5 of the pile, G", "on 8½"]),
        ("sealed_eight_and_a_half=1", "1,8,8,H,9", ["Play 5 of the pile, 9", "on 8½"]),
    ],
)
def test_s3_s4_options_count_against_a_pile(options: str, pile: str, words: list[str]) -> None:
    found = faults(EXAMPLE.replace("standard", f"standard+{options}").replace("1,8,8,9,G", pile))
    assert any(all(word in fault for word in words) for fault in found), found


def test_all_faults_of_a_position_are_named() -> None:
    found = faults("standard 1 9,8,1,H 8:????:GGG:3:-/8:GGG:GGG:3:-*/8:???:88:2:-/0:-:-:0:- 1001")
    for words in (
        "add up to",
        "cards of rank G",
        "Seat 0's hand has 4 cards",
        "Seat 1 has a *",
        "Seat 2 has 2 Open Cards",
        "Seat 2 has 2 Blind Cards",
        "Seat 3 has 0 Open Cards",
        "Seat 3 has no card left",
        "Play 2 of the pile",
        "Play 3 of the pile",
        "plies are 1001",
    ):
        assert any(words in fault for fault in found), words


def test_syntax_and_impossibility_are_told_apart() -> None:
    assert not issubclass(PositionSyntaxError, ImpossiblePosition)
    assert not issubclass(ImpossiblePosition, PositionSyntaxError)
    assert issubclass(NotationError, ValueError)
    with pytest.raises(ValueError, match="add up") as caught:
        parse_position(EXAMPLE.replace("7:???", "8:???", 1))
    assert str(caught.value) == " ".join(caught.value.faults)  # type: ignore[attr-defined]

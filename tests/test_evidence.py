"""What hidden hands have shown: the rule of docs/notation.md, sentence by sentence; that it is sound, and exact."""

from __future__ import annotations

import re
from itertools import permutations
from math import factorial, perm

import eights
import pytest
from eights import Position, Record, RecordError, Rules, State, Unknown, evidence, parse_position
from eights.seat import Card, possible_ranks
from hypothesis import given, settings
from posterior import assert_follows, enumerate_deals, places_of, sampled_deals
from rounds import LITTLE, decisions, heard, played, tell, told
from strategies import records, seeds


def shown(text: str) -> evidence.Shown:
    """What the cards of a hand's text are known not to be."""
    braces = re.findall(r"\?(?:\{(\w+)\})?", text)
    return tuple(sorted(sum(1 << eights.parse_rank(rank) for rank in ranks) for ranks in braces))


def hand(record: Record, seat: int, seen_by: int) -> str:
    """A hand as another seat knows it now, from the whole record and from the one that this seat keeps itself."""
    text = str(record.position(seat=seen_by)).split(" ")[3].split("/")[seat].split(":")[1]
    own = heard(record, seen_by).position()
    assert own == record.position(seat=seen_by)
    return text


# ---- "A take braces every card of that hidden hand with the ranks that were legal"


@pytest.mark.parametrize(
    ("options", "second", "third", "left", "braces"),
    [
        ("", "2", "8H", "345", "{9G}"),  # 8½; "not both 8 and H" is dropped
        ("", "2", "8H", "888", "{9G}"),
        ("", "2", "8H", "HHH", "{9G}"),
        ("", "7", "H", "023", "{89HG}"),  # 7½
        ("", "4", "H", "024", "{56789HG}"),  # 4½
        ("", "2", "5", "679", "{012345HG}"),  # a five that demands
        ("+halves_add_up=1", "4", "Hx2", "678", "{012345HG}"),  # it is the pile that is a five
        ("", "5", "G", "234", "{056789HG}"),  # the demand was on the Ghost's player only
        ("+five_through_ghost=1", "5", "G", "678", "{012345HG}"),
        ("", "2", "8", "346", "{089HG}"),
        ("", "2", "9", "348", "{09HG}"),
        ("", "9", "H", "089", "{HG}"),  # 9½
        ("+halves_add_up=1", "9", "Hx2", "189", "{0HG}"),  # 10
        ("+sealed_eight_and_a_half=1", "2", "8H", "9GG", ""),  # nothing is legal, so nothing is shown
    ],
)
def test_a_take_shows_what_was_legal(options: str, second: str, third: str, left: str, braces: str) -> None:
    """Seat 0 opens with a 1 and plays third; seat 1 plays second, and is left with three cards when its turn comes."""
    hands = {"8H": "18H", "Hx2": "1HH"}.get(third, f"1{third}6"), second + left[:2]
    record = told("standard" + options, 2, *"559", *hands[0], *"559", *hands[1], "1", "6", second, left[2], third)
    while record.state.chance_place():
        tell(record, "6")
    tell(record, "take")
    assert hand(record, 1, seen_by=0) == f"?{braces}" * 3


def test_the_whole_position_after_a_take() -> None:
    record = told("standard", 2, *"55918H", *"559334", "1", "7", "3", "5", "8H", "1", "1", "take")
    assert str(record.position(seat=0)) == "standard 0 - 24:117:559:3:-/26:?{9G}?{9G}?{9G}:559:3:138H 4"
    assert str(record.position(seat=1)) == "standard 0 - 24:???:559:3:-/26:345:559:3:138H 4"
    assert str(record.position(3, seat=0)) == "standard 1 1,3,8H 24:117:559:3:-/26:???:559:3:- 3"


def test_everybody_else_has_seen_a_take() -> None:
    record = told("standard", 3, *"559166", *"55948H", *"669334", "1", "6", "8H", "2", "2", "take")
    assert hand(record, 2, seen_by=0) == hand(record, 2, seen_by=1) == "?{9G}?{9G}?{9G}"
    assert hand(record, 0, seen_by=1) == hand(record, 1, seen_by=2) == "???"


# ---- "A play of rank r takes away a card whose braces do not name r; …"; "Refills are bare"


def taken(left: str, first: str) -> Record:
    """Seat 1 has taken an 8½ with three cards left in its hand; seat 0 has two 1s and the `first` card."""
    return told("standard", 2, *"55918H", *"5592", *left[:2], "1", first, "2", left[2], "8H", "1", "1", "take")


@pytest.mark.parametrize(
    ("left", "first", "events", "expected"),
    [
        # one of three alike has gone, and the refill is bare
        ("345", "6", "1 6 5 9", "??{9G}?{9G}"),
        ("345", "6", "1 6 5 9 1 6", "??{9G}?{9G}"),
        ("334", "6", "1 6 3x2 9 9", "???{9G}"),
        # a 9 is not among the cards that are no 9
        ("345", "6", "1 6 5 9 1 6 9 0", "??{9G}?{9G}"),
        # a 4 may be the refill or not: those that stay have nothing in common
        ("345", "6", "1 6 5 9 1 6 4 0", "???"),
        ("345", "6", "1 6 5 3 1 6 3x2 0 0", "???"),
        # 8 and Half are two cards
        ("388", "6", "1 6 3 H 6 0 8H 0 0", "???"),
        # a second take: what was kept excludes both, the refill what was legal now
        ("378", "5", "1 2 3 9 5 2 take", "?{0123459HG}?{0123459HG}?{012345HG}"),
        ("378", "5", "1 2 3 9 5 2 take 1 6 9 6", "??{0123459HG}?{0123459HG}"),
        ("378", "5", "1 2 3 9 5 2 take 1 6 8 6", "??{012345HG}?{012345HG}"),
        ("377", "5", "1 2 3 7 5 2 take 1 6 7x3 6 6 6", "???"),
        ("377", "5", "1 2 3 7 5 2 take 1 6 7x2 6 6", "???{012345HG}"),
        # a take on a pile on which the same was legal shows nothing new
        ("678", "5", "5 2 take 1 2 6 9", "??{0123459HG}?{0123459HG}"),
    ],
)
def test_plays_after_a_take(left: str, first: str, events: str, expected: str) -> None:
    record = tell(taken(left, first), *events.split())
    assert record.state.mover >= 0
    assert hand(record, 1, seen_by=0) == expected


@pytest.mark.parametrize(
    ("before", "rank", "copies", "after"),
    [
        ("?", "3", 1, ""),
        ("???", "3", 2, "?"),
        ("?{3}?{4}", "3", 1, "?{3}"),
        ("?{3}?{3}?{4}", "3", 1, "?{3}?{3}"),
        ("?{34}?{45}?{46}", "9", 1, "?{4}?{4}"),
        ("?{34}?{45}?{46}", "9", 2, "?{4}"),
        ("?{34}?{45}?{46}", "9", 3, ""),
        ("?{34}?{45}?{46}", "3", 1, "?{34}?{4}"),
        ("?{34}?{45}?{46}", "3", 2, "?{34}"),
        ("?{34}?{45}?{45}", "3", 1, "?{34}?{45}"),
        ("??{34}?{34}", "G", 1, "??"),
        ("??{34}?{34}", "4", 1, "?{34}?{34}"),
    ],
)
def test_a_play(before: str, rank: str, copies: int, after: str) -> None:
    assert evidence.after_play(shown(before), eights.parse_rank(rank), copies) == shown(after)


@pytest.mark.parametrize(
    ("before", "rank", "copies"), [("?{3}", "3", 1), ("??{3}", "3", 2), ("??", "3", 3), ("", "3", 1)]
)
def test_a_play_that_a_hand_cannot_make(before: str, rank: str, copies: int) -> None:
    with pytest.raises(ValueError, match="may have that rank"):
        evidence.after_play(shown(before), eights.parse_rank(rank), copies)


def test_a_draw_and_a_take() -> None:
    assert evidence.after_draw(shown("?{3}?{4}")) == shown("??{3}?{4}")
    nine_and_ghost = 1 << eights.parse_rank("9") | 1 << eights.parse_rank("G")
    assert evidence.after_take(shown("??{3}?{9}"), nine_and_ghost) == shown("?{9G}?{39G}?{9G}")
    assert evidence.after_take(shown("??{3}"), 0) == shown("??{3}")


# ---- a play that the hand has shown not to hold, or that others hold, is refused by whoever follows


def test_a_view_refuses_a_card_that_the_hand_has_shown_not_to_hold() -> None:
    view = tell(taken("345", "6"), "1", "6").view(0)
    before = view.dumps()
    with pytest.raises(RecordError, match="Seat 1 has shown that it does not hold what 9 plays"):
        view.add(eights.events.Act(seat=1, action="9"))
    with pytest.raises(RecordError, match="Seat 1 has shown that it does not hold what Gx2 plays"):
        view.add(eights.events.Act(seat=1, action="Gx2"))
    assert view.dumps() == before
    view.add(eights.events.Act(seat=1, action="Hx3"))


TINY = "standard+hand_size=1+open_size=1+blind_size=0+deck="


def test_a_view_refuses_a_card_that_is_seen_elsewhere() -> None:
    """Of the two 2s one is open, the other has been played."""
    view = told(TINY + "0.2.2.2.0.0.0.0.0.0.0.0", 2, *"2113", "1", "2").view(0)
    with pytest.raises(RecordError, match="Seat 1 cannot hold what 2 plays: the others are seen"):
        view.add(eights.events.Act(seat=1, action="2"))
    view.add(eights.events.Act(seat=1, action="3"))


def test_a_view_refuses_a_take_with_a_hand_that_must_be_playable() -> None:
    """All that seat 0 does not see are Ghosts."""
    view = told(TINY + "0.1.0.0.0.0.0.0.0.0.0.5", 2, *"G1GG", "1", "G").view(0)
    with pytest.raises(RecordError, match="Seat 1 cannot have done take: "):
        view.add(eights.events.Act(seat=1, action="take"))
    view.add(eights.events.Act(seat=1, action="G"))


# ---- it is sound


def could_be(cards: tuple[Card, ...], ranks: list[int]) -> bool:
    """Whether these ranks can be given to the cards of a zone."""
    return any(
        all(possible_ranks(card) >> rank & 1 for card, rank in zip(cards, order, strict=True))
        for order in permutations(ranks)
    )


def assert_true(position: Position, state: State, seat: int) -> None:
    """What a seat knows is so."""
    hidden = [other for other in range(state.players) if other != seat and not state.at_table(other)]
    unseen = zip(state.pool, *map(state.hand, hidden), strict=True)
    assert position.unseen == tuple(map(sum, unseen))
    for other, known in enumerate(position.seats):
        ranks = [rank for rank, n in enumerate(state.hand(other)) for _ in range(n)]
        if other not in hidden:
            assert list(known.hand) == ranks
        else:
            assert all(isinstance(card, Unknown) for card in known.hand)
            assert could_be(known.hand, ranks)


@settings(max_examples=120, deadline=None)
@given(records(), seeds)
def test_true_hands_fit_what_seats_know(record: Record, seed: int) -> None:
    """At every ply one seat's position, evidence and all, is true, can be written and read, and can be sampled."""
    for state in decisions(record):
        seat = (seed + state.plies) % state.players
        position = record.position(state.plies, seat)
        assert_true(position, state, seat)
        assert parse_position(position.format()) == position
        world = position.sample(eights.Rng(seed))
        assert_true(position, world, seat)
        assert world.observation(seat) == state.observation(seat)


# ---- it is exact


def uncertain(players: int, wanted: int) -> list[Position]:
    """Positions with evidence, each from another record, small enough to go through all deals."""
    positions: list[Position] = []
    seed = 0
    while len(positions) < wanted:
        record = played(Rules.parse(LITTLE, players), seed)
        decided = (record.position(ply) for ply in range(4, record.plies))
        fitting = (p for p in decided if "{" in str(p) and perm(sum(p.unseen), len(places_of(p))) < 5000)
        positions += list(fitting)[:1]
        seed += 1
    return positions


FOUND = [*uncertain(2, 6), *uncertain(3, 6)]


@pytest.mark.parametrize("position", FOUND, ids=str)
def test_samples_of_a_position_of_a_record_follow_the_enumerated_posterior(position: Position) -> None:
    exact = enumerate_deals(position)
    nobody_knows = sum(seat.bank + seat.blind for seat in position.seats)
    assert position.belief.deals == sum(exact.values()) * factorial(nobody_knows)
    if len(exact) > 1:
        assert_follows(sampled_deals(position, 4000, seed=7), exact)


def test_there_were_enough_positions() -> None:
    assert len({len(enumerate_deals(position)) for position in FOUND}) > 5

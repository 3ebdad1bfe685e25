"""What a seat sees of a record: all that it may know, and nothing that it cannot tell apart makes a difference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from random import Random

import eights
import pytest
from eights import Record, RecordError, Rules
from eights.actions import NUM_ACTIONS
from eights.errors import ImpossiblePosition
from eights.events import Act, Event, Reveal, encode
from eights_core.halves import OPENING
from hypothesis import given, settings
from msgspec.structs import replace as with_fields
from rounds import LITTLE, decisions, heard, played, tell, told
from strategies import records, seeds


def knows_who_acts(record: Record, ply: int, seat: int) -> bool:
    """Whether the events tell a seat who is to act: of an opening they do only when it is made."""
    return ply < record.plies or record.state.phase != OPENING or record.state.mover == seat


def with_secrets(record: Record, seat: int, secret: str) -> Record:
    """The same round with a seed, analyses by everybody and unknown fields: a `secret` in all but the seat's own."""
    result = Record.begin(with_fields(record.start, seed=hash(secret) % 2**64), {"table": secret})
    for number, event in enumerate(record.events[1:]):
        told = event
        if isinstance(event, Act):
            told = with_fields(event, analysis={"thinks": "mine" if event.seat == seat else secret})
        result.add(told, {"note": secret} if number % 3 else None)
    return result


# ---- a view


@settings(max_examples=40, deadline=None)
@given(records())
def test_a_view_says_what_the_seat_saw_and_no_more(record: Record) -> None:
    for seat in range(record.rules.players):
        view = with_secrets(record, seat, "secret").view(seat)
        text = view.dumps()
        assert "secret" not in text
        assert '"seed"' not in text
        assert view.unknown_fields == ()
        assert view.seat == view.start.seat == seat
        assert len(view.events) == len(record.events)
        for seen, event in zip(view.events[1:], record.events[1:], strict=True):
            if isinstance(event, Reveal) and event.zone == "hand" and event.seat != seat:
                assert seen == with_fields(event, card="?")
            elif isinstance(event, Act):
                assert seen == with_fields(event, analysis={"thinks": "mine"} if event.seat == seat else None)
            else:
                assert seen == event
        assert Record.loads(text) == view
        assert view.view(seat) == view


@settings(max_examples=40, deadline=None)
@given(records())
def test_a_seat_can_write_its_view_as_it_hears_the_events(record: Record) -> None:
    for seat in range(record.rules.players):
        assert heard(record, seat) == record.view(seat)


@settings(max_examples=40, deadline=None)
@given(records(), seeds)
def test_a_view_gives_the_positions_of_the_whole_record(record: Record, seed: int) -> None:
    plies = [state.plies for state in decisions(record)]
    seat = seed % record.rules.players
    view = record.view(seat)
    for ply in plies + Random(seed).choices(plies, k=5):
        if knows_who_acts(record, ply, seat):
            assert view.position(ply) == record.position(ply, seat)


@settings(max_examples=40, deadline=None)
@given(records())
def test_a_view_replays_to_what_all_see(record: Record) -> None:
    for seat in range(record.rules.players):
        for (_, seen), (_, state) in zip(record.view(seat).replay(), record.replay(), strict=True):
            seats = range(state.players)
            assert seen.plies == state.plies
            assert (seen.value, seen.pile, seen.pile_plays) == (state.value, state.pile, state.pile_plays)
            assert (seen.winner, seen.big_loser, seen.counts()) == (state.winner, state.big_loser, state.counts())
            assert [seen.open(other) for other in seats] == [state.open(other) for other in seats]
            assert [seen.aside(other) for other in seats] == [state.aside(other) for other in seats]
            assert seen.hand(seat) == state.hand(seat)
            for other in seats:
                if state.at_table(other):
                    assert seen.hand(other) == state.hand(other)
                assert sum(seen.hand(other)) + seen.hidden(other) == sum(state.hand(other))


def test_the_view_of_a_seat_is_of_that_seat_only() -> None:
    view = played(Rules.parse(LITTLE, 3), 2, plies=8).view(1)
    assert view.position(5) == view.position(5, seat=1)
    with pytest.raises(ValueError, match="This is what seat 1 saw: what seat 2 knew is not in it"):
        view.position(5, seat=2)
    with pytest.raises(ValueError, match="This is what seat 1 saw: what seat 0 saw is not in it"):
        view.view(0)


def test_at_the_opening_a_seat_is_taken_to_be_the_opener_if_it_can_be() -> None:
    """By hand: seat 1 may hold the lowest yellow card with a 2, but not without yellow cards, after seat 0 in order."""
    view = told("standard", 2, *"559345", *"559234").view(1)
    assert (view.position().mover, view.position().mode) == (1, "o")
    assert told("standard", 2, *"559456", *"559HHG").view(0).position().mover == 0
    record = told("standard", 2, *"559345", *"559HHG")
    assert record.position(seat=1).mover == 0
    view = record.view(1)
    with pytest.raises(ImpossiblePosition, match="Seat 1 opens the round without a yellow card"):
        view.position()
    tell(record, "3", "1")
    assert record.view(1).position(0).mover == 0


# ---- what the events of a view may be

# Seat 0 has 123 in hand, seat 1 has 234. Seat 0 opens.
GAME = told("standard", 2, *"559123", *"559234", "1", "9")


def add_all(view: Record, events: list[Event]) -> None:
    for event in events:
        view.add(event)


@pytest.mark.parametrize(
    ("seat", "number", "event", "message"),
    [
        (0, 1, Reveal(seat=0, zone="open", card="?"), "The card in the open of seat 0 is seen"),
        (0, 4, Reveal(seat=0, zone="hand", card="?"), "The card in the hand of seat 0 is seen"),
        (0, 10, Reveal(seat=1, zone="hand", card="2"), "Seat 0 does not see the hand of seat 1: the card must be '?'"),
        (1, 4, Reveal(seat=0, zone="hand", card="1"), "Seat 1 does not see the hand of seat 0"),
        (1, 14, Reveal(seat=0, zone="hand", card="9"), "Seat 1 does not see the hand of seat 0"),
        (0, 14, Reveal(seat=0, zone="hand", card="?"), "The card in the hand of seat 0 is seen"),
        (0, 13, Act(seat=2, action="1"), "not of seat 2"),
        (0, 13, Act(seat=-1, action="1"), "not of seat -1"),
        (0, 13, Act(seat=10**30, action="1"), "It is the turn of seat 0"),
        # who opens with what must agree with the hand that is seen (rules §5)
        (0, 13, Act(seat=1, action="1"), "Seat 1 cannot have done 1: "),
        (0, 13, Act(seat=1, action="2"), "Seat 1 cannot have done 2: "),
        (0, 13, Act(seat=1, action="5"), "Seat 1 cannot have done 5: "),
        (0, 13, Act(seat=0, action="2"), "Seat 0 may not play 2 now; legal is 1"),
        (1, 13, Act(seat=0, action="3"), "Seat 0 cannot have done 3: "),
        (1, 13, Act(seat=0, action="5"), "Seat 0 cannot have done 5: "),
        (1, 13, Act(seat=0, action="8H"), "Seat 0 cannot have done 8H: "),
        (1, 13, Act(seat=0, action="1x4"), "Seat 0 cannot hold|Seat 0 has shown"),
        (1, 13, Act(seat=0, action="take"), "Seat 0 cannot have done take: "),
        (1, 13, Act(seat=0, action="keep"), "Seat 0 cannot have done keep: "),
        (1, 13, Act(seat=0, action="blind"), "Seat 0 cannot have done blind: "),
        (1, 13, Act(seat=1, action="3"), "Seat 1 may not play 3 now; legal is 2"),
    ],
)
def test_an_event_that_a_seat_cannot_see_is_refused(seat: int, number: int, event: Event, message: str) -> None:
    view = Record.begin(GAME.view(seat).start, {})
    add_all(view, GAME.view(seat).events[1:number])
    before, state = view.dumps(), view.state
    with pytest.raises(RecordError, match=message):
        view.add(event)
    assert (view.dumps(), view.state) == (before, state)
    add_all(view, GAME.view(seat).events[number:])
    assert view == GAME.view(seat)


def test_other_openings_that_a_seat_must_believe() -> None:
    for seat, number, event in (
        (0, 13, Act(seat=0, action="1")),
        (1, 13, Act(seat=0, action="2x3")),  # the first of those who hold a 2 opens
        (1, 13, Act(seat=1, action="2")),
    ):
        view = Record.begin(GAME.view(seat).start, {})
        add_all(view, GAME.view(seat).events[1:number])
        view.add(event)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("players", "hand_size"), [(2, 1), (2, 2), (3, 1)])
def test_an_opening_is_believed_just_where_some_deal_has_it(players: int, hand_size: int, seed: int) -> None:
    """Every action of every player, against all hands that the others may have."""
    record = Record(replace(Rules.parse(LITTLE, players), hand_size=hand_size))
    record.deal(eights.Rng(seed))
    for seat in range(players):
        possible = {
            Act(seat=world.state.mover, action=eights.action_text(action))
            for world in worlds(record, seat)
            for action in world.state.legal_actions()
        }
        for event in possible:
            record.view(seat).add(event)
        view = record.view(seat)
        for other, action in product(range(players), range(NUM_ACTIONS)):
            event = Act(seat=other, action=eights.action_text(action))
            if event not in possible:
                with pytest.raises(RecordError):
                    view.add(event)


def worlds(record: Record, seat: int) -> Iterator[Record]:
    """Every record that a seat sees as it sees this one."""
    events = record.events[1:]
    hidden = [n for n, e in enumerate(events) if isinstance(e, Reveal) and e.zone == "hand" and e.seat != seat]
    known = [0] * 12
    for number, event in enumerate(events):
        if isinstance(event, Reveal) and number not in hidden:
            known[eights.parse_rank(event.card)] += 1
    unseen = [rank for rank, n in enumerate(record.rules.deck) for _ in range(n - known[rank])]
    for ranks in set(permutations(unseen, len(hidden))):
        world = with_cards(record, dict(zip(hidden, ranks, strict=True)))
        if world is not None:
            yield world


def with_cards(record: Record, cards: dict[int, int]) -> Record | None:
    """The same round with other cards in some of its events, None if it could not have gone so."""
    result = Record.begin(record.start, {})
    try:
        for number, event in enumerate(record.events[1:]):
            if number in cards:
                event = with_fields(event, card=eights.rank_char(cards[number]))
            result.add(event)
    except RecordError:
        return None
    return result


EIGHT_CARDS = (1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1)


@pytest.mark.parametrize("seed", range(6))
def test_what_may_have_been_played_is_believed(seed: int) -> None:
    """Whatever some deal allows the mover at any ply, the seat's record does not refuse."""
    record = played(Rules.standard(2, deck=EIGHT_CARDS, hand_size=1, open_size=1, blind_size=1), seed, plies=6)
    for end, state in enumerate(decisions(record)):
        until = record.plies if end == record.plies else end
        cut = cut_at(record, until)
        for seat in (0, 1):
            for world in worlds(cut, seat):
                if world.state.mover == state.mover != seat:
                    for action in world.state.legal_actions():
                        cut.view(seat).add(Act(seat=state.mover, action=eights.action_text(action)))


def cut_at(record: Record, plies: int) -> Record:
    """The record when so many actions had been done and all cards drawn."""
    result = Record.begin(record.start, {})
    for event in record.events[1:]:
        if isinstance(event, Act) and result.plies == plies:
            break
        result.add(event)
    return result


# ---- a view never leaks


def twins(record: Record, seat: int, dice: Random) -> list[Record]:
    """Other rounds that a seat cannot tell from this one: two hidden cards swapped, or one of those that nobody saw.

    Who is to act is seen by all.
    """
    events = record.events[1:]
    hidden = {
        number: eights.parse_rank(event.card)
        for number, event in enumerate(events)
        if isinstance(event, Reveal) and event.zone == "hand" and event.seat != seat
    }
    changes = [
        {one: hidden[other], other: hidden[one]}
        for one in hidden
        for other in hidden
        if one < other and hidden[one] != hidden[other] and events[one].seat != events[other].seat
    ]
    pool = [rank for rank, n in enumerate(record.state.pool) if n]
    changes += [{one: rank} for one in hidden for rank in pool if rank != hidden[one]]
    dice.shuffle(changes)
    found = (with_cards(record, change) for change in changes[:40])
    return [twin for twin in found if twin is not None and twin.state.mover == record.state.mover][:3]


def last_choice(record: Record, seat: int) -> list[int]:
    """The last ply at which a seat had a choice, if there is one."""
    choices = (state for state in decisions(record) if state.mover == seat and len(state.legal_actions()) > 1)
    return [state.plies for state in choices][-1:]


def analysed(record: Record, ply: int, seat: int) -> eights.Analysis:
    """What the search says, but for the time that it took."""
    return replace(eights.analyse(record.position(ply, seat), iterations=40, seed=3), time=0.0)


def assert_told_apart_by_nothing(record: Record, twin: Record, seat: int) -> None:
    mine, theirs = with_secrets(record, seat, "one").view(seat), with_secrets(twin, seat, "other").view(seat)
    assert mine.dumps().encode() == theirs.dumps().encode()
    for state in decisions(record):
        ply = state.plies
        if knows_who_acts(record, ply, seat):
            assert record.position(ply, seat) == twin.position(ply, seat) == theirs.position(ply)


@settings(max_examples=60, deadline=None)
@given(records(most_plies=60), seeds)
def test_two_rounds_that_a_seat_cannot_tell_apart_look_alike(record: Record, seed: int) -> None:
    seat = seed % record.rules.players
    for twin in twins(record, seat, Random(seed)):
        assert twin != record
        assert_told_apart_by_nothing(record, twin, seat)
        for ply in last_choice(record, seat):
            assert analysed(record, ply, seat) == analysed(twin, ply, seat) == analysed(twin.view(seat), ply, seat)


def test_there_are_such_rounds() -> None:
    """In most rounds of the full deck there is a card that a seat never sees."""
    found = 0
    for seed in range(20):
        record = played(Rules.standard(2 + seed % 5), seed, plies=30)
        found += bool(twins(record, seed % 2, Random(seed)))
    assert found > 15


def test_the_view_decides_what_is_known() -> None:
    """Rounds of so few cards that the same view of them comes up again and again."""
    rules = Rules.standard(2, deck=(0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 2), hand_size=1, open_size=1, blind_size=0)
    known: defaultdict[tuple[int, str], set[tuple[str, ...]]] = defaultdict(set)
    rounds: defaultdict[tuple[int, str], set[str]] = defaultdict(set)
    for seed in range(500):
        record = played(rules, seed, plies=3)
        for seat in (0, 1):
            view = record.view(seat).dumps()
            plies = [state.plies for state in decisions(record) if knows_who_acts(record, state.plies, seat)]
            known[seat, view].add(tuple(str(record.position(ply, seat)) for ply in plies))
            rounds[seat, view].add(record.dumps())
    assert all(len(positions) == 1 for positions in known.values())
    assert sum(len(texts) > 1 for texts in rounds.values()) > 30


def test_what_others_hold_makes_no_difference_to_the_bytes() -> None:
    """By hand: seat 1 has a 7 and a 4 more, or an 8 and a Ghost, which seat 0 never sees."""
    one = told("standard", 2, *"559123", *"559274", "1", "9", "2", "3", "2", "6")
    other = told("standard", 2, *"559123", *"55928G", "1", "9", "2", "3", "2", "6")
    assert one.dumps() != other.dumps()
    assert one.view(0).dumps() == other.view(0).dumps()
    assert one.view(1).dumps() != other.view(1).dumps()
    assert one.position(seat=0) == other.position(seat=0)


def test_an_analysis_stays_with_whose_it_is() -> None:
    record = told("standard", 2, *"559123", *"559234")
    record.act(eights.parse_action("1"), analysis={"best": "1"})
    tell(record, "9")
    assert '"analysis":{"best":"1"}' in record.view(0).dumps()
    assert "analysis" not in record.view(1).dumps()
    assert encode(record.view(1).events[-2]) == '{"type":"act","seat":0,"action":"1"}'

"""`Record`: written while a round is played, dumped, loaded, replayed, and asked what a seat knew at a ply."""

from __future__ import annotations

import functools
import io
import math
from fractions import Fraction
from random import Random
from typing import Any

import eights
import pytest
from eights import Record, RecordError, Rules, State
from eights.events import MOST_LINE, Act, Event, Reveal, Start
from hypothesis import given, settings
from hypothesis import strategies as st
from rounds import LITTLE, bare, play_on, played, tell, told
from strategies import records, seeds
from transcripts import Transcript, load

TINY = "standard+hand_size=1+open_size=1+blind_size=0+deck=0.2.2.0.0.0.0.0.0.0.0.0"

# ---- transcripts


def record_of(transcript: dict[str, Any]) -> Record:
    """The record of a recorded round."""
    rules = Rules.parse(transcript["rules"], transcript["players"])
    record = Record(rules, exchange=transcript["exchange"] and tuple(transcript["exchange"]))
    for step in transcript["steps"]:
        if "chance" in step:
            record.add(Reveal(seat=step["seat"], zone=step["zone"], card=eights.rank_char(step["chance"])))
        else:
            record.add(Act(seat=step["seat"], action=step["text"]))
    record.finish()
    return record


def transcript_of(record: Record) -> dict[str, Any]:
    """The same in the form of the transcripts."""
    steps = []
    before = State(record.rules, record.start.exchange)
    for event, state in record.replay():
        if isinstance(event, Reveal):
            pool = list(before.pool)
            steps.append(
                {"chance": eights.parse_rank(event.card), "seat": event.seat, "zone": event.zone, "pool": pool}
            )
        elif isinstance(event, Act):
            steps.append(
                {
                    "act": eights.parse_action(event.action),
                    "seat": event.seat,
                    "text": event.action,
                    "legal": before.legal_actions(),
                    "position": bare(record.position(before.plies, event.seat)).format(),
                    "value": str(Fraction(before.value, 2)),
                    "felon": before.felon,
                }
            )
        else:
            end = event
        before = state.copy()
    exchange = record.start.exchange
    return {
        "rules": record.start.rules,
        "players": record.start.players,
        "exchange": exchange and list(exchange),
        "steps": steps,
        "points": [str(Fraction(points).limit_denominator(6)) for points in end.points],
        "counts": list(end.counts),
        "winner": end.winner,
        "big_loser": before.big_loser,
        "end": {"out": "win"}.get(end.reason, end.reason),
        "plies": record.plies,
    }


@pytest.mark.parametrize("transcript", load(), ids=lambda transcript: transcript.name)
def test_a_transcript_becomes_a_record_and_back(transcript: Transcript) -> None:
    record = record_of(transcript.round)
    loaded = Record.loads(record.dumps())
    assert loaded == record
    recorded = {name: value for name, value in transcript.round.items() if name != "shows"}  # a label of the file
    assert transcript_of(loaded) == recorded


# ---- any round


@settings(max_examples=60, deadline=None)
@given(records())
def test_what_is_written_event_by_event_is_what_is_loaded(record: Record) -> None:
    text = record.dumps()
    loaded = Record.loads(text)
    assert loaded == record
    assert loaded.dumps() == text
    assert Record.load(io.BytesIO(text.encode())) == record
    written = Record.begin(record.start, {})
    replay = loaded.replay()
    for event in record.events[1:]:
        written.add(event)
        replayed, state = next(replay)
        assert replayed == event
        assert written.state == state
        assert written.state.pile_plays == state.pile_plays
    assert next(replay, None) is None
    assert written == record
    assert written.state == loaded.state == record.state
    assert (written.plies, written.is_over) == (record.plies, record.is_over)


def every_position(record: Record) -> dict[tuple[int, int], eights.Position]:
    """What every seat knew at every ply, in the order of the plies."""
    plies = record.plies + (record.state.mover >= 0)
    return {(ply, seat): record.position(ply, seat) for ply in range(plies) for seat in range(record.rules.players)}


@settings(max_examples=40, deadline=None)
@given(records(), seeds)
def test_positions_are_the_same_in_any_order(record: Record, seed: int) -> None:
    positions = every_position(Record.loads(record.dumps()))
    order = list(positions)
    Random(seed).shuffle(order)
    for ply, seat in order:
        assert record.position(ply, seat) == positions[ply, seat]


@settings(max_examples=20, deadline=None)
@given(records(), seeds)
def test_positions_asked_for_while_it_is_written_are_those_of_the_whole(record: Record, seed: int) -> None:
    positions = every_position(record)
    written = Record.begin(record.start, {})
    dice = Random(seed)
    for event in record.events[1:]:
        if isinstance(event, Act):
            seat = dice.randrange(record.rules.players)
            earlier = dice.randint(0, written.plies)
            assert written.position(seat=seat) == positions[written.plies, seat]
            assert written.position(earlier, seat) == positions[earlier, seat]
        written.add(event)


def test_by_default_a_position_is_that_of_the_one_to_act() -> None:
    record = played(Rules.parse(LITTLE, 3), 4, plies=7)
    assert record.position() == record.position(7, record.state.mover)
    act = next(event for event in reversed(record.events) if isinstance(event, Act))
    assert record.position(6) == record.position(6, act.seat)


def test_a_position_of_a_record_is_no_more_than_what_was_seen() -> None:
    record = played(Rules.parse(LITTLE, 3), 4, plies=7)
    for seat in range(3):
        assert bare(record.position(seat=seat)) == record.state.observation(seat)


@settings(max_examples=40, deadline=None)
@given(records(), st.data())
def test_a_record_that_was_cut_between_two_lines_can_be_continued(record: Record, data: st.DataObject) -> None:
    lines = record.dumps().splitlines(keepends=True)
    kept = data.draw(st.integers(1, len(lines)))
    rest = [eights.events.decode(line)[0] for line in lines[kept:]]
    cut = Record.loads("".join(lines[:kept]))
    assert cut.events == record.events[:kept]
    if rest:
        assert not cut.is_over
    for event in rest:
        cut.add(event)
    assert cut == record


@settings(max_examples=30, deadline=None)
@given(records(), st.data())
def test_a_record_that_was_cut_can_be_played_to_its_end(record: Record, data: st.DataObject) -> None:
    lines = record.dumps().splitlines(keepends=True)
    cut = Record.loads("".join(lines[: data.draw(st.integers(1, len(lines)))]))
    if not cut.is_over:
        play_on(cut, seed=5)
    assert cut.is_over
    assert Record.loads(cut.dumps()) == cut


def test_a_deal_is_drawn_from_whatever_is_played() -> None:
    rules = Rules.parse(LITTLE, 2)
    shares = []
    for seed in range(20):
        record = Record(rules)
        deal, choice = eights.Deal(rules, 3), Random(seed)
        record.deal(deal)
        while record.state.mover != eights.TERMINAL:
            record.act(choice.choice(record.state.legal_actions()))
            record.deal(deal)
        cards = [event for event in record.events if isinstance(event, Reveal)]
        shares.append([[(e.zone, e.card) for e in cards if e.seat == seat and e.zone != "blind"] for seat in (0, 1)])
    for one in shares:
        for seat in (0, 1):
            shorter, longer = sorted((one[seat], shares[0][seat]), key=len)
            assert longer[: len(shorter)] == shorter


# ---- what a record says of itself


def test_the_first_line_names_game_version_rules_and_seats() -> None:
    record = Record(Rules.shafir(2), names=("Ann", "Ben ½"), seed=2**64 - 1)
    assert record.dumps() == (
        '{"type":"start","game":"eight_and_a_half","rules":"shafir","players":2,"names":["Ann","Ben ½"],'
        '"exchange":null,"seed":18446744073709551615,"version":1}\n'
    )
    assert record.names == ("Ann", "Ben ½")
    assert Record(Rules.standard(2)).names == ("seat 0", "seat 1")


def test_the_lines_are_those_of_the_notation() -> None:
    record = told(TINY, 2, *"2121", "1", "1", "2")
    record.finish()
    assert record.dumps().splitlines()[1:] == [
        '{"type":"reveal","seat":0,"zone":"open","card":"2"}',
        '{"type":"reveal","seat":0,"zone":"hand","card":"1"}',
        '{"type":"reveal","seat":1,"zone":"open","card":"2"}',
        '{"type":"reveal","seat":1,"zone":"hand","card":"1"}',
        '{"type":"act","seat":0,"action":"1"}',
        '{"type":"act","seat":1,"action":"1"}',
        '{"type":"act","seat":0,"action":"2"}',
        '{"type":"end","reason":"out","winner":0,"points":[3,0],"counts":[0,1]}',
    ]


def test_it_can_be_looked_at() -> None:
    record = played(Rules.parse(LITTLE, 3), 1, plies=5)
    assert repr(record) == f"<Record of {record.rules.text()}, 3 players, 5 plies>"
    assert repr(record.view(2)) == f"<Record of {record.rules.text()}, 3 players, 5 plies as seat 2 sees it>"
    assert record != record.dumps()
    with pytest.raises(TypeError):
        hash(record)


def test_its_state_is_a_copy() -> None:
    record = played(Rules.parse(LITTLE, 2), 1, plies=3)
    state = record.state
    state.apply(state.legal_actions()[0])
    assert record.state.plies == 3


def test_an_analysis_is_kept_with_its_action() -> None:
    record = told("standard", 2, *"559123", *"559234")
    record.act(eights.parse_action("1"), analysis={"points": [1.5, 0.25], "pv": ["1"]})
    assert record.dumps().endswith('{"type":"act","seat":0,"action":"1","analysis":{"points":[1.5,0.25],"pv":["1"]}}\n')
    assert Record.loads(record.dumps()) == record


def test_an_analysis_is_kept_as_it_will_be_read() -> None:
    record = told("standard", 2, *"559123", *"559234")
    record.act(eights.parse_action("1"), analysis={"pv": ("1", "2")})
    assert record.events[-1] == Act(seat=0, action="1", analysis={"pv": ["1", "2"]})
    assert Record.loads(record.dumps()) == record


LOOP: list[Any] = []
LOOP.append(LOOP)
DEEP: object = functools.reduce(lambda inner, _: [inner], range(200), 0)


@pytest.mark.parametrize("value", [math.nan, math.inf, object(), {1}, b"1", "\ud800", LOOP, "x" * MOST_LINE, DEEP])
def test_an_analysis_that_could_not_be_read_again_is_refused(value: object) -> None:
    record = told("standard", 2, *"559123", *"559234")
    before = record.dumps()
    with pytest.raises(RecordError, match="The analysis cannot be written: ") as caught:
        record.act(eights.parse_action("1"), analysis={"points": value})
    assert len(str(caught.value)) < 300
    assert record.dumps() == before


def test_unknown_fields_are_kept_reported_and_written_again() -> None:
    lines = played(Rules.parse(LITTLE, 2), 1).dumps().splitlines()
    lines[0] = lines[0][:-1] + ',"place":{"city":"Jerusalem"}}'
    lines[3] = lines[3][:-1] + ',"mood":null,"at":12.5}'
    lines[-1] = lines[-1][:-1] + ',"at":99}'
    text = "\n".join(lines) + "\n"
    record = Record.loads(text)
    assert record.unknown_fields == ("at", "mood", "place")
    assert record.dumps() == text
    assert Record.loads(text) == record
    assert record != Record.loads(text.replace("Jerusalem", "Haifa"))
    assert played(Rules.parse(LITTLE, 2), 1).unknown_fields == ()


# ---- what is refused


@pytest.mark.parametrize(
    ("ply", "seat", "message"),
    [
        (-1, None, "There is no ply -1: the record has plies 0 to 4"),
        (5, None, "There is no ply 5: the record has plies 0 to 4"),
        (10**30, 0, "There is no ply"),
    ],
)
def test_there_is_no_such_position(ply: int, seat: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        played(Rules.parse(LITTLE, 2), 1, plies=4).position(ply, seat)


@pytest.mark.parametrize("seat", [-1, 2, 10**30])
def test_there_is_no_such_seat(seat: int) -> None:
    record = played(Rules.parse(LITTLE, 2), 1, plies=4)
    with pytest.raises((ValueError, IndexError, OverflowError)):
        record.position(2, seat)
    with pytest.raises(ValueError, match="There is no seat"):
        record.view(seat)


def test_positions_exist_at_decisions_only() -> None:
    dealing = told(LITTLE, 2, "1", "2")
    over = played(Rules.parse(LITTLE, 2), 1)
    for record in (dealing, over):
        with pytest.raises(ValueError, match="here none does"):
            record.position()
    assert over.position(over.plies - 1).plies == over.plies - 1


def test_nobody_acts_while_a_card_is_to_come_up_or_after_the_end() -> None:
    for record in (told(LITTLE, 2, "1", "2"), played(Rules.parse(LITTLE, 2), 1)):
        before = record.dumps()
        with pytest.raises(RecordError, match="It is nobody's turn"):
            record.act(0)
        assert record.dumps() == before


def test_a_round_ends_when_it_is_over_and_once() -> None:
    record = played(Rules.parse(LITTLE, 2), 1, plies=4)
    with pytest.raises(RecordError, match="The round is not over"):
        record.finish()
    play_on(record, 1)
    with pytest.raises(RecordError, match="The round is over: no event can follow"):
        record.finish()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ("Ann",)}, "There must be 2 names"),
        ({"names": ("Ann", "B" * 201)}, "at most 200 characters"),
        ({"seat": 2}, "There is no seat 2: seats are 0 to 1"),
        ({"seat": -1}, "There is no seat -1"),
        ({"seed": -1}, "A seed is a whole number"),
        ({"seed": 2**64}, "A seed is a whole number"),
        ({"seed": 1, "seat": 0}, "What one seat sees of a round has no seed"),
        ({"exchange": (0, 0)}, "between two seats"),
        ({"exchange": (0, 2)}, "between two seats"),
        ({"exchange": (-1, 0)}, "between two seats"),
        ({"exchange": (2**31, 0)}, "between two seats"),
        ({"exchange": (1, 2**64)}, "between two seats"),
    ],
)
def test_a_start_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        Record(Rules.standard(2), **options)


def test_an_exchange_needs_rules_that_have_one() -> None:
    with pytest.raises(RecordError, match="have no exchange"):
        Record(Rules.amigo(2), exchange=(0, 1))


# Lines 2 to 13 deal 123 to the hand of seat 0 and 234 to that of seat 1; seat 0 opens in line 14 and draws a 9 in 15.
GAME = told("standard", 2, *"559123", *"559234", "1", "9").dumps().splitlines()


def act(seat: int, action: str) -> str:
    return f'{{"type":"act","seat":{seat},"action":"{action}"}}'


def reveal(seat: int, zone: str, card: str) -> str:
    return f'{{"type":"reveal","seat":{seat},"zone":"{zone}","card":"{card}"}}'


@pytest.mark.parametrize(
    ("line", "event", "message"),
    [
        (2, reveal(0, "open", "?"), "The card in the open of seat 0 is seen, so it cannot be '?'"),
        (2, reveal(0, "hand", "5"), "The next card comes up in the open of seat 0, not in the hand of seat 0"),
        (2, reveal(1, "open", "5"), "The next card comes up in the open of seat 0, not in the open of seat 1"),
        (2, reveal(-1, "open", "5"), "not in the open of seat -1"),
        (2, reveal(0, "open", "x"), "'x' is not a rank"),
        (2, reveal(0, "open", ""), "'' is not a rank"),
        (2, reveal(0, "open", "10"), "'10' is not a rank"),
        (2, reveal(0, "table", "5"), "The reveal event is wrong: invalid enum value 'table'"),
        (2, act(0, "1"), "A card is to come up before somebody acts"),
        (5, reveal(0, "hand", "?"), "The card in the hand of seat 0 is seen, so it cannot be '?'"),
        (11, reveal(1, "open", "9"), "The next card comes up in the hand of seat 1"),
        (14, reveal(0, "hand", "1"), "No card is to come up here"),
        (14, act(0, "2"), "Seat 0 may not play 2 now; legal is 1"),
        (14, act(1, "2"), "It is the turn of seat 0, not of seat 1"),
        (14, act(-1, "1"), "It is the turn of seat 0, not of seat -1"),
        (14, act(0, "1x1"), "'1x1' is not an action: one card is written '1'"),
        (14, act(0, "?"), "'[?]' is not an action"),
        (14, act(0, "take"), "Seat 0 may not play take now"),
        (14, act(0, "keep"), "Seat 0 may not play keep now"),
        (15, reveal(0, "blind", "9"), "The next card comes up in the hand of seat 0, not in the blind of seat 0"),
        (15, act(1, "2"), "A card is to come up before somebody acts"),
        (16, act(0, "2"), "It is the turn of seat 1, not of seat 0"),
        (16, reveal(0, "hand", "9"), "No card is to come up here"),
        (16, '{"type":"end","reason":"out","winner":0,"points":[2,0],"counts":[0,9]}', "The round is not over"),
        (16, GAME[0], "The round has begun: it cannot start again"),
        (16, '{"type":"scores","round":0,"scores":[0,0]}', "holds no events of a match"),
        (1, act(0, "1"), "The record of a round begins with its start event"),
        (1, "", "The record of a round begins with its start event"),  # an empty line is no event
    ],
)
def test_an_impossible_event_is_refused_by_its_line(line: int, event: str, message: str) -> None:
    """What came before it can be used, and goes on."""
    lines = [*GAME[: line - 1], event, *GAME[line:]]
    with pytest.raises(RecordError, match=message) as caught:
        Record.loads("\n".join(lines))
    error = caught.value
    assert str(error) == f"Line {error.line}: {error.message}"
    assert error.line == (line if event else 2)
    if line == 1:
        assert error.record is None
        return
    assert error.record.dumps().splitlines() == GAME[: line - 1]
    for good in GAME[line - 1 :]:
        error.record.add(eights.events.decode(good)[0])
    assert error.record.dumps().splitlines() == GAME


def test_a_card_too_many_is_refused() -> None:
    lines = told(TINY, 2, *"212").dumps().splitlines()
    with pytest.raises(RecordError, match="Line 5: A card is to come up, of one of the ranks 1, not 2") as caught:
        Record.loads("\n".join([*lines, reveal(1, "hand", "2")]))
    assert caught.value.record.dumps().splitlines() == lines


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"out"', '"max_plies"'), 'The reason at the end of the round is "out", not "max_plies"'),
        (('"winner":0', '"winner":1'), "The winner at the end of the round is 0, not 1"),
        (('"winner":0', '"winner":null'), "The winner at the end of the round is 0, not null"),
        (("[3,0]", "[2,1]"), r"The points at the end of the round is \[3,0\], not \[2,1\]"),
        (("[3,0]", "[3]"), "The points at the end"),
        (("[0,1]", "[0,2]"), "The counts at the end"),
        (("[0,1]", "[0,1,0]"), "The counts at the end"),
        (("[0,1]", "[0.0,1]"), "The end event is wrong: expected `int`, got `float`"),
    ],
)
def test_an_end_that_is_not_that_of_the_round_is_refused(change: tuple[str, str], message: str) -> None:
    record = told(TINY, 2, *"2121", "1", "1", "2")
    record.finish()
    text = record.dumps()
    assert change[0] in text
    with pytest.raises(RecordError, match=f"Line 9: {message}") as caught:
        Record.loads(text.replace(*change))
    assert caught.value.record.finish() == record.events[-1]


def test_nothing_follows_the_end() -> None:
    text = played(Rules.parse(LITTLE, 2), 1).dumps()
    last = text.splitlines()[-1]
    with pytest.raises(RecordError, match="The round is over: no event can follow") as caught:
        Record.loads(text + last)
    assert caught.value.line == len(text.splitlines()) + 1
    assert caught.value.record.dumps() == text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"eight_and_a_half"', '"chess"'), "The game is 'eight_and_a_half' here, not 'chess'"),
        (('"version":1', '"version":2'), "The record is of version 2, and only version 1 can be read"),
        (('"version":1', '"version":true'), "The start event is wrong: expected `int`, got `bool`"),
        ((',"version":1', ""), "The start event is wrong: object missing required field `version`"),
        (('"players":2', '"players":3'), "There must be 3 names"),
        (('"players":2', '"players":1'), "The game is for 2 to 6 players, not 1"),
        (('"players":2', '"players":2.0'), "expected `int`, got `float`"),
        (('"rules":"standard"', '"rules":"standart"'), "'standart' is not a preset of the rules"),
        (('"rules":"standard"', '"rules":"standard+max_plies=0"'), "max_plies is 0, but must be"),
        (('"exchange":null', '"exchange":[0,1,2]'), "The start event is wrong"),
        (('"exchange":null', '"exchange":[0,99999999999999999999]'), "between two seats"),
        (('"exchange":null', '"seat":7,"exchange":null'), "There is no seat 7"),
        (('"exchange":null', '"seat":0,"seed":5,"exchange":null'), "has no seed"),
    ],
)
def test_a_start_that_cannot_be_used_is_refused(change: tuple[str, str], message: str) -> None:
    assert change[0] in GAME[0]
    with pytest.raises(RecordError, match=f"Line 1: .*{message}") as caught:
        Record.loads("\n".join([GAME[0].replace(*change), *GAME[1:]]))
    assert caught.value.record is None


def test_what_a_refused_event_would_have_changed_is_unchanged() -> None:
    record = tell(Record.loads("\n".join(GAME)), "2", "9")
    before, state, positions = record.dumps(), record.state, every_position(record)
    events: list[Event] = [Act(seat=0, action="1"), Act(seat=1, action="9"), Reveal(seat=0, zone="hand", card="1")]
    for event in [*events, Start(**{name: getattr(record.start, name) for name in record.start.__struct_fields__})]:
        with pytest.raises(RecordError):
            record.add(event, {"extra": 1})
    assert (record.dumps(), record.state, every_position(record)) == (before, state, positions)
    assert record.unknown_fields == ()

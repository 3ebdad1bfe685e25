"""What docs/protocol.md promises, of any engine: EIGHTS_ENGINE is its command, by default our own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import eights
import pytest
from dialogues import A_DAY, CHOICE, FORCED, TRANSCRIPTS, Engine, Reply, outline, read_transcript, validator
from rounds import LITTLE, played

ENDLESS = {"type": "analyse", "position": CHOICE, "limits": {"time_ms": A_DAY}}
LINE_OF_10_MB = b'{"id":"long","type":"hello","x":"' + b"x" * 10_000_000 + b'"}'


@pytest.fixture
def engine() -> Iterator[Engine]:
    """An engine that at the end has answered everything, as the schema has it, and ends when its input does."""
    replies = validator("reply", strict=False)
    with Engine() as engine:
        yield engine
        assert engine.end() == 0
    for reply in engine.replies:
        replies.validate(reply)


def begin(engine: Engine, name: str) -> None:
    """Begin an endless analysis; returns when it runs."""
    engine.send({"id": name, "report_every_ms": 10, **ENDLESS})
    engine.reply(name, final=False)


def stop(engine: Engine, name: str) -> Reply:
    """Stop it; its final reply."""
    assert engine.ask({"id": f"stop {name}", "type": "stop", "target": name})["stopped"] is True
    return engine.reply(name)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcripts_in_outline(engine: Engine, path: Path) -> None:
    threads = engine.ask({"id": "hello", "type": "hello"})["threads"]
    for request, replies in read_transcript(path):
        if '"threads":3' in request or '"memory_mb":513' in request:
            continue  # it may have as many
        if '"threads":2' in request and threads < 2:
            continue
        reply = engine.ask(request.encode(), replies[-1]["id"])
        assert outline(reply) == outline(replies[-1]), request


# ---- requests and replies


def test_hello_says_what_there_is(engine: Engine) -> None:
    reply = engine.ask({"id": 1, "type": "hello"})
    assert reply["protocol"] == 1
    assert reply["games"] == ["eight_and_a_half"]
    assert {"standard", "amigo", "shafir"} <= set(reply["presets"])
    assert reply["threads"] >= 1
    assert reply["memory_mb"] >= 16


@pytest.mark.parametrize(
    "line",
    [
        b"\xff",
        b'{"id":"\xff","type":"hello"}',
        b"\0",
        b"[" * 500_000,
        b'{"id":"deep","type":"hello","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"id":' + b'{"a":' * 100_000,
        b'{"id":' + b"9" * 100_000 + b',"type":"hello"}',
        b'{"id":"long","type":"hello","x":"' + b"x" * (1 << 20) + b'"}',
        LINE_OF_10_MB,
        b" " * 2_000_000,
    ],
    ids=["bytes", "id", "nul", "lists", "deep", "objects", "number", "long", "10 MB", "blank"],
)
def test_what_cannot_be_read_is_answered_once_and_survived(engine: Engine, line: bytes) -> None:
    reply = engine.ask(line)
    assert reply["id"] is None
    assert reply["error"].endswith(".")
    assert "protocol" in engine.ask({"id": 1, "type": "hello"})
    assert len(engine.replies) == 2


def test_a_line_may_have_as_many_bytes_as_are_allowed(engine: Engine) -> None:
    line = b'{"id":"long","type":"hello","x":"'
    assert "protocol" in engine.ask(line + b"x" * ((1 << 20) - len(line) - 2) + b'"}', "long")


def test_empty_lines_are_skipped_and_spaces_do_not_matter(engine: Engine) -> None:
    engine.send(b"", b"   ", b"\t\r", b'  { "type" : "hello" , "id" : "a" }\r')
    assert "protocol" in engine.reply("a")
    engine.ask({"id": "b", "type": "hello"})
    assert [reply["id"] for reply in engine.replies] == ["a", "b"]


# ---- analyse


def test_every_legal_action_has_values_for_every_seat(engine: Engine) -> None:
    reply = engine.ask({"id": "a", "type": "analyse", "position": CHOICE, "limits": {"iterations": 3000}})
    assert reply["position"] == CHOICE
    assert (reply["seat"], reply["iterations"], reply["stopped"]) == (2, 3000, False)
    assert sorted(move["move"] for move in reply["moves"]) == ["1", "4", "5"]
    assert reply["move"] == reply["moves"][0]["move"]
    for values in (reply["root"], *reply["moves"]):
        assert [len(values[name]) for name in ("points", "points_se", "win")] == [4, 4, 4]
    assert all(move["pv"][0] == move["move"] for move in reply["moves"])


def test_the_same_request_has_the_same_answer(engine: Engine) -> None:
    request = {"type": "analyse", "position": CHOICE, "limits": {"iterations": 2000}}
    replies = [engine.ask({"id": seed, "seed": seed, **request}) for seed in (1, 2, 1)]
    first, other, again = ({**reply, "time_ms": 0} for reply in replies)
    assert first == again != other


@pytest.mark.parametrize(
    ("limits", "ends"),
    [
        ({"time_ms": A_DAY, "iterations": 200}, "iterations"),
        ({"time_ms": 30, "iterations": 4_294_967_295}, "time"),
        ({"time_ms": 0.001}, "time"),
        ({}, "time"),
        (None, "time"),
    ],
)
def test_the_limit_that_is_reached_first_ends_it(engine: Engine, limits: Reply | None, ends: str) -> None:
    request = {"id": "a", "type": "analyse", "position": CHOICE}
    reply = engine.ask(request if limits is None else {**request, "limits": limits})
    assert reply["stopped"] is False
    assert (reply["iterations"] == 200) == (ends == "iterations")


def test_a_record_tells_what_hidden_hands_have_shown(engine: Engine) -> None:
    record = played(eights.Rules.parse(LITTLE, 3), seed=3)
    acts = [number for number, event in enumerate(record.events) if isinstance(event, eights.events.Act)]
    seen_braces = False
    for ply in range(0, record.plies, 3):
        expected = record.position(ply)
        seat = expected.mover
        view = [json.loads(line) for line in record.view(seat).dumps().splitlines()]
        request = {"type": "analyse", "limits": {"iterations": 20}}
        whole = [json.loads(line) for line in record.dumps().splitlines()]
        replies = [
            engine.ask({"id": f"now {ply}", "record": view[: acts[ply]], **request}),
            engine.ask({"id": f"then {ply}", "record": view, "ply": ply, **request}),
            engine.ask({"id": f"whole {ply}", "record": whole, "ply": ply, "seat": seat, **request}),
        ]
        assert [reply["position"] for reply in replies] == [str(expected)] * 3
        seen_braces |= "{" in str(expected)
    assert seen_braces


def test_progress_is_reported_and_then_one_final_reply(engine: Engine) -> None:
    begin(engine, "a")
    engine.reply("a", final=False)
    assert stop(engine, "a")["stopped"] is True
    engine.ask({"id": "b", "type": "hello"})
    assert engine.end() == 0
    of_a = [reply for reply in engine.replies if reply["id"] == "a"]
    assert [reply["final"] for reply in of_a] == [False] * (len(of_a) - 1) + [True]
    assert {frozenset(reply) for reply in of_a} == {frozenset(of_a[-1])}
    effort = [reply["iterations"] for reply in of_a]
    assert effort == sorted(effort)
    assert len({reply["stopped"] for reply in of_a[:-1]} | {False}) == 1


# ---- several at once


def test_as_many_as_there_are_threads_run_at_once_and_others_wait(engine: Engine) -> None:
    threads = engine.ask({"id": "hello", "type": "hello"})["threads"]
    names = [f"search {number}" for number in range(threads)]
    for name in names:
        begin(engine, name)
    engine.send({"id": "waits", **ENDLESS}, {"id": "last", "type": "analyse", "position": FORCED})
    assert engine.ask({"id": "new", "type": "new"})["next"] == {"type": "start"}
    reply = stop(engine, "waits")
    assert (reply["field"], "error" in reply) == (None, True)
    for name in names:
        assert stop(engine, name)["stopped"] is True
    assert engine.reply("last")["move"] == "0"


def test_to_stop_what_does_not_run_is_no_error(engine: Engine) -> None:
    engine.ask({"id": "a", "type": "analyse", "position": FORCED, "limits": {"iterations": 1}})
    for target in ("a", "never", 12, "me"):
        reply = engine.ask({"id": "me", "type": "stop", "target": target})
        assert (reply["target"], reply["stopped"]) == (target, False)


def test_an_id_may_be_used_again_when_it_is_answered(engine: Engine) -> None:
    begin(engine, "a")
    for request in ({"id": "a", "type": "hello"}, {"id": "a", **ENDLESS}):
        refusal = engine.ask(request)
        assert refusal["field"] == "id"
    assert stop(engine, "a")["stopped"] is True
    assert "protocol" in engine.ask({"id": "a", "type": "hello"})


def test_ids_that_look_alike_are_different(engine: Engine) -> None:
    begin(engine, "1")
    assert engine.ask({"id": "c", "type": "stop", "target": 1})["stopped"] is False
    assert "protocol" in engine.ask({"id": 1, "type": "hello"})
    assert stop(engine, "1")["stopped"] is True


def test_many_requests_at_once_are_each_answered_once(engine: Engine) -> None:
    dice = Random(1)
    kinds: list[Reply] = [
        {"type": "analyse", "position": CHOICE, "limits": {"iterations": 30}},
        {"type": "analyse", "position": FORCED, "limits": {"time_ms": 1}},
        {"type": "analyse", "position": FORCED.replace(" 7:", " 8:")},
        {"type": "stop", "target": 7},
        {"type": "move", "limits": {"iterations": 5}},
        {"type": "hello", "mood": "bold"},
        {"type": "nonsense"},
        {"type": "new"},
    ]
    engine.send(*({"id": number, **dice.choice(kinds)} for number in range(400)), b"{", b"7")
    for name in [*range(400), None, None]:
        engine.reply(name)
    assert engine.end() == 0
    assert Counter(reply["id"] for reply in engine.finals()) == Counter([*range(400), None, None])


# ---- a round, event by event


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_round_is_followed_by_what_must_be_next(engine: Engine, seat: int | None) -> None:
    record = played(eights.Rules.parse(LITTLE, 2), seed=4)
    told = record if seat is None else record.view(seat)
    following = engine.ask({"id": "new", "type": "new"})
    asked = 0
    for number, line in enumerate(told.dumps().splitlines()):
        event, expected = json.loads(line), following["next"]
        legal = expected.pop("legal", [event.get("action")])
        assert {name: event[name] for name in expected} == expected
        if event["type"] == "act":
            assert event["action"] in legal
            if seat in (None, event["seat"]):
                move = engine.ask({"id": f"move {number}", "type": "move", "limits": {"iterations": 10}})
                assert (move["seat"], move["move"] in legal or len(legal) == 1) == (event["seat"], True)
                assert move["position"] == str(record.position(following["plies"]))
                asked += 1
        following = engine.ask({"id": number, "type": "event", "event": event})
    assert (following["plies"], following["next"]) == (record.plies, None)
    assert asked > 2


def test_a_refused_event_leaves_the_round_as_it_was(engine: Engine) -> None:
    events = [json.loads(line) for line in played(eights.Rules.parse(LITTLE, 2), seed=4).dumps().splitlines()]
    for event in events[:3]:
        before = engine.ask({"id": 1, "type": "event", "event": event})
    for wrong in (events[0], events[-1], {"type": "act", "seat": 0, "action": "take"}, {"type": "nonsense"}, 3, None):
        assert engine.ask({"id": 2, "type": "event", "event": wrong})["field"] == "event"
    assert before["next"] == {name: events[3][name] for name in before["next"]}
    assert "error" not in engine.ask({"id": 3, "type": "event", "event": events[3]})


def test_a_move_is_about_the_events_before_it(engine: Engine) -> None:
    record = played(eights.Rules.standard(players=2), seed=1, plies=2)
    events = [json.loads(line) for line in record.dumps().splitlines()]
    for event in events:
        engine.ask({"id": 1, "type": "event", "event": event})
    legal = [eights.action_text(action) for action in record.state.legal_actions()]
    assert len(legal) > 1
    seat = record.state.mover
    engine.send({"id": "a", "type": "move", "limits": {"time_ms": A_DAY}, "report_every_ms": 10})
    engine.send({"id": "b", "type": "event", "event": {"type": "act", "seat": seat, "action": legal[0]}})
    assert engine.reply("b")["plies"] == 3
    assert engine.ask({"id": "c", "type": "new"})["plies"] == 0
    engine.reply("a", final=False)
    assert stop(engine, "a")["position"] == str(record.position())


# ---- the end


def test_what_was_received_is_answered_after_the_end_of_input() -> None:
    with Engine() as engine:
        for name in range(6):
            engine.send({"id": name, "type": "analyse", "position": CHOICE, "limits": {"time_ms": 20}})
        assert engine.process.stdin is not None
        engine.process.stdin.write(b'{"id":"last","type":"hello"}')  # without a line end
        assert engine.end() == 0
        assert Counter(reply["id"] for reply in engine.finals()) == Counter([*range(6), "last"])


def test_no_input_at_all_is_no_error() -> None:
    with Engine() as engine:
        assert engine.end() == 0
        assert engine.replies == []

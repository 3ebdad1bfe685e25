"""The engine protocol without processes: what is read, what is refused, what is replied."""

from __future__ import annotations

import errno
import gc
import json
import os
import queue
import re
import sys
import threading
import weakref
from collections import Counter
from io import BytesIO, RawIOBase
from pathlib import Path
from random import Random

import eights
import msgspec
import pytest
from dialogues import A_DAY, CHOICE, FORCED, TRANSCRIPTS, Reply, masked, read_transcript
from eights import server
from eights.analysis import DEFAULT_TIME, MOST_ITERATIONS
from eights.events import encode
from eights.forest import MOST_THREADS
from eights.protocol import LEAST_MEMORY_MB, MOST_LINE, PROTOCOL, Refusal, Search, add, lines, read_record, record_body
from eights.server import MOST_WAITING, EngineError, Question, Server, serve
from eights_core.halves import OPENING
from goldens import check_golden
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import wait_until
from rounds import played
from strategies import exchanges, rule_sets, seeds

DOCS = Path(__file__).parent.parent / "docs"


class Chunks(BytesIO):
    """A source that gives so many bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        super().__init__(content)
        self.size = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self.size)


A_DAY_LONG = {"type": "analyse", "position": CHOICE, "limits": {"time_ms": A_DAY}}


class Talk:
    """A server, and what it has written."""

    def __init__(self, **options: int) -> None:
        self.written: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.server = Server(self.written.put, **options)

    def send(self, **request: object) -> None:
        self.server.receive(json.dumps(request).encode())

    def reply(self) -> Reply:
        reply: Reply = json.loads(self.written.get(timeout=60))
        return reply

    def ended(self) -> list[Reply]:
        """What is still written until the server has ended."""
        self.server.finish()
        return [self.reply() for _ in range(self.written.qsize())]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcripts(path: Path) -> None:
    talk = Talk(threads=2)
    text = path.read_text(encoding="utf-8").partition("\n")[0] + "\n"
    for request, _ in read_transcript(path):
        text += f"\n> {request}\n"
        talk.server.receive(request.encode())
        final = False
        while not final:
            reply = talk.reply()
            text += f"< {json.dumps(masked(reply), ensure_ascii=False, separators=(',', ':'))}\n"
            final = reply["final"]
    assert talk.ended() == []
    check_golden(f"protocol/{path.name}", text)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("content", [b"", b"\n", b"a", b"a\n", b"a\nbc\n\nd", b"\n\n"])
def test_lines_are_found_however_they_arrive(content: bytes, size: int) -> None:
    assert list(lines(Chunks(content, size))) == content.splitlines()


@pytest.mark.parametrize("size", [1000, 1 << 16])
def test_of_a_long_line_only_the_beginning_is_kept(size: int) -> None:
    content = b"x" * (MOST_LINE - 1) + b"\n" + b"y" * (10 * MOST_LINE) + b"\nz\n" + b"u" * (2 * MOST_LINE)
    assert [len(line) for line in lines(Chunks(content, size))] == [MOST_LINE - 1, MOST_LINE + 1, 1, MOST_LINE + 1]


# ---- the next event


@given(rules=rule_sets(), seed=seeds, data=st.data())
@settings(max_examples=30, deadline=None)
def test_the_next_event_is_said_of_whole_rounds_and_of_what_a_seat_sees(
    rules: eights.Rules, seed: int, data: st.DataObject
) -> None:
    whole = played(rules, seed, exchange=data.draw(exchanges(rules)), plies=60)
    seat = data.draw(st.sampled_from(range(rules.players)))
    for record in (whole, whole.view(seat)):
        following: eights.Record | None = None
        for number, event in enumerate(record.events):
            expected = json.loads(encode(event, record.extra.get(number)))
            said = json.loads(json.dumps(record_body(following)["next"]))
            legal = said.pop("legal", None)
            assert said == {name: expected[name] for name in said}
            if said["type"] == "reveal":
                assert ("card" in said) == (expected["card"] == "?")
            if said["type"] == "act":
                assert following is not None
                assert ("seat" in said) == (record is whole or following.state.phase != OPENING)
                if legal is not None:
                    assert expected["action"] in legal
                elif record is whole or expected["seat"] == seat:
                    assert "seat" not in said
            following = add(following, event, {})
        assert following is not None
        if following.is_over:
            assert record_body(following)["next"] is None


# ---- the server


def test_a_search_that_waits_and_is_stopped_is_answered_without_one() -> None:
    talk = Talk(threads=1)
    talk.send(id="a", report_every_ms=10, **A_DAY_LONG)
    assert talk.reply()["final"] is False
    talk.send(id="b", mood="bold", **A_DAY_LONG)
    talk.send(id="c", mood="bold", **A_DAY_LONG)
    talk.send(id="stop", type="stop", target="b")
    talk.server.abandon()
    replies = [reply for reply in talk.ended() if reply["final"]]
    assert [reply["id"] for reply in replies] == ["b", "stop", "a", "c"]
    for reply in (replies[0], replies[3]):
        assert (reply["error"], reply["field"]) == ("The request was stopped before it was begun.", None)
        assert reply["warnings"] == ["There is no field 'mood' in an analyse request: it is not used."]
    assert replies[1]["stopped"] is replies[2]["stopped"] is True


def test_where_too_much_waits_no_more_is_taken() -> None:
    talk = Talk(threads=1)
    talk.send(id=0, report_every_ms=10, **A_DAY_LONG)
    assert talk.reply()["final"] is False
    line = json.dumps({"id": 0, **A_DAY_LONG, "mood": "x" * 1_000_000})
    taken: list[int] = []

    def send() -> None:
        for number in range(1, 21):
            talk.server.receive(line.replace('"id": 0', f'"id": {number}').encode())
            taken.append(number)

    sender = threading.Thread(target=send)
    sender.start()
    most = 1 + MOST_WAITING // 1_000_000
    wait_until(lambda: len(taken) >= most)
    sender.join(0.3)
    assert sender.is_alive()
    assert len(taken) == most
    talk.server.abandon()
    sender.join(60)
    assert not sender.is_alive()
    finals = [reply["id"] for reply in talk.ended() if reply["final"]]
    assert sorted(finals) == list(range(21))


@pytest.mark.parametrize("abandoned", [False, True])
def test_whenever_a_search_is_stopped_it_is_answered_once(abandoned: bool) -> None:
    """While it waits, when it begins, while it runs, when it ends, and when all is given up meanwhile."""
    dice = Random(1)
    talk = Talk(threads=2)
    timer = threading.Timer(0.2 if abandoned else 60, talk.server.abandon)
    timer.start()
    for number in range(300):
        talk.send(id=number, type="analyse", position=CHOICE, limits={"iterations": dice.choice([1, 200, 4000])})
        talk.send(id=f"stop {number}", type="stop", target=max(0, number - dice.randrange(6)))
    finals = Counter(reply["id"] for reply in talk.ended())
    timer.cancel()
    assert finals == Counter([*range(300), *(f"stop {number}" for number in range(300))])


def test_what_has_waited_and_was_stopped_is_not_kept() -> None:
    talk = Talk(threads=1)
    talk.send(id=0, report_every_ms=10, **A_DAY_LONG)
    assert talk.reply()["final"] is False
    kept: list[weakref.ref[Question]] = []
    asked = talk.server._question

    def question(request: Search) -> Question:
        ask = asked(request)
        kept.append(weakref.ref(ask))
        return ask

    talk.server._question = question  # type: ignore[method-assign]
    for _ in range(20):
        talk.send(id="a", **A_DAY_LONG)
        talk.send(id="stop", type="stop", target="a")
    gc.collect()
    assert len(kept) == 20
    assert not any(ask() for ask in kept)
    talk.send(id="b", type="analyse", position=FORCED)
    talk.send(id="stop", type="stop", target=0)
    finals = [reply["id"] for reply in talk.ended() if reply["final"]]
    assert finals[:-3] == ["a", "stop"] * 20
    assert sorted(map(str, finals[-3:])) == ["0", "b", "stop"]


def test_where_no_thread_can_be_started_that_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk(threads=2)
    talk.send(id="a", report_every_ms=10, **A_DAY_LONG)
    assert talk.reply()["final"] is False

    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patches:
        patches.setattr(threading.Thread, "start", fail)
        for _ in range(2):
            talk.send(id="b", type="analyse", position=FORCED)
    talk.send(id="c", type="analyse", position=FORCED)
    talk.send(id="stop", type="stop", target="a")
    finals = [reply for reply in talk.ended() if reply["final"]]
    assert sorted(reply["id"] for reply in finals) == ["a", "b", "b", "c", "stop"]
    for reply in finals:
        if reply["id"] == "b":
            assert reply["error"] == "The engine has failed: RuntimeError: can't start new thread."
        else:
            assert "error" not in reply


def test_a_record_is_not_read_on_when_it_is_stopped() -> None:
    stop = threading.Event()
    with pytest.raises(Refusal, match="The type of an event is one of"):
        read_record([msgspec.Raw(b"{}")], stop)
    stop.set()
    with pytest.raises(Refusal, match="stopped before it was begun"):
        read_record([msgspec.Raw(b"{}")], stop)


def test_there_are_never_more_threads_than_a_search_can_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "processors", lambda: 1000)
    assert Server(print).threads == MOST_THREADS


def test_a_failure_of_the_engine_is_an_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise MemoryError("no more")

    monkeypatch.setattr(server, "analyse", fail)
    monkeypatch.setattr(server, "record_body", fail)
    monkeypatch.setattr(server, "choice", fail)
    talk = Talk(threads=1)
    talk.send(id="a", type="new")
    talk.send(id="b", type="analyse", position=FORCED)
    first, second = talk.reply(), talk.reply()
    talk.send(id="c", type="move")
    for name, reply in zip("abc", (first, second, talk.reply()), strict=True):
        assert reply["id"] == name
        assert (reply["error"], reply["field"]) == ("The engine has failed: MemoryError: no more.", None)
    assert talk.ended() == []
    assert caplog.text.count("MemoryError: no more") == 3


class Broken(RawIOBase):
    """A source that fails when it has been read."""

    def __init__(self, content: bytes, error: Exception) -> None:
        super().__init__()
        self.chunks = iter([content])
        self.error = error

    def read(self, size: int = -1, /) -> bytes:
        for chunk in self.chunks:
            return chunk
        raise self.error


@pytest.mark.skipif(sys.platform == "win32", reason="pipes can be looked at on POSIX only")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            OSError(errno.EIO, "Input/output error"),
            EngineError("The requests cannot be read: Input/output error."),
        ),
        (MemoryError("no more"), MemoryError("no more")),
    ],
)
def test_requests_that_cannot_be_read_are_no_end_of_input(error: Exception, told: Exception) -> None:
    source = Broken(b'{"id":1,"type":"hello"}\n', error)
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as replies:
        with os.fdopen(writer, "wb", buffering=0) as sink, pytest.raises(type(told), match=re.escape(str(told))):
            serve(source, sink, threads=1, memory_mb=LEAST_MEMORY_MB)
        assert [json.loads(line)["id"] for line in replies] == [1]


# ---- the page


def test_links_of_the_page_lead_to_files() -> None:
    page = DOCS / "protocol.md"
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert "protocol.schema.json" in targets
    for target in targets:
        assert (DOCS / target).exists(), target


def test_numbers_of_the_page_are_those_of_the_code() -> None:
    text = " ".join((DOCS / "protocol.md").read_text(encoding="utf-8").split())
    assert f"longer than {MOST_LINE:,} bytes" in text
    assert f"more than {MOST_WAITING >> 20} MiB wait" in text
    assert f"1 to {MOST_ITERATIONS:,}" in text
    assert f"it thinks for {DEFAULT_TIME * 1000:.0f} ms" in text
    assert f"| {LEAST_MEMORY_MB} to that of `hello` |" in text
    assert f"`protocol` is the version of this page: {PROTOCOL}." in text

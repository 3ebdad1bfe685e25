"""The engine protocol without processes: what is read, what is refused, what is replied."""

from __future__ import annotations

import json
import queue
import re
import threading
from io import BytesIO
from pathlib import Path

import eights
import pytest
from dialogues import A_DAY, CHOICE, FORCED, TRANSCRIPTS, Reply, masked, read_transcript
from eights import server
from eights.analysis import DEFAULT_TIME, MOST_ITERATIONS
from eights.events import encode
from eights.protocol import LEAST_MEMORY_MB, MOST_LINE, PROTOCOL, add, lines, record_body
from eights.server import MOST_WAITING, Server
from eights_core.halves import OPENING
from goldens import check_golden
from hypothesis import given, settings
from hypothesis import strategies as st
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
    talk.send(id="b", **A_DAY_LONG)
    talk.send(id="c", **A_DAY_LONG)
    talk.send(id="stop", type="stop", target="b")
    talk.server.abandon()
    replies = [reply for reply in talk.ended() if reply["final"]]
    assert [reply["id"] for reply in replies] == ["b", "stop", "a", "c"]
    for reply in (replies[0], replies[3]):
        assert (reply["error"], reply["field"]) == ("The request was stopped before it was begun.", None)
    assert replies[1]["stopped"] is replies[2]["stopped"] is True


def test_where_too_much_waits_no_more_is_taken() -> None:
    talk = Talk(threads=1)
    talk.send(id=0, report_every_ms=10, **A_DAY_LONG)
    assert talk.reply()["final"] is False
    line = json.dumps({"id": 0, **A_DAY_LONG, "mood": "x" * 1_000_000})
    sender = threading.Thread(
        target=lambda: [talk.server.receive(line.replace('"id": 0', f'"id": {n}').encode()) for n in range(1, 21)]
    )
    sender.start()
    sender.join(0.3)
    assert sender.is_alive()
    talk.server.abandon()
    sender.join(60)
    assert not sender.is_alive()
    finals = [reply["id"] for reply in talk.ended() if reply["final"]]
    assert finals == list(range(len(finals)))
    assert 2 < len(finals) <= 2 + MOST_WAITING // 1_000_000


def test_a_failure_of_the_engine_is_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
    assert "MemoryError" in capsys.readouterr().err


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

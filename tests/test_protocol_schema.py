"""docs/protocol.schema.json fits the messages that are really sent, and not those that are refused for their form."""

from __future__ import annotations

import json
import queue
import re
from pathlib import Path
from typing import Any

import pytest
from dialogues import CHOICE, SCHEMA, TRANSCRIPTS, Reply, read_transcript, validator
from eights.server import Server

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")

DOCS = Path(__file__).parent.parent / "docs"
OF_THIS_ENGINE = ('"threads":3', '"memory_mb":513', '"type":"move"}')
"""What is refused in the dialogue of malformed requests for other reasons than its form."""


def readable(line: str) -> Any:
    """The JSON of a line, None where it is none."""
    try:
        return json.loads(line, parse_constant=lambda constant: None)
    except ValueError:
        return None


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcripts_fit(path: Path) -> None:
    requests, replies = validator("request"), validator("reply")
    for request, answers in read_transcript(path):
        for answer in answers:
            replies.validate(answer)
        if "error" not in answers[-1]:
            requests.validate(json.loads(request))


def test_malformed_requests_do_not_fit() -> None:
    requests = validator("request")
    refused = 0
    for request, answers in read_transcript(next(path for path in TRANSCRIPTS if path.stem == "malformed")):
        if "error" in answers[-1] and not any(part in request for part in OF_THIS_ENGINE):
            assert not requests.is_valid(readable(request)), request
            refused += 1
    assert refused > 40


def test_progress_and_what_follows_it_fit() -> None:
    written: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    server = Server(written.put, threads=1)
    request = {"id": "a", "type": "analyse", "position": CHOICE, "report_every_ms": 10, "limits": {"time_ms": 100}}
    validator("request").validate(request)
    server.receive(json.dumps(request).encode())
    server.finish()
    replies: list[Reply] = [json.loads(written.get()) for _ in range(written.qsize())]
    assert len(replies) > 1
    for reply in replies:
        validator("analysis" if reply["final"] else "progress").validate(reply)
        assert not validator("progress" if reply["final"] else "analysis").is_valid(reply)


def test_the_examples_of_the_page_fit() -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    examples = [line for line in re.findall(r"^ {4}([<>] \{.*\})$", page, re.MULTILINE) if "…" not in line]
    assert len(examples) > 8
    for line in examples:
        validator("request" if line[0] == ">" else "reply").validate(json.loads(line[2:]))


def test_a_reply_with_a_field_that_is_not_named_does_not_fit() -> None:
    for path in TRANSCRIPTS:
        for _, answers in read_transcript(path):
            assert not validator("reply").is_valid({**answers[-1], "mood": "bold"})

"""Dialogues with an engine: as files under tests/data/protocol, and with a process.

In a file a line with > is a request, those with < are its replies; numbers in them that depend on machine, version or
weights are 0. EIGHTS_ENGINE is the command of the engine that is talked to, by default our own.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import EIGHTS
from goldens import DATA

TRANSCRIPTS = sorted((DATA / "protocol").glob("*.txt"))
FORCED = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
CHOICE = "standard 2 - 0:???:68G:3:-/3:???:5HH:3:6888HG/3:145:444:3:002577789HHHG/1:???:2HH:3:013333459G 28"
A_DAY = 86_400_000
Reply = dict[str, Any]
SCHEMA = json.loads((DATA.parent.parent / "docs" / "protocol.schema.json").read_text(encoding="utf-8"))


def validator(name: str, *, strict: bool = True) -> Any:
    """Of one of the schema's definitions; if not strict, for replies that may have fields of their own."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = {**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{name}"}]}
    return jsonschema.Draft202012Validator(schema if strict else _open(schema))


def _open(schema: Any) -> Any:
    """A schema that allows other fields."""
    if isinstance(schema, list):
        return [_open(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closing = ("additionalProperties", "unevaluatedProperties")
    return {name: _open(part) for name, part in schema.items() if name not in closing}


def read_transcript(path: Path) -> list[tuple[str, list[Reply]]]:
    """Requests, and the replies to each."""
    dialogue: list[tuple[str, list[Reply]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, text = line[:2], line[2:]
        if kind == "> ":
            dialogue.append((text, []))
        elif kind == "< ":
            dialogue[-1][1].append(json.loads(text))
        else:
            assert kind in ("", "# "), line
    return dialogue


def masked(reply: Reply) -> Reply:
    """A reply without the numbers that may differ; actions in the order of their texts, and the first the best."""
    reply = reply.copy()
    if "moves" in reply:
        reply["moves"] = [
            _without_values(move) | {"visits": 1, "pv": [move["move"]]}
            for move in sorted(reply["moves"], key=lambda move: str(move["move"]))
        ]
        reply["move"] = reply["moves"][0]["move"]
        reply["root"] = _without_values(reply["root"])
        reply |= {"time_ms": 0, "nodes": 0, "too_close": False}
        for name in ("margin", "margin_se"):
            reply[name] = None if reply[name] is None else 0
    return reply | {"version": "0"} if "version" in reply else reply


def _without_values(values: Reply) -> Reply:
    return values | {name: [0] * len(values[name]) for name in ("points", "points_se", "win")}


def outline(reply: Reply) -> Reply:
    """What of a reply must be the same with every engine: not its words, nor who it is."""
    reply = masked(reply)
    if "protocol" in reply:
        return {name: reply[name] for name in ("id", "final", "protocol", "games", "presets")}
    for name in ("error", "warnings"):
        if name in reply:
            reply[name] = True
    reply.pop("faults", None)
    return reply


class Engine:
    """An engine as a process, and every reply that it has given, in order."""

    def __init__(self, *options: str, ours: bool = False) -> None:
        command = None if ours else os.environ.get("EIGHTS_ENGINE")
        words = shlex.split(command) if command else [*EIGHTS, "engine"]
        self.process = subprocess.Popen([*words, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.replies: list[Reply] = []
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._taken: set[int] = set()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            assert line.endswith(b"\n")
            with self._more:
                self.replies.append(json.loads(line))
                self._more.notify_all()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: object) -> None:
        """Killed, if it still runs."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdin.close()
        self.process.stdout.close()

    def send(self, *requests: Reply | bytes) -> None:
        """Write requests, or raw lines."""
        assert self.process.stdin is not None
        for request in requests:
            line = request if isinstance(request, bytes) else json.dumps(request).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def reply(self, identity: object, *, final: bool = True, seconds: float = 60) -> Reply:
        """The next reply with this id that has not been asked for."""
        end = time.monotonic() + seconds
        with self._more:
            while True:
                for number, reply in enumerate(self.replies):
                    if number not in self._taken and reply["id"] == identity and reply["final"] == final:
                        self._taken.add(number)
                        return reply
                assert self._more.wait(end - time.monotonic()), f"no reply to {identity}: {self.replies}"

    def ask(self, request: Reply | bytes, identity: object = None) -> Reply:
        """The final reply to a request; `identity` is that of a raw line."""
        self.send(request)
        return self.reply(identity if isinstance(request, bytes) else request["id"])

    def end(self) -> int:
        """End its input; its exit status when it has ended and all is read."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        status = self.process.wait(60)
        self._reader.join()
        return status

    def finals(self) -> Iterator[Reply]:
        """Final replies, asked for or not."""
        return (reply for reply in self.replies if reply["final"])

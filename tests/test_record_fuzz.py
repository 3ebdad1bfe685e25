"""Records under attack: whatever the lines, a record or a RecordError; and what is read can be written and used."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import eights
from eights import MatchRecord, Record, RecordError, Rules
from eights_core.halves import OPENING
from hypothesis import given, settings
from hypothesis import strategies as st
from rounds import LITTLE, played

MATCH = eights.play(
    eights.Match(replace(Rules.parse(LITTLE, 3), match_rounds=2, fewest_tie="split"), ("Ann", "Ben", "Cleo"), 3),
    [eights.RandomPlayer(seed) for seed in range(3)],
)
EXCHANGED = played(Rules.standard(2, max_plies=40), 1, exchange=(1, 0))
TEXTS = [
    record.dumps()
    for whole in (MATCH, EXCHANGED, played(Rules.shafir(3, max_plies=30), 2), played(Rules.parse(LITTLE, 2), 5))
    for record in (whole, whole.view(1), whole.view(0))
]
LINES = [line for text in TEXTS for line in text.splitlines()]


def is_json(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def read(cls: type[Record] | type[MatchRecord], data: str | bytes) -> tuple[Any, RecordError | None]:
    """What can be used of a record, and what is wrong with it."""
    try:
        return cls.load(io.BytesIO(data) if isinstance(data, bytes) else io.StringIO(data)), None
    except RecordError as error:
        return error.record, error


def check(data: str | bytes) -> None:
    """Read what may be anything, as the record of a round and of a match."""
    for cls in (Record, MatchRecord):
        record, error = read(cls, data)
        if error is not None:
            assert str(error).endswith(".")
            assert "\n" not in str(error)
        if record is not None:
            check_usable(record)
            assert error is None or record.dumps().count("\n") < (error.line or 0)


def check_usable(record: Record | MatchRecord) -> None:
    """It can be written and read again, seen by others, replayed, and asked for positions."""
    text = record.dumps()
    again = type(record).loads(text)
    assert again == record
    assert again.dumps() == text
    if isinstance(record, MatchRecord):
        view = record.view(record.player or 0)
        assert MatchRecord.loads(view.dumps()) == view
        return
    view = record.view(record.seat or 0)
    assert Record.loads(view.dumps()) == view
    for _ in record.replay():
        pass
    if record.state.mover >= 0:
        try:
            position = record.position()
        except eights.ImpossiblePosition:  # a seat does not know who is to open: it is told where it cannot be itself
            assert record.seat is not None
            assert record.state.phase == OPENING
        else:
            assert position.plies == record.plies
    if record.plies:
        assert record.position(record.plies - 1).plies == record.plies - 1


@given(st.binary(max_size=200) | st.text(max_size=200) | st.text('{}[]",:\n0123456789aceilnprtsvy.-', max_size=200))
def test_anything(data: str | bytes) -> None:
    check(data)


SCALARS = st.none() | st.booleans() | st.integers() | st.sampled_from([-1, 0, 1, 2, 5, 2**31, 2**63, 2**64, 10**40])
VALUES = st.recursive(
    SCALARS
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([*"?059HG", "3x2", "8H", "take", "keep", "hand", "out"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
FIELDS = sorted(
    {field for line in LINES for field in json.loads(line)} | {"analysis", "seat", "player", "winners", "new"}
)


@st.composite
def other_lines(draw: st.DrawFn, line: str) -> str:
    """A line with a field changed, left out or added, or with some characters changed."""
    if is_json(line) and draw(st.booleans()):
        fields: dict[str, Any] = json.loads(line)
        for _ in range(draw(st.integers(1, 2))):
            field = draw(st.sampled_from([*fields, *FIELDS]))
            if draw(st.booleans()):
                fields.pop(field, None)
            else:
                fields[field] = draw(VALUES)
        return json.dumps(fields)
    at = draw(st.integers(0, len(line)))
    until = min(len(line), at + draw(st.integers(0, 3)))
    return line[:at] + draw(st.text(max_size=3)) + line[until:]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A record with lines changed, left out, repeated, exchanged, cut, or taken from another."""
    lines = draw(st.sampled_from(TEXTS)).splitlines()
    lines = lines[: draw(st.integers(1, len(lines)))] if draw(st.booleans()) else lines
    for _ in range(draw(st.integers(1, 3))):
        at, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        kind = draw(st.sampled_from(["change", "change", "leave out", "repeat", "exchange", "cut", "insert"]))
        if kind == "change":
            lines[at] = draw(other_lines(lines[at]))
        elif kind == "leave out" and len(lines) > 1:
            del lines[at]
        elif kind == "repeat":
            lines.insert(other, lines[at])
        elif kind == "exchange":
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == "cut":
            lines[at:] = [lines[at][: draw(st.integers(0, len(lines[at])))]]
        else:
            lines.insert(at, draw(st.sampled_from(LINES)))
    return "\n".join(lines)


@settings(max_examples=400, deadline=None)
@given(damaged())
def test_damaged_records(text: str) -> None:
    check(text)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32), st.binary(min_size=1, max_size=4))
def test_bytes_in_the_middle(text: str, at: int, noise: bytes) -> None:
    data = text.encode()
    at %= len(data)
    check(data[:at] + noise + data[at + len(noise) :])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32))
def test_a_record_cut_anywhere_is_refused_or_can_be_continued(text: str, at: int) -> None:
    """In the middle of a line its number is told and what came before is kept; between two the record loads."""
    cut = text[: at % len(text)]
    broken = cut.rpartition("\n")[2]
    number = cut.count("\n") + 1
    record, error = read(MatchRecord if text.startswith('{"type":"match"') else Record, cut)
    if error is None:
        assert not broken or is_json(broken)
        number += bool(broken)
    else:
        assert error.line == (number if broken else None)
    if record is None:
        assert number == 1
        return
    for line in text.splitlines()[number - 1 :]:
        record.add(*eights.events.decode(line))
    assert record.dumps() == text


@settings(max_examples=60, deadline=None)
@given(st.permutations(TEXTS[-3].splitlines()))
def test_shuffled_lines(lines: list[str]) -> None:
    check("\n".join(lines))
    first = next(line for line in lines if '"start"' in line)
    check("\n".join([first, *(line for line in lines if line != first)]))


def test_the_records_that_were_not_damaged() -> None:
    for text in TEXTS:
        check(text)
        cls = MatchRecord if text.startswith('{"type":"match"') else Record
        assert cls.loads(text).dumps() == text

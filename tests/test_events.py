"""Events and their lines: written, read, and refused with a sentence."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import eights
import pytest
from eights.events import (
    MOST_LINE,
    Act,
    AnyEvent,
    End,
    MatchStart,
    RecordError,
    Reveal,
    Scores,
    Start,
    decode,
    encode,
    from_fields,
    read_line,
)
from hypothesis import given
from hypothesis import strategies as st
from rounds import told

EVENTS: list[tuple[AnyEvent, str]] = [
    (
        Start(game="eight_and_a_half", rules="shafir", players=2, names=("A", "B"), exchange=None, version=1),
        '{"type":"start","game":"eight_and_a_half","rules":"shafir","players":2,"names":["A","B"],"exchange":null,'
        '"version":1}',
    ),
    (
        Start(game="g", rules="r", players=2, names=("A", "½"), exchange=(1, 0), seat=0, seed=0, version=1),
        '{"type":"start","game":"g","rules":"r","players":2,"names":["A","½"],"exchange":[1,0],"seat":0,"seed":0,'
        '"version":1}',
    ),
    (Reveal(seat=0, zone="open", card="5"), '{"type":"reveal","seat":0,"zone":"open","card":"5"}'),
    (Reveal(seat=3, zone="hand", card="?"), '{"type":"reveal","seat":3,"zone":"hand","card":"?"}'),
    (Act(seat=1, action="Hx2"), '{"type":"act","seat":1,"action":"Hx2"}'),
    (
        Act(seat=1, action="take", analysis={"points": [0.5, 2]}),
        '{"type":"act","seat":1,"action":"take","analysis":{"points":[0.5,2]}}',
    ),
    (
        End(reason="out", winner=1, points=(0, 2.5), counts=(7, 0)),
        '{"type":"end","reason":"out","winner":1,"points":[0,2.5],"counts":[7,0]}',
    ),
    (
        End(reason="max_plies", winner=None, points=(1, 0), counts=(7, 9)),
        '{"type":"end","reason":"max_plies","winner":null,"points":[1,0],"counts":[7,9]}',
    ),
    (
        MatchStart(game="g", rules="r", players=2, names=("A", "B"), seed=2**64 - 1, version=1),
        '{"type":"match","game":"g","rules":"r","players":2,"names":["A","B"],"seed":18446744073709551615,"version":1}',
    ),
    (
        MatchStart(game="g", rules="r", players=2, names=("A", "B"), player=1, version=1),
        '{"type":"match","game":"g","rules":"r","players":2,"names":["A","B"],"player":1,"version":1}',
    ),
    (Scores(round=0, scores=(3, 0.5)), '{"type":"scores","round":0,"scores":[3,0.5]}'),
    (Scores(round=5, scores=(3, 3), winners=(0, 1)), '{"type":"scores","round":5,"scores":[3,3],"winners":[0,1]}'),
]


@pytest.mark.parametrize(("event", "line"), EVENTS)
def test_the_line_of_an_event(event: AnyEvent, line: str) -> None:
    assert encode(event) == line
    assert decode(line) == (event, {})
    assert decode(line.encode()) == (event, {})


@pytest.mark.parametrize(("event", "line"), EVENTS)
def test_unknown_fields_come_after_the_known_ones(event: AnyEvent, line: str) -> None:
    longer = line[:-1] + ',"mood":"bold","at":{"x":[1,null,true]}}'
    assert decode(longer) == (event, {"mood": "bold", "at": {"x": [1, None, True]}})
    assert encode(*decode(longer)) == longer


def test_the_order_of_fields_does_not_matter() -> None:
    line = ' {"action" : "3", "note":1, "type":"act",\t"seat":0 } \r\n'
    assert decode(line) == (Act(seat=0, action="3"), {"note": 1})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), JSON), st.none() | st.dictionaries(st.text(), JSON))
def test_any_fields_come_back(extra: dict[str, Any], analysis: dict[str, Any] | None) -> None:
    event = Act(seat=0, action="3", analysis=analysis)
    extra = {name: value for name, value in extra.items() if name not in ("type", *Act.__struct_fields__)}
    line = encode(event, extra)
    assert "\n" not in line
    assert decode(line) == (event, extra)


# ---- what is refused


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "The line is not JSON, or cut short"),
        ('{"type":"act","seat":0', "The line is not JSON, or cut short"),
        ('{"type":"act","seat":0,"action":"3"}{', "The line is not JSON"),
        ('{"type":"act","seat":NaN,"action":"3"}', "The line is not JSON"),
        ('{"type":"act","seat":0,"action":"3","x":Infinity}', "The line is not JSON"),
        ('{"type":"act","seat":0,"action":"3","x":1e999}', "The line is not JSON"),
        ('{"type":"act","seat":0,"action":"\\ud800"}', "The line is not JSON"),
        ("{'type':'act'}", "The line is not JSON"),
        ('\ufeff{"type":"act","seat":0,"action":"3"}', "The line is not JSON"),
        ("null", "An event is a JSON object"),
        ("[]", "An event is a JSON object"),
        ('"act"', "An event is a JSON object"),
        ("12", "An event is a JSON object"),
        ("{}", "The type of an event is one of start, reveal, act, end, match, scores"),
        ('{"type":"move"}', "The type of an event is one of"),
        ('{"type":null}', "The type of an event is one of"),
        ('{"type":["act"]}', "The type of an event is one of"),
        ('{"type":"act","seat":0}', "The act event is wrong: object missing required field `action`"),
        ('{"type":"act","seat":true,"action":"3"}', "The act event is wrong: expected `int`, got `bool`"),
        ('{"type":"act","seat":1.0,"action":"3"}', "The act event is wrong: expected `int`, got `float`"),
        ('{"type":"act","seat":"1","action":"3"}', "The act event is wrong: expected `int`, got `str`"),
        ('{"type":"act","seat":null,"action":"3"}', "The act event is wrong: expected `int`, got `null`"),
        ('{"type":"act","seat":0,"action":3}', "The act event is wrong: expected `str`, got `int`"),
        ('{"type":"act","seat":0,"action":"3","analysis":7}', "The act event is wrong: expected `object [|] null`"),
        (
            '{"type":"reveal","seat":0,"zone":"aside","card":"3"}',
            "The reveal event is wrong: invalid enum value 'aside'",
        ),
        ('{"type":"reveal","seat":0,"zone":"open","card":3}', "The reveal event is wrong"),
        ('{"type":"end","reason":"bored","winner":0,"points":[],"counts":[]}', "The end event is wrong"),
        ('{"type":"end","reason":"out","winner":0,"points":["2"],"counts":[0]}', "The end event is wrong"),
        ('{"type":"end","reason":"out","winner":0,"points":[true],"counts":[0]}', "The end event is wrong"),
        ('{"type":"end","reason":"out","winner":false,"points":[2],"counts":[0]}', "The end event is wrong"),
        ('{"type":"scores","round":0,"scores":{"0":1}}', "The scores event is wrong"),
    ],
)
def test_what_is_no_event(line: str, message: str) -> None:
    with pytest.raises(RecordError, match=f"^{message}.*[.]$") as caught:
        decode(line)
    assert caught.value.line is None
    assert caught.value.record is None
    assert "\n" not in str(caught.value)
    assert "jSON" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"\xff\xfe{}", b'{"type":"act\xff"}', b'{"type":"act","seat":0,"action":"3","\xed\xa0\x80":1}']
)
def test_what_is_not_utf_8(data: bytes) -> None:
    with pytest.raises(RecordError, match="The line is not JSON, or cut short"):
        decode(data)


@pytest.mark.parametrize(
    "fields", [None, [], "act", 3, {"type": {}}, {1: 2}, {"type": "act", "seat": 0, "action": b"3"}]
)
def test_fields_that_are_no_event(fields: object) -> None:
    with pytest.raises(RecordError):
        from_fields(fields)


def nested(levels: int) -> str:
    """A list that holds nothing but a list, and so on."""
    return "[" * levels + "]" * levels


@pytest.mark.parametrize("levels", [1, 50, 90])
def test_lists_may_lie_within_lists(levels: int) -> None:
    line = f'{{"type":"act","seat":0,"action":"1","analysis":{{"x":{nested(levels)}}},"note":{nested(levels)}}}'
    assert encode(*decode(line)) == line


@pytest.mark.parametrize("levels", [110, 500, 900, 960, 970, 980, 985, 988, 990, 992, 994, 10_000, 500_000])
@pytest.mark.parametrize("field", ['"note":', '"analysis":{"x":'])
def test_but_not_too_deeply(field: str, levels: int) -> None:
    """Nothing is read that could not be written, or compared, by who has called a little deeper."""
    with pytest.raises(RecordError, match=r"^The line is nested too deeply\.$"):
        decode(f'{{"type":"act","seat":0,"action":"1",{field}{nested(levels)}{"}" * field.count("{")}}}')


# ---- files

LINES = told("standard", 2, *"559123", *"559234", "1", "9").dumps()


def test_a_line_is_read_no_further_than_the_bound() -> None:
    class Endless(io.StringIO):
        read = 0

        def readline(self, size: int = -1, /) -> str:
            assert 0 <= size <= MOST_LINE + 1
            self.read += size
            return "[" * size

    file = Endless()
    with pytest.raises(RecordError, match=f"Line 1: The line is longer than {MOST_LINE} bytes") as caught:
        eights.Record.load(file)
    assert caught.value.record is None
    assert file.read == MOST_LINE + 1


@pytest.mark.parametrize("as_bytes", [False, True])
def test_the_longest_line(as_bytes: bool) -> None:
    def file(length: int) -> Any:
        line = '{"type":"act","seat":1,"action":"2","x":""}\n'
        text = LINES + line.replace('""', f'"{"x" * (length - len(line))}"')
        return io.BytesIO(text.encode()) if as_bytes else io.StringIO(text)

    record = eights.Record.load(file(MOST_LINE))
    assert record.plies == 2
    assert eights.Record.loads(record.dumps()) == record
    with pytest.raises(RecordError, match="Line 16: The line is longer than") as caught:
        eights.Record.load(file(MOST_LINE + 1))
    assert caught.value.record.dumps() == LINES


@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_line_is_counted_in_bytes(as_bytes: bool) -> None:
    def file(half: int) -> Any:
        text = LINES + f'{{"type":"act","seat":1,"action":"2","x":"{"½" * half}"}}\n'
        return io.BytesIO(text.encode()) if as_bytes else io.StringIO(text)

    assert eights.Record.load(file(MOST_LINE // 2 - 30)).plies == 2
    with pytest.raises(RecordError, match=r"Line 16: The line is longer than \d+ bytes"):
        eights.Record.load(file(MOST_LINE // 2))


@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_record_is_read_no_further_than_the_bound(as_bytes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def file(text: str) -> Any:
        return io.BytesIO(text.encode()) if as_bytes else io.StringIO(text)

    monkeypatch.setattr("eights.events.MOST_BYTES", len(LINES) + 3)
    assert eights.Record.load(file(f"{LINES}½\n".replace("½", "\t\n"))).dumps() == LINES
    whole = file(LINES + "\n" * 1000)
    with pytest.raises(RecordError, match=rf"Line 19: The record is longer than {len(LINES) + 3} bytes") as caught:
        eights.Record.load(whole)
    assert caught.value.record.dumps() == LINES
    assert whole.tell() == len(LINES) + 4


def test_read_line() -> None:
    file = io.StringIO("a\n\nb")
    assert [read_line(file) for _ in range(5)] == ["a\n", "\n", "b", "", ""]


def test_empty_lines_are_skipped_and_counted() -> None:
    text = "\n \n" + LINES.replace("\n", "\r\n\t\n") + "\n\n"
    assert eights.Record.loads(text).dumps() == LINES
    with pytest.raises(RecordError, match="Line 5: The line is not JSON") as caught:
        eights.Record.loads("\n\n" + LINES.replace("\n", "\n\nx\n", 1))
    assert caught.value.record.dumps().splitlines() == LINES.splitlines()[:1]


def test_the_last_line_needs_no_end() -> None:
    assert eights.Record.loads(LINES.rstrip("\n")).dumps() == LINES


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n \n"])
def test_an_empty_file(text: str) -> None:
    for cls in (eights.Record, eights.MatchRecord):
        with pytest.raises(RecordError, match=r"^The record is empty\.$") as caught:
            cls.loads(text)
        assert (caught.value.line, caught.value.record) == (None, None)


def test_every_cut_in_the_middle_of_a_line_is_refused_and_what_came_before_can_be_used() -> None:
    lines = LINES.splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        before = "".join(lines[: number - 1])
        for cut in range(1, len(line) - 1):
            with pytest.raises(RecordError, match=f"^Line {number}: ") as caught:
                eights.Record.loads(before + line[:cut])
            assert caught.value.line == number
            if number > 1:
                assert caught.value.record.dumps() == before
            else:
                assert caught.value.record is None


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_that_is_not_utf_8(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "round.jsonl"
    path.write_text(LINES.replace("seat 1", "Zoë"), encoding=encoding)
    with path.open(encoding="utf-8") as file, pytest.raises(RecordError, match="Line 1: The text cannot be read"):
        eights.Record.load(file)
    with path.open("rb") as file, pytest.raises(RecordError, match="Line 1: The line is not JSON"):
        eights.Record.load(file)


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "round.jsonl"
    record = eights.Record.loads(LINES.replace("seat 1", "Zoë ½ \\u2028\\n"))
    with path.open("w", encoding="utf-8") as file:
        record.dump(file)
    with path.open(encoding="utf-8") as file:
        assert eights.Record.load(file) == record
    with path.open("rb") as file:
        assert eights.Record.load(file) == record
    assert record.names[1] == "Zoë ½ \u2028\n"


def test_an_error_says_where() -> None:
    error = RecordError("That is wrong.", 3, "what came before")
    assert (str(error), error.message, error.line, error.record) == (
        "Line 3: That is wrong.",
        "That is wrong.",
        3,
        "what came before",
    )
    assert str(RecordError("That is wrong.")) == "That is wrong."
    assert isinstance(error, ValueError)


HUGE = "9" * 4000


@pytest.mark.parametrize(
    "line",
    [
        f'{{"type":"act","seat":{HUGE},"action":"1"}}',
        f'{{"type":"act","seat":0,"action":"{HUGE}"}}',
        f'{{"type":"reveal","seat":-{HUGE},"zone":"open","card":"1"}}',
        f'{{"type":"reveal","seat":0,"zone":"open","card":"{HUGE}"}}',
        f'{{"type":"reveal","seat":0,"zone":"{HUGE}","card":"1"}}',
        f'{{"type":"end","reason":"out","winner":{HUGE},"points":[],"counts":[]}}',
        f'{{"type":"end","reason":"out","winner":0,"points":[{HUGE}],"counts":[]}}',
        f'{{"type":"end","reason":"out","winner":0,"points":[{"7," * 4000}7],"counts":[]}}',
        f'{{"type":"{HUGE}"}}',
        LINES.splitlines()[0].replace('"version":1', f'"version":{HUGE}'),
        LINES.splitlines()[0].replace('"players":2', f'"players":{HUGE}'),
        LINES.splitlines()[0].replace("eight_and_a_half", HUGE),
        LINES.splitlines()[0].replace("standard", HUGE),
        LINES.splitlines()[0].replace('"exchange":null', f'"exchange":[0,{HUGE}]'),
        LINES.splitlines()[0].replace('"version"', f'"seat":{HUGE},"version"'),
        LINES.splitlines()[0].replace('"version"', f'"seed":{HUGE},"version"'),
    ],
)
def test_no_sentence_grows_with_what_is_wrong(line: str) -> None:
    over = told("standard+max_plies=1", 2, *"559123", *"559234", "1", "9").dumps()
    for before in ("", LINES, over):
        with pytest.raises(RecordError) as caught:
            eights.Record.loads(f"{before}{line}\n")
        assert len(str(caught.value)) < 400

"""Messages of the engine protocol, as docs/protocol.md has them: requests that are read, bodies of replies."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import RawIOBase
from threading import Event
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from eights_core.halves import HAND, OPENING, TERMINAL
from msgspec import UNSET, Meta, Raw, UnsetType

from eights.actions import action_text
from eights.analysis import MOST_ITERATIONS, Analysis
from eights.errors import NotationError
from eights.events import UNSEEN, AnyEvent, Extra, RecordError, decode
from eights.follow import ZONES
from eights.forest import MOST_THREADS
from eights.position import Position, parse_position
from eights.record import Record
from eights.text import quoted

PROTOCOL: Final = 1
MOST_LINE: Final = 1 << 20
"""The longest request, in bytes: that of some hundred recorded rounds."""
LEAST_MEMORY_MB: Final = 16
"""What a search needs to begin with, even in `MOST_THREADS` trees."""
_LONGEST: Final = 86_400_000  # a day, in ms
_MOST_EXACT: Final = (1 << 53) - 1  # beyond, JSON numbers are not exact in every language
_MOST_WARNINGS: Final = 10

Id: TypeAlias = Annotated[str, Meta(max_length=200)] | Annotated[int, Meta(ge=0, le=_MOST_EXACT)]
Body: TypeAlias = dict[str, Any]
"""What a reply says, besides its id, whether it is final, and warnings."""
Warnings: TypeAlias = tuple[str, ...]
Milliseconds: TypeAlias = Annotated[float, Meta(gt=0, le=_LONGEST)]


class Limits(msgspec.Struct, frozen=True):
    """What ends a search, whichever comes first."""

    time_ms: Milliseconds | UnsetType = UNSET
    iterations: Annotated[int, Meta(ge=1, le=MOST_ITERATIONS)] | UnsetType = UNSET


class Request(msgspec.Struct, kw_only=True, frozen=True):
    """What every request has."""

    id: Id


class Hello(Request, tag="hello", frozen=True):
    """Who are you?"""


class Search(Request, kw_only=True, frozen=True):
    """How a search is to be made."""

    limits: Limits = Limits()
    seed: Annotated[int, Meta(ge=0, le=_MOST_EXACT)] = 1
    report_every_ms: Annotated[float, Meta(ge=10, le=_LONGEST)] | UnsetType = UNSET
    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)] = 1
    memory_mb: Annotated[int, Meta(ge=LEAST_MEMORY_MB)] | UnsetType = UNSET


class Analyse(Search, tag="analyse", kw_only=True, frozen=True):
    """What is best in a position, or in a record after so many plies?"""

    position: str | UnsetType = UNSET
    record: list[Raw] | UnsetType = UNSET
    ply: Annotated[int, Meta(ge=0, le=MOST_ITERATIONS)] | UnsetType = UNSET
    seat: Annotated[int, Meta(ge=0, le=5)] | UnsetType = UNSET


class Stop(Request, tag="stop", kw_only=True, frozen=True):
    """End another request now."""

    target: Id


class New(Request, tag="new", frozen=True):
    """Forget the round that is being followed."""


class Happened(Request, tag="event", kw_only=True, frozen=True):
    """One more event of the round that is being followed."""

    event: Raw


class Choose(Search, tag="move", frozen=True):
    """What is best now in the round that is being followed?"""


AnyRequest: TypeAlias = Hello | Analyse | Stop | New | Happened | Choose

_KINDS: Final[dict[str, type[AnyRequest]]] = {
    "hello": Hello,
    "analyse": Analyse,
    "stop": Stop,
    "new": New,
    "event": Happened,
    "move": Choose,
}


class Refusal(ValueError):
    """A request that cannot be done: a sentence, and the `field` that is wrong, None if it is no single one.

    `id` and `warnings` are those of the request, as far as it could be read.
    """

    id: Id | None = None
    warnings: Warnings = ()

    def __init__(self, message: str, field: str | None = None, faults: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.field = field
        self.faults = faults

    def body(self) -> Body:
        """What is replied."""
        body = {"error": str(self), "field": self.field}
        return body | {"faults": self.faults} if self.faults else body


def not_begun() -> Refusal:
    """What is replied to a search that was stopped before it could find anything."""
    return Refusal("The request was stopped before it was begun.")


# ---- reading


def lines(source: RawIOBase) -> Iterator[bytes]:
    """The lines of a source, as soon as they are there, without their ends.

    Of a line that is longer than `MOST_LINE` only the first `MOST_LINE` + 1 bytes are kept.
    """
    line = bytearray()
    while chunk := source.read(1 << 16):
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            line += piece[: MOST_LINE + 1 - len(line)]
            yield bytes(line)
            line.clear()
        line += rest[: MOST_LINE + 1 - len(line)]
    if line:
        yield bytes(line)


def read_request(line: bytes) -> tuple[AnyRequest, Warnings]:
    """The request of a line, and warnings; Refusal if it is none.

    >>> read_request(b'{"id":"c","type":"stop","target":"a","why":"tea"}')
    (Stop(id='c', target='a'), ("There is no field 'why' in a stop request: it is not used.",))
    """
    if len(line) > MOST_LINE:
        raise Refusal(f"The line is longer than {MOST_LINE:,} bytes.")
    fields: dict[str, Raw] = _decode(line, dict[str, Raw], "A request is a JSON object.")
    identity: Id = _decode(
        fields.get("id", b"null"),
        Id,
        "A request has an id: a string of up to 200 characters, or a whole number from 0 to 2**53 - 1.",
        "id",
    )
    warnings: Warnings = ()
    try:
        wrong = f"The type of a request is one of {', '.join(_KINDS)}."
        kind: str = _decode(fields.get("type", b"null"), str, wrong, "type")
        if kind not in _KINDS:
            raise Refusal(wrong, "type")
        warnings = _unknown_fields(fields, kind)
        request: AnyRequest = _decode(line, _KINDS[kind])
        return request, warnings
    except Refusal as refusal:
        refusal.id, refusal.warnings = identity, warnings
        raise


_WHERE: Final = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<path>[^`]*)`)?", re.DOTALL)
_IN_JSON: Final = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
_MISSING: Final = re.compile(r"Object missing required field `(\w+)`")


def _decode(text: bytes | Raw, kind: Any, wrong: str | None = None, field: str | None = None) -> Any:
    """A JSON text as a value of this kind; Refusal if it is none, with `wrong` and `field` or what is found out."""
    try:
        return msgspec.json.decode(text, type=kind)
    except RecursionError:
        raise Refusal("The line is nested too deeply.") from None
    except msgspec.ValidationError as error:
        if wrong is not None:
            raise Refusal(wrong, field) from None
        raise _invalid(str(error)) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Refusal(f"The line is not JSON, or cut short: {_lowered(str(error))}.") from None


def _invalid(error: str) -> Refusal:
    """What msgspec says of a field, as a sentence."""
    match = _WHERE.fullmatch(error)
    assert match is not None
    what = re.sub(r"\w+", lambda word: _IN_JSON.get(word[0], word[0]), match["what"])
    path = match["path"] or ""
    if missing := _MISSING.fullmatch(what):
        path = ".".join(filter(None, (path, missing[1])))
        return Refusal(f"The field {path} is missing.", path)
    return Refusal(f"The field {path} is wrong: {_lowered(what)}.", path)


def _lowered(text: str) -> str:
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def _unknown_fields(fields: Mapping[str, Raw], kind: str) -> Warnings:
    """A warning for each field that requests of that kind do not have."""
    cls = _KINDS[kind]
    known = {"type", *cls.__struct_fields__}
    unknown = [name for name in fields if name not in known]
    if issubclass(cls, Search) and "limits" in fields:
        try:
            limits = msgspec.json.decode(fields["limits"], type=dict[str, Raw])
        except (msgspec.DecodeError, RecursionError):
            limits = {}  # which will be refused
        unknown += [f"limits.{name}" for name in limits if name not in Limits.__struct_fields__]
    return _warnings(unknown, f"in {'an' if kind[0] in 'ae' else 'a'} {kind} request: it is not used")


def _warnings(names: list[str], where: str) -> Warnings:
    told = [f"There is no field {quoted(name)} {where}." for name in names[:_MOST_WARNINGS]]
    more = len(names) - len(told)
    return (*told, f"There are {more} more unknown fields.") if more else tuple(told)


def question(request: Analyse, stop: Event) -> tuple[Position, Warnings]:
    """The position of a request, ready to be searched, and warnings; Refusal if there is none, or after `stop`."""
    if isinstance(request.record, UnsetType):
        if isinstance(request.position, UnsetType):
            raise Refusal("An analyse request has a position or a record.", "position")
        for name in ("ply", "seat"):
            if getattr(request, name) is not UNSET:
                raise Refusal(f"A position has no {name} to choose: that goes with a record.", name)
        with _blaming("position"):
            return _ready(parse_position(request.position)), ()
    if request.position is not UNSET:
        raise Refusal("An analyse request has a position or a record, not both.", "record")
    record = read_record(request.record, stop)
    ply = given(request.ply, record.plies)
    with _blaming("record" if request.ply is UNSET else "ply"):
        position = record.position(ply)
        if request.seat is UNSET:
            _ready(position)
    if not isinstance(request.seat, UnsetType):
        with _blaming("seat"):
            position = _ready(record.position(ply, request.seat))
    return position, event_warnings(record.unknown_fields)


def choice(record: Record | None) -> Position:
    """What the seat to act knows in the round that is being followed, ready to be searched; Refusal if none acts."""
    if record is None:
        raise Refusal("No round is being followed: tell its events first.")
    with _blaming(None):
        return _ready(record.position())


def _ready(position: Position) -> Position:
    """The position itself; ValueError if it cannot be searched."""
    position.check_analysable()
    position.belief  # noqa: B018 - it is kept, and where no deal fits, that is said here
    return position


@contextmanager
def _blaming(field: str | None) -> Iterator[None]:
    """Turns a ValueError into the refusal of a field."""
    try:
        yield
    except ValueError as error:
        faults = error.faults if isinstance(error, NotationError) else ()
        raise Refusal(str(error), field, faults) from None


def read_record(events: list[Raw], stop: Event) -> Record:
    """The record of these events; Refusal, with the number of the event, if it is none, or after `stop`."""
    record: Record | None = None
    for number, text in enumerate(events):
        if stop.is_set():
            raise not_begun()
        try:
            event, extra = read_event(text)
            record = add(record, event, extra)
        except RecordError as error:
            raise Refusal(error.message, f"record[{number}]") from None
    if record is None:
        raise Refusal("The record is empty.", "record")
    return record


def read_event(text: Raw) -> tuple[AnyEvent, Extra]:
    """The event of a JSON text, and its unknown fields; RecordError if it is none."""
    return decode(bytes(text))


def event_warnings(unknown: Iterable[str]) -> Warnings:
    """A warning for each of these fields, which events do not have."""
    return _warnings(list(unknown), "in an event: it is not used")


def add(record: Record | None, event: AnyEvent, extra: Extra) -> Record:
    """The record with one more event, which begins it where there is none; RecordError if it cannot follow."""
    if record is None:
        return Record.begin(event, extra)
    record.add(event, extra)
    return record


_T = TypeVar("_T")
_U = TypeVar("_U")


def given(value: _T | UnsetType, default: _U) -> _T | _U:
    """The value of a field, or the default where the request has none."""
    return default if isinstance(value, UnsetType) else value


# ---- replying


def encode_reply(identity: Id | None, body: Body, *, final: bool, warnings: Warnings = ()) -> bytes:
    """The line of a reply, with its end.

    >>> encode_reply("c", {"target": "a", "stopped": True}, final=True)
    b'{"id":"c","final":true,"target":"a","stopped":true}\\n'
    """
    reply = {"id": identity, "final": final, **body}
    if warnings:
        reply["warnings"] = warnings
    return msgspec.json.encode(reply) + b"\n"


def analysis_body(analysis: Analysis) -> Body:
    """What is said of an analysis; lists have an entry for each seat."""
    return {
        "move": action_text(analysis.best),
        "seat": analysis.position.mover,
        "iterations": analysis.iterations,
        "time_ms": round(1000 * analysis.time),
        "seed": analysis.seed,
        "stopped": analysis.stopped,
        "nodes": analysis.nodes,
        "position": str(analysis.position),
        "root": {"points": analysis.points, "points_se": analysis.points_se, "win": analysis.win},
        "margin": analysis.margin,
        "margin_se": analysis.margin_se,
        "too_close": analysis.too_close,
        "moves": [
            {
                "move": action_text(move.action),
                "visits": move.visits,
                "points": move.points,
                "points_se": move.points_se,
                "win": move.win,
                "pv": [action_text(action) for action in move.pv],
            }
            for move in analysis.moves
        ],
    }


def record_body(record: Record | None) -> Body:
    """Where a round has come to that is followed event by event; None before its start."""
    return {"plies": 0 if record is None else record.plies, "next": _next_event(record)}


def _next_event(record: Record | None) -> Body | None:
    """The event that must follow, without what is not determined; None where nothing does."""
    if record is None:
        return {"type": "start"}
    if record.is_over:
        return None
    state = record.state
    if (place := state.chance_place()) is not None:
        seat, zone = place
        reveal = {"type": "reveal", "seat": seat, "zone": ZONES[zone]}
        return reveal | {"card": UNSEEN} if zone == HAND and record.seat not in (None, seat) else reveal
    if state.mover == TERMINAL:
        end: Body = msgspec.to_builtins(record.outcome())
        return end
    if record.seat is not None and state.phase == OPENING:
        return {"type": "act"}  # hidden hands decide who opens
    act = {"type": "act", "seat": state.mover}
    if not state.hidden(state.mover):
        act["legal"] = [action_text(action) for action in state.legal_actions()]
    return act

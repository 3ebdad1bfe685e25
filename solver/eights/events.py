"""The events of rounds and matches, and their JSON: one object a line.

An event is log, replay and the feed of a player's program at once.
"""

from collections.abc import Callable, Mapping
from typing import IO, Annotated, Any, Final, Literal, Protocol, TypeAlias, TypeVar

import msgspec

VERSION: Final = 1
GAME: Final = "eight_and_a_half"
UNSEEN: Final = "?"
MOST_LINE: Final = 1 << 18
"""The longest line, in bytes: far more than the longest analysis takes."""
MOST_BYTES: Final = 64 << 20
"""The longest record, in bytes: that of thousands of rounds."""
MOST_NESTED: Final = 100
"""How deep lists and objects in a line may lie within each other: far less than what cannot be written again."""
MOST_NAME: Final = 200
"""The longest name of a player, in characters."""

Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=-(1 << 31), le=(1 << 31) - 1)]
"""A number that an error may quote: what is read has no more digits than that."""
Number: TypeAlias = Whole | float
ZoneName: TypeAlias = Literal["open", "hand", "blind"]


class RecordError(ValueError):
    """A record that cannot be read, or an event that the rules do not allow.

    `line` is its number, counted from 1, if it was read; `record` is then what came before it, which can be used.
    """

    def __init__(self, message: str, line: int | None = None, record: Any = None) -> None:
        super().__init__(message if line is None else f"Line {line}: {message}")
        self.message = message
        self.line = line
        self.record = record


class Start(msgspec.Struct, tag="start", kw_only=True, omit_defaults=True, frozen=True):
    """A round begins. `names` are those of the seats; what one `seat` saw of a round has no `seed`."""

    game: str
    rules: str
    players: Whole
    names: tuple[str, ...]
    exchange: tuple[int, int] | None
    seat: Whole | None = None
    seed: int | None = None
    version: Whole


class Reveal(msgspec.Struct, tag="reveal", kw_only=True, frozen=True):
    """A card comes up: a rank char, or `?` for one that the seat of the record does not see."""

    seat: Whole
    zone: ZoneName
    card: str


class Act(msgspec.Struct, tag="act", kw_only=True, omit_defaults=True, frozen=True):
    """A player acts; `analysis` is whatever his program thought of it."""

    seat: Whole
    action: str
    analysis: Mapping[str, Any] | None = None


class End(msgspec.Struct, tag="end", kw_only=True, frozen=True):
    """A round is over; nobody is the winner where `max_plies` ended it."""

    reason: Literal["out", "max_plies"]
    winner: Whole | None
    points: tuple[Number, ...]
    counts: tuple[Whole, ...]


class MatchStart(msgspec.Struct, tag="match", kw_only=True, omit_defaults=True, frozen=True):
    """A match begins. `names` are those of the players, who change seats; what one `player` saw of it has no `seed`."""

    game: str
    rules: str
    players: Whole
    names: tuple[str, ...]
    player: Whole | None = None
    seed: int | None = None
    version: Whole


class Scores(msgspec.Struct, tag="scores", kw_only=True, omit_defaults=True, frozen=True):
    """After a round, counted from 0: every player's points so far; `winners` once the match is over."""

    round: Whole
    scores: tuple[Number, ...]
    winners: tuple[Whole, ...] | None = None


Event: TypeAlias = Start | Reveal | Act | End
AnyEvent: TypeAlias = Event | MatchStart | Scores
Extra: TypeAlias = dict[str, Any]
"""Fields of an event that this version does not know; they are kept, and written again."""

_KINDS: Final[dict[str, type[AnyEvent]]] = {
    "start": Start,
    "reveal": Reveal,
    "act": Act,
    "end": End,
    "match": MatchStart,
    "scores": Scores,
}


def decode(line: str | bytes) -> tuple[AnyEvent, Extra]:
    """The event of a line, and its unknown fields; RecordError if it is none.

    >>> decode('{"type":"act","seat":1,"action":"3x2","mood":"bold"}')
    (Act(seat=1, action='3x2', analysis=None), {'mood': 'bold'})
    """
    try:
        fields = msgspec.json.decode(line)
    except RecursionError:
        raise RecordError("The line is nested too deeply.") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise RecordError(f"The line is not JSON, or cut short: {_lowered(error)}.") from None
    return from_fields(fields)


def from_fields(fields: object) -> tuple[AnyEvent, Extra]:
    """The event of a decoded JSON object, and its unknown fields; RecordError if it is none."""
    if not isinstance(fields, dict):
        raise RecordError("An event is a JSON object.")
    kind = fields.get("type")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise RecordError(f"The type of an event is one of {', '.join(_KINDS)}.")
    if _is_nested(fields, MOST_NESTED):
        raise RecordError("The line is nested too deeply.")
    cls = _KINDS[kind]
    try:
        event = msgspec.convert(fields, cls)
    except msgspec.ValidationError as error:
        raise RecordError(f"The {kind} event is wrong: {_lowered(error)}.") from None
    known = {"type", *cls.__struct_fields__}
    return event, {name: value for name, value in fields.items() if name not in known}


def encode(event: AnyEvent, extra: Extra | None = None) -> str:
    """The line of an event, without a line end.

    >>> encode(Reveal(seat=0, zone="open", card="5"))
    '{"type":"reveal","seat":0,"zone":"open","card":"5"}'
    """
    if extra:
        return msgspec.json.encode({**msgspec.to_builtins(event), **extra}).decode()
    return msgspec.json.encode(event).decode()


def read_line(file: IO[str] | IO[bytes]) -> str | bytes:
    """The next line of an open file, empty at its end; never more than `MOST_LINE` is read.

    RecordError if it is longer, or not UTF-8.
    """
    try:
        line = file.readline(MOST_LINE + 1)
    except UnicodeError as error:
        raise RecordError(f"The text cannot be read: {_lowered(error)}.") from None
    check_length(line)
    return line


def check_length(line: str | bytes) -> None:
    """RecordError unless a line, with its end, is short enough to be read."""
    if _size(line) > MOST_LINE:
        raise RecordError(f"The line is longer than {MOST_LINE} bytes.")


class Recorder(Protocol):
    """A record that events are added to."""

    def add(self, event: AnyEvent, extra: Extra | None = None) -> None:
        """One more event; RecordError, and nothing done, if it cannot follow."""


_R = TypeVar("_R", bound=Recorder)


def load(file: IO[str] | IO[bytes], begin: Callable[[AnyEvent, Extra], _R]) -> _R:
    """The record in an open file; `begin` makes it from the first event.

    RecordError, with the number of the line, if something is wrong or there are more than `MOST_BYTES`; its `record`
    then holds what came before it.
    """
    record: _R | None = None
    number = size = 0
    while True:
        number += 1
        try:
            line = read_line(file)
            if not line:
                break
            size += _size(line)
            if size > MOST_BYTES:
                raise RecordError(f"The record is longer than {MOST_BYTES} bytes.")
            if not line.strip():
                continue
            event, extra = decode(line)
            if record is None:
                record = begin(event, extra)
            else:
                record.add(event, extra)
        except RecordError as error:
            raise RecordError(error.message, number, record) from None
    if record is None:
        raise RecordError("The record is empty.")
    return record


def _size(line: str | bytes) -> int:
    """Bytes of a line."""
    return len(line) if line.isascii() or isinstance(line, bytes) else len(line.encode(errors="surrogatepass"))


def _is_nested(fields: dict[str, Any], levels: int) -> bool:
    """Whether there are lists or objects within each other, more than so many levels."""
    nests: list[Any] = [fields]
    for _ in range(levels):
        nests = [
            item
            for nest in nests
            for item in (nest.values() if isinstance(nest, dict) else nest)
            if isinstance(item, dict | list)
        ]
        if not nests:
            return False
    return True


def _lowered(error: Exception) -> str:
    text = str(error)[:200]
    return text if text[:2].isupper() else text[:1].lower() + text[1:]

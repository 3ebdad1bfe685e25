"""The record of a round: its events, what they lead to, and what each seat knows of them."""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, Final, Self

import msgspec
from eights_core.rng import Rng

from eights.actions import action_text, parse_action, parse_rank, rank_char
from eights.deal import Deal
from eights.events import (
    GAME,
    MOST_NAME,
    UNSEEN,
    VERSION,
    Act,
    AnyEvent,
    End,
    Event,
    Extra,
    MatchStart,
    RecordError,
    Reveal,
    Scores,
    Start,
    check_length,
    decode,
    encode,
    load,
)
from eights.follow import ZONES, Follower
from eights.position import Position
from eights.position_checks import check_position
from eights.rules import MOST_PLAYERS, Rules
from eights.state import State
from eights.text import quoted

_EVERY: Final = 32


class Record:
    """A round, event by event: written while it is played, read, replayed, and seen with the eyes of a seat.

    With `seat` it is the record of what that seat sees. `state` is where the round has come to; in a seat's record the
    hands of the others hold unseen cards there. RecordError refuses an event that the rules do not allow, and leaves
    the record as it was.

    >>> record = Record(Rules.standard(players=2), names=("Ann", "Ben"))
    >>> record.deal(Rng(1))
    >>> record.act(record.state.legal_actions()[0])
    >>> print(record.dumps().splitlines()[-1])
    {"type":"act","seat":0,"action":"2"}
    >>> Record.loads(record.dumps()) == record
    True
    """

    def __init__(
        self,
        rules: Rules,
        *,
        names: Sequence[str] | None = None,
        exchange: tuple[int, int] | None = None,
        seed: int | None = None,
        seat: int | None = None,
    ) -> None:
        if names is None:
            names = [f"seat {number}" for number in range(rules.players)]
        self._begin(
            Start(
                game=GAME,
                rules=rules.text(),
                players=rules.players,
                names=tuple(names),
                exchange=exchange,
                seat=seat,
                seed=seed,
                version=VERSION,
            ),
            {},
        )

    @classmethod
    def begin(cls, event: AnyEvent, extra: Extra) -> Self:
        """The record that a start event begins; RecordError for any other."""
        if not isinstance(event, Start):
            raise RecordError("The record of a round begins with its start event.")
        record = cls.__new__(cls)
        record._begin(event, extra)
        return record

    def _begin(self, start: Start, extra: Extra) -> None:
        self.rules = check_header(start)
        if start.seat is not None and not 0 <= start.seat < start.players:
            raise RecordError(f"There is no seat {start.seat}: seats are 0 to {start.players - 1}.")
        if start.seat is not None and start.seed is not None:
            raise RecordError("What one seat sees of a round has no seed: with it the deal could be known.")
        if any(not 0 <= seat < start.players for seat in start.exchange or ()):
            raise RecordError(f"An exchange is between two seats of the table: seats are 0 to {start.players - 1}.")
        try:
            self._head = Follower(self.rules, start.exchange, start.seat)
        except ValueError as error:
            raise RecordError(str(error)) from None
        self.events: list[Event] = [start]
        self.extra: dict[int, Extra] = {0: extra} if extra else {}
        self._acts: list[int] = []  # where in `events` each act is
        self._kept = [(1, self._head.copy())]  # after every _EVERY plies: how many events they were, and the follower
        self._passed = (1, self._head.copy())  # the same where somebody asked last

    # what it is

    @property
    def start(self) -> Start:
        """The first event."""
        start = self.events[0]
        assert isinstance(start, Start)
        return start

    @property
    def seat(self) -> int | None:
        """The seat whose view this is, None if every card is seen."""
        return self._head.seat

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.start.names

    @property
    def state(self) -> State:
        """A copy of the state after the last event."""
        return self._head.state.copy()

    @property
    def plies(self) -> int:
        """How many player actions there have been."""
        return len(self._acts)

    @property
    def is_over(self) -> bool:
        """Whether the last event is the end."""
        return isinstance(self.events[-1], End)

    @property
    def unknown_fields(self) -> tuple[str, ...]:
        """Names of fields that this version does not know, of all events; they are kept."""
        return tuple(sorted({name for extra in self.extra.values() for name in extra}))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return self.events == other.events and self.extra == other.extra

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        whose = "" if self.seat is None else f" as seat {self.seat} sees it"
        return f"<Record of {self.rules.text()}, {self.rules.players} players, {self.plies} plies{whose}>"

    # writing

    def add(self, event: AnyEvent, extra: Extra | None = None) -> None:
        """One more event; `extra` are fields to be kept with it."""
        if self.is_over:
            raise RecordError("The round is over: no event can follow.")
        if isinstance(event, MatchStart | Scores):
            raise RecordError("A record of one round holds no events of a match.")
        self._head.follow(event)
        if extra:
            self.extra[len(self.events)] = extra
        self.events.append(event)
        if isinstance(event, Act):
            self._acts.append(len(self.events) - 1)
            if self.plies % _EVERY == 0:
                self._kept.append((len(self.events), self._head.copy()))

    def act(self, action: int, analysis: Mapping[str, Any] | None = None) -> None:
        """The player whose turn it is acts; `analysis` may say what his program thought of it, as JSON has it.

        RecordError if it is not such that it can be written and read again; tuples become lists.
        """
        mover = self._head.state.mover
        if mover < 0:
            raise RecordError("It is nobody's turn.")
        act = Act(seat=mover, action=action_text(action))
        self.add(act if analysis is None else _with_analysis(act, analysis))

    def deal(self, source: Rng | Deal) -> None:
        """Draw every pending card, at random or as a deal has them."""
        state = self._head.state
        while (place := state.chance_place()) is not None:
            rank = source.draw(state) if isinstance(source, Deal) else state.draw(source)
            self.add(Reveal(seat=place[0], zone=ZONES[place[1]], card=rank_char(rank)))

    def outcome(self) -> End:
        """The end of a round that is over, whether it is written down or not; RecordError if it is not over."""
        return self._head.outcome()

    def finish(self) -> End:
        """Write down the end of a round that is over."""
        end = self.outcome()
        self.add(end)
        return end

    # reading

    def position(self, ply: int | None = None, seat: int | None = None) -> Position:
        """What a seat knew when `ply` player actions had been done, evidence included; by default the one to act.

        `ply` may be up to `plies`, which is now; a seat's record tells what that seat knew only. Where the round is to
        be opened at the end of such a record, the seat cannot know by whom, and is taken to be the opener. ValueError
        if it cannot be he, where nobody was to decide, or if there is no such ply or seat.
        """
        ply = self.plies if ply is None else ply
        if not 0 <= ply <= self.plies:
            raise ValueError(f"There is no ply {ply}: the record has plies 0 to {self.plies}.")
        if self.seat is not None and seat not in (None, self.seat):
            raise ValueError(f"This is what seat {self.seat} saw: what seat {seat} knew is not in it.")
        if seat is not None and not 0 <= seat < self.rules.players:
            raise ValueError(f"There is no seat {seat}: seats are 0 to {self.rules.players - 1}.")
        follower = self._follower(ply)
        if follower.state.mover < 0:
            raise ValueError("A position is what is known where a player decides; here none does.")
        if seat is None:
            seat = follower.state.mover if self.seat is None else self.seat
        opener = seat
        if ply < self.plies:
            act = self.events[self._acts[ply]]
            assert isinstance(act, Act)
            opener = act.seat
        position = follower.position(seat, opener)
        if ply == self.plies and follower.opener_is_unsure:
            check_position(position)
        return position

    def _follower(self, ply: int) -> Follower:
        """The round when that many player actions had been done and all cards drawn; not to be changed."""
        if ply == self.plies:
            return self._head
        wanted = self._acts[ply]
        at, follower = self._passed
        kept, nearest = self._kept[ply // _EVERY]
        if not kept <= at <= wanted:
            at, follower = kept, nearest.copy()
        for event in self.events[at:wanted]:
            follower.follow(event)
        self._passed = wanted, follower
        return follower

    def replay(self) -> Iterator[tuple[Event, State]]:
        """Every event but the start, with the state that it leads to; the state is the same object, moved on."""
        if self.seat is not None:
            follower = Follower(self.rules, self.start.exchange, self.seat)
            for event in self.events[1:]:
                follower.follow(event)
                yield event, follower.state
            return
        state = State(self.rules, self.start.exchange)
        for event in self.events[1:]:  # which have been checked, so that nothing but the moves is to be done
            if isinstance(event, Act):
                state.apply(parse_action(event.action))
            elif isinstance(event, Reveal):
                state.apply(parse_rank(event.card))
            yield event, state

    def view(self, seat: int) -> "Record":
        """The record that a seat can keep: other hands unseen, no seed, nobody else's analyses, no unknown fields."""
        if self.seat is not None:
            if self.seat != seat:
                raise ValueError(f"This is what seat {self.seat} saw: what seat {seat} saw is not in it.")
            return self
        start = self.start
        view = Record(self.rules, names=start.names, exchange=start.exchange, seat=seat)
        for event in self.events[1:]:
            view.add(seen_by(seat, event))
        return view

    def dump(self, file: IO[str]) -> None:
        """Write the events to an open text file, one a line."""
        for number, event in enumerate(self.events):
            file.write(encode(event, self.extra.get(number)) + "\n")

    def dumps(self) -> str:
        """The events as text, one a line."""
        file = io.StringIO()
        self.dump(file)
        return file.getvalue()

    @classmethod
    def load(cls, file: IO[str] | IO[bytes]) -> Self:
        """Read a record, finished or not, from an open file.

        RecordError, with the number of the line, if something is wrong; its `record` then holds what came before, or is
        None if there is nothing.
        """
        return load(file, cls.begin)

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read a record from text, as `load`."""
        return cls.load(io.StringIO(text))


def _with_analysis(act: Act, analysis: Mapping[str, Any]) -> Act:
    """An act with an analysis as it will be read; RecordError if that cannot be."""
    try:
        fields = json.loads(json.dumps(dict(analysis), allow_nan=False))
        line = encode(msgspec.structs.replace(act, analysis=fields))
        check_length(line + "\n")
        read, _ = decode(line)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise RecordError(f"The analysis cannot be written: {str(error)[:200]}") from None
    assert isinstance(read, Act)
    return read


def seen_by(seat: int, event: Event) -> Event:
    """An event as a seat sees it."""
    if isinstance(event, Reveal) and event.zone == "hand" and event.seat != seat:
        return Reveal(seat=event.seat, zone="hand", card=UNSEEN)
    if isinstance(event, Act) and event.analysis is not None and event.seat != seat:
        return Act(seat=event.seat, action=event.action)
    if isinstance(event, Start):
        return msgspec.structs.replace(event, seat=seat, seed=None)
    return event


def check_header(start: Start | MatchStart) -> Rules:
    """The rules of a record; RecordError unless game, version, rules, names and seed are such as can be used."""
    if start.game != GAME:
        raise RecordError(f"The game is {GAME!r} here, not {quoted(start.game)}.")
    if start.version != VERSION:
        raise RecordError(f"The record is of version {start.version}, and only version {VERSION} can be read.")
    if not 2 <= start.players <= MOST_PLAYERS:
        raise RecordError(f"The game is for 2 to {MOST_PLAYERS} players, not {start.players}.")
    if len(start.names) != start.players or any(len(name) > MOST_NAME for name in start.names):
        raise RecordError(f"There must be {start.players} names of at most {MOST_NAME} characters.")
    if start.seed is not None and not 0 <= start.seed < 1 << 64:
        raise RecordError("A seed is a whole number from 0 to 2**64 - 1.")
    try:
        return Rules.parse(start.rules, start.players)
    except ValueError as error:
        raise RecordError(str(error)) from None

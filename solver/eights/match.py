"""Matches: rounds, seats, exchange and scores (rules §7), their record, and playing them."""

import hashlib
import io
from collections.abc import Callable, Sequence
from copy import copy
from typing import IO, Final, Self

from eights_core.halves import TERMINAL
from msgspec import structs

from eights.deal import Deal
from eights.events import (
    GAME,
    MOST_NAME,
    VERSION,
    AnyEvent,
    Extra,
    MatchStart,
    Number,
    RecordError,
    Scores,
    Start,
    encode,
    load,
)
from eights.players import Player
from eights.record import Record, check_header, seen_by
from eights.rules import Rules
from eights.state import State

MOST_ROUNDS: Final = 100_000
"""A match ends here at the latest: a target may never be reached where nobody scores."""
_PARTS: Final = 60  # points are whole 60ths: a point shared by 2 to 6 players


class Match:
    """Where a match stands between two rounds; players are numbered as `names`, and sit down in other seats each round.

    The deal of a round depends on `seed` and the number of the round alone, not on what is played. ValueError for
    another number of names, for one that is too long for a record, and for a seed out of range.

    >>> match = Match(Rules.standard(players=3), ("Ann", "Ben", "Cleo"), seed=1)
    >>> match.seating
    (0, 1, 2)
    """

    def __init__(self, rules: Rules, names: Sequence[str], seed: int) -> None:
        if len(names) != rules.players:
            raise ValueError(f"There are {rules.players} players, not {len(names)}.")
        if any(len(name) > MOST_NAME for name in names):
            raise ValueError(f"The name of a player has at most {MOST_NAME} characters.")
        if not 0 <= seed < 1 << 64:
            raise ValueError("A seed is a whole number from 0 to 2**64 - 1.")
        self.rules = rules
        self.names = tuple(names)
        self.seed = seed
        self.rounds = 0
        self._parts = [0] * rules.players
        self._last: tuple[int, int] | None = None  # winner and Big Loser of the last round, as players

    @property
    def scores(self) -> tuple[Number, ...]:
        """Every player's points so far."""
        return tuple(_number(parts) for parts in self._parts)

    @property
    def seating(self) -> tuple[int, ...]:
        """The player in each seat of the coming round: seat 0 moves on clockwise."""
        return tuple((seat + self.rounds) % self.rules.players for seat in range(self.rules.players))

    @property
    def exchange(self) -> tuple[int, int] | None:
        """The seats (winner, Big Loser) of the exchange with which the coming round begins, if it does."""
        if not self.rules.exchange or self._last is None:
            return None
        winner, loser = (self.seating.index(player) for player in self._last)
        return winner, loser

    @property
    def is_over(self) -> bool:
        """Whether the rounds have been played, or the target is reached by one player more than by any other."""
        if self.rounds >= MOST_ROUNDS or (self.rules.match_rounds and self.rounds >= self.rules.match_rounds):
            return True
        reached = self.rules.match_target and max(self._parts) >= self.rules.match_target * _PARTS
        return bool(reached) and len(self._leaders) == 1

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who share the victory; none until the match is over."""
        return self._leaders if self.is_over else ()

    @property
    def _leaders(self) -> tuple[int, ...]:
        most = max(self._parts)
        return tuple(player for player, parts in enumerate(self._parts) if parts == most)

    @property
    def round_seed(self) -> int:
        """The seed of the coming round: a hash of the match's seed and the number of the round."""
        digest = hashlib.blake2b(f"{self.seed}:{self.rounds}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big")

    def deal(self) -> Deal:
        """The deal of the coming round."""
        return Deal(self.rules, self.round_seed)

    def begin(self) -> Record:
        """An empty record of the coming round."""
        names = [self.names[player] for player in self.seating]
        return Record(self.rules, names=names, exchange=self.exchange, seed=self.round_seed)

    def finish(self, state: State) -> None:
        """Count the points of the round that is over; ValueError if it is not."""
        if state.mover != TERMINAL:
            raise ValueError("The round is not over.")
        seating = self.seating
        points = state.points()
        self._parts = [
            parts + round(points[seating.index(player)] * _PARTS) for player, parts in enumerate(self._parts)
        ]
        self._last = None
        if state.winner is not None and state.big_loser is not None:
            self._last = seating[state.winner], seating[state.big_loser]
        self.rounds += 1


class MatchRecord:
    """The record of a match: its header, the records of its rounds, and the scores after each.

    Written while it is played, read, checked and dumped like the record of a round. `match` says where it stands after
    the rounds that have been scored.
    """

    def __init__(self, match: Match) -> None:
        if match.rounds:
            raise ValueError("A match is recorded from its first round on.")
        start = MatchStart(
            game=GAME,
            rules=match.rules.text(),
            players=match.rules.players,
            names=match.names,
            seed=match.seed,
            version=VERSION,
        )
        check_header(start)
        self._begin(start, match)

    @classmethod
    def begin(cls, event: AnyEvent, extra: Extra) -> Self:
        """The record that a match event begins; RecordError for any other."""
        if not isinstance(event, MatchStart):
            raise RecordError("The record of a match begins with its match event.")
        rules = check_header(event)
        if event.player is not None and (event.seed is not None or not 0 <= event.player < event.players):
            raise RecordError("What one player sees of a match has no seed, and the player is one of its players.")
        if event.player is None and event.seed is None:
            raise RecordError("The record of a match has a seed, except in what one player sees.")
        record = cls.__new__(cls)
        record._begin(event, Match(rules, event.names, event.seed or 0))
        if extra:
            record.extra[-1] = extra
        return record

    def _begin(self, start: MatchStart, match: Match) -> None:
        self.start = start
        self.match = match
        self.rounds: list[Record] = []
        self.scores: list[Scores] = []
        self.extra: dict[int, Extra] = {}  # by the number of scores before; the header's at -1

    @property
    def player(self) -> int | None:
        """The player whose view this is, None if every card is seen."""
        return self.start.player

    @property
    def is_over(self) -> bool:
        """Whether the last round has been scored and was the last."""
        return self.match.is_over

    @property
    def unknown_fields(self) -> tuple[str, ...]:
        """Names of fields that this version does not know, of all events; they are kept."""
        mine = {name for extra in self.extra.values() for name in extra}
        return tuple(sorted(mine.union(*(record.unknown_fields for record in self.rounds))))

    @property
    def _to_score(self) -> bool:
        return len(self.rounds) > len(self.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatchRecord):
            return NotImplemented
        mine, theirs = ((record.start, record.rounds, record.scores, record.extra) for record in (self, other))
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<MatchRecord of {self.start.rules}, {len(self.rounds)} rounds, scores {self.match.scores}>"

    def begin_round(self) -> Record:
        """The record of the next round, to be written; RecordError while one is being played, or at the end."""
        self._check_may_begin()
        self.rounds.append(self.match.begin())
        return self.rounds[-1]

    def score_round(self) -> Scores:
        """Count the points of the round that has been played and finished."""
        if not self._to_score or not self.rounds[-1].is_over:
            raise RecordError("No round has been finished that is not scored.")
        self.match.finish(self.rounds[-1].state)
        scores = Scores(
            round=len(self.scores), scores=self.match.scores, winners=self.match.winners if self.is_over else None
        )
        self.scores.append(scores)
        return scores

    def add(self, event: AnyEvent, extra: Extra | None = None) -> None:
        """One more event, as it is read or heard; RecordError, and nothing done, if it cannot follow."""
        if isinstance(event, MatchStart):
            raise RecordError("The match has begun: it cannot start again.")
        if isinstance(event, Start):
            self._check_may_begin()
            self.rounds.append(self._started(event, extra or {}))
        elif isinstance(event, Scores):
            self._add_scores(event)
            if extra:
                self.extra[len(self.scores)] = extra
        elif self._to_score:
            self.rounds[-1].add(event, extra)
        else:
            raise RecordError("A round begins with its start event.")

    def _check_may_begin(self) -> None:
        if self._to_score:
            raise RecordError("A round begins when the one before has been scored.")
        if self.is_over:
            raise RecordError("The match is over.")

    def _started(self, start: Start, extra: Extra) -> Record:
        """The record that a start event begins, which must be that of the coming round."""
        expected = self.match.begin()
        seat = None if self.player is None else self.match.seating.index(self.player)
        if start.seat != seat:
            raise RecordError("The round and the match are not seen by the same player.")
        for name in ("rules", "names", "exchange", *(("seed",) if seat is None else ())):
            if getattr(start, name) != getattr(expected.start, name):
                other = f"other {name}" if name in ("rules", "names") else f"another {name}"
                raise RecordError(f"Round {len(self.rounds)} has {other} than this match gives it.")
        return Record.begin(start, extra)

    def _add_scores(self, event: Scores) -> None:
        if not self._to_score or not self.rounds[-1].is_over:
            raise RecordError("Scores follow the end of a round.")
        before = copy(self.match)
        expected = self.score_round()
        if event != expected:
            self.match = before
            self.scores.pop()
            raise RecordError(f"The scores are wrong: after this round they are {list(expected.scores)}.")

    def view(self, player: int) -> "MatchRecord":
        """The record that a player can keep, his seat changing from round to round."""
        if self.player not in (None, player):
            raise ValueError(f"This is what player {self.player} saw: what player {player} saw is not in it.")
        if not 0 <= player < self.start.players:
            raise ValueError(f"There is no player {player}: players are 0 to {self.start.players - 1}.")
        view = MatchRecord.begin(structs.replace(self.start, player=player, seed=None), {})
        for number, record in enumerate(self.rounds):
            seat = view.match.seating.index(player)
            view.rounds.append(record.view(seat))
            if number < len(self.scores):
                view.score_round()
        return view

    def dump(self, file: IO[str]) -> None:
        """Write the events to an open text file, one a line."""
        file.write(encode(self.start, self.extra.get(-1)) + "\n")
        for number, record in enumerate(self.rounds):
            record.dump(file)
            if number < len(self.scores):
                file.write(encode(self.scores[number], self.extra.get(number + 1)) + "\n")

    def dumps(self) -> str:
        """The events as text, one a line."""
        file = io.StringIO()
        self.dump(file)
        return file.getvalue()

    @classmethod
    def load(cls, file: IO[str] | IO[bytes]) -> Self:
        """Read the record of a match, finished or not, from an open file; RecordError as `Record.load`."""
        return load(file, cls.begin)

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read the record of a match from text, as `load`."""
        return cls.load(io.StringIO(text))


def play_round(
    record: Record, deal: Deal, players: Sequence[Player], on_event: Callable[[AnyEvent], object] | None = None
) -> State:
    """Play a round from where its record stands; `players` are those of the seats.

    Each player hears what his seat sees, `on_event` everything. Returns the final state. IllegalAction if a player
    chooses an action that he may not; the record then holds the round so far.
    """
    told = 0

    def tell() -> None:
        nonlocal told
        for event in record.events[told:]:
            for seat, player in enumerate(players):
                seen = seen_by(seat, event)
                if isinstance(seen, Start):
                    player.new_round(seen)
                else:
                    player.event(seen)
            if on_event is not None:
                on_event(event)
        told = len(record.events)

    record.deal(deal)
    state = record.state
    while state.mover != TERMINAL:
        tell()
        action = players[state.mover].choose(state.observation(state.mover))
        state.apply(action)  # a copy: it says why, if that may not be, and the record stays as it is
        record.act(action)
        record.deal(deal)
        state = record.state
    record.finish()
    tell()
    return state


def play(match: Match, players: Sequence[Player], on_event: Callable[[AnyEvent], object] | None = None) -> MatchRecord:
    """Play a whole match; `players` in the order of the match's names. Returns its record."""
    if len(players) != match.rules.players:
        raise ValueError(f"The match is for {match.rules.players} players, not {len(players)}.")
    record = MatchRecord(match)
    say = on_event or (lambda event: None)
    say(record.start)
    while not match.is_over:
        seating, deal = match.seating, match.deal()
        play_round(record.begin_round(), deal, [players[player] for player in seating], on_event)
        say(record.score_round())
    return record


def _number(parts: int) -> Number:
    whole, rest = divmod(parts, _PARTS)
    return whole if not rest else parts / _PARTS

"""The course of a round or of a match: its state, and the log of all that has happened.

A course is all that a `pyspiel.State` of ours holds. It is copied in about a microsecond, and pickled as the moves that
led to it, so that what is read back has been played by the rules.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from typing import Final, NamedTuple, Self

import pyspiel
from eights_core.halves import HAND, OPENING, TERMINAL

from eights.actions import NUM_ACTIONS
from eights.match import Match
from eights.rules import Rules
from eights.spiel.seen import DRAWN, FACE_UP, OPENS, drawn, rank_of, seen_by
from eights.state import IllegalAction, State

PARTS: Final = 60
"""Points are whole 60ths: a point is shared by 2 to 6 players."""


class Log(NamedTuple):
    """What has been seen of a round: the seats of its exchange, who sits in seat 0, and the codes of its events."""

    exchange: tuple[int, int] | None
    first: int
    codes: Sequence[int]

    def actions(self) -> list[int]:
        """The actions and the ranks that came up, which lead from the start to the end of the codes."""
        return [
            code if code < NUM_ACTIONS else rank_of(code)
            for code in self.codes
            if code < OPENS or code >= DRAWN  # who opens is no action
        ]


class Course:
    """A round, from before its deal to its end. Players are the seats.

    >>> course = Course(Rules.standard(players=2))
    >>> course.apply(5)
    >>> course.logs[0].codes == [FACE_UP + 5]
    True
    """

    def __init__(self, rules: Rules, exchange: tuple[int, int] | None = None) -> None:
        self.rules = rules
        self.round = State(rules, exchange)
        self.log = Log(exchange, 0, [])

    def copy(self) -> Self:
        """An independent course, at the same point."""
        other = type(self).__new__(type(self))
        other.rules, other.round = self.rules, self.round.copy()
        other.log = self.log._replace(codes=[*self.log.codes])
        return other

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., "Course"], tuple[object, ...]]:
        return _played, (type(self), self.rules.text(), self.rules.players, self.logs[0].exchange, self.actions())

    def is_of(self, other: "Course") -> bool:
        """Whether both are courses of one game: of one kind, by the same rules, with the same exchange at first."""
        same = type(self) is type(other) and self.rules == other.rules
        return same and self.logs[0].exchange == other.logs[0].exchange

    def apply(self, action: int) -> None:
        """A player's action, or the rank that comes up; pyspiel.SpielError, and nothing done, if that may not be."""
        place = self.round.chance_place()
        try:
            self.round.apply(action)
        except IllegalAction as error:
            raise pyspiel.SpielError(str(error)) from None
        if place is None:
            code = action
        elif place[1] == HAND:
            code = drawn(place[0], action)
        else:
            code = FACE_UP + action
        codes = self.log.codes
        assert isinstance(codes, list)
        codes.append(code)
        if self.round.phase == OPENING:
            codes.append(OPENS + self.round.mover)
        elif self.round.mover == TERMINAL:
            self._end_round()

    def _end_round(self) -> None:
        """What follows the end of a round."""

    # who does what

    @property
    def mover(self) -> int:
        """The player to act, CHANCE or TERMINAL."""
        return self.round.mover

    @property
    def is_over(self) -> bool:
        """Whether nothing can follow."""
        return self.round.mover == TERMINAL

    def seat_of(self, player: int, log: Log | None = None) -> int:
        """The seat of a player in the round being played, or in that of another log."""
        return player

    def player_in(self, seat: int) -> int:
        """The player in a seat of the round being played."""
        return seat

    # what there is to tell

    @property
    def logs(self) -> tuple[Log, ...]:
        """The log of every round so far."""
        return (self.log,)

    def actions(self) -> list[int]:
        """All actions, and ranks that came up: the course's history."""
        return [action for log in self.logs for action in log.actions()]

    def seen(self, players: Collection[int]) -> list[list[int]]:
        """The codes of each round, as somebody sees them who sees the hands of these players."""
        return [seen_by([self.seat_of(player, log) for player in players], log.codes) for log in self.logs]

    def parts(self) -> list[int]:
        """What every player has scored, in 60ths of a point; zeros until the round is over."""
        return [round(points * PARTS) for points in self.round.points()]

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won; nobody where `max_plies` ended the round, or before the end."""
        return () if self.round.winner is None else (self.round.winner,)


class MatchCourse(Course):
    """A match of rounds (rules §7): players change seats from round to round, and scores follow them."""

    def __init__(self, rules: Rules, exchange: None = None) -> None:
        super().__init__(rules)
        self.match = Match(rules, [str(player) for player in range(rules.players)], 0)
        self.past: tuple[Log, ...] = ()

    def copy(self) -> Self:
        other = super().copy()
        other.match, other.past = copy(self.match), self.past
        return other

    def _end_round(self) -> None:
        self.match.finish(self.round)
        if not self.match.is_over:
            exchange = self.match.exchange
            self.past = (*self.past, self.log)
            self.round = State(self.rules, exchange)
            self.log = Log(exchange, self.match.seating[0], [])

    @property
    def mover(self) -> int:
        mover = self.round.mover
        return mover if mover < 0 else self.player_in(mover)

    def seat_of(self, player: int, log: Log | None = None) -> int:
        return (player - (log or self.log).first) % self.rules.players

    def player_in(self, seat: int) -> int:
        return (seat + self.log.first) % self.rules.players

    @property
    def logs(self) -> tuple[Log, ...]:
        return (*self.past, self.log)

    def parts(self) -> list[int]:
        """What every player has scored in the rounds that are over, in 60ths of a point."""
        return [round(points * PARTS) for points in self.match.scores]

    @property
    def winners(self) -> tuple[int, ...]:
        """Who shares the victory; nobody before the end."""
        return self.match.winners


def replay(course: Course, actions: Iterable[int]) -> Course:
    """The course after more actions; pyspiel.SpielError if one of them may not be."""
    for number, action in enumerate(actions):
        try:
            course.apply(action)
        except pyspiel.SpielError as error:
            raise pyspiel.SpielError(f"Move {number} of the history cannot be: {error}") from None
    return course


def _played(
    kind: type[Course], rules: str, players: int, exchange: tuple[int, int] | None, actions: list[int]
) -> Course:
    """A course that has been pickled; pyspiel.SpielError if it is none."""
    try:
        return replay(kind(Rules.parse(rules, players), exchange), actions)
    except ValueError as error:
        raise pyspiel.SpielError(f"The pickled state is none of this game: {error}") from None

"""From the log of a course to the events and records of the library, and back."""

from collections.abc import Sequence
from typing import Any

from eights.actions import KEEP, NUM_ACTIONS, action_text, parse_action, parse_rank, rank_char
from eights.events import UNSEEN as UNSEEN_CARD
from eights.events import Act, Event, Reveal, Start
from eights.follow import ZONES
from eights.players import Player
from eights.position import Position
from eights.record import Record
from eights.rules import OPTIONS, Rules
from eights.spiel.course import Course
from eights.spiel.seen import FACE_UP, OPENS, UNSEEN, drawn, rank_of


class Hearing:
    """A player of ours who follows courses, move by move; he hears what his seat sees, and no more."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.forget()

    def forget(self) -> None:
        """Another game begins."""
        self._record: Record | None = None
        self._codes: list[int] = []
        self._round = 0
        self._opener: int | None = None

    def position(self, course: Course, player: int) -> Position:
        """What one who plays as `player` knows where he is to act; all that is new has been told by then."""
        (*_, codes) = course.seen((player,))
        number, seat = len(course.logs), course.seat_of(player)
        record = self._record
        if (
            record is None
            or (number, seat, course.rules) != (self._round, record.seat, record.rules)
            or course.log.exchange != record.start.exchange
            or codes[: len(self._codes)] != self._codes
        ):
            record = Record(course.rules, exchange=course.log.exchange, seat=seat)
            self._record, self._codes, self._round, self._opener = record, [], number, None
            self.player.new_round(record.start)
        for code in codes[len(self._codes) :]:
            if OPENS <= code < UNSEEN:
                self._opener = code - OPENS
                continue
            event = self._event(record, code)
            record.add(event)
            self.player.event(event)
        self._codes = codes
        return record.position()

    def _event(self, record: Record, code: int) -> Event:
        state = record.state
        if code < NUM_ACTIONS:
            seat = state.mover if self._opener is None else self._opener
            self._opener = None
            return Act(seat=seat, action=action_text(code))
        place = state.chance_place()
        assert place is not None
        card = UNSEEN_CARD if code == UNSEEN else rank_char(rank_of(code))
        return Reveal(seat=place[0], zone=ZONES[place[1]], card=card)


class Heard:
    """What a seat has heard of a round, as codes: the other way."""

    def __init__(self, start: Start) -> None:
        self.rules = Rules.parse(start.rules, start.players)
        self.exchange = start.exchange
        assert start.seat is not None
        self.seat = start.seat
        self._codes: list[int] = []
        self._opened = False

    def event(self, event: Event) -> None:
        """What happens next."""
        if isinstance(event, Reveal):
            if event.zone != "hand":
                self._codes.append(FACE_UP + parse_rank(event.card))
            elif event.card == UNSEEN_CARD:
                self._codes.append(UNSEEN)
            else:
                self._codes.append(drawn(event.seat, parse_rank(event.card)))
        elif isinstance(event, Act):
            action = parse_action(event.action)
            if action < KEEP:
                self._open(event.seat)
            self._codes.append(action)

    def codes(self, position: Position) -> Sequence[int]:
        """The codes up to a decision of the seat."""
        if position.big_loser is None:
            self._open(position.mover)
        return self._codes

    def _open(self, seat: int) -> None:
        if not self._opened:
            self._codes.append(OPENS + seat)
            self._opened = True


def parameters_of(rules: Rules, exchange: tuple[int, int] | None = None) -> dict[str, Any]:
    """The parameters of `eight_and_a_half` that name a rule set, and an exchange with which the round begins.

    >>> parameters_of(Rules.shafir(players=3, open_sets=True))
    {'players': 3, 'rules': 'shafir', 'open_sets': 1}
    """
    preset, *terms = rules.text().split("+")
    parameters: dict[str, Any] = {"players": rules.players, "rules": preset}
    for term in terms:
        name, _, value = term.partition("=")
        assert name in OPTIONS
        parameters[name] = int(value) if value.isdigit() else value
    if exchange is not None:
        parameters["exchange_winner"], parameters["exchange_loser"] = exchange
    return parameters

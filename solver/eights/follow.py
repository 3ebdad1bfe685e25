"""Following a round event by event: by somebody who sees all of it, or by one seat."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Self

import msgspec
from eights_core.belief import Belief
from eights_core.halves import BLIND, HAND, OPEN, OPENING, PLAY, TERMINAL

from eights import evidence
from eights.actions import EIGHT_HALF, HALF, TAKE, action_text, parse_action, parse_rank, played_ranks, split_play
from eights.deals import excluded_yellow, lowest_yellow
from eights.errors import ImpossiblePosition
from eights.events import UNSEEN, Act, End, Event, RecordError, Reveal, ZoneName
from eights.position import Position, Unknown
from eights.position_checks import check_position
from eights.rules import Rules
from eights.seat import ALL_RANKS, Card
from eights.state import IllegalAction, State

ZONES: Final[dict[int, ZoneName]] = {HAND: "hand", OPEN: "open", BLIND: "blind"}


class Follower:
    """A round as it is known after some of its events, and what its hidden hands have shown.

    `seat` is the one that follows, None for somebody who sees every card. An event that the rules do not allow is a
    RecordError and changes nothing.
    """

    def __init__(self, rules: Rules, exchange: tuple[int, int] | None, seat: int | None) -> None:
        self.state = State(rules, exchange)
        self.seat = seat
        self.shown: list[evidence.Shown] = [()] * rules.players

    def copy(self) -> Self:
        """An independent follower at the same point."""
        other = type(self).__new__(type(self))
        other.state, other.seat, other.shown = self.state.copy(), self.seat, self.shown.copy()
        return other

    # events

    def follow(self, event: Event) -> None:
        """What happens next; anything but the start of a round."""
        if isinstance(event, Reveal):
            self.reveal(event)
        elif isinstance(event, Act):
            self.act(event)
        elif isinstance(event, End):
            self.end(event)
        else:
            raise RecordError("The round has begun: it cannot start again.")

    def reveal(self, event: Reveal) -> None:
        """A card comes up."""
        place = self.state.chance_place()
        if place is None:
            raise RecordError("No card is to come up here.")
        seat, zone = place
        if (event.seat, event.zone) != (seat, ZONES[zone]):
            raise RecordError(f"The next card comes up in the {ZONES[zone]} of seat {seat}, not in {_where(event)}.")
        if event.card == UNSEEN:
            if zone != HAND or self.seat is None or self.seat == seat:
                raise RecordError(f"The card in the {ZONES[zone]} of seat {seat} is seen, so it cannot be {UNSEEN!r}.")
            self.state.try_unseen()
        elif zone == HAND and self.seat not in (None, seat):
            raise RecordError(f"Seat {self.seat} does not see the hand of seat {seat}: the card must be {UNSEEN!r}.")
        else:
            try:
                self.state.apply(parse_rank(event.card))
            except ValueError as error:
                raise RecordError(str(error)) from None
        if zone == HAND:
            self.shown[seat] = evidence.after_draw(self.shown[seat])

    def act(self, event: Act) -> None:
        """A player acts."""
        state, seat = self.state, event.seat
        if state.mover < 0:
            over = state.mover == TERMINAL
            raise RecordError("The round is over." if over else "A card is to come up before somebody acts.")
        try:
            action = parse_action(event.action)
        except ValueError as error:
            raise RecordError(str(error)) from None
        unsure = self.opener_is_unsure
        if seat != state.mover and not (unsure and 0 <= seat < state.players):
            raise RecordError(f"It is the turn of seat {state.mover}, not of seat {seat}.")
        if unsure or (self.seat is not None and state.hidden(seat)):
            state = self._proved(seat, action)
        playable = state.playable() if action == TAKE else 0
        try:
            state.apply(action)
        except IllegalAction as error:
            raise RecordError(str(error)) from None
        self.state, self.shown[seat] = state, _after(self.shown[seat], action, playable)

    def end(self, event: End) -> None:
        """The round is over, as the event says."""
        expected = self.outcome()
        for name in ("reason", "winner", "points", "counts"):
            if getattr(event, name) != getattr(expected, name):
                raise RecordError(
                    f"The {name} at the end of the round is {_listed(getattr(expected, name))}, "
                    f"not {_listed(getattr(event, name))}."
                )

    def outcome(self) -> End:
        """The end of the round; RecordError if it is not over."""
        state = self.state
        if state.mover != TERMINAL:
            raise RecordError("The round is not over.")
        return End(
            reason="max_plies" if state.winner is None else "out",
            winner=state.winner,
            points=tuple(int(points) if points.is_integer() else points for points in state.points()),
            counts=tuple(state.counts()),
        )

    # what is known

    def position(self, seat: int, opener: int | None = None) -> Position:
        """What a seat knows at a decision; ValueError where nobody decides.

        `opener` says who is to open the round where the follower cannot know.
        """
        state = self.state
        if opener is not None and self.opener_is_unsure:
            state = state.copy()
            state.try_opener(opener)
        position = state.observation(seat)
        seats = list(position.seats)
        for other, shown in enumerate(self.shown):
            if any(shown) and other != seat:
                seats[other] = replace(seats[other], hand=tuple(map(Unknown, shown)))
        return replace(position, seats=tuple(seats))

    @property
    def opener_is_unsure(self) -> bool:
        """Whether the round is to be opened, and hidden hands decide by whom."""
        return self.seat is not None and self.state.phase == OPENING

    def _proved(self, seat: int, action: int) -> State:
        """The state with the cards named that a hand plays of which none is seen; RecordError if that cannot be."""
        state = self.state.copy()
        state.try_opener(seat)
        played = played_ranks(action) if action <= EIGHT_HALF else ()
        shown = self.shown.copy()
        if state.hidden(seat):
            try:
                shown[seat] = _after(shown[seat], action, state.playable())
            except ValueError:
                raise RecordError(
                    f"Seat {seat} has shown that it does not hold what {action_text(action)} plays."
                ) from None
            for rank in set(played):
                if not state.try_name(seat, rank, played.count(rank)):
                    raise RecordError(f"Seat {seat} cannot hold what {action_text(action)} plays: the others are seen.")
        try:
            if state.phase == OPENING:
                assert self.seat is not None
                check_position(_opening(self.position(self.seat, opener=seat), played))
            if any(map(any, shown)):
                _check_fits(state, shown)
        except ValueError as error:
            fault = error.faults[0] if isinstance(error, ImpossiblePosition) else error
            raise RecordError(f"Seat {seat} cannot have done {action_text(action)}: {fault}") from None
        return state


def _opening(position: Position, played: Sequence[int]) -> Position:
    """The position of an opener who is now known to have held what he played, and no lower yellow card (rules §5)."""
    seat = position.seats[position.mover]
    unseen = [card for card in seat.hand if isinstance(card, Unknown)]
    if not unseen:
        return position
    below = Unknown(excluded_yellow(position.mover, position.mover, lowest_yellow(played)))
    hand: tuple[Card, ...] = (*played, *[below] * (len(unseen) - len(played)))
    seats = list(position.seats)
    seats[position.mover] = replace(seat, hand=hand)
    return replace(position, seats=tuple(seats))


def _check_fits(state: State, shown: Sequence[evidence.Shown]) -> None:
    """ValueError if no deal of the unseen cards fits what the hidden hands have shown."""
    Belief(
        state.ruleset,
        mover=0,
        phase=PLAY,
        exchange=None,
        value=state.value,
        demand=state.demand,
        plies=state.plies,
        pile=state.pile,
        seats=[
            (state.bank(n), state.hand(n), state.open(n), state.blind(n), state.aside(n), state.at_table(n))
            for n in range(state.players)
        ],
        unknown=[
            (HAND, seat, ALL_RANKS & ~excluded, count)
            for seat, hand in enumerate(shown)
            if state.hidden(seat)
            for excluded, count in Counter(hand).items()
        ],
    )


def _after(shown: evidence.Shown, action: int, playable: int) -> evidence.Shown:
    """What a hidden hand shows after its player acts; ValueError if it had shown that he cannot."""
    if not shown:
        return shown
    if action == TAKE:
        return evidence.after_take(shown, playable)
    if action < EIGHT_HALF:
        return evidence.after_play(shown, *split_play(action))
    if action == EIGHT_HALF:
        return evidence.after_play(evidence.after_play(shown, 8, 1), HALF, 1)
    return shown


def _where(event: Reveal) -> str:
    return f"the {event.zone} of seat {event.seat}"


def _listed(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else f"{text[:80]}…"

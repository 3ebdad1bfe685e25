"""Which deals fit a position: its text, and at the opening what it shows that this player opens (rules §5, §10)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from eights_core.belief import Belief
from eights_core.halves import ASIDE, EXCHANGE, HAND, OPEN, OPENING, PILE, PLAY
from eights_core.rng import Rng

from eights.actions import NUM_RANKS, YELLOW
from eights.seat import ALL_RANKS, Card, Unknown, known_counts, possible_ranks

if TYPE_CHECKING:
    from eights.position import Position

NO_YELLOW: Final = NUM_RANKS
"""Stands for the lowest yellow rank of a hand without yellow cards."""

_YELLOW: Final = sum(1 << rank for rank in YELLOW)
_PHASES: Final = {"x": EXCHANGE, "o": OPENING, "": PLAY}


def belief(position: "Position") -> Belief:
    """The deals that fit. ValueError if none does, or if it is not certain which card the opener must play."""
    hidden_yellow = [0] * position.players
    if position.mode == "o":
        lowest = lowest_yellow(position.seats[position.mover].hand)
        if not _is_certain(position, lowest):
            raise ValueError(f"Seat {position.mover} opens, but its lowest yellow card is not certain.")
        hidden_yellow = [excluded_yellow(position.mover, seat, lowest) for seat in range(position.players)]
    seats = []
    unknown = []
    for number, seat in enumerate(position.seats):
        for zone, cards, ruled_out in (
            (HAND, seat.hand, hidden_yellow[number]),
            (OPEN, seat.open, 0),
            (ASIDE, seat.aside, 0),
        ):
            places = Counter(possible_ranks(card) & ~ruled_out for card in cards if isinstance(card, Unknown))
            unknown += [(zone, number, allowed, count) for allowed, count in places.items()]
        counts = [known_counts(cards) for cards in (seat.hand, seat.open, seat.aside)]
        seats.append((seat.bank, counts[0], counts[1], seat.blind, counts[2], seat.at_table))
    if None in position.pile:
        unknown.append((PILE, -1, ALL_RANKS, position.pile.count(None)))
    value, demand = position.standing
    return Belief(
        position.rules.ruleset,
        mover=position.mover,
        phase=_PHASES[position.mode],
        exchange=None if position.big_loser is None else (position.mover, position.big_loser),
        value=value,
        demand=demand,
        plies=position.plies,
        pile=position.pile_counts,
        seats=seats,
        unknown=unknown,
    )


def openings(position: "Position") -> tuple[tuple["Position", float], ...]:
    """Positions with one belief each that share out the deals that fit, and how many fit each; ValueError if none fits.

    Only at an opening with an uncertain lowest yellow card are they others than the position itself.
    """
    if position.mode != "o" or _is_certain(position, lowest_yellow(position.seats[position.mover].hand)):
        return ((position, position.belief.deals),)
    fitting = []
    fault = f"No deal of the unseen cards fits an opening by seat {position.mover}."
    for opening in _certain_openings(position):
        try:
            fitting.append((opening, belief(opening).deals))
        except ValueError as error:
            fault = str(error)
    if not fitting:
        raise ValueError(fault)
    return tuple(fitting)


def choose(weighted: Sequence[tuple["Position", float]], rng: Rng) -> "Position":
    """One of several positions, each as likely as deals fit it."""
    at = rng.random() * sum(weight for _, weight in weighted) if len(weighted) > 1 else 0.0
    for position, weight in weighted:
        at -= weight
        if at < 0:
            return position
    return weighted[-1][0]


def lowest_yellow(hand: Sequence[Card]) -> int:
    """The lowest yellow rank that a hand may hold, NO_YELLOW if it can hold none."""
    possible = 0
    for card in hand:
        possible |= possible_ranks(card)
    return min((rank for rank in YELLOW if possible >> rank & 1), default=NO_YELLOW)


def excluded_yellow(opener: int, seat: int, lowest: int) -> int:
    """The set of ranks that are not in a seat's hand when `opener` opens with his lowest yellow card (rules §5)."""
    below = (1 << lowest) - 1
    own = 1 << lowest if seat < opener else 0
    return _YELLOW & (below | own)


def contradicting(position: "Position", lowest: int) -> list[tuple[int, int]]:
    """The known cards, (seat, rank), in hands that show that the mover does not open with `lowest`."""
    return [
        (number, card)
        for number, seat in enumerate(position.seats)
        for card in seat.hand
        if not isinstance(card, Unknown) and excluded_yellow(position.mover, number, lowest) >> card & 1
    ]


def _is_certain(position: "Position", lowest: int) -> bool:
    """Whether a rank that may be the opener's lowest yellow one, none being possible below it, is just that."""
    hand = position.seats[position.mover].hand
    return lowest == NO_YELLOW or any(possible_ranks(card) == 1 << lowest for card in hand)


def _certain_openings(position: "Position") -> Iterator["Position"]:
    """The opening split by the rank of the opener's lowest yellow card and by the first card that is of this rank."""
    opener = position.mover
    hand = position.seats[opener].hand
    for lowest in (*YELLOW, NO_YELLOW):
        if contradicting(position, lowest) or (lowest == NO_YELLOW and opener != 0):
            continue
        ranks = [possible_ranks(card) & ~excluded_yellow(opener, opener, lowest) for card in hand]
        own = 1 << lowest
        firsts = range(len(hand)) if lowest != NO_YELLOW else ()
        splits = [[*(r & ~own for r in ranks[:i]), ranks[i] & own, *ranks[i + 1 :]] for i in firsts] or [ranks]
        yield from (_with_hand(position, split) for split in splits if all(split))


def _with_hand(position: "Position", ranks: Sequence[int]) -> "Position":
    """The position with the mover's unknown cards restricted to these sets of ranks."""
    seat = position.seats[position.mover]
    hand = tuple(
        Unknown(ALL_RANKS & ~allowed) if isinstance(card, Unknown) else card
        for card, allowed in zip(seat.hand, ranks, strict=True)
    )
    seats = list(position.seats)
    seats[position.mover] = replace(seat, hand=hand)
    return replace(position, seats=tuple(seats))

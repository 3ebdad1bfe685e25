"""Positions: what the player to move can know of a round, and their text.

    <rules> <mover> <pile> <seat 0>/<seat 1>/… <plies>

    standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5

A seat is ``bank:hand:open:blind:aside``, with ``*`` behind it once its player has begun to play from the table; a card
is a rank char or ``?``, followed by the ranks in braces that it is known not to be. `parse_position` reads such text,
`Position.format` writes it in its canonical form.
"""

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from eights_core.belief import Belief
from eights_core.rng import Rng

from eights import deals
from eights.actions import action_text, played_ranks
from eights.errors import ImpossiblePosition
from eights.pile import walk_pile
from eights.position_checks import check_position
from eights.position_text import Mode, read_position
from eights.rules import Rules
from eights.seat import UNKNOWN, Card, Seat, Unknown, all_known, known_counts

if TYPE_CHECKING:
    from eights.state import State

__all__ = ["UNKNOWN", "Card", "Mode", "Position", "Seat", "Unknown", "parse_position"]


def parse_position(text: str) -> "Position":
    """The position of a text, which need not be canonical: cards and options may stand in any order.

    PositionSyntaxError, or ImpossiblePosition if it can be read, with all faults.

    >>> position = parse_position("standard 1 9 8:???:05G:3:-/9:402:136:3:-/9:???:889:3:-/9:???:247:3:-")
    >>> position.format()
    'standard 1 9 8:???:05G:3:-/9:024:136:3:-/9:???:889:3:-/9:???:247:3:- 1'
    >>> try:
    ...     parse_position("standard 1 9 8:???:05G:3:-/9:0240:136:3:-/9:???:889:3:-/9:???:247:3:- 0")
    ... except ValueError as error:
    ...     for fault in error.faults:
    ...         print(fault)
    The cards add up to 73: the deck has 72, so there is 1 too many.
    Seat 1's hand has 4 cards, but with cards left in the Bank a hand holds exactly 3.
    The plies are 0, but the plays on the pile are at least 1.
    """
    position = Position(*read_position(text))
    check_position(position)
    return position


@dataclass(frozen=True, repr=False)
class Position:
    """What the player to move can know of a round at a decision, and who is to decide what.

    A hand that is not the mover's is written as the others see it. `pile` holds the plays since it was started, oldest
    first, None standing for one unknown card; `big_loser` is the other seat of an exchange decision; `plies` counts the
    player actions so far. What is put together here is taken as it is; `parse_position` does the checking.
    """

    rules: Rules
    mover: int
    mode: Mode
    big_loser: int | None
    pile: tuple[int | None, ...]
    seats: tuple[Seat, ...]
    plies: int

    def format(self) -> str:
        """The canonical text; `parse_position` turns it back into an equal position."""
        mover = f"{self.mover}{self.mode}{'' if self.big_loser is None else self.big_loser}"
        pile = ",".join("?" if play is None else action_text(play) for play in self.pile) or "-"
        return f"{self.rules.text()} {mover} {pile} {'/'.join(map(str, self.seats))} {self.plies}"

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"parse_position({self.format()!r})"

    def __reduce__(self) -> tuple[type["Position"], tuple[object, ...]]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))  # without what is cached

    # what can be seen

    @property
    def players(self) -> int:
        return len(self.seats)

    @cached_property
    def standing(self) -> tuple[int, bool]:
        """The pile's value in half units, and whether it is a five whose demand binds the mover (rules §3)."""
        standings, faults = walk_pile(self.rules, self.pile)
        if faults or len(standings) > 1:
            raise ImpossiblePosition(*faults or ["The value of the pile is not fixed."])
        return next(iter(standings))

    @property
    def value(self) -> Fraction:
        """The pile's value."""
        return Fraction(self.standing[0], 2)

    @property
    def felon(self) -> int | None:
        """The seat before the mover while the pile's value ends in ½ (rules §4)."""
        return (self.mover - 1) % self.players if self.standing[0] % 2 else None

    @cached_property
    def pile_counts(self) -> tuple[int, ...]:
        """How many of the known cards on the pile are of each of the 12 ranks."""
        return known_counts(rank for play in self.pile if play is not None for rank in played_ranks(play))

    @property
    def unseen(self) -> tuple[int, ...]:
        """How many cards of each of the 12 ranks are not known: they are Bank and Blind Cards and the `?`."""
        zones = [known_counts(seat.hand + seat.open + seat.aside) for seat in self.seats]
        return tuple(n - sum(known) for n, *known in zip(self.rules.deck, self.pile_counts, *zones, strict=True))

    # what may follow

    @cached_property
    def belief(self) -> Belief:
        """The deals that fit, each equally likely: what a search draws from.

        ValueError if none fits, or if they do not make one belief: see `openings`.
        """
        return deals.belief(self)

    @cached_property
    def openings(self) -> tuple[tuple["Position", float], ...]:
        """Positions that each have a belief and that share out the deals that fit this one; how many fit each.

        That is the position itself with one exception: the opening by a player whose hand does not show which yellow
        card is his lowest, and so what the others cannot hold (rules §5). ValueError if no deal fits.
        """
        return deals.openings(self)

    def sample(self, rng: Rng) -> "State":
        """A state drawn uniformly from the deals that fit; ValueError if none fits."""
        from eights.state import State  # which itself makes positions

        return State.from_deal(deals.choose(self.openings, rng), rng)

    def legal_actions(self) -> list[int]:
        """The mover's legal actions, ascending; ValueError as `check_analysable`.

        >>> text = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
        >>> parse_position(text).legal_actions()
        [0]
        """
        self.check_analysable()
        return self.sample(Rng(0)).legal_actions()

    def check_analysable(self) -> None:
        """ValueError, a sentence, unless the mover's hand is known and whatever else decides what he may do."""
        seat = self.seats[self.mover]
        if not all_known(seat.hand):
            raise ValueError(f"Seat {self.mover} is to act, but not all cards of its hand are known.")
        if self.big_loser is not None:
            for who in (self.mover, self.big_loser):
                if not all_known(self.seats[who].open):
                    raise ValueError(f"Seat {self.mover} may exchange, but not all Open Cards of seat {who} are known.")
        elif not seat.hand and not seat.bank and not all_known(seat.open):
            raise ValueError(f"Seat {self.mover} plays from its Open Cards, but not all of them are known.")

    @property
    def is_analysable(self) -> bool:
        """Whether `check_analysable` has nothing to say."""
        try:
            self.check_analysable()
        except ValueError:
            return False
        return True

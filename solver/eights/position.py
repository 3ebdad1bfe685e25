"""Positions: what the player to move can know of a round, as values, and their text.

    <rules> <mover> <pile> <seat 0>/<seat 1>/… <plies>

    standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5

A seat is ``bank:hand:open:blind:aside``, with ``*`` behind it once its player has begun to play from the table; a card
is a rank char or ``?``, followed by the ranks in braces that it is known not to be. `parse_position` reads such text,
`Position.format` writes it in its canonical form.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from eights_core.belief import Belief
from eights_core.rng import Rng

from eights import deals
from eights.actions import NUM_RANKS, RANK_CHARS, action_text, played_ranks
from eights.errors import ImpossiblePosition
from eights.pile import walk_pile
from eights.rules import Rules

if TYPE_CHECKING:
    from eights.state import State

ALL_RANKS: Final = (1 << NUM_RANKS) - 1
"""The set of all ranks: sets of ranks are ints with bit r set for rank r."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A card that is not known; `excluded` is the set of ranks (bit r for rank r) that it is known not to be.

    >>> str(Unknown()), str(Unknown(1 << 9 | 1 << 11))
    ('?', '?{9G}')
    """

    excluded: int = 0

    def __str__(self) -> str:
        ranks = "".join(char for rank, char in enumerate(RANK_CHARS) if self.excluded >> rank & 1)
        return f"?{{{ranks}}}" if ranks else "?"


Card: TypeAlias = int | Unknown
"""A rank id, or a card that is not known."""
Mode: TypeAlias = Literal["", "o", "x"]
"""An ordinary turn, the play that opens the round, the exchange decision."""


def possible_ranks(card: Card) -> int:
    """The set of ranks that a card may have."""
    return ALL_RANKS & ~card.excluded if isinstance(card, Unknown) else 1 << card


def known_counts(cards: Iterable[Card | None]) -> tuple[int, ...]:
    """How many of the known cards are of each of the 12 ranks."""
    counts = [0] * NUM_RANKS
    for card in cards:
        if isinstance(card, int):
            counts[card] += 1
    return tuple(counts)


@dataclass(frozen=True)
class Seat:
    """One player's cards. `bank` and `blind` are numbers of cards; the other zones are sorted as in the text."""

    bank: int
    hand: tuple[Card, ...]
    open: tuple[Card, ...]
    blind: int
    aside: tuple[Card, ...] = ()
    at_table: bool = False

    def __post_init__(self) -> None:
        for zone in ("hand", "open", "aside"):
            object.__setattr__(self, zone, tuple(sorted(getattr(self, zone), key=_text_order)))

    @property
    def left(self) -> int:
        """Cards that the player still has to get rid of: all but those aside."""
        return self.bank + len(self.hand) + len(self.open) + self.blind

    def __str__(self) -> str:
        zones = (str(self.bank), _zone_text(self.hand), _zone_text(self.open), str(self.blind), _zone_text(self.aside))
        return ":".join(zones) + "*" * self.at_table


@dataclass(frozen=True, repr=False)
class Position:
    """What the player to move can know of a round at a decision, and who is to decide what.

    A hand that is not the mover's is written as the others see it. `pile` holds the plays since it was started, oldest
    first, None standing for one unknown card; `big_loser` is the other seat of an exchange decision; `plies` counts the
    player actions so far. Nothing is checked here: `parse_position` returns sound positions only, and `check_position`
    looks at those made otherwise.
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

    # what can be seen

    @property
    def players(self) -> int:
        return len(self.seats)

    @cached_property
    def standing(self) -> tuple[int, bool]:
        """The pile's value in half units, and whether it is a five whose demand binds the mover (rules §3)."""
        standings, faults = walk_pile(self.rules, self.pile)
        if faults or len(standings) > 1:
            raise ImpossiblePosition(*faults or ["The pile's value is not fixed."])
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

    @cached_property
    def unseen(self) -> tuple[int, ...]:
        """How many cards of each of the 12 ranks are not known: they are in the Banks, Blind Cards and `?`."""
        zones = [known_counts(seat.hand + seat.open + seat.aside) for seat in self.seats]
        return tuple(n - sum(known) for n, *known in zip(self.rules.deck, self.pile_counts, *zones, strict=True))

    # what follows

    @cached_property
    def belief(self) -> Belief:
        """The deals that fit: what a search draws its determinizations from.

        ValueError if none fits, or if this is the opening by a player whose lowest yellow card is not certain: then
        it takes several beliefs, among which `sample` chooses.
        """
        return deals.belief(self)

    @cached_property
    def openings(self) -> tuple[tuple["Position", float], ...]:
        """Positions with certain opening cards that share out the deals that fit this one, and how many fit each.

        That is the position itself unless it is the opening by a player whose lowest yellow card is not certain.
        Empty if no deal fits.
        """
        return deals.openings(self)

    def sample(self, rng: Rng) -> "State":
        """A state drawn uniformly from the deals that fit; ValueError if none fits."""
        from eights.state import State  # a state makes positions

        return State.from_deal(deals.choose(self.openings, rng), rng)

    def legal_actions(self) -> list[int]:
        """The mover's legal actions, ascending; ValueError as `check_analysable`.

        >>> from eights.position_text import parse_position
        >>> text = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
        >>> parse_position(text).legal_actions()
        [0]
        """
        self.check_analysable()
        return self.sample(Rng(0)).legal_actions()

    def check_analysable(self) -> None:
        """ValueError, a sentence, unless all cards are known that decide what the mover may do."""
        seat = self.seats[self.mover]
        if not _all_known(seat.hand):
            raise ValueError(f"Seat {self.mover} is to act, but not all cards in its hand are known.")
        if self.mode == "x":
            for who in (self.mover, self.big_loser):
                if who is not None and not _all_known(self.seats[who].open):
                    raise ValueError(f"Seat {self.mover} may exchange, but not all Open Cards of seat {who} are known.")
        elif not seat.hand and not seat.bank and not _all_known(seat.open):
            raise ValueError(f"Seat {self.mover} plays its Open Cards, but not all of them are known.")

    @property
    def is_analysable(self) -> bool:
        """Whether all cards are known that decide what the mover may do."""
        try:
            self.check_analysable()
        except ValueError:
            return False
        return True


def _all_known(cards: tuple[Card, ...]) -> bool:
    return not any(isinstance(card, Unknown) for card in cards)


def _text_order(card: Card) -> tuple[int, str]:
    """Ranks by id, then `?`, then those with braces by what is in them."""
    return (card, "") if isinstance(card, int) else (NUM_RANKS, _ascending(card))


def _ascending(card: Unknown) -> str:
    return "".join("0123456789ab"[rank] for rank in range(NUM_RANKS) if card.excluded >> rank & 1)


def _zone_text(cards: tuple[Card, ...]) -> str:
    return "".join(str(card) if isinstance(card, Unknown) else RANK_CHARS[card] for card in cards) or "-"

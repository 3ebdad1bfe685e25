"""Cards as a player knows them, and one player's cards on the table."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from eights.actions import NUM_RANKS, RANK_CHARS

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
        ranks = "".join(RANK_CHARS[rank] for rank in _ranks(self.excluded))
        return f"?{{{ranks}}}" if ranks else "?"


UNKNOWN: Final = Unknown()
"""A card of which nothing is known."""

Card: TypeAlias = int | Unknown
"""A rank id, or a card that is not known."""


@dataclass(frozen=True)
class Seat:
    """One player's cards. `bank` and `blind` are numbers of cards; the other zones are sorted as in the text.

    >>> seat = Seat(bank=7, hand=(UNKNOWN, 4, 11), open=(0, 5, 11), blind=3)
    >>> str(seat), seat.sizes
    ('7:4G?:05G:3:-', (7, 3, 3, 3, 0))
    """

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
    def sizes(self) -> tuple[int, int, int, int, int]:
        """How many cards are in each zone, in the order of the text; their sum is the player's count (rules §6)."""
        return self.bank, len(self.hand), len(self.open), self.blind, len(self.aside)

    @property
    def left(self) -> int:
        """Cards that the player still has to get rid of: all but those aside."""
        return sum(self.sizes[:-1])

    def __str__(self) -> str:
        hand, open_cards, aside = map(_zone_text, (self.hand, self.open, self.aside))
        return f"{self.bank}:{hand}:{open_cards}:{self.blind}:{aside}{'*' * self.at_table}"


def possible_ranks(card: Card) -> int:
    """The set of ranks that a card may have."""
    return ALL_RANKS & ~card.excluded if isinstance(card, Unknown) else 1 << card


def all_known(cards: Iterable[Card]) -> bool:
    """Whether none of the cards is unknown."""
    return not any(isinstance(card, Unknown) for card in cards)


def known_counts(cards: Iterable[Card]) -> tuple[int, ...]:
    """How many of the known cards are of each of the 12 ranks."""
    counts = [0] * NUM_RANKS
    for card in cards:
        if not isinstance(card, Unknown):
            counts[card] += 1
    return tuple(counts)


def _ranks(ranks: int) -> list[int]:
    """The ranks of a set, ascending."""
    return [rank for rank in range(NUM_RANKS) if ranks >> rank & 1]


def _text_order(card: Card) -> tuple[int, ...]:
    """Ranks by id, then `?`, then those with braces by what is in them."""
    return (NUM_RANKS, *_ranks(card.excluded)) if isinstance(card, Unknown) else (card,)


def _zone_text(cards: tuple[Card, ...]) -> str:
    return "".join(str(card) if isinstance(card, Unknown) else RANK_CHARS[card] for card in cards) or "-"

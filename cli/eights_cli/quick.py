"""The quick form: a position from the few things that a player at a table says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import eights

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Table:
    """What was said, in the notation of positions.

    In a sequence the asker comes first, then the others clockwise; where it ends early, nothing was said of the rest.
    """

    players: int
    hand: str
    pile: str = "-"
    rules: str = "standard"
    seat: int = 0
    opening: bool = False
    opens: Sequence[str] = ()
    banks: Sequence[int] = ()
    blinds: Sequence[int] = ()
    asides: Sequence[int] = ()

    def text(self) -> str:
        """A position that fits, as text; `sources.HELP` says what is taken for granted.

        RulesError if there are no such rules. Nothing else is checked: the parser of positions names all faults.
        """
        rules = eights.Rules.parse(self.rules, self.players)
        plays = self.pile.split(",") if self.pile != "-" else []
        seats = []
        # Unless his Bank tells otherwise, the asker laid a card on earlier piles, or so many that all lie aside.
        earlier = 0 if self.opening else 1 + sum(self.asides) // self.players
        laid = 0  # what he did lay there; the others laid as much
        for i, cards in enumerate(self._for_hand(rules, plays)):
            shown = _said(self.opens, i, "?" * rules.open_size)
            blind = _said(self.blinds, i, rules.blind_size)
            at_table = len(shown) < rules.open_size or blind < rules.blind_size
            if i == 0:
                hand = self.hand
                at_table = at_table or not hand or len(hand) > rules.hand_size
                late = at_table or len(hand) < rules.hand_size
                bank = _said(self.banks, i, 0 if late else max(0, cards - len(hand) - earlier))
                laid = cards if at_table else cards - bank - len(hand)
            else:
                left = 0 if at_table else max(1, cards - laid)
                bank = _said(self.banks, i, max(0, left - rules.hand_size))
                hand = "?" * (rules.hand_size if bank else min(left, rules.hand_size))
            seats.append((bank, hand, shown, blind, at_table))

        on_table = sum(bank + len(hand) + len(shown) + blind for bank, hand, shown, blind, _ in seats)
        asides = self._asides(sum(rules.deck) - on_table - sum(map(_copies, plays)), len(plays))
        places = [
            f"{bank}:{hand or '-'}:{shown or '-'}:{blind}:{'?' * aside or '-'}{'*' * at_table}"
            for (bank, hand, shown, blind, at_table), aside in zip(seats, asides, strict=True)
        ]
        by_seat = "/".join(places[(seat - self.seat) % self.players] for seat in range(self.players))
        plies = len(plays) + sum(asides) + (sum(asides) > 0)
        return f"{self.rules} {self.seat}{'o' * self.opening} {self.pile} {by_seat} {plies}"

    def _for_hand(self, rules: eights.Rules, plays: Sequence[str]) -> list[int]:
        """Cards of each player's Bank and hand if nothing was laid but this pile, one play by each player in turn."""
        table = rules.open_size + rules.blind_size
        cards = [rules.deal_sizes[(self.seat + i) % self.players] - table for i in range(self.players)]
        for back, play in enumerate(reversed(plays), start=1):
            cards[-back % self.players] -= _copies(play)
        return cards

    def _asides(self, cards: int, plays: int) -> list[int]:
        """Cards aside by player, of all that are. Who took the pile before this one comes first in the sharing out."""
        asides = [_said(self.asides, i, 0) for i in range(self.players)]
        taker = -plays - 1  # counted back from the asker: this pile was started by the player after him
        back_round = [(taker - i) % self.players for i in range(self.players)]
        unsaid = [i for i in back_round if i and i >= len(self.asides)]
        for i in range(cards - sum(asides) if unsaid else 0):
            asides[unsaid[i % len(unsaid)]] += 1
        return asides


def _said(said: Sequence[T], i: int, default: T) -> T:
    return said[i] if i < len(said) else default


def _copies(play: str) -> int:
    """Cards of a play in action text; 1 for what is none."""
    copies = re.fullmatch(r".x(\d{1,2})", play)
    return 2 if play == "8H" else int(copies[1]) if copies else 1

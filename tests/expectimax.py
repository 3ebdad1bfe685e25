"""Exact values of positions in which all hands are public: plain recursive max^n expectimax over the oracle's rounds.

A value is a pair of bounds for every seat. They differ only where a player has several moves that are equally good for
himself but not for the others: what he does then is not said, and the bounds cover every way of choosing, mixed ones
too. Where the bounds of the asking seat meet, his value does not depend on it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from oracle import CHANCE, RANKS, TERMINAL, UNSEEN, Pile, Round, Seat, parse_rules, worth


class Bounds(NamedTuple):
    """The least and the most points of every seat."""

    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]


class TooLargeError(Exception):
    """There are more positions in the tree than was allowed."""


def at_the_table(text: str) -> Round:
    """The round of a position text in which everybody plays from the table; only asides may hold `?`."""
    rules_text, mover, pile_text, seats_text, plies = text.split()
    seats = seats_text.split("/")
    game = Round(parse_rules(rules_text, len(seats)))
    game.draws = []
    game.turn, game.plies = int(mover), int(plies)
    game.seats = [parse_seat(seat) for seat in seats]
    game.pile = lay_all(game, pile_text)
    if game.value.denominator == 2:
        game.felon = (game.turn - 1) % len(seats)
    for card in game.pile.cards + [card for seat in game.seats for card in seat.hand + seat.open + seat.aside]:
        if card != UNSEEN:
            game.pool[card] -= 1
    return game


def parse_seat(text: str) -> Seat:
    """A seat of a position text."""
    bank, hand, open_, blind, aside = text.removesuffix("*").split(":")
    zones = [[(RANKS + "?").index(char) for char in zone if char != "-"] for zone in (hand, open_, aside)]
    return Seat(int(bank), int(blind), zones[0], zones[1], zones[2], text.endswith("*"))


def lay_all(game: Round, text: str) -> Pile:
    """The pile that these plays make, one after the other."""
    pile = Pile()
    for play in [] if text == "-" else text.split(","):
        rank, _, copies = play.partition("x")
        cards = [RANKS.index(char) for char in rank] * int(copies or 1)
        new = worth(game.rules, pile, cards)
        assert new is not None, f"{play} cannot lie there"
        pile = Pile(pile.cards + cards, [*pile.plays, play], *new)
    return pile


class Expectimax:
    """Exact values, each position of the tree worked out once.

    `largest` bounds how many those are (TooLargeError).
    """

    def __init__(self, largest: int = 1_000_000) -> None:
        self.largest = largest
        self.known: dict[tuple[object, ...], tuple[Bounds, int]] = {}

    def value(self, game: Round) -> Bounds:
        """The bounds of every seat's points with best play of all, each for himself."""
        return self.solve(game)[0]

    def size(self, game: Round) -> int:
        """The number of histories from here on: the tree of a search that does not know positions again."""
        return self.solve(game)[1]

    def moves(self, game: Round) -> dict[int, Bounds]:
        """The bounds after each legal action."""
        return {action: self.value(after(game, action)) for action in game.legal_actions()}

    def solve(self, game: Round) -> tuple[Bounds, int]:
        key = key_of(game)
        if key not in self.known:
            if len(self.known) >= self.largest:
                raise TooLargeError
            self.known[key] = self.work_out(game)
        return self.known[key]

    def work_out(self, game: Round) -> tuple[Bounds, int]:
        if game.mover == TERMINAL:
            points = tuple(game.points())
            return Bounds(points, points), 1
        if game.mover == CHANCE:
            outcomes = [(share, *self.solve(after(game, rank))) for rank, share in game.chance_outcomes()]
            low = [sum(share * bounds.low[seat] for share, bounds, _ in outcomes) for seat in range(len(game.seats))]
            high = [sum(share * bounds.high[seat] for share, bounds, _ in outcomes) for seat in range(len(game.seats))]
            return Bounds(tuple(map(Fraction, low)), tuple(map(Fraction, high))), 1 + sum(n for *_, n in outcomes)
        children = [self.solve(after(game, action)) for action in game.legal_actions()]
        return best(game.mover, [bounds for bounds, _ in children]), 1 + sum(n for _, n in children)


def best(mover: int, choices: list[Bounds]) -> Bounds:
    """The bounds where `mover` takes what is best for himself: of the moves that may be it, anything is possible."""
    sure = max(bounds.low[mover] for bounds in choices)
    candidates = [bounds for bounds in choices if bounds.high[mover] >= sure]
    low = [min(points) for points in zip(*(bounds.low for bounds in candidates), strict=True)]
    high = [max(points) for points in zip(*(bounds.high for bounds in candidates), strict=True)]
    low[mover] = sure
    return Bounds(tuple(low), tuple(high))


def after(game: Round, event: int) -> Round:
    """The round after one more event."""
    twin = game.copy()
    twin.apply(event)
    return twin


def key_of(game: Round) -> tuple[object, ...]:
    """All that the future depends on: not the pile's order, but the plies, because of the limit."""
    return (
        game.mover,
        game.turn,
        game.value,
        game.pile.demand,
        game.plies,
        game.winner,
        tuple(sorted(game.pile.cards)),
        tuple(game.draws),
        tuple(
            (tuple(sorted(s.hand)), tuple(sorted(s.open)), tuple(sorted(s.aside)), s.blind, s.at_table)
            for s in game.seats
        ),
    )

"""The form of a position's text; whether there can be such a position is looked at elsewhere."""

import re
from collections.abc import Callable
from typing import Final, Literal, ParamSpec, TypeAlias, TypeVar

from eights.actions import EIGHT_HALF, parse_action, parse_rank
from eights.errors import NotationError, PositionSyntaxError
from eights.rules import MOST_PLAYERS, Rules
from eights.seat import Card, Seat, Unknown
from eights.text import parse_number, quoted

P = ParamSpec("P")
T = TypeVar("T")

Mode: TypeAlias = Literal["", "o", "x"]
"""An ordinary turn, the play that opens the round, the exchange decision."""

MOST_TEXT: Final = 20_000
"""Longer texts are refused unread; the longest position, every card in braces, has some 1,500 characters."""
_MOST_CARDS: Final = 72

_MOVER: Final = re.compile(r"(?P<mover>[0-9])(?:(?P<opening>o)|x(?P<big_loser>[0-9]))?")
_CARD: Final = re.compile(r"(?P<rank>[0-9HG])|\?(?:\{(?P<excluded>[0-9HG]+)\})?")


Fields: TypeAlias = tuple[Rules, int, Mode, int | None, tuple[int | None, ...], tuple[Seat, ...], int]
"""What `eights.position.Position` is made of, in the same order."""


def read_position(text: str) -> Fields:
    """The fields of a position's text; PositionSyntaxError, with all faults, if it cannot be read."""
    if len(text) > MOST_TEXT:
        raise PositionSyntaxError(f"The position is longer than {MOST_TEXT:,} characters.")
    parts = text.split()
    if len(parts) not in (4, 5):
        raise PositionSyntaxError(
            "A position has four parts, rules, mover, pile and seats, and perhaps a fifth, plies, "
            f"but this text has {len(parts)}."
        )
    rules_text, mover_text, pile_text, seats_text, *plies_text = parts
    seat_texts = seats_text.split("/")

    read = _Reader()
    rules = read(Rules.parse, rules_text, len(seat_texts))
    who = read(_parse_mover, mover_text)
    pile = read(_parse_pile, pile_text)
    seats = [read(_parse_seat, seat, f"Seat {n}") for n, seat in enumerate(seat_texts[:MOST_PLAYERS])]
    plies = read(parse_number, plies_text[0], "The number of plies") if plies_text else len(pile or ())
    if rules is None or who is None or pile is None or plies is None or read.faults:
        raise PositionSyntaxError(*read.faults)
    return rules, *who, pile, tuple(filter(None, seats)), plies


class _Reader:
    """Calls parsers and keeps the faults that they raise, so that all of them can be reported."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def __call__(self, parse: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            return parse(*args, **kwargs)
        except NotationError as error:
            self.faults.extend(error.faults)
        except ValueError as error:
            self.faults.append(str(error))
        return None


def _parse_mover(text: str) -> tuple[int, Mode, int | None]:
    match = _MOVER.fullmatch(text)
    if match is None:
        raise ValueError(
            f"The mover is {quoted(text)}, but must be a seat such as 1, with an o if it opens the round (1o), "
            "or an x and the Big Loser's seat if it decides about the exchange (1x0)."
        )
    if match["big_loser"] is not None:
        return int(match["mover"]), "x", int(match["big_loser"])
    return int(match["mover"]), "o" if match["opening"] else "", None


def _parse_pile(text: str) -> tuple[int | None, ...]:
    if text == "-":
        return ()
    items = text.split(",")
    if len(items) > _MOST_CARDS:
        raise ValueError(f"The pile has {len(items)} plays, but there are only {_MOST_CARDS} cards.")
    read = _Reader()
    plays = [None if item == "?" else read(_parse_play, item, number) for number, item in enumerate(items, start=1)]
    known = [item != "?" for item in items]
    if known != sorted(known):
        read.faults.append("Unknown cards of the pile must come first, under all known plays.")
    if read.faults:
        raise PositionSyntaxError(*read.faults)
    return tuple(plays)


def _parse_play(text: str, number: int) -> int:
    try:
        action = parse_action(text)
    except ValueError as error:
        raise ValueError(f"Play {number} of the pile: {error}") from None
    if action > EIGHT_HALF:
        raise ValueError(f"Play {number} of the pile, {text}, does not lay a card.")
    return action


def _parse_seat(text: str, who: str) -> Seat:
    parts = text.removesuffix("*").split(":")
    if len(parts) != 5:
        raise ValueError(f"{who}, {quoted(text)}, must have five parts, bank:hand:open:blind:aside.")
    read = _Reader()
    bank = read(parse_number, parts[0], f"{who}'s Bank")
    hand = read(_parse_cards, parts[1], f"{who}'s hand")
    open_cards = read(_parse_cards, parts[2], f"The Open Cards of {who.lower()}")
    blind = read(parse_number, parts[3], f"The number of Blind Cards of {who.lower()}")
    aside = read(_parse_cards, parts[4], f"What {who.lower()} has aside")
    if bank is None or hand is None or open_cards is None or blind is None or aside is None:
        raise PositionSyntaxError(*read.faults)
    return Seat(bank, hand, open_cards, blind, aside, at_table=text.endswith("*"))


def _parse_cards(text: str, what: str) -> tuple[Card, ...]:
    cards: list[Card] = []
    at = 0
    while text != "-" and at < len(text):
        match = _CARD.match(text, at)
        if match is None:
            raise ValueError(
                f"{what}, {quoted(text)}, must be - or cards: the ranks 0 to 9, H and G, or ?, with the ranks that it "
                f"is known not to be in braces; {quoted(text[at:])} does not begin with one."
            )
        if len(cards) == _MOST_CARDS:
            raise ValueError(f"{what} has more cards than the deck of {_MOST_CARDS}.")
        if match["rank"]:
            cards.append(parse_rank(match["rank"]))
        else:
            cards.append(Unknown(sum(1 << parse_rank(char) for char in set(match["excluded"] or ""))))
        at = match.end()
    if not text:
        raise ValueError(f"{what} must be written - if there are no cards.")
    return tuple(cards)

"""Short ways to set a table for a test.

Positions in which the cards that do not matter are filled in, and rounds driven by action texts and chosen outcomes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import eights

RANKS = "0123456789HG"
COPIES = (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8)


def pile_cards(pile: str) -> str:
    """The cards of a pile's text: `3x2,H,8H` is 33H8H."""
    cards = ""
    for play in pile.replace("-", "").split(","):
        rank, times, copies = play.partition("x")
        cards += rank * int(copies) if times else play
    return cards


def situation(text: str, unseen: str = "") -> eights.Position:
    """The position of a text in which a `…` stands for as many `?` as complete the deck.

    Rules that begin with `small` are those of a little game, one card in hand, one open and two blind, with a deck of
    just the cards in the text and the `unseen` ones.
    """
    rules, mover, pile, seats, *plies = text.split()
    zones = [seat.split(":") for seat in re.sub(r"\*|\{.*?\}", "", seats).split("/")]
    named = Counter(pile_cards(pile) + "".join(hand + open_ + aside for _, hand, open_, _, aside in zones))
    hidden = named["?"] + sum(int(bank) + int(blind) for bank, _, _, blind, _ in zones)
    if rules.startswith("small"):
        assert len(unseen) == hidden, f"{hidden} cards are unseen"
        named += Counter(unseen)
        deck = ".".join(str(named[rank]) for rank in RANKS)
        rules = f"standard+deck={deck}+hand_size=1+open_size=1+blind_size=2" + rules.removeprefix("small")
    else:
        known = sum(named[rank] for rank in RANKS)
        seats = seats.replace("…", "?" * (sum(COPIES) - known - hidden))
    return eights.parse_position(" ".join([rules, mover, pile, seats, *(plies or ["60"])]))


def legal(text: str, unseen: str = "") -> str:
    """What may be done in a situation, in ascending id."""
    return " ".join(map(eights.action_text, situation(text, unseen).legal_actions()))


def choices(state: eights.State) -> str:
    """What the mover of a state may do, in ascending id."""
    return " ".join(map(eights.action_text, state.legal_actions()))


def table(text: str, *events: str, unseen: str = "") -> eights.State:
    """A deal of a situation, and then what happens."""
    return play(situation(text, unseen).sample(eights.Rng(1)), *events)


def play(state: eights.State, *events: str) -> eights.State:
    """Let the events happen: an action's text at a decision, a rank at a chance event."""
    for event in events:
        state.apply(RANKS.index(event) if state.mover == eights.CHANCE else eights.parse_action(event))
    return state


def dealt(rules: str, *seats: str, exchange: tuple[int, int] | None = None) -> eights.State:
    """A new round in which each seat has got these cards, `open:hand`."""
    state = eights.State(eights.Rules.parse(rules, len(seats)), exchange=exchange)
    return play(state, *"".join(seats).replace(":", ""))


def cards(counts: Sequence[int]) -> str:
    """The cards of twelve counts by rank."""
    return "".join(rank * count for rank, count in zip(RANKS, counts, strict=True)) or "-"


def worth(state: eights.State) -> str:
    """The value of the pile as the rules page writes it."""
    whole, half = divmod(state.value, 2)
    return (str(whole) if whole or not half else "") + "½" * half


def holds(state: eights.State, seat: int) -> str:
    """A seat's hand, Open Cards and aside."""
    return ":".join(cards(zone) for zone in (state.hand(seat), state.open(seat), state.aside(seat)))


def hands(state: eights.State) -> list[str]:
    """Every seat's hand."""
    return [cards(state.hand(seat)) for seat in range(state.players)]


def deals(text: str) -> list[eights.State]:
    """Many deals that fit a position."""
    position, rng = situation(text), eights.Rng(5)
    return [position.sample(rng) for _ in range(300)]

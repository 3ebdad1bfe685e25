"""Rounds in words: pure functions from events, and the states before and after them, to sentences."""

from collections.abc import Iterator, Sequence

import eights
from eights.actions import BLIND, EIGHT_HALF, KEEP, SWAP, TAKE, play_action, split_swap
from eights.events import Act, End, Event, Number, Reveal
from eights.pile import value_text

from eights_cli.render import table

_LONGEST_NAME = 40


def steps(record: eights.Record) -> Iterator[list[str]]:
    """What happened, in sentences: first in the deal, then with each action of a player."""
    told: list[str] = []
    before = eights.State(record.rules, record.start.exchange)
    last: Event = record.start
    for event, state in record.replay():
        if isinstance(event, Act):
            yield told
            told = [acted(event, before, state)]
        elif isinstance(event, Reveal) and event.zone == "blind":
            told.append(flipped(event, before, state))
        elif isinstance(event, Reveal):
            if isinstance(last, Reveal) and (last.seat, last.zone) == (event.seat, event.zone):
                told[-1] = f"{told[-1].removesuffix('.')} {event.card}."
            else:
                told.append(f"Seat {event.seat} {_COMES[event.zone]} {event.card}.")
        elif isinstance(event, End):
            told.append("The limit of actions is reached." if event.winner is None else f"Seat {event.winner} is out.")
        before, last = state.copy(), event
    yield told


def acted(event: Act, before: eights.State, after: eights.State) -> str:
    """What a player did, and what came of it; a Blind Card is yet to come up."""
    seat, action = event.seat, eights.parse_action(event.action)
    if action == TAKE:
        return f"Seat {seat} takes the pile{_to(seat, before, after)}."
    if action == BLIND:
        return f"Seat {seat} flips a Blind Card."
    if action == KEEP:
        return f"Seat {seat} exchanges nothing."
    if action >= SWAP:
        assert before.exchange is not None
        own, other = map(eights.rank_char, split_swap(action))
        return f"Seat {seat} exchanges Open Cards with seat {before.exchange[1]}, its {own} for {other}."
    from_table = not before.hidden(seat) and not any(before.hand(seat))
    shown = "8 and Half together" if action == EIGHT_HALF else event.action
    return f"Seat {seat} plays {shown}{' of its Open Cards' * from_table}{_laid(seat, action, before, after)}."


def flipped(event: Reveal, before: eights.State, after: eights.State) -> str:
    """What came of a Blind Card."""
    action = play_action(eights.parse_rank(event.card))
    if before.ruleset.lay(before.value, before.demand, action) is None:
        return f"It is {event.card} and does not fit: seat {event.seat} takes the pile{_to(event.seat, before, after)}."
    return f"It is {event.card}{_laid(event.seat, action, before, after)}."


def ending(end: End, names: Sequence[str]) -> str:
    """A row for each seat at the end of a round."""
    rows = [
        ["*" if seat == end.winner else "", str(seat), printable(name), number(points), str(count)]
        for seat, (name, points, count) in enumerate(zip(names, end.points, end.counts, strict=True))
    ]
    return table([["", "seat", "name", "points", "cards"], *rows], "<<<>>")


def printable(name: str) -> str:
    """A name that somebody wrote into a record, harmless to a terminal and not too long for a page."""
    shown = "".join(char if char.isprintable() else "?" for char in name)
    return shown if len(shown) <= _LONGEST_NAME else f"{shown[: _LONGEST_NAME - 1]}…"


def number(points: Number) -> str:
    """Points, which may have been shared."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


_COMES = {"open": "sets out", "hand": "draws"}


def _laid(seat: int, action: int, before: eights.State, after: eights.State) -> str:
    """What a play that was legal makes of the pile."""
    laid = before.ruleset.lay(before.value, before.demand, action)
    if laid is not None and laid[2]:
        felon = (seat - 1) % before.players
        return f" and catches seat {felon}, who takes the pile{_to(felon, before, after)}"
    felony = f", and seat {seat} is a felon" if after.value % 2 else ""
    return f"; the pile stands at {value_text(after.value)}{felony}"


def _to(seat: int, before: eights.State, after: eights.State) -> str:
    """How many cards came to a seat, and where they went (rules §5)."""
    aside = sum(after.aside(seat)) - sum(before.aside(seat))
    cards = aside or sum(after.hand(seat)) - sum(before.hand(seat))
    return f", {cards} card{'s' * (cards > 1)} {'put aside' if aside else 'into its hand'}"

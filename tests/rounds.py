"""Records of rounds for tests: told event by event, or played at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import eights
from eights.events import Act, Reveal
from eights.follow import ZONES
from eights.record import seen_by
from eights.seat import UNKNOWN

LITTLE = "standard+deck=2.1.2.1.1.2.1.1.2.2.2.2+hand_size=2+open_size=1+blind_size=1"
"""Rules of a short round for 2 or 3 players."""


def told(rules: str, players: int, *events: str, exchange: tuple[int, int] | None = None) -> eights.Record:
    """The record of what happens: a rank where a card comes up, an action's text at a decision."""
    record = eights.Record(eights.Rules.parse(rules, players), exchange=exchange)
    return tell(record, *events)


def tell(record: eights.Record, *events: str) -> eights.Record:
    """What happens next in a record."""
    for event in events:
        place = record.state.chance_place()
        if place is None:
            record.act(eights.parse_action(event))
        else:
            record.add(Reveal(seat=place[0], zone=ZONES[place[1]], card=event))
    return record


def played(
    rules: eights.Rules, seed: int, *, exchange: tuple[int, int] | None = None, plies: int | None = None
) -> eights.Record:
    """The record of a round that is played at random, whole or for some plies."""
    return play_on(eights.Record(rules, exchange=exchange), seed, plies)


def play_on(record: eights.Record, seed: int, plies: int | None = None) -> eights.Record:
    """Play at random from where a record stands, for some plies or to the end."""
    rng, choice = eights.Rng(seed), Random(seed)
    record.deal(rng)
    while record.state.mover != eights.TERMINAL:
        if record.plies == plies:
            return record
        record.act(choice.choice(record.state.legal_actions()))
        record.deal(rng)
    record.finish()
    return record


def decisions(record: eights.Record) -> Iterator[eights.State]:
    """The state at every decision, also at one that is still to be made."""
    state = eights.State(record.rules, record.start.exchange)
    for event, after in record.replay():
        if isinstance(event, Act):
            yield state
        state = after.copy()
    if state.mover >= 0:
        yield state


def heard(record: eights.Record, seat: int) -> eights.Record:
    """The record that a seat writes while it hears the events."""
    view = eights.Record(record.rules, names=record.names, exchange=record.start.exchange, seat=seat)
    for event in record.events[1:]:
        view.add(seen_by(seat, event))
    return view


def bare(position: eights.Position) -> eights.Position:
    """A position without its evidence."""

    def forgotten(seat: eights.Seat) -> eights.Seat:
        return replace(seat, hand=tuple(UNKNOWN if isinstance(card, eights.Unknown) else card for card in seat.hand))

    return replace(position, seats=tuple(map(forgotten, position.seats)))

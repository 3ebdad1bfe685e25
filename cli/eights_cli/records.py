"""Records from files: reading them, and the position that is asked about."""

import click
from eights import TERMINAL, MatchRecord, Position, Record, RecordError
from eights.events import AnyEvent, Extra, MatchStart, load


def read(source: str) -> tuple[Record | MatchRecord | None, str]:
    """The record in a file, `-` for standard input, and what is wrong with the line that ends it, if anything is."""
    with click.open_file(source, "rb") as file:
        try:
            return load(file, _begin), ""
        except RecordError as error:
            line = "" if error.line is None else f"{error.line}:"
            return error.record, f"{source}:{line} {error.message}"


def _begin(event: AnyEvent, extra: Extra) -> Record | MatchRecord:
    return (MatchRecord if isinstance(event, MatchStart) else Record).begin(event, extra)


def round_of(record: Record | MatchRecord, number: int | None) -> Record:
    """A round of a match, by default the last, or the one that the record is of; ValueError if there is no such."""
    if isinstance(record, Record):
        if number is not None:
            raise ValueError("This is the record of one round: --round is for those of matches.")
        return record
    if not record.rounds:
        raise ValueError("No round of the match has begun.")
    if number is None:
        return record.rounds[-1]
    if number >= len(record.rounds):
        raise ValueError(f"There is no round {number}: the match has rounds 0 to {len(record.rounds) - 1}.")
    return record.rounds[number]


def decision(record: Record, ply: int | None, seat: int | None) -> Position:
    """What the seat to act knew at a ply, by default now; ValueError if nobody acts, or not the `seat` asked for."""
    if ply is None:
        ply = record.plies
    if ply == record.plies and record.state.mover < 0:
        why = "the round is over" if record.state.mover == TERMINAL else "a card is to come up"
        other = f" Say with --ply at which of its plies, 0 to {ply - 1}." if ply else ""
        raise ValueError(f"Nobody acts where the record ends: {why}.{other}")
    position = record.position(ply, seat)
    if seat is None:
        seat = record.seat
    if seat not in (None, position.mover):
        raise ValueError(f"Seat {seat} is not to act at ply {ply}: seat {position.mover} is.")
    return position

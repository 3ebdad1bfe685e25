"""Recorded rounds and matches as something to read: pure functions from records to paragraphs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import eights
from eights.events import End, MatchStart, Scores, Start
from eights_core.halves import OPENING

from eights_cli import drawing
from eights_cli.render import table, wrapped
from eights_cli.telling import ending, number, printable, steps


def match_pages(match: eights.MatchRecord) -> Iterator[str]:
    """A whole match, with the scores after each round."""
    whose = "" if match.player is None else f", as player {match.player} saw it"
    yield _heading("A match", match.start, whose, "Players", match.unknown_fields)
    for played, record in enumerate(match.rounds):
        yield from round_pages(record, f"Round {played}")
        if played < len(match.scores):
            yield _scores(match.scores[played], match.start.names)


def round_pages(record: eights.Record, title: str, plies: tuple[int, int] | None = None) -> Iterator[str]:
    """A round: the deal, each decision with the table before and what came of it, and the end; or some plies of it."""
    first, last = plies or (0, record.plies)
    whose = "" if record.seat is None else f", as seat {record.seat} saw it"
    yield _heading(title, record.start, whose, "Seats", record.unknown_fields)
    for ply, told in enumerate(steps(record), start=-1):
        if ply == -1 and plies is None and told:
            yield _told(told)
        elif first <= ply <= last:
            yield f"Ply {ply}"
            yield _table(record, ply)
            yield _told(told)
    if last == record.plies:
        end = record.events[-1]
        yield ending(end, record.names) if isinstance(end, End) else _now(record)


def _heading(title: str, start: MatchStart | Start, whose: str, places: str, unknown_fields: Sequence[str]) -> str:
    names = ", ".join(f"{place} {printable(name)}" for place, name in enumerate(start.names))
    seed = "" if start.seed is None else f", seed {start.seed}"
    lines = [f"{title}: {start.rules}, {start.players} players{seed}{whose}", f"{places}: {names}"]
    if isinstance(start, Start) and start.exchange is not None:
        winner, big_loser = start.exchange
        lines.append(
            f"Seat {winner}, the winner of the round before, may exchange with the Big Loser, seat {big_loser}."
        )
    if unknown := ", ".join(map(printable, unknown_fields)):
        lines.append(f"Fields that this version does not know: {unknown}")
    return "\n".join(map(wrapped, lines))


def _told(sentences: Iterable[str]) -> str:
    return "\n".join(wrapped(sentence, "> ") for sentence in sentences)


def _table(record: eights.Record, ply: int) -> str:
    """The table at a decision: with every card, or from the chair of the seat whose record it is."""
    position = record.position(ply)
    if record.seat is None:
        seats = [record.position(ply, seat).seats[seat] for seat in range(position.players)]
        position = replace(position, seats=tuple(seats))
    asked = drawing.notes([*drawing.to_do(position), *drawing.shown(position)])
    return f"{drawing.table(position, record.seat)}\n\n{asked}"


def _now(record: eights.Record) -> str:
    """Where a round that is not finished has come to."""
    state = record.state
    if state.mover == eights.TERMINAL:
        return "The round is over, but its end is not recorded."
    if state.mover == eights.CHANCE:
        return "The record ends here, where a card is to come up."
    if record.seat is not None and state.phase == OPENING:
        return "The record ends here: who opens the round is not known yet."
    return f"Ply {record.plies}, where the record ends\n\n{_table(record, record.plies)}"


def _scores(scores: Scores, names: Iterable[str]) -> str:
    winners = scores.winners or ()
    rows = [
        ["*" if player in winners else "", str(player), printable(name), number(points)]
        for player, (name, points) in enumerate(zip(names, scores.scores, strict=True))
    ]
    after = f"Scores after round {scores.round}{', the last' if scores.winners is not None else ''}"
    return f"{after}\n\n{table([['', 'player', 'name', 'points'], *rows], '<<<>')}"

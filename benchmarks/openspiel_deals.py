"""Paired deals between players in OpenSpiel: played in processes, and logged so that they can be gone on with."""

import sys
import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import closing, nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import pyspiel
from eights.pairing import FEWEST, Effort, derived_seed, standard_error, student
from eights.processes import Workers
from eights.rules import Rules
from eights.spiel import evaluate
from eights.spiel.bots import Maker
from openspiel_bots import BotSpec, Clocked

VERSION = 1
SEED = 1


class LogError(Exception):
    """A log that cannot be gone on with; the message says what to do."""


class Played(msgspec.Struct, frozen=True):
    """A deal, played with the challenger in every seat: by how much it got more points than the others' mean a round.

    What the free decisions took follows: the challenger's, then the others'.
    """

    deal: int
    difference: float
    challenger: Effort
    field: Effort


@dataclass(frozen=True)
class Match:
    """One challenger against a field in all other seats, in rounds of the preset standard."""

    challenger: str
    field: str
    players: int

    def play(self, deal: int) -> Played:
        """Play a deal; what comes of it depends on its number alone, but for limits of time."""
        game = pyspiel.load_game(f"eight_and_a_half(players={self.players})")
        seed = derived_seed(SEED, deal)
        sides: tuple[list[Clocked], list[Clocked]] = ([], [])
        specs = [BotSpec(self.challenger), *[BotSpec(self.field)] * (self.players - 1)]

        def maker(number: int, spec: BotSpec) -> Maker:
            def make(game: Any, player: int) -> Clocked:
                made = Clocked(spec.make(game, player, derived_seed(seed, number)))
                sides[number > 0].append(made)
                return made

            return make

        found = evaluate([maker(number, spec) for number, spec in enumerate(specs)], game, 1, seed)
        efforts = [Effort(*map(sum, zip(*(one.effort for one in side), strict=True))) for side in sides]
        return Played(deal, found.margin()[0], *efforts)

    def header(self) -> "Header":
        rules = Rules.standard(players=self.players)
        challenger, field = (BotSpec(name).identity(rules) for name in (self.challenger, self.field))
        return Header(VERSION, challenger, field, rules.text(), self.players, SEED)


class Header(msgspec.Struct, tag="openspiel", frozen=True):
    """The first line of a log: all that a deal depends on."""

    version: int
    challenger: str
    field: str
    rules: str
    players: int
    seed: int


class Log:
    """The file of a match, one JSON object a line: its header, and each deal when it was over; `played` was there."""

    def __init__(self, path: Path, match: Match) -> None:
        header = match.header()
        old = path.read_bytes() if path.exists() else b""
        whole = old.rfind(b"\n") + 1  # without the last line if that was cut when it was written
        try:
            lines = old[:whole].splitlines()
            if lines and msgspec.json.decode(lines[0], type=Header) != header:
                raise LogError(f"{path} has deals of another match or another engine: name another folder.")
            self.played = [msgspec.json.decode(line, type=Played) for line in lines[1:]]
        except (msgspec.DecodeError, UnicodeError) as error:
            raise LogError(f"{path} is not the log of a match in OpenSpiel ({error}): name another folder.") from None
        self._file = path.open("ab")
        self._file.truncate(whole)
        if not whole:
            self._write(header)

    def add(self, played: Played) -> None:
        """Write down a deal, at once."""
        self._write(played)

    def close(self) -> None:
        self._file.close()

    def _write(self, line: Header | Played) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()


@dataclass(frozen=True)
class Outcome:
    """What the deals of a match come to."""

    match: Match
    deals: Sequence[Played]

    @property
    def difference(self) -> float:
        return fmean(deal.difference for deal in self.deals)

    @property
    def error(self) -> float:
        """The standard error over deals; infinite with less than two."""
        return standard_error([deal.difference for deal in self.deals])

    @property
    def lower(self) -> float:
        """The lower bound of the 95 % interval, by Student's t; -inf with fewer than 5 deals."""
        if len(self.deals) < FEWEST:
            return -float("inf")
        return self.difference - student(len(self.deals) - 1) * self.error

    def milliseconds(self, side: str) -> float:
        """What a free decision took the challenger or the field."""
        efforts: list[Effort] = [getattr(deal, side) for deal in self.deals]
        return 1000 * sum(effort.seconds for effort in efforts) / max(1, sum(effort.decisions for effort in efforts))


def play(
    match: Match, deals: int, workers: Workers, log: Path | None, stop: threading.Event, most_seconds: float
) -> Outcome:
    """Play deals, but those that the log has, until `stop` is set or so much time has passed."""
    with nullcontext() if log is None else closing(Log(log, match)) as book:
        done = {} if book is None else {played.deal: played for played in book.played}
        waiting = [number for number in range(deals) if number not in done]
        with closing(_results(match, waiting, workers, stop, time.perf_counter() + most_seconds)) as results:
            for played in results:
                done[played.deal] = played
                if book is not None:
                    book.add(played)
                _show(match, len(done), deals)
    return Outcome(match, [done[number] for number in sorted(done) if number < deals])


def _results(
    match: Match, numbers: Sequence[int], workers: Workers, stop: threading.Event, end: float
) -> Generator[Played, None, None]:
    # A deal for each process and no more: what waits in the pool itself cannot be stopped.
    waiting = iter(() if stop.is_set() else numbers)
    running = {workers.submit(match.play, number) for number in islice(waiting, workers.jobs)}
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        if not stop.is_set() and time.perf_counter() < end:
            running |= {workers.submit(match.play, number) for number in islice(waiting, len(done))}
        for future in done:
            yield future.result()


def _show(match: Match, done: int, deals: int) -> None:
    if sys.stderr.isatty():
        print(
            f"\r\033[K{match.challenger} against {match.field}: {done} of {deals}", end="", file=sys.stderr, flush=True
        )

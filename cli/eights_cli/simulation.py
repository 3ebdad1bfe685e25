"""Matches between players, round after round, and what each has got out of them."""

import hashlib
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import click
import eights
from eights.events import End
from eights.models import WeightsError
from eights.players import PlayerError
from eights.specs import PlayerSpec


@dataclass
class Tally:
    """What a player has got in the rounds that were counted; `cards` are those that were left to him."""

    rounds: int = 0
    wins: int = 0
    points: float = 0.0
    squares: float = 0.0
    cards: int = 0

    def add(self, points: float, cards: int, won: bool) -> None:
        """Count a round."""
        self.rounds += 1
        self.wins += won
        self.points += points
        self.squares += points * points
        self.cards += cards

    @property
    def mean(self) -> float:
        """Points a round."""
        return self.points / max(1, self.rounds)

    @property
    def mean_se(self) -> float:
        """The standard error of `mean`, infinite with less than two rounds."""
        if self.rounds < 2:
            return math.inf
        variance = (self.squares - self.rounds * self.mean**2) / (self.rounds - 1)
        return math.sqrt(max(0.0, variance) / self.rounds)

    @property
    def mean_cards(self) -> float:
        """Cards that were left to the player, a round."""
        return self.cards / max(1, self.rounds)


class Simulation:
    """Rounds of matches, one match after another, each depending on the seed and its number alone.

    `tallies` are by the names of the players; with a `folder` every match becomes a file there. ClickException if the
    weights of a player cannot be used.
    """

    def __init__(self, rules: eights.Rules, specs: Sequence[PlayerSpec], seed: int, folder: Path | None = None) -> None:
        self.rules = rules
        self.specs = tuple(specs)
        self.seed = seed
        self.folder = folder
        self.rounds = 0
        self.matches = 0
        self.tallies = {name: Tally() for name in names_of(specs)}
        for player in self._seated(0):
            player.close()

    def run(self, rounds: int, stop: threading.Event, on_round: Callable[[], object]) -> None:
        """Play so many rounds, or until `stop` is set and the round in progress is over.

        A KeyboardInterrupt ends it without that round. ClickException if a record cannot be written, or if a player or
        his weights cannot be used any more.
        """
        record = fault = None
        try:
            for record in islice(self._played(), rounds):
                self._count(record.rounds[-1])
                if record.is_over:
                    self._write(record)
                on_round()
                if stop.is_set():
                    break
        except KeyboardInterrupt:
            pass
        except PlayerError as error:
            fault = click.ClickException(str(error))
        if record is not None and not record.is_over:
            del record.rounds[len(record.scores) :]
            self._write(record)
        if fault is not None:
            raise fault

    def _played(self) -> Iterator[eights.MatchRecord]:
        """The record so far of the match in progress, after each round."""
        for number in count():
            players = self._seated(number)
            match = eights.Match(self.rules, tuple(self.tallies), _derived(self.seed, number))
            record = eights.MatchRecord(match)
            try:
                while not record.is_over:
                    seating, deal = match.seating, match.deal()
                    eights.play_round(record.begin_round(), deal, [players[player] for player in seating])
                    record.score_round()
                    self.matches = number + 1
                    yield record
            finally:
                for player in players:
                    player.close()

    def _seated(self, number: int) -> list[eights.Player]:
        """The players of a match, made anew."""
        try:
            return [spec.make(_derived(self.seed, number, place), self.rules) for place, spec in enumerate(self.specs)]
        except (WeightsError, PlayerError) as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            raise click.ClickException(f"The weights cannot be read: {error.strerror}: {error.filename}") from None

    def _count(self, record: eights.Record) -> None:
        end = record.events[-1]
        assert isinstance(end, End)
        self.rounds += 1
        for seat, name in enumerate(record.names):
            self.tallies[name].add(end.points[seat], end.counts[seat], end.winner == seat)

    def _write(self, record: eights.MatchRecord) -> None:
        if self.folder is None:
            return
        try:
            write(self.folder / f"match-{self.matches - 1:05}.jsonl", record)
        except OSError as error:
            raise click.ClickException(f"The record cannot be written: {error.strerror}: {error.filename}") from None


def names_of(specs: Sequence[PlayerSpec]) -> list[str]:
    """A name for each player, no two alike: those who would be are counted."""
    seen = Counter[str]()
    names = []
    for spec in map(str, specs):
        seen[spec] += 1
        names.append(spec if seen[spec] == 1 else f"{spec} ({seen[spec]})")
    return names


def write(path: Path, record: eights.MatchRecord) -> None:
    """A record into a file that is there whole or not at all, whatever ends the program."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            record.dump(file)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _derived(seed: int, *numbers: int) -> int:
    """A seed for one of the things that a seed and numbers tell apart."""
    text = ":".join(map(str, (seed, *numbers)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")

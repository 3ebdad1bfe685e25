"""Matches between all players of a tournament, and where they stand."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import NamedTuple

import click
from eights import IllegalAction, Rules
from eights.arena import Arena, ArenaError, Failure, log_name
from eights.models import WeightsError
from eights.pairing import Pairing, Result, standard_error
from eights.players import PlayerError
from eights.specs import PlayerSpec
from eights.sprt import Sprt


class Standing(NamedTuple):
    """How a player stands: the mean of his differences to all he was measured against, over so many deals."""

    player: PlayerSpec
    points: float
    points_se: float
    deals: int


@dataclass(frozen=True)
class Settings:
    """What is played, and what is kept: `log` and `records` are folders."""

    deals: int
    sprt: Sprt | None = None
    log: Path | None = None
    records: Path | None = None
    skip_failures: bool = False


class Tournament:
    """Players and the results of their pairings, which are played one after another.

    With two players there is one pairing: the first of them is the challenger. With more everybody meets everybody
    else; at tables of two once, at larger ones also the other way round, since it is not the same there to be one
    against several, or several against one. BadParameter if a player cannot be used, ClickException if a log cannot.
    """

    def __init__(self, arena: Arena, specs: Sequence[PlayerSpec], rules: Rules, seed: int, settings: Settings) -> None:
        self._arena = arena
        self.players = tuple(specs)
        self.rules = rules
        self.seed = seed
        self.settings = settings
        self.failures = 0
        meetings = combinations if len(specs) == 2 or rules.players == 2 else permutations
        pairings = [Pairing(*pair, rules, seed) for pair in meetings(self.players, 2)]
        with _refusing():
            for spec in specs:
                spec.make(0, rules).close()
            names = [log_name(pairing) for pairing in pairings]
        self._logs = [None if settings.log is None else settings.log / name for name in names]
        self._records = [
            None if settings.records is None else settings.records / name.removesuffix(".jsonl") for name in names
        ]
        self.results = [Result(pairing, (), stopped=True) for pairing in pairings]
        if settings.log is not None:
            self._read_logs(settings.log)

    def run(self, stop: threading.Event, on_deal: Callable[[], object], on_failure: Callable[[str], object]) -> None:
        """Play what is not in the logs, until all is played or `stop` is set; `results` are up to date at any time.

        `on_failure` is told what has become of a deal that is left out. ClickException for what ends it before.
        """

        def skip(failure: Failure) -> None:
            self.failures += 1
            on_failure(told(failure))

        for number in range(len(self.results)):
            self._play(number, stop, on_deal, skip if self.settings.skip_failures else None)
            if self.results[number].stopped:
                return

    def _read_logs(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.ClickException(f"{error.strerror}: {folder}") from None
        stop = threading.Event()
        stop.set()
        for number in range(len(self.results)):
            self._play(number, stop, lambda: None, None)

    def _play(
        self,
        number: int,
        stop: threading.Event,
        on_deal: Callable[[], object],
        on_failure: Callable[[Failure], object] | None,
    ) -> None:
        pairing, records, settings = self.results[number].pairing, self._records[number], self.settings

        def keep(result: Result) -> None:
            self.results[number] = result
            on_deal()

        try:
            if records is not None:
                records.mkdir(parents=True, exist_ok=True)
            self.results[number] = self._arena.duel(
                pairing.challenger,
                pairing.field,
                self.rules,
                deals=settings.deals,
                seed=self.seed,
                log=self._logs[number],
                records=records,
                sprt=settings.sprt,
                on_deal=keep,
                on_failure=on_failure,
                stop=stop,
            )
        except (PlayerError, IllegalAction) as error:
            raise click.ClickException(told(error)) from None
        except (ArenaError, WeightsError) as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            raise click.ClickException(f"{error.strerror}: {error.filename}") from None

    @property
    def standings(self) -> list[Standing]:
        """All players, the best first."""
        return sorted(map(self._standing, self.players), key=lambda standing: -standing.points)

    def _standing(self, player: PlayerSpec) -> Standing:
        """Over the deals that are in all matches of a player, for deals are alike in all of them."""
        by_deal = [
            {deal.deal: sign * deal.difference for deal in found.deals}
            for found in self.results
            if (sign := self._sign(player, found))
        ]
        common = sorted(set.intersection(*map(set, by_deal)))
        means = [sum(differences[deal] for differences in by_deal) / len(by_deal) for deal in common]
        points = sum(means) / len(means) if means else float("-inf")
        return Standing(player, points, standard_error(means), len(means))

    def _sign(self, player: PlayerSpec, result: Result) -> int:
        """Whether a result says something of a player: 1, -1 if its difference is that of his opponent, or 0."""
        if player == result.pairing.challenger:
            return 1
        return -1 if self.rules.players == 2 and player == result.pairing.field else 0

    def between(self, player: PlayerSpec, other: PlayerSpec) -> tuple[float, float] | None:
        """The difference of a player to another and its standard error; None if there is none yet."""
        for found in self.results:
            pair = (found.pairing.challenger, found.pairing.field)
            sign = self._sign(player, found)
            if sign and found.deals and {player, other} == set(pair):
                return sign * found.difference, found.difference_se
        return None


@contextmanager
def _refusing() -> Iterator[None]:
    """A player that cannot be used is refused, before anything is played."""
    try:
        yield
    except (PlayerError, WeightsError) as error:
        raise click.BadParameter(str(error), param_hint="PLAYER") from None
    except OSError as error:
        complaint = f"The weights cannot be read: {error.strerror}: {error.filename}"
        raise click.BadParameter(complaint, param_hint="PLAYER") from None


def told(failure: Failure) -> str:
    """What a player did, and where."""
    return " ".join([str(failure), *getattr(failure, "__notes__", ())])

"""Paired deals: the same deal with a challenger in every seat, and what the differences come to."""

import hashlib
import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

import msgspec
from eights_core.halves import TERMINAL

from eights.actions import action_text, rank_char
from eights.deal import Deal
from eights.events import MOST_NAME, Act, Event, Reveal
from eights.follow import ZONES
from eights.players import Player
from eights.record import Record, seen_by
from eights.rules import Rules
from eights.specs import PlayerSpec
from eights.sprt import Verdict
from eights.state import State

BOUND: Final = 1.959964
"""Standard errors between a mean and the bounds of its 95 % interval, by the normal distribution."""
FEWEST: Final = 5
"""With fewer deals than these a standard error says nothing: it may be 0 by accident."""


class Effort(NamedTuple):
    """What choosing took: free decisions, those with more than one legal action, and the seconds for them."""

    decisions: int
    seconds: float


class RoundResult(msgspec.Struct, frozen=True):
    """A round that has been played: points by seat, the winner's seat (None at `max_plies`), and what it took."""

    points: tuple[float, ...]
    winner: int | None
    plies: int
    challenger: Effort
    field: Effort

    def difference(self, seat: int) -> float:
        """Points of a seat minus the mean of the others'."""
        own = self.points[seat]
        return own - (sum(self.points) - own) / (len(self.points) - 1)


class DealResult(msgspec.Struct, frozen=True):
    """The rounds of a deal: in the first the challenger sits in seat 0, in the next in seat 1, and so on."""

    deal: int
    rounds: tuple[RoundResult, ...]

    @property
    def difference(self) -> float:
        """The challenger's points minus the mean of the others', a round."""
        return statistics.fmean(played.difference(seat) for seat, played in enumerate(self.rounds))


@dataclass(frozen=True)
class Pairing:
    """What is to be played: one `challenger` against a `field` in all other seats, by deals that `seed` numbers.

    Each round is a single one, without exchange. Deal k is that of round k of a `Match` with the same seed. Players are
    made anew for each round, by a seed for each seat of it, so that no result depends on what was played before.
    """

    challenger: PlayerSpec
    field: PlayerSpec
    rules: Rules
    seed: int

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 1 << 64:
            raise ValueError(f"A seed is a whole number from 0 to 2**64 - 1, not {self.seed}.")

    def play(self, number: int, records: Path | None = None) -> DealResult:
        """Play a deal, with the challenger in every seat.

        With a folder for `records` each round becomes a file there, deal-00007-seat-0.jsonl for the one of deal 7 with
        the challenger in seat 0; also one that a player does not play to its end. IllegalAction if a player chooses
        what he may not, PlayerError if he cannot go on, OSError if a record cannot be written.
        """
        deal = Deal(self.rules, derived_seed(self.seed, number))
        rounds = []
        try:
            for seat in range(self.rules.players):
                path = None if records is None else records / f"deal-{number:05}-seat-{seat}.jsonl"
                rounds.append(self._round(deal, number, seat, path))
        except Exception as error:
            error.add_note(f"This was in deal {number} of seed {self.seed}: {self.challenger} against {self.field}.")
            raise
        return DealResult(number, tuple(rounds))

    def _round(self, deal: Deal, number: int, seat: int, path: Path | None) -> RoundResult:
        specs = [self.challenger if other == seat else self.field for other in range(self.rules.players)]
        players = [
            spec.make(derived_seed(self.seed, number, seat, other), self.rules) for other, spec in enumerate(specs)
        ]
        state = State(self.rules)
        record = None
        if path is not None:
            names = [str(spec)[:MOST_NAME] for spec in specs]
            record = Record(self.rules, names=names, seed=derived_seed(self.seed, number))
        try:
            table = _Table(state, deal, players, record)
            table.draw()
            while state.mover != TERMINAL:
                table.move()
                table.draw()
            if record is not None:
                record.finish()
        finally:
            for player in players:
                player.close()
            if path is not None and record is not None:
                _write(record, path)
        mine = table.efforts.pop(seat)
        others = Effort(*map(sum, zip(*table.efforts, strict=True)))
        return RoundResult(tuple(state.points()), state.winner, state.plies, mine, others)


def _write(record: Record, path: Path) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            record.dump(file)
    except OSError as error:
        error.filename = str(path)  # which a full disk does not say
        raise


class _Table:
    """A round being played. Players who listen are told what their seats see, as by `play_round`, until it is over.

    To keep a record of what a seat sees takes its player one to three milliseconds a round. We spend them, so that who
    is measured plays as he does elsewhere; those who do not listen cost nothing, and forced actions are not asked for.
    """

    def __init__(self, state: State, deal: Deal, players: list[Player], record: Record | None) -> None:
        self.efforts = [Effort(0, 0.0)] * len(players)
        self._state = state
        self._deal = deal
        self._players = players
        self._record = record
        self._listeners = [(seat, player) for seat, player in enumerate(players) if _listens(player)]
        start = Record(state.rules).start
        for seat, player in self._listeners:
            player.new_round(msgspec.structs.replace(start, seat=seat))

    def draw(self) -> None:
        """Draw every pending card."""
        state = self._state
        while (place := state.chance_place()) is not None:
            rank = self._deal.draw(state)
            state.apply(rank)
            if self._is_heard:
                self._tell(Reveal(seat=place[0], zone=ZONES[place[1]], card=rank_char(rank)))

    def move(self) -> None:
        """Let the mover act; IllegalAction if he may not do what he chooses."""
        state, seat = self._state, self._state.mover
        legal = state.legal_actions()
        action = legal[0] if len(legal) == 1 else self._choice(seat)
        state.apply(action)
        if self._is_heard:
            self._tell(Act(seat=seat, action=action_text(action)))

    def _choice(self, seat: int) -> int:
        observation = self._state.observation(seat)
        start = perf_counter()
        action = self._players[seat].choose(observation)
        seconds = perf_counter() - start
        before = self.efforts[seat]
        self.efforts[seat] = Effort(before.decisions + 1, before.seconds + seconds)
        return action

    @property
    def _is_heard(self) -> bool:
        return bool(self._listeners) or self._record is not None

    def _tell(self, event: Event) -> None:
        if self._record is not None:
            self._record.add(event)
        for seat, player in self._listeners:
            player.event(seen_by(seat, event))


def _listens(player: Player) -> bool:
    return type(player).event is not Player.event


@dataclass(frozen=True)
class Side:
    """What one side did, the challenger or the field: wins of one of its seats a round, and its free decisions."""

    win_rate: float
    decisions: int
    seconds: float

    @property
    def seconds_per_decision(self) -> float:
        """The mean time that a free decision took, to compare with a limit; NaN if there was none."""
        return self.seconds / self.decisions if self.decisions else math.nan


@dataclass(frozen=True)
class Result:
    """The deals of a pairing that have been played, by number, and what they come to; without any, means are NaN."""

    pairing: Pairing
    deals: tuple[DealResult, ...]
    stopped: bool = False
    """Whether it was ended before all deals that were asked for, or a test that was asked for has come to its end."""
    verdict: Verdict | None = None
    """What the test says that was asked for, of the deals in the order of their numbers."""

    @cached_property
    def difference(self) -> float:
        """The challenger's points minus the mean of the others', a round."""
        return _mean(deal.difference for deal in self.deals)

    @cached_property
    def difference_se(self) -> float:
        """The standard error of `difference` over deals; infinite with less than two."""
        return standard_error([deal.difference for deal in self.deals])

    @property
    def lower(self) -> float:
        """The lower bound of the 95 % interval of `difference`, by Student's t; -inf with fewer than 5 deals."""
        return self.difference - self._reach if len(self.deals) >= FEWEST else -math.inf

    @property
    def upper(self) -> float:
        """The upper bound of the 95 % interval of `difference`, by Student's t; inf with fewer than 5 deals."""
        return self.difference + self._reach if len(self.deals) >= FEWEST else math.inf

    @property
    def _reach(self) -> float:
        return student(len(self.deals) - 1) * self.difference_se

    @property
    def rounds(self) -> int:
        """Rounds played: each deal once with the challenger in every seat."""
        return sum(len(deal.rounds) for deal in self.deals)

    @property
    def plies(self) -> float:
        """Player actions a round, forced ones too."""
        return _mean(played.plies for deal in self.deals for played in deal.rounds)

    @property
    def unfinished(self) -> float:
        """The share of rounds that `max_plies` ended, without a winner."""
        return _mean(map(_unfinished, self.deals))

    @property
    def unfinished_se(self) -> float:
        """The standard error of `unfinished` over deals; infinite with less than two."""
        return standard_error([_unfinished(deal) for deal in self.deals])

    @property
    def challenger(self) -> Side:
        """What the challenger did."""
        won = _mean(played.winner == seat for deal in self.deals for seat, played in enumerate(deal.rounds))
        return self._side(won, [played.challenger for deal in self.deals for played in deal.rounds])

    @property
    def field(self) -> Side:
        """What the others did; `win_rate` is that of one of them, on average."""
        others = self.pairing.rules.players - 1
        won = (1 - self.unfinished - self.challenger.win_rate) / others
        return self._side(won, [played.field for deal in self.deals for played in deal.rounds])

    @staticmethod
    def _side(win_rate: float, efforts: list[Effort]) -> Side:
        return Side(win_rate, sum(effort.decisions for effort in efforts), sum(effort.seconds for effort in efforts))

    def __str__(self) -> str:
        """The result in one line."""
        pairing, stopped = self.pairing, ", stopped early" if self.stopped else ""
        return (
            f"{pairing.challenger} against {pairing.field}, {pairing.rules.players} players, {pairing.rules.text()}: "
            f"{self.difference:+.3f} ± {self.difference_se:.3f} points a round "
            f"(95 %: {self.lower:+.3f} to {self.upper:+.3f}; {len(self.deals)} deals{stopped})"
        )


def standard_error(values: list[float]) -> float:
    """The standard error of the mean of independent values; infinite with less than two."""
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def student(freedom: int) -> float:
    """Standard errors to the bounds of a 95 % interval by Student's t, to 0.001 from 4 degrees of freedom on.

    By the expansion in Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.

    >>> f"{student(4):.3f} {student(30):.3f}"
    '2.776 2.042'
    """
    z = BOUND
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))


def derived_seed(seed: int, *numbers: int) -> int:
    """A seed for one of the things that a seed and numbers tell apart, from 0 to 2**64 - 1."""
    text = ":".join(map(str, (seed, *numbers)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _unfinished(deal: DealResult) -> float:
    return _mean(played.winner is None for played in deal.rounds)


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return statistics.fmean(numbers) if numbers else math.nan

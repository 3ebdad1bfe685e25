"""Rounds that calibration is measured by: what the engine expected in them, what came of it, and the log of both."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from eights import Rng, Rules, State
from eights.analysis import Analysis, Move, analyse
from eights.models import default_checksum
from eights.pairing import derived_seed
from eights.position import Position, parse_position
from eights.seat import all_known
from eights_core.halves import TERMINAL

VERSION = 1
PER_ROUND = 5
"""Decisions kept of a round: more of them would share its outcome and tell little more."""
PLAYERS = (2, 3, 4, 6)
BENCH = 2000
"""Iterations of a search that tells engines apart."""
WORLDS, PLAYED, KEPT = range(3)
"""What random numbers are for, so that each has its own."""


class CalibrationError(Exception):
    """A log that cannot be gone on with; the message says what to do."""


@dataclass(frozen=True)
class Setting:
    """How rounds are played: all seats search so many `iterations` at every decision with more than one legal action.

    `continuations` is how often a round is played on after each of the two best moves of a decision.
    """

    iterations: int
    continuations: int
    seed: int


class Outcome(msgspec.Struct, frozen=True):
    """The end of a round: points by seat, and the winner's seat (None at `max_plies`)."""

    points: tuple[float, ...]
    winner: int | None

    @classmethod
    def of(cls, state: State) -> "Outcome":
        return cls(tuple(state.points()), state.winner)


class Forecast(msgspec.Struct, frozen=True):
    """What an analysis says about a move: points and win chance by seat, the standard error of the mover's points."""

    action: int
    visits: int
    points: tuple[float, ...]
    sampling_se: float
    win: tuple[float, ...]

    @classmethod
    def of(cls, move: Move, mover: int) -> "Forecast":
        return cls(move.action, move.visits, move.points, move.sampling_se[mover], move.win)


class Decision(msgspec.Struct, frozen=True):
    """A decision of a round: whose, after how many plies, and what was expected of the best move, which was played."""

    mover: int
    plies: int
    best: Forecast


class Branch(msgspec.Struct, frozen=True):
    """A move of a decision: what was expected of it, and how rounds went on from there."""

    forecast: Forecast
    outcomes: tuple[Outcome, ...]


class Replay(msgspec.Struct, frozen=True):
    """A decision from which the round was played on again and again, after the best move and after the second.

    Outcome k of both is in the same world, drawn from what the mover knew. `again` is what an analysis with another
    seed says about the best move.
    """

    position: str
    mover: int
    best: Branch
    second: Branch
    again: Forecast

    @property
    def players(self) -> int:
        return len(self.again.points)

    @property
    def hands_open(self) -> bool:
        """Whether the mover knows all hands, so that only what comes from Banks and Blind Cards is unknown to him."""
        return all_known(card for seat in parse_position(self.position).seats for card in seat.hand)


class Round(msgspec.Struct, frozen=True):
    """A round: decisions drawn at random from its free ones, how it ended, and the replay of one of them, if asked."""

    players: int
    number: int
    decisions: tuple[Decision, ...]
    outcome: Outcome
    replay: Replay | None

    @property
    def key(self) -> tuple[int, int]:
        return self.players, self.number


def play(setting: Setting, players: int, number: int, replayed: bool) -> Round:
    """Play a round, and if `replayed` go on again from one of its decisions. Depends on the arguments alone."""
    seed = derived_seed(setting.seed, players, number)
    state = State(Rules.standard(players=players))
    analyses = list(finish(state, setting.iterations, Rng(derived_seed(seed, PLAYED))))
    kept = random.Random(derived_seed(seed, KEPT)).sample(analyses, min(PER_ROUND, len(analyses)))
    return Round(
        players=players,
        number=number,
        decisions=tuple(decision(analysis) for analysis in kept),
        outcome=Outcome.of(state),
        replay=replay(setting, kept[0], derived_seed(seed, WORLDS)) if replayed else None,
    )


def finish(state: State, iterations: int, rng: Rng) -> Iterator[Analysis]:
    """Play a round to its end with the best moves; gives the analyses of all decisions that were free."""
    state.deal(rng)
    while state.mover != TERMINAL:
        legal = state.legal_actions()
        if len(legal) == 1:
            state.apply(legal[0])
        else:
            analysis = analyse(state.observation(state.mover), iterations=iterations, seed=rng.below(1 << 31))
            yield analysis
            state.apply(analysis.best)
        state.deal(rng)


def decision(analysis: Analysis) -> Decision:
    """What is kept of an analysis."""
    position = analysis.position
    return Decision(position.mover, position.plies, Forecast.of(analysis.moves[0], position.mover))


def replay(setting: Setting, analysis: Analysis, seed: int) -> Replay:
    """Play on from the position of an analysis after each of its two best moves, all seats searching."""
    position, rng = analysis.position, Rng(seed)
    worlds = [position.sample(rng) for _ in range(setting.continuations)]
    best, second = (
        Branch(
            Forecast.of(move, position.mover),
            tuple(outcome_after(world, move.action, setting.iterations, rng) for world in worlds),
        )
        for move in analysis.moves[:2]
    )
    return Replay(position.format(), position.mover, best, second, asked_again(setting, position, best, rng))


def outcome_after(world: State, action: int, iterations: int, rng: Rng) -> Outcome:
    """How a round ends after an action, once."""
    state = world.copy()
    state.apply(action)
    for _ in finish(state, iterations, rng):
        pass
    return Outcome.of(state)


def asked_again(setting: Setting, position: Position, branch: Branch, rng: Rng) -> Forecast:
    """What another analysis says about the same move."""
    other = analyse(position, iterations=setting.iterations, seed=rng.below(1 << 31))
    move = next(move for move in other.moves if move.action == branch.forecast.action)
    return Forecast.of(move, position.mover)


# ---- the log


class Header(msgspec.Struct, tag="calibration", frozen=True):
    """The first line of a log: all that the rounds of a number depend on."""

    version: int
    iterations: int
    continuations: int
    seed: int
    engine: tuple[tuple[str, tuple[float, ...]], ...]
    """By number of players: the weights, and the points of a search, which are others when it behaves otherwise."""

    @classmethod
    def of(cls, setting: Setting) -> "Header":
        engine = []
        for rules in (Rules.standard(players=number) for number in PLAYERS):
            state = State(rules)
            state.deal(Rng(1))
            searched = analyse(state.observation(state.mover), iterations=BENCH)
            engine.append((default_checksum(rules), searched.points))
        return cls(VERSION, setting.iterations, setting.continuations, setting.seed, tuple(engine))


class Log:
    """The file of a calibration, one JSON object a line: its header, and each round when it was over.

    `rounds` are those that it has, by number of players and number; a round that is in it twice is as it was last.
    CalibrationError if it is another's.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self.rounds: dict[tuple[int, int], Round] = {}
        old = path.read_bytes() if path.exists() else b""
        whole = old.rfind(b"\n") + 1  # without the last line if that was cut when it was written
        try:
            lines = old[:whole].splitlines()
            if lines and msgspec.json.decode(lines[0], type=Header) != header:
                raise CalibrationError(f"{path} has rounds of other settings or another engine: name another file.")
            for line in lines[1:]:
                played = msgspec.json.decode(line, type=Round)
                self.rounds[played.key] = played
        except (msgspec.DecodeError, UnicodeError) as error:
            raise CalibrationError(f"{path} is not the log of a calibration ({error}): name another file.") from None
        if not whole and not _line(header).startswith(old):
            raise CalibrationError(f"{path} is not the log of a calibration: name another file.")
        self._file = path.open("ab")
        self._file.truncate(whole)
        if not whole:
            self._write(header)

    def add(self, played: Round) -> None:
        """Write down a round, at once."""
        self.rounds[played.key] = played
        self._write(played)

    def close(self) -> None:
        self._file.close()

    def _write(self, line: Header | Round) -> None:
        self._file.write(_line(line))
        self._file.flush()


def _line(value: Header | Round) -> bytes:
    return msgspec.json.encode(value) + b"\n"

"""The arena: how much stronger one player is than another, by paired deals, in processes, with a log to go on from."""

import hashlib
import math
import re
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, nullcontext, suppress
from itertools import islice
from pathlib import Path
from typing import IO, Final, Self, TypeAlias

import msgspec

from eights.external import end_programs, kill_programs
from eights.pairing import DealResult, Pairing, Result
from eights.players import PlayerError
from eights.processes import Workers
from eights.rules import Rules
from eights.specs import PlayerSpec
from eights.sprt import Run, Sprt
from eights.state import IllegalAction
from eights.text import quoted

LOG_VERSION: Final = 1

Failure: TypeAlias = PlayerError | IllegalAction
"""What ends a deal that a player does not play to its end."""


class ArenaError(Exception):
    """A log that cannot be gone on with or written, or a process that died; the message says what to do."""


def duel(
    challenger: PlayerSpec | str,
    field: PlayerSpec | str,
    rules: Rules,
    *,
    deals: int,
    seed: int = 1,
    jobs: int = 1,
    log: Path | None = None,
    records: Path | None = None,
    sprt: Sprt | None = None,
    on_deal: Callable[[Result], object] | None = None,
    on_failure: Callable[[Failure], object] | None = None,
    stop: threading.Event | None = None,
) -> Result:
    """Measure a challenger against a field: every deal is played once with the challenger in each seat.

    Yardsticks are the players `random`, `greedy` and `plain`, which never change once made: a result against them can
    be held against one of last year. Only differences of the same deals count, so compare players by the same `seed`.
    Unless a player is limited by time, a result depends on its arguments alone and not on `jobs`.

    `jobs` processes play deals at the same time; with more of them than cores, or on a busy machine, limits of time
    give both sides less. They are started as new programs, so a script that asks for more than one keeps what it does
    under ``if __name__ == "__main__":``. For many matches use an `Arena`, which keeps them.

    Every deal is added to the file `log` when it is played. If there is such a file already its deals are not played
    again; so a match goes on after it was ended in any way, and `deals` may be more than before. `on_deal` is called
    with the result so far after each deal. When `stop` is set, deals in progress are played to their end, but no
    other; KeyboardInterrupt ends the match without them. The result is then what has been played. In the folder
    `records` each round becomes a file (`Pairing.play`).

    With `sprt` the match ends as soon as the test has decided, which takes the deals in the order of their numbers. So
    the result, which has no more deals than the test needed, does not depend on `jobs` either.

    A player that fails ends the match with his error (PlayerError, IllegalAction), when the deals in progress are over;
    but with `on_failure` that is called with the error, and the match goes on without that deal. It is not in the log,
    and played again when the match goes on from there.

    ValueError for what cannot be played, ArenaError for the log of another match or of one that is still being played,
    if a log cannot be written, or if a process dies. OSError if a record cannot be written.

    >>> result = duel("greedy", "random", Rules.standard(players=2), deals=3)
    >>> result.rounds, f"{result.difference:+.2f} ± {result.difference_se:.2f}"
    (6, '+2.67 ± 0.33')
    """
    with Arena(jobs) as arena:
        return arena.duel(
            challenger,
            field,
            rules,
            deals=deals,
            seed=seed,
            log=log,
            records=records,
            sprt=sprt,
            on_deal=on_deal,
            on_failure=on_failure,
            stop=stop,
        )


class Arena:
    """Processes that play deals, kept from one match to the next; with one job all is played in this process.

    To be closed, or used in a `with` statement.
    """

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs
        self._workers = Workers(jobs, kill_programs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes, and programs that have played in this one."""
        self._workers.close()
        end_programs()

    def duel(
        self,
        challenger: PlayerSpec | str,
        field: PlayerSpec | str,
        rules: Rules,
        *,
        deals: int,
        seed: int = 1,
        log: Path | None = None,
        records: Path | None = None,
        sprt: Sprt | None = None,
        on_deal: Callable[[Result], object] | None = None,
        on_failure: Callable[[Failure], object] | None = None,
        stop: threading.Event | None = None,
    ) -> Result:
        """Measure a challenger against a field, as the function `duel`."""
        if deals < 1:
            raise ValueError(f"A match has at least 1 deal, not {deals}.")
        pairing = Pairing(_spec(challenger), _spec(field), rules, seed)
        stop = threading.Event() if stop is None else stop
        failure: Failure | None = None

        with nullcontext() if log is None else closing(_Log(log, pairing)) as book:
            score = _Score(pairing, deals, sprt, {} if book is None else dict(book.played))

            def go_on() -> bool:
                return not (stop.is_set() or score.is_decided or failure)

            try:
                with closing(self._play(pairing, records, score.waiting(), go_on)) as outcomes:
                    for number, outcome in outcomes:
                        if isinstance(outcome, DealResult):
                            score.add(outcome)
                            if book is not None:
                                book.add(outcome)
                            if on_deal is not None:
                                on_deal(score.result())
                        elif on_failure is not None:
                            score.skip(number)
                            on_failure(outcome)
                        else:
                            failure = failure or outcome
            except KeyboardInterrupt:
                pass
        if failure is not None:
            raise failure
        return score.result()

    def _play(
        self, pairing: Pairing, records: Path | None, numbers: Iterator[int], go_on: Callable[[], bool]
    ) -> Generator[tuple[int, DealResult | Failure], None, None]:
        """Play deals as long as `go_on` says so, and give each when it is over."""
        if self.jobs > 1:
            yield from self._play_in_processes(pairing, records, numbers, go_on)
            return
        while go_on() and (number := next(numbers, None)) is not None:
            outcome: DealResult | Failure
            try:
                outcome = pairing.play(number, records)
            except (PlayerError, IllegalAction) as error:
                outcome = error
            yield number, outcome

    def _play_in_processes(
        self, pairing: Pairing, records: Path | None, numbers: Iterator[int], go_on: Callable[[], bool]
    ) -> Generator[tuple[int, DealResult | Failure], None, None]:
        workers = self._workers
        running: dict[Future[DealResult], int] = {}

        def submit(most: int) -> None:
            # A deal for each process and no more: what waits in the pool itself cannot be stopped.
            for number in islice(numbers, most if go_on() else 0):
                running[workers.submit(pairing.play, number, records)] = number

        try:
            submit(self.jobs)
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=_has_failed):  # what is over counts, whatever has become of the others
                    number, error = running.pop(future), future.exception()
                    yield number, error if isinstance(error, (PlayerError, IllegalAction)) else future.result()
                submit(len(done))
        except BrokenProcessPool:
            workers.cut()
            raise ArenaError(
                "A process of the arena has died: it was killed, perhaps for want of memory, or the script does not "
                "keep what it does under `if __name__ == '__main__':`. Deals that were over are in the log, if any."
            ) from None
        except BaseException:
            workers.cut()  # nobody waits for the deals in progress
            raise


def _has_failed(future: Future[DealResult]) -> bool:
    return future.exception() is not None


class _Score:
    """The deals of a match that have been played, and what a test says of them in the order of their numbers."""

    def __init__(self, pairing: Pairing, deals: int, sprt: Sprt | None, played: dict[int, DealResult]) -> None:
        self._pairing = pairing
        self._deals = deals
        self._played = played
        self._skipped: set[int] = set()
        self._test = None if sprt is None else Run(sprt)
        self._next = 0  # the deals before it have been played or skipped, and are in the test
        self._advance()

    @property
    def is_decided(self) -> bool:
        """Whether a test has come to its end."""
        return self._test is not None and self._test.accepted is not None

    def waiting(self) -> Iterator[int]:
        """The deals to be played."""
        return (number for number in range(self._deals) if number not in self._played)

    def add(self, deal: DealResult) -> None:
        self._played[deal.deal] = deal
        self._advance()

    def skip(self, number: int) -> None:
        """Go on without a deal."""
        self._skipped.add(number)
        self._advance()

    def result(self) -> Result:
        most = self._next if self.is_decided else self._deals
        in_order = tuple(self._played[number] for number in sorted(self._played) if number < most)
        return Result(
            self._pairing,
            in_order,
            stopped=not self.is_decided and len(in_order) + len(self._skipped) < self._deals,
            verdict=None if self._test is None else self._test.verdict,
        )

    def _advance(self) -> None:
        while not self.is_decided and self._next < self._deals:
            if self._next in self._played:
                if self._test is not None:
                    self._test.add(self._played[self._next].difference)
            elif self._next not in self._skipped:
                return
            self._next += 1


def _spec(player: PlayerSpec | str) -> PlayerSpec:
    return PlayerSpec.parse(player) if isinstance(player, str) else player


# ---- the log


def log_name(pairing: Pairing) -> str:
    """A name for the file of a pairing's log, which is that of no other pairing.

    >>> log_name(Pairing(PlayerSpec("greedy"), PlayerSpec("random"), Rules.standard(players=2), 1))
    'greedy-random-4856d53b.jsonl'
    """
    names = (re.sub(r"[^\w.=]+", "-", str(spec)).strip("-")[:40] for spec in (pairing.challenger, pairing.field))
    digest = hashlib.blake2b(_line(_Header.of(pairing)), digest_size=4).hexdigest()
    return f"{'-'.join(names)}-{digest}.jsonl"


class _Header(msgspec.Struct, tag="duel", frozen=True):
    """The first line of a log: all that defines the match but the number of deals."""

    version: int
    challenger: str
    field: str
    rules: str
    players: int
    seed: int

    @classmethod
    def of(cls, pairing: Pairing) -> Self:
        return cls(
            version=LOG_VERSION,
            challenger=pairing.challenger.identity(pairing.rules),
            field=pairing.field.identity(pairing.rules),
            rules=pairing.rules.text(),
            players=pairing.rules.players,
            seed=pairing.seed,
        )


class _Log:
    """The file of a match, one JSON object a line: its header, and each deal when it was over. `played` was there.

    While it is open it is locked: two who wrote to it would both add the same deals.
    """

    def __init__(self, path: Path, pairing: Pairing) -> None:
        self.played: dict[int, DealResult] = {}
        self._path = path
        header = _Header.of(pairing)
        with self._writing():
            self._file = path.open("a+b", buffering=0)
        try:
            self._begin(header)
        except BaseException:
            self.close()
            raise

    def _begin(self, header: _Header) -> None:
        """Take in what is there, and make it ready for the next deal."""
        if not _lock(self._file):
            raise ArenaError(f"The match of the log {self._path} is being played: wait for it, or name another file.")
        self._file.seek(0)
        old = self._file.read()
        whole = old.rfind(b"\n") + 1  # without the last line if that was cut when it was written
        if whole:
            self._read(old[:whole].splitlines(), header)
        elif not _line(header).startswith(old):
            raise ArenaError(f"{self._path} is not the log of a match of the arena: name another file.")
        with self._writing():
            self._file.truncate(whole)
            if not whole:
                self._write(header)

    def add(self, deal: DealResult) -> None:
        """Write down a deal, at once."""
        with self._writing():
            self._write(deal)

    def close(self) -> None:
        _unlock(self._file)
        self._file.close()

    def _write(self, line: _Header | DealResult) -> None:
        rest = memoryview(_line(line))
        while rest:
            rest = rest[self._file.write(rest) :]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ArenaError(
                f"The log {self._path} cannot be written: {error.strerror}. What it has is whole: the match can go on "
                "from there."
            ) from None

    def _read(self, lines: list[bytes], header: _Header) -> None:
        try:
            written = msgspec.json.decode(lines[0], type=_Header)
        except (msgspec.DecodeError, UnicodeError):
            raise ArenaError(f"{self._path} is not the log of a match of the arena: name another file.") from None
        names = [name for name in header.__struct_fields__ if getattr(written, name) != getattr(header, name)]
        if names:
            differing = ", ".join(f"{name} {_shown(written, name)} and not {_shown(header, name)}" for name in names)
            raise ArenaError(f"{self._path} is the log of another match: {differing}. Name another file.")
        for number, line in enumerate(lines[1:], start=2):
            try:
                deal = msgspec.json.decode(line, type=DealResult)
            except (msgspec.DecodeError, UnicodeError) as error:
                raise ArenaError(f"Line {number} of {self._path} is no deal: {error}.") from None
            if deal.deal in self.played or not _can_be(deal, header.players):
                raise ArenaError(f"Line {number} of {self._path} cannot be: a deal comes once, with all its rounds.")
            self.played[deal.deal] = deal


if sys.platform == "win32":

    def _lock(file: IO[bytes]) -> bool:
        return True  # a lock of Windows would keep others from reading too

    def _unlock(file: IO[bytes]) -> None:
        pass

else:
    import fcntl

    def _lock(file: IO[bytes]) -> bool:
        """Whether nobody else has locked a file, which then is locked.

        It is until `_unlock`, or until this process has ended, and all that it has forked meanwhile.
        """
        with suppress(OSError):  # of a file system that has no locks
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    def _unlock(file: IO[bytes]) -> None:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)


def _can_be(deal: DealResult, players: int) -> bool:
    """Whether a deal has a number, and a round with the challenger in each seat, which all seats got points for."""
    return (
        deal.deal >= 0
        and len(deal.rounds) == players
        and all(
            len(played.points) == players
            and all(map(math.isfinite, played.points))
            and (played.winner is None or 0 <= played.winner < players)
            for played in deal.rounds
        )
    )


def _line(value: _Header | DealResult) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _shown(header: _Header, name: str) -> str:
    return quoted(str(getattr(header, name)))

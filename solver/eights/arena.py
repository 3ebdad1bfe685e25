"""The arena: how much stronger one player is than another, by paired deals, in processes, with a log to go on from."""

import math
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, nullcontext
from itertools import islice
from pathlib import Path
from typing import Final, Self

import msgspec

from eights.pairing import DealResult, Pairing, Result
from eights.processes import Workers
from eights.rules import Rules
from eights.specs import PlayerSpec
from eights.text import quoted

LOG_VERSION: Final = 1


class ArenaError(Exception):
    """A log that cannot be gone on with, or a process that died; the message says what to do."""


def duel(
    challenger: PlayerSpec | str,
    field: PlayerSpec | str,
    rules: Rules,
    *,
    deals: int,
    seed: int = 1,
    jobs: int = 1,
    log: Path | None = None,
    on_deal: Callable[[Result], object] | None = None,
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
    other; KeyboardInterrupt ends the match without them. The result is then what has been played.

    ValueError for what cannot be played, ArenaError for the log of another match, or if a process dies.

    >>> result = duel("greedy", "random", Rules.standard(players=2), deals=3)
    >>> result.rounds, f"{result.difference:+.2f} ± {result.difference_se:.2f}"
    (6, '+2.67 ± 0.33')
    """
    with Arena(jobs) as arena:
        return arena.duel(challenger, field, rules, deals=deals, seed=seed, log=log, on_deal=on_deal, stop=stop)


class Arena:
    """Processes that play deals, kept from one match to the next; with one job all is played in this process.

    To be closed, or used in a `with` statement.
    """

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs
        self._workers = Workers(jobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        self._workers.close()

    def duel(
        self,
        challenger: PlayerSpec | str,
        field: PlayerSpec | str,
        rules: Rules,
        *,
        deals: int,
        seed: int = 1,
        log: Path | None = None,
        on_deal: Callable[[Result], object] | None = None,
        stop: threading.Event | None = None,
    ) -> Result:
        """Measure a challenger against a field, as the function `duel`."""
        if deals < 1:
            raise ValueError(f"A match has at least 1 deal, not {deals}.")
        pairing = Pairing(_spec(challenger), _spec(field), rules, seed)
        played: dict[int, DealResult] = {}

        def result() -> Result:
            in_order = tuple(played[number] for number in sorted(played) if number < deals)
            return Result(pairing, in_order, stopped=len(in_order) < deals)

        with nullcontext() if log is None else closing(_Log(log, pairing)) as book:
            if book is not None:
                played |= book.played
            waiting = [number for number in range(deals) if number not in played]
            try:
                with closing(self._play(pairing, waiting, stop or threading.Event())) as results:
                    for deal in results:
                        played[deal.deal] = deal
                        if book is not None:
                            book.add(deal)
                        if on_deal is not None:
                            on_deal(result())
            except KeyboardInterrupt:
                pass
        return result()

    def _play(
        self, pairing: Pairing, numbers: Sequence[int], stop: threading.Event
    ) -> Generator[DealResult, None, None]:
        """Play deals as long as `stop` is not set, and give each when it is over."""
        if self.jobs > 1:
            yield from self._play_in_processes(pairing, numbers, stop)
            return
        for number in numbers:
            if stop.is_set():
                return
            yield pairing.play(number)

    def _play_in_processes(
        self, pairing: Pairing, numbers: Sequence[int], stop: threading.Event
    ) -> Generator[DealResult, None, None]:
        workers = self._workers
        try:
            # A deal for each process and no more: what waits in the pool itself cannot be stopped.
            waiting = iter(() if stop.is_set() else numbers)
            running = {workers.submit(pairing.play, number) for number in islice(waiting, self.jobs)}
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                if not stop.is_set():
                    running |= {workers.submit(pairing.play, number) for number in islice(waiting, len(done))}
                for future in done:
                    yield future.result()
        except BrokenProcessPool:
            workers.cut()
            raise ArenaError(
                "A process of the arena has died: it was killed, perhaps for want of memory, or the script does not "
                "keep what it does under `if __name__ == '__main__':`. Deals that were over are in the log, if any."
            ) from None
        except BaseException:
            workers.cut()  # nobody waits for the deals in progress
            raise


def _spec(player: PlayerSpec | str) -> PlayerSpec:
    return PlayerSpec.parse(player) if isinstance(player, str) else player


# ---- the log


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
    """The file of a match, one JSON object a line: its header, and each deal when it was over. `played` was there."""

    def __init__(self, path: Path, pairing: Pairing) -> None:
        self.played: dict[int, DealResult] = {}
        self._path = path
        header = _Header.of(pairing)
        old = path.read_bytes() if path.exists() else b""
        whole = old.rfind(b"\n") + 1  # without the last line if that was cut when it was written
        if whole:
            self._read(old[:whole].splitlines(), header)
        elif not _line(header).startswith(old):
            raise ArenaError(f"{path} is not the log of a match of the arena: name another file.")
        self._file = path.open("ab")
        self._file.truncate(whole)
        if not whole:
            self._write(header)

    def add(self, deal: DealResult) -> None:
        """Write down a deal, at once."""
        self._write(deal)

    def close(self) -> None:
        self._file.close()

    def _write(self, line: _Header | DealResult) -> None:
        self._file.write(_line(line))
        self._file.flush()

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

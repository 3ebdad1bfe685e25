"""Players that are programs of their own, asked by the engine protocol (docs/protocol.md)."""

import os
import select
import shlex
import signal
import subprocess
import sys
import threading
import weakref
from collections import deque
from contextlib import suppress
from typing import IO, Annotated, Any, Final, NoReturn, TypeAlias

import msgspec
from eights_core.rng import Rng

from eights.actions import action_text
from eights.analysis import DEFAULT_TIME
from eights.events import GAME, End, Event, Start, encode
from eights.players import Player, PlayerError
from eights.position import Position
from eights.protocol import MOST_LINE, PROTOCOL
from eights.text import quoted

GRACE: Final = 5.0
"""Seconds that a program has for an answer besides the time that it may think."""
_FIRST: Final = 60.0  # seconds for the first answer: a program may have much to load
_FAREWELL: Final = 1.0  # seconds to end by itself when nothing more is asked
_BATCH: Final = 32
"""Events that are told at once. They fit into an empty pipe, so that writing does not wait for the program to read."""
_MOST_ERRORS: Final = 2_000  # bytes of what a program has last written on standard error

Request: TypeAlias = dict[str, Any]
Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]


class Reply(msgspec.Struct, frozen=True):
    """What is read of a reply."""

    id: str | int | None
    final: bool
    error: str | None = None
    move: str | None = None
    protocol: int | None = None
    name: Name = ""
    version: Name = ""
    games: tuple[str, ...] = ()
    threads: int = 1


class Program:
    """A process that answers requests. PlayerError, a sentence, if it does not; then it is ended.

    It has a process group of its own: Ctrl-C is left to us, and what it has started ends with it.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        self._asked = 0
        self._late = False
        self._heard = bytearray()  # and not yet read as lines
        self._is_over = False  # killed, perhaps a moment ago
        pipe = subprocess.PIPE
        try:
            words = shlex.split(command)
            with _starting:
                if _is_ending:
                    raise PlayerError(f"{self} is not started: this process is about to end.")
                self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, **_OWN_GROUP)
                _running.add(self)
        except (OSError, ValueError) as error:  # ValueError for NUL, which no argument of a program can hold
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise PlayerError(f"{self} cannot be started: {why}.") from None
        self._end = weakref.finalize(self, _end, self._process)  # also when Python ends
        self._errors: deque[bytes] = deque(maxlen=1)
        self._listener = threading.Thread(target=_listen, args=(self._process.stderr, self._errors), daemon=True)
        self._listener.start()

    def __str__(self) -> str:
        return f"The program {quoted(self.command, 80)}"

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return not self._is_over and self._process.poll() is None

    def close(self) -> None:
        """End the program: nothing more is asked, which should be enough; otherwise it is killed."""
        self._end()

    def ask(self, requests: list[Request], seconds: float) -> list[Reply]:
        """The final replies to requests, of which there are at most `_BATCH`, within so many seconds."""
        first = self._asked
        self._asked += len(requests)
        lines = [msgspec.json.encode({"id": first + number, **request}) for number, request in enumerate(requests)]
        timer = threading.Timer(seconds, self._give_up)
        timer.daemon = True
        timer.start()
        try:
            replies = self._exchange(lines, first)
        except BaseException:
            self.kill()  # it would answer this instead of the next question
            raise
        finally:
            timer.cancel()
        if replies is None or self._late:
            self._fail(seconds)
        return replies

    def _exchange(self, lines: list[bytes], first: int) -> list[Reply] | None:
        """Write, and read until all is answered; None if the program says nothing any more."""
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(BrokenPipeError):  # it does not read any more, but may have said why
            stdin.write(b"\n".join(lines) + b"\n")
            stdin.flush()
        replies: dict[int | str, Reply] = {}
        while len(replies) < len(lines):
            line = self._readline()
            if not line.endswith(b"\n") and len(line) <= MOST_LINE:
                return None
            reply = self._read(line)
            if reply.error is not None and reply.id is None:
                raise PlayerError(f"{self} cannot read a request: {quoted(reply.error, 200)}.")
            if reply.final and isinstance(reply.id, int) and first <= reply.id < first + len(lines):
                replies[reply.id] = reply
        return [replies[first + number] for number in range(len(lines))]

    def _readline(self) -> bytes:
        """What it says next, up to the end of a line; without that end if there is none, or it is too far away.

        It is not enough to wait for the end of its output: something else may have inherited that, and live on.
        """
        stdout, heard = self._process.stdout, self._heard
        assert stdout is not None
        while b"\n" not in heard and len(heard) <= MOST_LINE and not self._late:
            if _can_be_read(stdout):
                chunk = os.read(stdout.fileno(), 1 << 16)
                heard += chunk
                if not chunk:
                    break
        length = heard.find(b"\n", 0, MOST_LINE + 1) + 1 or min(len(heard), MOST_LINE + 1)
        line = bytes(heard[:length])
        del heard[:length]
        return line

    def _read(self, line: bytes) -> Reply:
        try:
            return msgspec.json.decode(line, type=Reply)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            text = line.decode(errors="replace").strip()
            raise PlayerError(f"{self} answered with what is no reply: {quoted(text)}.") from None

    def _give_up(self) -> None:
        self._late = True
        self.kill()

    def kill(self) -> None:
        """End the program at once."""
        self._is_over = True
        _kill(self._process)

    def _fail(self, seconds: float) -> NoReturn:
        """Raise the error of a program that does not answer."""
        if self._late:
            self.close()
            raise PlayerError(f"{self} did not answer within {seconds:g} s, and was ended.")
        try:
            status = self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            what = "has closed its output"
        else:
            what = f"has ended with status {status}" if status >= 0 else f"was ended by {_signal_name(-status)}"
        self._listener.join(_FAREWELL)
        self.close()
        told = b"".join(self._errors).decode(errors="replace").strip().rpartition("\n")[2].strip()
        raise PlayerError(f"{self} {what}{f': {quoted(told, 200)}' if told else ''}.")


class ExternalPlayer(Player):
    """Plays what a program answers, which is told of the round event by event, as its seat sees them.

    The limits are those of `PlayerSpec`; without them the program thinks as long as by default. It has `grace` seconds
    more for its answer. PlayerError if it does not answer in time, ends, refuses what it is asked, or answers with what
    may not be played. To be closed: programs are started when they are needed, and kept from one player to the next.
    """

    def __init__(
        self,
        command: str,
        *,
        time: float | None = None,
        iterations: int | None = None,
        threads: int | None = None,
        grace: float = GRACE,
        seed: int = 1,
    ) -> None:
        limits = {"time_ms": None if time is None else 1000 * time, "iterations": iterations}
        self._question: Request = {"limits": {name: value for name, value in limits.items() if value is not None}}
        if threads is not None:
            self._question["threads"] = threads
        if time is None and iterations is None:
            time = DEFAULT_TIME
        self._command = command
        self._grace = grace
        self._patience = (time or 0) + grace
        self._seeds = Rng(seed)
        self._program: Program | None = None
        self._untold: list[Request] = []
        self._follows = False

    def new_round(self, start: Start) -> None:
        self._untold = [{"type": "new"}]
        self._follows = True
        self.event(start)

    def event(self, event: Event) -> None:
        if not self._follows:
            return
        self._untold.append({"type": "event", "event": msgspec.Raw(encode(event).encode())})
        if len(self._untold) == _BATCH or isinstance(event, End):
            self._tell()

    def choose(self, observation: Position) -> int:
        if self._untold:
            self._tell()
        asked = {"type": "move"} if self._follows else {"type": "analyse", "position": str(observation)}
        question = {**asked, **self._question, "seed": self._seeds.below(1 << 31)}
        program = self._started()
        (reply,) = program.ask([question], self._patience)
        if reply.error is not None:
            raise PlayerError(f"{program} refuses to choose: {quoted(reply.error, 200)}.")
        legal = {action_text(action): action for action in observation.legal_actions()}
        if reply.move not in legal:
            move = reply.move
            answer = "without a move" if move is None else f"with the move {quoted(move)}, which it may not play"
            raise PlayerError(f"{program} answered {answer}.")  # what it may play would tell others what it holds
        return legal[reply.move]

    def close(self) -> None:
        if self._program is not None and self._program.is_alive:
            _waiting.append(self._program)
        self._program = None

    def _tell(self) -> None:
        program = self._started()
        told, self._untold = self._untold, []
        for request, reply in zip(told, program.ask(told, self._grace), strict=True):
            if reply.error is not None:
                event = quoted(bytes(request.get("event", b"new")).decode(), 200)
                raise PlayerError(f"{program} refuses the event {event}: {quoted(reply.error, 200)}.")

    def _started(self) -> Program:
        if self._program is None:
            self._program = _take(self._command)
        return self._program


_starting: Final = threading.Lock()  # holds the two that follow
_running: Final[weakref.WeakSet[Program]] = weakref.WeakSet()  # for `kill_programs`
_is_ending = False  # no more programs are started
_waiting: Final[list[Program]] = []
"""Programs of this process that have no player now: to start one may take longer than to play a round."""


def _take(command: str) -> Program:
    """A program that waits, or a new one, which has said that it plays this game; PlayerError if it does not."""
    for program in _waiting:
        if program.command == command:
            _waiting.remove(program)
            if program.is_alive:
                return program
            program.close()
            return _take(command)
    program = Program(command)
    try:
        greeting(program)
    except BaseException:
        program.close()
        raise
    return program


def greeting(program: Program) -> Reply:
    """What a program says of itself; PlayerError if it does not play this game by this protocol."""
    (reply,) = program.ask([{"type": "hello"}], _FIRST)
    if reply.error is not None:
        raise PlayerError(f"{program} refuses to say what it is: {quoted(reply.error, 200)}.")
    if reply.protocol != PROTOCOL:
        raise PlayerError(f"{program} speaks protocol {reply.protocol}, not {PROTOCOL}.")
    if GAME not in reply.games:
        games = quoted(", ".join(reply.games), 200) if reply.games else "nothing"
        raise PlayerError(f"{program} does not play {GAME}, but {games}.")
    return reply


def identify(command: str, threads: int | None) -> str:
    """Name and version of a program, which has to offer so many threads; PlayerError if it cannot be used."""
    program = _take(command)
    try:
        reply = greeting(program)
        if threads is not None and threads > reply.threads:
            raise PlayerError(f"{program} offers {reply.threads} threads at most, not {threads}.")
    finally:
        _waiting.append(program)
    return f"{reply.name} {reply.version}".strip()


def end_programs() -> None:
    """End the programs of this process that have no player."""
    while _waiting:
        _waiting.pop().close()


def kill_programs() -> None:
    """Kill the programs of this process, which is about to end at once: one that hangs would stay for ever."""
    global _is_ending
    with _starting:
        _is_ending = True
        for program in _running:
            program.kill()


# ---- processes

if sys.platform == "win32":
    _OWN_GROUP: Final[dict[str, Any]] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    _OWN_GROUP: Final[dict[str, Any]] = {"process_group": 0}


def _can_be_read(stream: IO[bytes]) -> bool:
    """Whether there is something, or the end; waits a while for it."""
    if not hasattr(select, "poll"):
        return True  # as far as the system can tell
    poll = select.poll()
    poll.register(stream.fileno(), select.POLLIN)
    return bool(poll.poll(100))


def _listen(stream: IO[bytes], last: deque[bytes]) -> None:
    """Keep the end of what a program writes on standard error."""
    kept = b""
    with stream, suppress(ValueError):
        while chunk := os.read(stream.fileno(), 4096):
            kept = (kept + chunk)[-_MOST_ERRORS:]
            last.append(kept)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    elif process.returncode is None:  # until it is waited for, its number is nobody else's
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.close()
    process.stdout.close()
    try:
        process.wait(_FAREWELL)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

"""The engine: requests in, replies out, several at once (docs/protocol.md)."""

import logging
import math
import select
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import metadata
from io import RawIOBase
from time import monotonic, perf_counter
from typing import Final, TypeAlias

from eights.analysis import DEFAULT_MEMORY, Analysis, analyse
from eights.events import GAME, RecordError
from eights.forest import MOST_THREADS, processors
from eights.models import default_evaluator
from eights.position import Position
from eights.protocol import (
    MOST_LINE,
    PROTOCOL,
    Analyse,
    AnyRequest,
    Body,
    Choose,
    Happened,
    Hello,
    Id,
    Limits,
    New,
    Refusal,
    Search,
    Stop,
    Warnings,
    add,
    analysis_body,
    choice,
    encode_reply,
    event_warnings,
    given,
    lines,
    not_begun,
    question,
    read_event,
    read_request,
    record_body,
)
from eights.record import Record
from eights.rules import PRESETS

DEFAULT_MEMORY_MB: Final = DEFAULT_MEMORY >> 20
MOST_WAITING: Final = 8 << 20
"""Bytes of requests that are kept until they can be worked on."""
_OVERHEAD: Final = 4 << 10  # bytes that a waiting request takes besides its text
_LOOK: Final = 0.5  # seconds between two looks whether anybody reads the replies
_PATIENCE: Final = 1.0  # seconds that the last replies have to be read in when the engine is to end
_PIECE: Final = getattr(select, "PIPE_BUF", 1 << 16)  # bytes that a pipe takes at once, if it takes any

_log = logging.getLogger(__name__)

Answer: TypeAlias = tuple[Body, Warnings]
Question: TypeAlias = Callable[[threading.Event], tuple[Position, Warnings]]


class EngineError(Exception):
    """Requests that cannot be read, or replies that cannot be written; the message is a sentence."""


@dataclass(eq=False, slots=True)
class _Job:
    """A search that has been asked for and not answered."""

    request: Search
    ask: Question
    warnings: Warnings
    size: int
    stop: threading.Event = field(default_factory=threading.Event)


class Server:
    """Answers requests, each with exactly one final reply.

    `write` is called with the line of each reply, from any thread, and must not raise. Up to `threads` searches run at
    once, each within `memory_mb`.

    >>> server = Server(lambda line: print(line.decode(), end=""), threads=1)
    >>> server.receive(b'{"id":1,"type":"new"}')
    {"id":1,"final":true,"plies":0,"next":{"type":"start"}}
    >>> server.receive(b'{"id":2,"type":"stop"}')
    {"id":2,"final":true,"error":"The field target is missing.","field":"target"}
    >>> server.finish()
    """

    def __init__(
        self, write: Callable[[bytes], object], *, threads: int | None = None, memory_mb: int = DEFAULT_MEMORY_MB
    ) -> None:
        self.threads = threads or min(processors(), MOST_THREADS)
        self.memory_mb = memory_mb
        self._write = write
        self._record: Record | None = None  # the round that is followed event by event
        self._changed = threading.Condition()  # holds what follows
        self._waiting: dict[Id, _Job] = {}  # in the order in which they came
        self._running: dict[Id, _Job] = {}
        self._size = 0  # of the jobs that wait, in bytes
        self._workers: list[threading.Thread] = []  # started when there is nobody for a job
        self._finished = False
        self._abandoned = False

    def receive(self, line: bytes) -> None:
        """Answer a line, at once or when its search is done; to be called by one thread.

        Waits while more than `MOST_WAITING` is to be worked on.
        """
        if len(line) <= MOST_LINE and not line.strip():
            return
        try:
            request, warnings = read_request(line)
        except Refusal as refusal:
            self._reply(refusal.id, refusal.body(), refusal.warnings)
            return
        if self._is_open(request.id):
            busy = Refusal("A request with this id has not been answered yet.", "id")
            self._reply(request.id, busy.body(), warnings)
        elif isinstance(request, Search):
            self._accept(request, warnings, len(line) + _OVERHEAD)
        else:
            self._reply(request.id, *self._try(lambda: self._answer(request, warnings), warnings))

    def finish(self) -> None:
        """Wait until all that was received is answered; nothing can be received then."""
        with self._changed:
            self._finished = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.join()

    def abandon(self) -> None:
        """Stop all searches, and begin no others: they are refused."""
        with self._changed:
            self._abandoned = True
            for job in (*self._waiting.values(), *self._running.values()):
                job.stop.set()
            self._changed.notify_all()

    # what is answered at once

    def _answer(self, request: AnyRequest, warnings: Warnings) -> Answer:
        if isinstance(request, Hello):
            return self._greeting(), warnings
        if isinstance(request, Stop):
            return {"target": request.target, "stopped": self._stop(request.target)}, warnings
        if isinstance(request, New):
            self._record = None
        elif isinstance(request, Happened):
            try:
                event, extra = read_event(request.event)
                self._record = add(self._record, event, extra)
            except RecordError as error:
                raise Refusal(error.message, "event") from None
            warnings += event_warnings(extra)
        return record_body(self._record), warnings

    def _greeting(self) -> Body:
        try:
            version = metadata.version("eights")
        except metadata.PackageNotFoundError:  # run from its source folders
            version = "unknown"
        return {
            "protocol": PROTOCOL,
            "name": "eights",
            "version": version,
            "games": [GAME],
            "presets": list(PRESETS),
            "threads": self.threads,
            "memory_mb": self.memory_mb,
        }

    def _stop(self, target: Id) -> bool:
        """Whether there was such a search; one that waits is answered here and now."""
        with self._changed:
            if target in self._running:
                self._running[target].stop.set()
                return True
            if target not in self._waiting:
                return False
            job = self._take(target)
        self._reply(target, not_begun().body(), job.warnings)
        return True

    # searches

    def _accept(self, request: Search, warnings: Warnings, size: int) -> None:
        """Have it worked on as soon as a thread is free."""
        try:
            self._enqueue(_Job(request, self._question(request), warnings, size))
        except Exception as error:
            self._reply(request.id, _error_body(error), warnings)

    def _question(self, request: Search) -> Question:
        """How the position of a search is found; Refusal for more than this server can give."""
        for name, most in (("threads", self.threads), ("memory_mb", self.memory_mb)):
            if given(getattr(request, name), 0) > most:
                raise Refusal(f"The field {name} is wrong: here it is at most {most}.", name)
        if isinstance(request, Analyse):
            return lambda stop: question(request, stop)  # which takes its time if it is a long record
        position = choice(self._record)  # now: what follows may change the record
        return lambda stop: (position, ())

    def _enqueue(self, job: _Job) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._size < MOST_WAITING or self._abandoned)
            if self._abandoned:
                raise not_begun()
            # A thread first: where none can be started, that is the answer. None of them keeps a program from ending.
            if len(self._workers) < min(self.threads, len(self._waiting) + len(self._running) + 1):
                worker = threading.Thread(target=self._work, daemon=True)
                worker.start()
                self._workers.append(worker)
            self._waiting[job.request.id] = job
            self._size += job.size
            self._changed.notify_all()

    def _take(self, identity: Id) -> _Job:
        """A job that waits no longer; to be called with `_changed`."""
        job = self._waiting.pop(identity)
        self._size -= job.size
        self._changed.notify_all()
        return job

    def _is_open(self, identity: Id) -> bool:
        with self._changed:
            return identity in self._waiting or identity in self._running

    def _work(self) -> None:
        while self._answer_next():
            pass

    def _answer_next(self) -> bool:
        """Answer the job that has waited longest, as soon as there is one; False if none comes any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._finished)
            if not self._waiting:
                return False
            identity = next(iter(self._waiting))
            job = self._running[identity] = self._take(identity)

        def search() -> Answer:
            if job.stop.is_set():
                raise not_begun()
            start = perf_counter()
            position, more = job.ask(job.stop)
            return analysis_body(self._search(job, position, start)), job.warnings + more

        body, warnings = self._try(search, job.warnings)
        with self._changed:
            del self._running[identity]  # before the reply, after which the id may be used again
        self._reply(identity, body, warnings)
        return True

    def _search(self, job: _Job, position: Position, start: float) -> Analysis:
        request = job.request
        limits = request.limits
        if isinstance(request, Choose) and len(position.legal_actions()) == 1:
            limits = Limits(iterations=1)
        evaluator = default_evaluator(position.rules)  # the first time it is read from its file
        milliseconds = given(limits.time_ms, None)
        spent = perf_counter() - start
        report_every = given(request.report_every_ms, None)
        return analyse(
            position,
            time=None if milliseconds is None else max(milliseconds / 1000 - spent, 1e-6),
            iterations=given(limits.iterations, None),
            seed=request.seed,
            on_progress=None if report_every is None else lambda analysis: self._report(job, analysis),
            report_every=(report_every or 0) / 1000,
            stop=job.stop,
            memory=given(request.memory_mb, self.memory_mb) << 20,
            evaluator=evaluator,
            threads=request.threads,
        )

    # replies

    def _report(self, job: _Job, analysis: Analysis) -> None:
        self._write(encode_reply(job.request.id, analysis_body(analysis), final=False))

    def _reply(self, identity: Id | None, body: Body, warnings: Warnings = ()) -> None:
        self._write(encode_reply(identity, body, final=True, warnings=warnings))

    def _try(self, answer: Callable[[], Answer], warnings: Warnings) -> Answer:
        """What `answer` gives, or the error that it ends in: there is a reply in any case."""
        try:
            return answer()
        except Exception as error:
            return _error_body(error), warnings


def _error_body(error: Exception) -> Body:
    """What is replied where answering ended in an error; one that is not the request's fault is logged."""
    if isinstance(error, Refusal):
        return error.body()
    _log.error("The engine has failed.", exc_info=error)
    return {"error": f"The engine has failed: {type(error).__name__}: {error}.", "field": None}


class _Output:
    """Where replies go, until nobody reads them.

    They are written in pieces for which there is room, so that a thread that writes what nobody reads can still end.
    """

    def __init__(self, sink: RawIOBase, on_failure: Callable[[], object]) -> None:
        self.error: OSError | None = None
        self._sink = sink
        self._on_failure = on_failure
        self._lock = threading.Lock()
        self._end = math.inf  # when it is to be over with writing
        self._is_over = False

    def write(self, line: bytes) -> None:
        with self._lock:
            rest = memoryview(line)
            try:
                while rest and not self._is_over:
                    if self._has_room():
                        rest = rest[self._sink.write(rest[:_PIECE]) or 0 :]
                    else:
                        self._is_over = monotonic() > self._end
            except OSError as error:
                self._is_over, self.error = True, error
                self._on_failure()

    def hurry(self) -> None:
        """What is not read in a moment will not be written any more."""
        self._end = monotonic() + _PATIENCE

    def close(self) -> None:
        """Write no more; to be called after `hurry`."""
        with self._lock:
            self._is_over = True

    @property
    def is_closed(self) -> bool:
        """Whether nobody can read what is written; False where the system cannot tell."""
        if not hasattr(select, "poll"):
            return False
        return any(event & (select.POLLERR | select.POLLHUP) for _, event in self._poll(0, seconds=0))

    def _has_room(self) -> bool:
        """Whether a piece can be written, or fails, without waiting; waits a while for that."""
        return not hasattr(select, "poll") or bool(self._poll(select.POLLOUT, seconds=0.05))

    def _poll(self, events: int, *, seconds: float) -> list[tuple[int, int]]:
        poll = select.poll()
        poll.register(self._sink.fileno(), events)
        return poll.poll(1000 * seconds)


def serve(source: RawIOBase, sink: RawIOBase, *, threads: int | None, memory_mb: int) -> None:
    """Answer the requests of an unbuffered file or pipe in another, until one of them is closed.

    After the end of `source` all that was received is answered; where nobody reads `sink` any more, all is stopped.
    EngineError if they cannot be read, or if replies cannot be written for another reason, as on a full disk.
    """
    over = threading.Event()
    output = _Output(sink, over.set)
    server = Server(output.write, threads=threads, memory_mb=memory_mb)
    failure: Exception | None = None

    def read() -> None:
        nonlocal failure
        try:
            for line in lines(source):
                server.receive(line)
            server.finish()
        except OSError as error:
            failure = EngineError(f"The requests cannot be read: {error.strerror}.")
        except Exception as error:
            failure = error
        finally:
            over.set()

    # A thread of its own, since nothing ends the reading of a pipe that stays open; and unbuffered, since a thread that
    # holds the lock of a buffer would not let the interpreter end.
    threading.Thread(target=read, daemon=True).start()
    try:
        while not over.wait(_LOOK) and not output.is_closed:
            pass
    finally:
        output.hurry()
        server.abandon()
        server.finish()
        output.close()
    if failure is not None:
        raise failure
    if output.error is not None and not isinstance(output.error, BrokenPipeError):
        raise EngineError(f"The replies cannot be written: {output.error.strerror}.")

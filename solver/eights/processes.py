"""Processes that work for this one: they leave Ctrl-C to it, and never outlive it."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from types import FrameType, TracebackType
from typing import ParamSpec, Self, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """Up to `jobs` processes, started when the first task is submitted, and again by a task after they were ended.

    They are started as new programs, so a script keeps what it does under ``if __name__ == "__main__":``. To be
    closed, or used in a `with` statement, which an exception ends without waiting for tasks. A process that ends at
    once, without its task being done, calls `farewell` before.
    """

    def __init__(self, jobs: int, farewell: Callable[[], object] | None = None) -> None:
        if jobs < 1:
            raise ValueError(f"There is at least 1 job, not {jobs}.")
        self.jobs = jobs
        self._farewell = farewell
        self._pool: ProcessPoolExecutor | None = None
        self._lifeline: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            self.cut()

    def submit(self, task: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a task done by one of the processes; BrokenProcessPool, here or from the future, if one has died."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")  # the same everywhere, and safe with threads
            reader, self._lifeline = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(self.jobs, context, _begin_work, (reader, self._farewell))
        with _holding_ctrl_c():  # the first task starts all processes
            return self._pool.submit(task, *args, **kwargs)

    def close(self) -> None:
        """End the processes when all tasks are done."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
        self._cut_lifeline()

    def cut(self) -> None:
        """End the processes at once; the tasks in progress are lost."""
        self._cut_lifeline()
        self.close()

    def _cut_lifeline(self) -> None:
        if self._lifeline is not None:
            self._lifeline.close()
            self._lifeline = None


@contextmanager
def _holding_ctrl_c() -> Iterator[None]:
    """Ctrl-C has to wait meanwhile, and does nothing to a process that is started, not even before `_begin_work`."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_work(lifeline: Connection, farewell: Callable[[], object] | None) -> None:
    """Prepare a process: it leaves Ctrl-C to its parent, and ends when the other end of `lifeline` is closed.

    So it also ends with a parent that was killed, instead of waiting for ever. SIGTERM ends it as well, not without
    `farewell`; that is called by a thread, since it may have to wait for what the signal has interrupted.
    """

    def terminate(signum: int, frame: FrameType | None) -> None:
        threading.Thread(target=_end, args=(farewell,), daemon=True).start()

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, terminate)
    threading.Thread(target=_end_with, args=(lifeline, farewell), daemon=True).start()


def _end_with(lifeline: Connection, farewell: Callable[[], object] | None) -> None:
    lifeline.poll(None)
    _end(farewell)


def _end(farewell: Callable[[], object] | None) -> None:
    try:
        if farewell is not None:
            farewell()
    finally:
        os._exit(1)

"""Signals as requests to come to an end."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 and the number of the signal, as of a program that it ended."""


@contextmanager
def ctrl_c() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; the next one is a KeyboardInterrupt as ever.

    SIGTERM is SystemExit, with 128 and its number as the status, so that what was started is ended on the way out.
    """
    stop = threading.Event()

    def interrupt(signum: int, frame: FrameType | None) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    def terminate(signum: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one, as `timeout` sends, would cut the way out short
        sys.exit(128 + signum)

    before = signal.signal(signal.SIGINT, interrupt)
    before_term = signal.signal(signal.SIGTERM, terminate)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGTERM, before_term)

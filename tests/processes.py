"""Processes that a test has started: what they do, and whether they have ended."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def pid_in(path: Path) -> int:
    """The number of a process that writes it into a file, as soon as that is there."""
    wait_until(lambda: path.exists() and path.read_text().endswith("\n"))
    return int(path.read_text())


def is_running(pid: int) -> bool:
    """Whether there is such a process, but for one that nobody has waited for."""
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not stat.exists() or ") Z " not in stat.read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False

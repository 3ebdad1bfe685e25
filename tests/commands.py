"""Running the command `eights`: in this process, in one of its own, and on a terminal."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from click.testing import CliRunner, Result
from eights_cli.main import main

EIGHTS = [sys.executable, "-c", "from eights_cli.main import main; main(prog_name='eights')"]
"""The command as a process; its arguments follow."""

needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


def run(*arguments: object, status: int = 0, **options: Any) -> Result:
    """The result of a command line that ends with this status, by itself and without a traceback."""
    result = CliRunner().invoke(main, list(map(str, arguments)), prog_name="eights", catch_exceptions=False, **options)
    assert result.exit_code == status, result.output
    return result


class OnTerminal:
    """The command as a process whose input and output are a terminal."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process = process
        self._terminal = terminal

    def read_until(self, text: str, seconds: float = 60) -> str:
        """What the terminal shows until `text` has appeared."""
        shown, end = "", time.monotonic() + seconds
        while text not in shown:
            assert time.monotonic() < end, shown
            if select.select([self._terminal], [], [], 0.1)[0]:
                shown += os.read(self._terminal, 65_536).decode()
        return shown


@contextmanager
def on_terminal(*arguments: str) -> Iterator[OnTerminal]:
    """The command on a terminal; killed in the end if it still runs."""
    terminal, side = os.openpty()
    process = subprocess.Popen([*EIGHTS, *arguments], stdin=side, stdout=side, stderr=side)
    os.close(side)
    try:
        yield OnTerminal(process, terminal)
    finally:
        process.kill()
        process.wait()
        os.close(terminal)

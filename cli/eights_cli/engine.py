"""`eights engine`: answer other programs."""

import os
import sys

import click

from eights_cli.interrupt import INTERRUPTED

SWITCH = 0.001
"""Seconds after which a thread lets others go on: the default of 5 ms would make replies late by as much."""


@click.command(short_help="Answer requests of other programs: JSON lines.")
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Work on so many requests at once.  [default: one a processor]",
)
@click.option(
    "--memory",
    "memory_mb",
    type=click.IntRange(16, 1 << 20),
    metavar="MB",
    default=512,
    show_default=True,
    help="Most that the search of one request may take.",
)
def engine(threads: int | None, memory_mb: int) -> None:
    """Answer requests on standard input with replies on standard output, JSON objects one a line.

    \b
      $ eights engine
      {"id":1,"type":"hello"}
      {"id":1,"final":true,"protocol":1,"name":"eights", ...}

    Several requests are worked on at once; each gets one final reply, and may be stopped. End of input ends it when all
    are answered. The protocol is described in docs/protocol.md, with a schema and with short clients in Python and
    JavaScript.
    """
    if sys.stdin is None or sys.stdout is None:
        raise click.ClickException("Requests come on standard input, replies go to standard output: one is not open.")
    if sys.platform != "win32":
        os.set_blocking(sys.stdin.fileno(), True)  # else nothing to read yet would look like the end
    sys.setswitchinterval(SWITCH)
    try:
        _serve(threads, memory_mb)
    except KeyboardInterrupt:
        click.get_current_context().exit(INTERRUPTED)


def _serve(threads: int | None, memory_mb: int) -> None:
    from eights.server import EngineError, serve

    try:
        with (
            open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as source,
            open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as sink,
        ):
            serve(source, sink, threads=threads, memory_mb=memory_mb)
    except EngineError as error:
        raise click.ClickException(str(error)) from None

"""How long to think, and by which random numbers: values of options that several commands have."""

import click

SEED = click.IntRange(0, 2**64 - 1)
ITERATIONS = click.IntRange(1, 2**32 - 1)
THREADS = click.IntRange(1, 256)


def duration(text: str) -> float:
    """Seconds, of a number with its unit."""
    from eights.specs import LONGEST, parse_duration

    try:
        seconds = parse_duration(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if not 0 < seconds <= LONGEST:
        raise click.BadParameter(f"{text!r} is not more than nothing and at most a day.")
    return seconds

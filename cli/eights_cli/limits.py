"""How long to think, and by which random numbers: values of options that several commands have."""

import re

import click

LONGEST = 24 * 3600.0
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}

SEED = click.IntRange(0, 2**64 - 1)
ITERATIONS = click.IntRange(1, 2**32 - 1)


def duration(text: str) -> float:
    """Seconds, of a number with its unit."""
    parts = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m)", text)
    if parts is None:
        raise click.BadParameter(f"{text!r} is not a number with its unit: 200ms, 1.5s, 2m.")
    seconds = float(parts[1]) * _UNITS[parts[2]]
    if not 0 < seconds <= LONGEST:
        raise click.BadParameter(f"{text!r} is not more than nothing and at most a day.")
    return seconds

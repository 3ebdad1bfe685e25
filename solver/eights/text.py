"""What all texts are made of: numbers, and the quoting of what cannot be read."""

import re


def parse_number(text: str, what: str) -> int:
    """A whole number without sign or leading zeros, of up to seven digits; ValueError, a sentence about `what`.

    >>> parse_number("12", "The Bank")
    12
    """
    if not re.fullmatch(r"0|[1-9][0-9]{0,6}", text):
        raise ValueError(f"{what} is {quoted(text)}, but must be a whole number, of at most seven digits.")
    return int(text)


def quoted(text: str, limit: int = 40) -> str:
    """`text` in quotes for an error sentence, cut to `limit` characters: what is quoted may be hostile.

    >>> quoted("3x1"), quoted("7" * 1000, limit=3)
    ("'3x1'", "'777'…")
    """
    return repr(text) if len(text) <= limit else f"{text[:limit]!r}…"

"""What has been seen of a round as small whole numbers, one for each event: the log from which all else is told.

==============  =====  ===========================================================
code            count  event
==============  =====  ===========================================================
0 … 219           220  a player acts: the action's id (rules §9)
FACE_UP + r        12  a card comes up that everybody sees
OPENS + s           6  seat s is to open the round (rules §5)
UNSEEN              1  a card comes to a hand that the observer does not see
DRAWN + 12 s + r   72  a card comes from the Bank to the hand of seat s (rules §10)
==============  =====  ===========================================================

Who acts, and where a card comes up, follows from the codes before, for everybody; so two logs with the same codes are
the same thing seen.
"""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from eights.actions import (
    BLIND,
    COPIES,
    EIGHT_HALF,
    KEEP,
    NUM_ACTIONS,
    NUM_RANKS,
    SWAP,
    TAKE,
    action_text,
    rank_char,
    split_play,
    split_swap,
)
from eights.rules import MOST_PLAYERS

FACE_UP: Final = NUM_ACTIONS
OPENS: Final = FACE_UP + NUM_RANKS
UNSEEN: Final = OPENS + MOST_PLAYERS
DRAWN: Final = UNSEEN + 1
NUM_CODES: Final = DRAWN + MOST_PLAYERS * NUM_RANKS

_KINDS: Final = ("play", "8H", "blind", "take", "keep", "swap", "card", "unseen", "opens")


def drawn(seat: int, rank: int) -> int:
    """The code of a card that comes to a hand, for who sees it."""
    return DRAWN + NUM_RANKS * seat + rank


def rank_of(code: int) -> int:
    """The rank of a card that comes up, in the hand of somebody or for all to see."""
    return (code - DRAWN) % NUM_RANKS if code >= DRAWN else code - FACE_UP


def seen_by(seats: Collection[int], codes: Sequence[int]) -> list[int]:
    """The codes as somebody sees them who sees the hands of these seats."""
    shown = _shown(frozenset(seats))
    return [shown[code] for code in codes]


def drawn_by(seats: Collection[int], codes: Sequence[int]) -> list[int]:
    """Of the codes only the cards that come to the hands of these seats: what is private."""
    return [code for code in codes if code >= DRAWN and (code - DRAWN) // NUM_RANKS in seats]


def codes_text(codes: Sequence[int]) -> str:
    """The events in words.

    >>> codes_text([FACE_UP + 5, drawn(1, 10), UNSEEN, OPENS + 1, 15])
    '+5 +H +? opens:1 3x2'
    """
    return " ".join(map(_TEXTS.__getitem__, codes))


def row_width(players: int) -> int:
    """How many entries a row of `rows` has."""
    return 2 * NUM_RANKS + 1 + len(_KINDS) + players


@cache
def rows(players: int) -> npt.NDArray[np.float32]:
    """One row of float32 for each code; all entries lie in [0, 1].

    - 12: one-hot the rank of the card that comes up, of the cards played, or of the card given in an exchange
    - 12: one-hot the rank got in an exchange
    - 1: how many copies are played / 8
    - 9: one-hot play, 8H, blind, take, keep, swap, card seen, card unseen, opens
    - players: one-hot who opens

    A row of zeros is no event.
    """
    table = np.zeros((NUM_CODES, row_width(players)), np.float32)
    given, got, copies, kinds, opener = np.split(
        table, np.cumsum([NUM_RANKS, NUM_RANKS, 1, len(_KINDS)]).tolist(), axis=1
    )
    for code in range(NUM_CODES):
        kinds[code, _KINDS.index(_kind(code))] = 1
        if code < EIGHT_HALF:
            rank, number = split_play(code)
            given[code, rank], copies[code] = 1, number / max(COPIES)
        elif SWAP <= code < NUM_ACTIONS:
            own, other = split_swap(code)
            given[code, own] = got[code, other] = 1
        elif code >= DRAWN or FACE_UP <= code < OPENS:
            given[code, rank_of(code)] = 1
        elif OPENS <= code < OPENS + players:
            opener[code, code - OPENS] = 1
    return table


def _kind(code: int) -> str:
    if code < EIGHT_HALF:
        return "play"
    if code < SWAP:
        return {EIGHT_HALF: "8H", BLIND: "blind", TAKE: "take", KEEP: "keep"}[code]
    if code < NUM_ACTIONS:
        return "swap"
    if code == UNSEEN:
        return "unseen"
    return "opens" if OPENS <= code < UNSEEN else "card"


@cache
def _shown(seats: frozenset[int]) -> tuple[int, ...]:
    """For each code that which is seen by who sees the hands of these seats."""
    return tuple(code if code < DRAWN or (code - DRAWN) // NUM_RANKS in seats else UNSEEN for code in range(NUM_CODES))


_TEXTS: Final = (
    *map(action_text, range(NUM_ACTIONS)),
    *(f"+{rank_char(rank)}" for rank in range(NUM_RANKS)),
    *(f"opens:{seat}" for seat in range(MOST_PLAYERS)),
    "+?",
    *(f"+{rank_char(rank)}" for _ in range(MOST_PLAYERS) for rank in range(NUM_RANKS)),
)

"""Actions: 220 ids and their text, canonical in both directions (rules §9).

=============  ==========================  ======================
id             action                      text
=============  ==========================  ======================
0 … 71         play k copies of rank r     ``3``, ``3x2``, ``Hx3``
72             8 and Half together         ``8H``
73             flip a Blind Card           ``blind``
74             take the pile               ``take``
75             exchange nothing            ``keep``
76 + 12a + b   exchange rank a for rank b  ``swap 3 9``
=============  ==========================  ======================

Every id has a text, also the twelve ``swap a a`` that are never legal.
"""

import re
from typing import Final

from eights.text import quoted

RANK_CHARS: Final = "0123456789HG"
NUM_RANKS: Final = len(RANK_CHARS)
HALF: Final = 10
GHOST: Final = 11
YELLOW: Final = (1, 2, 3, 4, 6, 7, 8)
"""The ranks that decide who opens a round (rules §1)."""

COPIES: Final = (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8)
"""Cards of each rank in the full deck (rules §1)."""
FIRST: Final = tuple(sum(COPIES[:rank]) for rank in range(NUM_RANKS))
"""Id of the play of one card of each rank; k copies are k - 1 further on."""

EIGHT_HALF: Final = sum(COPIES)
BLIND: Final = EIGHT_HALF + 1
TAKE: Final = EIGHT_HALF + 2
KEEP: Final = EIGHT_HALF + 3
SWAP: Final = EIGHT_HALF + 4
"""The first of the 144 swaps, ``swap 0 0``."""
NUM_ACTIONS: Final = SWAP + NUM_RANKS * NUM_RANKS


def rank_char(rank: int) -> str:
    """The char of a rank id; ValueError if there is no such rank.

    >>> rank_char(3), rank_char(11)
    ('3', 'G')
    """
    if not 0 <= rank < NUM_RANKS:
        raise ValueError(f"There is no rank {rank}: ranks are 0 to {NUM_RANKS - 1}.")
    return RANK_CHARS[rank]


def parse_rank(char: str) -> int:
    """The id of a rank char; ValueError if it is none.

    >>> parse_rank("H")
    10
    """
    if len(char) != 1 or char not in RANK_CHARS:
        raise ValueError(f"{quoted(char)} is not a rank: the ranks are {' '.join(RANK_CHARS)}.")
    return RANK_CHARS.index(char)


def play_action(rank: int, copies: int = 1) -> int:
    """The play of 1 to `COPIES[rank]` cards of one rank; ValueError if there are not so many.

    >>> action_text(play_action(3, 2))
    '3x2'
    """
    char = rank_char(rank)
    if not 1 <= copies <= COPIES[rank]:
        raise ValueError(f"There are 1 to {COPIES[rank]} cards of rank {char} to play, not {copies}.")
    return FIRST[rank] + copies - 1


def swap_action(own: int, other: int) -> int:
    """The exchange of one's own Open Card of rank `own` for one of rank `other` (rules §7)."""
    rank_char(own), rank_char(other)  # both must exist
    return SWAP + NUM_RANKS * own + other


def split_swap(action: int) -> tuple[int, int]:
    """The ranks given and received in a swap; ValueError for any other action.

    >>> split_swap(parse_action("swap 3 9"))
    (3, 9)
    """
    if not SWAP <= action < NUM_ACTIONS:
        raise ValueError(f"Action {action} is not a swap.")
    return divmod(action - SWAP, NUM_RANKS)


def split_play(action: int) -> tuple[int, int]:
    """The rank and the number of copies of a play of one rank; ValueError for any other action, ``8H`` too.

    >>> split_play(parse_action("Hx3"))
    (10, 3)
    """
    if not 0 <= action < EIGHT_HALF:
        raise ValueError(f"Action {action} is not a play of cards of one rank.")
    rank = _RANK_OF_PLAY[action]
    return rank, action - FIRST[rank] + 1


def played_ranks(action: int) -> tuple[int, ...]:
    """The cards that a play lays on the pile, ``8H`` included; ValueError for an action that is no play.

    >>> played_ranks(parse_action("3x2")), played_ranks(EIGHT_HALF)
    ((3, 3), (8, 10))
    """
    if action == EIGHT_HALF:
        return (8, HALF)
    rank, copies = split_play(action)
    return (rank,) * copies


def action_text(action: int) -> str:
    """The text of an action id; ValueError if there is no such action.

    >>> action_text(0), action_text(15), action_text(72), action_text(74), action_text(76 + 12 * 3 + 9)
    ('0', '3x2', '8H', 'take', 'swap 3 9')
    """
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(f"There is no action {action}: ids are 0 to {NUM_ACTIONS - 1}.")
    return _TEXTS[action]


def parse_action(text: str) -> int:
    """The id of an action's text; ValueError, saying why, for anything but the canonical text.

    >>> parse_action("0x4")
    3
    >>> parse_action("3x1")
    Traceback (most recent call last):
    ValueError: '3x1' is not an action: one card is written '3'.
    """
    action = _IDS.get(text)
    if action is None:
        raise ValueError(f"{quoted(text)} is not an action: {_what_is_wrong(text)}.")
    return action


def _what_is_wrong(text: str) -> str:
    several = re.fullmatch(r"([0-9HG])x([1-9][0-9]*)", text)
    if several is None:
        return "write a play as '3', '3x2' or '8H', else 'blind', 'take', 'keep' or 'swap 3 9'"
    char, copies = several.groups()
    if copies == "1":
        return f"one card is written '{char}'"
    return f"there are only {COPIES[parse_rank(char)]} cards of rank {char}"


_RANK_OF_PLAY: Final = tuple(rank for rank in range(NUM_RANKS) for _ in range(COPIES[rank]))
_TEXTS: Final = (
    *(f"{char}x{k}" if k > 1 else char for char, n in zip(RANK_CHARS, COPIES, strict=True) for k in range(1, n + 1)),
    "8H",
    "blind",
    "take",
    "keep",
    *(f"swap {own} {other}" for own in RANK_CHARS for other in RANK_CHARS),
)
_IDS: Final = {text: action for action, text in enumerate(_TEXTS)}

"""What a hidden hand has shown: for each of its cards the ranks that it is known not to be (rules §10).

A hand is a sorted tuple of sets of ranks (bit r for rank r), one for each card; what is not certain of a single card is
not kept.
"""

from typing import TypeAlias

Shown: TypeAlias = tuple[int, ...]


def after_draw(hand: Shown) -> Shown:
    """A card from the Bank tells nothing."""
    return (0, *hand)


def after_take(hand: Shown, playable: int) -> Shown:
    """Who takes holds no card of the ranks that he might have played.

    >>> after_take((0, 1 << 5), 1 << 9 | 1 << 11) == (1 << 9 | 1 << 11, 1 << 5 | 1 << 9 | 1 << 11)
    True
    """
    return tuple(sorted(excluded | playable for excluded in hand))


def after_play(hand: Shown, rank: int, copies: int) -> Shown:
    """The cards played are some of those that may have that rank; where these differ, what is common to them is kept.

    ValueError if there are not so many.

    >>> after_play((0, 1 << 3, 1 << 3), 3, 1) == (1 << 3, 1 << 3)
    True
    >>> after_play((0, 1 << 3, 1 << 4), 5, 1)
    (0, 0)
    """
    if not any(hand) and copies <= len(hand):
        return hand[copies:]
    may_be = [excluded for excluded in hand if not excluded >> rank & 1]
    if len(may_be) < copies:
        raise ValueError(f"Of {len(hand)} cards {len(may_be)} may have that rank, not {copies}.")
    common = may_be[0]
    for excluded in may_be:
        common &= excluded
    others = [excluded for excluded in hand if excluded >> rank & 1]
    return tuple(sorted([*others, *[common] * (len(may_be) - copies)]))

"""The discard pile: what it stands at after the plays that lie on it (rules §3, §4)."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from eights.actions import GHOST, HALF, action_text, played_ranks
from eights.rules import Rules

Standing: TypeAlias = tuple[int, bool]
"""A pile's value in half units, and whether it is a five whose demand binds the next player."""

_ANYWHERE: Final = frozenset({(value, False) for value in range(27)} | {(10, True)})


def walk_pile(rules: Rules, plays: Sequence[int | None]) -> tuple[frozenset[Standing], list[str]]:
    """Where a pile of these plays (None: one unknown card) may stand, and a sentence for each play that cannot be.

    The plays start a pile: none of them may catch a felon, since the pile would have ended there.

    >>> walk_pile(Rules(), [8, 56])[0] == {(3, False)}  # a 1 and a Half: 1½
    True
    >>> walk_pile(Rules(), [50, 44])[1]
    ['Play 2 of the pile, 8, may not be laid on 9.']
    """
    standings = frozenset({(0, False)})
    faults = []
    for number, play in enumerate(plays, start=1):
        if play is None:
            standings = _ANYWHERE
            continue
        laid = [rules.ruleset.lay(value, demand, play) for value, demand in standings]
        after = frozenset((value, demand) for value, demand, catches in filter(None, laid) if not catches)
        if not after:
            faults.append(f"Play {number} of the pile, {action_text(play)}, {_why_not(standings, any(laid))}.")
            after = _regardless(rules, standings, play)
        standings = after
    return standings, faults


def value_text(halves: int) -> str:
    """A value in half units as people write it.

    >>> value_text(17), value_text(1), value_text(0)
    ('8½', '½', '0')
    """
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)


def _why_not(standings: frozenset[Standing], catches: bool) -> str:
    if len(standings) > 1:
        return "cannot lie on what is under it"
    ((value, demand),) = standings
    if catches:
        return f"is the policeman of {value_text(value)}: it would have caught the felon and ended the pile"
    return f"may not be laid on {'a demanding ' if demand else ''}{value_text(value)}"


def _regardless(rules: Rules, standings: frozenset[Standing], play: int) -> frozenset[Standing]:
    """Where the pile stands after a play that cannot be, so that the plays after it can be looked at too."""
    if played_ranks(play)[0] in (HALF, GHOST):
        return standings
    value, demand, _ = rules.ruleset.lay(0, False, play) or (0, False, False)
    return frozenset({(value, demand)})

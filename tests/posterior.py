"""The deals that fit a position, by plain enumeration, and whether samples follow them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any, TypeAlias

from eights import Position, Rng, State, Unknown

Zones: TypeAlias = tuple[tuple[tuple[str, int], tuple[int, ...]], ...]
"""The cards in the unknown places of each zone of a seat."""

Z_999 = 3.09


def assert_follows(seen: Counter[Any], ways: Counter[Any]) -> None:
    """Nothing is seen that cannot be, and what is seen passes a chi-squared test, at 99.9 %, against these ways."""
    assert set(seen) <= set(ways)
    assert len(ways) > 1
    samples, total = sum(seen.values()), sum(ways.values())
    expected = {what: samples * n / total for what, n in ways.items()}
    chi_squared = sum((seen[what] - n) ** 2 / n for what, n in expected.items())
    degrees = len(ways) - 1
    # The 99.9 % point of chi-squared by the approximation of Wilson and Hilferty.
    assert chi_squared < degrees * (1 - 2 / (9 * degrees) + Z_999 * (2 / (9 * degrees)) ** 0.5) ** 3


def places_of(position: Position) -> list[tuple[str, int, int]]:
    """(zone, seat, excluded ranks) of every unknown place, in text order; the mode of play is added by the tests."""
    places = []
    for number, seat in enumerate(position.seats):
        for zone in ("hand", "open", "aside"):
            places += [(zone, number, card.excluded) for card in getattr(seat, zone) if isinstance(card, Unknown)]
    places += [("pile", -1, 0) for play in position.pile if play is None]
    return places


def enumerate_deals(
    position: Position, allowed: Callable[[str, int, int], bool] = lambda zone, seat, rank: True
) -> Counter[Zones]:
    """Every deal of the unseen cards, told apart, into the unknown places; counted by the hands etc. that it gives."""
    unseen = [rank for rank, n in enumerate(position.unseen) for _ in range(n)]
    places = places_of(position)
    result: Counter[Zones] = Counter()
    for cards in permutations(range(len(unseen)), len(places)):
        ranks = [unseen[card] for card in cards]
        if all(
            not excluded >> rank & 1 and allowed(zone, seat, rank)
            for (zone, seat, excluded), rank in zip(places, ranks, strict=True)
        ):
            zones: dict[tuple[str, int], list[int]] = {}
            for (zone, seat, _), rank in zip(places, ranks, strict=True):
                zones.setdefault((zone, seat), []).append(rank)
            result[tuple(sorted((key, tuple(sorted(value))) for key, value in zones.items()))] += 1
    return result


def sampled_deals(position: Position, samples: int, seed: int) -> Counter[Zones]:
    """What lies in the unknown places of sampled states."""
    rng = Rng(seed)
    return Counter(_zones(position, position.sample(rng)) for _ in range(samples))


def _zones(position: Position, state: State) -> Zones:
    zones = {}
    for zone, seat, _ in places_of(position):
        if zone == "pile":
            counts = [n - k for n, k in zip(state.pile, position.pile_counts, strict=True)]
        else:
            known = Counter(card for card in getattr(position.seats[seat], zone) if not isinstance(card, Unknown))
            counts = [n - known[rank] for rank, n in enumerate(getattr(state, zone)(seat))]
        zones[zone, seat] = tuple(rank for rank, n in enumerate(counts) for _ in range(n))
    return tuple(sorted(zones.items()))

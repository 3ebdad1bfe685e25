"""A deal: all cards of a round in an order that does not depend on how the round is played."""

from eights_core.halves import BLIND, CHANCE, DEAL
from eights_core.rng import Rng

from eights.rules import Rules
from eights.state import State


class Deal:
    """Every player's cards, in the order in which he will see them; drawn uniformly by `seed`.

    So the same deal can be played again, by other players or with the players in other seats: what a seat draws next
    depends on how many cards it has drawn, never on the others.

    >>> rules = Rules.standard(players=2)
    >>> a, b = State(rules), State(rules)
    >>> Deal(rules, 5).complete(a)
    >>> Deal(rules, 5).complete(b)
    >>> a == b
    True
    """

    def __init__(self, rules: Rules, seed: int) -> None:
        deck = [rank for rank, copies in enumerate(rules.deck) for _ in range(copies)]
        rng = Rng(seed)
        for last in range(len(deck) - 1, 0, -1):
            other = rng.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        self.rules = rules
        self._shares = []
        for size in rules.deal_sizes:
            self._shares.append(tuple(deck[:size]))
            del deck[:size]

    def draw(self, state: State) -> int:
        """The rank of the card that is to come up in a state; ValueError where none is."""
        place = state.chance_place()
        if place is None:
            raise ValueError("No card is to be drawn.")
        seat, zone = place
        share = self._shares[seat]
        if zone == BLIND:
            return share[len(share) - 1 - state.blind(seat)]  # the one flipped is no longer counted
        if state.phase == DEAL:
            return share[sum(state.open(seat)) + sum(state.hand(seat))]
        return share[len(share) - self.rules.blind_size - state.bank(seat)]

    def complete(self, state: State) -> None:
        """Draw every pending card."""
        while state.mover == CHANCE:
            state.apply(self.draw(state))

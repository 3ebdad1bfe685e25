"""Rounds drawn exactly from all that fit what one seat has seen: cards, order and all.

Every deal of the deck, its cards told apart, is as likely as any other; those stay in which everything seen was legal
(rules §5, §10), and nothing is concluded from what players choose. What is hidden are the cards that came from Banks to
the hands of others. With those drawn by seat s in order being x(s), and a(r) the cards of rank r that the observer has
not seen, a world has the weight

    product over ranks of a(r) (a(r) - 1) … (one factor for each card of rank r in the hands h(s) held now)

if every x(s) is such that its player could do what he did; for the cards that he has played are seen by now. So let
F(s, h) be how many such x(s) leave the hand h. Hands are drawn with the weight product of F(s, h(s)) times the above,
and then one of the F(s, h(s)) orders, each equally likely. F is counted forward over a seat's events, hand by hand (at
most three cards), and an order is drawn backward. Hands are drawn seat by seat, each given those before; such a draw is
kept with a probability that corrects for what earlier seats take from later ones, else all begin again.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import factorial, prod
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from eights_core.halves import OPENING, RoundState

from eights.actions import EIGHT_HALF, HALF, NUM_ACTIONS, NUM_RANKS, TAKE, YELLOW, played_ranks
from eights.deals import NO_YELLOW, excluded_yellow, lowest_yellow
from eights.rules import Rules
from eights.spiel.seen import OPENS, UNSEEN, rank_of

Hand: TypeAlias = int
"""A hand: bits 4r to 4r + 3 hold how many cards of rank r there are."""
Ways: TypeAlias = dict[Hand, int]
"""How many orders of the cards drawn so far leave each hand."""
Random: TypeAlias = Callable[[], float]
"""A source of random numbers from [0, 1)."""

_ONE: Final = tuple(1 << 4 * rank for rank in range(NUM_RANKS))
_ALL: Final = tuple(15 << 4 * rank for rank in range(NUM_RANKS))


class Draw(NamedTuple):
    """A card comes to the hand."""


class Play(NamedTuple):
    """Cards of one rank leave the hand."""

    rank: int
    copies: int


class Shows(NamedTuple):
    """The hand has none of these cards (all their bits), not 8 and Half if `not_both`, and some of `needs` if any."""

    excluded: Hand
    not_both: bool = False
    needs: Hand = 0


Step: TypeAlias = Draw | Play | Shows


class Worlds:
    """The rounds that fit the codes seen by one seat. ValueError if the codes are such as no round has."""

    def __init__(self, rules: Rules, exchange: tuple[int, int] | None, codes: Sequence[int], seat: int) -> None:
        trails = _Trails(rules, exchange, codes, seat)
        self._seats = trails.seats
        self._actions = trails.actions
        self._unseen = np.array(trails.round.pool, float)
        ranks = [rank for rank in range(NUM_RANKS) if rules.deck[rank]]
        self._cases = [
            case
            for steps in trails.cases()
            if (case := _Case([_Seat(steps[seat], ranks) for seat in self._seats], self._unseen)).weight > 0
        ]
        if not self._cases:
            raise ValueError("No round fits what has been seen.")
        self._weights = np.cumsum([case.weight for case in self._cases])

    def draw(self, random: Random) -> list[int]:
        """The actions, and the ranks that come up, of one of the rounds, from its start to now."""
        while True:
            case = self._cases[_pick(self._weights, random)]
            hands = case.hands(self._unseen, random)
            if hands is not None:
                break
        orders = {
            number: iter(seat.order(hand, random))
            for number, seat, hand in zip(self._seats, case.seats, hands, strict=True)
        }
        return [action if action >= 0 else next(orders[~action]) for action in self._actions]


@lru_cache(maxsize=32)  # of up to some megabytes each
def worlds(rules: Rules, exchange: tuple[int, int] | None, codes: tuple[int, ...], seat: int) -> Worlds:
    """`Worlds`, kept for some time: searches draw from the same ones again and again."""
    return Worlds(rules, exchange, codes, seat)


class _Trails:
    """What the others have done with hands that one seat does not see, event by event."""

    def __init__(self, rules: Rules, exchange: tuple[int, int] | None, codes: Sequence[int], seat: int) -> None:
        self.round = RoundState(rules.ruleset, exchange)
        self.actions: list[int] = []
        """The actions of the round; ~s stands for a card that comes to the hand of seat s unseen."""
        self.seats = [other for other in range(rules.players) if other != seat]
        self._rules = rules
        self._seat = seat
        self._steps: list[list[Step]] = [[] for _ in range(rules.players)]
        self._opening: tuple[int, int | None] | None = None  # who opens, and his lowest yellow card if that is seen
        self._opened_at = [0] * rules.players
        for code in codes:
            self._follow(code)

    def cases(self) -> Iterable[list[list[Step]]]:
        """The steps of every seat; one case for each lowest yellow card that the opener may have."""
        if self._opening is None:
            yield self._steps
            return
        opener, lowest = self._opening
        for rank in (*YELLOW, NO_YELLOW) if lowest is None else (lowest,):
            if rank == NO_YELLOW and opener != 0:
                continue
            own = self._own() if lowest is None else []
            if any(excluded_yellow(opener, self._seat, rank) >> card & 1 for card in own):
                continue
            yield [
                [*steps[:at], self._opens(seat, rank), *steps[at:]]
                for seat, (steps, at) in enumerate(zip(self._steps, self._opened_at, strict=True))
            ]

    def _opens(self, seat: int, lowest: int) -> Shows:
        """What a hand shows as the round is opened with a lowest yellow card (rules §5)."""
        assert self._opening is not None
        opener = self._opening[0]
        needs = _ALL[lowest] if seat == opener and lowest != NO_YELLOW else 0
        return Shows(_cards(excluded_yellow(opener, seat, lowest)), needs=needs)

    def _own(self) -> list[int]:
        """The observer's hand."""
        return [rank for rank, count in enumerate(self.round.hand(self._seat)) for _ in range(count)]

    def _follow(self, code: int) -> None:
        state = self.round
        if code < NUM_ACTIONS:
            self._act(code)
        elif OPENS <= code < UNSEEN:
            opener = code - OPENS
            _must(state.try_opener(opener))
            self._opening = opener, lowest_yellow(self._own()) if opener == self._seat else None
            self._opened_at = [len(steps) for steps in self._steps]
        elif code == UNSEEN:
            place = state.chance_place()
            _must(place is not None and state.try_unseen())
            assert place is not None
            self.actions.append(~place[0])
            self._steps[place[0]].append(Draw())
        else:
            rank = rank_of(code)
            _must(state.chance_place() is not None and state.try_apply(rank))
            self.actions.append(rank)

    def _act(self, action: int) -> None:
        state = self.round
        mover = state.mover
        _must(mover >= 0)
        if state.hidden(mover):
            steps = self._steps[mover]
            if action <= EIGHT_HALF:
                ranks = played_ranks(action)
                if state.phase == OPENING:
                    self._opening = mover, lowest_yellow(ranks)
                for rank in sorted(set(ranks)):
                    _must(state.try_name(mover, rank, ranks.count(rank)))
                    steps.append(Play(rank, ranks.count(rank)))
            elif action == TAKE:
                both = self._rules.ruleset.lay(state.value, state.demand, EIGHT_HALF) is not None
                steps.append(Shows(_cards(state.playable()), not_both=both))
        _must(state.try_apply(action))
        self.actions.append(action)


class _Seat:
    """The hands that one seat may hold, and how it may have come by them."""

    def __init__(self, steps: Sequence[Step], ranks: Sequence[int]) -> None:
        self._steps = steps
        self._layers: list[Ways] = [{0: 1}]
        for step in steps:
            self._layers.append(_after(self._layers[-1], step, ranks))
        ways = self._layers[-1]
        self.hands = list(ways)
        held = [_held(hand) for hand in self.hands]
        self.size = len(held[0].ranks) if held else 0
        shape = len(held), self.size
        self._cards = np.array([hand.ranks for hand in held], np.intp).reshape(shape)
        self._before = np.array([hand.before for hand in held], float).reshape(shape)
        self._ways = np.array(list(ways.values()), float)
        arrangements = np.array([hand.arrangements for hand in held], float)
        self._densest = float(np.max(self._ways / arrangements, initial=0.0))

    def weights(self, unseen: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The weight of each hand, given the numbers of unseen cards."""
        weights: npt.NDArray[np.float64] = self._ways * np.prod(unseen[self._cards] - self._before, axis=1)
        return weights

    def bound(self, unseen: npt.NDArray[np.float64], earlier: int) -> float:
        """What the weights sum up to at most, once that many of the unseen cards lie elsewhere."""
        left = float(unseen.sum()) - earlier
        any_hand = self._densest * prod(left - place for place in range(self.size))
        return min(float(self.weights(unseen).sum()), any_hand)

    def order(self, hand: Hand, random: Random) -> list[int]:
        """The cards drawn so far in one of the orders that leave this hand, each equally likely."""
        cards = []
        for step, before in zip(reversed(self._steps), reversed(self._layers[:-1]), strict=True):
            if isinstance(step, Play):
                hand += step.copies * _ONE[step.rank]
            elif isinstance(step, Draw):
                last = [rank for rank in range(NUM_RANKS) if hand & _ALL[rank]]
                weights = list(accumulate(before.get(hand - _ONE[rank], 0) for rank in last))
                card = last[bisect_right(weights, int(random() * weights[-1]))]
                cards.append(card)
                hand -= _ONE[card]
        return cards[::-1]


class _Case:
    """Seats with what they have shown; `weight` bounds how much all its worlds weigh."""

    def __init__(self, seats: Sequence[_Seat], unseen: npt.NDArray[np.float64]) -> None:
        self.seats = seats
        self._bounds: list[float] = []
        taken = 0
        for seat in seats:
            self._bounds.append(seat.bound(unseen, taken))
            taken += seat.size
        self.weight = prod(self._bounds)

    def hands(self, unseen: npt.NDArray[np.float64], random: Random) -> list[Hand] | None:
        """A hand for each seat, or None, which says to begin again."""
        left = unseen.copy()
        hands = []
        for seat, bound in zip(self.seats, self._bounds, strict=True):
            weights = np.cumsum(seat.weights(left))
            whole = float(weights[-1])
            if whole < bound and random() * bound >= whole:
                return None
            hand = seat.hands[_pick(weights, random)]
            for rank in _held(hand).ranks:
                left[rank] -= 1
            hands.append(hand)
        return hands


class _Held(NamedTuple):
    """The cards of a hand, ascending; how many of its rank stand before each; in how many ways they can be arranged."""

    ranks: tuple[int, ...]
    before: tuple[int, ...]
    arrangements: int


@cache
def _held(hand: Hand) -> _Held:
    """A hand of at most three cards in full."""
    ranks = tuple(rank for rank in range(NUM_RANKS) for _ in range(hand >> 4 * rank & 15))
    before = tuple(ranks[:place].count(rank) for place, rank in enumerate(ranks))
    return _Held(ranks, before, factorial(len(ranks)) // prod(number + 1 for number in before))


def _cards(ranks: int) -> Hand:
    """All the bits of the cards of a set of ranks, bit r for rank r."""
    return sum(_ALL[rank] for rank in range(NUM_RANKS) if ranks >> rank & 1)


def _after(ways: Ways, step: Step, ranks: Sequence[int]) -> Ways:
    """How many orders leave each hand after one more step."""
    if isinstance(step, Draw):
        after: Ways = {}
        for hand, count in ways.items():
            for rank in ranks:
                held = hand + _ONE[rank]
                after[held] = after.get(held, 0) + count
        return after
    if isinstance(step, Play):
        shift, cards = 4 * step.rank, step.copies * _ONE[step.rank]
        return {hand - cards: count for hand, count in ways.items() if hand >> shift & 15 >= step.copies}
    return {hand: count for hand, count in ways.items() if _may_show(hand, step)}


def _may_show(hand: Hand, shows: Shows) -> bool:
    if hand & shows.excluded or (shows.needs and not hand & shows.needs):
        return False
    return not (shows.not_both and hand & _ALL[8] and hand & _ALL[HALF])


def _pick(weights: npt.NDArray[np.float64], random: Random) -> int:
    """An index, given the running sums of weights of which one is above 0."""
    at = int(np.searchsorted(weights, random() * weights[-1], side="right"))
    if at == len(weights):  # by rounding
        at = int(np.searchsorted(weights, weights[-1]))
    return at


def _must(holds: bool) -> None:
    if not holds:
        raise ValueError("These codes are such as no round has.")

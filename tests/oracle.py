"""The rules of 8½ once more, plainly: lists, dicts and Fractions, one short method a rule.

Written from the rules page alone and slow on purpose: it is what the compiled core is held against, so it shares no
code with it and none of its ideas (no counts by rank, no halves, no bit tricks). Section numbers are the rules page's.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction

CHANCE = -1
TERMINAL = -4

RANKS = "0123456789HG"
ZERO, HALF, GHOST = 0, 10, 11
UNSEEN = 12  # a card put aside that nobody remembers, `?` in a position text: it stays in the pool and is never drawn
YELLOW = (1, 2, 3, 4, 6, 7, 8)
COPIES = (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8)
FIRST = (0, 6, 10, 14, 20, 26, 32, 38, 44, 50, 56, 64)
EIGHT_AND_HALF, BLIND, TAKE, KEEP, SWAP = 72, 73, 74, 75, 76

EIGHT_AND_A_HALF = Fraction(17, 2)

Card = int
Cards = list[int]


def action_of(cards: Sequence[Card]) -> int:
    """The id of playing these cards, all of one rank or an 8 and a Half (§9)."""
    if sorted(cards) == [8, HALF]:
        return EIGHT_AND_HALF
    return FIRST[cards[0]] + len(cards) - 1


def cards_of(action: int) -> Cards:
    """The cards that a play lays, by its id; a Blind Card's flip and the other actions lay none of their own (§9)."""
    if action == EIGHT_AND_HALF:
        return [8, HALF]
    if not 0 <= action < EIGHT_AND_HALF:
        return []
    rank = max(rank for rank in range(12) if FIRST[rank] <= action)
    return [rank] * (action - FIRST[rank] + 1)


def action_text(action: int) -> str:
    """The text of an action (§9)."""
    if action >= SWAP:
        own, other = divmod(action - SWAP, 12)
        return f"swap {RANKS[own]} {RANKS[other]}"
    if action in (BLIND, TAKE, KEEP):
        return {BLIND: "blind", TAKE: "take", KEEP: "keep"}[action]
    if action == EIGHT_AND_HALF:
        return "8H"
    cards = cards_of(action)
    return RANKS[cards[0]] + (f"x{len(cards)}" if len(cards) > 1 else "")


@dataclass
class Rules:
    """A rule set for a number of players, named as in a position text (§8)."""

    text: str = "standard"
    players: int = 2
    deck: Cards = field(default_factory=lambda: list(COPIES))
    hand_size: int = 3
    open_size: int = 3
    blind_size: int = 3
    five_through_ghost: bool = False
    sealed_eight_and_a_half: bool = False
    halves_add_up: bool = False
    policeman_starts_pile: bool = False
    open_sets: bool = False
    scoring: str = "standard"
    fewest_tie: str = "all"
    max_plies: int = 1000
    exchange: bool = True
    match_rounds: int = 6
    match_target: int = 0


def parse_rules(text: str, players: int) -> Rules:
    """A preset and its `+name=value` options; trusts the text."""
    preset, *options = text.split("+")
    rules = Rules(text, players)
    if preset == "amigo":
        rules.exchange = False
    if preset == "shafir":
        rules.scoring = "shafir"
        rules.sealed_eight_and_a_half = True
        rules.exchange = False
        rules.match_rounds, rules.match_target = 0, 7
    for option in options:
        name, value = option.split("=")
        if name == "deck":
            rules.deck = [int(count) for count in value.split(".")]
        elif isinstance(getattr(rules, name), bool):
            setattr(rules, name, value == "1")
        elif isinstance(getattr(rules, name), int):
            setattr(rules, name, int(value))
        else:
            setattr(rules, name, value)
    return rules


@dataclass
class Pile:
    """The discard pile: its cards, what they are worth, and whether the next player faces a demanding five (§3)."""

    cards: Cards = field(default_factory=list)
    plays: list[str] = field(default_factory=list)
    value: Fraction = Fraction(0)
    demand: bool = False


def worth(rules: Rules, pile: Pile, cards: Sequence[Card]) -> tuple[Fraction, bool] | None:
    """What the pile is worth with these cards on it, and whether it then is a demanding five; None if illegal (§3)."""
    if rules.sealed_eight_and_a_half and pile.value == EIGHT_AND_A_HALF:
        return None
    if sorted(cards) == [8, HALF]:
        allowed = pile.value <= EIGHT_AND_A_HALF and not pile.demand
        return (EIGHT_AND_A_HALF, False) if allowed else None
    rank = cards[0]
    if rank == ZERO:
        return (Fraction(0), False) if pile.value.denominator == 1 else None
    if rank == GHOST:
        return pile.value, pile.demand and rules.five_through_ghost
    if rank == HALF:
        value = pile.value
        for _ in range(len(cards) if rules.halves_add_up else 1):
            if value == EIGHT_AND_A_HALF:
                return None
            value += Fraction(1, 2)
        return value, value == 5
    allowed = rank <= 5 if pile.demand else rank >= pile.value
    return (Fraction(rank), rank == 5) if allowed else None


def catches(pile: Pile, cards: Sequence[Card]) -> bool:
    """Whether these cards are the policeman of the pile: x+1 on x½, and never `8H` (§4)."""
    return len(set(cards)) == 1 and cards[0] in range(1, 10) and cards[0] == pile.value + Fraction(1, 2)


@dataclass
class Seat:
    """One player's cards; Bank and Blind Cards are unknown to all, so only their numbers exist (§2)."""

    bank: int
    blind: int
    hand: Cards = field(default_factory=list)
    open: Cards = field(default_factory=list)
    aside: Cards = field(default_factory=list)
    at_table: bool = False

    def in_play(self) -> int:
        return self.bank + len(self.hand) + len(self.open) + self.blind


class Round:
    """One round, from the deal on. Chance is explicit: where it moves, `apply` takes the rank that is drawn."""

    def __init__(self, rules: Rules, exchange: Sequence[int] | None = None) -> None:
        self.rules = rules
        self.exchange = exchange
        self.pool = list(rules.deck)
        share, extra = divmod(sum(rules.deck), rules.players)
        out = rules.open_size + rules.hand_size + rules.blind_size
        self.seats = [
            Seat(bank=share + (1 if seat < extra else 0) - out, blind=rules.blind_size) for seat in range(rules.players)
        ]
        self.draws: list[tuple[int, str]] = []  # the chance events to come, (seat, zone)
        for seat in range(rules.players):
            self.draws += [(seat, "open")] * rules.open_size + [(seat, "hand")] * rules.hand_size
        self.pile = Pile()
        self.felon: int | None = None
        self.turn = 0
        self.exchanging = False
        self.opening = False
        self.caught = False  # the play just made caught the felon
        self.over = False
        self.winner: int | None = None
        self.plies = 0

    # --- whose move it is, and what may happen -----------------------------------------------------------------------

    @property
    def mover(self) -> int:
        """The seat to act, or CHANCE, or TERMINAL."""
        if self.draws:
            return CHANCE
        return TERMINAL if self.over else self.turn

    @property
    def value(self) -> Fraction:
        return self.pile.value

    def chance_outcomes(self) -> list[tuple[Card, Fraction]]:
        """The ranks that may be drawn now and how probable each is (§2)."""
        total = sum(self.pool)
        return [(rank, Fraction(count, total)) for rank, count in enumerate(self.pool) if count]

    def chance_place(self) -> tuple[int, str]:
        """Where the card that is drawn now comes to lie."""
        return self.draws[0]

    def legal_actions(self) -> list[int]:
        """The ids of what the mover may do, ascending (§5, §7)."""
        if self.mover < 0:
            return []
        seat = self.seats[self.turn]
        if self.exchanging:
            assert self.exchange is not None
            others = self.seats[self.exchange[1]].open
            return sorted({KEEP} | {SWAP + 12 * a + b for a in seat.open for b in others if a != b})
        if self.opening:
            return sorted(map(action_of, self.openings()))
        if seat.hand:
            plays = sets(seat.hand)
        elif seat.open:
            plays = sets(seat.open) if self.rules.open_sets else [[card] for card in set(seat.open)]
        elif self.rules.sealed_eight_and_a_half and self.value == EIGHT_AND_A_HALF:
            return [TAKE]
        else:
            return [BLIND]
        legal = [action_of(cards) for cards in plays if worth(self.rules, self.pile, cards) is not None]
        return sorted(legal) or [TAKE]

    def lowest_yellow(self) -> Card | None:
        """The lowest yellow card in anybody's hand (§5)."""
        return min((card for seat in self.seats for card in seat.hand if card in YELLOW), default=None)

    def openings(self) -> list[Cards]:
        """The plays that may open the round (§5)."""
        plays = sets(self.seats[self.turn].hand)
        lowest = self.lowest_yellow()
        return plays if lowest is None else [cards for cards in plays if set(cards) == {lowest}]

    # --- what happens ------------------------------------------------------------------------------------------------

    def apply(self, action: int) -> None:
        """Draw the rank (at a chance event) or let the mover act."""
        if self.draws:
            self.draw(action)
        else:
            assert action in self.legal_actions(), action_text(action)
            self.act(action)

    def draw(self, rank: Card) -> None:
        """One card is seen for the first time (§2)."""
        assert self.pool[rank] > 0
        self.pool[rank] -= 1
        where, zone = self.draws.pop(0)
        seat = self.seats[where]
        if zone == "open":
            seat.open.append(rank)
        elif zone == "hand":
            seat.hand.append(rank)
        else:
            self.flip(rank)
        if self.draws or zone == "blind":
            return
        if self.plies:
            self.after_refill()
        elif self.exchange is not None:
            self.exchanging = True
            self.turn = self.exchange[0]
        else:
            self.open_round()

    def open_round(self) -> None:
        """The holder of the lowest yellow card is to open, the first of several; without one it is seat 0 (§5)."""
        self.opening = True
        lowest = self.lowest_yellow()
        self.turn = 0 if lowest is None else min(n for n, seat in enumerate(self.seats) if lowest in seat.hand)

    def act(self, action: int) -> None:
        self.plies += 1
        seat = self.seats[self.turn]
        if self.exchanging:
            self.exchanging = False
            if action != KEEP:
                self.swap(*divmod(action - SWAP, 12))
            if not self.limit_reached():
                self.open_round()
        elif action == TAKE:
            self.take()
            self.next_turn((self.turn + 1) % self.rules.players)
        elif action == BLIND:
            seat.blind -= 1
            self.draws = [(self.turn, "blind")]
        else:
            self.opening = False
            from_hand = bool(seat.hand)
            cards = cards_of(action)
            for card in cards:
                (seat.hand if from_hand else seat.open).remove(card)
            self.lay(cards, action_text(action))
            if from_hand:
                self.refill()
            else:
                self.after_refill()

    def swap(self, own: Card, other: Card) -> None:
        """The exchange of one Open Card (§7)."""
        assert self.exchange is not None
        winner, loser = (self.seats[seat].open for seat in self.exchange)
        winner.remove(own)
        loser.remove(other)
        winner.append(other)
        loser.append(own)

    def lay(self, cards: Cards, text: str) -> None:
        """Cards have left their place: the value changes, and a caught felon takes the pile (§3, §4)."""
        new = worth(self.rules, self.pile, cards)
        assert new is not None
        self.caught = catches(self.pile, cards)
        if not self.caught:
            self.pile.cards += cards
            self.pile.plays.append(text)
            self.pile.value, self.pile.demand = new
            self.felon = self.turn if self.value.denominator == 2 else None
            return
        felon = self.felon
        assert felon is not None
        if self.rules.policeman_starts_pile:
            self.give(felon, self.pile.cards)
            self.pile = Pile(list(cards), [text], *new)
        else:
            self.give(felon, self.pile.cards + cards)
            self.pile = Pile()
        self.felon = None

    def flip(self, rank: Card) -> None:
        """A Blind Card is turned over: it is played if it fits, else it is taken with the pile (§5)."""
        if worth(self.rules, self.pile, [rank]) is not None:
            self.lay([rank], RANKS[rank])
            self.after_refill()
        else:
            self.pile.cards.append(rank)
            self.take()
            self.next_turn((self.turn + 1) % self.rules.players)

    def take(self) -> None:
        """The mover takes the whole pile (§5)."""
        self.give(self.turn, self.pile.cards)
        self.pile = Pile()
        self.felon = None

    def give(self, seat: int, cards: Cards) -> None:
        """Taken cards go aside until their taker has begun to play from the table, then into his hand (§5)."""
        taker = self.seats[seat]
        (taker.hand if taker.at_table else taker.aside).extend(cards)

    def refill(self) -> None:
        """After a play from the hand it is filled up while the Bank lasts (§5)."""
        seat = self.seats[self.turn]
        missing = min(max(self.rules.hand_size - len(seat.hand), 0), seat.bank)
        seat.bank -= missing
        self.draws = [(self.turn, "hand")] * missing
        if not missing:
            self.after_refill()

    def after_refill(self) -> None:
        """A play is complete: the end of the round, the limit, the next player (§5, order of events)."""
        if not self.seats[self.turn].in_play():
            self.winner = self.turn
            self.over = True
            return
        again = self.caught and not self.rules.policeman_starts_pile
        self.next_turn(self.turn if again else (self.turn + 1) % self.rules.players)

    def next_turn(self, seat: int) -> None:
        """A turn begins, perhaps the first from the table, unless the limit ends the round (§5, §6)."""
        if self.limit_reached():
            return
        self.turn = seat
        if not self.seats[seat].hand and not self.seats[seat].bank:
            self.seats[seat].at_table = True

    def limit_reached(self) -> bool:
        self.over = self.plies >= self.rules.max_plies
        return self.over

    # --- the outcome -------------------------------------------------------------------------------------------------

    def counts(self) -> list[int]:
        """Bank + Hand + Open + Blind + aside of every player (§6)."""
        return [seat.in_play() + len(seat.aside) for seat in self.seats]

    @property
    def big_loser(self) -> int | None:
        """The highest count apart from the winner, on a tie the first clockwise from him (§6)."""
        if self.winner is None:
            return None
        players, counts = self.rules.players, self.counts()
        others = [(self.winner + distance) % players for distance in range(1, players)]
        return max(others, key=lambda seat: counts[seat])  # the first of several maxima

    def points(self) -> list[Fraction]:
        """What each player scores; zeros before the end (§6)."""
        points = [Fraction(0)] * self.rules.players
        if not self.over:
            return points
        if self.winner is not None:
            if self.rules.scoring == "standard":
                points[self.winner] += 2
            else:
                points[self.winner] += 1 if self.seats[self.winner].aside else 2
        counts = self.counts()
        lowest = [seat for seat, count in enumerate(counts) if count == min(counts)]
        for seat in lowest:
            if len(lowest) == 1 or self.rules.fewest_tie == "all":
                points[seat] += 1
            elif self.rules.fewest_tie == "split":
                points[seat] += Fraction(1, len(lowest))
        return points

    # --- seen from outside -------------------------------------------------------------------------------------------

    def position(self, seat: int) -> str:
        """The position text as this seat sees it, at a decision and without evidence (§10)."""
        mover = f"{self.turn}{'o' if self.opening else ''}"
        if self.exchanging:
            assert self.exchange is not None
            mover += f"x{self.exchange[1]}"
        zones = []
        for number, player in enumerate(self.seats):
            seen = number == seat or player.at_table
            hand = in_order(player.hand) if seen or not player.hand else "?" * len(player.hand)
            star = "*" if player.at_table else ""
            zones.append(f"{player.bank}:{hand}:{in_order(player.open)}:{player.blind}:{in_order(player.aside)}{star}")
        return " ".join([self.rules.text, mover, ",".join(self.pile.plays) or "-", "/".join(zones), str(self.plies)])

    def cards(self) -> int:
        """All cards there are, wherever they lie; the same at every moment."""
        hidden = sum(self.pool)
        shown = sum(len(seat.hand) + len(seat.open) + len(seat.aside) for seat in self.seats)
        return hidden + shown + len(self.pile.cards)

    def copy(self) -> Round:
        """An independent round in the same situation."""
        twin = copy(self)
        twin.pool, twin.draws = list(self.pool), list(self.draws)
        twin.seats = [replace(s, hand=list(s.hand), open=list(s.open), aside=list(s.aside)) for s in self.seats]
        twin.pile = replace(self.pile, cards=list(self.pile.cards), plays=list(self.pile.plays))
        return twin


def sets(cards: Cards) -> list[Cards]:
    """Every play that these cards allow by themselves: k copies of one rank, or an 8 with a Half (§3)."""
    plays = [[rank] * k for rank in set(cards) for k in range(1, cards.count(rank) + 1)]
    if 8 in cards and HALF in cards:
        plays.append([8, HALF])
    return plays


def in_order(cards: Cards) -> str:
    """The cards of a zone as a position text has them."""
    return "".join((RANKS + "?")[card] for card in sorted(cards)) or "-"

"""A round in progress, with all its cards: the rules at work."""

from typing import Self

from eights_core.halves import CHANCE, EXCHANGE, FLIP, OPENING, TERMINAL, RoundState
from eights_core.rng import Rng

from eights.actions import EIGHT_HALF, FIRST, NUM_ACTIONS, NUM_RANKS, action_text, played_ranks, rank_char
from eights.position import UNKNOWN, Card, Mode, Position, Seat
from eights.rules import Rules


class IllegalAction(ValueError):
    """An action that the rules do not allow at this moment; the message says what they do."""


class State(RoundState):
    """A round, from before the deal to its points; `exchange` (winner, Big Loser) begins it with that decision.

    Where chance moves, `apply` takes the rank of the card that comes up, and `deal` draws all that is to be drawn.
    States are equal when they are to the rules; the order in which cards came to the pile makes no difference there.

    >>> state = State(Rules.standard(players=4))
    >>> state.mover == CHANCE
    True
    >>> state.deal(Rng(1))
    >>> for action in state.legal_actions():
    ...     print(action, action_text(action))
    10 2
    """

    rules: Rules
    pile_plays: tuple[int | None, ...]
    """The plays since the pile was started, oldest first; None for a card of which only the rank count is known."""

    def __init__(self, rules: Rules, exchange: tuple[int, int] | None = None) -> None:
        if exchange is not None and not rules.exchange:
            raise ValueError(f"The rules {rules.text()} have no exchange.")
        super().__init__(rules.ruleset, exchange)
        self.rules = rules
        self.pile_plays = ()

    @classmethod
    def from_deal(cls, position: Position, rng: Rng) -> Self:
        """One of the rounds that fit what a position tells, each equally likely."""
        state = cls(position.rules)
        position.belief.sample_into(state, rng)
        state.pile_plays = position.pile
        return state

    def apply(self, action: int) -> None:
        """Play an action of the mover, or where chance moves the rank that comes up.

        IllegalAction, and the state is as it was, if that is not legal.
        """
        chance, flipped, before = self.mover == CHANCE, self.phase == FLIP, self.pile_size
        if not self.try_apply(action):
            raise IllegalAction(self._objection(action))
        if chance and not flipped:
            return
        after = self.pile_size
        if not after:
            self.pile_plays = ()
        elif flipped or action <= EIGHT_HALF:
            play = FIRST[action] if flipped else action
            # Where the pile has less than it had and got, a felon has taken what lay below.
            on_top = after == before + len(played_ranks(play))
            self.pile_plays = (*self.pile_plays, play) if on_top else (play,)

    def deal(self, rng: Rng) -> None:
        """Draw every pending chance event."""
        if self.phase == FLIP:
            self.apply(self.draw(rng))
        else:
            super().deal(rng)

    def playout(self, rng: Rng) -> int:
        """Play to the end, each legal action equally likely; returns how many player actions that took."""
        plies = super().playout(rng)
        self.pile_plays = (None,) * self.pile_size
        return plies

    def copy(self) -> Self:
        """An independent state, equal to this one."""
        other = super().copy()
        other.rules, other.pile_plays = self.rules, self.pile_plays
        return other

    def observation(self, seat: int) -> Position:
        """What a seat knows at a decision: the hands of others are unknown until they play from the table (rules §10).

        ValueError where chance moves or the round is over, IndexError if there is no such seat.
        """
        if self.mover < 0:
            raise ValueError("A position is what is known where a player decides; here none does.")
        self.hand(seat)
        modes: dict[int, Mode] = {OPENING: "o", EXCHANGE: "x"}
        return Position(
            rules=self.rules,
            mover=self.mover,
            mode=modes.get(self.phase, ""),
            big_loser=self.exchange[1] if self.exchange else None,
            pile=self.pile_plays,
            seats=tuple(self._seen(other, other == seat or self.at_table(other)) for other in range(self.players)),
            plies=self.plies,
        )

    def _seen(self, seat: int, hand_known: bool) -> Seat:
        seen = _cards(self.hand(seat))
        hand = (*(seen if hand_known else (UNKNOWN,) * len(seen)), *(UNKNOWN,) * self.hidden(seat))
        return Seat(
            bank=self.bank(seat),
            hand=hand,
            open=_cards(self.open(seat)),
            blind=self.blind(seat),
            aside=_cards(self.aside(seat)),
            at_table=self.at_table(seat),
        )

    def _objection(self, action: int) -> str:
        if self.mover == TERMINAL:
            return "The round is over: nothing can be played."
        if self.mover == CHANCE:
            ranks = " ".join(rank_char(rank) for rank, _ in self.chance_outcomes())
            shown = rank_char(action) if 0 <= action < NUM_RANKS else str(action)
            return f"A card is to come up, of one of the ranks {ranks}, not {shown}."
        if not 0 <= action < NUM_ACTIONS:
            return f"There is no action {action}: ids are 0 to {NUM_ACTIONS - 1}."
        legal = ", ".join(action_text(other) for other in self.legal_actions())
        return f"Seat {self.mover} may not play {action_text(action)} now; legal is {legal}."

    def __repr__(self) -> str:
        whose = {CHANCE: "a card to come up", TERMINAL: "over"}.get(self.mover, f"seat {self.mover} to act")
        return f"<State {self.rules.text()}, {self.players} players, ply {self.plies}, {whose}>"


def _cards(counts: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(rank for rank, count in enumerate(counts) for _ in range(count))

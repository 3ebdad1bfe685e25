"""Comparing bots: the same deals for all, everybody in every seat."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import pyspiel

from eights.deal import Deal
from eights.pairing import derived_seed, standard_error
from eights.spiel.bots import Maker, bot, step
from eights.spiel.game import SpielGame
from eights.spiel.state import SpielState

_NO_DEAL: Final = -1
"""Stands for the number of a deal in the seeds of bots, which so are no seeds of cards."""


@dataclass(frozen=True)
class Evaluation:
    """What bots have got: `returns[deal][bot]`, the mean of its games with that deal."""

    returns: tuple[tuple[float, ...], ...]

    @property
    def means(self) -> tuple[float, ...]:
        """The mean return of each bot."""
        return tuple(map(fmean, zip(*self.returns, strict=True)))

    @property
    def errors(self) -> tuple[float, ...]:
        """Their standard errors, over deals."""
        return tuple(standard_error(list(column)) for column in zip(*self.returns, strict=True))

    def margin(self, number: int = 0) -> tuple[float, float]:
        """By how much a bot gets more than the mean of the others, deal by deal, and the standard error of that."""
        margins = [row[number] - (sum(row) - row[number]) / (len(row) - 1) for row in self.returns]
        return fmean(margins), standard_error(margins)

    def __str__(self) -> str:
        shown = ", ".join(f"{mean:.3f} ± {error:.3f}" for mean, error in zip(self.means, self.errors, strict=True))
        return f"{len(self.returns)} deals, returns {shown}"


def evaluate(bots: Sequence[str | Maker], game: Any, deals: int, seed: int = 1) -> Evaluation:
    """Let bots, one for each player, play the same deals in every rotation of their seats.

    A bot is named as in `eights duel`, or is a function that makes it for a game and a player. It is made once for each
    seat, one that is named with a seed of its own there, and restarted before each game. Like in OpenSpiel's own
    evaluation bots hear of all that happens. Cards depend on `seed`, the deal and how many a player has drawn, not on
    what is played. pyspiel.SpielError for other games, another number of bots, and illegal actions.

    >>> result = evaluate(["greedy", "random"], pyspiel.load_game("eight_and_a_half(max_plies=200)"), deals=20)
    >>> result.means[0] > result.means[1]
    True
    """
    if not isinstance(game, SpielGame):
        raise pyspiel.SpielError("Deals are those of eight_and_a_half and eight_and_a_half_match only.")
    players = game.num_players()
    if len(bots) != players:
        raise pyspiel.SpielError(f"The game is for {players} bots, not {len(bots)}.")
    if deals < 1:
        raise pyspiel.SpielError(f"There must be at least one deal, not {deals}.")
    returns = []
    with ExitStack() as stack:
        made = [_made(source, game, number, seed, stack) for number, source in enumerate(bots)]
        for deal in range(deals):
            got = [0.0] * players
            for first in range(players):
                order = [(first + player) % players for player in range(players)]
                state = _play(game, [made[source][player] for player, source in enumerate(order)], seed, deal)
                for player, source in enumerate(order):
                    got[source] += state.player_return(player) / players
            returns.append(tuple(got))
    return Evaluation(tuple(returns))


def _made(source: str | Maker, game: SpielGame, number: int, seed: int, stack: ExitStack) -> list[Any]:
    """The bot of that number for each player; `stack` closes those that we make."""
    players = range(game.num_players())
    if not isinstance(source, str):
        return [source(game, player) for player in players]
    seeds = [derived_seed(seed, _NO_DEAL, number, player) for player in players]
    return [stack.enter_context(closing(bot(game, player, source, seeds[player]))) for player in players]


def _play(game: SpielGame, bots: Sequence[Any], seed: int, deal: int) -> SpielState:
    """One game; the cards of each of its rounds are fixed by `seed` and the number of the deal."""
    for one in bots:
        one.restart()
    state = game.new_initial_state()
    cards: list[Deal] = []
    while not state.is_terminal():
        if state.is_chance_node():
            if len(cards) < len(state.course.logs):
                cards.append(Deal(game.rules, derived_seed(seed, deal, len(cards))))
            action = cards[-1].draw(state.course.round)
        else:
            action = step(bots[state.current_player()], state)
        player = state.current_player()
        for other, one in enumerate(bots):
            if other != player:
                one.inform_action(state, player, action)
        state.apply_action(action)
    return state

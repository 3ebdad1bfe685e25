"""Bots both ways: our players in OpenSpiel, and OpenSpiel's bots and policies among our players."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pyspiel
from eights_core.rng import Rng

from eights.events import Event, Start
from eights.players import Player, PlayerError, RandomPlayer
from eights.position import Position
from eights.specs import PlayerSpec
from eights.spiel.game import RoundGame, SpielGame
from eights.spiel.hearing import Heard, Hearing, parameters_of
from eights.spiel.state import SpielState
from eights.spiel.worlds import Worlds

Maker: TypeAlias = Callable[[Any, int], Any]
"""Makes a bot for a game and a player of it."""


class EightsBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """A `pyspiel.Bot` around a player of ours, who is told what his seat sees and never looks at the rest.

    It can be asked at any state of its games, and hears of what has happened before; states need not be of one game.
    Its policy is certain of the action that it plays, but for a random player's. pyspiel.SpielError where it is not to
    act, and when its player cannot go on.
    """

    def __init__(self, player_id: int, player: Player) -> None:
        super().__init__()
        self._player_id = player_id
        self._hearing = Hearing(player)

    def restart(self) -> None:
        self._hearing.forget()

    def restart_at(self, state: SpielState) -> None:
        self._hearing.forget()

    def inform_action(self, state: SpielState, player_id: int, action: int) -> None:
        """Nothing is to be done: what has happened is heard from the state, when there is something to decide."""

    def provides_policy(self) -> bool:
        return True

    def get_policy(self, state: SpielState) -> list[tuple[int, float]]:
        return self.step_with_policy(state)[0]

    def step(self, state: SpielState) -> int:
        return self.step_with_policy(state)[1]

    def step_with_policy(self, state: SpielState) -> tuple[list[tuple[int, float]], int]:
        """The policy, an (action, probability) for every legal action, and the action that is played."""
        if state.current_player() != self._player_id:
            raise pyspiel.SpielError(f"It is not the turn of player {self._player_id}, whom this bot plays.")
        legal = state.legal_actions()
        player = self._hearing.player
        try:
            action = player.choose(self._hearing.position(state.course, self._player_id))
        except PlayerError as error:
            raise pyspiel.SpielError(str(error)) from error
        if action not in legal:
            raise pyspiel.SpielError(f"{type(player).__name__} chose action {action}, which is not legal.")
        if isinstance(player, RandomPlayer):
            return [(other, 1 / len(legal)) for other in legal], action
        return [(other, float(other == action)) for other in legal], action

    def close(self) -> None:
        """The bot is not needed any more, and its player gives back what it holds."""
        self._hearing.player.close()


def bot(game: Any, player_id: int, player: str | Player = "engine:time=2ms", seed: int = 1) -> EightsBot:
    """A bot that plays as `player_id`: a player of ours, or one named as in `eights duel`.

    pyspiel.SpielError for what is no player, or no game of ours.

    >>> bot(pyspiel.load_game("eight_and_a_half"), 1, "greedy").provides_policy()
    True
    """
    if not isinstance(game, SpielGame):
        raise pyspiel.SpielError("Our players play eight_and_a_half and eight_and_a_half_match only.")
    if not 0 <= player_id < game.num_players():
        raise pyspiel.SpielError(f"There is no player {player_id}: they are 0 to {game.num_players() - 1}.")
    if isinstance(player, str):
        try:
            player = PlayerSpec.parse(player).make(seed, game.rules)
        except (ValueError, OSError, PlayerError) as error:
            raise pyspiel.SpielError(str(error)) from None
    return EightsBot(player_id, player)


class SpielPlayer(Player):
    """A player of ours around a bot or a policy of OpenSpiel.

    `source` is a policy (an object with `action_probabilities`), or makes a bot or a policy of a game and a seat: a
    function or a class.

    It is asked at a state drawn from all that fit what the seat has seen, so that one that looks at the state sees
    nothing that it may not. It must be told of the round: `play_round` and `play` do so.
    """

    def __init__(self, source: Any, *, utility: str = "points", seed: int = 1) -> None:
        self._source = source
        self._utility = utility
        self._rng = Rng(seed)
        self._heard: Heard | None = None
        self._games: dict[tuple[Any, ...], Any] = {}

    def new_round(self, start: Start) -> None:
        self._heard = Heard(start)
        heard = self._heard
        parameters = {**parameters_of(heard.rules, heard.exchange), "utility": self._utility}
        key = tuple(parameters.items())
        if key not in self._games:
            self._games[key] = pyspiel.load_game(RoundGame.SHORT_NAME, parameters)
        self._game = self._games[key]
        self._acting = self._source if is_policy(self._source) else self._source(self._game, heard.seat)

    def event(self, event: Event) -> None:
        if self._heard is not None:
            self._heard.event(event)

    def choose(self, observation: Position) -> int:
        heard = self._heard
        if heard is None:
            raise ValueError("A bot of OpenSpiel must be told of the round from its start.")
        worlds = Worlds(heard.rules, heard.exchange, heard.codes(observation), heard.seat)
        state = self._game.new_initial_state()
        for action in worlds.draw(self._rng.random):
            state.apply_action(action)
        if not is_policy(self._acting):
            return step(self._acting, state)
        at = self._rng.random()
        policy = self._acting.action_probabilities(state)
        for action, probability in policy.items():
            at -= probability
            if at < 0:
                return int(action)
        return int(max(policy, key=policy.__getitem__))


def is_policy(source: Any) -> bool:
    """Whether something is a policy of OpenSpiel, and not a class of them."""
    return hasattr(source, "action_probabilities") and not isinstance(source, type)


def step(bot: Any, state: Any) -> int:
    """What a bot plays, by no call with which OpenSpiel 2.0.2 ends the process where a game is written in Python."""
    if isinstance(bot, pyspiel.ISMCTSBot):
        raise pyspiel.SpielError(
            "pyspiel.ISMCTSBot cannot play games that are written in Python: take open_spiel.python's."
        )
    if isinstance(bot, pyspiel.MCTSBot):
        return int(bot.step_with_policy(state)[1])
    return int(bot.step(state))

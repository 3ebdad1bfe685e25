"""8½ in OpenSpiel: importing this registers `eight_and_a_half`, a round, and `eight_and_a_half_match`.

>>> import pyspiel
>>> game = pyspiel.load_game("eight_and_a_half(players=4,rules=shafir,open_sets=1,utility=points)")
>>> game.num_players(), game.max_utility()
(4, 3.0)

Parameters, observations and utilities are told in `docs/openspiel.md`.
"""

import pyspiel

from eights.spiel.bots import EightsBot, SpielPlayer, bot
from eights.spiel.evaluation import Evaluation, evaluate
from eights.spiel.game import MatchGame, RoundGame, SpielGame
from eights.spiel.observer import Observer
from eights.spiel.serialization import deserialize_game_and_state
from eights.spiel.state import SpielState

__all__ = [
    "EightsBot",
    "Evaluation",
    "MatchGame",
    "Observer",
    "RoundGame",
    "SpielGame",
    "SpielPlayer",
    "SpielState",
    "bot",
    "deserialize_game_and_state",
    "evaluate",
]

for _game in (RoundGame, MatchGame):
    pyspiel.register_game(_game().get_type(), _game)

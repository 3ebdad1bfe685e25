"""eights: search and rules for card games of hidden information; at present 8½, the game of Halves and Ghosts.

>>> import eights
>>> position = eights.parse_position(
...     "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
... )
>>> [eights.action_text(action) for action in position.legal_actions()]
['0']
"""

from eights_core.halves import CHANCE, TERMINAL
from eights_core.rng import Rng

from eights.actions import action_text, parse_action, parse_rank, rank_char
from eights.analysis import Analysis, Move, Risks, analyse
from eights.deal import Deal
from eights.errors import ImpossiblePosition, NotationError, PositionSyntaxError, RulesError
from eights.events import RecordError
from eights.match import Match, MatchRecord, play, play_round
from eights.players import EnginePlayer, GreedyPlayer, Player, RandomPlayer
from eights.position import Position, Seat, Unknown, parse_position
from eights.record import Record
from eights.rules import Rules
from eights.state import IllegalAction, State

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Analysis",
    "Deal",
    "EnginePlayer",
    "GreedyPlayer",
    "IllegalAction",
    "ImpossiblePosition",
    "Match",
    "MatchRecord",
    "Move",
    "NotationError",
    "Player",
    "Position",
    "PositionSyntaxError",
    "RandomPlayer",
    "Record",
    "RecordError",
    "Risks",
    "Rng",
    "Rules",
    "RulesError",
    "Seat",
    "State",
    "Unknown",
    "action_text",
    "analyse",
    "parse_action",
    "parse_position",
    "parse_rank",
    "play",
    "play_round",
    "rank_char",
]

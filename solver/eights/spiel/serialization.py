"""Reading what `pyspiel.serialize_game_and_state` writes, without running anything that it says."""

import re
from typing import Any

import pyspiel

from eights.spiel.game import MatchGame, RoundGame, SpielGame
from eights.spiel.state import SpielState, replayed

_GAME = "[Game]"
_STATE = "[State]"
# OpenSpiel would load any other game too, of which some read files, and is ended by brackets that go too deep.
_OURS = re.compile(rf"(?:{RoundGame.SHORT_NAME}|{MatchGame.SHORT_NAME})(?:\([\w=,.-]*\))?", re.ASCII)
_HISTORY = re.compile(r"history=((?:-?[0-9]{1,9}:[0-9]{1,9})(?:,-?[0-9]{1,9}:[0-9]{1,9})*)?")


def deserialize_game_and_state(text: str) -> tuple[Any, SpielState]:
    """The game and the state of a text, which may come from anybody: the state is played anew from its history.

    OpenSpiel's own function unpickles a part of the text, for every game that is written in Python. pyspiel.SpielError
    if this is no text of a game of ours, or its history cannot be.
    """
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    if _GAME not in lines or _STATE not in lines or lines.index(_STATE) != lines.index(_GAME) + 2:
        raise pyspiel.SpielError("The text is no serialized game and state.")
    name = lines[lines.index(_GAME) + 1]
    if not _OURS.fullmatch(name):
        raise pyspiel.SpielError("The text is of another game.")
    game = pyspiel.load_game(name)
    return game, deserialize_state(game, lines[lines.index(_STATE) + 1 :])


def deserialize_state(game: SpielGame, lines: list[str]) -> SpielState:
    """The state of the lines that `serialize` writes; pyspiel.SpielError if there is none."""
    history = _HISTORY.fullmatch(lines[0]) if lines else None
    if history is None:
        raise pyspiel.SpielError("The text has no history of a state.")
    moves = [move.split(":") for move in history[1].split(",")] if history[1] else []
    state = replayed(game, [int(action) for _, action in moves])
    if [move.player for move in state.full_history()] != [int(player) for player, _ in moves]:
        raise pyspiel.SpielError("The history has moves by players whose turn it was not.")
    return state

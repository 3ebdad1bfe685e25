"""Bots of OpenSpiel by name, for matches: `uniform_random`, `my_bots.py:lookahead`, `my_package.bots:lookahead`.

A name alone is that of a registered bot, with parameters if it has any: `uniform_random(seed=3)`. A file or module and
a name is a policy, or a function or class that makes a bot or a policy of a game and a player; if it has a parameter
`seed`, that is given.
"""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pyspiel

from eights.events import Event, Start
from eights.models import file_checksum
from eights.players import PlayerError
from eights.position import Position
from eights.spiel.bots import SpielPlayer, is_policy
from eights.text import quoted

_SEEDS = 1 << 31  # of OpenSpiel's parameters, which are C integers


class NamedPlayer(SpielPlayer):
    """A player around a bot of OpenSpiel; PlayerError if there is no such bot, or when it fails."""

    def __init__(self, text: str, seed: int) -> None:
        self._text = text
        super().__init__(_source(text, seed % _SEEDS), seed=seed)

    def new_round(self, start: Start) -> None:
        self._guarded(super().new_round, start)

    def event(self, event: Event) -> None:
        self._guarded(super().event, event)

    def choose(self, observation: Position) -> int:
        return int(self._guarded(super().choose, observation))

    def _guarded(self, call: Callable[[Any], Any], argument: Any) -> Any:
        try:
            return call(argument)
        except Exception as error:  # whatever a bot of strangers may raise
            raise PlayerError(f"The bot {quoted(self._text, 80)} has failed: {_said(error)}") from error


def version(text: str) -> str:
    """What tells a bot from others of its name: OpenSpiel's version, and the checksum of its file, if it has one."""
    file = text.rpartition(":")[0]
    checksum = f" {file_checksum(Path(file))}" if file.endswith(".py") and Path(file).is_file() else ""
    return f"open_spiel {metadata.version('open_spiel')}{checksum}"


def _source(text: str, seed: int) -> Any:
    """The policy or maker of bots that a text names."""
    where, colon, name = text.rpartition(":")
    if not colon:
        bots = pyspiel.registered_bots()
        if text.partition("(")[0] not in bots:
            raise PlayerError(
                f"OpenSpiel has no bot {quoted(text)}: they are {', '.join(bots)}, FILE:NAME, MODULE:NAME."
            )
        return lambda game, player: _registered(text, game, player, seed)
    try:
        module = _load(where)
    except Exception as error:
        raise PlayerError(f"The bot {quoted(text, 80)} cannot be loaded: {_said(error)}") from error
    found = getattr(module, name, None)
    if found is None:
        raise PlayerError(f"There is no {quoted(name)} in {where}.")
    if is_policy(found):
        return found
    if not callable(found):
        raise PlayerError(f"{quoted(name)} in {where} is no policy, and no function that makes a bot.")
    if _has_seed(found):
        return lambda game, player: found(game, player, seed=seed)
    return found


def _has_seed(maker: Callable[..., Any]) -> bool:
    """Whether a function has a parameter `seed`; those that are not written in Python do not tell."""
    try:
        return "seed" in inspect.signature(maker).parameters
    except ValueError:
        return False


def _registered(text: str, game: Any, player: int, seed: int) -> Any:
    """A registered bot; one at random gets the seed, unless it has been given parameters."""
    if text == "uniform_random":
        text = f"uniform_random(seed={seed})"
    return pyspiel.load_bot(text, game, player)


@cache
def _load(where: str) -> ModuleType:
    """The module of a file or a name; a file is run once, for all rounds."""
    if not where.endswith(".py"):
        return importlib.import_module(where)
    # Named by the whole path, since two files may have one name; dataclasses look for their module in sys.modules.
    spec = importlib.util.spec_from_file_location(f"spiel_bot_{Path(where).resolve()}", where)
    if spec is None or spec.loader is None:
        raise ImportError(f"{where} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _said(error: Exception) -> str:
    """What an exception says, in a line that ends like a sentence."""
    said = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {said.rstrip('.')}." if said else f"{type(error).__name__}."

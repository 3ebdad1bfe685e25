"""Players as text: `random`, `greedy`, `plain:iterations=500`, `engine:time=2ms`, `cmd:python my_player.py`."""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Self

from eights_core.belief import RandomPlayouts
from eights_core.game import Evaluator
from eights_core.ismcts import VERSION

from eights.analysis import MOST_ITERATIONS
from eights.forest import MOST_THREADS
from eights.levels import LEVELS, parse_level
from eights.models import default_checksum, file_checksum, load_weights
from eights.players import EnginePlayer, GreedyPlayer, Player, RandomPlayer
from eights.rules import Rules
from eights.text import quoted

KINDS: Final = ("random", "greedy", "plain", "engine")
"""Players of this library."""
FOREIGN: Final = ("cmd", "spiel")
"""Players from elsewhere: programs, and bots of OpenSpiel."""
_SOURCED: Final = ("level", *FOREIGN)
SHORTEST: Final = 1e-6
LONGEST: Final = 24 * 3600.0
"""The longest time for an action, in seconds."""

_UNITS: Final = {"ms": Decimal("0.001"), "s": Decimal(1), "m": Decimal(60)}


@dataclass(frozen=True)
class PlayerSpec:
    """A kind of player, and of a searching one what limits an action: `time` in seconds, `iterations`, or both.

    - `random` plays any legal action, `greedy` the lowest number that it may, all copies of it, wild cards last.
    - `plain` searches by SO-ISMCTS with random playouts to the end and UCB's constant at 0.5. With `random` and
      `greedy` it is what others are measured by: how these three choose never changes.
    - `engine` is the strongest player there is, and changes whenever there is a stronger one; or the one with the
      `weights` in a file. It may search with several `threads`.
    - `level` is an engine player made weaker; `source` is the name of the level (`eights.levels`).
    - `cmd` is a program that speaks the engine protocol; `source` is the command that starts it, which no shell reads.
      It is asked to keep the limits, and to use so many `threads`; it has `grace` seconds more for an answer.
    - `spiel` is a bot of OpenSpiel; `source` is its name there, or says where a function is that makes it
      (`eights.spiel.named`).

    Without a limit a search takes as long as that of `analyse`. ValueError, a sentence, for what is no player.

    >>> spec = PlayerSpec.parse("engine:iterations=500,time=2ms")
    >>> (spec.kind, spec.time, spec.iterations), str(spec)
    (('engine', 0.002, 500), 'engine:time=2ms,iterations=500')
    >>> spec = PlayerSpec.parse("cmd:time=2ms,python my_player.py --level 3")
    >>> spec.time, spec.source
    (0.002, 'python my_player.py --level 3')
    """

    kind: str
    time: float | None = None
    iterations: int | None = None
    threads: int | None = None
    weights: str | None = None
    grace: float | None = None
    source: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in (*KINDS, *_SOURCED):
            if self.kind in (level.name for level in LEVELS):
                raise ValueError(f"{self.kind} is a level: as a player it is written level:{self.kind}.")
            listed = ", ".join((*KINDS, "level:NAME", "cmd:COMMAND", "spiel:BOT"))
            raise ValueError(f"{quoted(self.kind)} is no player: they are {listed}.")
        self._check_source()
        given = [name for name in _SETTINGS if getattr(self, name) is not None]
        if given and not self.searches:
            raise ValueError(f"The player {self.kind} does not search: it has no {given[0]} to set.")
        if self.weights is not None and self.kind != "engine":
            raise ValueError("Weights are for the player engine only.")
        if self.threads is not None and self.kind not in ("engine", "cmd"):
            raise ValueError("Threads are for the players engine and cmd only.")
        if self.grace is not None and self.kind != "cmd":
            raise ValueError("A grace is for the player cmd only.")
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            raise ValueError(f"The threads of a player are from 1 to {MOST_THREADS}, not {self.threads}.")
        if self.weights is not None and not (self.weights.isprintable() and self.weights and "," not in self.weights):
            raise ValueError(
                f"Weights are a file whose path can be printed and has no comma, not {quoted(self.weights)}."
            )
        for name in ("time", "grace"):
            seconds = getattr(self, name)
            if seconds is not None and not SHORTEST <= seconds <= LONGEST:
                raise ValueError(f"The {name} of a player is from 0.001ms to 24 hours, not {seconds:g} seconds.")
        if self.iterations is not None and not 1 <= self.iterations <= MOST_ITERATIONS:
            raise ValueError(f"The iterations of a player are from 1 to {MOST_ITERATIONS}, not {self.iterations}.")

    def _check_source(self) -> None:
        if (self.source is None) == (self.kind in _SOURCED):
            raise ValueError(f"The player {self.kind} has {'no' if self.source else 'to have a'} source.")
        if self.source is None:
            return
        if self.kind == "level":
            parse_level(self.source)
        elif not self.source.strip() or not self.source.isprintable():
            what = "a command" if self.kind == "cmd" else "a bot"
            raise ValueError(f"After {self.kind}: comes {what} that can be printed, not {quoted(self.source)}.")
        if self.kind == "cmd":
            try:
                shlex.split(self.source)
            except ValueError:
                raise ValueError(f"The command {quoted(self.source)} has a quotation that does not end.") from None
            if _FIRST_SETTING.match(self.source):
                raise ValueError(f"The command {quoted(self.source)} begins with a setting.")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The player of a text; settings may come in any order. ValueError, a sentence, if it is none."""
        kind, colon, rest = text.partition(":")
        terms: list[str] = []
        source: str | None = None
        if kind == "cmd":
            terms, source = _terms_and_source(rest)
        elif kind in _SOURCED:
            source = rest
        elif colon:
            terms = rest.split(",")
        settings: dict[str, Any] = {}
        for term in terms:
            name, _, value = term.partition("=")
            if name not in _SETTINGS:
                raise ValueError(f"{quoted(text)}: {quoted(term)} is not one of {', '.join(_EXAMPLES)}.")
            if name in settings:
                raise ValueError(f"{quoted(text)}: {name} is set twice.")
            settings[name] = _SETTINGS[name][0](value)
        return cls(kind, source=source, **settings)

    def __str__(self) -> str:
        """The text of the player, which `parse` reads."""
        given = ((name, getattr(self, name)) for name in _SETTINGS)
        terms = [f"{name}={_SETTINGS[name][1](value)}" for name, value in given if value is not None]
        if self.source is not None:
            terms.append(self.source)
        return f"{self.kind}:{','.join(terms)}" if terms else self.kind

    @property
    def searches(self) -> bool:
        """Whether the player searches, and so can be limited."""
        return self.kind in ("plain", "engine", "cmd")

    def identity(self, rules: Rules) -> str:
        """What tells the player from those with other weights, wherever their file is, or another search.

        It is for logs to go on from. A program is started to say its name and version: PlayerError if it cannot be
        used.
        """
        if self.kind == "cmd":
            from eights.external import identify

            assert self.source is not None
            return f"{replace(self, grace=None)} {identify(self.source, self.threads)}"
        if self.kind == "spiel":
            from eights.spiel import named

            assert self.source is not None
            return f"{self} {named.version(self.source)}"
        if self.kind == "level":
            assert self.source is not None
            return f"{parse_level(self.source)} {default_checksum(rules)} {VERSION}"
        if self.kind != "engine":
            return str(self)
        checksum = default_checksum(rules) if self.weights is None else file_checksum(Path(self.weights))
        return f"{replace(self, weights=None)} {checksum} {VERSION}"

    def make(self, seed: int, rules: Rules | None = None) -> Player:
        """A new player of this kind, whose random numbers come from `seed`, from 0 to 2**64 - 1.

        WeightsError or OSError if its weights cannot be used, or not with the `rules` that it is to play by;
        PlayerError if there is no such bot.
        """
        if self.kind == "cmd":
            from eights.external import GRACE, ExternalPlayer

            assert self.source is not None
            return ExternalPlayer(
                self.source,
                time=self.time,
                iterations=self.iterations,
                threads=self.threads,
                grace=GRACE if self.grace is None else self.grace,
                seed=seed,
            )
        if self.kind == "spiel":
            from eights.spiel import named

            assert self.source is not None
            return named.NamedPlayer(self.source, seed)
        if self.kind == "level":
            assert self.source is not None
            return parse_level(self.source).make(seed)
        if self.kind == "random":
            return RandomPlayer(seed)
        if self.kind == "greedy":
            return GreedyPlayer()
        evaluator: Evaluator | None = RandomPlayouts() if self.kind == "plain" else None
        if self.weights is not None:
            evaluator = load_weights(Path(self.weights), rules)
        return EnginePlayer(
            time=self.time, iterations=self.iterations, seed=seed, evaluator=evaluator, threads=self.threads or 1
        )


def parse_duration(text: str) -> float:
    """Seconds, of a number with its unit; ValueError, a sentence, if it is none.

    >>> parse_duration("2.5ms"), parse_duration("3m")
    (0.0025, 180.0)
    """
    parts = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,25})?)(ms|s|m)", text)
    if parts is None:
        raise ValueError(f"{quoted(text)} is not a number with its unit: 200ms, 1.5s, 2m.")
    return float(Decimal(parts[1]) * _UNITS[parts[2]])


def duration_text(seconds: float) -> str:
    """The text of some seconds, which `parse_duration` reads as the same number.

    >>> duration_text(0.0025), duration_text(180)
    ('2.5ms', '180s')
    """
    exact = Decimal(repr(float(seconds)))
    number, unit = (exact, "s") if exact >= 1 else (exact.scaleb(3), "ms")
    return f"{number.normalize():f}{unit}"


def _parse_number(name: str) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[1-9][0-9]{0,9}", text):
            raise ValueError(f"The {name} {quoted(text)} are not a whole number above 0.")
        return int(text)

    return parse


_SETTINGS: Final[Mapping[str, tuple[Callable[[str], Any], Callable[[Any], str]]]] = {
    "time": (parse_duration, duration_text),
    "iterations": (_parse_number("iterations"), str),
    "threads": (_parse_number("threads"), str),
    "weights": (str, str),
    "grace": (parse_duration, duration_text),
}
"""How each setting is read and written, in the order in which they are written; each is a field of `PlayerSpec`."""

_EXAMPLES: Final = ("time=2ms", "iterations=500", "threads=2", "weights=FILE")

_FIRST_SETTING: Final = re.compile("((?:time|iterations|threads|grace)=[^,]*),")
"""A setting that comes before the command of a program."""


def _terms_and_source(text: str) -> tuple[list[str], str]:
    """The settings before a command, and the command, which may have commas too."""
    terms = []
    while setting := _FIRST_SETTING.match(text):
        terms.append(setting[1])
        text = text[setting.end() :]
    return terms, text

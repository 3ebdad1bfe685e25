"""Rule sets: the presets, their options and their text (rules §8)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final, Self

from eights_core.halves import Ruleset

from eights.actions import COPIES, NUM_RANKS, rank_char
from eights.errors import RulesError
from eights.text import parse_number, quoted

MOST_PLAYERS: Final = 6
MOST_PLIES: Final = 100_000
MOST_MATCH: Final = 1_000_000
"""The most rounds or points that a match can be set to."""
SCORINGS: Final = ("standard", "shafir")
FEWEST_TIES: Final = ("all", "split", "none")

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "standard": {},
    "amigo": {"exchange": False},
    "shafir": {
        "scoring": "shafir",
        "sealed_eight_and_a_half": True,
        "exchange": False,
        "match_rounds": 0,
        "match_target": 7,
    },
}
"""What each preset sets otherwise than the defaults of `Rules`, which are those of `standard`."""

_MOST_TEXT: Final = 500  # the longest canonical text has about 350 characters


@dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """A rule set, fields named as in the rules; whatever is not given is as in the preset `standard`.

    RulesError, with all faults, if there can be no such game.

    >>> rules = Rules.standard(players=4, open_sets=True)
    >>> rules.text()
    'standard+open_sets=1'
    >>> Rules.parse("standard+open_sets=1", players=4) == rules
    True
    """

    players: int = 4
    deck: tuple[int, ...] = COPIES
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
    max_plies: int = 1_000
    exchange: bool = True
    match_rounds: int = 6
    match_target: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "deck", tuple(self.deck))
        faults = tuple(self._faults())
        if faults:
            raise RulesError(*faults)

    @classmethod
    def standard(cls, players: int = 4, **options: Any) -> Self:
        """The publisher's English rules; `options` are fields by name."""
        return cls(players=players, **{**PRESETS["standard"], **options})

    @classmethod
    def amigo(cls, players: int = 4, **options: Any) -> Self:
        """The Amigo edition: no exchange between the rounds."""
        return cls(players=players, **{**PRESETS["amigo"], **options})

    @classmethod
    def shafir(cls, players: int = 4, **options: Any) -> Self:
        """The publisher's Hebrew edition: its scoring, a sealed 8½, a match to 7 points."""
        return cls(players=players, **{**PRESETS["shafir"], **options})

    @classmethod
    def parse(cls, text: str, players: int) -> Self:
        """The rule set of a text such as ``shafir+open_sets=1``; RulesError, with all faults, if it has none.

        Options may come in any order, and may repeat what the preset says.
        """
        if len(text) > _MOST_TEXT:
            raise RulesError(f"The rules are longer than {_MOST_TEXT} characters.")
        preset, *terms = text.split("+")
        options: dict[str, Any] = {}
        faults = []
        if preset not in PRESETS:
            faults.append(f"{quoted(preset)} is not a preset of the rules: they are {', '.join(PRESETS)}.")
        for term in terms:
            name, equals, value = term.partition("=")
            if name not in OPTIONS or not equals:
                faults.append(f"{quoted(term)} in the rules is not option=value with an option that exists.")
            elif name in options:
                faults.append(f"The rules give the option {name} twice.")
            else:
                options[name] = None
                try:
                    options[name] = _parse_option(name, value)
                except ValueError as error:
                    faults.append(str(error))
        try:
            readable = {name: value for name, value in options.items() if value is not None}
            rules = cls(players=players, **{**PRESETS.get(preset, {}), **readable})
        except RulesError as error:
            faults.extend(error.faults)
        if faults:
            raise RulesError(*faults)
        return rules

    def text(self) -> str:
        """The canonical text: the preset with the fewest differences, then these in the order of the fields.

        >>> Rules.amigo(exchange=True, max_plies=50).text(), Rules.shafir(match_target=11).text()
        ('standard+max_plies=50', 'shafir+match_target=11')
        """
        terms = min((self._terms(preset) for preset in PRESETS), key=len)  # the first of several: standard, amigo, …
        return "+".join(terms)

    def _terms(self, preset: str) -> list[str]:
        """The preset's name and each option that differs from it."""
        base = PRESETS[preset]
        values = {name: getattr(self, name) for name in OPTIONS}
        differing = (name for name in OPTIONS if values[name] != base.get(name, _DEFAULTS[name]))
        return [preset, *(f"{name}={_option_text(values[name])}" for name in differing)]

    @cached_property
    def deal_sizes(self) -> tuple[int, ...]:
        """Cards that each seat is dealt; the deck is dealt out from seat 0 (rules §2).

        >>> Rules.standard(players=5).deal_sizes
        (15, 15, 14, 14, 14)
        """
        each, rest = divmod(sum(self.deck), self.players)
        return tuple(each + (seat < rest) for seat in range(self.players))

    @cached_property
    def bank_sizes(self) -> tuple[int, ...]:
        """Cards in each seat's Bank before the round is opened."""
        return tuple(cards - self.hand_size - self.open_size - self.blind_size for cards in self.deal_sizes)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The rule set in the core's form."""
        return Ruleset(
            players=self.players,
            deck=self.deck,
            hand_size=self.hand_size,
            open_size=self.open_size,
            blind_size=self.blind_size,
            five_through_ghost=self.five_through_ghost,
            sealed_eight_and_a_half=self.sealed_eight_and_a_half,
            halves_add_up=self.halves_add_up,
            policeman_starts_pile=self.policeman_starts_pile,
            open_sets=self.open_sets,
            scoring=SCORINGS.index(self.scoring),
            fewest_tie=FEWEST_TIES.index(self.fewest_tie),
            max_plies=self.max_plies,
        )

    def __repr__(self) -> str:
        return f"Rules.parse({self.text()!r}, players={self.players})"

    def _faults(self) -> Iterator[str]:
        """Everything that keeps this from being a game (rules §8)."""
        sized = True
        for name, least, most in _BOUNDS:
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                yield f"{name} is {_shown(value)}, but must be a whole number from {least} to {most}."
                sized = sized and name not in ("players", "hand_size", "open_size", "blind_size")
        for name in _FLAGS:
            if not isinstance(getattr(self, name), bool):
                yield f"{name} is {_shown(getattr(self, name))}, but must be true or false."
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                yield f"{name} is {_shown(getattr(self, name))}, but must be one of {', '.join(choices)}."
        if self.match_rounds == 0 and self.match_target == 0:
            yield "match_rounds and match_target are both 0, so a match would never end."
        deck_faults = tuple(self._deck_faults())
        yield from deck_faults
        if sized and not deck_faults and min(self.bank_sizes) < 0:
            yield (
                f"The deck has {sum(self.deck)} cards, but {self.players} players with {self.hand_size} hand, "
                f"{self.open_size} open and {self.blind_size} blind cards each need "
                f"{self.players * (self.hand_size + self.open_size + self.blind_size)}."
            )

    def _deck_faults(self) -> Iterator[str]:
        if len(self.deck) != NUM_RANKS:
            yield f"deck has {len(self.deck)} counts, but must have one for each of the {NUM_RANKS} ranks."
            return
        for rank, (count, most) in enumerate(zip(self.deck, COPIES, strict=True)):
            if type(count) is not int or not 0 <= count <= most:
                yield f"deck has {_shown(count)} cards of rank {rank_char(rank)}, but must have 0 to {most}."


OPTIONS: Final = tuple(field.name for field in fields(Rules))[1:]
"""What a rules text can set: every field but the number of players, in the order of the text."""

_DEFAULTS: Final = {field.name: field.default for field in fields(Rules)}
_FLAGS: Final = tuple(name for name in OPTIONS if isinstance(_DEFAULTS[name], bool))
_CHOICES: Final = {"scoring": SCORINGS, "fewest_tie": FEWEST_TIES}
_BOUNDS: Final = (
    ("players", 2, MOST_PLAYERS),
    ("hand_size", 1, 3),
    ("open_size", 1, 3),
    ("blind_size", 0, 3),
    ("max_plies", 1, MOST_PLIES),
    ("match_rounds", 0, MOST_MATCH),
    ("match_target", 0, MOST_MATCH),
)


def _parse_option(name: str, value: str) -> Any:
    """The value of an option's text; ValueError, a sentence, if it has not the form of one. Ranges are for `Rules`."""
    if name in _CHOICES:
        return value
    if name in _FLAGS:
        if value not in ("0", "1"):
            raise ValueError(f"The rules say {name}={quoted(value)}, but it must be 0 or 1.")
        return value == "1"
    if name == "deck":
        return tuple(parse_number(count, f"A count of the deck {quoted(value)}") for count in value.split("."))
    return parse_number(value, f"The option {name}")


def _option_text(value: Any) -> str:
    if isinstance(value, tuple):
        return ".".join(map(str, value))
    return str(int(value) if isinstance(value, bool) else value)


def _shown(value: object) -> str:
    """A value for an error sentence, cut if it is long."""
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:40]}…"

"""The parameters of the games, and the rule set that they name."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

import pyspiel

from eights.actions import NUM_RANKS
from eights.errors import RulesError
from eights.rules import OPTIONS, PRESETS, Rules
from eights.text import parse_number, quoted

UTILITIES: Final = ("points", "zero_sum", "win")
AS_PRESET: Final = -1
"""An option that is a number is then as the preset says; a text is if it is empty."""

_DEFAULTS: Final[Mapping[str, Any]] = {field.name: field.default for field in fields(Rules)}
_TEXTS: Final = ("deck", "scoring", "fewest_tie")
_MOST: Final = (1 << 31) - 1

PARAMETERS: Final[Mapping[str, int | str]] = {
    "players": 2,
    "rules": "standard",
    **{name: "" if name in _TEXTS else AS_PRESET for name in OPTIONS},
    "utility": "points",
}
"""Every parameter with its default, whose type OpenSpiel holds it to; the options are those of rules §8."""


def read_rules(parameters: Mapping[str, Any]) -> Rules:
    """The rule set that parameters name; pyspiel.SpielError, a sentence for each fault, if there is none.

    >>> read_rules({"players": 3, "rules": "shafir", "open_sets": 1})
    Rules.parse('shafir+open_sets=1', players=3)
    """
    faults = []
    preset = parameters.get("rules", PARAMETERS["rules"])
    if preset not in PRESETS:
        faults.append(f"{quoted(preset)} is not a preset of the rules: they are {', '.join(PRESETS)}.")
    options = dict(PRESETS.get(preset, {}))
    for name, value in _given(parameters):
        try:
            options[name] = _read_option(name, value)
        except ValueError as error:
            faults.append(str(error))
    if parameters.get("utility", "points") not in UTILITIES:
        faults.append(f"The utility is one of {', '.join(UTILITIES)}, not {quoted(parameters['utility'])}.")
    try:
        rules = Rules(players=parameters.get("players", PARAMETERS["players"]), **options)
    except RulesError as error:
        faults.extend(error.faults)
    if faults:
        raise pyspiel.SpielError(" ".join(faults))
    return rules


def check_known(parameters: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """pyspiel.SpielError for a parameter that there is not, or of another type; `load_game` has looked already."""
    for name, value in parameters.items():
        if name not in defaults:
            raise pyspiel.SpielError(f"There is no parameter {quoted(name)}.")
        if type(value) is not type(defaults[name]):
            raise pyspiel.SpielError(f"The parameter {name} is of type {type(defaults[name]).__name__}.")
        if isinstance(value, int) and not -_MOST - 1 <= value <= _MOST:
            raise pyspiel.SpielError(f"The parameter {name} is a number that OpenSpiel cannot hold.")


def canonical(parameters: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that are not as their defaults, such that OpenSpiel can read their text again.

    OpenSpiel 2.0.2 takes every text of digits and dots for a number, and so could not read a deck with dots.
    """
    told = {name: value for name, value in parameters.items() if value != defaults[name]}
    if "deck" in told:
        told["deck"] = told["deck"].replace(".", "_")
    return {"players": parameters.get("players", defaults["players"]), **told}


def _given(parameters: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The options that are not left to the preset."""
    for name in OPTIONS:
        value = parameters.get(name, PARAMETERS[name])
        if value != PARAMETERS[name]:
            yield name, value


def _read_option(name: str, value: int | str) -> Any:
    """The value of an option; ValueError, a sentence, if it has not the form of one. Ranges are for `Rules`."""
    if isinstance(_DEFAULTS[name], bool):
        if value not in (0, 1):
            raise ValueError(f"{name} is {value}, but must be 0, 1, or {AS_PRESET} for what the preset says.")
        return bool(value)
    if name != "deck":
        return value
    assert isinstance(value, str)
    counts = value.replace("_", ".").split(".")
    if len(counts) != NUM_RANKS:
        raise ValueError(f"deck is {quoted(value)}, but must have one count for each of the {NUM_RANKS} ranks.")
    return tuple(parse_number(count, f"A count of the deck {quoted(value)}") for count in counts)

"""A tournament as text and for programs: pure functions, of what is in its logs and the number of its failures."""

import math
from collections.abc import Callable
from typing import Any

from eights.pairing import Result, Side
from eights.specs import PlayerSpec
from eights.sprt import Verdict

from eights_cli import render
from eights_cli.tournament import Tournament

NAME = 48
"""Columns of a player's name in a table: the command of a program may be long."""


def text(tournament: Tournament) -> str:
    """The result of a duel, or the table of several players."""
    blocks = [_duel(tournament.results[0]) if len(tournament.players) == 2 else _table(tournament)]
    found = tournament.results
    deals = [len(result.deals) for result in found]
    played = f"{min(deals):,} to {max(deals):,} in each match" if min(deals) < max(deals) else f"{deals[0]:,}"
    stopped = "Stopped early. " if any(result.stopped for result in found) else ""
    rules = f"{tournament.rules.text()}, {tournament.rules.players} players"
    blocks.append(f"{stopped}Deals: {played}; {rules}; seed {tournament.seed}.")
    return "\n\n".join(blocks)


def _duel(result: Result) -> str:
    sides = ((result.pairing.challenger, result.challenger), (result.pairing.field, result.field))
    rows = [[name(spec), _percent(side.win_rate), _milliseconds(side)] for spec, side in sides]
    lines = [f"Difference: {difference(result.difference, result.difference_se)} points a round{_interval(result)}."]
    if result.deals:
        rounds = f"{result.rounds:,} rounds of {result.plies:.1f} plies, {100 * result.unfinished:.1f} %"
        lines.append(f"{rounds} without a winner.")
    if result.verdict is not None:
        lines.append(verdict(result.verdict))
    return "\n\n".join([render.table([["player", "won", "a decision"], *rows], "<>>"), "\n".join(lines)])


def _table(tournament: Tournament) -> str:
    """Who stands where, and the points of the player of a row minus those of the player of a column."""
    standings = tournament.standings
    numbers = [str(number) for number in range(1, len(standings) + 1)]
    rows = [
        [
            number,
            name(standing.player),
            difference(standing.points, standing.points_se) if standing.deals else "?",
        ]
        for number, standing in zip(numbers, standings, strict=True)
    ]
    cells = [[tournament.between(one.player, other.player) for other in standings] for one in standings]

    def against(show: Callable[[float, float], str]) -> str:
        shown = [["" if cell is None else show(*cell) for cell in row] for row in cells]
        return render.table(
            [["", *numbers], *([number, *row] for number, row in zip(numbers, shown, strict=True))],
            ">" * (1 + len(numbers)),
        )

    table = against(lambda value, error: difference(value, error, places=2))
    if len(table.partition("\n")[0]) > render.WIDTH:
        table = against(lambda value, _: f"{value:+.2f}")
    return "\n\n".join([render.table([["", "player", "points a round"], *rows], "><>"), table])


def name(player: PlayerSpec) -> str:
    """The text of a player, without its middle if it is long: programs differ in how their commands end."""
    text = str(player)
    return text if len(text) <= NAME else f"{text[: NAME // 3]}…{text[1 + NAME // 3 - NAME :]}"


def difference(value: float, standard_error: float, places: int = 3) -> str:
    """A difference with its standard error."""
    if math.isnan(value):
        return "?"
    error = f"{standard_error:.{places}f}" if math.isfinite(standard_error) else "?"
    return f"{value:+.{places}f} ± {error}"


def verdict(said: Verdict) -> str:
    """What a test says."""
    lower, upper = said.sprt.bounds
    test = f"SPRT of {said.sprt.low:g} against {said.sprt.high:g}: LLR {said.llr:.2f} ({lower:.2f} to {upper:.2f})"
    return f"{test}, {'undecided' if said.accepted is None else f'{said.accepted:g} is accepted'}."


def _interval(result: Result) -> str:
    return f" (95 %: {result.lower:+.3f} to {result.upper:+.3f})" if math.isfinite(result.lower) else ""


def _percent(share: float) -> str:
    return "?" if math.isnan(share) else render.percent(share)


def _milliseconds(side: Side) -> str:
    return f"{1000 * side.seconds_per_decision:.2f} ms" if side.decisions else ""


def as_json(tournament: Tournament) -> dict[str, Any]:
    """The same for programs; points are those of a round, and what is not known yet is null."""
    return {
        "rules": tournament.rules.text(),
        "players": tournament.rules.players,
        "seed": tournament.seed,
        "stopped": any(result.stopped for result in tournament.results),
        "failures": tournament.failures,
        "matches": [_match_json(result) for result in tournament.results],
        "standings": [
            {
                "player": str(standing.player),
                "points": _known(standing.points),
                "points_se": _known(standing.points_se),
                "deals": standing.deals,
            }
            for standing in tournament.standings
        ]
        if len(tournament.players) > 2
        else None,
    }


def _match_json(result: Result) -> dict[str, Any]:
    said = result.verdict
    return {
        "challenger": _side_json(str(result.pairing.challenger), result.challenger),
        "field": _side_json(str(result.pairing.field), result.field),
        "deals": len(result.deals),
        "rounds": result.rounds,
        "difference": _known(result.difference),
        "difference_se": _known(result.difference_se),
        "lower": _known(result.lower),
        "upper": _known(result.upper),
        "plies": _known(result.plies),
        "unfinished": _known(result.unfinished),
        "sprt": said
        and {
            "low": said.sprt.low,
            "high": said.sprt.high,
            "bounds": said.sprt.bounds,
            "llr": said.llr,
            "accepted": said.accepted,
        },
        "stopped": result.stopped,
    }


def _side_json(name: str, side: Side) -> dict[str, Any]:
    return {
        "player": name,
        "win_rate": _known(side.win_rate),
        "decisions": side.decisions,
        "ms_per_decision": _known(1000 * side.seconds_per_decision),
    }


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None

"""Reviews of rounds as something to read: pure functions from reviews to text and to JSON values."""

from collections.abc import Iterator
from typing import Any

import eights
from eights.review import CLEAR, Choice, Review, TurningPoint

from eights_cli.render import error, points, table, wrapped
from eights_cli.telling import number, printable

MOST_TURNS = 5
"""Turning points that are told; a program gets all of them."""


def review_text(review: Review) -> str:
    """A row for each free choice, the sums of every seat, what turned the round, and what is missing."""
    blocks = [choices_table(review), seats_table(review), turning_points(review), *missing(review)]
    return "\n\n".join(blocks)


def review_json(review: Review) -> dict[str, Any]:
    """The review for programs; `points` are those of the seat that chose."""
    record = review.record
    return {
        "rules": record.rules.text(),
        "players": record.rules.players,
        "names": record.names,
        "seat": record.seat,
        "plies": record.plies,
        "finished": record.is_over,
        "stopped": review.stopped,
        "choices": [_choice_json(choice) for choice in review.choices],
        "seats": [
            {
                "seat": seat.seat,
                "name": record.names[seat.seat],
                "free": seat.free,
                "forced": seat.forced,
                "mistakes": seat.mistakes,
                "cost": seat.cost,
                "cost_se": seat.cost_se,
                "accuracy": seat.accuracy,
            }
            for seat in review.seats
        ],
        "turning_points": [
            {
                "ply": turn.choice.ply,
                "seat": turn.choice.seat,
                "before": turn.before,
                "after": turn.after,
                "at_end": turn.at_end,
                "change_se": turn.change_se,
                "cost": turn.choice.cost,
            }
            for turn in review.turning_points
        ],
    }


def _choice_json(choice: Choice) -> dict[str, Any]:
    return {
        "ply": choice.ply,
        "seat": choice.seat,
        "move": eights.action_text(choice.action),
        "best": eights.action_text(choice.best),
        "forced": choice.is_forced,
        "points": choice.points,
        "cost": choice.cost,
        "cost_se": choice.cost_se,
        "mistake": choice.is_mistake,
        "accuracy": choice.accuracy,
    }


def choices_table(review: Review) -> str:
    """The free choices; where another move was better, which, and what that cost. Clear costs are marked."""
    rows = [
        [
            "*" if choice.is_mistake else "",
            str(choice.ply),
            str(choice.seat),
            eights.action_text(choice.action),
            *_better(choice),
            "" if choice.points is None else points(choice.points),
        ]
        for choice in review.choices
        if not choice.is_forced
    ]
    return table([["", "ply", "seat", "move", "better", "cost", "", "points"], *rows], "<>><<><>")


def _better(choice: Choice) -> list[str]:
    """The cells of the better move, the cost and its error."""
    if choice.action == choice.best:
        return ["", "", ""]
    return [eights.action_text(choice.best), points(choice.cost), error(choice.cost_se)]


def seats_table(review: Review) -> str:
    """What the choices of every seat cost in all, and how good they were."""
    names = review.record.names
    rows = [
        [
            str(seat.seat),
            str(seat.free),
            str(seat.forced),
            str(seat.mistakes),
            points(seat.cost),
            error(seat.cost_se),
            "–" if seat.accuracy is None else f"{seat.accuracy:.1f} %",
            printable(names[seat.seat]),
        ]
        for seat in review.seats
    ]
    heading = ["seat", "free", "forced", "mistakes", "cost", "", "accuracy", "name"]
    return table([heading, *rows], ">>>>><><")


def turning_points(review: Review) -> str:
    """The largest changes of what a seat could expect, in sentences."""
    turns = review.turning_points
    if not turns:
        return "Turning points: none."
    told = [wrapped(_turned(turn), "- ") for turn in turns[:MOST_TURNS]]
    more = f", the largest {MOST_TURNS} of {len(turns)}" if len(turns) > MOST_TURNS else ""
    return "\n".join([f"Turning points{more}:", *told])


def _turned(turn: TurningPoint) -> str:
    choice = turn.choice
    after = f"got {number(turn.after)} in the end" if turn.at_end else f"{points(turn.after)} at its next choice"
    blame = "nothing"
    if choice.cost:
        blame = f"{points(choice.cost)}{'' if choice.is_mistake else ', which is too close to call'}"
    return (
        f"Ply {choice.ply}, seat {choice.seat} plays {eights.action_text(choice.action)}: it could expect "
        f"{points(turn.before)} points before, and {after} ({turn.change:+.3f} {error(turn.change_se)}). "
        f"The move itself cost {blame}."
    )


def missing(review: Review) -> Iterator[str]:
    """What should be known of the figures, and what of the round was not reviewed."""
    yield wrapped(
        f"Points are those of the seat that chose, by what it could know. * marks costs of more than {CLEAR:g} "
        "standard errors; the others are too close to call. Forced moves are not listed and cost nothing."
    )
    if review.stopped:
        at = review.choices[-1].ply + 1 if review.choices else 0
        yield wrapped(f"Stopped early: what followed from ply {at} on is not reviewed.")
    if not review.record.is_over:
        yield wrapped(f"The record ends at ply {review.record.plies}, before the round is over.")

"""Analyses as text to read, and tables and paragraphs of any kind: pure functions from values to text."""

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import eights
from eights.protocol import analysis_body

WIDTH = 80
"""Columns of a page. Only the text of a position, which is one line by its nature, may be longer."""
LEAST_RISK = 0.01
"""Risks below are not mentioned: they are known to about as much."""


def analysis_text(analysis: eights.Analysis) -> str:
    """The position, a row for each legal move, what every seat may expect, and the answer in words."""
    blocks = [
        str(analysis.position),
        moves_table(analysis),
        seats_table(analysis),
        in_words(analysis),
        effort(analysis),
    ]
    return "\n\n".join(blocks)


def analysis_json(analysis: eights.Analysis) -> dict[str, Any]:
    """The analysis for programs, as in the replies of the engine, and what the best move fears."""
    risks = analysis.risks and {"caught": analysis.risks.caught, "takes": analysis.risks.takes}
    return {**analysis_body(analysis), "risks": risks}


def moves_table(analysis: eights.Analysis) -> str:
    """All legal moves, the best first and marked: the mover's points and chance to win, and what may follow."""
    mover = analysis.position.mover
    rows = [
        [
            "*" if move.action == analysis.best else "",
            eights.action_text(move.action),
            points(move.points[mover]),
            error(move.points_se[mover]),
            percent(move.win[mover]),
            f"{move.visits:,}",
            ", ".join(map(eights.action_text, move.pv[1:])),
        ]
        for move in analysis.moves
    ]
    return table([["", "move", "points", "", "win", "visits", "then"], *rows], "<<><>><")


def seats_table(analysis: eights.Analysis) -> str:
    """What every seat may expect after the best move; the mover is marked."""
    rows = [
        [
            "*" if seat == analysis.position.mover else "",
            str(seat),
            points(analysis.points[seat]),
            error(analysis.points_se[seat]),
            percent(analysis.win[seat]),
        ]
        for seat in range(analysis.position.players)
    ]
    return table([["", "seat", "points", "", "win"], *rows], "<<><>")


def in_words(analysis: eights.Analysis) -> str:
    """The best move, whether another is as good, and what the best one fears."""
    lines = [f"Best move: {eights.action_text(analysis.best)}"]
    if analysis.margin is None or analysis.margin_se is None:
        lines.append("It is the only legal one.")
    else:
        second = eights.action_text(analysis.moves[1].action)
        if analysis.too_close:
            lines.append(f"Too close to call: {second} may be as good.")
        lines.append(f"It is {points(analysis.margin)} {error(analysis.margin_se)} points ahead of {second}.")
    if analysis.risks is not None:
        lines.append(fears(analysis.risks))
    return "\n".join(lines)


def fears(risks: eights.Risks) -> str:
    """What may go wrong after the best move, in a sentence."""
    dangers = {"being caught by a policeman": risks.caught, "having to take the pile": risks.takes}
    listed = [f"{danger} ({percent(chance)})" for danger, chance in dangers.items() if chance >= LEAST_RISK]
    return f"What it fears until your next turn is over: {' and '.join(listed) or 'nothing'}."


def effort(analysis: eights.Analysis) -> str:
    """What the analysis took."""
    stopped = "Stopped early: " if analysis.stopped else ""
    return f"{stopped}{analysis.iterations:,} iterations in {analysis.time:.2f} s, seed {analysis.seed}."


def progress_line(analysis: eights.Analysis) -> str:
    """The best move so far, for a line that is written over."""
    mover = analysis.position.mover
    best = f"{eights.action_text(analysis.best)} {points(analysis.points[mover])} {error(analysis.points_se[mover])}"
    return f"{analysis.time:.1f} s, {analysis.iterations:,} iterations, best so far: {best}"


def points(value: float) -> str:
    return f"{value:.3f}"


def error(standard_error: float) -> str:
    return f"± {standard_error:.3f}" if math.isfinite(standard_error) else "± ?"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def table(rows: Sequence[Sequence[str]], alignment: str) -> str:
    """Columns side by side, each aligned as its sign in `alignment` (`<` or `>`) says.

    A last column of words is cut at the edge; numbers never are.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [f"{cell:{side}{width}}" for cell, side, width in zip(row, alignment, widths, strict=True)]
        line = "  ".join(cells).rstrip()
        lines.append(line if len(line) <= WIDTH or alignment[-1] == ">" else line[: WIDTH - 3].rstrip(" ,") + "...")
    return "\n".join(lines)


def wrapped(text: str, indent: str = "", width: int = WIDTH) -> str:
    """Lines that fit the page, or so many columns; the first begins with `indent`, the others as far in."""
    return textwrap.fill(
        text, width, initial_indent=indent, subsequent_indent=" " * len(indent), break_on_hyphens=False
    )

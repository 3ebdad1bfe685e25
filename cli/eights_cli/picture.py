"""The picture of a review: what every seat could expect over the plies."""

from pathlib import Path

import matplotlib
from eights.review import Review
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.figure import Figure

from eights_cli.telling import printable

FORMATS = frozenset(FigureCanvasBase.get_supported_filetypes())
"""The endings of files that can be drawn, without the dot."""


def draw(review: Review, path: Path) -> None:
    """Draw a line for each seat through its free choices to the points that it got; OSError if it cannot be written.

    The same review gives the same file, but for what its format says of the date.
    """
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for seat in review.seats:
        plies_points = review.expected(seat.seat)
        plies, expected = [ply for ply, _ in plies_points], [points for _, points in plies_points]
        name = f"seat {seat.seat}, {printable(review.record.names[seat.seat])}"
        (line,) = axes.plot(plies, expected, marker="o", markersize=3, linewidth=1.2, label=_literal(name))
        wrong = [choice for choice in review.choices if choice.seat == seat.seat and choice.is_mistake]
        axes.plot(
            [choice.ply for choice in wrong],
            [choice.points for choice in wrong if choice.points is not None],
            linestyle="none",
            marker="x",
            markersize=9,
            color=line.get_color(),
        )
    for turn in review.turning_points:
        axes.axvline(turn.choice.ply, color="gray", linewidth=0.7, linestyle=":")
    axes.set_xlabel("ply (× marks a mistake, a dotted line a turning point)")
    axes.set_ylabel("points that the seat could expect, by what it knew")
    axes.set_ylim(-0.1, 3.1)
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left", fontsize="small")
    with matplotlib.rc_context({"svg.hashsalt": "eights"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _literal(text: str) -> str:
    """A text for matplotlib to take as it is: dollar signs begin no formula."""
    return text.replace("$", r"\$")

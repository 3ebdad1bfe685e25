"""The table in words and as JSON: what is open to all, and the hands that somebody sees."""

from collections.abc import Collection, Sequence
from typing import Any

from eights_core.halves import CHANCE, DEAL, EXCHANGE, FLIP, OPENING, OVER, PLAY, REFILL, TERMINAL

from eights.actions import RANK_CHARS
from eights.pile import value_text
from eights.spiel.course import PARTS, Course, MatchCourse

PHASES = {
    DEAL: "deal",
    EXCHANGE: "exchange",
    OPENING: "opening",
    PLAY: "play",
    REFILL: "refill",
    FLIP: "flip",
    OVER: "over",
}


def cards_text(counts: Sequence[int], unseen: int = 0) -> str:
    """The cards of twelve counts by rank, and some that are not seen.

    >>> cards_text((0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0), unseen=1)
    '11H?'
    """
    return "".join(char * count for char, count in zip(RANK_CHARS, counts, strict=True)) + "?" * unseen or "-"


def hand_text(course: Course, seat: int, seen: bool) -> str:
    """A hand, of which only the size is told if it is hidden and not `seen`."""
    counts = course.round.hand(seat)
    return cards_text(counts) if seen or course.round.at_table(seat) else cards_text((0,) * len(counts), sum(counts))


def is_hidden(course: Course, seat: int) -> bool:
    """Whether only its player sees a hand: it has cards, and they come from his Bank."""
    return not course.round.at_table(seat) and any(course.round.hand(seat))


def table_text(course: Course, seats: Collection[int]) -> str:
    """All that is seen by who sees the hands of these seats, one line for the pile and one for each seat."""
    state = course.round
    value = f"{value_text(state.value)}{' demanding' if state.demand else ''}"
    lines = [f"{turn_text(course)}, ply {state.plies}", f"pile {cards_text(state.pile)} = {value}"]
    for seat in range(state.players):
        zones = [
            f"hand {hand_text(course, seat, seat in seats)}",
            f"open {cards_text(state.open(seat))}",
            f"aside {cards_text(state.aside(seat))}",
            f"bank {state.bank(seat)}",
            f"blind {state.blind(seat)}{' at table' if state.at_table(seat) else ''}",
        ]
        lines.append(f"seat {seat}: {', '.join(zones)}")
    if isinstance(course, MatchCourse):
        scores = ", ".join(f"player {player} {score}" for player, score in enumerate(course.match.scores))
        lines.insert(0, f"round {len(course.past)}, player {course.log.first} in seat 0, scores: {scores}")
    return "\n".join(lines)


def turn_text(course: Course) -> str:
    """What is to happen next."""
    state = course.round
    phase = PHASES[state.phase]
    if state.mover == TERMINAL:
        return phase if state.winner is None else f"{phase}, won by seat {state.winner}"
    place = state.chance_place()
    if place is not None:
        return f"{phase}, a card comes to seat {place[0]}"
    if state.phase == EXCHANGE and state.exchange is not None:
        return f"{phase} of seat {state.mover} with seat {state.exchange[1]}"
    return f"{phase}, seat {state.mover} to act"


def table_fields(course: Course, players: Collection[int]) -> dict[str, Any]:
    """The table as JSON has it, with the hands that these players see; cards are texts, `?` one that is not seen."""
    state = course.round
    seats = {course.seat_of(player) for player in players}
    place = state.chance_place()
    fields = {
        "rules": course.rules.text(),
        "players": state.players,
        "current_player": {CHANCE: "chance", TERMINAL: "terminal"}.get(course.mover, course.mover),
        "phase": PHASES[state.phase],
        "seat": place[0] if place else None if state.mover < 0 else state.mover,
        "exchange": None if state.exchange is None else list(state.exchange),
        "plies": state.plies,
        "pile": cards_text(state.pile),
        "value": state.value / 2,
        "demand": state.demand,
        "felon": state.felon,
        "seats": [
            {
                "player": course.player_in(seat),
                "hand": hand_text(course, seat, seat in seats),
                "open": cards_text(state.open(seat)),
                "aside": cards_text(state.aside(seat)),
                "bank": state.bank(seat),
                "blind": state.blind(seat),
                "at_table": state.at_table(seat),
            }
            for seat in range(state.players)
        ],
        "scores": [parts / PARTS for parts in course.parts()],
        "winners": list(course.winners),
    }
    if isinstance(course, MatchCourse):
        fields["round"] = len(course.past)
    return fields

"""What players see, as tensors and as text: `pyspiel`'s observers."""

from itertools import chain
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyspiel
from eights_core.encoding import encode, encoding_size, layout

from eights.actions import COPIES, NUM_RANKS
from eights.spiel.course import PARTS, Course, MatchCourse
from eights.spiel.seen import codes_text, drawn_by, row_width, rows
from eights.spiel.table import cards_text, is_hidden, table_text

MOST_TENSOR: Final = 1 << 16
"""The most entries of a tensor of all that has been seen; games that would need more have none."""

_NONE: Final = pyspiel.PrivateInfoType.NONE
_SINGLE: Final = pyspiel.PrivateInfoType.SINGLE_PLAYER
_FULL: Final = np.array(COPIES, np.float32)


class Observer:
    """What one kind of observation shows of a state; `tensor` is one array, `dict` has its parts as views of it.

    ============  ============================  ==========================================================
    part          shape                         there is
    ============  ============================  ==========================================================
    player        (players,)                    with public and any private information
    parts of the  as in `eights_core.encoding`  with public information; `hand` is zero without private
    core
    round         (1,)                          the same, in matches: rounds played / rounds at most
    scores        (players,)                    the same, in matches: points / most points, observer first
    hand          (12,)                         where that is all: the player's hand while it is hidden
    hands         (players, 12)                 with private information of all: every hand while it is hidden
    events        (most events, row)            with perfect recall: rows of `seen.rows`, then zeros
    ============  ============================  ==========================================================

    Everything but `player` counts players from the observer on. Who sees no more than all others is player 0: that is
    without private information, and with that of all but nothing public. With perfect recall but no public information
    there are `events` alone: the cards that came to hidden hands. `tensor` is None where it would have more than
    MOST_TENSOR entries, which only perfect recall can have.
    """

    def __init__(
        self, iig_obs_type: Any, players: int, most_events: int, most_rounds: int | None, params: Any = None
    ) -> None:
        if params:
            raise pyspiel.SpielError("Observations have no parameters.")
        self._public = iig_obs_type.public_info
        self._private = iig_obs_type.private_info
        self._recall = iig_obs_type.perfect_recall
        self._most_rounds = most_rounds
        self._encoding = np.zeros(encoding_size(players), np.float32)
        shapes: dict[str, tuple[int, ...]] = {}
        if self._public:
            if self._private != _NONE:
                shapes["player"] = (players,)
            self._core = [(name.replace(" ", "_"), start, start + length) for name, start, length in layout(players)]
            shapes |= {name: (end - start,) for name, start, end in self._core}
            if most_rounds is not None:
                shapes |= {"round": (1,), "scores": (players,)}
        elif self._private == _SINGLE and not self._recall:
            shapes["hand"] = (NUM_RANKS,)
        if self._private not in (_NONE, _SINGLE) and (self._public or not self._recall):
            shapes["hands"] = (players, NUM_RANKS)
        if self._recall:
            shapes["events"] = (most_events, row_width(players))
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        size = sum(map(prod, shapes.values()))
        if size <= MOST_TENSOR:
            self.tensor = np.zeros(size, np.float32)
            start = 0
            for name, shape in shapes.items():
                self.dict[name] = self.tensor[start : start + prod(shape)].reshape(shape)
                start += prod(shape)

    def set_from(self, state: Any, player: int) -> None:
        """Make `tensor` what the player sees of a state."""
        if self.tensor is None:
            return
        course: Course = state.course
        if self._private == _NONE or not (self._public or self._private == _SINGLE):
            player = 0
        seat = course.seat_of(player)
        self.tensor.fill(0)
        if "player" in self.dict:
            self.dict["player"][player] = 1
        if self._public:
            self._set_public(course, player, seat)
        elif "hand" in self.dict and is_hidden(course, seat):
            self.dict["hand"][:] = course.round.hand(seat) / _FULL
        if "hands" in self.dict:
            players = course.rules.players
            for number in range(players):
                other = (seat + number) % players
                if is_hidden(course, other):
                    self.dict["hands"][number] = course.round.hand(other) / _FULL
        if self._recall:
            codes = [*chain.from_iterable(self._seen(course, player))]
            self.dict["events"][: len(codes)] = rows(course.rules.players)[codes]

    def _set_public(self, course: Course, player: int, seat: int) -> None:
        encode(course.round, seat, self._encoding)
        for name, start, end in self._core:
            self.dict[name][:] = self._encoding[start:end]
        players = course.rules.players
        if self._private == _NONE and is_hidden(course, seat):
            self.dict["hand"].fill(0)
            self.dict["unseen"] += course.round.hand(seat) / _FULL
        elif self._private not in (_NONE, _SINGLE):
            self.dict["unseen"][:] = course.round.pool / _FULL
        if isinstance(course, MatchCourse):
            assert self._most_rounds is not None
            self.dict["round"][0] = course.match.rounds / self._most_rounds
            parts = course.parts()
            most = 3 * PARTS * self._most_rounds
            self.dict["scores"][:] = [parts[(player + number) % players] / most for number in range(players)]

    def string_from(self, state: Any, player: int) -> str:
        """What the player sees of a state, in words."""
        course: Course = state.course
        if self._recall and not self._public:
            return codes_text([*chain.from_iterable(self._seen(course, player))])
        parts = [] if self._private == _NONE else [f"player {player}"]
        if self._recall:
            parts += [codes_text(codes) for codes in self._seen(course, player)]
            return " | ".join(parts)
        if self._public:
            parts.append(table_text(course, {course.seat_of(other) for other in self._sees(course, player)}))
            return "\n".join(parts)
        return ", ".join(
            f"hand of player {other}: {cards_text(course.round.hand(course.seat_of(other)))}"
            for other in self._sees(course, player)
            if is_hidden(course, course.seat_of(other))
        )

    def _sees(self, course: Course, player: int) -> tuple[int, ...]:
        """The players whose hands are seen."""
        if self._private == _NONE:
            return ()
        return (player,) if self._private == _SINGLE else tuple(range(course.rules.players))

    def _seen(self, course: Course, player: int) -> list[list[int]]:
        """The codes of each round, as far as they are seen."""
        players = self._sees(course, player)
        if self._public:
            return course.seen(players)
        return [drawn_by([course.seat_of(other, log) for other in players], log.codes) for log in course.logs]

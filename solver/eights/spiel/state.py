"""The states of both games, as OpenSpiel has them: thin, over a `Course`."""

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pyspiel
from eights_core.halves import CHANCE

from eights.actions import action_text, parse_action, parse_rank, rank_char
from eights.spiel.course import PARTS, Course, replay
from eights.spiel.seen import codes_text
from eights.spiel.table import cards_text, table_fields, table_text
from eights.spiel.worlds import Random, worlds

if TYPE_CHECKING:
    from eights.spiel.game import SpielGame


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state of `eight_and_a_half` or `eight_and_a_half_match`; `course` is what it stands for."""

    course: Course

    def __init__(self, game: "SpielGame", course: Course) -> None:
        super().__init__(game)
        self.course = course

    def __setattr__(self, name: str, value: object) -> None:
        """What OpenSpiel has unpickled comes here too: pyspiel.SpielError if that is not what its history leads to."""
        if name != "course" or not isinstance(value, Course) or not self._may_be(value):
            raise pyspiel.SpielError("The serialized state is none of this game, or its history is of another.")
        super().__setattr__(name, value)

    def _may_be(self, course: Course) -> bool:
        """Whether a course is of the game, and has this state's history."""
        history = self.history()  # none while OpenSpiel copies a state
        before = self.__dict__.get("course", course)  # none while a state is made
        return course.is_of(before) and (not history or history == course.actions())

    # what OpenSpiel asks

    def current_player(self) -> int:
        return self.course.mover

    def is_terminal(self) -> bool:
        return self.course.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The rank of the card that comes up, and how likely it is (rules §2)."""
        return self.course.round.chance_outcomes()

    def _legal_actions(self, player: int) -> list[int]:
        return self.course.round.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.course.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        try:
            return rank_char(action) if player == CHANCE else action_text(action)
        except ValueError as error:
            raise pyspiel.SpielError(str(error)) from None

    def returns(self) -> list[float]:
        """The utility of every player, zeros until the end."""
        return self.get_game().utilities(self.course)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        course = self.course
        table = table_text(course, range(course.rules.players))
        return f"{course.rules.text()}, {course.rules.players} players\n{table}\npool {cards_text(course.round.pool)}"

    # worlds

    def resample_from_infostate(self, player: int, rng: Random) -> "SpielState":
        """A state that looks the same to a player, drawn exactly from all of them; `rng()` is from [0, 1).

        Every deal that fits everything he has seen is as likely as any other, and what others have drawn, and when, is
        drawn anew in all rounds; see `eights.spiel.worlds`.
        """
        course = self.course
        _check_player(course, player)
        state = self.get_game().new_initial_state()
        for log, codes in zip(course.logs, course.seen((player,)), strict=True):
            seat = course.seat_of(player, log)
            for action in worlds(course.rules, log.exchange, tuple(codes), seat).draw(rng):
                state.apply_action(action)
        return state  # type: ignore[no-any-return]

    # JSON

    def _to_struct(self) -> dict[str, Any]:
        course = self.course
        fields = table_fields(course, range(course.rules.players))
        return {**fields, "pool": cards_text(course.round.pool), "history": course.actions()}

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        _check_player(self.course, player)
        fields = table_fields(self.course, (player,))
        return {**fields, "player": player, "seen": [codes_text(codes) for codes in self.course.seen((player,))]}

    def _action_to_struct(self, player: int, action: int) -> dict[str, str]:
        return {"card" if player == CHANCE else "action": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: Mapping[str, Any]) -> list[int]:
        if len(struct) == 1:
            for name, parse in (("action", parse_action), ("card", parse_rank)):
                text = struct.get(name)
                if isinstance(text, str):
                    try:
                        return [parse(text)]
                    except ValueError as error:
                        raise pyspiel.SpielError(str(error)) from None
        raise pyspiel.SpielError('An action is {"action": text}, and a card that comes up is {"card": rank char}.')


def state_from_struct(game: "SpielGame", source: Any) -> SpielState:
    """The state of a struct, a dict or JSON text as `to_struct` gives it, played anew from its history.

    pyspiel.SpielError if that cannot be, or leads to something else than the other fields say.
    """
    if isinstance(source, str):
        try:
            fields = json.loads(source)
        except (ValueError, RecursionError):
            raise pyspiel.SpielError("The state is not JSON.") from None
    else:
        fields = source.to_dict() if isinstance(source, pyspiel.StateStruct) else source
    history = fields.get("history") if isinstance(fields, dict) else None
    if not isinstance(history, list) or not all(type(action) is int for action in history):
        raise pyspiel.SpielError("A state is an object with its history, a list of whole numbers.")
    state = replayed(game, history)
    expected = state._to_struct()
    for name, value in fields.items():
        if name not in expected or expected[name] != value:
            raise pyspiel.SpielError(f"The state's {str(name)[:40]} is not what its history leads to.")
    return state


def _check_player(course: Course, player: int) -> None:
    """pyspiel.SpielError if there is no such player."""
    if not 0 <= player < course.rules.players:
        raise pyspiel.SpielError(f"There is no player {player}: they are 0 to {course.rules.players - 1}.")


def replayed(game: "SpielGame", history: list[int]) -> SpielState:
    """The state that a history leads to; pyspiel.SpielError if it cannot be."""
    replay(game.new_course(), history)  # says what is wrong, before anything is built
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def utilities(course: Course, utility: str) -> list[float]:
    """What every player has got: exact fractions, rounded once."""
    players = course.rules.players
    if not course.is_over:
        return [0.0] * players
    if utility == "win":
        winners = course.winners
        return [1 / len(winners) if player in winners else 0.0 for player in range(players)]
    parts = course.parts()
    if utility == "points":
        return [part / PARTS for part in parts]
    whole = sum(parts)
    return [float(Fraction(part * players - whole, players * PARTS)) for part in parts]

"""The games `eight_and_a_half`, a round, and `eight_and_a_half_match`, rounds with scores and exchange (rules §7)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Final

import pyspiel

from eights.actions import KEEP, NUM_ACTIONS, NUM_RANKS
from eights.match import MOST_ROUNDS
from eights.rules import MOST_PLAYERS, Rules
from eights.spiel.course import Course, MatchCourse
from eights.spiel.observer import Observer
from eights.spiel.parameters import PARAMETERS, canonical, check_known, read_rules
from eights.spiel.state import SpielState, state_from_struct, utilities

_GENERAL: Final = pyspiel.GameType.Utility.GENERAL_SUM
_CONSTANT: Final = pyspiel.GameType.Utility.CONSTANT_SUM
_ZERO: Final = pyspiel.GameType.Utility.ZERO_SUM
_MOST_MOVES: Final = (1 << 31) - 1
_MOST_POINTS: Final = 3
"""Of one player in one round (rules §6)."""


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """What both games share: parameters, sizes and observers; subclasses say what is played.

    pyspiel.SpielError, a sentence for each fault, if the parameters name no game.
    """

    SHORT_NAME: ClassVar[str]
    LONG_NAME: ClassVar[str]
    PARAMETERS: ClassVar[Mapping[str, int | str]]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        check_known(params or {}, self.PARAMETERS)
        parameters = {**self.PARAMETERS, **(params or {})}
        self.rules = read_rules(parameters)
        self.utility = parameters["utility"]
        self._begin(parameters)
        rounds = self._most_rounds()
        rules = self.rules
        self._decisions = rounds * rules.max_plies
        self._chances = rounds * _most_cards(rules)
        if self._decisions + self._chances > _MOST_MOVES:
            raise pyspiel.SpielError(
                f"Rounds of {rules.max_plies} plies, {rounds} of them, are more moves than OpenSpiel can count."
            )
        least, most = self._bounds(rounds)
        told = canonical(parameters, self.PARAMETERS)
        utility_sum = {_ZERO: {"utility_sum": 0.0}, _CONSTANT: {"utility_sum": 1.0}}.get(self._utility_type(), {})
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS if self._exchanges() else KEEP,
            max_chance_outcomes=NUM_RANKS,
            num_players=rules.players,
            min_utility=float(least),
            max_utility=float(most),
            max_game_length=self._decisions,
            **utility_sum,
        )
        recall = Observer(pyspiel.IIGObservationType(perfect_recall=True), *self._sizes())
        super().__init__(self._game_type(self._utility_type(), recall.tensor is not None), info, told)

    @classmethod
    def _game_type(cls, utility: Any, tensors: bool) -> Any:
        """The game's type; `tensors` says whether there are tensors of whole information states."""
        return pyspiel.GameType(
            short_name=cls.SHORT_NAME,
            long_name=cls.LONG_NAME,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=utility,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=MOST_PLAYERS,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=tensors,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=True,
            parameter_specification=dict(cls.PARAMETERS),
        )

    # what is played

    def new_course(self) -> Course:
        """The course of a new game."""
        raise NotImplementedError

    def _begin(self, parameters: Mapping[str, Any]) -> None:
        """Read the parameters that only this game has."""

    def _most_rounds(self) -> int:
        """How many rounds there are at most."""
        return 1

    def _exchanges(self) -> bool:
        """Whether anybody may have an exchange to decide."""
        raise NotImplementedError

    def _utility_type(self) -> Any:
        return _ZERO if self.utility == "zero_sum" else _GENERAL

    def _bounds(self, rounds: int) -> tuple[Fraction, Fraction]:
        """The least and the most that a player can get."""
        if self.utility == "win":
            return Fraction(0), Fraction(1)
        most = Fraction(_MOST_POINTS * rounds)
        if self.utility == "points":
            return Fraction(0), most
        players = self.rules.players
        return -Fraction(_most_of_others(self.rules) * rounds, players), most - most / players

    # what OpenSpiel asks

    def new_initial_state(self, source: Any = None) -> SpielState:
        """The state before the deal; or that of a struct, a dict or JSON text such as `to_struct` gives."""
        return SpielState(self, self.new_course()) if source is None else state_from_struct(self, source)

    def max_chance_nodes_in_history(self) -> int:
        """No card comes up twice in a round, and no play draws more than a hand."""
        return self._chances

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer; without a type that of the game's observations, which do not recall."""
        if isinstance(iig_obs_type, Mapping):  # OpenSpiel leaves a type out by giving the parameters in its place
            iig_obs_type, params = None, iig_obs_type
        return Observer(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), *self._sizes(), params)

    def utilities(self, course: Course) -> list[float]:
        """What every player gets at the end of a course; zeros before."""
        return utilities(course, self.utility)

    def _sizes(self) -> tuple[int, int, int | None]:
        """Players, most events, and in a match most rounds."""
        return self.rules.players, self._decisions + self._chances + self._most_rounds(), None


class RoundGame(SpielGame):
    """One round. With `exchange_winner` and `exchange_loser`, seats, it begins with the exchange between them."""

    SHORT_NAME = "eight_and_a_half"
    LONG_NAME = "8½"
    PARAMETERS: ClassVar[Mapping[str, int | str]] = {**PARAMETERS, "exchange_winner": -1, "exchange_loser": -1}

    def _begin(self, parameters: Mapping[str, Any]) -> None:
        self._exchange: tuple[int, int] | None = (parameters["exchange_winner"], parameters["exchange_loser"])
        if self._exchange == (-1, -1):
            self._exchange = None
        try:
            Course(self.rules, self._exchange)
        except ValueError as error:
            raise pyspiel.SpielError(str(error)) from None

    def _exchanges(self) -> bool:
        return self._exchange is not None

    def new_course(self) -> Course:
        return Course(self.rules, self._exchange)


class MatchGame(SpielGame):
    """A match. Players are those of the first round's seats; utilities are of the whole match.

    `win` shares one win among those with the most points, and so always adds up to 1.
    """

    SHORT_NAME = "eight_and_a_half_match"
    LONG_NAME = "8½, a match"
    PARAMETERS = PARAMETERS

    def _most_rounds(self) -> int:
        return min(self.rules.match_rounds or MOST_ROUNDS, MOST_ROUNDS)

    def _exchanges(self) -> bool:
        return self.rules.exchange

    def _utility_type(self) -> Any:
        return _CONSTANT if self.utility == "win" else super()._utility_type()

    def new_course(self) -> Course:
        return MatchCourse(self.rules)

    def _sizes(self) -> tuple[int, int, int | None]:
        players, events, _ = super()._sizes()
        return players, events, self._most_rounds()


def _most_cards(rules: Rules) -> int:
    """How many cards can come up in a round: those dealt, then a hand or a Blind Card for each ply."""
    dealt = rules.players * (rules.open_size + rules.hand_size)
    return min(sum(rules.deck), dealt + rules.hand_size * rules.max_plies)


def _most_of_others(rules: Rules) -> int:
    """The most points that the others can get together in a round that gives a player none (rules §6)."""
    sharers = rules.players - 1 if rules.fewest_tie == "all" else 1
    if rules.scoring == "standard":
        return 2 + sharers
    return max(1 + sharers, _MOST_POINTS)  # a winner with nothing aside is alone in having the lowest count

"""Bots both ways, and comparing them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import eights
import numpy as np
import pyspiel
import pytest
from eights.deal import Deal
from eights.events import Act, Event, Reveal, Start
from eights.players import PlayerError
from eights.spiel import SpielPlayer, bot, evaluate
from eights.spiel.bots import step
from open_spiel.python.algorithms import mcts
from open_spiel.python.bots import uniform_random
from spiel_games import SIX_CARDS, load, play_on, states

SMALL = "players=3,deck=2_1_2_1_1_2_1_1_2_2_2_2,hand_size=2,open_size=1,blind_size=1,max_plies=60"


class Listener(eights.Player):
    """Plays at random, and keeps all that it is told."""

    def __init__(self) -> None:
        self.start: Start | None = None
        self.events: list[Event] = []
        self.positions: list[eights.Position] = []

    def new_round(self, start: Start) -> None:
        self.start, self.events = start, []

    def event(self, event: Event) -> None:
        self.events.append(event)

    def choose(self, observation: eights.Position) -> int:
        self.positions.append(observation)
        return min(observation.legal_actions())


@pytest.mark.parametrize("text", [f"eight_and_a_half({SMALL})", f"eight_and_a_half_match(match_rounds=3,{SMALL})"])
def test_a_bot_hears_what_its_seat_sees(text: str) -> None:
    """The same that a record of the round would tell the seat, whatever game it was asked about before."""
    game = load(text)
    listener = Listener()
    one = bot(game, 1, listener)
    asked = 0
    for state in states(game, 3, rounds=3):
        if state.current_player() != 1:
            continue
        course = state.course
        record = eights.Record(course.rules, exchange=course.log.exchange)
        for action in course.log.actions():
            place = record.state.chance_place()
            if place is None:
                record.act(action)
            else:
                zone = {0: "hand", 1: "open", 4: "blind"}[place[1]]
                record.add(Reveal(seat=place[0], zone=zone, card=eights.rank_char(action)))  # type: ignore[arg-type]
        seat = course.seat_of(1)
        view = record.view(seat)
        policy, action = one.step_with_policy(state)
        assert action == min(state.legal_actions())
        assert policy == [(other, float(other == action)) for other in state.legal_actions()]
        assert listener.start == view.start
        assert listener.events == view.events[1:]
        assert listener.positions[-1] == view.position()
        asked += 1
    assert asked > 20


def test_a_bot_does_not_look_at_what_is_hidden() -> None:
    game = load("eight_and_a_half(players=2)")
    state = play_on(game.new_initial_state(), Random(2), 41)
    while state.is_chance_node() or len(state.legal_actions()) == 1:
        play_on(state, Random(2), 1)
    player = state.current_player()
    random = Random(1)
    worlds = [state, *(state.resample_from_infostate(player, random.random) for _ in range(5))]
    actions = {bot(game, player, "engine:iterations=300", seed=4).step(world) for world in worlds}
    assert len({str(world) for world in worlds}) > 1
    assert len(actions) == 1


def test_policies() -> None:
    game = load("eight_and_a_half(players=2)")
    state = play_on(game.new_initial_state(), Random(2), 12)
    legal = state.legal_actions()
    player = state.current_player()
    uniform = bot(game, player, "random")
    assert uniform.provides_policy()
    assert uniform.get_policy(state) == [(action, 1 / len(legal)) for action in legal]
    with pytest.raises(pyspiel.SpielError, match="It is not the turn of player"):
        bot(game, 1 - player, "greedy").step(state)


def test_our_bots_in_their_evaluation() -> None:
    game = load("eight_and_a_half(players=2,max_plies=100)")
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [bot(game, 0, "greedy"), bot(game, 1, "random")], 3)
    assert set(returns) <= {0, 1, 2, 3}
    assert len(returns) == 2
    assert 1 <= sum(returns) <= 4  # 2 for a winner, 1 for each with the fewest cards


@pytest.mark.parametrize(
    ("player_id", "player", "fault"),
    [
        (0, "genius", "'genius' is no player"),
        (0, "engine:weights=none.weights", "none.weights"),
        (2, "greedy", "There is no player 2"),
        (0, "spiel:nobody", "OpenSpiel has no bot 'nobody'"),
    ],
)
def test_no_such_bot(player_id: int, player: str, fault: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=fault):
        bot(load("eight_and_a_half"), player_id, player)


def test_bots_are_for_our_games() -> None:
    with pytest.raises(pyspiel.SpielError, match="eight_and_a_half_match only"):
        bot(pyspiel.load_game("kuhn_poker"), 0, "greedy")


class Weary(eights.Player):
    """Cannot go on."""

    def choose(self, observation: eights.Position) -> int:
        raise PlayerError("The program has ended.")


def test_a_player_that_cannot_go_on() -> None:
    game = load("eight_and_a_half")
    state = play_on(game.new_initial_state(), Random(2), 12)
    with pytest.raises(pyspiel.SpielError, match=r"^The program has ended\.$"):
        bot(game, state.current_player(), Weary()).step(state)


# --- their bots among our players ------------------------------------------------------------------------------------


class FirstPolicy:
    """A policy: the lowest action."""

    def action_probabilities(self, state: Any) -> Mapping[int, float]:
        return {action: float(action == min(state.legal_actions())) for action in state.legal_actions()}


class Peeping(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """Remembers the states that it is asked at."""

    def __init__(self) -> None:
        super().__init__()
        self.states: list[Any] = []

    def step(self, state: Any) -> int:
        self.states.append(state)
        return int(state.legal_actions()[0])


def test_their_bots_and_policies_play_our_matches() -> None:
    rules = eights.Rules.standard(players=3, match_rounds=3, max_plies=80)
    peeping = Peeping()
    players = [
        SpielPlayer(FirstPolicy()),
        SpielPlayer(lambda game, seat: uniform_random.UniformRandomBot(seat, np.random.RandomState(1))),
        SpielPlayer(lambda game, seat: peeping),
    ]
    record = eights.play(eights.Match(rules, ("a", "b", "c"), seed=5), players)
    assert record.is_over
    asked = iter(peeping.states)
    for number, played in enumerate(record.rounds):
        seat = (2 - number) % 3
        plies = 0
        for event in played.events:
            if isinstance(event, Act):
                if event.seat == seat:
                    state = next(asked)
                    assert state.current_player() == seat
                    seen = played.position(plies, seat)
                    assert state.course.round.observation(seat).format() == unshown(seen)
                plies += 1


def unshown(position: eights.Position) -> str:
    """A position's text without what hidden hands have shown."""
    return re.sub(r"\?\{.*?\}", "?", position.format())


def test_a_bot_that_looks_sees_a_world() -> None:
    """MCTSBot, which plays by the state that it is given, chooses by worlds drawn; its `step` would end the process."""
    game = load("eight_and_a_half(players=2,max_plies=80)")

    def make(game: Any, seat: int) -> Any:
        return pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(1, 1),
            1.0,
            5,
            10,
            False,
            1,
            False,
            pyspiel.ChildSelectionPolicy.UCT,
        )

    record = eights.play(eights.Match(game.rules, ("a", "b"), seed=5), [SpielPlayer(make), eights.GreedyPlayer()])
    assert record.is_over


def test_a_bot_that_would_end_the_process_is_refused() -> None:
    game = load("eight_and_a_half")
    state = play_on(game.new_initial_state(), Random(2), 12)
    theirs = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 1.0, 5)
    with pytest.raises(pyspiel.SpielError, match=r"^pyspiel\.ISMCTSBot cannot play games that are written in Python"):
        step(theirs, state)


def test_a_bot_of_which_nothing_is_known() -> None:
    """That OpenSpiel's functions do not tell their parameters is no fault; that they are called with others is."""
    game = load("eight_and_a_half")
    state = play_on(game.new_initial_state(), Random(2), 12)
    one = bot(game, state.current_player(), "spiel:pyspiel:make_stateful_random_bot")
    with pytest.raises(pyspiel.SpielError, match=r"^The bot 'pyspiel:make_stateful_random_bot' has failed: TypeError"):
        one.step(state)


FILE_OF_BOTS = """
from dataclasses import dataclass
from open_spiel.python.policy import Policy

@dataclass
class Choice:
    place: int = {place}

class First(Policy):
    def __init__(self, game, player_ids):
        super().__init__(game, [player_ids])

    def action_probabilities(self, state, player_id=None):
        return {{state.legal_actions()[Choice().place]: 1.0}}

def make(game, player):
    return First(game, player)

policy = First(None, 0)
"""


@pytest.mark.parametrize("name", ["First", "make", "policy"])
def test_policies_of_files_with_the_same_name(name: str, tmp_path: Path) -> None:
    """A class of policies, what a function makes, and a policy; two files called bots.py are two modules."""
    game = load("eight_and_a_half")
    state = play_on(game.new_initial_state(), Random(2), 17)
    for place in (0, -1):
        folder = tmp_path / str(place)
        folder.mkdir()
        (folder / "bots.py").write_text(FILE_OF_BOTS.format(place=place))
    made = [bot(game, state.current_player(), f"spiel:{tmp_path}/{place}/bots.py:{name}") for place in (0, -1)]
    assert len(state.legal_actions()) > 1
    for _ in range(2):
        assert [one.step(state) for one in made] == [state.legal_actions()[0], state.legal_actions()[-1]]


def test_a_player_must_have_been_told() -> None:
    state = eights.State(eights.Rules.standard(players=2))
    state.deal(eights.Rng(1))
    with pytest.raises(ValueError, match="must be told of the round"):
        SpielPlayer(FirstPolicy()).choose(state.observation(state.mover))


# --- evaluation ------------------------------------------------------------------------------------------------------


def test_equal_bots_get_the_same() -> None:
    """Every rotation of bots that play alike is the same game."""
    game = load(f"eight_and_a_half({SMALL},utility=zero_sum)")
    result = evaluate(["greedy", "greedy", "greedy"], game, deals=8)
    assert all(row == pytest.approx((0.0, 0.0, 0.0)) for row in result.returns)
    assert result.errors == pytest.approx((0.0, 0.0, 0.0))


def test_a_better_bot_gets_more() -> None:
    game = load("eight_and_a_half(players=2,max_plies=200)")
    result = evaluate(["greedy", "random"], game, deals=60)
    gain, error = result.margin(0)
    assert gain > 3 * error > 0
    assert result.margin(1) == pytest.approx((-gain, error))
    assert gain == pytest.approx(result.means[0] - result.means[1])
    assert evaluate(["greedy", "random"], game, deals=5, seed=2).returns != result.returns[:5]
    assert evaluate(["greedy", "random"], game, deals=5).returns == result.returns[:5]
    assert str(result).startswith("60 deals, returns ")


class Noting(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """Notes what has happened, which has to be all; plays the first legal action."""

    steps = 0

    def restart(self) -> None:
        self.moves: list[tuple[int, int]] = []

    def step(self, state: Any) -> int:
        action = int(state.legal_actions()[0])
        assert self.moves == [(move.player, move.action) for move in state.full_history()]
        self.moves.append((state.current_player(), action))
        self.steps += 1
        return action

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        self.moves.append((player_id, action))


def test_bots_hear_of_everything_as_in_theirs() -> None:
    game = load(f"eight_and_a_half({SMALL})")
    bots = [Noting() for _ in range(9)]
    made = iter(bots)
    evaluate([lambda game, player: next(made)] * 3, game, deals=2)
    assert all(one.steps > 0 for one in bots)


def test_no_two_bots_have_the_same_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor those of a deal; and what has been made is closed."""
    seeds, closed = [], []

    class Noted(eights.RandomPlayer):
        def __init__(self, seed: int) -> None:
            super().__init__(seed)
            seeds.append(seed)

        def close(self) -> None:
            closed.append(self)

    def deal(rules: eights.Rules, seed: int) -> Deal:
        seeds.append(seed)
        return Deal(rules, seed)

    monkeypatch.setattr("eights.specs.RandomPlayer", Noted)
    monkeypatch.setattr("eights.spiel.evaluation.Deal", deal)
    evaluate(["random", "random"], load("eight_and_a_half(players=2,max_plies=2)"), deals=3)
    assert len(closed) == 4
    assert len(seeds) == 4 + 3 * 2
    assert len(set(seeds)) == 4 + 3


def test_matches_are_compared_too() -> None:
    game = load(f"eight_and_a_half_match(match_rounds=2,{SIX_CARDS[1]})")
    makers = [lambda game, player: mcts_bot(game), lambda game, player: bot(game, player, "random")]
    assert len(evaluate(makers, game, deals=2).returns) == 2


def mcts_bot(game: Any) -> Any:
    random = np.random.RandomState(1)
    return mcts.MCTSBot(game, 1.0, 3, mcts.RandomRolloutEvaluator(1, random), random_state=random)


@pytest.mark.parametrize(
    ("game", "bots", "deals", "fault"),
    [
        ("kuhn_poker", ["random"] * 2, 1, "Deals are those of"),
        ("eight_and_a_half(players=3)", ["random"] * 2, 1, "The game is for 3 bots, not 2."),
        ("eight_and_a_half", ["random"] * 2, 0, "There must be at least one deal, not 0."),
        ("eight_and_a_half", ["random", lambda game, player: Illegal()], 1, r"legal is|A card is to come up"),
    ],
)
def test_what_cannot_be_evaluated(game: str, bots: list[Any], deals: int, fault: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=fault):
        evaluate(bots, pyspiel.load_game(game), deals)


class Illegal(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    def restart(self) -> None:
        pass

    def step(self, state: Any) -> int:
        return 75

"""What players see in OpenSpiel: information states and observations, as text, tensors and JSON."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from eights_core.encoding import encode, encoding_size
from open_spiel.python.observation import make_observation
from spiel_games import SIX_CARDS, load, play_on, states

NONE, SINGLE, ALL = (
    pyspiel.PrivateInfoType.NONE,
    pyspiel.PrivateInfoType.SINGLE_PLAYER,
    pyspiel.PrivateInfoType.ALL_PLAYERS,
)
KINDS = [
    pyspiel.IIGObservationType(perfect_recall=recall, public_info=public, private_info=private)
    for recall, public, private in itertools.product((False, True), (False, True), (NONE, SINGLE, ALL))
]


def kind_name(kind: Any) -> str:
    """What is seen with a kind, for the names of tests."""
    return f"recall={kind.perfect_recall}-public={kind.public_info}-private={str(kind.private_info).split('.')[1]}"


GAMES = (
    f"eight_and_a_half({SIX_CARDS[0]})",
    "eight_and_a_half(players=3,deck=2_1_2_1_1_2_1_1_2_2_2_2,hand_size=2,open_size=1,blind_size=1,max_plies=60)",
    f"eight_and_a_half_match(match_rounds=2,{SIX_CARDS[1]})",
)


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_every_kind_at_every_node(text: str, kind: Any) -> None:
    """Views of one array, all entries in [0, 1]; texts differ exactly where tensors do."""
    game = load(text)
    observation = make_observation(game, kind)
    told: dict[str, bytes] = {}
    for state in states(game, 2, rounds=4):
        for player in range(game.num_players()):
            observation.set_from(state, player)
            assert sum(part.size for part in observation.dict.values()) == observation.tensor.size
            assert all(np.shares_memory(part, observation.tensor) for part in observation.dict.values() if part.size)
            assert observation.tensor.min(initial=0) >= 0
            assert observation.tensor.max(initial=0) <= 1
            key = observation.string_from(state, player)
            assert told.setdefault(key, observation.tensor.tobytes()) == observation.tensor.tobytes()
    if kind.perfect_recall or kind.public_info:
        assert len(set(told.values())) == len(told)


@pytest.mark.parametrize("text", GAMES)
def test_perfect_recall(text: str) -> None:
    """Who sees the same now has seen the same before, and two players never see the same."""
    before: dict[str, str] = {}
    game = load(text)
    for seed in range(20):
        state = game.new_initial_state()
        last = [""] * game.num_players()
        random = Random(seed)
        while not state.is_terminal():
            play_on(state, random, 1)
            for player in range(game.num_players()):
                now = state.information_state_string(player)
                assert before.setdefault(now, last[player]) == last[player]
                assert now.startswith(f"player {player} |")
                last[player] = now


@pytest.mark.parametrize("text", GAMES)
def test_what_is_hidden_is_not_seen(text: str) -> None:
    """In another world with the same seen cards nothing differs but with private information of all."""
    game = load(text)
    random = Random(3)
    for state in states(game, 4)[::4]:
        for player in range(game.num_players()):
            world = state.resample_from_infostate(player, random.random)
            for kind in KINDS:
                if kind.private_info == ALL:
                    continue
                observation = make_observation(game, kind)
                observation.set_from(state, player)
                tensor = observation.tensor.copy()
                observation.set_from(world, player)
                assert (tensor == observation.tensor).all()
                assert observation.string_from(state, player) == observation.string_from(world, player)
            assert state.to_observation_struct(player).to_json() == world.to_observation_struct(player).to_json()


def test_public_information_is_the_same_for_all() -> None:
    game = load(GAMES[1])
    for kind in KINDS:
        if kind.private_info == NONE:
            observation = make_observation(game, kind)
            for state in states(game, 4)[::5]:
                seen = set()
                for player in range(3):
                    observation.set_from(state, player)
                    seen.add((observation.tensor.tobytes(), observation.string_from(state, player)))
                assert len(seen) == 1


def test_public_information_knows_no_hand() -> None:
    game = load(GAMES[1])
    observation = make_observation(game, KINDS[3])
    assert (KINDS[3].public_info, KINDS[3].private_info) == (True, NONE)
    state = play_on(game.new_initial_state(), Random(1), 20)
    observation.set_from(state, 0)
    assert not observation.dict["hand"].any()
    hands = sum(np.array(state.course.round.hand(seat)) for seat in range(3))
    copies = np.array((6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8))
    assert np.allclose(observation.dict["unseen"] * copies, hands + np.array(state.course.round.pool))


def test_private_information() -> None:
    game = load("eight_and_a_half(players=2,deck=0_0_0_1_1_1_1_0_0_0_0_0,hand_size=1,open_size=1,blind_size=0)")
    state = game.new_initial_state()
    for rank in (3, 4, 5, 6):
        state.apply_action(rank)
    texts = {}
    for kind in KINDS:
        observation = make_observation(game, kind)
        texts[kind.perfect_recall, kind.public_info, str(kind.private_info)[16:]] = observation.string_from(state, 1)
    assert texts[False, False, "NONE"] == ""
    assert texts[False, False, "SINGLE_PLAYER"] == "hand of player 1: 6"
    assert texts[False, False, "ALL_PLAYERS"] == "hand of player 0: 4, hand of player 1: 6"
    assert texts[True, False, "SINGLE_PLAYER"] == "+6"
    assert texts[True, False, "ALL_PLAYERS"] == "+4 +6"
    assert texts[True, True, "NONE"] == "+3 +? +5 +? opens:0"
    assert texts[True, True, "SINGLE_PLAYER"] == "player 1 | +3 +? +5 +6 opens:0"
    assert texts[True, True, "ALL_PLAYERS"] == "player 1 | +3 +4 +5 +6 opens:0"


def test_the_observation_is_that_of_the_core() -> None:
    game = load("eight_and_a_half(players=3)")
    expected = np.zeros(encoding_size(3), np.float32)
    for state in states(game, 1)[::9]:
        for player in range(3):
            encode(state.course.round, player, expected)
            seen = np.array(state.observation_tensor(player), np.float32)
            assert seen[:3].tolist() == [float(number == player) for number in range(3)]
            assert (seen[3:] == expected).all()


def test_in_a_match_seats_change_and_scores_stay() -> None:
    game = load(GAMES[2])
    observation = make_observation(game)
    state = game.new_initial_state()
    random = Random(1)
    while state.course.match.rounds == 0:
        play_on(state, random, 1)
    assert (state.course.seat_of(0), state.course.player_in(0)) == (1, 1)
    points = state.course.match.scores
    for player in (0, 1):
        observation.set_from(state, player)
        most = 3 * 2
        expected = np.array([points[player], points[1 - player]], np.float32) / np.float32(most)
        assert np.allclose(observation.dict["scores"], expected)
        assert observation.dict["round"].tolist() == [0.5]


def test_tensors_of_everything_seen_are_for_small_games() -> None:
    assert load("eight_and_a_half(players=6)").get_type().provides_information_state_tensor
    large = load("eight_and_a_half_match")
    assert not large.get_type().provides_information_state_tensor
    recalling = make_observation(large, pyspiel.IIGObservationType(perfect_recall=True))
    assert (recalling.tensor, recalling.dict) == (None, {})
    assert recalling.string_from(large.new_initial_state(), 1) == "player 1 | "


def test_observations_have_no_parameters() -> None:
    with pytest.raises(pyspiel.SpielError, match=r"Observations have no parameters\."):
        make_observation(load("eight_and_a_half"), None, {"colour": 1})


def test_observation_as_json() -> None:
    game = load("eight_and_a_half(players=2,deck=0_0_0_1_1_1_1_0_0_0_0_0,hand_size=1,open_size=1,blind_size=0)")
    state = game.new_initial_state()
    for rank in (3, 4, 5, 6):
        state.apply_action(rank)
    seen = state.to_observation_struct(1).to_dict()
    assert [seat["hand"] for seat in seen["seats"]] == ["?", "6"]
    assert seen["seen"] == ["+3 +? +5 +6 opens:0"]
    assert (seen["current_player"], seen["phase"], seen["player"]) == (0, "opening", 1)
    assert "history" not in seen
    assert "pool" not in seen

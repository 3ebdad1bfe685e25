"""Resampled worlds: exactly those that fit what a player has seen, each as often as it should be."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import eights
import pyspiel
import pytest
from eights.spiel.course import Course
from eights.spiel.seen import FACE_UP, OPENS, UNSEEN, codes_text, drawn
from eights.spiel.worlds import Worlds
from posterior import assert_follows
from spiel_games import SIX_CARDS, histories, load, play_on, states

GAMES = (
    "players=3,deck=1_1_1_0_0_1_0_1_1_0_2_1,hand_size=2,open_size=1,blind_size=0",
    "players=2,deck=1_1_1_1_0_1_0_1_2_1_2_2,hand_size=3,open_size=1,blind_size=1",
    "players=4,deck=1_1_1_0_0_1_1_0_2_1_1_2,hand_size=1,open_size=1,blind_size=0,rules=shafir",
    "players=3,deck=1_1_1_0_0_1_0_1_2_0_3_2,hand_size=2,open_size=1,blind_size=1,halves_add_up=1,"
    "exchange_winner=1,exchange_loser=2",
)


def resampled(state: Any, player: int, samples: int, seed: int) -> Counter[tuple[int, ...]]:
    random = Random(seed)
    return Counter(tuple(state.resample_from_infostate(player, random.random).history()) for _ in range(samples))


@pytest.mark.parametrize("text", GAMES)
def test_worlds_follow_the_exact_posterior(text: str) -> None:
    """Against plain enumeration of all histories, at random states: those that are few enough."""
    game = load(f"eight_and_a_half({text})")
    tried = 0
    for seed in range(1000):
        random = Random(seed)
        state = play_on(game.new_initial_state(), random, random.randrange(5, 26))
        player = random.randrange(game.num_players())
        (codes,) = state.course.seen((player,))
        if codes.count(UNSEEN) > 4:
            continue
        ways = histories(game.new_course(), codes, player)
        if not 2 <= len(ways) <= 100:
            continue
        assert_follows(resampled(state, player, 30 * len(ways) + 300, seed), ways)
        tried += 1
        if tried == 8:
            return
    raise AssertionError("There are too few states to try.")


def told(text: str, seat: int, events: str) -> tuple[Course, list[int]]:
    """A course of told events, and what a seat sees of it."""
    game = load(f"eight_and_a_half({text})")
    course: Course = game.new_course()
    for event in events.split():
        chance = course.round.chance_place() is not None
        course.apply(eights.parse_rank(event) if chance else eights.parse_action(event))
    return course, course.seen((seat,))[0]


SMALL = "players=3,hand_size=2,open_size=1,blind_size=0,deck="


@pytest.mark.parametrize(
    ("text", "seat", "events"),
    [
        # seat 1 is to open: nobody has a lower yellow card than it has
        (SMALL + "1_1_1_1_0_1_1_1_0_1_0_1", 0, "0 5 G 3 1 6 2 7 9"),
        # the same, seen by one who holds a 6 himself: so it is the 1 that seat 1 has
        (SMALL + "1_1_1_1_0_1_1_1_1_1_1_1", 0, "0 6 G 3 1 5 2 7 9"),
        # seat 0 has opened with a Ghost: nobody has a yellow card
        (SMALL + "1_1_1_1_0_3_0_0_0_2_2_1", 1, "5 9 G H 9 5 0 H 5 G 1"),
        # seat 1 takes a pile of 9
        (SMALL + "1_1_0_1_0_1_0_1_1_1_1_1", 0, "0 1 9 H 7 8 3 5 G 1 8 G 9 take"),
        # seat 1 takes a pile of 8½: it may have an 8 or a Half, though neither is legal, but not both
        ("hand_size=3,open_size=1,blind_size=1,deck=0_1_0_0_0_0_2_1_3_0_3_0", 0, "6 1 8 H 6 8 8 7 1 8 8H take"),
    ],
)
def test_what_is_shown(text: str, seat: int, events: str) -> None:
    course, codes = told(text, seat, events)
    ways = histories(load(f"eight_and_a_half({text})").new_course(), codes, seat)
    worlds = Worlds(course.rules, None, codes, seat)
    random = Random(1)
    assert_follows(Counter(tuple(worlds.draw(random.random)) for _ in range(40 * len(ways) + 400)), ways)


@pytest.mark.parametrize("text", [f"eight_and_a_half({GAMES[0]})", f"eight_and_a_half_match({SIX_CARDS[1]})"])
def test_worlds_look_the_same_to_the_player(text: str) -> None:
    """Everywhere, also where chance moves and at the end; and not always the same, nor the true one."""
    game = load(text)
    random = Random(1)
    others = 0
    for state in states(game, 5)[::3]:
        for player in range(game.num_players()):
            worlds = [state.resample_from_infostate(player, random.random) for _ in range(4)]
            for world in worlds:
                assert world.information_state_string(player) == state.information_state_string(player)
                assert world.observation_string(player) == state.observation_string(player)
                assert world.current_player() == state.current_player()
                if state.current_player() == player:
                    assert world.legal_actions() == state.legal_actions()
                others += world.history() != state.history()
    assert others > 10


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_not_seen_makes_no_difference(players: int) -> None:
    """From another state that looks the same, the same random numbers give the same worlds."""
    game = load(f"eight_and_a_half(players={players})")
    state = play_on(game.new_initial_state(), Random(4), 60)
    for player in range(players):
        other = state.resample_from_infostate(player, Random(7).random)
        assert other.history() != state.history()
        assert resampled(other, player, 20, 1) == resampled(state, player, 20, 1)
        assert len(resampled(state, player, 20, 1)) > 10


def test_worlds_are_drawn_with_any_source() -> None:
    state = play_on(load("eight_and_a_half").new_initial_state(), Random(4), 40)
    world = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    assert world.information_state_string(0) == state.information_state_string(0)


@pytest.mark.parametrize("player", [-1, 2])
@pytest.mark.parametrize("game", ["eight_and_a_half", "eight_and_a_half_match"])
def test_no_such_player(game: str, player: int) -> None:
    state = load(game).new_initial_state()
    fault = f"There is no player {player}: they are 0 to 1"
    with pytest.raises(pyspiel.SpielError, match=fault):
        state.resample_from_infostate(player, Random(1).random)
    with pytest.raises(pyspiel.SpielError, match=fault):
        state.to_observation_struct(player)


def test_codes_of_no_round() -> None:
    rules = eights.Rules.standard(players=2)
    opened = [FACE_UP, FACE_UP, FACE_UP, drawn(0, 1), drawn(0, 2), drawn(0, 3)] + 3 * [FACE_UP] + 3 * [UNSEEN]
    for codes in ([OPENS], [0], [UNSEEN], [*opened, FACE_UP + 1], [*opened, OPENS, 0], [*opened, OPENS, UNSEEN]):
        with pytest.raises(ValueError, match=r"These codes are such as no round has\."):
            Worlds(rules, None, codes, 0)
    course, codes = told(GAMES[1], 0, "0 1 3 5 7")
    assert codes_text(codes) == "+0 +1 +3 +5 +7"
    assert Worlds(course.rules, None, codes, 0).draw(Random(1).random) == course.actions()

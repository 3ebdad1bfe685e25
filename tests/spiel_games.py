"""Small games of OpenSpiel for tests, and ways through them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import eights.spiel
import pyspiel
from eights.spiel.course import Course
from eights.spiel.seen import OPENS, UNSEEN, seen_by

SIX_CARDS = (
    "deck=1_1_0_1_0_1_0_0_0_0_1_1,hand_size=1,open_size=1,blind_size=0,max_plies=20,utility=zero_sum",
    "deck=0_1_0_1_0_1_0_0_0_1_1_1,hand_size=1,open_size=1,blind_size=1,max_plies=20,utility=zero_sum",
)
"""The parameters of two games that can be solved."""


def load(text: str) -> Any:
    """The game of a text; `eights.spiel` has registered it."""
    assert eights.spiel.RoundGame.SHORT_NAME in pyspiel.registered_names()
    return pyspiel.load_game(text)


def play_on(state: Any, random: Random, moves: int | None = None) -> Any:
    """Play at random, as cards come up by their chances, for some moves or to the end; returns the state."""
    while not state.is_terminal() and (moves is None or moves > 0):
        if state.is_chance_node():
            ranks, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(ranks, chances)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
        moves = None if moves is None else moves - 1
    return state


def states(game: Any, seed: int, rounds: int = 1) -> list[Any]:
    """Every state on the way through some random games, the first and the last too."""
    random = Random(seed)
    found = []
    for _ in range(rounds):
        state = game.new_initial_state()
        while True:
            found.append(state.clone())
            if state.is_terminal():
                break
            play_on(state, random, 1)
    return found


def histories(course: Course, codes: Sequence[int], seat: int) -> Counter[tuple[int, ...]]:
    """Every history of a round that looks like these codes to a seat, and how likely it is before anybody plays.

    Tried out card by card by the rules alone; `course` is at the start of the round.
    """
    found: Counter[tuple[int, ...]] = Counter()

    def follow(course: Course, done: tuple[int, ...], chance: float) -> None:
        seen = seen_by((seat,), course.log.codes)
        if seen != list(codes[: len(seen)]):
            return
        if len(seen) == len(codes):
            found[done] = chance  # type: ignore[assignment]  # a weight
            return
        outcomes = course.round.chance_outcomes()
        if not outcomes:
            outcomes = [(codes[len(seen)], 1.0)] if codes[len(seen)] in course.round.legal_actions() else []
        for action, share in outcomes:
            after = course.copy()
            after.apply(action)
            follow(after, (*done, action), chance * share)

    follow(course, (), 1.0)
    return found


def has_opened(codes: Sequence[int]) -> bool:
    """Whether somebody is to open the round, or has done so."""
    return any(OPENS <= code < UNSEEN for code in codes)

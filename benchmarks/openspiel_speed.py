"""Speed within OpenSpiel: whole random rounds beside its own card games, and our search beside its ISMCTSBot."""

import random
import time
from statistics import fmean
from typing import Any

import pyspiel
import speed
from eights.models import default_evaluator
from eights.pairing import standard_error
from eights.rules import Rules
from eights_core.ismcts import Search
from openspiel_bots import ismcts_bot

GAMES = ("eight_and_a_half(players=2)", "eight_and_a_half(players=4)", "crazy_eights(players=4)", "hearts")
PLAYERS = (2, 4)
RUNS = 5
POSITIONS = 20


def random_rounds(name: str, seconds: float) -> tuple[float, float, float]:
    """Rounds a second that a loop in Python plays at random, the standard error of that, and their moves."""
    game = pyspiel.load_game(name)
    rng = random.Random(1)
    rates, moves, rounds = [], 0, 0
    for _ in range(RUNS):
        start, played = time.perf_counter(), 0
        while time.perf_counter() - start < seconds / RUNS:
            state = game.new_initial_state()
            while not state.is_terminal():
                _move(state, rng)
                moves += 1
            played += 1
        rates.append(played / (time.perf_counter() - start))
        rounds += played
    return fmean(rates), standard_error(rates), moves / rounds


def ismcts_rate(players: int, simulations: int) -> tuple[float, float]:
    """Simulations a second of ISMCTSBot at first free decisions, and the standard error of that."""
    game = pyspiel.load_game(f"eight_and_a_half(players={players})")
    rates = []
    for seed in range(POSITIONS):
        rng = random.Random(seed)
        state = game.new_initial_state()
        while state.is_chance_node() or len(state.legal_actions()) == 1:
            _move(state, rng)
        bot = ismcts_bot(game, simulations, seed)
        start = time.perf_counter()
        bot.step(state)
        rates.append(simulations / (time.perf_counter() - start))
    return fmean(rates), standard_error(rates)


def engine_rate(players: int) -> tuple[float, float]:
    """Iterations a second of our search at first free decisions, and the standard error of that."""
    rules = Rules.standard(players=players)
    evaluator = default_evaluator(rules)
    rates = []
    for seed in range(POSITIONS):
        search = Search(speed.first_free_decision(rules, seed).belief, evaluator, seed=1, memory=1 << 30)
        start = time.perf_counter()
        search.run(speed.ITERATIONS)
        rates.append(speed.ITERATIONS / (time.perf_counter() - start))
    return fmean(rates), standard_error(rates)


def _move(state: Any, rng: random.Random) -> None:
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, chances)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))

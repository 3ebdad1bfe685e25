"""The measurements against OpenSpiel: bots by name, logs that are gone on with, and small decks known in full."""

from __future__ import annotations

import random
import re
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from eights.pairing import Effort
from eights.processes import Workers
from eights.spiel import bot
from spiel_games import play_on

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
sys.path.append(str(BENCHMARKS))

import openspiel_duel  # noqa: E402
from openspiel_bots import BotSpec, Clocked  # noqa: E402
from openspiel_deals import LogError, Match, Outcome, Played, play  # noqa: E402
from openspiel_exploitability import DECKS, WORTH, Budgets, Measured, Tree, cfr, grow, measure, sampling  # noqa: E402

MATCH = Match("greedy", "random", 2)


# ---- bots


def first_choice(players: int) -> tuple[Any, Any]:
    """A game, and a state of it at which there is a choice."""
    game = pyspiel.load_game(f"eight_and_a_half(players={players})")
    rng = random.Random(3)
    state = play_on(game.new_initial_state(), rng, 15 * players)
    while state.is_chance_node() or len(state.legal_actions()) == 1:
        play_on(state, rng, 1)
    return game, state


@pytest.mark.parametrize(
    "name", ["ismcts:time=5ms", "ismcts:simulations=8", "mcts:simulations=8", "greedy", "engine:iterations=50"]
)
def test_bots_play_what_they_may(name: str) -> None:
    game, state = first_choice(3)
    player = state.current_player()
    clocked = Clocked(BotSpec(name).make(game, player, 7))
    clocked.restart()
    assert clocked.step(state) in state.legal_actions()
    assert clocked.effort.decisions == 1
    assert clocked.effort.seconds > 0


def test_a_search_has_time_to_try_every_action() -> None:
    game, state = first_choice(2)
    policy = BotSpec("ismcts:time=0.001ms").make(game, state.current_player(), 7).get_policy(state)
    assert sorted(action for action, _ in policy) == state.legal_actions()
    assert sum(chance for _, chance in policy) == pytest.approx(1)


def test_searches_come_from_their_seeds() -> None:
    game, state = first_choice(2)
    player = state.current_player()

    def visits(seed: int) -> list[float]:
        search = BotSpec("ismcts:simulations=40").make(game, player, seed)
        search.step(state)
        return [child.return_sum for child in search._root_node.child_info.values()]

    assert visits(7) == visits(7)
    assert visits(7) != visits(8)


def test_forced_actions_are_not_asked_for() -> None:
    game = pyspiel.load_game("eight_and_a_half")
    state = game.new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) > 1:
        play_on(state, random.Random(1), 1)
    clocked = Clocked(None)
    assert clocked.step(state) == state.legal_actions()[0]
    assert clocked.effort.decisions == 0


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("mcts:time=2ms", "mcts has simulations to set"),
        ("ismcts", "ismcts has time or simulations to set"),
        ("ismcts:time=2", "not a number with its unit"),
        ("mcts:simulations=0", "a whole number above 0"),
        ("genius", "is no player"),
    ],
)
def test_no_such_bot(name: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        BotSpec(name)


# ---- deals


def test_a_deal_depends_on_its_number_alone() -> None:
    match = Match("engine:iterations=30", "ismcts:simulations=4", 2)
    first, again, other = match.play(0), match.play(0), match.play(1)
    assert first.difference == again.difference
    assert (first.challenger.decisions, first.field.decisions) == (again.challenger.decisions, again.field.decisions)
    assert first.field.decisions != other.field.decisions


def test_everybody_sits_everywhere() -> None:
    """One who plays as all others do is ahead of nobody."""
    for deal in range(3):
        assert Match("greedy", "greedy", 3).play(deal).difference == pytest.approx(0)


def test_a_log_is_gone_on_with(tmp_path: Path) -> None:
    log, stop = tmp_path / "log", threading.Event()
    with Workers(1) as workers:
        first = play(MATCH, 4, workers, log, stop, 1000.0)
        with log.open("ab") as file:
            file.write(b'{"deal":7,"diff')  # killed while it wrote
        more = play(MATCH, 6, workers, log, stop, 1000.0)
        stop.set()
        kept = play(MATCH, 9, workers, log, stop, 1000.0)
        fewer = play(MATCH, 3, workers, log, stop, 1000.0)
        with pytest.raises(LogError, match="another match or another engine"):
            play(Match("random", "greedy", 2), 3, workers, log, stop, 1000.0)
    assert [deal.deal for deal in more.deals] == list(range(6))
    assert more.deals[:4] == first.deals
    assert kept.deals == more.deals
    assert fewer.deals == more.deals[:3]
    assert more.deals[5].difference == MATCH.play(5).difference
    log.write_text("something\n")
    with pytest.raises(LogError, match="is not the log of a match"), Workers(1) as workers:
        play(MATCH, 3, workers, log, stop, 1000.0)


def test_no_deal_begins_when_the_time_is_over() -> None:
    with Workers(1) as workers:
        found = play(MATCH, 50, workers, None, threading.Event(), 0.0)
    assert len(found.deals) == 1


def test_what_deals_come_to() -> None:
    deals = [Played(number, float(number), Effort(number, 0.5), Effort(2, 1.0)) for number in range(5)]
    outcome = Outcome(MATCH, deals)
    assert outcome.difference == 2.0
    assert outcome.error == pytest.approx((2.5 / 5) ** 0.5)
    assert outcome.lower == pytest.approx(2.0 - 2.776 * outcome.error, abs=1e-3)
    assert Outcome(MATCH, deals[:4]).lower == -float("inf")
    assert (outcome.milliseconds("challenger"), outcome.milliseconds("field")) == (250.0, 500.0)


# ---- small decks


@pytest.fixture(scope="module")
def six() -> Tree:
    """The deck of six cards in which choices matter, in full."""
    return grow(DECKS["6 cards"])


def test_the_tree_is_the_game(six: Tree) -> None:
    """Along random ways, action by action: who is to act, how likely cards are, and what is got in the end."""
    rng = random.Random(1)
    states: dict[str, str] = {}
    for _ in range(300):
        state, tree = six.game.new_initial_state(), six.tree.new_initial_state()
        while not state.is_terminal():
            assert tree.current_player() == state.current_player()
            if state.is_chance_node():
                chances = [chance for _, chance in state.chance_outcomes()]
                assert [chance for _, chance in tree.chance_outcomes()] == pytest.approx(chances)
            else:
                name = tree.information_state_string()
                assert states.setdefault(name, state.information_state_string()) == state.information_state_string()
                assert (name in six.free) == (len(state.legal_actions()) > 1)
            legal = state.legal_actions()
            place = rng.randrange(len(legal))
            assert tree.legal_actions() == list(range(len(legal)))
            state.apply_action(legal[place])
            tree.apply_action(place)
        assert tree.returns() == state.returns()
    assert len(set(states.values())) == len(states) > 100


def test_values_known_from_elsewhere(six: Tree) -> None:
    """Those that OpenSpiel's algorithms in Python give for the game itself."""
    assert six.nash_conv(pyspiel.UniformRandomPolicy(six.tree)) == pytest.approx(0.2147, abs=1e-4)
    assert six.information_states == 7600
    assert cfr(six, 10, 1) < 0.01
    assert sampling(six, 3000, 1) < 0.15


def test_a_deck_without_choices() -> None:
    assert not grow(DECKS["6 cards, no Blind Card"]).free


def test_bots_are_asked_everywhere(six: Tree) -> None:
    """`random` has the policy that is uniform; a search does better."""

    def asked(name: str) -> float:
        return six.asked(lambda game, player, seed: bot(game, player, name, seed), 1)

    assert asked("random") == pytest.approx(0.2147, abs=1e-4)
    assert asked("engine:iterations=100") < 0.05


def test_measuring_ends_when_it_should(six: Tree) -> None:
    budgets = Budgets(cfr=(1, 2), sampling=(10,), seeds=2)
    stop = threading.Event()
    found = list(measure(six, budgets, stop, time.perf_counter() + 1000))
    assert [one.name for one in found] == [
        "uniform",
        "CFR+, 1 iterations",
        "CFR+, 2 iterations",
        "external-sampling MCCFR, 10 iterations",
    ]
    assert [one.error is None for one in found] == [True, True, True, False]
    assert isinstance(found[0], Measured)
    stop.set()
    assert list(measure(six, budgets, stop, time.perf_counter() + 1000)) == []


def test_decks_are_named_as_openspiel_names_them() -> None:
    for deck in DECKS.values():
        name = f"eight_and_a_half({deck},{WORTH})"
        assert set(str(pyspiel.load_game(name))[:-1].split("(")[1].split(",")) == {
            *name[:-1].split("(")[1].split(","),
            "players=2",
        }


# ---- the scripts


def test_the_script_prints_its_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openspiel_duel, "YARDSTICKS", (openspiel_duel.Row(MATCH, 20, 6, reach=0.5),))
    given = ["--quick", "--minutes", "0.05", "--jobs", "1", "--log", str(tmp_path)]
    assert openspiel_duel.main([*given, "--table", "yardsticks", "--table", "learned"]) == 0
    text = capsys.readouterr().out
    line = r"^ +2 greedy +random +([+-]\d\.\d\d) ± \d\.\d\d .* > 0\.50 +6 .*, (holds|not shown)$"
    shown = re.search(line, text, re.MULTILINE)
    assert shown is not None
    differences = [MATCH.play(deal).difference for deal in range(6)]
    assert float(shown[1]) == pytest.approx(sum(differences) / 6, abs=0.005)
    assert ("PPO has learned" in text) == (find_spec("torch") is not None)
    assert ("pip install '.[learn]'" in text) == (find_spec("torch") is None)
    assert [path.name for path in tmp_path.iterdir()] == ["2p_greedy_random.jsonl"]
    openspiel_duel.main([*given, "--deals", "3", "--table", "yardsticks"])
    assert " 3  " in capsys.readouterr().out.splitlines()[-2]


@pytest.mark.slow
def test_an_agent_is_saved_and_read(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the learner wants the extra eights[learn]")
    import openspiel_learner

    learner = openspiel_learner.train(2, 0.05)
    path = tmp_path / "agent.pt"
    openspiel_learner.save(learner, path, 2)
    game, state = first_choice(2)
    saved, now = openspiel_learner.load(path, game, 1), openspiel_learner.Agent(learner.network, 1)
    assert [saved.step(state) for _ in range(20)] == [now.step(state) for _ in range(20)]
    with pytest.raises(ValueError, match="has learned with 2 players, not 3"):
        openspiel_learner.load(path, pyspiel.load_game("eight_and_a_half(players=3)"), 1)

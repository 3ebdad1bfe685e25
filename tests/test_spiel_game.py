"""The games as OpenSpiel loads them: parameters, types, bounds, conformance, lockstep, and what cannot be loaded."""

from __future__ import annotations

import base64
import contextlib
import importlib
import io
import itertools
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import eights
import eights.spiel
import pyspiel
import pytest
from absl import flags
from eights.spiel import RoundGame, deserialize_game_and_state
from eights.spiel.hearing import parameters_of
from open_spiel.integration_tests import api_test
from open_spiel.python.tests import games_sim_test
from spiel_games import SIX_CARDS, load, play_on, states
from test_lockstep import exact
from transcripts import Transcript
from transcripts import load as load_transcripts

if not flags.FLAGS.is_parsed():
    flags.FLAGS(["tests"])

GENERAL = pyspiel.GameType.Utility.GENERAL_SUM
ZERO = pyspiel.GameType.Utility.ZERO_SUM
CONSTANT = pyspiel.GameType.Utility.CONSTANT_SUM

CHOICES: dict[str, tuple[Any, ...]] = {
    "players": (2, 3, 4, 5, 6),
    "rules": ("standard", "amigo", "shafir"),
    "utility": ("points", "zero_sum", "win"),
    "fewest_tie": ("", "all", "split", "none"),
    "scoring": ("", "standard", "shafir"),
    "five_through_ghost": (-1, 0, 1),
    "sealed_eight_and_a_half": (-1, 0, 1),
    "halves_add_up": (-1, 1),
    "policeman_starts_pile": (-1, 1),
    "open_sets": (-1, 1),
    "blind_size": (-1, 0, 2),
    "hand_size": (-1, 1),
    "max_plies": (60, 25),
}


def covering() -> list[dict[str, Any]]:
    """Parameters such that every two choices for two of them come together in some game."""
    missing = {
        ((one, a), (other, b))
        for one, other in itertools.combinations(CHOICES, 2)
        for a in CHOICES[one]
        for b in CHOICES[other]
    }
    random = Random(1)
    found = []
    while missing:
        tries = [{name: random.choice(values) for name, values in CHOICES.items()} for _ in range(60)]
        best = max(tries, key=lambda game: len(missing & set(itertools.combinations(game.items(), 2))))
        fresh = missing & set(itertools.combinations(best.items(), 2))
        if fresh:
            found.append(best)
            missing -= fresh
    return found


def named(parameters: dict[str, Any], game: str = "eight_and_a_half") -> str:
    """The text of a game; what is left to the preset is left out."""
    told = [f"{name}={value}" for name, value in parameters.items() if value not in (-1, "")]
    return f"{game}({','.join(told)})"


# --- conformance -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", covering(), ids=named)
def test_simulations(parameters: dict[str, Any]) -> None:
    game = load(named(parameters))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    with contextlib.redirect_stdout(io.StringIO()):
        games_sim_test.GamesSimTest().sim_game(game)


@pytest.mark.parametrize(
    "game",
    [
        "eight_and_a_half",
        "eight_and_a_half_match",
        "eight_and_a_half_match(players=3,match_rounds=2,max_plies=60,utility=win)",
        "eight_and_a_half_match(players=4,rules=shafir,match_target=2,max_plies=60,utility=zero_sum)",
        "eight_and_a_half_match(players=5,rules=amigo,match_rounds=2,max_plies=60,fewest_tie=split)",
    ],
)
def test_simulation_of_defaults_and_matches(game: str) -> None:
    pyspiel.random_sim_test(load(game), num_sims=1, serialize=True, verbose=False)


class TestPartialTree(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]  # open_spiel has no types
    game_name = "eight_and_a_half"
    game = load("eight_and_a_half(players=3,deck=2_1_2_1_1_2_1_1_2_2_2_2,hand_size=2,open_size=1,blind_size=1)")


class TestPartialTreeOfMatches(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]  # as above
    game_name = "eight_and_a_half_match"
    game = load(f"eight_and_a_half_match(match_rounds=2,{SIX_CARDS[1]})")


@pytest.mark.parametrize("transcript", load_transcripts(), ids=lambda transcript: transcript.name)
def test_lockstep(transcript: Transcript) -> None:
    record = transcript.round
    rules = eights.Rules.parse(record["rules"], record["players"])
    exchange = record["exchange"] and tuple(record["exchange"])
    game = pyspiel.load_game("eight_and_a_half", parameters_of(rules, exchange))
    assert game.rules == rules
    state = game.new_initial_state()
    for step in record["steps"]:
        if "chance" in step:
            whole = sum(step["pool"])
            assert state.chance_outcomes() == [(rank, n / whole) for rank, n in enumerate(step["pool"]) if n]
            state.apply_action(step["chance"])
        else:
            assert state.current_player() == step["seat"]
            assert state.legal_actions() == step["legal"]
            assert state.action_to_string(step["act"]) == step["text"]
            assert state.string_to_action(step["text"]) == step["act"]
            state.apply_action(step["act"])
    assert state.is_terminal()
    assert exact(state.returns()) == [Fraction(share) for share in record["points"]]


# --- types and bounds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "utility", "whole", "bounds"),
    [
        ("eight_and_a_half(players=4)", GENERAL, None, (0, 3)),
        ("eight_and_a_half(players=4,utility=win)", GENERAL, None, (0, 1)),
        ("eight_and_a_half(utility=zero_sum)", ZERO, 0.0, (-1.5, 1.5)),
        ("eight_and_a_half(players=4,utility=zero_sum)", ZERO, 0.0, (-5 / 4, 9 / 4)),
        ("eight_and_a_half(players=4,utility=zero_sum,fewest_tie=split)", ZERO, 0.0, (-3 / 4, 9 / 4)),
        ("eight_and_a_half(players=6,utility=zero_sum,rules=shafir)", ZERO, 0.0, (-1.0, 5 / 2)),
        ("eight_and_a_half(players=3,utility=zero_sum,rules=shafir,fewest_tie=none)", ZERO, 0.0, (-1.0, 2.0)),
        ("eight_and_a_half_match(match_rounds=4)", GENERAL, None, (0, 12)),
        ("eight_and_a_half_match(match_rounds=4,utility=zero_sum,players=3)", ZERO, 0.0, (-16 / 3, 8.0)),
        ("eight_and_a_half_match(rules=shafir,utility=win)", CONSTANT, 1.0, (0, 1)),
    ],
)
def test_utilities(text: str, utility: Any, whole: float | None, bounds: tuple[float, float]) -> None:
    game = load(text)
    assert game.get_type().utility == utility
    assert game.utility_sum() == whole
    assert (game.min_utility(), game.max_utility()) == bounds


def test_bounds_are_reached() -> None:
    """Three players, few cards: somebody gets nothing while the two others share the fewest cards."""
    game = load(
        "eight_and_a_half(players=3,deck=1_1_1_1_0_1_0_1_0_1_0_2,hand_size=1,open_size=1,blind_size=0,utility=zero_sum)"
    )
    random = Random(2)
    returns = [share for _ in range(400) for share in play_on(game.new_initial_state(), random).returns()]
    assert (min(returns), max(returns)) == (game.min_utility(), game.max_utility()) == (-4 / 3, 2.0)


def test_nobody_wins_at_the_limit() -> None:
    """So that `win` adds up to 1 or to 0 in a round, and is of no constant sum."""
    for plies, sums in ((1, {0.0}), (1000, {1.0})):
        game = load(f"eight_and_a_half(players=3,max_plies={plies},utility=win)")
        assert {sum(play_on(game.new_initial_state(), Random(seed)).returns()) for seed in range(5)} == sums


def test_sizes() -> None:
    game = load("eight_and_a_half(players=4)")
    assert (game.num_distinct_actions(), game.max_chance_outcomes()) == (75, 12)
    assert (game.max_game_length(), game.max_chance_nodes_in_history()) == (1000, 72)
    short = load("eight_and_a_half(players=2,max_plies=2)")
    assert (short.max_game_length(), short.max_chance_nodes_in_history()) == (2, 12 + 2 * 3)
    exchange = load("eight_and_a_half(exchange_winner=0,exchange_loser=1)")
    assert exchange.num_distinct_actions() == 220
    match = load("eight_and_a_half_match(max_plies=100)")
    assert (match.max_game_length(), match.max_chance_nodes_in_history()) == (600, 6 * 72)
    assert match.num_distinct_actions() == 220
    assert load("eight_and_a_half_match(exchange=0)").num_distinct_actions() == 75


@pytest.mark.parametrize(
    "text", ["max_plies=3,hand_size=1", f"{SIX_CARDS[1]},max_plies=9".replace("max_plies=20,", "")]
)
def test_as_many_moves_as_told(text: str) -> None:
    """There are rounds with so many decisions, and rounds with so many cards."""
    game = load(f"eight_and_a_half({text})")
    lengths = [
        Counter(player >= 0 for player, _ in moves(play_on(game.new_initial_state(), Random(seed))))
        for seed in range(400)
    ]
    assert max(length[True] for length in lengths) == game.max_game_length()
    assert max(length[False] for length in lengths) == game.max_chance_nodes_in_history()


def test_text_of_a_game() -> None:
    text = "eight_and_a_half(deck=1_1_0_1_0_1_0_0_0_0_1_1,hand_size=1,open_size=1,blind_size=0,players=2)"
    game = load(text)
    dotted = pyspiel.load_game(
        "eight_and_a_half", {"deck": "1.1.0.1.0.1.0.0.0.0.1.1", "hand_size": 1, "open_size": 1, "blind_size": 0}
    )
    assert str(dotted) == str(game) == str(load(str(game)))
    assert str(load("eight_and_a_half(open_sets=-1,rules=standard)")) == "eight_and_a_half(players=2)"


def test_types_of_instances_are_their_own() -> None:
    three, five = load("eight_and_a_half(players=3)"), load("eight_and_a_half(players=5)")
    assert (three.num_players(), five.num_players()) == (3, 5)


# --- loading in a fresh process --------------------------------------------------------------------------------------


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_one_import_registers() -> None:
    loads = "import pyspiel; print(pyspiel.load_game('eight_and_a_half'), pyspiel.load_game('eight_and_a_half_match'))"
    assert run(f"import eights.spiel; {loads}").stdout == (
        "eight_and_a_half(players=2) eight_and_a_half_match(players=2)\n"
    )
    assert "Unknown game" in run(f"import eights; {loads}").stderr


def test_registering_twice_changes_nothing() -> None:
    importlib.reload(eights.spiel)
    assert str(load("eight_and_a_half(players=3)")) == "eight_and_a_half(players=3)"


def test_what_is_registered_is_the_type_of_the_defaults() -> None:
    registered = {kind.short_name: kind for kind in pyspiel.registered_games()}
    for name in ("eight_and_a_half", "eight_and_a_half_match"):
        assert registered[name] == load(name).get_type()


def test_pickles_find_the_games() -> None:
    state = play_on(load("eight_and_a_half(players=3)").new_initial_state(), Random(1), 40)
    text = base64.b64encode(pickle.dumps((state.get_game(), state))).decode()
    code = f"import pickle, base64; game, state = pickle.loads(base64.b64decode('{text}')); print(game, state)"
    assert run(code).stdout == f"{state.get_game()} {state}\n"


# --- copies ----------------------------------------------------------------------------------------------------------


def moves(state: Any) -> list[tuple[int, int]]:
    """Who has done what."""
    return [(move.player, move.action) for move in state.full_history()]


def same(one: Any, other: Any) -> None:
    assert str(one) == str(other)
    assert moves(one) == moves(other)
    assert one.current_player() == other.current_player()
    for player in range(one.num_players()):
        assert one.information_state_string(player) == other.information_state_string(player)


@pytest.mark.parametrize("text", [f"eight_and_a_half({SIX_CARDS[0]})", f"eight_and_a_half_match({SIX_CARDS[1]})"])
def test_copies(text: str) -> None:
    game = load(text)
    for state in states(game, 3)[::5]:
        same(state, state.clone())
        same(state, pickle.loads(pickle.dumps(state)))
        same(state, game.deserialize_state(state.serialize()))
        written = pyspiel.serialize_game_and_state(game, state)
        for read, again in (pyspiel.deserialize_game_and_state(written), deserialize_game_and_state(written)):
            assert str(read) == str(game)
            same(state, again)
        for struct in (state.to_dict(), state.to_json(), state.to_struct()):
            same(state, game.new_initial_state(struct))


def test_a_clone_is_independent() -> None:
    state = play_on(load("eight_and_a_half(players=3)").new_initial_state(), Random(1), 40)
    before, clone = str(state), state.clone()
    play_on(clone, Random(2))
    assert (str(state), clone.is_terminal()) == (before, True)


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("colour=1", "Unknown parameter 'colour'"),
        ("players=two", "Wrong type for parameter players"),
        ("players=7", "players is 7, but must be a whole number from 2 to 6."),
        ("rules=german", "'german' is not a preset of the rules"),
        ("open_sets=2", "open_sets is 2, but must be 0, 1, or -1"),
        ("hand_size=4", "hand_size is 4"),
        ("hand_size=-2", "hand_size is -2"),
        ("scoring=best", "scoring"),
        ("utility=money", "The utility is one of points, zero_sum, win, not 'money'."),
        ("deck=1_2", "deck is '1_2', but must have one count for each of the 12 ranks."),
        ("deck=1_1_1_1_1_1_1_1_1_1_1_x", "A count of the deck"),
        ("deck=9_1_1_1_1_1_1_1_1_1_1_1", "deck has 9 cards of rank 0"),
        ("deck=1_1_1_1_1_0_0_0_0_0_0_0", "The deck has 5 cards"),
        ("exchange_winner=0", "An exchange is between two seats"),
        ("exchange_winner=0,exchange_loser=2", "An exchange is between two seats"),
        ("rules=amigo,exchange_winner=0,exchange_loser=1", "have no exchange"),
    ],
)
def test_no_such_game(text: str, fault: str) -> None:
    with pytest.raises(pyspiel.SpielError) as error:
        pyspiel.load_game(f"eight_and_a_half({text})")
    assert fault in str(error.value)
    assert load("eight_and_a_half").num_players() == 2


@pytest.mark.parametrize(
    "parameters",
    [{"colour": 1}, {"players": "2"}, {"players": True}, {"deck": 5}, {"exchange_winner": 1 << 31}],
)
def test_no_such_game_without_loading(parameters: dict[str, Any]) -> None:
    with pytest.raises(pyspiel.SpielError, match=r"^(There is no|The) parameter .*\.$"):
        RoundGame(parameters)


def test_a_match_may_have_more_moves_than_can_be_counted() -> None:
    with pytest.raises(pyspiel.SpielError, match="more moves than OpenSpiel can count"):
        load("eight_and_a_half_match(rules=shafir,max_plies=100000)")


def test_illegal_actions_change_nothing() -> None:
    state = load("eight_and_a_half").new_initial_state()
    for moves, action in ((0, 12), (0, -5), (40, 219), (1000, 0)):
        play_on(state, Random(4), moves)
        before = str(state), state.history()
        with pytest.raises(pyspiel.SpielError, match=r"\.$"):
            state.apply_action(action)
        assert (str(state), state.history()) == before
    with pytest.raises(pyspiel.SpielError, match="There is no action 999"):
        state.action_to_string(0, 999)


def damaged(written: str) -> Iterator[str]:
    """Texts that are none of a game and a state."""
    lines = written.splitlines()
    yield ""
    yield "[Game]"
    yield written.replace("history=-1:", "history=-1:9")
    yield written.replace("history=-1:", "history=1:")
    yield written.replace("history=", "story=")
    yield written.replace("history=", "history=-1:1,,")
    yield written.replace("eight_and_a_half", "kuhn_poker").replace("(players=2)", "")
    yield written.replace("players=2", "players=9")
    yield written.replace("eight_and_a_half(players=2)", "eight_and_a_half(" + "rules=a(" * 100_000 + ")" * 100_001)
    yield "\n".join(lines[: lines.index("[State]")])
    yield "\n".join(lines[: lines.index("[State]") + 1])


def test_damaged_states() -> None:
    game = load("eight_and_a_half(players=2)")
    written = pyspiel.serialize_game_and_state(game, play_on(game.new_initial_state(), Random(1), 30))
    deserialize_game_and_state(written)
    for text in damaged(written):
        with pytest.raises(pyspiel.SpielError):
            deserialize_game_and_state(text)


def test_a_text_loads_no_game_of_others(tmp_path: Path) -> None:
    """Some of them read files, and tell in their errors what is there."""
    secret = tmp_path / "secret.txt"
    secret.write_text("the queen is in the cellar")
    game = load("eight_and_a_half(players=2)")
    written = pyspiel.serialize_game_and_state(game, game.new_initial_state())
    with pytest.raises(pyspiel.SpielError, match=r"^The text is of another game\.$"):
        deserialize_game_and_state(written.replace(str(game), f"efg_game(filename={secret})"))


def test_what_is_unpickled_is_checked() -> None:
    """OpenSpiel's own function reads a text that says one thing in its history and another in what is pickled."""
    game = load("eight_and_a_half(players=2)")
    one, other = (
        pyspiel.serialize_game_and_state(game, play_on(game.new_initial_state(), Random(seed), 30)) for seed in (1, 2)
    )
    head, tail = one.split("__dict__=")[0], other.split("__dict__=")[1]
    for wrong in (tail, *(base64.b64encode(pickle.dumps(state)).decode() for state in ({"course": 5}, {"mood": 1}))):
        with pytest.raises(pyspiel.SpielError, match="is none of this game, or its history is of another"):
            pyspiel.deserialize_game_and_state(f"{head}__dict__={wrong}")


@pytest.mark.parametrize(
    "other",
    ["eight_and_a_half(open_sets=1)", "eight_and_a_half(exchange_winner=0,exchange_loser=1)", "eight_and_a_half_match"],
)
def test_what_is_unpickled_is_of_the_same_game(other: str) -> None:
    """Though the history is one of this game too."""
    texts = []
    for game in map(load, ("eight_and_a_half", other)):
        state = game.new_initial_state()
        for rank in (1, 2, 3, 4):
            state.apply_action(rank)
        texts.append(pyspiel.serialize_game_and_state(game, state).split("__dict__="))
    (head, _), (_, tail) = texts
    with pytest.raises(pyspiel.SpielError, match="is none of this game, or its history is of another"):
        pyspiel.deserialize_game_and_state(f"{head}__dict__={tail}")


def test_nothing_is_unpickled() -> None:
    """What OpenSpiel has pickled is not looked at by our function."""
    game = load("eight_and_a_half(players=2)")
    state = play_on(game.new_initial_state(), Random(1), 30)
    head, _ = pyspiel.serialize_game_and_state(game, state).split("__dict__=")
    hostile = base64.b64encode(b"cbuiltins\nexit\n(I3\ntR.").decode()
    same(deserialize_game_and_state(f"{head}__dict__={hostile}\n")[1], state)


@pytest.mark.parametrize(
    "struct",
    [
        {},
        {"history": "abc"},
        {"history": [1.5]},
        {"history": [True]},
        {"history": [1 << 80]},
        5,
        [0],
        b"{}",
        {"history": [0, 0, 0, 0, 0, 0, 0]},
        {"history": [0], "plies": 3},
        {"history": [0], "mood": "bold"},
        "not JSON",
        "[" * 100_000,
        "[]",
    ],
)
def test_structs_of_no_state(struct: Any) -> None:
    game = load(f"eight_and_a_half({SIX_CARDS[0]})")
    with pytest.raises(pyspiel.SpielError, match=r"\.$"):
        game.new_initial_state(struct)


def test_actions_as_structs() -> None:
    for state in states(load("eight_and_a_half"), 1)[:60:7]:
        for action in state.legal_actions():
            struct = state.action_to_struct(action)
            assert state.struct_to_actions(struct) == [action]
        assert state.action_to_struct(0, 14).to_dict() == {"action": "3"}
        assert state.action_to_struct(-1, 3).to_dict() == {"card": "3"}

"""Players as text."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from eights import Deal, EnginePlayer, GreedyPlayer, RandomPlayer, Rules, State
from eights.models import WeightsError
from eights.specs import KINDS, LONGEST, SHORTEST, PlayerSpec, duration_text, parse_duration
from eights_core.belief import RandomPlayouts
from eights_core.ismcts import VERSION
from hypothesis import given
from hypothesis import strategies as st

NOT_ONE = "is not one of time=2ms, iterations=500, threads=2, weights=FILE."
TIMES = st.floats(SHORTEST, LONGEST)
ITERATIONS = st.integers(1, 2**32 - 1)
SPECS = st.builds(PlayerSpec, st.sampled_from(("random", "greedy"))) | st.builds(
    PlayerSpec, st.sampled_from(("plain", "engine")), st.none() | TIMES, st.none() | ITERATIONS
)


@given(SPECS)
def test_the_text_of_a_player_is_read_as_the_same_player(spec: PlayerSpec) -> None:
    assert PlayerSpec.parse(str(spec)) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec


@given(TIMES)
def test_durations_are_read_and_written_exactly(seconds: float) -> None:
    assert parse_duration(duration_text(seconds)) == seconds


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("random", "random"),
        ("plain", "plain"),
        ("engine:time=2ms", "engine:time=2ms"),
        ("engine:time=0.002s", "engine:time=2ms"),
        ("engine:time=1.5s", "engine:time=1.5s"),
        ("engine:time=1000ms", "engine:time=1s"),
        ("plain:time=2m", "plain:time=120s"),
        ("engine:threads=2,time=3ms", "engine:time=3ms,threads=2"),
        ("plain:iterations=500,time=2.50ms", "plain:time=2.5ms,iterations=500"),
    ],
)
def test_canonical_texts(text: str, canonical: str) -> None:
    assert str(PlayerSpec.parse(text)) == canonical


NO_PLAYER = "is no player: they are random, greedy, plain, engine, level:NAME, cmd:COMMAND, spiel:BOT."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"'' {NO_PLAYER}"),
        ("Random", f"'Random' {NO_PLAYER}"),
        ("x" * 99, f"'{'x' * 40}'… {NO_PLAYER}"),
        ("casual", "casual is a level: as a player it is written level:casual."),
        ("greedy:", f"'greedy:': '' {NOT_ONE}"),
        ("greedy:time=2ms", "The player greedy does not search: it has no time to set."),
        ("random:iterations=5", "The player random does not search: it has no iterations to set."),
        ("engine:depth=3", f"'engine:depth=3': 'depth=3' {NOT_ONE}"),
        ("engine:time=2ms,", f"'engine:time=2ms,': '' {NOT_ONE}"),
        ("engine:time=2ms,time=3ms", "'engine:time=2ms,time=3ms': time is set twice."),
        ("engine:time=2", "'2' is not a number with its unit: 200ms, 1.5s, 2m."),
        ("engine:time=-2ms", "'-2ms' is not a number with its unit: 200ms, 1.5s, 2m."),
        ("engine:time=٢ms", "'٢ms' is not a number with its unit: 200ms, 1.5s, 2m."),
        ("engine:time=0ms", "The time of a player is from 0.001ms to 24 hours, not 0 seconds."),
        ("engine:time=1441m", "The time of a player is from 0.001ms to 24 hours, not 86460 seconds."),
        ("engine:iterations=0", "The iterations '0' are not a whole number above 0."),
        ("engine:iterations=1e3", "The iterations '1e3' are not a whole number above 0."),
        ("engine:threads=0", "The threads '0' are not a whole number above 0."),
        ("engine:threads=257", "The threads of a player are from 1 to 256, not 257."),
        ("plain:threads=2", "Threads are for the players engine and cmd only."),
        ("engine:iterations=4294967296", "The iterations of a player are from 1 to 4294967295, not 4294967296."),
    ],
)
def test_what_is_no_player_is_refused_with_a_sentence(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        PlayerSpec.parse(text)
    assert str(caught.value) == message


def test_values_are_checked_too() -> None:
    for kind, time, iterations in (("stockfish", None, None), ("greedy", 1.0, None), ("engine", None, 0)):
        with pytest.raises(ValueError, match="player"):
            PlayerSpec(kind, time, iterations)


@pytest.mark.parametrize("kind", KINDS)
def test_a_player_is_made_anew_and_depends_on_its_seed_alone(kind: str) -> None:
    spec = PlayerSpec(kind, iterations=30 if kind in ("plain", "engine") else None)
    rules = Rules.standard(players=2)
    state = State(rules)
    Deal(rules, 3).complete(state)
    position = state.observation(state.mover)
    choices = [[player.choose(position) for _ in range(5)] for player in (spec.make(7), spec.make(7))]
    assert choices[0] == choices[1]
    assert spec.make(7) is not spec.make(7)


def test_kinds_and_limits_of_the_players() -> None:
    assert isinstance(PlayerSpec("random").make(1), RandomPlayer)
    assert isinstance(PlayerSpec("greedy").make(1), GreedyPlayer)
    for kind in ("plain", "engine"):
        player = PlayerSpec(kind, 0.002, 50).make(1)
        assert isinstance(player, EnginePlayer)
        assert (player.time, player.iterations) == (0.002, 50)
        assert isinstance(player.evaluator, RandomPlayouts) == (kind == "plain")


def test_the_plain_search_is_what_it_always_was() -> None:
    player = PlayerSpec("plain", iterations=1).make(1)
    assert isinstance(player, EnginePlayer)
    assert isinstance(player.evaluator, RandomPlayouts)
    assert player.evaluator.exploration == 0.5


def test_weights_are_for_the_engine_and_make_it_another(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="it has no weights to set"):
        PlayerSpec.parse("greedy:weights=a.weights")
    with pytest.raises(ValueError, match="for the player engine only"):
        PlayerSpec.parse("plain:weights=a.weights")
    path = tmp_path / "other.weights"
    path.write_bytes(b"not weights")
    spec = PlayerSpec.parse(f"engine:iterations=10,weights={path}")
    assert PlayerSpec.parse(str(spec)) == spec
    assert spec.identity(Rules.standard(2)) != PlayerSpec.parse("engine:iterations=10").identity(Rules.standard(2))
    with pytest.raises(WeightsError, match="does not begin with"):
        spec.make(1)


def test_the_identity_is_that_of_the_weights_and_not_of_their_path(tmp_path: Path) -> None:
    rules = Rules.standard(2)
    one, same, other = (tmp_path / name for name in ("one", "same", "other"))
    for path, content in ((one, b"1"), (same, b"1"), (other, b"2")):
        path.write_bytes(content)
    first, second, third = (PlayerSpec("engine", weights=str(path)).identity(rules) for path in (one, same, other))
    assert first == second != third
    assert first == f"engine 6b86b273ff34fce1 {VERSION}"


@pytest.mark.parametrize("path", ["", "a,b", "a\0b", "a\x1b[31m", "a\udcff"])
def test_paths_that_no_text_can_hold_are_refused(path: str) -> None:
    with pytest.raises(ValueError, match="Weights are a file whose path can be printed and has no comma, not '"):
        PlayerSpec("engine", weights=path)


@pytest.mark.parametrize("kind", ["cmd", "spiel"])
@pytest.mark.parametrize("source", ["a\x1b[31m", "a\tb", "a\udcff", "a\u2028b"])
def test_sources_that_would_spoil_a_table_or_a_log_are_refused(kind: str, source: str) -> None:
    with pytest.raises(ValueError, match=f"After {kind}: comes a (command|bot) that can be printed, not 'a"):
        PlayerSpec.parse(f"{kind}:{source}")

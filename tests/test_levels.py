"""Levels: weaker by less search and a softer choice, and never by throwing a won game."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import eights
import pytest
from eights.levels import LEVELS, Level, LevelPlayer, parse_level
from rounds import LITTLE

CHOICE = eights.parse_position(
    "standard 2 - 0:???:68G:3:-/3:???:5HH:3:6888HG/3:145:444:3:002577789HHHG/1:???:2HH:3:013333459G 28"
)


def choices(level: Level, seed: int, count: int, position: eights.Position = CHOICE) -> list[int]:
    player = level.make(seed)
    return [player.choose(position) for _ in range(count)]


def test_they_go_from_beginner_to_master() -> None:
    assert (LEVELS[0].name, LEVELS[-1].name) == ("beginner", "master")
    for lower, higher in pairwise(LEVELS):
        assert lower.iterations < higher.iterations
        assert lower.temperature > higher.temperature


def test_a_level_has_a_name() -> None:
    assert [parse_level(level.name) for level in LEVELS] == list(LEVELS)
    with pytest.raises(ValueError, match=r"^'grandmaster' is no level: they are beginner, .*, master\.$"):
        parse_level("grandmaster")


def test_the_same_seed_gives_the_same_choices() -> None:
    level = parse_level("casual")
    assert choices(level, 3, 20) == choices(level, 3, 20) != choices(level, 4, 20)


def test_without_temperature_the_best_move_is_played() -> None:
    player = LevelPlayer(Level("cold", 100, 0.0), seed=1)
    for _ in range(10):
        action = player.choose(CHOICE)
        assert player.analysis is not None
        assert action == player.analysis.best


def test_moves_are_played_as_often_as_their_visits_and_the_temperature_say() -> None:
    player = LevelPlayer(Level("warm", 40, 2.0), seed=1)
    played, expected = Counter[int](), dict.fromkeys(CHOICE.legal_actions(), 0.0)
    rounds = 1500
    for _ in range(rounds):
        played[player.choose(CHOICE)] += 1
        assert player.analysis is not None
        roots = {move.action: move.visits**0.5 for move in player.analysis.moves}
        for action, root in roots.items():
            expected[action] += root / sum(roots.values())
    for action, count in expected.items():
        assert abs(played[action] - count) < 4 * (rounds * 0.25) ** 0.5


def test_a_higher_temperature_plays_the_best_move_less_often() -> None:
    def best(temperature: float) -> int:
        player = LevelPlayer(Level("x", 40, temperature), seed=1)
        found = 0
        for _ in range(300):
            action = player.choose(CHOICE)
            found += player.analysis is not None and action == player.analysis.best
        return found

    assert best(0.2) > best(1.0) + 20 > best(5.0) + 40


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_won_game_is_not_thrown(level: Level) -> None:
    """Seat 0 goes out with both nines; with one of them it loses the race."""
    rules = "standard+deck=0.1.0.1.0.0.0.0.0.2.0.2+hand_size=1+open_size=2+blind_size=0+open_sets=1"
    position = eights.parse_position(f"{rules} 0 1,3 0:-:99:0:-*/0:-:GG:0:- 2")
    both = eights.parse_action("9x2")
    assert both in position.legal_actions()
    assert len(position.legal_actions()) == 2
    count = 30 if level.iterations < 1000 else 3
    assert choices(level, 1, count, position) == [both] * count


def test_a_level_plays_a_whole_round_by_what_it_is_told() -> None:
    rules = eights.Rules.parse(LITTLE, 3)
    record = eights.Record(rules)
    eights.play_round(record, eights.Deal(rules, 5), [level.make(seed) for seed, level in enumerate(LEVELS[:3])])
    assert record.is_over

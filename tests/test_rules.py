"""Rule sets: presets, options, their text, and what cannot be played (rules §2, §8; the notation of rules)."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from eights.errors import RulesError
from eights.rules import OPTIONS, PRESETS, Rules
from hypothesis import given
from strategies import rule_sets


@given(rule_sets())
def test_text_and_back(rules: Rules) -> None:
    assert Rules.parse(rules.text(), rules.players) == rules


@given(rule_sets())
def test_text_uses_the_preset_with_the_fewest_differences(rules: Rules) -> None:
    assert rules.text().count("+") == min(
        sum(getattr(rules, name) != getattr(Rules(**preset), name) for name in OPTIONS) for preset in PRESETS.values()
    )


def test_s8_presets() -> None:
    standard, amigo, shafir = Rules.standard(3), Rules.amigo(3), Rules.shafir(3)
    assert standard == Rules(players=3)
    assert (standard.scoring, standard.sealed_eight_and_a_half, standard.exchange) == ("standard", False, True)
    assert (amigo.scoring, amigo.sealed_eight_and_a_half, amigo.exchange) == ("standard", False, False)
    assert (shafir.scoring, shafir.sealed_eight_and_a_half, shafir.exchange) == ("shafir", True, False)
    assert [(r.match_rounds, r.match_target) for r in (standard, amigo, shafir)] == [(6, 0), (6, 0), (0, 7)]
    assert standard.max_plies == 1000
    assert [rules.text() for rules in (standard, amigo, shafir)] == ["standard", "amigo", "shafir"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("amigo+exchange=1", "standard"),
        ("standard+exchange=0", "amigo"),
        ("standard+open_sets=0", "standard"),
        ("standard+max_plies=70+fewest_tie=split", "standard+fewest_tie=split+max_plies=70"),
        ("shafir+scoring=standard", "shafir+scoring=standard"),
        ("shafir+scoring=standard+match_target=0+match_rounds=6", "amigo+sealed_eight_and_a_half=1"),
        ("standard+deck=6.4.4.6.6.6.6.6.6.6.8.8", "standard"),
        ("amigo+sealed_eight_and_a_half=1+match_rounds=0+match_target=7", "shafir+scoring=standard"),
        ("shafir+match_rounds=6", "shafir+match_rounds=6"),
    ],
)
def test_any_text_is_made_canonical(text: str, canonical: str) -> None:
    assert Rules.parse(text, players=4).text() == canonical


def test_equally_near_presets_are_taken_in_order() -> None:
    three_from_shafir_too = Rules.standard(sealed_eight_and_a_half=True, scoring="shafir", match_rounds=3)
    assert three_from_shafir_too.text() == "standard+sealed_eight_and_a_half=1+scoring=shafir+match_rounds=3"
    two_from_shafir_too = Rules.amigo(sealed_eight_and_a_half=True, match_target=7)
    assert two_from_shafir_too.text() == "amigo+sealed_eight_and_a_half=1+match_target=7"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"players": 1}, ["players is 1", "from 2 to 6"]),
        ({"players": 7}, ["players is 7"]),
        ({"players": True}, ["players is True"]),
        ({"hand_size": 0}, ["hand_size is 0", "from 1 to 3"]),
        ({"open_size": 4}, ["open_size is 4"]),
        ({"blind_size": -1}, ["blind_size is -1", "from 0 to 3"]),
        ({"max_plies": 0}, ["max_plies is 0"]),
        ({"max_plies": 10**30}, ["max_plies is 1000"]),
        ({"max_plies": 1e3}, ["max_plies is 1000.0"]),
        ({"match_rounds": -1}, ["match_rounds is -1"]),
        ({"match_rounds": 0}, ["both 0"]),
        ({"scoring": "amigo"}, ["scoring is 'amigo'", "standard, shafir"]),
        ({"fewest_tie": 1}, ["fewest_tie is 1", "all, split, none"]),
        ({"open_sets": 1}, ["open_sets is 1", "true or false"]),
        ({"deck": (6, 4)}, ["deck has 2 counts"]),
        ({"deck": (7, *(4,) * 11)}, ["7 cards of rank 0", "0 to 6"]),
        ({"deck": (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, -1)}, ["-1 cards of rank G"]),
        ({"deck": (3,) * 11 + (2,)}, ["35 cards", "4 players", "need 36"]),
    ],
)
def test_games_that_cannot_be(options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**options)
    assert len(caught.value.faults) == 1
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_all_faults_are_named() -> None:
    with pytest.raises(RulesError) as caught:
        Rules.parse("standart+x=1+open_sets=2+open_sets=1+deck=1.2+hand_size=9+exchange+max_plies=", players=9)
    for words in (
        "'standart' is not a preset",
        "'x=1'",
        "open_sets='2'",
        "open_sets twice",
        "deck has 2 counts",
        "hand_size is 9",
        "'exchange'",
        "max_plies is ''",
        "players is 9",
    ):
        assert any(words in fault for fault in caught.value.faults), words
    assert len(caught.value.faults) == 9


@pytest.mark.parametrize(
    "text",
    ["", "+", "standard+", "Standard", "standard+max_plies=01", "standard+max_plies=٣", "standard+max_plies=9" * 9,
     "standard+deck=6.4.4.6.6.6.6.6.6.6.8.8.", "standard+players=3", "standard+max_plies=" + "9" * 400, "a" * 10**6],
)  # fmt: skip
def test_text_that_is_no_rule_set(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.parse(text, players=4)
    assert len(str(caught.value)) < 1000


def test_s2_the_deck_is_dealt_out_from_seat_0() -> None:
    assert Rules(players=5).deal_sizes == (15, 15, 14, 14, 14)
    assert Rules(players=5).bank_sizes == (6, 6, 5, 5, 5)
    assert Rules(players=6).bank_sizes == (3,) * 6


def test_s8_an_empty_bank_is_no_error() -> None:
    rules = Rules(players=2, deck=(2,) * 9 + (0,) * 3)
    assert rules.bank_sizes == (0, 0)


def test_a_list_will_do_for_the_deck() -> None:
    rules = Rules(deck=[5, *(4,) * 11])  # type: ignore[arg-type]
    assert rules == Rules(deck=(5, *(4,) * 11))
    assert hash(rules) == hash(Rules(deck=(5, *(4,) * 11)))


def test_rules_are_frozen_and_copied() -> None:
    rules = Rules.shafir(players=3, open_sets=True)
    with pytest.raises(AttributeError):
        rules.players = 4  # type: ignore[misc]
    assert rules.ruleset is rules.ruleset
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert repr(rules) == "Rules.parse('shafir+open_sets=1', players=3)"


def test_an_option_that_does_not_exist() -> None:
    with pytest.raises(TypeError, match="opensets"):
        Rules.standard(opensets=True)

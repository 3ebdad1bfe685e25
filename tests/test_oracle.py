"""The oracle agrees with every committed transcript, so that what is held against it is held against the rules."""

from __future__ import annotations

from fractions import Fraction

import pytest
from oracle import CHANCE, TERMINAL, Round, action_of, action_text, cards_of, parse_rules
from transcripts import Transcript, load


@pytest.mark.parametrize("transcript", load(), ids=lambda transcript: transcript.name)
def test_walks_every_transcript(transcript: Transcript) -> None:
    record = transcript.round
    rules = parse_rules(record["rules"], record["players"])
    game = Round(rules, record["exchange"])
    for number, step in enumerate(record["steps"]):
        where = f"step {number}: {step}"
        if "chance" in step:
            assert game.mover == CHANCE, where
            assert game.chance_place() == (step["seat"], step["zone"]), where
            assert game.pool == step["pool"], where
            game.apply(step["chance"])
        else:
            assert game.mover == step["seat"], where
            assert game.legal_actions() == step["legal"], where
            assert game.position(game.mover) == step["position"], where
            assert (game.value, game.felon) == (Fraction(step["value"]), step["felon"]), where
            assert action_text(step["act"]) == step["text"], where
            game.apply(step["act"])
        assert game.cards() == sum(rules.deck), where
    assert game.mover == TERMINAL
    assert game.points() == [Fraction(share) for share in record["points"]]
    assert game.counts() == record["counts"]
    assert (game.winner, game.big_loser, game.plies) == (record["winner"], record["big_loser"], record["plies"])
    assert record["end"] == ("max_plies" if game.winner is None else "win")


def test_transcripts_are_there() -> None:
    files = {transcript.name.split(":")[0] for transcript in load()}
    assert {"directed", "shafir-3p", "standard-2p-exchange"} <= files
    assert len(files) >= 12


def test_every_play_has_its_own_id() -> None:
    assert [action_of(cards_of(action)) for action in range(73)] == list(range(73))
    assert len({action_text(action) for action in range(220)}) == 220


def test_copies_are_independent() -> None:
    game = Round(parse_rules("standard", 3))
    twin = game.copy()
    game.apply(5)
    assert twin.pool[5] == 6
    assert twin.seats[0].open == []
    assert len(twin.draws) == len(game.draws) + 1

"""Action ids and their text (rules §9)."""

from __future__ import annotations

import pytest
from eights.actions import (
    BLIND,
    COPIES,
    EIGHT_HALF,
    FIRST,
    KEEP,
    NUM_ACTIONS,
    SWAP,
    TAKE,
    action_text,
    parse_action,
    parse_rank,
    play_action,
    played_ranks,
    rank_char,
    split_play,
    split_swap,
    swap_action,
)


def test_s9_numbers() -> None:
    assert FIRST == (0, 6, 10, 14, 20, 26, 32, 38, 44, 50, 56, 64)
    assert (EIGHT_HALF, BLIND, TAKE, KEEP, SWAP, NUM_ACTIONS) == (72, 73, 74, 75, 76, 220)


def test_s9_text_and_back_for_every_id() -> None:
    texts = [action_text(action) for action in range(NUM_ACTIONS)]
    assert len(set(texts)) == NUM_ACTIONS
    assert [parse_action(text) for text in texts] == list(range(NUM_ACTIONS))


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (0, "0"),
        (5, "0x6"),
        (14, "3"),
        (15, "3x2"),
        (58, "Hx3"),
        (71, "Gx8"),
        (72, "8H"),
        (73, "blind"),
        (74, "take"),
        (75, "keep"),
        (76 + 12 * 3 + 9, "swap 3 9"),
        (219, "swap G G"),
    ],
)
def test_s9_examples(action: int, text: str) -> None:
    assert action_text(action) == text
    assert parse_action(text) == action


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3x1", "one card is written '3'"),
        ("1x5", "only 4 cards of rank 1"),
        ("9x10", "only 6 cards of rank 9"),
        ("", "not an action"),
        ("h", "not an action"),
        ("H8", "not an action"),
        ("8Hx2", "not an action"),
        ("3x02", "not an action"),
        ("3 ", "not an action"),
        ("Take", "not an action"),
        ("swap 3  9", "not an action"),
        ("swap 3", "not an action"),
        ("²", "not an action"),
        ("3x2" * 1000, "not an action"),
    ],
)
def test_only_canonical_text_is_read(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        parse_action(text)
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("action", [-1, NUM_ACTIONS, 10**20])
def test_ids_that_do_not_exist(action: int) -> None:
    with pytest.raises(ValueError, match="There is no action"):
        action_text(action)


def test_plays_are_made_and_split() -> None:
    for rank, most in enumerate(COPIES):
        for copies in range(1, most + 1):
            action = play_action(rank, copies)
            assert split_play(action) == (rank, copies)
            assert played_ranks(action) == (rank,) * copies
    assert played_ranks(EIGHT_HALF) == (8, 10)


@pytest.mark.parametrize(("rank", "copies"), [(1, 5), (0, 0), (12, 1), (-1, 1)])
def test_plays_that_do_not_exist(rank: int, copies: int) -> None:
    with pytest.raises(ValueError, match="There"):
        play_action(rank, copies)


@pytest.mark.parametrize("action", [-1, EIGHT_HALF, TAKE, SWAP])
def test_only_plays_of_one_rank_are_split(action: int) -> None:
    with pytest.raises(ValueError, match="not a play"):
        split_play(action)


def test_swaps_are_made_and_split() -> None:
    assert swap_action(3, 9) == parse_action("swap 3 9")
    assert all(split_swap(swap_action(own, other)) == (own, other) for own in range(12) for other in range(12))
    with pytest.raises(ValueError, match="not a swap"):
        split_swap(KEEP)
    with pytest.raises(ValueError, match="no rank 12"):
        swap_action(0, 12)


def test_rank_chars() -> None:
    assert "".join(map(rank_char, range(12))) == "0123456789HG"
    assert [parse_rank(char) for char in "0123456789HG"] == list(range(12))
    for text in ("", "h", "10", "?", "٣"):
        with pytest.raises(ValueError, match="not a rank"):
            parse_rank(text)

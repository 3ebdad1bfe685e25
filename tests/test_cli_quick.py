"""The quick form: positions from what a player at a table says."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any

import eights
import pytest
from eights_cli.quick import Table
from hypothesis import assume, given
from hypothesis import strategies as st

CARDS = [eights.rank_char(rank) for rank, copies in enumerate(eights.Rules().deck) for _ in range(copies)]
PILES = ["-", "1", "5", "9", "G", "H", "8H", "1,8,9", "3x2,5", "0,H", "?,8", "?,?,?,9", "1,2,3,4,6,7,8,9"]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            {"players": 4, "hand": "024", "pile": "9"},
            "standard 0 9 8:024:???:3:-/8:???:???:3:?/8:???:???:3:??/7:???:???:3:? 6",
        ),
        (
            {"players": 2, "hand": "024", "pile": "9", "rules": "shafir+open_sets=1"},
            "shafir+open_sets=1 0 9 26:024:???:3:-/25:???:???:3:?? 4",
        ),
        (  # the first opens are the asker's, wherever he sits
            {"players": 3, "hand": "8H", "pile": "1,2", "seat": 2, "opens": ["136", "05G"]},
            "standard 2 1,2 0:?:05G:3:" + "?" * 24 + "/0:?:???:3:" + "?" * 24 + "/0:8H:136:3:- 51",
        ),
        (
            {"players": 4, "hand": "124", "opening": True},
            "standard 0o - 9:124:???:3:-/9:???:???:3:-/9:???:???:3:-/9:???:???:3:- 0",
        ),
        (  # a Bank that is said: the others have come as far
            {"players": 4, "hand": "567", "pile": "-", "banks": [5], "asides": [6]},
            "standard 0 - 5:567:???:3:??????/5:???:???:3:???/5:???:???:3:???/5:???:???:3:???? 17",
        ),
        (  # more cards aside than one each
            {"players": 2, "hand": "567", "pile": "-", "asides": [3]},
            "standard 0 - 25:567:???:3:???/25:???:???:3:? 5",
        ),
    ],
)
def test_examples(said: dict[str, Any], text: str) -> None:
    assert Table(**said).text() == text
    assert eights.parse_position(text).is_analysable


def test_an_asker_with_no_card_or_more_than_are_dealt_plays_from_the_table() -> None:
    for hand in ("", "0234"):
        me = eights.parse_position(Table(players=3, hand=hand, opens=["136"]).text()).seats[0]
        assert (me.bank, me.at_table) == (0, True)


def test_a_seat_that_has_lost_open_cards_has_played_its_hand() -> None:
    table = Table(players=3, hand="8", pile="7", opens=["136", "59", ""], blinds=[3, 3, 2])
    seats = eights.parse_position(table.text()).seats
    assert [seat.at_table for seat in seats] == [False, True, True]
    assert [seat.sizes[:4] for seat in seats] == [(0, 1, 3, 3), (0, 0, 2, 3), (0, 0, 0, 2)]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    cards = iter(draw(st.permutations(CARDS)))
    players = draw(st.integers(2, 6))
    hand = draw(st.integers(0, 6))
    opening = hand == 3 and draw(st.booleans())  # by seat 0, who may always turn out to be the opener
    return Table(
        players=players,
        hand="".join(islice(cards, hand)),
        pile="-" if opening else draw(st.sampled_from(PILES)),
        seat=0 if opening else draw(st.integers(0, players - 1)),
        opening=opening,
        opens=["".join(islice(cards, 3)) for _ in range(draw(st.integers(0 if hand else 1, players)))],
        asides=[] if opening else draw(st.lists(st.integers(0, 3), max_size=1)),
    )


@given(tables())
def test_what_is_said_at_a_table_makes_a_position(table: Table) -> None:
    on_pile = [rank for play in table.pile.replace("8H", "8,H").replace("3x2", "3,3").split(",") for rank in play]
    assume(not Counter(table.hand + "".join(table.opens)) + Counter(on_pile) - Counter([*CARDS, *"?-" * 9]))
    position = eights.parse_position(table.text())
    assert position.is_analysable
    assert "".join(map(eights.rank_char, position.seats[table.seat].hand)) == "".join(
        sorted(table.hand, key=CARDS.index)
    )
    assert position.legal_actions()


def test_seats_change_with_the_seat_of_the_asker() -> None:
    table = Table(players=3, hand="024", pile="9", opens=["136", "05G", "889"])
    at_0, at_2 = (eights.parse_position(replace(table, seat=seat).text()) for seat in (0, 2))
    assert at_2.mover == 2
    assert at_0.seats == (at_2.seats[2], at_2.seats[0], at_2.seats[1])

"""Matches: seats, exchange, scores and their end (rules §7), their record, and what a player sees of it."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import eights
import pytest
from eights import Match, MatchRecord, RandomPlayer, Record, RecordError, Rules, State
from eights.events import AnyEvent, Reveal, Start
from eights.match import MOST_ROUNDS
from hypothesis import given, settings
from hypothesis import strategies as st
from rounds import LITTLE, heard, play_on
from strategies import rule_sets, seeds

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


def match(rules: Rules, seed: int = 1) -> Match:
    return Match(rules, NAMES[: rules.players], seed)


def little(players: int = 2, **options: Any) -> Rules:
    """Short rounds."""
    return replace(Rules.parse(LITTLE, players), **options)


def matched(rules: Rules, seed: int = 1, players_seed: int = 10) -> MatchRecord:
    """A whole match at random."""
    return eights.play(match(rules, seed), [RandomPlayer(players_seed + n) for n in range(rules.players)])


class Scored(State):
    """A round that is over, with points as they are wanted."""

    def __init__(
        self, rules: Rules, points: Sequence[float], winner: int | None = 0, big_loser: int | None = 1
    ) -> None:
        super().__init__(rules)
        self._points, self._winner, self._big_loser = list(points), winner, big_loser

    @property
    def mover(self) -> int:
        return eights.TERMINAL

    def points(self) -> list[float]:
        return self._points

    @property
    def winner(self) -> int | None:
        return self._winner

    @property
    def big_loser(self) -> int | None:
        return self._big_loser


# ---- seats and exchange


@pytest.mark.parametrize("players", range(2, 7))
def test_seat_0_moves_on_clockwise(players: int) -> None:
    """A player at seat w sits at (w − 1) mod n in the next round; the names of a round are those of its seats."""
    record = matched(Rules.standard(players, max_plies=3, match_rounds=2 * players))
    seats = [{name: seat for seat, name in enumerate(played.names)} for played in record.rounds]
    assert seats[0] == {name: seat for seat, name in enumerate(NAMES[:players])}
    for before, after in pairwise(seats):
        assert after == {name: (seat - 1) % players for name, seat in before.items()}


def test_scores_follow_the_players() -> None:
    game = match(Rules.standard(3))
    assert game.seating == (0, 1, 2)
    game.finish(Scored(game.rules, [3, 0, 0]))
    assert (game.scores, game.seating) == ((3, 0, 0), (1, 2, 0))
    game.finish(Scored(game.rules, [2, 1, 0]))  # for Ben, Cleo and Ann
    assert (game.scores, game.seating) == ((3, 2, 1), (2, 0, 1))
    game.finish(Scored(game.rules, [0, 2, 1]))  # for Cleo, Ann and Ben
    assert (game.scores, game.seating) == ((5, 3, 1), (0, 1, 2))


@pytest.mark.parametrize(
    ("winner", "big_loser", "expected"), [(0, 2, (2, 1)), (1, 0, (0, 2)), (2, 1, (1, 0)), (None, None, None)]
)
def test_winner_and_big_loser_of_a_round_exchange_in_the_next(
    winner: int | None, big_loser: int | None, expected: tuple[int, int] | None
) -> None:
    """By the seats of the new round; after a round without a winner there is no exchange."""
    for rules in (Rules.standard(3), Rules.amigo(3), Rules.shafir(3)):
        game = match(rules)
        assert game.exchange is None
        game.finish(Scored(rules, [0, 0, 0], winner, big_loser))
        assert game.exchange == (expected if rules.exchange else None)
        assert game.begin().start.exchange == game.exchange


def test_the_exchange_is_that_of_the_last_round_only() -> None:
    game = match(Rules.standard(3))
    game.finish(Scored(game.rules, [2, 0, 0], 0, 1))
    game.finish(Scored(game.rules, [0, 0, 0], None, None))
    assert game.exchange is None


def test_exchanges_of_a_match_are_those_of_its_rounds() -> None:
    record = matched(little(3, match_rounds=8))
    assert record.rounds[0].start.exchange is None
    assert sum(played.start.exchange is not None for played in record.rounds) > 4
    for before, after in pairwise(record.rounds):
        if (winner := before.state.winner) is None:
            assert after.start.exchange is None
            continue
        big_loser = before.state.big_loser
        assert big_loser is not None
        names = before.names[winner], before.names[big_loser]
        assert after.start.exchange == tuple(map(after.names.index, names))
        first = next(event for event in after.events if isinstance(event, eights.events.Act))
        assert first.seat == after.start.exchange[0]
        assert first.action.partition(" ")[0] in ("keep", "swap")


# ---- the deal


def test_deals_do_not_depend_on_play() -> None:
    """The same seed, other players: each player gets the same cards in the same order."""
    rules = Rules.standard(3, match_rounds=3)
    shares = []
    for players_seed in (1, 2, 3):
        record = matched(rules, seed=5, players_seed=players_seed)
        dealt = [[event for event in played.events if isinstance(event, Reveal)] for played in record.rounds]
        shares.append([[(event.seat, event.zone, event.card) for event in cards[:18]] for cards in dealt])
        assert [played.start.seed for played in record.rounds] == [
            played.start.seed for played in matched(rules, seed=5, players_seed=9).rounds
        ]
    assert shares[0] == shares[1] == shares[2]
    assert shares[0][0] != shares[0][1] != shares[0][2]


def test_round_seeds_depend_on_the_match_and_the_number_of_the_round() -> None:
    found = set()
    for seed in range(20):
        game = match(Rules.standard(2), seed)
        for _ in range(6):
            assert 0 <= game.round_seed < 2**64
            found.add(game.round_seed)
            game.finish(Scored(game.rules, [1, 0]))
    assert len(found) == 120
    assert match(Rules.shafir(6), 3).round_seed == match(Rules.standard(2), 3).round_seed


def test_the_seed_of_a_round_is_that_of_its_deal() -> None:
    record = matched(Rules.standard(2, match_rounds=2))
    for played in record.rounds:
        assert played.start.seed is not None
        again = Record(played.rules, exchange=played.start.exchange)
        again.deal(eights.Deal(played.rules, played.start.seed))
        assert again.events[1:] == played.events[1 : len(again.events)]


# ---- the end


def ended(game: Match, *rounds: Sequence[float]) -> list[bool]:
    """Whether the match is over after each of the rounds, in which the players get these points."""
    over = []
    for points in rounds:
        seats = [points[player] for player in game.seating]
        game.finish(Scored(game.rules, seats))
        over.append(game.is_over)
    return over


def test_a_match_of_rounds() -> None:
    game = match(Rules.amigo(2, match_rounds=3))
    assert not game.is_over
    assert game.winners == ()
    assert ended(game, (9, 0), (9, 0)) == [False, False]
    assert game.winners == ()
    assert ended(game, (0, 1)) == [True]
    assert game.winners == (0,)


def test_equal_points_after_the_last_round_are_a_shared_victory() -> None:
    game = match(Rules.amigo(3, match_rounds=2))
    assert ended(game, (2, 0, 1), (0, 2, 1)) == [False, True]
    assert game.winners == (0, 1, 2)
    game = match(Rules.amigo(3, match_rounds=2))
    assert ended(game, (3, 0, 1), (0, 3, 1)) == [False, True]
    assert game.winners == (0, 1)


def test_a_match_to_a_target() -> None:
    game = match(Rules.shafir(2))
    assert ended(game, (3, 0), (3, 2), (0, 3), (1, 0)) == [False, False, False, True]
    assert (game.scores, game.winners) == ((7, 5), (0,))


def test_while_several_share_the_most_another_round_is_played() -> None:
    game = match(Rules.shafir(3))
    assert ended(game, (7, 7, 6), (1, 1, 0), (0, 0, 3)) == [False, False, True]
    assert (game.scores, game.winners) == ((8, 8, 9), (2,))


def test_a_target_that_one_has_reached_and_another_too_but_less() -> None:
    game = match(Rules.shafir(2))
    assert ended(game, (6, 6), (3, 1)) == [False, True]
    assert game.winners == (0,)


def test_rounds_and_a_target_together_end_by_what_comes_first() -> None:
    game = match(Rules.standard(2, match_rounds=3, match_target=4))
    assert ended(game, (3, 0), (1, 0)) == [False, True]
    game = match(Rules.standard(2, match_rounds=3, match_target=4))
    assert ended(game, (2, 2), (2, 2), (0, 0)) == [False, False, True]
    assert game.winners == (0, 1)


def test_a_match_in_which_nobody_scores_has_an_end() -> None:
    game = match(Rules.shafir(2))
    game.rounds = MOST_ROUNDS - 1
    assert ended(game, (0, 0)) == [True]
    assert game.winners == (0, 1)


def test_shares_of_a_point_add_up_exactly() -> None:
    """Thirds of the point for the lowest count, three of which are one."""
    game = match(Rules.standard(3, fewest_tie="split", match_rounds=7))
    third = 1 / 3
    ended(game, (2 + third, third, third))
    assert game.scores == (float(Fraction(7, 3)), third, third)
    ended(game, (third, third, 2 + third), (third, 2 + third, third))
    assert game.scores == (3, 3, 3)
    assert all(type(score) is int for score in game.scores)
    ended(game, (0.5, 0.5, 2))
    assert game.scores == (3.5, 3.5, 5)
    assert [type(score) for score in game.scores] == [float, float, int]


def test_shares_decide_a_target_exactly() -> None:
    game = match(Rules.standard(3, fewest_tie="split", match_rounds=0, match_target=1))
    third = 1 / 3
    assert ended(game, (third, 0, 0), (third, 0, 0), (third, 0, 0)) == [False, False, True]


@pytest.mark.parametrize("players", range(2, 7))
def test_scores_are_the_sums_of_the_points(players: int) -> None:
    record = matched(Rules.standard(players, fewest_tie="split", max_plies=12, match_rounds=9))
    for number, scores in enumerate(record.scores, start=1):
        sums = [Fraction(0)] * players
        for played in record.rounds[:number]:
            end = played.events[-1]
            assert isinstance(end, eights.events.End)
            for name, points in zip(played.names, end.points, strict=True):
                sums[NAMES.index(name)] += Fraction(points).limit_denominator(6)
        assert scores.scores == tuple(map(float, sums))


def test_what_a_match_cannot_be_made_of() -> None:
    with pytest.raises(ValueError, match="There are 3 players, not 2"):
        Match(Rules.standard(3), NAMES[:2], 1)
    with pytest.raises(ValueError, match="The round is not over"):
        match(Rules.standard(2)).finish(State(Rules.standard(2)))


# ---- its record


@settings(max_examples=25, deadline=None)
@given(rule_sets(), seeds, st.integers(1, 3))
def test_any_match_is_dumped_and_loaded(rules: Rules, seed: int, rounds: int) -> None:
    rules = Rules.parse(
        f"{LITTLE}+max_plies={min(rules.max_plies, 60)}+match_rounds={rounds}"
        f"+fewest_tie={rules.fewest_tie}+scoring={rules.scoring}",
        min(rules.players, 3),
    )
    record = matched(rules, seed, seed)
    text = record.dumps()
    loaded = MatchRecord.loads(text)
    assert loaded == record
    assert loaded.dumps() == text
    assert MatchRecord.load(io.BytesIO(text.encode())) == record
    assert loaded.match.scores == record.match.scores
    assert loaded.is_over
    assert (loaded.match.exchange, loaded.match.seating) == (record.match.exchange, record.match.seating)
    for player in range(rules.players):
        view = record.view(player)
        assert MatchRecord.loads(view.dumps()) == view == loaded.view(player)
        assert view.match.scores == record.match.scores


def test_the_events_of_a_match_in_their_order() -> None:
    events: list[AnyEvent] = []
    game = match(little(2, match_rounds=2))
    record = eights.play(game, [RandomPlayer(1), RandomPlayer(2)], on_event=events.append)
    assert "".join(eights.events.encode(event) + "\n" for event in events) == record.dumps()
    kinds = [json.loads(line)["type"] for line in record.dumps().splitlines()]
    assert [kind for kind in kinds if kind not in ("reveal", "act")] == ["match", *["start", "end", "scores"] * 2]


def test_the_first_and_the_last_line() -> None:
    record = matched(little(2, match_rounds=1))
    first, *_, last = record.dumps().splitlines()
    assert first == (
        f'{{"type":"match","game":"eight_and_a_half","rules":"{record.match.rules.text()}","players":2,'
        '"names":["Ann","Ben"],"seed":1,"version":1}'
    )
    scores = json.loads(last)
    assert scores["winners"] == list(record.match.winners)
    assert list(scores) == ["type", "round", "scores", "winners"]


def test_only_the_last_scores_name_winners() -> None:
    record = matched(little(2, match_rounds=3))
    assert [scores.winners is None for scores in record.scores] == [True, True, False]
    assert [scores.round for scores in record.scores] == [0, 1, 2]


def cuts(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    return ["".join(lines[:kept]) for kept in range(1, len(lines))]


def test_a_match_that_was_cut_can_be_continued() -> None:
    text = matched(little(2, match_rounds=2)).dumps()
    for cut in cuts(text):
        record = MatchRecord.loads(cut)
        assert not record.is_over
        assert record.dumps() == cut
        for line in text[len(cut) :].splitlines():
            record.add(eights.events.decode(line)[0])
        assert record.dumps() == text
        assert record.is_over


def test_a_match_is_written_round_by_round() -> None:
    record = MatchRecord(match(little(2, match_rounds=2)))
    while not record.is_over:
        with pytest.raises(RecordError, match="No round has been finished that is not scored"):
            record.score_round()
        play_on(record.begin_round(), seed=4)
        with pytest.raises(RecordError, match="A round begins when the one before has been scored"):
            record.begin_round()
        record.score_round()
    with pytest.raises(RecordError, match="The match is over"):
        record.begin_round()
    assert MatchRecord.loads(record.dumps()) == record
    with pytest.raises(ValueError, match="A match is recorded from its first round on"):
        MatchRecord(record.match)


def test_unknown_fields_are_kept_and_written_again() -> None:
    lines = matched(little(2, match_rounds=2)).dumps().splitlines()
    for number, line in enumerate(lines):
        lines[number] = f'{line[:-1]},"line":{number}}}'
    text = "\n".join(lines) + "\n"
    record = MatchRecord.loads(text)
    assert record.dumps() == text
    assert MatchRecord.loads(text) == record
    assert record != matched(little(2, match_rounds=2))
    assert record.unknown_fields == ("line",)
    assert '"line"' not in record.view(0).dumps()
    assert record.view(0).unknown_fields == ()


def test_it_can_be_looked_at() -> None:
    record = MatchRecord(match(Rules.shafir(2)))
    assert repr(record) == "<MatchRecord of shafir, 0 rounds, scores (0, 0)>"
    assert record != "a match"
    with pytest.raises(TypeError):
        hash(record)


# ---- what a player sees


def test_a_players_view_is_made_of_the_views_of_his_seats() -> None:
    record = matched(little(3, match_rounds=4))
    for player in range(3):
        view = record.view(player)
        assert view.player == player
        for number, (seen, played) in enumerate(zip(view.rounds, record.rounds, strict=True)):
            seat = (player - number) % 3
            assert played.names[seat] == NAMES[player]
            assert seen == played.view(seat) == heard(played, seat)
        assert '"seed"' not in view.dumps()
        assert view.scores == record.scores
        assert view.view(player) == view
        assert MatchRecord.loads(view.dumps()) == view


def test_a_view_of_a_match_that_is_being_played() -> None:
    text = matched(little(2, match_rounds=2)).dumps()
    for cut in cuts(text):
        record = MatchRecord.loads(cut)
        view = record.view(1)
        assert view.dumps().count("\n") == cut.count("\n")
        assert MatchRecord.loads(view.dumps()) == view


def test_the_view_of_a_player_is_of_that_player_only() -> None:
    record = matched(little(3, match_rounds=1))
    for player in (-1, 3):
        with pytest.raises(ValueError, match=f"There is no player {player}: players are 0 to 2"):
            record.view(player)
    with pytest.raises(ValueError, match="This is what player 1 saw: what player 2 saw is not in it"):
        record.view(1).view(2)


def test_a_player_may_write_what_he_hears() -> None:
    record = matched(little(2, match_rounds=2))
    for player in (0, 1):
        view = record.view(player)
        lines = view.dumps().splitlines()
        written = MatchRecord.loads(lines[0])
        for line in lines[1:]:
            written.add(*eights.events.decode(line))
        assert written == view


# ---- what is refused

TEXT = matched(little(2, match_rounds=2)).dumps()
LINES = TEXT.splitlines()
SECOND = LINES.index(next(line for line in LINES[2:] if '"start"' in line)) + 1
"""The line that begins the second round, counted from 1."""
SCORED = SECOND - 1
"""The line of the scores after the first."""


def changed(number: int, **fields: Any) -> str:
    """The match with some fields of a line changed, or left out if None is given for what is there."""
    event = json.loads(LINES[number - 1])
    event.update(fields)
    return "\n".join([*LINES[: number - 1], json.dumps(event), *LINES[number:]])


@pytest.mark.parametrize(
    ("line", "fields", "message"),
    [
        (1, {"game": "chess"}, "The game is 'eight_and_a_half' here"),
        (1, {"version": 9}, "The record is of version 9"),
        (1, {"players": 3}, "There must be 3 names"),
        (1, {"names": ["Ann", 2]}, "The match event is wrong"),
        (1, {"rules": "standard+match_rounds=0"}, "a match would never end"),
        (1, {"seed": None}, "The record of a match has a seed, except in what one player sees"),
        (1, {"seed": -1}, "A seed is a whole number"),
        (1, {"seed": 2**64}, "A seed is a whole number"),
        (1, {"player": 0}, "What one player sees of a match has no seed"),
        (1, {"seed": None, "player": 2}, "the player is one of its players"),
        (1, {"seed": None, "player": -1}, "the player is one of its players"),
        (2, {"names": ["Ben", "Ann"]}, "Round 0 has other names than this match gives it"),
        (2, {"rules": "standard"}, "Round 0 has other rules"),
        (2, {"exchange": [0, 1]}, "Round 0 has another exchange"),
        (2, {"exchange": [2**70, 1]}, "Round 0 has another exchange"),
        (2, {"seed": 1}, "Round 0 has another seed"),
        (2, {"seed": None}, "Round 0 has another seed"),
        (2, {"seed": None, "seat": 0}, "The round and the match are not seen by the same player"),
        (SECOND, {"names": ["Ann", "Ben"]}, "Round 1 has other names"),
        (SECOND, {"exchange": None}, "Round 1 has another exchange"),
        (SECOND, {"version": 2}, "The record is of version 2"),
        (SCORED, {"scores": [0, 0]}, r"The scores are wrong: after this round they are \[\d, \d\]"),
        (SCORED, {"scores": [0]}, "The scores are wrong"),
        (SCORED, {"scores": ["3", 0]}, "The scores event is wrong"),
        (SCORED, {"round": 1}, "The scores are wrong"),
        (SCORED, {"winners": [0]}, "The scores are wrong"),
        (len(LINES), {"winners": None}, "The scores are wrong"),
        (len(LINES), {"winners": [0, 1, 2]}, "The scores are wrong"),
        (5, {"card": "x"}, "'x' is not a rank"),
    ],
)
def test_what_does_not_belong_to_the_match_is_refused_by_its_line(
    line: int, fields: dict[str, Any], message: str
) -> None:
    """What came before it can be used, and goes on."""
    with pytest.raises(RecordError, match=f"Line {line}: .*{message}") as caught:
        MatchRecord.loads(changed(line, **fields))
    assert caught.value.line == line
    record = caught.value.record
    if line == 1:
        assert record is None
        return
    assert record.dumps().splitlines() == LINES[: line - 1]
    for good in LINES[line - 1 :]:
        record.add(eights.events.decode(good)[0])
    assert record.dumps() == TEXT


@pytest.mark.parametrize(
    ("line", "event", "message"),
    [
        (1, LINES[1], "The record of a match begins with its match event"),
        (2, LINES[0], "The match has begun: it cannot start again"),
        (2, LINES[2], "A round begins with its start event"),
        (2, LINES[SCORED - 1], "Scores follow the end of a round"),
        (6, LINES[SCORED - 1], "Scores follow the end of a round"),
        (6, LINES[1], "A round begins when the one before has been scored"),
        (SCORED, LINES[1], "A round begins when the one before has been scored"),
        (SCORED, LINES[SCORED - 2], "The round is over"),
        (SCORED + 1, LINES[SCORED - 1], "Scores follow the end of a round"),
        (len(LINES) + 1, LINES[1], "The match is over"),
        (len(LINES) + 1, LINES[-1], "Scores follow the end of a round"),
        (len(LINES) + 1, LINES[2], "A round begins with its start event"),
    ],
)
def test_an_event_out_of_its_place_is_refused(line: int, event: str, message: str) -> None:
    with pytest.raises(RecordError, match=f"Line {line}: {message}") as caught:
        MatchRecord.loads("\n".join([*LINES[: line - 1], event]))
    if line > 1:
        assert caught.value.record.dumps().splitlines() == LINES[: line - 1]


def test_a_match_is_not_the_record_of_a_round() -> None:
    with pytest.raises(RecordError, match="The record of a round begins with its start event"):
        Record.loads(TEXT)
    with pytest.raises(RecordError, match="The record of a match begins with its match event"):
        MatchRecord.loads("\n".join(LINES[1:]))
    with pytest.raises(RecordError, match="The record is empty"):
        MatchRecord.loads("")


def test_wrong_scores_leave_the_match_as_it_was() -> None:
    record = MatchRecord.loads("\n".join(LINES[: SCORED - 1]))
    before = record.match.scores, record.match.rounds, record.match.exchange, record.dumps()
    event, _ = eights.events.decode(LINES[SCORED - 1])
    with pytest.raises(RecordError, match="The scores are wrong"):
        record.add(eights.events.Scores(round=0, scores=(9, 9)), {"extra": 1})
    assert (record.match.scores, record.match.rounds, record.match.exchange, record.dumps()) == before
    record.add(event)
    assert record.dumps().splitlines() == LINES[:SCORED]


@pytest.mark.parametrize(("names", "seed"), [(("Ann", "B" * 201), 1), (("Ann", "Ben"), -1), (("Ann", "Ben"), 2**64)])
def test_what_could_not_be_read_again_is_not_written(names: tuple[str, str], seed: int) -> None:
    with pytest.raises(ValueError, match=r"at most 200 characters|A seed is a whole number"):
        Match(Rules.standard(2), names, seed)


# ---- playing


def test_play_round_goes_on_from_where_the_record_stands() -> None:
    rules = little(2)
    deal = eights.Deal(rules, 4)
    whole, cut = Record(rules), Record(rules)
    state = eights.play_round(whole, deal, [eights.GreedyPlayer(), eights.GreedyPlayer()])
    for event in whole.events[1:9]:
        cut.add(event)
    heard_starts: list[Start] = []

    class Listening(eights.GreedyPlayer):
        def new_round(self, start: Start) -> None:
            heard_starts.append(start)

    assert eights.play_round(cut, deal, [Listening(), Listening()]) == state
    assert cut == whole
    assert [start.seat for start in heard_starts] == [0, 1]


def test_there_must_be_as_many_players_as_the_match_has() -> None:
    with pytest.raises(ValueError, match="The match is for 3 players, not 2"):
        eights.play(match(Rules.standard(3)), [RandomPlayer(1), RandomPlayer(2)])

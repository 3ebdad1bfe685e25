"""Reviews: what each move of a round cost, by what its player could know."""

from __future__ import annotations

import threading

import eights
import pytest
from eights.events import End
from eights.review import TURNING, Choice, Review, accuracy, review
from rounds import LITTLE, played, told

RULES = eights.Rules.parse(LITTLE, 2)
ROUND = played(RULES, 3)


@pytest.fixture(scope="module")
def reviewed() -> Review:
    return review(ROUND, iterations=300, seed=5)


def figures(choice: Choice) -> tuple[object, ...]:
    """All of a choice but how long the search took."""
    return choice.ply, choice.seat, choice.action, choice.analysis and choice.analysis.moves, choice.alone


# ---- choices


def test_every_action_of_the_round_is_a_choice(reviewed: Review) -> None:
    assert len(reviewed.choices) == ROUND.plies
    for ply, choice in enumerate(reviewed.choices):
        position = ROUND.position(ply)
        assert (choice.ply, choice.seat) == (ply, position.mover)
        assert choice.is_forced == (len(position.legal_actions()) == 1)
        assert choice.action in position.legal_actions()


def test_a_choice_is_searched_as_analyse_does_it_from_what_its_player_knew(reviewed: Review) -> None:
    free = [choice for choice in reviewed.choices if choice.analysis is not None]
    assert len(free) > 5
    for choice in free:
        expected = eights.analyse(ROUND.position(choice.ply), iterations=300, seed=5)
        assert choice.analysis is not None
        assert choice.analysis.position == expected.position
        assert choice.analysis.moves == expected.moves


def test_hidden_cards_make_no_difference() -> None:
    """Two rounds that look alike to seat 0 at its choice, in which seat 1 holds other cards."""
    rules = "standard+deck=1.1.1.1.1.1.1.1.1.1.1.1+hand_size=2+open_size=1+blind_size=1"
    one = told(rules, 2, "9", "1", "6", "8", "3", "4", "1", "7", "3", "5", "6")
    other = told(rules, 2, "9", "1", "6", "8", "3", "G", "1", "7", "3", "0", "6")
    assert one.position(2) == other.position(2)
    assert one.position(2, 1) != other.position(2, 1)
    ours, theirs = (review(record, iterations=200).choices[2] for record in (one, other))
    assert not ours.is_forced
    assert figures(ours) == figures(theirs)


def test_what_was_forced_costs_nothing_and_is_not_searched(reviewed: Review) -> None:
    forced = [choice for choice in reviewed.choices if choice.is_forced]
    assert forced
    for choice in forced:
        assert (choice.cost, choice.cost_se, choice.accuracy, choice.is_mistake) == (0, 0, accuracy(0), False)
        assert choice.best == choice.action
        assert choice.points is None


def test_a_cost_is_what_the_best_move_promised_more(reviewed: Review) -> None:
    worse = [choice for choice in reviewed.choices if choice.action != choice.best]
    assert len(worse) > 3
    for choice in worse:
        assert choice.analysis is not None
        assert choice.alone is not None
        assert choice.points == choice.analysis.moves[0].points[choice.seat]
        assert choice.cost == max(0.0, choice.points - choice.alone.points[choice.seat])
        assert choice.cost_se > 0
    for choice in reviewed.choices:
        if choice.action == choice.best:
            assert (choice.cost, choice.cost_se) == (0, 0)


def test_to_miss_the_winning_move_costs_the_round() -> None:
    """Seat 0 might have laid both of its Open Cards, and lays one; seat 1 then lays both of its own."""
    rules = "standard+deck=0.1.0.1.0.0.0.0.0.2.0.2+hand_size=1+open_size=2+blind_size=0+open_sets=1"
    record = told(rules, 2, "9", "9", "1", "G", "G", "3", "1", "3", "9", "Gx2")
    record.finish()
    found = review(record, iterations=2000)
    choice = found.choices[2]
    assert eights.action_text(choice.best) == "9x2"
    assert choice.is_mistake
    assert choice.points == pytest.approx(3)
    assert choice.cost > 1
    assert choice.accuracy < 25
    (turn,) = found.turning_points
    assert turn.choice == choice
    assert (turn.before, turn.after, turn.at_end) == (choice.points, 0, True)
    assert [seat.mistakes for seat in found.seats] == [1, 0]


def test_what_was_played_is_searched_as_long_as_the_best_however_bad_it_looks(reviewed: Review) -> None:
    searched = 0
    for choice in reviewed.choices:
        assert (choice.alone is None) == (choice.action == choice.best)
        if choice.analysis is None or choice.alone is None:
            continue
        (expected,) = eights.analyse(choice.analysis.position, iterations=300, seed=5, actions=[choice.action]).moves
        assert choice.alone == expected
        assert choice.alone.visits == 300
        searched += 1
    assert searched > 3


def test_costs_are_found_out_with_one_iteration_too() -> None:
    """The search of all actions then has not tried the one that was played."""
    found = review(ROUND, iterations=1)
    assert len(found.choices) == ROUND.plies
    assert any(choice.alone is not None for choice in found.choices)


# ---- sums


def test_the_accuracy_of_a_move_falls_from_100_to_0() -> None:
    values = [accuracy(cost / 10) for cost in range(31)]
    assert values[0] == pytest.approx(100, abs=1e-3)
    assert values[-1] == 0
    assert values == sorted(values, reverse=True)
    assert all(0 <= value <= 100 for value in values)
    # lichess.org gives 64 for a move that lowers the chance to win by a tenth
    assert accuracy(0.3) == pytest.approx(103.1668 * 2.718281828 ** (-0.4354) - 3.1669)


def test_the_sums_of_a_seat(reviewed: Review) -> None:
    assert [seat.seat for seat in reviewed.seats] == [0, 1]
    for sums in reviewed.seats:
        mine = [choice for choice in reviewed.choices if choice.seat == sums.seat]
        free = [choice for choice in mine if not choice.is_forced]
        assert (sums.free, sums.forced) == (len(free), len(mine) - len(free))
        assert sums.mistakes == sum(choice.cost > 2 * choice.cost_se for choice in free)
        assert sums.cost == pytest.approx(sum(choice.cost for choice in free))
        assert sums.cost_se**2 == pytest.approx(sum(choice.cost_se**2 for choice in free))
        assert sums.accuracy == pytest.approx(sum(choice.accuracy for choice in free) / len(free))


def test_without_a_free_choice_there_is_no_accuracy() -> None:
    seat = Review(ROUND, (Choice(0, 0, 3, None, None),), stopped=True).seats[0]
    assert (seat.free, seat.forced, seat.cost, seat.accuracy) == (0, 1, 0, None)


def test_what_a_seat_could_expect_ends_in_what_it_got(reviewed: Review) -> None:
    end = ROUND.events[-1]
    assert isinstance(end, End)
    for seat in range(2):
        plies, points = zip(*reviewed.expected(seat), strict=True)
        assert plies[:-1] == tuple(
            choice.ply for choice in reviewed.choices if choice.seat == seat and not choice.is_forced
        )
        assert (plies[-1], points[-1]) == (ROUND.plies, end.points[seat])


def test_turning_points_are_the_large_changes_of_one_seat(reviewed: Review) -> None:
    turns = reviewed.turning_points
    assert turns
    sizes = [abs(turn.change) for turn in turns]
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes) >= TURNING
    for turn in turns:
        line = dict(reviewed.expected(turn.choice.seat))
        assert turn.before == line[turn.choice.ply]
        later = min(ply for ply in line if ply > turn.choice.ply)
        assert turn.after == line[later]
        assert turn.at_end == (later == ROUND.plies)
        assert abs(turn.change) >= 2 * turn.change_se


# ---- what is not there


def cut(record: eights.Record, events: int) -> eights.Record:
    return eights.Record.loads("".join(record.dumps().splitlines(keepends=True)[:events]))


@pytest.mark.parametrize("events", [1, 4, 12, 20])
def test_of_a_round_that_is_cut_what_is_there_is_reviewed(reviewed: Review, events: int) -> None:
    record = cut(ROUND, events)
    found = review(record, iterations=300, seed=5)
    assert [choice.action for choice in found.choices] == [choice.action for choice in reviewed.choices[: record.plies]]
    assert [choice.cost for choice in found.choices] == [choice.cost for choice in reviewed.choices[: record.plies]]
    assert not found.is_whole
    assert not found.stopped
    assert all(not turn.at_end for turn in found.turning_points)
    assert reviewed.is_whole


def test_in_the_record_of_a_seat_its_own_choices_are_reviewed(reviewed: Review) -> None:
    for seat in range(2):
        found = review(ROUND.view(seat), iterations=300, seed=5)
        expected = [figures(choice) for choice in reviewed.choices if choice.seat == seat]
        assert list(map(figures, found.choices)) == expected
        assert [sums.seat for sums in found.seats] == [seat]
        assert found.is_whole


def test_it_tells_how_far_it_is_and_stops_when_asked() -> None:
    stop = threading.Event()
    said: list[tuple[int, int]] = []

    def on_choice(done: int, of: int) -> None:
        said.append((done, of))
        if done == 7:
            stop.set()

    found = review(ROUND, iterations=50, on_choice=on_choice, stop=stop)
    assert said == [(done, ROUND.plies) for done in range(1, 8)]
    assert len(found.choices) == 7
    assert found.stopped
    assert not found.is_whole
    assert not any(ply == ROUND.plies for seat in range(2) for ply, _ in found.expected(seat))


def test_limits_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        review(ROUND, time=0)


def test_threads_and_the_exchange() -> None:
    match = eights.Match(eights.Rules.parse(f"{LITTLE}+match_rounds=2", 3), ("a", "b", "c"), seed=2)
    record = eights.play(match, [eights.GreedyPlayer()] * 3).rounds[1]
    assert record.start.exchange is not None
    one, same = (review(record, iterations=100, threads=2) for _ in range(2))
    assert one.choices[0].seat == record.start.exchange[0]
    assert [choice.cost for choice in one.choices] == [choice.cost for choice in same.choices]

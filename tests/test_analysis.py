"""`analyse`: fair, reproducible, bounded, stoppable; and the core search beneath it."""

import math
import statistics
import subprocess
import sys
import threading
import time as clock
from dataclasses import replace

import eights
import pytest
from eights import Rules, State, parse_action, parse_position
from eights.models import HIDDEN_HANDS, NO_ERRORS, OPEN_HANDS, Errors
from eights_core.belief import RandomPlayouts
from eights_core.halves import Ruleset
from eights_core.ismcts import Search
from eights_core.rng import Rng
from hypothesis import given, settings
from hypothesis import strategies as st

FORCED = "standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5"
OPEN = "standard 0 G,7,7 0:001122334556779HHGGG:3:3:001124444455567888899999HHHHHGG*/0:-:35:3:002366678* 211"
FREE = "standard 1 1,2 8:???:05G:3:-/9:346:136:3:-/9:???:889:3:-/8:???:247:3:- 2"


THREE, FOUR, SIX = (parse_action(text) for text in ("3", "4", "6"))


def random_position(seed: int, rules: Rules, plies: int) -> eights.Position:
    """What the mover of a random round sees after some plies, or at its last decision."""
    rng = Rng(seed)
    state = State(rules)
    state.deal(rng)
    position = state.observation(state.mover)
    while plies and state.mover != eights.TERMINAL:
        position = state.observation(state.mover)
        legal = state.legal_actions()
        state.apply(legal[rng.below(len(legal))])
        state.deal(rng)
        plies -= 1
    return position


def without_time(analysis: eights.Analysis) -> eights.Analysis:
    return replace(analysis, time=0.0)


def test_the_only_legal_move_is_the_best() -> None:
    analysis = eights.analyse(parse_position(FORCED), iterations=50)
    assert eights.action_text(analysis.best) == "0"
    assert analysis.margin is None
    assert analysis.margin_se is None
    assert not analysis.too_close


def test_every_legal_move_is_reported_best_first() -> None:
    position = parse_position(FREE)
    analysis = eights.analyse(position, iterations=500)
    assert sorted(move.action for move in analysis.moves) == position.legal_actions()
    assert [move.visits for move in analysis.moves] == sorted((move.visits for move in analysis.moves), reverse=True)
    assert sum(move.visits for move in analysis.moves) == analysis.iterations == 500
    assert all(move.pv[0] == move.action for move in analysis.moves)
    assert analysis.best == analysis.moves[0].action
    assert analysis.points == analysis.moves[0].points


def test_actions_asked_for_are_compared_alone() -> None:
    position = parse_position(FREE)
    for actions in ([THREE], [SIX, FOUR]):
        analysis = eights.analyse(position, iterations=400, actions=actions)
        assert sorted(move.action for move in analysis.moves) == sorted(actions)
        assert sum(move.visits for move in analysis.moves) == 400
    everything = eights.analyse(position, iterations=400, actions=position.legal_actions())
    assert without_time(everything) == without_time(eights.analyse(position, iterations=400))
    threads = eights.analyse(position, iterations=400, actions=[THREE, FOUR], threads=2)
    assert sorted(move.action for move in threads.moves) == [THREE, FOUR]
    with pytest.raises(ValueError, match=r"^9 is not legal here; legal is 3, 4, 6\.$"):
        eights.analyse(position, actions=[THREE, parse_action("9")])
    with pytest.raises(ValueError, match="There must be an action"):
        eights.analyse(position, actions=[])
    with pytest.raises(TypeError):
        eights.analyse(position, actions=["3"])


@pytest.mark.parametrize(
    ("text", "pair", "better"),
    [
        (
            "standard 0 2 0:0235567899HHGGG:08:3:001234444578889HG*/0:-:-:3:01112333345566666777799HHHHHGGG* 89",
            "Gx2 Gx3",
            "Gx3",
        ),
        (
            "standard 0 - 0:0011244445689HHHH:37:3:3335677889G*/0:?:58G:3:000122334456666777889999HHHHGGGG 67",
            "Hx3 Hx4",
            "Hx3",
        ),
        (
            "standard 1 0 0:-:1:3:04667789G*/0:011123333356778HH:-:1:00022234444455555667888899999HHHHHGGGGGG* 93",
            "H Hx2",
            "H",
        ),
    ],
)
def test_actions_asked_for_are_compared_though_others_look_better(text: str, pair: str, better: str) -> None:
    """Two of many, of which the prior thinks next to nothing: both are looked at as if there were no others."""
    actions = [parse_action(action) for action in pair.split()]
    analysis = eights.analyse(parse_position(text), iterations=1000, actions=actions)
    assert min(move.visits for move in analysis.moves) > 100
    assert eights.action_text(analysis.best) == better
    alone = [eights.analyse(parse_position(text), iterations=1000, actions=[action]) for action in actions]
    assert eights.action_text(max(alone, key=lambda one: one.points[one.position.mover]).best) == better


def test_points_and_win_chances_are_those_of_a_round() -> None:
    for move in eights.analyse(parse_position(FREE), iterations=3000, evaluator=RandomPlayouts()).moves:
        assert sum(move.win) == pytest.approx(1, abs=1e-9)  # nobody loops to the limit from here
        assert 3 <= sum(move.points) <= 2 + 4  # 2 for the winner, 1 for each of at most four with the lowest count
        assert all(0 <= points <= 3 for points in move.points)


def test_the_standard_error_is_that_of_a_mean() -> None:
    move = eights.analyse(parse_position(FORCED), iterations=4000, evaluator=RandomPlayouts()).moves[0]
    # Points are 0, 1, 2 or 3: their variance is at most 9/4, and from seat to seat not far from 1.
    for error in move.points_se:
        assert 0.5 / math.sqrt(4000) < error < 1.5 / math.sqrt(4000)


@pytest.mark.parametrize(("text", "errors"), [(FREE, HIDDEN_HANDS), (OPEN, OPEN_HANDS)])
def test_errors_are_of_sampling_and_of_the_value(text: str, errors: Errors) -> None:
    analysis = eights.analyse(parse_position(text), iterations=300)
    first, second = (move.sampling_se[analysis.position.mover] for move in analysis.moves[:2])
    assert analysis.errors == errors
    assert analysis.points_se == pytest.approx([math.hypot(se, errors.points) for se in analysis.moves[0].sampling_se])
    assert analysis.margin_se == pytest.approx(math.sqrt(first**2 + second**2 + errors.margin**2))


def test_what_is_known_has_no_error_of_a_value() -> None:
    """The mover goes out with his last card, whatever else happens, and all points are certain then."""
    position = parse_position(
        "standard 0 1 0:5:-:0:-*/0:11335:-:0:0000001222233334444445555666666777777888888999999HHHHHHHHGGGGGGGG* 40"
    )
    analysis = eights.analyse(position, iterations=2000)
    assert eights.action_text(analysis.best) == "5"
    assert analysis.points == (3, 0)
    assert analysis.points_se == analysis.moves[0].sampling_se


def test_playouts_to_the_end_have_the_error_of_sampling_alone() -> None:
    analysis = eights.analyse(parse_position(OPEN), iterations=300, evaluator=RandomPlayouts())
    assert analysis.errors == NO_ERRORS
    assert analysis.points_se == analysis.moves[0].sampling_se


def test_few_equal_results_prove_nothing() -> None:
    """The error counts one round at each end: with x visits of the same points p it is that of x times p, 0 and 3."""
    analysis = eights.analyse(parse_position(FREE), iterations=1)
    assert analysis.iterations == 1
    (points,) = (move.points[1] for move in analysis.moves)
    assert analysis.moves[0].sampling_se[1] == pytest.approx(statistics.stdev([points, 0, 3]) / math.sqrt(3))
    claims = [not eights.analyse(parse_position(FREE), iterations=10, seed=seed).too_close for seed in range(200)]
    assert sum(claims) <= 4


@given(seed=st.integers(0, 2**64 - 1), players=st.integers(2, 6), plies=st.integers(0, 60))
@settings(max_examples=25, deadline=None)
def test_the_same_seed_gives_the_same_analysis(seed: int, players: int, plies: int) -> None:
    position = random_position(seed, Rules.standard(players=players), plies)
    first, second = (eights.analyse(position, iterations=200, seed=seed) for _ in range(2))
    assert without_time(first) == without_time(second)


def test_other_seeds_give_other_analyses() -> None:
    position = parse_position(FREE)
    assert len({eights.analyse(position, iterations=100, seed=seed).points for seed in range(5)}) > 1


def test_reports_and_slices_change_nothing() -> None:
    position, reports = parse_position(FREE), []
    watched = eights.analyse(position, iterations=60_000, on_progress=reports.append, report_every=0.02)
    assert reports
    assert all(report.iterations < 60_000 and not report.stopped for report in reports)
    assert without_time(watched) == without_time(eights.analyse(position, iterations=60_000))


@given(seed=st.integers(0, 2**32), players=st.integers(2, 6), plies=st.integers(0, 60))
@settings(max_examples=40, deadline=None)
def test_what_a_seat_cannot_see_changes_nothing(seed: int, players: int, plies: int) -> None:
    """Every hidden card is dealt anew: same observation, same text, same analysis byte for byte (rules §10)."""
    position = random_position(seed, Rules.standard(players=players), plies)
    mover = position.mover
    twins = [position.sample(Rng(other)) for other in range(3)]
    seen = [twin.observation(mover) for twin in twins]
    assert seen == [position] * 3
    assert {str(other) for other in seen} == {str(position)}
    assert len({repr(without_time(eights.analyse(other, iterations=100))) for other in seen}) == 1
    assert len({without_time(eights.analyse(other, iterations=100)).moves for other in seen}) == 1


def test_time_is_kept() -> None:
    start = clock.perf_counter()
    analysis = eights.analyse(parse_position(FREE), time=0.05)
    assert 0.05 <= analysis.time <= clock.perf_counter() - start
    assert not analysis.stopped
    assert analysis.iterations > 100


def test_without_limits_it_ends_by_itself() -> None:
    assert eights.analyse(parse_position(FREE)).time >= 0.2


def test_stop_ends_it_with_the_result_so_far() -> None:
    stop = threading.Event()
    analysis = eights.analyse(
        parse_position(FREE), time=60, stop=stop, on_progress=lambda report: stop.set(), report_every=0.01
    )
    assert analysis.stopped
    assert analysis.time < 30
    assert analysis.iterations > 0


def test_a_stop_before_the_start_still_gives_every_move() -> None:
    stop = threading.Event()
    stop.set()
    position = parse_position(FREE)
    analysis = eights.analyse(position, time=60, stop=stop)
    assert analysis.stopped
    assert len(analysis.moves) == len(position.legal_actions())


def test_other_threads_run_meanwhile() -> None:
    """Two searches at once are each what they are alone."""
    position, results = parse_position(FREE), {}

    def search(seed: int) -> None:
        results[seed] = eights.analyse(position, iterations=20_000, seed=seed)

    threads = [threading.Thread(target=search, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, result in results.items():
        assert without_time(result) == without_time(eights.analyse(position, iterations=20_000, seed=seed))


def test_memory_is_bounded_and_a_full_tree_goes_on_learning() -> None:
    position = parse_position(FREE)
    search = Search(position.belief, RandomPlayouts(), seed=1, memory=1 << 17)
    search.run(20_000)
    assert search.full
    assert search.bytes_used <= 1 << 17
    assert search.iterations == 20_000
    assert sum(visits for _, visits, *_ in search.moves()) == 20_000
    before = search.nodes
    search.run(30_000)
    assert search.nodes == before


def test_a_node_takes_at_most_forty_bytes_an_iteration() -> None:
    for text in (FREE, FREE.replace("standard", "standard+open_sets=1")):
        search = Search(parse_position(text).belief, RandomPlayouts(), seed=1, memory=1 << 30)
        search.run(50_000)
        assert search.bytes_used <= 40 * 50_000


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"time": 0}, "The time is a number of seconds"),
        ({"time": float("nan")}, "The time is a number of seconds"),
        ({"iterations": 0}, "The iterations are a number from 1"),
        ({"iterations": 1 << 40}, "The iterations are a number from 1"),
        ({"seed": -1}, "A seed is a whole number"),
        ({"memory": 10}, "A search needs at least"),
    ],
)
def test_limits_that_are_none_are_refused(limits: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        eights.analyse(parse_position(FREE), **limits)


def test_iterations_are_whole() -> None:
    with pytest.raises(TypeError):
        eights.analyse(parse_position(FORCED), iterations=1.5)  # type: ignore[arg-type]


def test_a_mover_whose_hand_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="not all cards of its hand are known"):
        eights.analyse(parse_position(FREE.replace("346", "34?")))


def test_risks_are_told() -> None:
    # The 5 on 1 leaves no felony; in his next turn seat 1 may have to take, with the hand that he draws.
    text = "standard 1 1 8:???:05G:3:-/9:555:136:3:-/9:???:889:3:-/9:???:247:3:- 1"
    risks = eights.analyse(parse_position(text), iterations=2000, risks=True).risks
    assert risks is not None
    assert risks.caught == 0
    assert 0 < risks.takes < 1


def test_a_sure_policeman_is_feared() -> None:
    # All play from the table: seat 0 must lay a Half on 4, and seat 1 holds nothing but the 5, which catches.
    deck = "deck=0.0.0.0.2.2.0.0.0.0.2.0+hand_size=1+open_size=1+blind_size=1"
    text = f"standard+{deck} 0 4 0:HH:-:1:-*/0:5:-:1:-* 9"
    position = parse_position(text)
    risks = eights.analyse(position, iterations=2000, risks=True).risks
    assert risks is not None
    assert risks.caught == 1.0


def test_taking_now_is_not_the_risk_of_having_to_take() -> None:
    # Whoever has taken is asked what may follow: with three nines and Ghosts he need not take soon.
    text = "standard 1 9 9:???:05G:3:-/9:123:136:3:-/9:???:889:3:-/8:???:247:3:- 1"
    risks = eights.analyse(
        parse_position(text.replace("9:???:05G", "8:???:05G").replace("8:???:247", "9:???:247")),
        iterations=2000,
        risks=True,
    ).risks
    assert risks is not None
    assert risks.takes < 0.9
    assert risks.caught == 0


def test_risks_are_not_looked_at_unasked() -> None:
    assert eights.analyse(parse_position(FREE), iterations=10).risks is None


@pytest.mark.parametrize("players", range(2, 7))
def test_exchange_decisions(players: int) -> None:
    """Who opens is hidden before the decision and public after it: it is part of what a node knows (rules §5, §7)."""
    for winner in range(players):
        state = State(Rules.standard(players=players), exchange=(winner, (winner + 1) % players))
        state.deal(Rng(winner))
        position = state.observation(winner)
        analysis = eights.analyse(position, iterations=30_000, seed=winner)
        assert sorted(move.action for move in analysis.moves) == position.legal_actions()
        assert all(all(0 <= points <= 3 for points in move.points) for move in analysis.moves)


def test_a_search_needs_a_problem() -> None:
    with pytest.raises(TypeError):
        Search(None, RandomPlayouts(), seed=1, memory=1 << 20)
    with pytest.raises(TypeError):
        Search(Ruleset, RandomPlayouts(), seed=1, memory=1 << 20)


def test_a_search_of_no_legal_action_finds_none() -> None:
    """It plays on from the root, and knows no move."""
    belief = parse_position(FREE).belief
    search = Search(belief, RandomPlayouts(), seed=1, memory=1 << 20, actions=[0])
    search.run(10)
    assert (search.iterations, search.moves()) == (10, [])
    for action in (-1, 256):
        with pytest.raises(ValueError, match=f"Actions are numbers from 0 to 255, not {action}"):
            Search(belief, RandomPlayouts(), seed=1, memory=1 << 20, actions=[action])


def test_a_search_is_run_by_one_thread_at_a_time() -> None:
    search = Search(parse_position(FREE).belief, RandomPlayouts(), seed=1, memory=1 << 28)
    other = threading.Thread(target=search.run, args=(400_000,))
    other.start()
    refused = 0
    while other.is_alive():
        for ask in (lambda: search.run(1), lambda: search.nodes, search.moves, lambda: search.variation(8)):
            try:
                ask()
            except RuntimeError:
                refused += 1
    other.join()
    assert refused
    assert search.iterations == 400_000


MISUSES = {
    "a state that was not made": "State.__new__(State).playout(Rng(1))",
    "comparing it": "State.__new__(State) == State.__new__(State)",
    "the ranks it may lay": "State.__new__(State).playable()",
    "the place of its card": "State.__new__(State).chance_place()",
    "a belief that was not made": "Search(Belief.__new__(Belief), RandomPlayouts(), seed=1, memory=1 << 20).run(9)",
    "no problem at all": "Search(Problem(), RandomPlayouts(), seed=1, memory=1 << 20).run(9)",
    "no evaluator at all": "Search(position.belief, Evaluator(), seed=1, memory=1 << 20).run(9)",
    "a search that was not made": "Search.__new__(Search).run(9)",
    "its moves": "Search.__new__(Search).moves()",
    "a walk into nothing": "search.walk(8, Rng(1), GameState(), GameState())",
    "a walk into other rules": "search.walk(8, Rng(1), State(Rules.standard(3)), State(Rules.standard(3)))",
    "a sample of other rules": "position.belief.sample_into(State(Rules.shafir(4, max_plies=3)), Rng(1))",
    "rules made again": "ruleset.__init__(**{**ruleset.__reduce__()[1][0], 'players': 9})",
    "a deck too short": "Ruleset(**{**ruleset.__reduce__()[1][0], 'deck': [1, 2]})",
    "a deck too rich": "Ruleset(**{**ruleset.__reduce__()[1][0], 'deck': [30] * 12})",
    "no hands": "Ruleset(**{**ruleset.__reduce__()[1][0], 'hand_size': 0, 'open_size': 0})",
    "a generator that was not made": "Rng.__new__(Rng).below(7)",
    "time that goes back": "search.run(10**6, seconds=-1e9)",
    "time that is none": "search.run(10**6, seconds=float('nan'))",
    "an edited state": "state.__reduce__()[0](State, ruleset, b'\\xff' * len(state.key()))",
    "an exchange with nobody": "replace(exchange, big_loser=77).sample(Rng(1)).legal_actions()",
    "a seat without cards": "replace(position, seats=(Seat(0, (), (), 0), *position.seats[1:])).sample(Rng(1))",
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_does_not_crash_the_interpreter(misuse: str) -> None:
    """Each in a process of its own, which must end by itself, with an exception or without."""
    program = f"""
from dataclasses import replace
from eights import Rng, Rules, Seat, State, parse_position
from eights_core.belief import Belief, RandomPlayouts
from eights_core.game import Evaluator, GameState, Problem
from eights_core.halves import Ruleset
from eights_core.ismcts import Search
position = parse_position({FREE!r})
exchange = parse_position("standard 0x1 - 15:006:455:3:-/15:???:4HH:3:-/15:???:012:3:- 0")
ruleset = Rules.standard(4).ruleset
state = State(Rules.standard(4))
search = Search(position.belief, RandomPlayouts(), seed=1, memory=1 << 20)
search.run(100)
try:
    {MISUSES[misuse]}
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr

"""Searching with several threads: trees of their own, added up."""

import threading
from dataclasses import replace

import eights
import pytest
from eights import parse_position
from eights.forest import Forest, Learnt
from eights.models import default_evaluator
from eights_core.ismcts import Search
from eights_core.rng import Rng

FREE = "standard 1 1,2 8:???:05G:3:-/9:346:136:3:-/9:???:889:3:-/8:???:247:3:- 2"
TWO = "standard 0 1,2 26:346:136:3:-/26:???:889:3:- 2"


def without_time(analysis: eights.Analysis) -> eights.Analysis:
    return replace(analysis, time=0.0)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_iterations_are_shared_and_reproducible(threads: int) -> None:
    first, second = (eights.analyse(parse_position(FREE), iterations=1001, seed=5, threads=threads) for _ in range(2))
    assert without_time(first) == without_time(second)
    assert first.iterations == sum(move.visits for move in first.moves) == 1001


def test_a_thread_more_searches_otherwise() -> None:
    one, two = (eights.analyse(parse_position(FREE), iterations=1000, threads=threads) for threads in (1, 2))
    assert one.moves != two.moves


def test_trees_are_added_up() -> None:
    position = parse_position(TWO)
    evaluator = default_evaluator(position.rules)
    with Forest(position.belief, evaluator, trees=2, seed=9, memory=1 << 24) as forest:
        forest.run(501)
    seeds = (9, Rng(9).below(1 << 31))
    alone = [Search(position.belief, evaluator, seed=seed, memory=1 << 23) for seed in seeds]
    for tree, iterations in zip(alone, (251, 250), strict=True):
        tree.run(iterations)
    assert forest.iterations == 501
    assert forest.nodes == sum(tree.nodes for tree in alone)
    parts = [{action: Learnt(*learnt) for action, *learnt in tree.moves()} for tree in alone]
    for action, (learnt, tree) in forest.moves().items():
        visits = [part[action].visits if action in part else 0 for part in parts]
        assert learnt.visits == sum(visits)
        assert learnt.ended == sum(part[action].ended for part in parts if action in part)
        assert learnt.utilities == pytest.approx(
            [sum(part[action].utilities[seat] for part in parts if action in part) for seat in range(2)]
        )
        assert tree.variation(action) == alone[visits.index(max(visits))].variation(action)


def test_fewer_iterations_than_threads() -> None:
    analysis = eights.analyse(parse_position(FREE), iterations=1, threads=3)
    assert analysis.iterations == 1
    assert len(analysis.moves) == 1


def test_time_ends_all_threads() -> None:
    analysis = eights.analyse(parse_position(FREE), time=0.05, threads=2)
    assert 0.05 <= analysis.time < 5
    assert not analysis.stopped


def test_progress_is_told_and_a_stop_is_heard() -> None:
    stop, told = threading.Event(), []

    def on_progress(analysis: eights.Analysis) -> None:
        told.append(analysis.iterations)
        stop.set()

    analysis = eights.analyse(
        parse_position(FREE), time=60, threads=2, on_progress=on_progress, report_every=0.01, stop=stop
    )
    assert analysis.stopped
    assert len(told) == 1
    assert analysis.iterations >= told[0] > 0


def test_an_error_in_a_thread_comes_out() -> None:
    position = parse_position(FREE)
    with Forest(position.belief, default_evaluator(position.rules), trees=2, seed=1, memory=1 << 24) as forest:
        with pytest.raises(OverflowError):
            forest.run(1 << 70)
        forest.run(10)
    assert forest.iterations == 10


def test_memory_is_shared() -> None:
    with pytest.raises(ValueError, match="32 threads need at least 2097152 bytes, not 1048576"):
        eights.analyse(parse_position(FREE), iterations=10, threads=32, memory=1 << 20)


@pytest.mark.parametrize("threads", [0, -1, 257])
def test_a_number_of_threads_that_cannot_be(threads: int) -> None:
    with pytest.raises(ValueError, match="A search has from 1 to 256 threads"):
        eights.analyse(parse_position(FREE), iterations=10, threads=threads)

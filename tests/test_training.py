"""Training: what is learnt, what a folder is gone on with, and how it ends."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from commands import EIGHTS, run
from eights import Rng, Rules, State
from eights.models import load_weights, read_weights
from eights.processes import Workers
from eights.training import fit
from eights.training.fit import Adam, Network, fit_policy, fit_value, quantized, unpacked
from eights.training.games import FEATURES, Lessons, searched_rounds
from eights.training.pipeline import PLANS, Plan, TrainingError, hash_of, train, weights_of
from eights_core.belief import RandomPlayouts
from eights_core.model import Model, inputs, plays, self_play

TINY = Plan(
    players=2,
    plain_rounds=50,
    plain_iterations=6,
    samples=10_000,
    searched_rounds=(50,),
    searched_iterations=6,
)
ORDER = ["plain-0.npz", "policy.npz", "value.npz", "searched-1-0.npz", "searched-1.npz", "2.weights"]
"""Files of a folder, in the order in which they are made."""


def silent(_: str) -> None:
    pass


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny training; not to be changed."""
    folder = tmp_path_factory.mktemp("training") / "2"
    assert train(TINY, folder, jobs=1, say=silent) == folder / "2.weights"
    return folder


def copied(folder: Path, to: Path, names: list[str]) -> Path:
    to.mkdir()
    for name in ["plan.json", *names]:
        (to / name).write_bytes((folder / name).read_bytes())
    return to


# ---- what is learnt


def random_network(seed: int) -> Network:
    """A network in doubles, so that differences can be small."""
    rng = np.random.default_rng(seed)
    return Network(*(rng.normal(0, 0.3, part.shape) for part in Network.fresh(0).parts))


def random_bits(rows: int, seed: int) -> np.ndarray:
    """Inputs, one in eight of them set."""
    bytes_ = np.random.default_rng(seed).integers(0, 256, (3, rows, fit.INPUTS // 8), dtype=np.uint8)
    return np.bitwise_and.reduce(bytes_)


def test_gradients_are_those_of_the_loss() -> None:
    network, rng = random_network(1), np.random.default_rng(2)
    bits = unpacked(random_bits(20, 3)).astype(float)
    targets, weights = rng.random((20, fit.OUTPUTS)), np.array([1.0, 2.0])
    loss, gradients = network.gradients(bits, targets, weights)
    assert loss == pytest.approx(((network(bits) - targets) ** 2 * weights).sum() / 20, rel=1e-4)
    for part, gradient in zip(network.parts, gradients, strict=True):
        assert gradient.shape == part.shape
        largest = np.argsort(np.abs(gradient), axis=None)[-20:]
        for at in [*largest, *rng.integers(0, part.size, 20)]:
            where, step = np.unravel_index(at, part.shape), 1e-6
            before = part[where]
            part[where] = before + step
            above, _ = network.gradients(bits, targets, weights)
            part[where] = before - step
            below, _ = network.gradients(bits, targets, weights)
            part[where] = before
            assert (above - below) / (2 * step) == pytest.approx(gradient[where], rel=1e-3, abs=1e-4)


def test_adam_finds_a_minimum() -> None:
    part = np.array([3.0, -2.0], np.float32)
    adam = Adam((part,))
    for _ in range(500):
        adam.step((2 * (part - 1),), 0.05)
    assert part == pytest.approx([1, 1], abs=0.01)


@pytest.mark.parametrize("rows", [100, fit.BATCH + 100])
def test_a_value_is_learnt_from_few_rows_and_from_many(rows: int) -> None:
    packed, network = random_bits(rows, 4), Network.fresh(5)
    bits = unpacked(packed)
    targets = np.stack([bits[:, 0] + bits[:, 1], bits[:, 2]], axis=1)
    before = float(((network(bits) - targets) ** 2).mean())
    fit_value(network, packed, targets, epochs=60, rate=0.003, seed=6, say=silent)
    assert float(((network(bits) - targets) ** 2).mean()) < before / 3


def test_a_policy_learns_the_softmax_that_it_is_shown() -> None:
    rng, wanted = np.random.default_rng(7), np.zeros(fit.POLICY, np.float32)
    wanted[:6] = [1.5, -1, 0.5, 0, -0.5, 2]
    lengths = rng.integers(1, 5, 3000)
    starts = np.concatenate(([0], np.cumsum(lengths)))
    features = np.full((starts[-1], 3), fit.POLICY - 1, np.int32)
    features[:, :2] = rng.integers(0, 6, (starts[-1], 2))
    odds = np.exp(wanted[features].sum(1))
    shares = (odds / np.repeat(np.add.reduceat(odds, starts[:-1]), lengths)).astype(np.float32)
    policy = np.zeros(fit.POLICY, np.float32)
    fit_policy(policy, features, starts, shares, epochs=200, rate=0.05, decay=0, seed=8, say=silent)
    assert policy[:6] - policy[3] == pytest.approx(wanted[:6], abs=0.05)
    assert not policy[6:].any()


def test_lessons_are_of_searched_decisions() -> None:
    lessons = searched_rounds(3, RandomPlayouts(), rounds=4, iterations=8, seed=9)
    decisions, starts = len(lessons.lengths), lessons.starts
    assert (starts[0], starts[-1]) == (0, len(lessons.shares))
    assert np.add.reduceat(lessons.shares, starts[:-1]) == pytest.approx(np.ones(decisions))
    assert lessons.features.shape == (starts[-1], FEATURES)
    rows = len(lessons.packed)
    assert lessons.packed.shape == (rows, fit.INPUTS // 8)
    assert lessons.expected.shape == lessons.got.shape == (rows, fit.OUTPUTS)
    assert lessons.rounds.sum() == rows >= 3 * decisions
    assert len(lessons.rounds) == 4
    assert not (lessons.rounds % 3).any()
    assert set(lessons.got[:, 1]) == {0.0, 1.0}
    again = searched_rounds(3, RandomPlayouts(), rounds=4, iterations=8, seed=9)
    both = Lessons.joined([lessons, again])
    assert np.array_equal(both.shares, np.concatenate([lessons.shares] * 2))
    assert np.array_equal(both.packed[len(lessons.packed) :], lessons.packed)


def test_a_round_that_is_broken_off_gave_what_was_expected_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eights.training.games._MOST_PLIES", 6)
    lessons = searched_rounds(2, RandomPlayouts(), rounds=1, iterations=8, seed=9)
    rows = lessons.rounds[0]
    assert rows > 2
    assert np.array_equal(lessons.got, np.tile(lessons.expected[rows - 2 :], (rows // 2, 1)))


def test_returns_go_back_from_what_a_round_gave() -> None:
    """Two rounds of two players, of three decisions and of one."""
    expected = np.array([[0, 0], [2, 1], [1, 0.5], [2, 0.5], [0, 0], [3, 1], [1, 0], [1, 0]], np.float32)
    got = np.array([[0, 0], [3, 1]] * 3 + [[2, 1], [1, 0]], np.float32)
    nothing = np.zeros(0, np.int64)
    lessons = Lessons(nothing, nothing, nothing, nothing, expected, got, np.array([6, 2]))
    assert np.array_equal(lessons.returns(0.0, players=2), expected)
    assert np.array_equal(lessons.returns(1.0, players=2), got)
    half = lessons.returns(0.5, players=2)
    assert np.array_equal(half[4:6], [[0, 0], [3, 1]])
    assert np.array_equal(half[2:4], [[0.5, 0.25], [2.5, 0.75]])
    assert np.array_equal(half[0:2], [[0.25, 0.125], [2.25, 0.875]])
    assert np.array_equal(half[6:8], [[1.5, 0.5], [1, 0]])


# ---- the core


def test_constants_are_those_of_the_core() -> None:
    state, rng = State(Rules.standard(players=3)), Rng(10)
    state.deal(rng)
    packed, targets = self_play(Rules.standard(players=3).ruleset, None, 5, 2, rng, samples=30)
    assert len(inputs(state, 0)) * 8 == fit.INPUTS
    assert len(packed) * 8 // fit.INPUTS == len(targets) // (4 * fit.OUTPUTS)
    seen = set()
    for seed in range(30):
        state, rng = State(Rules.standard(players=3, halves_add_up=True)), Rng(seed)
        state.deal(rng)
        while state.mover >= 0:
            for _, which in plays(state):
                assert len(which) <= FEATURES
                seen |= set(which)
            legal = state.legal_actions()
            state.apply(legal[rng.below(len(legal))])
            state.deal(rng)
    assert max(seen) < fit.POLICY - 1  # which is what fills up


def test_a_network_is_the_model_of_its_quantized_arrays() -> None:
    network = random_network(11)
    network.output[:] *= 0.1
    network.output_bias[:] = 1.0, 0.5
    policy = np.zeros(fit.POLICY, np.float32)
    arrays = quantized(network, policy)
    assert arrays["hidden"].shape == (fit.INPUTS, fit.HIDDEN)
    assert arrays["output"].shape == (fit.OUTPUTS, fit.HIDDEN)
    model = Model(**arrays, plies=4, exploration=0.3)
    state, rng = State(Rules.standard(players=2)), Rng(12)
    state.deal(rng)
    bits = unpacked(np.frombuffer(b"".join(inputs(state, seat) for seat in (0, 1)), np.uint8).reshape(2, -1))
    expected = np.clip(network(bits), 0, [3, 1])
    assert np.transpose(model.evaluate(state)) == pytest.approx(expected, abs=0.05)
    read_weights(weights_of(arrays, TINY))


def test_quantized_cuts_off_what_does_not_fit() -> None:
    network = random_network(13)
    network.hidden[0, 0] = 1000
    assert quantized(network, np.full(fit.POLICY, -1000, np.float32))["hidden"][0, 0] == 32767
    assert set(quantized(network, np.full(fit.POLICY, -1000, np.float32))["policy"]) == {-32767}


# ---- a folder


def test_the_same_plan_makes_the_same_weights_with_any_number_of_jobs(done: Path, tmp_path: Path) -> None:
    path = train(TINY, tmp_path / "2", jobs=2, say=silent)
    assert path.read_bytes() == (done / "2.weights").read_bytes()
    load_weights(path)
    assert sorted(each.name for each in path.parent.iterdir()) == sorted([*ORDER, "plan.json"])


@pytest.mark.parametrize("kept", [1, 3, 4, 5, 6])
def test_a_training_goes_on_from_whatever_is_there(done: Path, tmp_path: Path, kept: int) -> None:
    folder = copied(done, tmp_path / "2", ORDER[:kept])
    assert train(TINY, folder, jobs=1, say=silent).read_bytes() == (done / "2.weights").read_bytes()


def test_the_folder_of_another_plan_is_refused(done: Path, tmp_path: Path) -> None:
    folder = copied(done, tmp_path / "2", [])
    for plan in replace(TINY, seed=2), replace(TINY, samples=20_000), PLANS[2]:
        with pytest.raises(TrainingError, match="holds the training of another plan or version"):
            train(plan, folder, jobs=1, say=silent)
    plan_file = folder / "plan.json"
    plan_file.write_text(plan_file.read_text().replace('"POLICY": 256', '"POLICY": 255'))
    with pytest.raises(TrainingError, match="another plan or version"):
        train(TINY, folder, jobs=1, say=silent)


def cut_short(content: bytes) -> bytes:
    return content[: len(content) // 2]


def emptied(_: bytes) -> bytes:
    return b""


def with_a_wrong_byte(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :]


@pytest.mark.parametrize("damage", [cut_short, emptied, with_a_wrong_byte])
@pytest.mark.parametrize("name", ["plan.json", "plain-0.npz", "policy.npz", "searched-1-0.npz", "searched-1.npz"])
def test_a_damaged_file_is_named(done: Path, tmp_path: Path, name: str, damage: object) -> None:
    later = {"plain-0.npz": "policy.npz", "searched-1-0.npz": "searched-1.npz"}.get(name)
    folder = copied(done, tmp_path / "2", [each for each in ORDER if each != later])
    file = folder / name
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]
    with pytest.raises(TrainingError, match=rf"{name} is damaged: delete it, and it is made again\.") as caught:
        train(TINY, folder, jobs=1, say=silent)
    assert str(file) in str(caught.value)


def test_a_file_with_other_arrays_is_damaged(done: Path, tmp_path: Path) -> None:
    folder = copied(done, tmp_path / "2", ORDER)
    (folder / "value.npz").write_bytes((folder / "plain-0.npz").read_bytes())
    with pytest.raises(TrainingError, match=r"value\.npz is damaged"):
        train(TINY, folder, jobs=1, say=silent)
    copied(done, tmp_path / "3", ["plain-0.npz"])
    with np.load(done / "plain-0.npz") as file:
        arrays = dict(file)
    for changed in (
        {"shares": arrays["shares"][1:]},
        {"packed": arrays["packed"][:, 1:]},
        {"got": arrays["lengths"]},
        {"rounds": arrays["rounds"][1:]},
    ):
        np.savez(tmp_path / "3" / "plain-0.npz", **arrays | changed)
        with pytest.raises(TrainingError, match=r"plain-0\.npz is damaged"):
            train(TINY, tmp_path / "3", jobs=1, say=silent)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_weights_that_are_shipped_are_made_by_the_plans(players: int) -> None:
    content = (resources.files("eights") / "weights" / f"{players}.weights").read_bytes()
    made_by = json.loads(json.loads(content.split(b"\n")[1])["made_by"])
    assert made_by == json.loads(json.dumps(asdict(PLANS[players])))


def test_seeds_of_chunks_never_change() -> None:
    """The weights that are shipped were made with these."""
    assert [hash_of(1, "plain", 0), hash_of(1, "searched-1", 7), hash_of(2**64 - 1, "plain", 0)] == [
        98275603,
        330815258,
        879508996,
    ]


def test_the_largest_seed_can_be_used(tmp_path: Path) -> None:
    plan = replace(TINY, seed=2**64 - 1, plain_iterations=2, samples=2000, searched_rounds=())
    load_weights(train(plan, tmp_path / "2", jobs=1, say=silent))


# ---- processes


def test_a_process_that_dies_is_an_error_that_says_so(tmp_path: Path) -> None:
    def kill(text: str) -> None:
        if "plain, " in text:
            for child in multiprocessing.active_children():
                child.kill()

    plan = replace(TINY, plain_iterations=2, samples=2000)
    with pytest.raises(TrainingError, match=r"A process of the training has died: .* What was done until then is in"):
        train(plan, tmp_path / "2", jobs=1, say=kill)
    assert not multiprocessing.active_children()


def test_workers_start_again_after_they_were_ended() -> None:
    with pytest.raises(ValueError, match="There is at least 1 job, not 0"):
        Workers(0)
    with Workers(1) as workers:
        assert workers.submit(abs, -1).result() == 1
        workers.cut()
        assert not multiprocessing.active_children()
        assert workers.submit(abs, -2).result() == 2
    assert not multiprocessing.active_children()


def test_an_exception_ends_workers_without_waiting() -> None:
    def interrupted() -> None:
        with Workers(1) as workers:
            workers.submit(time.sleep, 600)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not multiprocessing.active_children()


# ---- the command

INTERRUPTED = "Interrupted. The same command goes on from what is in {}.\n"


def command(folder: Path) -> list[str]:
    """A training of many minutes."""
    return [*EIGHTS, "train", "--players", "2", "--jobs", "2", "--folder", str(folder)]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("seconds", [0.3, 1.5])
def test_ctrl_c_at_a_terminal_ends_a_training_at_once(tmp_path: Path, seconds: float) -> None:
    """It is sent to all processes, whether they have begun to work or are just being started."""
    with subprocess.Popen(
        command(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "2 players: plain search\n"
        time.sleep(seconds)
        os.killpg(program.pid, signal.SIGINT)
        _, err = program.communicate(timeout=15)
    assert (program.returncode, err) == (130, INTERRUPTED.format(tmp_path / "2"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_training_that_is_ended_ends_at_once_and_leaves_no_process(tmp_path: Path, sent: signal.Signals) -> None:
    with subprocess.Popen(command(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "2 players: plain search\n"
        time.sleep(1.5)  # processes are started, or about to be
        program.send_signal(sent)
        _, err = program.communicate(timeout=15)  # which waits for all processes that can still write
    if sent == signal.SIGINT:
        assert (program.returncode, err) == (130, INTERRUPTED.format(tmp_path / "2"))
    assert not list(tmp_path.glob("**/*.part"))


def test_errors_of_the_command_are_sentences(tmp_path: Path) -> None:
    assert "nan is no number" in run("train", "--effort", "nan", status=2).output
    file = tmp_path / "file"
    file.write_text("")
    assert "The training cannot be kept in" in run("train", "--folder", file / "x", status=1).output
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "plan.json").write_text("{")
    found = run("train", "--players", "2", "--folder", tmp_path, status=1)
    assert "plan.json is damaged: delete it, and it is made again." in found.output

"""Training from zero to weights: plain search teaches a policy, its rounds a value, and search with both teaches both.

Every stage leaves its result in a folder, and searched rounds are left there in chunks; what is there is not done
again, so that an interrupted training goes on where it was. Files are whole as soon as they have their name.
"""

import json
import os
from collections.abc import Callable, Mapping
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from eights_core.model import Model, self_play
from eights_core.rng import Rng
from numpy.typing import NDArray

from eights.models import ARRAYS, ArrayHeader, write_weights
from eights.processes import Workers
from eights.rules import Rules
from eights.training.fit import INPUTS, OUTPUTS, POLICY, Network, Progress, fit_policy, fit_value, quantized
from eights.training.games import FEATURES, OPTIONS, Lessons, evaluator_of, searched_rounds

ROLLOUT: Final = 4
"""Plies of the policy before the value: 4 was best of 0, 1, 2, 4, 8, 20 by matches of a prototype."""
EXPLORATION: Final = 0.6
"""PUCT's constant. By matches 0.4 and 0.8 were as good with two players, and 0.2 worse; with four too 0.8 beat 0.2."""
CHUNK: Final = 50
"""Rounds that are played and kept together."""
FORMAT: Final = 2
"""Version of what is kept in a folder."""

Arrays = Mapping[str, NDArray[Any]]


class TrainingError(RuntimeError):
    """A training that cannot go on; the message says why, and what to do."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is done, and by which seed: all that weights depend on.

    Rounds of plain search and iterations of each, samples of the policy's own rounds, rounds of each stage with the
    learned search and iterations of each, and the `trace` with which those teach the value (`Lessons.returns`). Rounds
    are played in chunks of CHUNK, the last one of them whole.
    """

    players: int
    plain_rounds: int = 800
    plain_iterations: int = 300
    samples: int = 2_000_000
    searched_rounds: tuple[int, ...] = (4000, 4000)
    searched_iterations: int = 400
    trace: float = 0.9
    seed: int = 1

    def scaled(self, effort: float, seed: int) -> "Plan":
        """The plan with about so many times the rounds and samples, but enough to learn from, and another seed."""
        return replace(
            self,
            plain_rounds=max(CHUNK, round(self.plain_rounds * effort)),
            samples=max(50_000, round(self.samples * effort)),
            searched_rounds=tuple(max(CHUNK, round(rounds * effort)) for rounds in self.searched_rounds),
            seed=seed,
        )


PLANS: Final = {
    2: Plan(players=2, searched_rounds=(3000, 3000)),
    3: Plan(players=3, plain_rounds=400, samples=1_500_000, searched_rounds=(1000, 1000)),
    4: Plan(players=4, searched_rounds=(2000, 2000)),
    5: Plan(players=5, plain_rounds=400, samples=1_500_000, searched_rounds=(800, 800)),
    6: Plan(players=6, searched_rounds=(2500, 2500)),
}
"""What made the weights that are shipped, by the number of players."""


def train(plan: Plan, folder: Path, *, jobs: int, say: Progress) -> Path:
    """Train the weights for one number of players in a folder of their own; returns the file of weights.

    Rounds are searched by `jobs` processes, which are started as new programs: a script keeps what it does under
    ``if __name__ == "__main__":``. An exception, KeyboardInterrupt too, ends them at once.

    TrainingError if the folder holds the training of another plan or a damaged file, or if a process dies; OSError if
    the folder cannot be read or written.
    """
    _claim(plan, folder)
    with Workers(jobs) as workers:
        training = _Training(plan, folder, workers, say)
        try:
            learner = training.run()
        except BrokenProcessPool:
            raise TrainingError(
                "A process of the training has died: it was killed, perhaps for want of memory, or the script does not "
                f"keep what it does under `if __name__ == '__main__':`. What was done until then is in {folder}."
            ) from None
    path = folder / f"{plan.players}.weights"
    _write(path, weights_of(learner.arrays(), plan))
    say(f"{plan.players} players: done, {path}")
    return path


def weights_of(arrays: Arrays, plan: Plan) -> bytes:
    """The file of weights with these arrays."""
    return write_weights(
        {
            key: np.ascontiguousarray(arrays[key]).astype(arrays[key].dtype.newbyteorder("<")).tobytes()
            for key in ARRAYS
        },
        {key: ArrayHeader(arrays[key].shape, str(arrays[key].dtype)) for key in ARRAYS},  # type: ignore[arg-type]
        players=plan.players,
        plies=ROLLOUT,
        exploration=EXPLORATION,
        made_by=json.dumps(asdict(plan)),
    )


def hash_of(seed: int, stage: str, chunk: int) -> int:
    """A seed for a chunk of rounds."""
    rng = Rng(seed)
    for char in f"{stage}:{chunk}":
        rng = Rng(rng.below(1 << 31) * 256 + ord(char))
    return rng.below(1 << 31)


@dataclass
class _Learner:
    """What learns: both parts of a model, in floats."""

    network: Network
    policy: NDArray[np.float32]

    def arrays(self) -> Arrays:
        return quantized(self.network, self.policy)

    def save(self, path: Path) -> None:
        _save(
            path, {"policy": self.policy, **{each.name: getattr(self.network, each.name) for each in fields(Network)}}
        )

    @classmethod
    def load(cls, path: Path) -> Self:
        fresh = Network.fresh(0)
        shapes = {each.name: getattr(fresh, each.name).shape for each in fields(Network)}
        arrays = _load(
            path, {"policy": (np.float32, (POLICY,))} | {name: (np.float32, shapes[name]) for name in shapes}
        )
        return cls(policy=arrays.pop("policy"), network=Network(**arrays))


@dataclass(frozen=True)
class _Training:
    """The stages of a training, in a folder that is claimed."""

    plan: Plan
    folder: Path
    workers: Workers
    say: Progress

    def run(self) -> _Learner:
        """All stages that are not yet done."""
        self._say("plain search")
        learner = self._stage("policy", self._from_plain_search)
        learner = self._stage("value", partial(self._from_own_rounds, learner))
        for number, rounds in enumerate(self.plan.searched_rounds, start=1):
            learner = self._stage(f"searched-{number}", partial(self._from_search, learner, number, rounds))
        return learner

    def _say(self, text: str) -> None:
        self.say(f"{self.plan.players} players: {text}")

    def _stage(self, name: str, work: Callable[[], _Learner]) -> _Learner:
        """The learner after a stage, from its file if it has been done before."""
        path = self.folder / f"{name}.npz"
        if not path.exists():
            work().save(path)
        return _Learner.load(path)

    def _from_plain_search(self) -> _Learner:
        plan = self.plan
        lessons = self._searched("plain", plan.plain_rounds, None, plan.plain_iterations)
        learner = _Learner(Network.fresh(plan.seed), np.zeros(POLICY, np.float32))
        self._learn_policy(learner, lessons, rate=0.05)
        return learner

    def _from_own_rounds(self, learner: _Learner) -> _Learner:
        """The value of the policy's play against itself: many cheap rounds, of the presets and of every option."""
        plan = self.plan
        model = Model(**learner.arrays(), plies=ROLLOUT, exploration=EXPLORATION)
        rules = [Rules.standard(players=plan.players)] * 3 + [Rules.shafir(players=plan.players)] * 2
        rules += [Rules.standard(players=plan.players, **{name: True}) for name in OPTIONS]
        packed, targets = [], []
        for number, each in enumerate(rules):
            one = plan.samples // len(rules)
            rng = Rng((plan.seed + number) % (1 << 64))
            inputs, values = self_play(each.ruleset, model, one, 12 if plan.players == 2 else 6, rng, samples=one)
            packed.append(np.frombuffer(inputs, np.uint8).reshape(-1, INPUTS // 8))
            targets.append(np.frombuffer(values, np.float32).reshape(-1, OUTPUTS))
        self._say(f"the value of {sum(map(len, packed)):,} states of the policy's rounds")
        fit_value(
            learner.network,
            np.concatenate(packed),
            np.concatenate(targets),
            epochs=3,
            rate=0.003,
            seed=plan.seed,
            say=self._say,
        )
        return learner

    def _from_search(self, learner: _Learner, number: int, rounds: int) -> _Learner:
        plan = self.plan
        lessons = self._searched(f"searched-{number}", rounds, learner.arrays(), plan.searched_iterations)
        self._learn_policy(learner, lessons, rate=0.02)
        fit_value(
            learner.network,
            lessons.packed,
            lessons.returns(plan.trace, plan.players),
            epochs=6,
            rate=0.001,
            seed=plan.seed + number,
            say=self._say,
        )
        return learner

    def _learn_policy(self, learner: _Learner, lessons: Lessons, *, rate: float) -> None:
        fit_policy(
            learner.policy,
            lessons.features.astype(np.int32),
            lessons.starts,
            lessons.shares,
            epochs=12,
            rate=rate,
            decay=1e-5,
            seed=self.plan.seed,
            say=self._say,
        )

    def _searched(self, stage: str, rounds: int, arrays: Arrays | None, iterations: int) -> Lessons:
        """Searched rounds; chunks of them that are not in the folder are played, several at the same time."""
        plan = self.plan
        chunks = range((rounds + CHUNK - 1) // CHUNK)
        paths = [self.folder / f"{stage}-{chunk}.npz" for chunk in chunks]
        tasks = [
            self.workers.submit(
                _play_chunk, paths[chunk], plan.players, arrays, iterations, hash_of(plan.seed, stage, chunk)
            )
            for chunk in chunks
            if not paths[chunk].exists()
        ]
        for done, task in enumerate(as_completed(tasks), start=len(chunks) - len(tasks) + 1):
            task.result()
            if done % 10 == 0 or done == len(chunks):
                self._say(f"{stage}, {done * CHUNK} of {len(chunks) * CHUNK} rounds")
        return Lessons.joined([_load_lessons(path) for path in paths])


def _play_chunk(path: Path, players: int, arrays: Arrays | None, iterations: int, seed: int) -> None:
    """Play the rounds of a chunk and leave them in its file; the work of a process."""
    lessons = searched_rounds(
        players,
        evaluator_of(arrays, ROLLOUT, EXPLORATION),
        rounds=CHUNK,
        iterations=iterations,
        seed=seed,
    )
    _save(path, {each.name: getattr(lessons, each.name) for each in fields(Lessons)})


# ---- files


_LESSONS: Final[dict[str, tuple[type[np.generic], tuple[int, ...]]]] = {
    "features": (np.int16, (-1, FEATURES)),
    "shares": (np.float32, (-1,)),
    "lengths": (np.int64, (-1,)),
    "packed": (np.uint8, (-1, INPUTS // 8)),
    "expected": (np.float32, (-1, OUTPUTS)),
    "got": (np.float32, (-1, OUTPUTS)),
    "rounds": (np.int64, (-1,)),
}


def _load_lessons(path: Path) -> Lessons:
    lessons = Lessons(**_load(path, _LESSONS))
    plays = int(lessons.lengths.sum())
    rows = int(lessons.rounds.sum())
    if not plays == len(lessons.features) == len(lessons.shares) or not (
        rows == len(lessons.packed) == len(lessons.expected) == len(lessons.got)
    ):
        raise _damaged(path)
    return lessons


def _claim(plan: Plan, folder: Path) -> None:
    """Write down in a folder what it is for, or see that it is for this."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "plan.json"
    text = json.dumps(
        {
            "format": FORMAT,
            "plan": asdict(plan),
            "CHUNK": CHUNK,
            "ROLLOUT": ROLLOUT,
            "EXPLORATION": EXPLORATION,
            "INPUTS": INPUTS,
            "POLICY": POLICY,
            "FEATURES": FEATURES,
        },
        indent=1,
    )
    if not path.exists():
        _write(path, text.encode())
        return
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    if found != json.loads(text):
        raise TrainingError(
            f"{folder} holds the training of another plan or version: choose another folder, or empty it."
        )


def _damaged(path: Path) -> TrainingError:
    return TrainingError(f"{path} is damaged: delete it, and it is made again.")


def _save(path: Path, arrays: dict[str, Any]) -> None:
    buffer = BytesIO()
    np.savez(buffer, **arrays)
    _write(path, buffer.getvalue())


def _load(path: Path, expected: Mapping[str, tuple[type[np.generic], tuple[int, ...]]]) -> dict[str, NDArray[Any]]:
    """The arrays of a file, of these types and shapes; -1 is any length. TrainingError if it has others."""
    content = path.read_bytes()
    try:
        with np.load(BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in expected}
    except MemoryError:
        raise
    except Exception:  # there is no end to the errors that zipfile and numpy have for damaged files
        raise _damaged(path) from None
    for name, (dtype, shape) in expected.items():
        found = tuple(-1 if size == -1 else length for length, size in zip(arrays[name].shape, shape, strict=False))
        if arrays[name].dtype != dtype or arrays[name].ndim != len(shape) or found != shape:
            raise _damaged(path)
    return arrays


def _write(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all, whoever else writes it."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)

"""Training from zero to weights: plain search teaches a policy, its rounds a value, and search with both teaches both.

Every stage leaves its result in a folder, the rounds of a stage in chunks; what is there is not done again, so that an
interrupted training goes on where it was.
"""

import concurrent.futures
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from eights_core.model import Model, self_play
from eights_core.rng import Rng
from numpy.typing import NDArray

from eights.models import ARRAYS, ArrayHeader, write_weights
from eights.rules import Rules
from eights.training.fit import OUTPUTS, POLICY, Network, Progress, fit_policy, fit_value, quantized
from eights.training.games import OPTIONS, Lessons, evaluator_of, searched_rounds

ROLLOUT: Final = 4
"""Plies of the policy before the value: 4 was best of 0, 1, 2, 4, 8, 20 by matches of a prototype."""
EXPLORATION: Final = 0.3
"""UCB's constant with a value; about 0.3 was best by matches of a prototype."""
CHUNK: Final = 50
"""Rounds that are kept together."""

Arrays = Mapping[str, NDArray[Any]]


class TrainingError(RuntimeError):
    """A training that cannot go on in its folder."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How much is done: rounds of plain search, samples of the policy's own rounds, and rounds of each later stage."""

    players: int
    plain_rounds: int = 800
    plain_iterations: int = 300
    samples: int = 2_000_000
    searched_rounds: tuple[int, ...] = (4000, 4000)
    searched_iterations: int = 400
    share: float = 0.3
    seed: int = 1

    def scaled(self, effort: float, seed: int) -> "Plan":
        """The plan with about so many times the work, and another seed."""
        return replace(
            self,
            plain_rounds=max(CHUNK, round(self.plain_rounds * effort)),
            samples=max(50_000, round(self.samples * effort)),
            searched_rounds=tuple(max(CHUNK, round(rounds * effort)) for rounds in self.searched_rounds),
            seed=seed,
        )


PLANS: Final = {
    2: Plan(players=2, searched_rounds=(3000, 3000)),
    3: Plan(players=3, plain_rounds=400, samples=1_500_000, searched_rounds=(1000,), searched_iterations=300),
    4: Plan(players=4, searched_rounds=(1500, 1500), searched_iterations=300),
    5: Plan(players=5, plain_rounds=400, samples=1_500_000, searched_rounds=(1000,), searched_iterations=300),
    6: Plan(players=6, plain_rounds=400, samples=1_500_000, searched_rounds=(1000,), searched_iterations=300),
}
"""What made the weights that are shipped, by the number of players."""


@dataclass
class _Learner:
    network: Network
    policy: NDArray[np.float32]

    def arrays(self) -> Arrays:
        return quantized(self.network, self.policy)

    def save(self, path: Path) -> None:
        network = self.network
        part = path.with_suffix(".part.npz")
        np.savez(
            part,
            hidden=network.hidden,
            hidden_bias=network.hidden_bias,
            output=network.output,
            output_bias=network.output_bias,
            policy=self.policy,
        )
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> "_Learner":
        with np.load(path, allow_pickle=False) as file:
            network = Network(file["hidden"], file["hidden_bias"], file["output"], file["output_bias"])
            return cls(network, file["policy"])


def train(plan: Plan, folder: Path, *, jobs: int, say: Progress) -> Path:
    """Train the weights for one number of players in a folder of their own; returns the file of weights.

    TrainingError if the folder holds the training of another plan.
    """
    _claim(plan, folder)
    say(f"{plan.players} players: plain search")
    learner = _stage(folder / "policy.npz", lambda: _from_plain_search(plan, folder, jobs, say))
    learner = _stage(folder / "value.npz", lambda: _from_own_rounds(plan, learner, say))
    for number, rounds in enumerate(plan.searched_rounds, start=1):
        before = learner
        learner = _stage(
            folder / f"searched-{number}.npz",
            lambda before=before, number=number, rounds=rounds: _from_search(
                plan, before, folder, number, rounds, jobs, say
            ),
        )
    path = folder / f"{plan.players}.weights"
    path.write_bytes(weights_of(learner.arrays(), plan))
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


def _claim(plan: Plan, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path, text = folder / "plan.json", json.dumps(asdict(plan), indent=1)
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text:
        raise TrainingError(f"{folder} holds the training of another plan: choose another folder, or empty it.")


def _stage(path: Path, work: Any) -> _Learner:
    """The learner after a stage, from its file if it has been done before."""
    if not path.exists():
        learner: _Learner = work()
        learner.save(path)
    return _Learner.load(path)


def _from_plain_search(plan: Plan, folder: Path, jobs: int, say: Progress) -> _Learner:
    lessons = _play(plan, None, folder, "plain", plan.plain_rounds, plan.plain_iterations, 1.0, jobs, say)
    learner = _Learner(Network.fresh(plan.seed), np.zeros(POLICY, np.float32))
    _learn_policy(learner, lessons, plan, rate=0.05, say=say)
    return learner


def _from_own_rounds(plan: Plan, learner: _Learner, say: Progress) -> _Learner:
    """The value of the policy's play against itself: many cheap rounds, of the presets and of every option."""
    model = Model(**learner.arrays(), plies=ROLLOUT, exploration=EXPLORATION)
    rules = [Rules.standard(players=plan.players)] * 3 + [Rules.shafir(players=plan.players)] * 2
    rules += [Rules.standard(players=plan.players, **{name: True}) for name in OPTIONS]
    packed, targets = [], []
    for number, each in enumerate(rules):
        one = plan.samples // len(rules)
        inputs, values = self_play(
            each.ruleset, model, one, 12 if plan.players == 2 else 6, Rng(plan.seed + number), samples=one
        )
        packed.append(np.frombuffer(inputs, np.uint8).reshape(-1, len(inputs) * 2 * 4 // len(values)))
        targets.append(np.frombuffer(values, np.float32).reshape(-1, OUTPUTS))
    say(f"{plan.players} players: the value of {sum(map(len, packed)):,} states of the policy's rounds")
    fit_value(
        learner.network, np.concatenate(packed), np.concatenate(targets), epochs=3, rate=0.003, seed=plan.seed, say=say
    )
    return learner


def _from_search(
    plan: Plan, learner: _Learner, folder: Path, number: int, rounds: int, jobs: int, say: Progress
) -> _Learner:
    lessons = _play(
        plan, learner.arrays(), folder, f"searched-{number}", rounds, plan.searched_iterations, plan.share, jobs, say
    )
    _learn_policy(learner, lessons, plan, rate=0.02, say=say)
    fit_value(learner.network, lessons.packed, lessons.values, epochs=6, rate=0.001, seed=plan.seed + number, say=say)
    return learner


def _learn_policy(learner: _Learner, lessons: Lessons, plan: Plan, *, rate: float, say: Progress) -> None:
    fit_policy(
        learner.policy, lessons.features.astype(np.int32), lessons.starts, lessons.shares,
        epochs=12, rate=rate, decay=1e-5, seed=plan.seed, say=say,
    )  # fmt: skip


def _play(
    plan: Plan,
    arrays: Arrays | None,
    folder: Path,
    stage: str,
    rounds: int,
    iterations: int,
    share: float,
    jobs: int,
    say: Progress,
) -> Lessons:
    """Searched rounds on several processors, in chunks that are kept in the folder until training is done."""
    chunks = range((rounds + CHUNK - 1) // CHUNK)
    paths = [folder / f"{stage}-{chunk}.npz" for chunk in chunks]
    missing = [chunk for chunk in chunks if not paths[chunk].exists()]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        tasks = {
            pool.submit(
                _play_chunk,
                paths[chunk],
                plan.players,
                arrays,
                iterations,
                share,
                hash_of(plan.seed, stage, chunk),
            )
            for chunk in missing
        }
        for done, task in enumerate(concurrent.futures.as_completed(tasks), start=len(chunks) - len(missing) + 1):
            task.result()
            if done % 10 == 0 or done == len(chunks):
                say(f"{plan.players} players, {stage}: {done * CHUNK} of {len(chunks) * CHUNK} rounds")
    return Lessons.joined([_load_lessons(path) for path in paths])


def hash_of(seed: int, stage: str, chunk: int) -> int:
    """A seed for a chunk of rounds."""
    rng = Rng(seed)
    for char in f"{stage}:{chunk}":
        rng = Rng(rng.below(1 << 31) * 256 + ord(char))
    return rng.below(1 << 31)


def _play_chunk(path: Path, players: int, arrays: Arrays | None, iterations: int, share: float, seed: int) -> None:
    lessons = searched_rounds(
        players,
        evaluator_of(arrays, ROLLOUT, EXPLORATION),
        rounds=CHUNK,
        iterations=iterations,
        share=share,
        seed=seed,
    )
    part = path.with_suffix(".part.npz")
    np.savez(part, **asdict(lessons))
    part.replace(path)


def _load_lessons(path: Path) -> Lessons:
    with np.load(path, allow_pickle=False) as file:
        return Lessons(**{name: file[name] for name in ("features", "shares", "lengths", "packed", "values")})

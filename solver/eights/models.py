"""Learned weights: their file, and which of them a rule set is played with.

A file is the line ``eights weights 1``, a line of JSON, and the arrays of `eights_core.model.Model`, little-endian, one
after the other. The JSON gives the players that they are for, the shape and type of each array, what the rollouts and
the search need, how they were made, and the SHA-256 of the arrays.
"""

import hashlib
import math
import sys
from array import array
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from eights_core.belief import RandomPlayouts
from eights_core.game import Evaluator
from eights_core.model import Model

from eights.actions import COPIES
from eights.rules import MOST_PLAYERS, Rules
from eights.text import quoted

MAGIC: Final = b"eights weights 1\n"
MOST_BYTES: Final = 2 << 20
ARRAYS: Final = ("hidden", "hidden_bias", "output", "output_bias", "policy")
"""The order of the arrays in a file."""


class Errors(NamedTuple):
    """What a search is wrong by besides its sampling, as standard deviations: a move's points, and a margin's."""

    points: float
    margin: float


NO_ERRORS: Final = Errors(0.0, 0.0)
HIDDEN_HANDS: Final = Errors(points=0.18, margin=0.08)
OPEN_HANDS: Final = Errors(points=0.29, margin=0.32)
"""Those of the learned values while the mover does not know a hand, and when he knows all.

By benchmarks/calibration.py: τ over all numbers of players, of searches with 1,000 iterations; of margins with hidden
hands, where τ² was not above 0, what it is one standard error higher.
"""


class WeightsError(ValueError):
    """A file of weights that cannot be used."""


class ArrayHeader(msgspec.Struct, frozen=True):
    """An array of a file: `dtype` is that of numpy, without byte order."""

    shape: tuple[int, ...]
    dtype: Literal["int16", "int32"]

    @property
    def code(self) -> Literal["h", "i"]:
        """The type as `array` and `memoryview` call it."""
        return "h" if self.dtype == "int16" else "i"

    @property
    def nbytes(self) -> int:
        """Bytes of the array."""
        return math.prod(self.shape) * (2 if self.dtype == "int16" else 4)


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The second line of a file of weights."""

    players: Annotated[int, msgspec.Meta(ge=2, le=MOST_PLAYERS)]
    plies: int
    exploration: Annotated[float, msgspec.Meta(gt=0, le=10)]
    arrays: dict[str, ArrayHeader]
    sha256: str
    made_by: str = ""


def load_weights(path: Path, rules: Rules | None = None) -> Model:
    """The model of a file, which is read again only when its time or size has changed.

    OSError if there is none; WeightsError as of `read_weights`, or if it is of no use with the `rules`.
    """
    status = path.stat()
    weights = _loaded(path, status.st_mtime_ns, status.st_size)
    _check_fit(weights, rules, quoted(path.name))
    return weights.model


def read_weights(content: bytes, name: str = "The file") -> Model:
    """The model of a file's content; `name` is what errors call it.

    WeightsError, a sentence, if it has another version or shape, or is damaged.
    """
    return _parsed(content, name).model


class _Weights(NamedTuple):
    """A model, and the players that it is for."""

    players: int
    model: Model


@lru_cache(maxsize=16)
def _loaded(path: Path, mtime_ns: int, size: int) -> _Weights:
    return _parsed(_content(path), quoted(path.name))


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise WeightsError(f"{quoted(path.name)} is larger than {MOST_BYTES} bytes: it holds no weights.")
    return content


def _parsed(content: bytes, name: str) -> _Weights:
    if not content.startswith(MAGIC):
        raise WeightsError(
            f"{name} does not begin with {MAGIC.decode().strip()!r}: it holds other things or another version."
        )
    line, _, data = content[len(MAGIC) :].partition(b"\n")
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise WeightsError(f"The header of {name} cannot be read: {str(error)[:200]}.") from None
    if tuple(header.arrays) != ARRAYS:
        raise WeightsError(f"{name} has the arrays {quoted(', '.join(header.arrays))}, not {', '.join(ARRAYS)}.")
    if any(size < 1 for shape in header.arrays.values() for size in shape.shape) or len(data) != sum(
        shape.nbytes for shape in header.arrays.values()
    ):
        raise WeightsError(f"{name} is cut short or too long: its arrays do not fill it.")
    if hashlib.sha256(data).hexdigest() != header.sha256:
        raise WeightsError(f"{name} is damaged: its checksum is not the one it gives.")
    views, at = {}, 0
    try:
        for key, shape in header.arrays.items():
            numbers = array(shape.code, data[at : at + shape.nbytes])
            if sys.byteorder == "big":
                numbers.byteswap()
            views[key] = memoryview(numbers).cast("B").cast(shape.code, shape.shape)
            at += shape.nbytes
        return _Weights(header.players, Model(**views, plies=header.plies, exploration=header.exploration))
    except (ValueError, TypeError) as error:
        raise WeightsError(f"{name} does not fit this version: {str(error)[:200]}") from None


def _check_fit(weights: _Weights, rules: Rules | None, name: str) -> None:
    """WeightsError if rules are given with which the weights are of no use."""
    if rules is None:
        return
    if weights.players != rules.players:
        raise WeightsError(f"{name} holds weights for {weights.players} players, not for {rules.players}.")
    if not _is_full(rules):
        raise WeightsError(f"{name} holds weights for the full deck and three cards in each zone, not for these rules.")


def _is_full(rules: Rules) -> bool:
    """Whether the deck and the zones are those that weights are learnt with; they are of no use with others."""
    return rules.deck == COPIES and (rules.hand_size, rules.open_size, rules.blind_size) == (3, 3, 3)


def write_weights(
    arrays: dict[str, bytes],
    headers: dict[str, ArrayHeader],
    *,
    players: int,
    plies: int,
    exploration: float,
    made_by: str,
) -> bytes:
    """The content of a file; `arrays` are little-endian, `headers` say what they are."""
    data = b"".join(arrays[key] for key in ARRAYS)
    header = Header(
        players=players,
        plies=plies,
        exploration=exploration,
        arrays={key: headers[key] for key in ARRAYS},
        sha256=hashlib.sha256(data).hexdigest(),
        made_by=made_by,
    )
    return MAGIC + msgspec.json.encode(header) + b"\n" + data


def _weights_file(players: int) -> Traversable:
    return resources.files("eights") / "weights" / f"{players}.weights"


@lru_cache(maxsize=8)
def _shipped(players: int) -> Model | None:
    file = _weights_file(players)
    return read_weights(file.read_bytes(), file.name) if file.is_file() else None


def default_evaluator(rules: Rules) -> Evaluator:
    """What is strongest for a rule set: the shipped weights for so many players, random playouts for small decks."""
    return (_shipped(rules.players) if _is_full(rules) else None) or RandomPlayouts()


def errors_of(evaluator: Evaluator, *, hands_open: bool) -> Errors:
    """What a search with this evaluator is wrong by, as far as it was measured: by a learned value of good play.

    How far rounds played at random are from good ones was not, so that nothing is added for `RandomPlayouts`.
    """
    if not isinstance(evaluator, Model):
        return NO_ERRORS
    return OPEN_HANDS if hands_open else HIDDEN_HANDS


def default_checksum(rules: Rules) -> str:
    """What tells the default evaluator from those of other versions: a digest of its weights, or `playouts`."""
    if isinstance(default_evaluator(rules), RandomPlayouts):
        return "playouts"
    return _checksum(_weights_file(rules.players).read_bytes())


def file_checksum(path: Path) -> str:
    """The same of a file of weights; OSError or WeightsError if it cannot be read, or is too large to be one."""
    return _checksum(_content(path))


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]

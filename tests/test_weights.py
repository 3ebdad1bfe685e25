"""The weights that are shipped."""

import hashlib
import json
from pathlib import Path

import eights
from eights import Rules
from eights.models import ARRAYS, MAGIC, default_evaluator, load_weights
from eights_core.belief import RandomPlayouts
from eights_core.model import Model


def test_what_is_shipped_is_used_for_the_full_deck_only() -> None:
    for players in range(2, 7):
        evaluator = default_evaluator(Rules.standard(players=players))
        assert isinstance(evaluator, Model)
        assert evaluator is default_evaluator(Rules.shafir(players=players, open_sets=True))
    assert isinstance(default_evaluator(Rules.standard(players=3, hand_size=2)), RandomPlayouts)
    deck = (2, 1, 1, 2, 1, 2, 1, 2, 2, 1, 3, 2)
    assert isinstance(default_evaluator(Rules.standard(players=2, deck=deck)), RandomPlayouts)


def test_the_files_shipped_are_small_and_sound() -> None:
    folder = Path(eights.__file__).parent / "weights"
    files = sorted(folder.glob("*.weights"))
    assert [file.stem for file in files] == ["2", "3", "4", "5", "6"]
    assert sum(file.stat().st_size for file in files) <= 1_000_000
    for file in files:
        content = file.read_bytes()
        header = json.loads(content[len(MAGIC) :].partition(b"\n")[0])
        assert header["players"] == int(file.stem)
        assert list(header["arrays"]) == list(ARRAYS)
        assert hashlib.sha256(content[len(MAGIC) :].partition(b"\n")[2]).hexdigest() == header["sha256"]
        load_weights(file)

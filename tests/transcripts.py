"""The transcripts in tests/data/transcripts: rounds played at random by an independent program, one JSON object a line.

A round has `rules`, `players`, `exchange`, `steps` and the outcome (`points` as exact fractions, `counts`, `winner`,
`big_loser`, `end`, `plies`). A step is a chance event {chance, seat, zone, pool} or an action {act, seat, text, legal,
position, value, felon}.
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

# Another folder of transcripts can be checked without copying it here.
FOLDER = Path(os.environ.get("EIGHTS_TRANSCRIPTS", Path(__file__).parent / "data" / "transcripts"))


class Transcript(NamedTuple):
    """One recorded round and where it comes from."""

    name: str
    round: dict[str, Any]


def load() -> list[Transcript]:
    """All recorded rounds, named `file:line`."""
    found = []
    for path in sorted(FOLDER.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                found.append(Transcript(f"{path.name.removesuffix('.jsonl.gz')}:{number}", json.loads(line)))
    return found

"""Texts that are compared with files under tests/data.

EIGHTS_GOLDENS=write makes the files anew; read the diff.
"""

import os
from pathlib import Path

DATA = Path(__file__).parent / "data"


def check_golden(name: str, text: str) -> None:
    """Fail unless `text` is what the file holds."""
    path = DATA / name
    if os.environ.get("EIGHTS_GOLDENS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")

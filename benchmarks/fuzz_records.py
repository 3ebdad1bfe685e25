"""Coverage-guided fuzzing of all that reads records and positions; needs atheris, which the project does not depend on.

    pip install atheris
    python benchmarks/fuzz_records.py [--seconds 60] [--corpus FOLDER]

Every input is read as the record of a round, as that of a match, and as a position. Only the errors that are promised
may come out of that; what is read, be it up to a fault, is written and read again, and must be the same. An input that
fails is left in the current folder as `crash-…`. A corpus folder is read and added to.
"""

import argparse
import io
import json
import random
import sys
import tempfile
from contextlib import nullcontext, suppress
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["eights"]):
    import eights
    from eights_core.halves import OPENING

MOST_INPUT = 20_000
NUMBERS = [-1, 0, 1, 2, 5, 1 << 31, 1 << 63, 1 << 64, 10**30, 0.5]
WORDS = ["?", "0", "9", "H", "G", "3x2", "8H", "take", "blind", "keep", "swap 3 9", "hand", "open", "out", "shafir", ""]
VALUES = [*NUMBERS, *WORDS, None, True, [], [0, 1], [0, 1 << 63], ["a", "b"], {}]


def some_records() -> list[str]:
    """Texts to begin with: short rounds and matches, whole and as a seat sees them, and a position."""
    texts = []
    for number, options in enumerate(({}, {"open_sets": True, "halves_add_up": True}, {"fewest_tie": "split"})):
        players = 2 + number % 2
        rules = eights.Rules.standard(
            players,
            deck=(2, 1, 2, 1, 1, 2, 1, 1, 2, 2, 2, 2),
            hand_size=2,
            open_size=1,
            blind_size=1,
            match_rounds=2,
            **options,
        )
        match = eights.Match(rules, [f"player {player}" for player in range(players)], number)
        record = eights.play(match, [eights.RandomPlayer(seed) for seed in range(players)])
        wholes = [record, *record.rounds]
        texts += [seen.dumps() for whole in wholes for seen in (whole, whole.view(1))]
        texts.append(str(record.rounds[0].position(5)))
    return texts


def check(data: bytes) -> None:
    """Read an input in every way; AssertionError, or what should not have come out, if something is wrong."""
    for cls in (eights.Record, eights.MatchRecord):
        try:
            record = cls.load(io.BytesIO(data))
        except eights.RecordError as error:
            record = error.record
        if record is not None:
            text = record.dumps()
            again = cls.loads(text)
            assert again == record
            assert again.dumps() == text
            look_at(record)
    try:
        position = eights.parse_position(data.decode(errors="replace"))
    except eights.NotationError:
        return
    assert eights.parse_position(position.format()) == position
    position.sample(eights.Rng(1))


def look_at(record: eights.Record | eights.MatchRecord) -> None:
    """What can be asked of a record is answered."""
    rounds = record.rounds if isinstance(record, eights.MatchRecord) else [record]
    for played in rounds:
        for _ in played.replay():
            pass
        if played.state.mover >= 0:
            # A seat does not know who is to open, and is told so where it cannot be the seat itself.
            with suppress(eights.ImpossiblePosition) if unsure_of_opener(played) else nullcontext():
                played.position()
        played.view(played.seat or 0)


def unsure_of_opener(record: eights.Record) -> bool:
    return record.seat is not None and record.state.phase == OPENING


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Often an edit of whole lines, of a field, or of the course of the round; else what libFuzzer does to bytes."""
    dice = random.Random(seed)
    lines = data.split(b"\n")
    kind = dice.randrange(8)
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, lines[other])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        at = dice.choice([0, at, -1])  # the first line, which says most, is one of many
        lines[at] = with_another_value(lines[at], dice)
    elif kind == 4:
        lines = played_on(lines[:at], dice)
    else:
        return atheris.Mutate(data, max_size)
    return b"\n".join(lines)[:max_size]


def with_another_value(line: bytes, dice: random.Random) -> bytes:
    """The JSON object of a line with one field changed, added or left out; the line itself if it has none."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not isinstance(fields, dict):
        return line
    name = dice.choice([*fields, "analysis", "seat", "seed", "new"])
    if name in fields and dice.random() < 0.2:
        del fields[name]
    else:
        several = [dice.choice(VALUES) for _ in range(dice.randrange(4))]
        fields[name] = dice.choice([dice.choice(VALUES), several])
    return json.dumps(fields).encode()


def played_on(lines: list[bytes], dice: random.Random) -> list[bytes]:
    """These lines, and some more plies if they are the record of a round that is not over; who sees it all plays it."""
    try:
        record = eights.Record.load(io.BytesIO(b"\n".join(lines)))
    except eights.RecordError:
        return lines
    if record.is_over or record.seat is not None:
        return lines
    rng = eights.Rng(dice.randrange(1 << 32))
    for _ in range(dice.randrange(40)):
        record.deal(rng)
        if record.state.mover == eights.TERMINAL:
            record.finish()
            break
        record.act(dice.choice(record.state.legal_actions()))
    return record.dumps().encode().split(b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    corpus = arguments.corpus or Path(tempfile.mkdtemp(prefix="fuzz-records-"))
    corpus.mkdir(exist_ok=True)
    for number, text in enumerate(some_records()):
        corpus.joinpath(f"begin-{number}").write_text(text, encoding="utf-8")
    options = [f"-max_total_time={arguments.seconds}", f"-max_len={MOST_INPUT}", "-timeout=20", "-rss_limit_mb=2000"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], check, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

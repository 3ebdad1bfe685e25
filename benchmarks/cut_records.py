"""Cut and damage the records of simulated rounds: each is refused at the right line, and goes on from what came before.

    python benchmarks/cut_records.py [--rounds 200] [--seed 1]

`eights simulate` plays the rounds and writes the records. Each one is held against the rules and its seed, loaded and
dumped, as it is and as every player saw it. Then it is cut at random bytes and damaged at random lines: the library and
the command line must refuse it at that line and keep what came before; with the rest of its events that must be the
whole record again, and players must be able to end the round. Exit status 1 if any of that fails. About two minutes by
default.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import eights
from eights.events import MOST_LINE, Act, Reveal, decode

CUTS = 6
"""Cuts of a record, and as many of what one player saw of it."""
EIGHTS = [sys.executable, "-c", "from eights_cli.main import main; main(prog_name='eights')"]


class Failure(Exception):
    """Something does not hold."""


def check(holds: bool, what: str) -> None:
    """Failure unless `holds`; `what` says what then is wrong."""
    if not holds:
        raise Failure(what)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command line, in a process of its own."""
    return subprocess.run([*EIGHTS, *map(str, arguments)], capture_output=True, encoding="utf-8", check=False)


# ---- whole records


def check_whole(text: str) -> eights.MatchRecord:
    """The match of a text, which is as the rules have it and the same in every form."""
    match = eights.MatchRecord.loads(text)
    check(match.dumps() == text, "what was loaded is dumped as another text")
    for record in match.rounds:
        check_round(record)
    for player in range(match.start.players):
        view = match.view(player)
        check(eights.MatchRecord.loads(view.dumps()) == view, f"what player {player} saw is loaded as something else")
    return match


def check_round(record: eights.Record) -> None:
    """A replay goes through the states to which the deal of its seed and the actions lead."""
    deal = eights.Deal(record.rules, record.start.seed or 0)
    state = eights.State(record.rules, record.start.exchange)
    for event, replayed in record.replay():
        if isinstance(event, Reveal):
            state.apply(deal.draw(state))
        elif isinstance(event, Act):
            check(state.mover == event.seat, "another seat is to act")
            state.apply(eights.parse_action(event.action))
        check(state == replayed, "a replay comes to another state")
    check(state.mover == eights.TERMINAL, "a round is not over")


# ---- cut records


def check_cut(whole: eights.MatchRecord, at: int) -> None:
    """A record cut before a byte is refused at the line that is cut, if one is, and goes on from those before."""
    text = whole.dumps()
    lines = text.splitlines()
    kept = text[:at].splitlines()
    good = len(kept) if kept and kept[-1] == lines[len(kept) - 1] else max(0, len(kept) - 1)
    try:
        record = eights.MatchRecord.loads(text[:at])
        check(good == len(kept) > 0, f"cut at byte {at}, it is not refused")
    except eights.RecordError as error:
        check(good < len(kept) or not kept, f"cut after line {good}, it is refused: {error}")
        check(error.line == (len(kept) or None), f"cut at byte {at} of line {len(kept)}, it is refused at {error.line}")
        check((error.record is None) == (good == 0), f"cut in line {len(kept)}, there is a record of {error.record}")
        if error.record is None:
            return
        record = error.record
    check(record.dumps().splitlines() == lines[:good], f"cut at byte {at}, not every line before is kept")
    for line in lines[good:]:
        record.add(*decode(line))
    check(record == whole, f"cut at byte {at} and resumed, it is another record")
    if whole.player is None:
        play_on(eights.MatchRecord.loads("\n".join(lines[:good])), whole)


def play_on(record: eights.MatchRecord, whole: eights.MatchRecord) -> None:
    """Other players end the round in progress, or play the next; it is dealt as it was."""
    number = len(record.scores)
    if number == len(whole.rounds):
        return
    if number == len(record.rounds):
        record.begin_round()
    current = record.rounds[number]
    if current.state.mover != eights.TERMINAL:
        players = [eights.GreedyPlayer() for _ in range(record.start.players)]
        eights.play_round(current, record.match.deal(), players)
    elif not current.is_over:
        current.finish()
    record.score_round()
    check_round(current)
    check(current.start == whole.rounds[number].start, "another round is resumed")


# ---- damaged records


def damages(lines: list[str], rng: random.Random) -> Iterator[tuple[int, str, str]]:
    """Lines that cannot be: the number of a line, counted from 0, what stands there instead, and what that is."""
    events: list[dict[str, Any]] = [json.loads(line) for line in lines]
    players = events[0]["players"]

    def changed(kind: str, name: str, **values: Any) -> tuple[int, str, str]:
        number = rng.choice([number for number, event in enumerate(events) if event["type"] == kind])
        event = events[number]
        news = {key: value(event[key]) if callable(value) else value for key, value in values.items()}
        return number, json.dumps(event | news), name

    yield changed("act", "another seat acts", seat=lambda seat: (seat + 1) % players)
    yield changed("act", "no seat acts", seat=players)
    yield changed("act", "no action", action="3x1")
    yield changed("act", "an action that is never legal", action="swap 3 3")
    yield changed("act", "another kind of value", action=3)
    yield changed("reveal", "another seat's card", seat=lambda seat: (seat + 1) % players)
    yield changed("reveal", "another zone", zone=lambda zone: "blind" if zone == "hand" else "hand")
    yield changed("reveal", "no card", card="X")
    yield changed("reveal", "an unseen card", card="?")
    yield changed("end", "other points", points=lambda points: [points[0] + 1, *points[1:]])
    yield changed("end", "another winner", winner=lambda winner: (winner or 0) + 1)
    yield changed("scores", "other scores", scores=lambda scores: [scores[0] + 1, *scores[1:]])
    yield changed("scores", "another round", round=lambda number: number + 1)
    yield changed("start", "another version", version=2)
    yield changed("start", "other rules", rules="amigo+open_sets=1")
    yield changed("match", "another game", game="chess")
    number = rng.randrange(1, len(lines))
    yield number, lines[0], "a second match"
    yield number, lines[number][:-1], "a brace is missing"
    yield number, "[" * 100_000, "deep nesting"
    yield number, lines[number][:-1] + f',"mood":"{"x" * MOST_LINE}"}}', "a huge line"
    yield number, '{"type":"bid"}', "an unknown type"
    yield number, "\x00", "no text"


def check_damage(lines: list[str], number: int, line: str, name: str) -> str:
    """A record with another line: refused there, and what came before is kept. The damaged text."""
    text = "\n".join([*lines[:number], line, *lines[number + 1 :], ""])
    try:
        eights.MatchRecord.loads(text)
    except eights.RecordError as error:
        check(error.line == number + 1, f"{name} in line {number + 1}, it is refused at {error.line}: {error}")
        kept = error.record.dumps().splitlines() if error.record else []
        check(kept == lines[:number], f"{name} in line {number + 1}, not every line before is kept")
        return text
    raise Failure(f"{name} in line {number + 1}, it is not refused")


# ---- the command line


def check_commands(path: Path, number: int) -> None:
    """`eights` tells that a line, counted from 0, is faulty, shows what came before, and answers there."""
    told = f"{path}:{number + 1}: "
    shown = run("replay", path)
    check(shown.returncode == 2, f"replay of {path.name} ends with {shown.returncode}")
    check(
        shown.stderr.startswith(told) and shown.stderr.count("\n") == 1, f"replay says {shown.stderr!r}, not {told!r}"
    )
    refused = run("suggest", "--record", path, "--iterations", 20)
    check((refused.returncode, refused.stdout) == (2, ""), f"suggest of {path.name} ends with {refused.returncode}")
    check(refused.stderr == shown.stderr, f"suggest says {refused.stderr!r}")
    kept = eights.MatchRecord.loads("\n".join(path.read_text("utf-8").splitlines()[:number])) if number else None
    plies = kept.rounds[-1].plies if kept and kept.rounds else 0
    check(shown.stdout.count("\nPly ") >= plies, f"replay shows {shown.stdout.count('Ply ')} of {plies} plies")
    if kept and plies:
        answered = run("suggest", "--record", path, "--ply", plies - 1, "--iterations", 20)
        check(answered.returncode == 0, f"suggest at a good ply ends with {answered.returncode}: {answered.stderr}")
        check(answered.stdout.startswith(f"{kept.rounds[-1].position(plies - 1)}\n"), "suggest answers something else")
        check(answered.stderr == shown.stderr, f"suggest at a good ply says {answered.stderr!r}")


def check_file(path: Path, rng: random.Random) -> None:
    """All of it, for one record."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    whole = check_whole(text)
    done = run("replay", path)
    check((done.returncode, done.stderr) == (0, ""), f"replay ends with {done.returncode}: {done.stderr}")
    for record in (whole, whole.view(rng.randrange(whole.start.players))):
        for _ in range(CUTS):
            check_cut(record, rng.randrange(len(record.dumps())))
    damaged = [(number, check_damage(lines, number, line, name)) for number, line, name in damages(lines, rng)]
    number = rng.randrange(1, len(lines))
    cut = number, "\n".join([*lines[:number], lines[number][: rng.randrange(1, len(lines[number]))]])
    number, text = cut if rng.random() < 0.5 else rng.choice(damaged)
    faulty = path.with_suffix(".faulty")
    faulty.write_text(text, "utf-8")
    check_commands(faulty, number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder, "games")
        cast = ["--player", "greedy", "--player", "random", "--player", "engine:iterations=20"]
        played = run("simulate", "--rounds", arguments.rounds, "--seed", arguments.seed, "--records", games, *cast)
        check(played.returncode == 0, f"simulate ends with {played.returncode}: {played.stderr}")
        paths = sorted(games.iterdir())
        failed = 0
        rounds = 0
        for path in paths:
            try:
                check_file(path, rng)
            except (Failure, ValueError) as error:
                print(f"{path.name}: {error}")
                failed += 1
            rounds += len(eights.MatchRecord.loads(path.read_text("utf-8")).rounds)
    print(f"{rounds} rounds in {len(paths)} records, {failed} of them failed ({time.perf_counter() - start:.0f} s)")
    if failed or rounds != arguments.rounds:
        sys.exit(1)


if __name__ == "__main__":
    main()

"""How well an engine keeps its time, and whether it answers everything once in flat memory.

    python benchmarks/protocol.py [--repeats 20] [--requests 10000] [-- COMMAND ...]

Times are taken by the client: from before a request is written until its reply has been read. The page of the protocol
promises that a time limit is kept within 10 ms from 10 ms to 2 s, that a `stop` is answered within 20 ms, and that
progress comes no later than 20 ms after it is due. Then there are requests of all kinds, a third of them malformed, and
the memory of the process after each quarter of them.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter, sleep
from typing import Any

import eights

LIMITS_MS = (10, 20, 50, 100, 200, 500, 1000, 2000)
POSITION = "standard 2 - 0:???:68G:3:-/3:???:5HH:3:6888HG/3:145:444:3:002577789HHHG/1:???:2HH:3:013333459G 28"
A_DAY_MS = 86_400_000
OURS = [sys.executable, "-c", "from eights_cli.main import main; main(['engine'])"]


class Engine:
    """An engine as a process; replies are stamped with the time at which they were read."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.replies: SimpleQueue[tuple[float, dict[str, Any]]] = SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.replies.put((perf_counter(), json.loads(line)))

    def send(self, request: dict[str, Any] | bytes) -> float:
        """Write a request, or a raw line; returns the time before."""
        assert self.process.stdin is not None
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        start = perf_counter()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return start

    def final(self) -> float:
        """The time at which the next final reply was read; errors end the benchmark."""
        while True:
            at, reply = self.replies.get(timeout=60)
            if "error" in reply:
                sys.exit(f"The engine refuses: {reply['error']}")
            if reply["final"]:
                return at

    @property
    def memory(self) -> int:
        """Bytes of the process that are in memory now."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * 4096


def show(name: str, late: list[float], promised: float) -> None:
    """A row: how late replies came, in ms."""
    late = sorted(1000 * seconds for seconds in late)
    kept = sum(each <= promised for each in late)
    print(
        f"{name:24}{statistics.median(late):8.1f}{late[-1]:8.1f}{promised:10.0f}{kept:8} of {len(late)}",
        flush=True,
    )


def measure_limits(engine: Engine, repeats: int) -> None:
    for limit in LIMITS_MS:
        late = []
        for seed in range(min(repeats, max(5, 10_000 // limit))):
            request = {"id": seed, "type": "analyse", "position": POSITION, "seed": seed}
            start = engine.send(request | {"limits": {"time_ms": limit}})
            late.append(engine.final() - start - limit / 1000)
        show(f"limit of {limit} ms", late, 10)


def measure_stops(engine: Engine, repeats: int, dice: random.Random) -> None:
    late = []
    for _ in range(repeats):
        engine.send({"id": "a", "type": "analyse", "position": POSITION, "limits": {"time_ms": A_DAY_MS}})
        sleep(dice.uniform(0.05, 0.2))
        start = engine.send({"id": "stop", "type": "stop", "target": "a"})
        late.append(max(engine.final(), engine.final()) - start)
    show("stop", late, 20)


def measure_progress(engine: Engine, every_ms: int = 50) -> None:
    request = {"id": "a", "type": "analyse", "position": POSITION, "limits": {"time_ms": 2000}}
    last = engine.send(request | {"report_every_ms": every_ms})
    late = []
    while True:
        at, reply = engine.replies.get(timeout=60)
        if reply["final"]:
            break
        late.append(at - last - every_ms / 1000)
        last = at
    show(f"progress every {every_ms} ms", late, 20)


def requests(dice: random.Random, number: int) -> list[bytes]:
    """Requests of all kinds with their numbers as ids, every third malformed; the good events make whole rounds."""
    events = [json.loads(line) for line in one_round().splitlines()]
    following = cycle([{"type": "new"}, *({"type": "event", "event": event} for event in events)])
    good: list[dict[str, Any]] = [
        {"type": "hello"},
        {"type": "stop", "target": 1},
        {"type": "move", "limits": {"iterations": 10}},
        {"type": "analyse", "position": POSITION, "limits": {"iterations": 100}},
        {"type": "analyse", "position": POSITION, "limits": {"time_ms": 2}, "threads": 1, "memory_mb": 16},
        {"type": "analyse", "record": events[:-1], "ply": 5, "limits": {"iterations": 50}, "mood": "bold"},
    ]
    bad: list[dict[str, Any]] = [
        {"type": "nonsense"},
        {"type": "analyse"},
        {"type": "analyse", "position": POSITION.replace("/1:", "/2:")},
        {"type": "analyse", "position": POSITION, "limits": {"time_ms": -1}},
        {"type": "analyse", "record": [*events[:9], {"type": "act", "seat": 0, "action": "Gx8"}]},
        {"type": "stop"},
        {"type": "event", "event": {"type": "act"}},
    ]
    unreadable = [b"{", b"[]", b"\xff", b"[" * 10_000, b'{"id":{}}', b'{"id":7,"x":"' + b"x" * (1 << 20)]
    lines = []
    for each in range(number):
        if each % 3:
            request = dice.choice(good) if dice.random() < 0.5 else next(following)
            lines.append(json.dumps({"id": each, **request}).encode())
        elif each % 2:
            lines.append(json.dumps({"id": each, **dice.choice(bad)}).encode())
        else:
            lines.append(dice.choice(unreadable))
    return lines


def one_round() -> str:
    """The record of a round between greedy players."""
    match = eights.Match(eights.Rules.standard(players=3), ("Ann", "Ben", "Cleo"), seed=1)
    return eights.play(match, [eights.GreedyPlayer()] * 3).rounds[0].dumps()


def measure_mixed(command: Sequence[str], number: int, dice: random.Random) -> None:
    engine = Engine(command)
    lines = requests(dice, number)
    start = perf_counter()
    threading.Thread(target=lambda: [engine.send(line) for line in lines], daemon=True).start()
    finals: Counter[Any] = Counter()
    errors = 0
    for answered in range(1, number + 1):
        _, reply = engine.replies.get(timeout=60)
        finals[reply["id"]] += reply["final"]
        errors += "error" in reply
        if answered % (number // 4) == 0:
            print(f"{answered:7,} answered   {engine.memory / 2**20:6.1f} MiB", flush=True)
    seconds = perf_counter() - start
    assert engine.process.stdin is not None
    engine.process.stdin.close()
    assert engine.process.wait(60) == 0
    assert engine.replies.empty()
    readable = set(range(number)) - set(range(0, number, 6))
    assert finals == Counter(dict.fromkeys(readable, 1) | {None: number - len(readable)})
    print(f"Each of {number:,} requests was answered once, {errors:,} with an error, in {seconds:.1f} s.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("command", nargs="*", default=OURS, help="of the engine; by default that of this project")
    arguments = parser.parse_args()
    dice = random.Random(1)
    engine = Engine(arguments.command)
    engine.send({"id": "hello", "type": "hello"})
    engine.final()
    print(f"{'late by, ms':24}{'median':>8}{'most':>8}{'promised':>10}{'kept':>8}")
    measure_limits(engine, arguments.repeats)
    measure_stops(engine, arguments.repeats, dice)
    measure_progress(engine)
    engine.process.kill()
    measure_mixed(arguments.command, arguments.requests, dice)


if __name__ == "__main__":
    main()

"""A client of the engine protocol: the table of a round, where seat 0 plays at random and the engine the others.

    python client.py [COMMAND ...]      the command of an engine, by default: eights engine

It needs nothing but Python's library, and knows no rules: the engine says which event must be next.
"""

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

DECK = "".join(rank * copies for rank, copies in zip("0123456789HG", (6, 4, 4, *[6] * 7, 8, 8), strict=True))
NAMES = ["You", "Engine", "Engine too"]


class Engine:
    """An engine as a process, asked one question at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8", bufsize=1)
        except OSError as error:
            sys.exit(f"The engine cannot be started: {command[0]}: {error.strerror}.")
        self.asked = 0

    def ask(self, **request: Any) -> dict[str, Any]:
        """The final reply to a request."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.asked += 1
        with suppress(BrokenPipeError):  # if it has gone, it may still have said why
            self.process.stdin.write(json.dumps({"id": self.asked, **request}) + "\n")
        for line in self.process.stdout:
            reply: dict[str, Any] = json.loads(line)
            if "error" in reply:
                sys.exit(f"The engine refuses: {reply['error']}")
            if reply["final"]:
                return reply
            print(f"  thinks of {reply['move']} ...")
        sys.exit("The engine has gone.")


def play(engine: Engine, seed: int) -> list[float]:
    """Play a round; returns the points of the seats."""
    dice = random.Random(seed)
    deck = dice.sample(DECK, len(DECK))
    event: dict[str, Any] = {"type": "start", "game": "eight_and_a_half", "rules": "standard", "players": len(NAMES)}
    event |= {"names": NAMES, "exchange": None, "version": 1}
    engine.ask(type="new")
    while (event := engine.ask(type="event", event=event)["next"])["type"] != "end":
        if event["type"] == "reveal":
            event["card"] = deck.pop()
            continue
        legal = event.pop("legal")
        if event["seat"] == 0:
            event["action"] = dice.choice(legal)
        else:
            event["action"] = engine.ask(type="move", limits={"time_ms": 20}, report_every_ms=1000)["move"]
        print(f"{NAMES[event['seat']]}: {event['action']}")
    engine.ask(type="event", event=event)
    points: list[float] = event["points"]
    return points


if __name__ == "__main__":
    engine = Engine(sys.argv[1:] or ["eights", "engine"])
    print("The engine is", engine.ask(type="hello")["name"])
    print("Points:", *play(engine, seed=1))
    engine.process.communicate()  # the end of its input ends it

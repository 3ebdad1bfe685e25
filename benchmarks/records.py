"""Random rounds through all that records do: played, dumped, loaded, replayed, seen by a seat.

    python benchmarks/records.py [--rounds 100000] [--seed 1]

The rounds are of all presets, with options by chance, for 2 to 6 players, some with an exchange or a small deck, played
at random. What is loaded must be what was played, and replay to the same state after every action. Of every tenth round
a seat's position at each ply, evidence and all, is held against the true hands. Prints the rounds that each stage does
in a second of one core; the floor for `replay` is 3,000.
"""

import argparse
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations

from eights import TERMINAL, Position, Record, Rng, Rules, State
from eights.actions import COPIES
from eights.events import Act
from eights.rules import FEWEST_TIES, PRESETS
from eights.seat import possible_ranks

STAGES = ("play", "dump", "load", "replay", "view")
LOOKED_AT = 10
FLAGS = (
    "five_through_ghost",
    "sealed_eight_and_a_half",
    "halves_add_up",
    "policeman_starts_pile",
    "open_sets",
    "exchange",
)


class Stopwatch:
    """Seconds of the processor spent in each stage."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys((*STAGES, "positions"), 0.0)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = time.process_time()
        yield
        self.seconds[stage] += time.process_time() - start


def some_rules(dice: random.Random) -> Rules:
    """A preset with some options, now and then with a small deck."""
    players = dice.randint(2, 6)
    options: dict[str, object] = {flag: True for flag in FLAGS if dice.random() < 0.2}
    if dice.random() < 0.2:
        options["fewest_tie"] = dice.choice(FEWEST_TIES)
    if dice.random() < 0.2:
        sizes = dice.randint(1, 3), dice.randint(1, 3), dice.randint(0, 3)
        deck = tuple(dice.randint(0, copies) for copies in COPIES)
        options |= zip(("hand_size", "open_size", "blind_size"), sizes, strict=True)
        options["deck"] = deck if sum(deck) >= players * sum(sizes) else COPIES
    make = getattr(Rules, dice.choice(tuple(PRESETS)))
    rules: Rules = make(players, **options)
    return rules


def play(record: Record, rng: Rng) -> list[State]:
    """Play a round at random; returns the state after each action."""
    states = []
    record.deal(rng)
    while (state := record.state).mover != TERMINAL:
        legal = state.legal_actions()
        record.act(legal[rng.below(len(legal))])
        states.append(record.state)
        record.deal(rng)
    record.finish()
    return states


def replay(record: Record) -> State:
    """The last state of a round, by its events."""
    for _, after in record.replay():
        state = after
    return state


def check_positions(record: Record, positions: list[Position], seat: int) -> None:
    """AssertionError if what a seat knew at some ply, `positions`, was not so."""
    ply = 0
    state = State(record.rules, record.start.exchange)
    for event, after in record.replay():
        if isinstance(event, Act):
            for other, known in enumerate(positions[ply].seats):
                cards = [possible_ranks(card) for card in known.hand]
                ranks = [rank for rank, n in enumerate(state.hand(other)) for _ in range(n)]
                if other == seat or state.at_table(other):
                    assert cards == [1 << rank for rank in ranks]
                else:
                    orders = permutations(ranks)
                    assert any(all(c >> r & 1 for c, r in zip(cards, order, strict=True)) for order in orders)
            ply += 1
        state = after.copy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    timed, plies, looked_at, size = Stopwatch(), 0, 0, 0
    for number in range(1, arguments.rounds + 1):
        rules = some_rules(dice)
        seats = dice.sample(range(rules.players), 2)
        exchange = (seats[0], seats[1]) if rules.exchange and dice.random() < 0.5 else None
        record = Record(rules, exchange=exchange, seed=number)
        with timed("play"):
            states = play(record, Rng(dice.randrange(1 << 32)))
        with timed("dump"):
            text = record.dumps()
        with timed("load"):
            loaded = Record.loads(text)
        with timed("replay"):
            last = replay(loaded)
        with timed("view"):
            view = loaded.view(seats[0])
        assert loaded == record
        assert loaded.dumps() == text
        assert last == loaded.state == record.state
        assert [state.copy() for event, state in loaded.replay() if isinstance(event, Act)] == states
        plies += record.plies
        size += len(text)
        if number % LOOKED_AT == 0:
            with timed("positions"):
                positions = [loaded.position(ply, seats[0]) for ply in range(loaded.plies)]
            check_positions(loaded, positions, seats[0])
            assert positions == [view.position(ply) for ply in range(view.plies)]
            looked_at += len(positions)
        if number % 10_000 == 0:
            print(f"{number:,} rounds", flush=True)
    print(
        f"{arguments.rounds:,} rounds of {plies / arguments.rounds:.0f} plies and {size / arguments.rounds:,.0f} bytes"
    )
    for stage in STAGES:
        print(f"{stage:10}{arguments.rounds / timed.seconds[stage]:>10,.0f} rounds/s")
    if looked_at:
        print(f"{'positions':10}{looked_at / timed.seconds['positions']:>10,.0f} plies/s; {looked_at:,} were true")
    print("Every round came back equal.")


if __name__ == "__main__":
    main()

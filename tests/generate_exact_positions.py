"""Makes the positions with known values: tests/data/exact_positions.jsonl and tests/data/best_moves.jsonl.

    python tests/generate_exact_positions.py [seed]       (takes some minutes)

Small decks are played at random until everybody plays from the table, then `max_plies` is set a few plies ahead so that
the tree is finite and small. Kept is a position if its values for the mover do not depend on how the players break ties
(see expectimax.py). A line has the `position`, the exact points of the mover after each of his `moves`, and the `size`
of the tree in histories.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from expectimax import Expectimax, TooLargeError, at_the_table
from oracle import COPIES, TERMINAL, UNSEEN, Round, action_text, parse_rules

DATA = Path(__file__).parent / "data"

EXACT = {2: 34, 3: 10, 4: 6}  # positions by number of players
BEST = {2: 14, 3: 4, 4: 2}
SIZES = range(300, 30_000)  # histories: a search of 200,000 iterations can come to know them all
POSITIONS = 6_000  # the oracle takes about a tenth of a millisecond for each
MARGIN = Fraction(3, 20)  # of a provably best move, in points

OPTIONS = [
    "five_through_ghost=1",
    "sealed_eight_and_a_half=1",
    "halves_add_up=1",
    "policeman_starts_pile=1",
    "open_sets=1",
    "fewest_tie=split",
    "fewest_tie=none",
]
ORDER = ["five", "sealed", "halves", "policeman", "open_sets", "fewest"]  # of options in a position text


def random_rules(random: Random, players: int) -> str:
    """A preset with a small deck and up to two more options, as far as the limit of plies."""
    preset = random.choice(["standard", "standard", "amigo", "shafir"])
    hand, open_, blind = random.randint(1, 2), random.randint(1, 2), random.randint(0, 1)
    deck = [0] * 12
    for _ in range(players * (hand + open_ + blind) + random.randint(0, 2 * players)):
        deck[random.choice([rank for rank in range(12) if deck[rank] < COPIES[rank]])] += 1
    options = random.sample(OPTIONS, random.choice([0, 1, 1, 2]))
    if preset == "shafir":
        options = [option.replace("sealed_eight_and_a_half=1", "sealed_eight_and_a_half=0") for option in options]
    chosen = {option.partition("=")[0]: option for option in options}
    sizes = [f"deck={'.'.join(map(str, deck))}", f"hand_size={hand}", f"open_size={open_}", f"blind_size={blind}"]
    ordered = sorted(chosen.values(), key=lambda option: [option.startswith(start) for start in ORDER], reverse=True)
    return "+".join([preset, *sizes, *ordered])


def random_position(random: Random, players: int) -> str | None:
    """A position with everybody at the table and at most two Blind Cards, and a choice for the mover."""
    game = Round(parse_rules(random_rules(random, players), players))
    found = []
    while game.mover != TERMINAL and game.plies < 60:
        if game.mover < 0:
            ranks, shares = zip(*game.chance_outcomes(), strict=True)
            game.apply(random.choices(ranks, list(map(float, shares)))[0])
            continue
        if (
            all(seat.at_table for seat in game.seats)
            and sum(seat.blind for seat in game.seats) <= 2
            and len(game.legal_actions()) > 1
        ):
            found.append(game.copy())
        game.apply(random.choice(game.legal_actions()))
    if not found:
        return None
    game = random.choice(found)
    if random.random() < 0.4:
        forget(random, game)
    plies_left = random.randint(5, 14)
    game.rules.text += f"+max_plies={game.plies + plies_left}"
    return game.position(game.turn)


def forget(random: Random, game: Round) -> None:
    """Up to three cards that were put aside are remembered by nobody, so that a Blind Card may be one of several."""
    for _ in range(3):
        seat = random.choice(game.seats)
        known = [card for card in seat.aside if card != UNSEEN]
        if known:
            card = random.choice(known)
            seat.aside.remove(card)
            seat.aside.append(UNSEEN)


def solved(text: str) -> dict[str, Any] | None:
    """The line of a position; None if it is too large, too small, or ties matter."""
    game, solver = at_the_table(text), Expectimax(POSITIONS)
    try:
        moves = solver.moves(game)
    except TooLargeError:
        return None
    seat = game.turn
    if any(bounds.low[seat] != bounds.high[seat] for bounds in moves.values()) or solver.size(game) not in SIZES:
        return None
    values = {action_text(action): str(bounds.low[seat]) for action, bounds in moves.items()}
    return {"position": text, "moves": values, "size": solver.size(game)}


def ranked(line: dict[str, Any]) -> list[Fraction]:
    """The values of the moves, best first."""
    return sorted(map(Fraction, line["moves"].values()), reverse=True)


def main(seed: int) -> None:
    random = Random(seed)
    exact, best = dict(EXACT), dict(BEST)
    lines: dict[str, list[dict[str, Any]]] = {"exact_positions": [], "best_moves": []}
    while any(exact.values()) or any(best.values()):
        players = random.choice([n for n in EXACT if exact[n] or best[n]])
        text = random_position(random, players)
        line = solved(text) if text else None
        if line is None:
            continue
        values = ranked(line)
        if best[players] and len(values) >= 3 and values[0] - values[1] >= MARGIN:
            best[players] -= 1
            lines["best_moves"].append(line)
        elif exact[players] and values[0] > values[-1]:
            exact[players] -= 1
            lines["exact_positions"].append(line)
    for name, some in lines.items():
        some.sort(key=lambda line: (line["position"].count("/"), line["size"]))
        (DATA / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in some), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)

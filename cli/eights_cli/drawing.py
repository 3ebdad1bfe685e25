"""Positions as a person sees the table: pure functions from a position to text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import eights
from eights.actions import NUM_RANKS, play_action, rank_char
from eights.pile import value_text
from eights.seat import Card, all_known

from eights_cli.render import wrapped

_INDENT = " " * 9
_BOXES = 7
"""Most cards of a hand that are drawn one by one; of more each rank is counted."""


def drawing(position: eights.Position) -> str:
    """The table from the mover's chair, the others clockwise from his left; then what is to be done, and known."""
    return "\n\n".join(
        [
            wrapped(f"{position.rules.text()}, {position.players} players, {position.plies} actions so far"),
            table(position, position.mover),
            notes([*to_do(position), *_known(position)]),
        ]
    )


def table(position: eights.Position, chair: int | None) -> str:
    """What lies on the table: from a chair, the others clockwise from its left; with None seat by seat."""
    if chair is None:
        return "\n\n".join(["\n".join(_seat(position, seat) for seat in range(position.players)), _pile(position)])
    others = [(chair + i) % position.players for i in range(1, position.players)]
    return "\n\n".join(["\n".join(_seat(position, seat) for seat in others), _pile(position), _seat(position, chair)])


def notes(sentences: Iterable[str]) -> str:
    """Sentences as a list."""
    return "\n".join(wrapped(sentence, "- ") for sentence in sentences)


def _seat(position: eights.Position, number: int) -> str:
    seat = position.seats[number]
    mark = "*" if number == position.mover else " "
    line = f"Seat {number} {mark} Bank {seat.bank:2}   Blind {'[#]' * seat.blind:9}   Open {_boxes(seat.open):9}   Hand"
    lines = [f"{line} {_boxes(seat.hand) if len(seat.hand) <= _BOXES else len(seat.hand)}".rstrip()]
    if len(seat.hand) > _BOXES:
        lines.append(wrapped(f"Hand {_counted(seat.hand)}", _INDENT))
    if seat.aside:
        lines.append(wrapped(f"Aside {len(seat.aside)}: {_counted(seat.aside)}", _INDENT))
    return "\n".join(lines)


def _pile(position: eights.Position) -> str:
    plays = " ".join(f"[{'?' if play is None else eights.action_text(play)}]" for play in position.pile)
    return wrapped(f"Pile {plays or '(empty)'}", _INDENT)


def to_do(position: eights.Position) -> Iterator[str]:
    """What the pile asks for, and what the mover may do."""
    value, demand = position.standing
    if position.pile:
        yield f"The pile stands at {value_text(value)}." + " Numbers laid on it must be 5 or lower." * demand
    if position.felon is not None:
        lay = position.rules.ruleset.lay
        plays = {rank: lay(value, demand, play_action(rank)) for rank in range(1, 10)}
        policemen = [rank_char(rank) for rank, laid in plays.items() if laid is not None and laid[2]]
        danger = "but nothing catches him there"
        if policemen:
            danger = f"and {'an' if policemen[0] == '8' else 'a'} {policemen[0]} catches him"
        yield f"Seat {position.felon} is a felon, {danger}."
    decides = {
        "": "is to act",
        "o": "opens the round",
        "x": f"may exchange with the Big Loser, seat {position.big_loser}",
    }
    yield f"Seat {position.mover} {decides[position.mode]}."
    if position.is_analysable:
        yield f"Legal moves: {', '.join(map(eights.action_text, position.legal_actions()))}."


def _known(position: eights.Position) -> Iterator[str]:
    """Who knows what (rules §10)."""
    others = [number for number in range(position.players) if number != position.mover]
    hidden = [f"seat {number}" for number in others if not all_known(position.seats[number].hand)]
    if hidden:
        yield f"Hands that only their owners know: {', '.join(hidden)}."
    taken = [f"seat {number}" for number, seat in enumerate(position.seats) if seat.at_table and seat.hand]
    if taken:
        yield f"Hands that all saw being taken from the pile: {', '.join(taken)}."
    yield from shown(position)
    unseen = [rank for rank, count in enumerate(position.unseen) for _ in range(count)]
    if unseen:
        yield f"Cards that seat {position.mover} does not know, {len(unseen)} in all: {_counted(unseen)}."


def shown(position: eights.Position) -> Iterator[str]:
    """What hidden cards are known not to be."""
    for number, seat in enumerate(position.seats):
        for zone, cards in (("hand", seat.hand), ("Open Cards", seat.open), ("cards aside", seat.aside)):
            excluding = Counter(card for card in cards if isinstance(card, eights.Unknown) and card.excluded)
            for card, count in excluding.items():
                ranks = " ".join(rank_char(rank) for rank in range(NUM_RANKS) if card.excluded >> rank & 1)
                are = "card is" if count == 1 else "cards are"
                yield f"Of seat {number}'s {zone} {count} {are} known to be none of {ranks}."


def _boxes(cards: Sequence[Card]) -> str:
    return "".join(f"[{_char(card)}]" for card in cards) or "none"


def _counted(cards: Sequence[Card]) -> str:
    return " ".join(f"{char}x{n}" if n > 1 else char for char, n in Counter(map(_char, cards)).items())


def _char(card: Card) -> str:
    return "?" if isinstance(card, eights.Unknown) else rank_char(card)

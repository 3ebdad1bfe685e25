"""Whether a round can come to a position: every fault that shows, as a sentence.

What is checked follows from the rules for every position that a round can reach, whatever the text leaves open. The
plies are only held against the pile, since they may be left out (then they are the number of its plays) and matter to
nothing but the limit `max_plies`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eights.actions import action_text, played_ranks, rank_char
from eights.deals import NO_YELLOW, contradicting, lowest_yellow
from eights.errors import ImpossiblePosition
from eights.pile import walk_pile
from eights.seat import Seat, possible_ranks

if TYPE_CHECKING:
    from eights.position import Position


def check_position(position: "Position") -> None:
    """ImpossiblePosition, with all faults, unless the position can be."""
    faults = _faults(position)
    if faults:
        raise ImpossiblePosition(*faults)
    try:
        _ = position.openings
    except (ValueError, OverflowError) as error:
        raise ImpossiblePosition(str(error)) from None


def _faults(position: "Position") -> list[str]:
    """A sentence for every part of a position that cannot be; whether some deal fits is not looked at."""
    seat_faults = [fault for n, seat in enumerate(position.seats) for fault in _seat_faults(position, n, seat)]
    faults = [*_deck_faults(position), *seat_faults, *_pile_faults(position)]
    if position.mover >= position.players:
        faults.append(f"Seat {position.mover} is to act, but the seats are 0 to {position.players - 1}.")
    elif position.mode:
        faults += _start_faults(position)
    elif not seat_faults:
        faults += _course_faults(position)
    if position.mode == "x":
        faults += _exchange_faults(position)
    faults += _ply_faults(position)
    return faults


def _deck_faults(position: "Position") -> Iterator[str]:
    """Known cards and unknown places are the whole deck."""
    deck = position.rules.deck
    on_pile = sum(len(played_ranks(play)) if play is not None else 1 for play in position.pile)
    cards = on_pile + sum(sum(seat.sizes) for seat in position.seats)
    if cards > sum(deck):
        yield f"The cards add up to {cards}: the deck has {sum(deck)}, so {_number(cards - sum(deck))} too many."
    elif cards < sum(deck):
        yield f"The cards add up to {cards}: the deck has {sum(deck)}, so {_number(sum(deck) - cards)} missing."
    for rank, unseen in enumerate(position.unseen):
        if unseen < 0:
            yield f"The deck has {_cards(deck[rank])} of rank {rank_char(rank)}, but {deck[rank] - unseen} are known."


def _seat_faults(position: "Position", number: int, seat: Seat) -> Iterator[str]:
    """What one player can have left (rules §2, §5)."""
    rules, who = position.rules, f"Seat {number}"
    hand, full_hand = len(seat.hand), rules.hand_size
    begins = number == position.mover and not position.mode and not seat.bank and not hand
    most_bank = rules.bank_sizes[number]
    if seat.bank > most_bank:
        yield f"{who}'s Bank has {_cards(seat.bank)}, but it began the round with {most_bank}."
    if seat.at_table and seat.bank:
        yield f"{who} has a * as if it played from the table, but it has {_cards(seat.bank)} left in the Bank."
    if begins and not seat.at_table:
        yield f"{who} is to act with its Bank and hand empty, so it plays from the table: the * is missing."
    if seat.bank and hand != full_hand:
        yield f"{who}'s hand has {_cards(hand)}, but with cards left in the Bank a hand holds exactly {full_hand}."
    elif not seat.at_table and hand > full_hand:
        yield f"{who}'s hand has {_cards(hand)}, but before it plays from the table (*) it holds at most {full_hand}."
    for name, cards, full in (("Open", len(seat.open), rules.open_size), ("Blind", seat.blind, rules.blind_size)):
        if cards > full:
            yield f"{who} has {cards} {name} Cards, but it began the round with {full}."
        elif cards < full and not (seat.at_table or begins):
            yield f"{who} has {cards} {name} Cards, but before it plays from the table (*) it has all {full}."
    if seat.open and seat.blind < rules.blind_size:
        yield f"{who} has Open Cards left, but of its {rules.blind_size} Blind Cards only {seat.blind}."
    if not seat.left:
        yield f"{who} has no card left in Bank, hand, Open and Blind Cards, so the round is over."
    if not all(possible_ranks(card) for card in seat.hand + seat.open + seat.aside):
        yield f"{who} has a card that its braces exclude from every rank."


def _pile_faults(position: "Position") -> Iterator[str]:
    """Each play lies on a value that allows it, and the value is fixed (rules §3, §4)."""
    standings, faults = walk_pile(position.rules, position.pile)
    yield from faults
    if len(standings) > 1:
        yield "The value of the pile is not fixed: no number, 0 or 8H lies on the unknown cards."


def _start_faults(position: "Position") -> Iterator[str]:
    """Until the round is opened every card is where it was dealt, and the opener is the right one (rules §2, §5)."""
    mover = position.mover
    decides = f"Seat {mover} {'opens the round' if position.mode == 'o' else 'decides about the exchange'}"
    if position.pile:
        yield f"{decides}, but there is a pile."
    for number, (seat, dealt) in enumerate(zip(position.seats, position.rules.deal_sizes, strict=True)):
        if seat.left < dealt:
            yield f"{decides}, but seat {number} has only {seat.left} of the {dealt} cards that it was dealt."
        if seat.aside or seat.at_table:
            yield f"{decides}, but seat {number} has {'cards aside' if seat.aside else 'a *'}."
    if position.mode == "x":
        return
    lowest = lowest_yellow(position.seats[mover].hand)
    if lowest == NO_YELLOW and mover != 0:
        yield f"{decides} without a yellow card, but where nobody has one it is for seat 0 to open."
    for number, rank in contradicting(position, lowest):
        yield f"{decides}, but seat {number} holds a {rank_char(rank)}, so that seat {mover} would not."


def _course_faults(position: "Position") -> Iterator[str]:
    """What lies on the pile has left the seats that laid it; the plays went round clockwise to the mover (rules §5)."""
    rules, seats = position.rules, position.seats
    gone = [dealt - seat.left for dealt, seat in zip(rules.deal_sizes, seats, strict=True)]
    laid = [0] * position.players
    for back, play in enumerate(reversed(position.pile), start=1):
        if play is None:
            break
        number = (position.mover - back) % position.players
        cards = len(played_ranks(play))
        laid[number] += cards
        if cards > rules.hand_size and not seats[number].at_table:
            yield (
                f"Seat {number} laid {action_text(play)}, but before it plays from the table (*) its hand holds "
                f"at most {_cards(rules.hand_size)}."
            )
    for number, seat in enumerate(seats):
        if not seat.at_table and laid[number] > gone[number]:
            yield (
                f"Seat {number} laid {_cards(laid[number])} of the pile, but still has {seat.left} of the "
                f"{rules.deal_sizes[number]} that it was dealt."
            )
    if position.pile:
        return
    before = (position.mover - 1) % position.players
    if not any(gone) and not any(seat.aside or seat.at_table for seat in seats):
        yield f"Nobody has played yet, so seat {position.mover} opens the round: that is written {position.mover}o."
    elif not (seats[before].hand if seats[before].at_table else seats[before].aside):
        yield (
            f"The pile is empty, so seat {before} took one before seat {position.mover} was to act, "
            f"but it has no cards {'in its hand' if seats[before].at_table else 'aside'}."
        )


def _exchange_faults(position: "Position") -> Iterator[str]:
    """The winner of the round before and its Big Loser are two players of rules with an exchange (rules §7)."""
    if not position.rules.exchange:
        yield "The rules have no exchange."
    if position.big_loser == position.mover:
        yield f"Seat {position.mover} cannot exchange cards with itself."
    elif position.big_loser is None or position.big_loser >= position.players:
        yield f"The Big Loser is seat {position.big_loser}, but the seats are 0 to {position.players - 1}."


def _ply_faults(position: "Position") -> Iterator[str]:
    """The plies are at least those that made the pile, and fewer than the limit (rules §6)."""
    rules, plies = position.rules, position.plies
    known = len(position.pile) - position.pile.count(None)
    least = known + (None in position.pile)
    if plies < least:
        yield f"The plies are {plies}, but the plays on the pile are at least {least}."
    if plies >= rules.max_plies:
        yield f"The plies are {plies}, but the round ends after {rules.max_plies}."
    most = {"x": 0, "o": int(rules.exchange)}.get(position.mode)
    if most is not None and plies > most:
        yield f"The plies are {plies}, but the round is not opened yet, so they are at most {most}."


def _number(cards: int) -> str:
    return f"there is {cards}" if cards == 1 else f"there are {cards}"


def _cards(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"

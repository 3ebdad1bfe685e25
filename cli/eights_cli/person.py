"""A person who plays at the terminal: what he is told, and how he is asked."""

from collections.abc import Callable, Sequence

import eights
from eights.actions import EIGHT_HALF
from eights.events import Act, End, Event, Reveal, Start
from eights_core.halves import DEAL
from rich.console import Console

from eights_cli import render, screen
from eights_cli.interrupt import ctrl_c
from eights_cli.telling import acted, ending, flipped

HELP = """
Write what you play: 4, two of them 4x2 or 44, H for a Half, G for a Ghost, 8H
for both at once; blind, take, keep, swap 3 9. Or the number of a move: #2.
Enter alone plays the only legal move, or else shows the table again.

  hint         what the engine would play, and what every move is worth; Ctrl-C
               cuts its thinking short
  undo         take back your last move that you had a choice in, and all since
  save [FILE]  keep the match in a file, to go on with it another time
  help         this page
  quit         leave
"""


class Leave(Exception):
    """The person has had enough."""


class TakeBack(Exception):
    """The person takes back what he did at `ply`, and all that followed."""

    def __init__(self, ply: int) -> None:
        super().__init__(ply)
        self.ply = ply


class Person(eights.Player):
    """Somebody at a console. He is shown what his seat sees, as it happens, and nothing else ever reaches him.

    `save` writes the match into the file of a name, or where it is kept if that is empty, and says what came of it;
    `may_leave` says why he should not leave yet, or nothing. `choose` raises Leave, or TakeBack, after which the round
    is to be played from there on.
    """

    def __init__(
        self, console: Console, *, hint_time: float, save: Callable[[str], str], may_leave: Callable[[], str]
    ) -> None:
        self.heard = 0
        """Events of the round that he has been told already."""
        self._console = console
        self._hint_time = hint_time
        self._save = save
        self._may_leave = may_leave
        self._drawn: list[str] = []

    # what he is told

    def new_round(self, start: Start) -> None:
        self._view = eights.Record.begin(start, {})
        if not self.heard:
            self._say(f"\nA round begins. You are seat {start.seat}.")

    def event(self, event: Event) -> None:
        before = self._view.state
        self._view.add(event)
        if len(self._view.events) <= self.heard:
            return
        if isinstance(event, Act):
            self._tell_drawn()
            self._say(acted(event, before, self._view.state))
        elif isinstance(event, End):
            self._tell_drawn()
            self._say(f"\nThe round is over: {_how(event)}\n\n{ending(event, self._view.names)}")
        elif isinstance(event, Reveal) and event.zone == "blind":
            self._say(flipped(event, before, self._view.state))
        elif isinstance(event, Reveal) and before.phase != DEAL and event.card != "?":
            self._drawn.append(event.card)
        self.heard = 0 if isinstance(event, End) else len(self._view.events)

    def _tell_drawn(self) -> None:
        if self._drawn:
            self._say(f"You draw {' '.join(self._drawn)}.")
        self._drawn.clear()

    def _say(self, text: str) -> None:
        self._console.print(text)

    # what he is asked

    def choose(self, observation: eights.Position) -> int:
        self._tell_drawn()
        position = self._view.position()
        legal = position.legal_actions()
        self._show(position, legal)
        while True:
            action = self._answer(position, legal)
            if action is not None:
                return action

    def _show(self, position: eights.Position, legal: Sequence[int]) -> None:
        self._console.print()
        self._console.print(screen.seen(position, self._view.names, self._console.width))
        self._console.print(screen.menu(legal, self._console.width))

    def _answer(self, position: eights.Position, legal: Sequence[int]) -> int | None:
        """One answer of the person; the action if it is one."""
        try:
            answer = self._console.input(f"Enter plays {eights.action_text(legal[0])}: " if len(legal) == 1 else "> ")
        except EOFError:
            self._say("")
            self._leave()
            return None
        word, _, rest = answer.strip().partition(" ")
        match word.lower():
            case "":
                if len(legal) == 1:
                    return legal[0]
                self._show(position, legal)
            case "hint":
                self._hint(position)
            case "undo":
                self._undo()
            case "save":
                self._console.print(self._save(rest.strip()), soft_wrap=True)  # a command to copy is one line
            case "help" | "?":
                self._say(HELP)
            case "quit" | "exit":
                self._leave()
            case _:
                try:
                    return read_action(answer, legal)
                except ValueError as error:
                    self._say(f"{error} (help tells what can be written.)")
        return None

    def _leave(self) -> None:
        objection = self._may_leave()
        if not objection:
            raise Leave
        self._say(objection)

    def _hint(self, position: eights.Position) -> None:
        with ctrl_c() as stop, self._console.status("Thinking"):
            analysis = eights.analyse(position, time=self._hint_time, stop=stop)
        self._say(f"{render.moves_table(analysis)}\n\n{render.in_words(analysis)}")

    def _undo(self) -> None:
        mine = [ply for ply, act in enumerate(_acts(self._view)) if act.seat == self._view.seat]
        for ply in reversed(mine):
            if len(self._view.position(ply).legal_actions()) > 1:
                self.heard = len(shortened(self._view, ply).events)
                self._drawn.clear()
                self._say("Your move is taken back, and what followed.")
                raise TakeBack(ply)
        self._say("You have made no choice in this round that could be taken back.")


def read_action(text: str, legal: Sequence[int]) -> int:
    """The legal action that somebody has written; ValueError, a sentence, if it is none.

    >>> legal = [eights.parse_action(text) for text in ("3", "3x2", "Hx2", "8H")]
    >>> [eights.action_text(read_action(text, legal)) for text in ("3", "33", "#2", "hh", "8h")]
    ['3', '3x2', '3x2', 'Hx2', '8H']
    """
    written = " ".join(text.split())
    if written.startswith("#"):
        number = written[1:].strip()
        if number.isascii() and number.isdigit() and len(number) < 4 and 1 <= int(number) <= len(legal):
            return legal[int(number) - 1]
        raise ValueError(f"The moves are #1 to #{len(legal)}.")
    try:
        action = eights.parse_action(_canonical(written))
    except ValueError:
        action = eights.parse_action(written)  # which is not one either, and says so in the words of the person
    if action not in legal:
        listed = ", ".join(map(eights.action_text, legal))
        raise ValueError(f"{eights.action_text(action)} may not be played now; legal is {listed}.")
    return action


def _canonical(written: str) -> str:
    """The text of an action as it is written here: capitals for cards, small letters for words."""
    lowered = written.lower()
    if lowered.split(" ")[0] in ("blind", "take", "keep"):
        return lowered
    if lowered.startswith("swap "):
        return f"swap {lowered[5:].upper()}"
    raised = lowered.upper().replace("X", "x")
    if sorted(raised) == ["8", "H"]:
        return eights.action_text(EIGHT_HALF)
    if len(raised) > 1 and len(set(raised)) == 1:
        return f"{raised[0]}x{len(raised)}"
    return raised


def shortened(record: eights.Record, ply: int) -> eights.Record:
    """The record up to where a ply was to be played, with all cards that were drawn before."""
    count = 0
    short = eights.Record.begin(record.start, record.extra.get(0, {}))
    for number, event in enumerate(record.events[1:], start=1):
        if isinstance(event, Act):
            if count == ply:
                break
            count += 1
        short.add(event, record.extra.get(number))
    return short


def _acts(record: eights.Record) -> list[Act]:
    return [event for event in record.events if isinstance(event, Act)]


def _how(end: End) -> str:
    return "the limit of actions is reached." if end.winner is None else f"seat {end.winner} is out."

"""A match with a person in it: begun or gone on with, played round by round, and kept in a file."""

import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import eights
from eights.events import Reveal
from eights.levels import LEVELS
from eights.players import PlayerError
from eights.specs import PlayerSpec
from eights.text import quoted

from eights_cli.person import Person, TakeBack, shortened
from eights_cli.render import wrapped
from eights_cli.simulation import write
from eights_cli.telling import number, printable


def parse_opponent(text: str) -> PlayerSpec:
    """The player of a text, which may be the bare name of a level; ValueError, a sentence, if it is none."""
    names = [level.name for level in LEVELS]
    if text in names:
        return PlayerSpec.parse(f"level:{text}")
    try:
        return PlayerSpec.parse(text)
    except ValueError as error:
        raise ValueError(f"{error} The levels are {', '.join(names)}.") from None


def opponents_of(record: eights.MatchRecord, place: int) -> list[PlayerSpec]:
    """Who plays against player `place` in a recorded match, by their names; ValueError if one is no player's."""
    names = [name for player, name in enumerate(record.start.names) if player != place]
    return [parse_opponent(re.sub(r" \(\d+\)$", "", name)) for name in names]


def check_goes_on(record: eights.MatchRecord) -> None:
    """ValueError, a sentence, unless the match can be gone on with: its seed must deal the cards that came up."""
    if record.player is not None:
        raise ValueError("This is what one player saw of a match: without the hidden cards it cannot go on.")
    before = eights.Match(record.match.rules, record.start.names, record.start.seed or 0)
    for played, current in enumerate(record.rounds):
        deal, state = before.deal(), eights.State(current.rules, current.start.exchange)
        for event, after in current.replay():
            if isinstance(event, Reveal) and eights.rank_char(deal.draw(state)) != event.card:
                raise ValueError(f"The cards of round {played} are not those that the seed of the match deals.")
            state = after.copy()
        if played < len(record.scores):
            before.finish(state)


class Game:
    """The match of a person who is player `place` in its `record`; `path` is where it is kept, if anywhere."""

    def __init__(self, record: eights.MatchRecord, place: int, path: Path | None) -> None:
        self.record = record
        self.place = place
        self.path = path
        self._saved: str | None = None
        self._warned: str | None = None

    def seated(self, opponents: Sequence[PlayerSpec], person: Person) -> list[eights.Player]:
        """The players in the order of their names, made anew; WeightsError, OSError or PlayerError if one cannot be."""
        match = self.record.match
        seeds = eights.Rng(match.seed)
        players = [spec.make(seeds.below(1 << 31), match.rules) for spec in opponents]
        players.insert(self.place, person)
        return players

    @property
    def in_progress(self) -> eights.Record | None:
        """The record of the round that has begun and is not over, if there is one."""
        rounds = self.record.rounds
        return rounds[-1] if len(rounds) > len(self.record.scores) and not rounds[-1].is_over else None

    def greeting(self) -> str:
        """Who plays what, and from where on."""
        record = self.record
        names = ", ".join(f"{place} {printable(name)}" for place, name in enumerate(record.start.names))
        rules = f"A match: {record.start.rules}, {record.start.players} players, seed {record.start.seed}"
        lines = [rules, f"Players: {names}"]
        if record.is_over:
            lines.append(standing(record).strip())
        else:
            if record.rounds:
                ply = 0 if self.in_progress is None else self.in_progress.plies
                lines.append(f"It goes on after {_rounds(record.match.rounds)}, at ply {ply} of the next.")
            lines.append("Write help to see what can be written.")
        return "\n".join(map(wrapped, lines))

    def play(self, players: Sequence[eights.Player], person: Person, say: Callable[[str], object]) -> None:
        """Play to the end of the match; Leave if the person leaves, PlayerError if another player cannot go on.

        In the end it is kept in any case: OSError if it cannot be. Where that fails after a round, it is said, and the
        match goes on: it may be possible later.
        """
        try:
            while not self.record.is_over:
                self._play_round(players, person)
                self.record.score_round()
                say(standing(self.record))
                try:
                    self.keep()
                except OSError as error:
                    say(f"The match cannot be written: {error.strerror}. save FILE may keep it elsewhere.")
        finally:
            self.keep()

    def _play_round(self, players: Sequence[eights.Player], person: Person) -> None:
        rounds, match = self.record.rounds, self.record.match
        if len(rounds) == len(self.record.scores):
            self.record.begin_round()
        seated = [players[player] for player in match.seating]
        while not rounds[-1].is_over:
            try:
                eights.play_round(rounds[-1], match.deal(), seated)
            except TakeBack as back:
                rounds[-1] = shortened(rounds[-1], back.ply)
            except eights.IllegalAction as error:
                name = self.record.start.names[match.seating[rounds[-1].state.mover]]
                what = str(error).partition(";")[0]  # what would be legal follows there, and that tells the hand
                raise PlayerError(f"{quoted(name, 80)} breaks the rules: {what.rstrip('.')}.") from None

    # keeping it

    def keep(self) -> None:
        """Write the match where it is kept, if anywhere; OSError if that cannot be."""
        text = self.record.dumps()
        if self.path is not None and text != self._saved:
            write(self.path, self.record)
            self._saved = text

    def save(self, name: str) -> str:
        """Keep the match in the file of this name from now on, or where it is kept; what came of it, in a sentence."""
        if not name and self.path is None:
            return "Say in which file: save match.jsonl."
        path = Path(name) if name else self.path
        if path != self.path and path is not None and path.exists():
            return f"There is a file {printable(str(path))} already: name another."
        before, self.path, self._saved = self.path, path, None
        try:
            self.keep()
        except (OSError, ValueError) as error:
            self.path = before
            why = error.strerror if isinstance(error, OSError) else error
            return f"The match cannot be written: {why}."
        go_on = shlex.join(["eights", "play", "--record", str(path), "--name", self.record.start.names[self.place]])
        return f"Saved. To go on: {go_on}" if go_on.isprintable() else "Saved."

    def may_leave(self) -> str:
        """Why the person should not leave yet, which is told once; nothing if he may."""
        text = self.record.dumps()
        if self.path is not None or text == self._warned:
            return ""
        self._warned = text
        return "The match is not saved: save FILE keeps it, and quit once more leaves it."


def standing(record: eights.MatchRecord) -> str:
    """The scores of a match in a sentence, and who has won it."""
    names = list(map(printable, record.start.names))
    scores = ", ".join(f"{name} {number(points)}" for name, points in zip(names, record.match.scores, strict=True))
    if not record.is_over:
        return f"\nPoints after {_rounds(record.match.rounds)}: {scores}."
    winners = " and ".join(names[player] for player in record.match.winners)
    return f"\nThe match is over, won by {winners}. Points: {scores}."


def _rounds(count: int) -> str:
    return "1 round" if count == 1 else f"{count} rounds"

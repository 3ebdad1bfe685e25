"""Where positions come from: arguments, files, records, the quick form, or questions on a terminal."""

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click

if TYPE_CHECKING:
    import eights

HELP = """\
A SOURCE is a position in single quotes, a file of positions, or - for standard input. A file holds one position a
line; empty lines, and what follows a #, are skipped. A faulty position is named with all its faults, the other
positions are answered, and the exit status is then 2.

With --players and --hand you describe the table as you see it instead. Where an option may be repeated, the first
is yours, the next belongs to the player after you, and so on. What you do not say is unknown. How many cards lie
where is then taken to be so:

\b
  - Nobody has played Open or Blind Cards.
  - You are early in the round: everyone laid one card before this pile was
    started. With fewer cards in hand than the rules deal, your Bank is empty;
    with none, or more, you have begun to play from the table.
  - The others have come as far as you, but each has a card in hand.
  - What was laid on earlier piles was put aside by the others, evenly.

Say --bank, --blind and --aside to put that right. The whole position stands above the answer: for anything finer
(a card that somebody is known not to hold, say) change it there. With neither SOURCE nor --hand you are asked, if
you are at a terminal.

With --record the position is one of a round that has been recorded, or is being: of a whole round or of what one seat
saw, finished or not, alone or in a match. What the seat to act knew there includes what hidden hands had shown. Where
a line of the record is cut short or faulty, that is told by its number, and what came before it can be used: with a
--ply that lies there you are answered, otherwise not, and the exit status is 2.
"""


def cards(text: str) -> str:
    """Rank chars, in either case and with or without spaces; `-` for none."""
    chars = _joined(text).strip("-")
    for char in chars:
        if char not in "0123456789HG?":
            raise click.BadParameter(f"{char!r} is no card; write 0 to 9, H (Half) and G (Ghost), as in 024.")
    return chars


def plays(text: str) -> str:
    """Plays on a pile, in either case and with or without spaces; `-` for none."""
    return _joined(text).replace("X", "x") or "-"


def _joined(text: str) -> str:
    return "".join(text.upper().split())


Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]

COUNT = click.IntRange(min=0)
PLAYERS = click.IntRange(2, 6)
SEAT = click.IntRange(0, 5)
RULES = "As standard+open_sets=1, shafir."
RECORD = click.Path(exists=True, dir_okay=False, allow_dash=True)


def _each(flag: str, field: str, what: str, **kind: Any) -> Decorator:
    """An option with a value for each player."""
    return click.option(flag, field, multiple=True, help=f"{what}  Repeatable.", **kind)


# Named as the fields of `quick.Table`.
_TABLE: dict[str, Decorator] = {
    "players": click.option("--players", type=PLAYERS, metavar="N", help="Players at the table."),
    "hand": click.option("--hand", type=cards, help="Your hand: 024, 8H, - for none."),
    "pile": click.option(
        "--pile", type=plays, metavar="PLAYS", help="Plays on the pile, oldest first: ?,8x2,G.  [default: -]"
    ),
    "opens": _each("--open", "opens", "Open Cards: 136, 13?.", type=cards),
    "banks": _each("--bank", "banks", "Cards left in the Bank.", type=COUNT, metavar="N"),
    "blinds": _each("--blind", "blinds", "Blind Cards left.", type=COUNT, metavar="N"),
    "asides": _each("--aside", "asides", "Cards put aside.", type=COUNT, metavar="N"),
    "opening": click.option("--opening", is_flag=True, help="Your play opens the round."),
    "seat": click.option(
        "--seat", type=SEAT, metavar="N", help="Your seat, from the first dealt.  [default: 0; in a record: who acts]"
    ),
    "rules": click.option("--rules", metavar="RULES", help=f"{RULES}  [default: standard]"),
}

# Named as the parameters of `_from_record`.
_ROUND: dict[str, Decorator] = {
    "record": click.option("--record", type=RECORD, help="A round or match that was recorded; - for standard input."),
    "round_number": click.option(
        "--round", "round_number", type=COUNT, metavar="K", help="The round of a match, from 0.  [default: the last]"
    ),
    "ply": click.option("--ply", type=COUNT, metavar="N", help="After so many actions.  [default: all]"),
}

# What every table needs: how it is asked for, and of which type it is.
_NEEDED: dict[str, tuple[str, Any]] = {
    "players": ("Players at the table", PLAYERS),
    "hand": ("Your hand (as 024; H is a Half, G a Ghost, - no card)", cards),
}


def positions(*, analysable: bool) -> Decorator:
    """Give a command the parameters that say which positions; it is called with `positions`, an iterator.

    The iterator writes the faults of what is no position, or where asked no `analysable` one, to standard error, one a
    line, and goes on; if there were any, its end ends the command with status 2.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def wrapper(source: tuple[str, ...], **options: Any) -> None:
            named = {field: options.pop(field) for field in (*_TABLE, *_ROUND)}
            said = {field: value for field, value in named.items() if value not in (None, ()) and value is not False}
            if not said.keys() & _ROUND.keys():
                found = _parsed(_texts(source, said, analysable), analysable)
            elif "record" not in said:
                raise click.UsageError("--round and --ply are those of a --record: say which.")
            elif source or said.keys() - {*_ROUND, "seat"}:
                raise click.UsageError("To --record belong --round, --ply and --seat, and nothing else of a position.")
            else:
                found = _from_record(**said, analysable=analysable)
            command(positions=found, **options)

        decorated: Callable[..., None] = click.argument("source", nargs=-1)(wrapper)
        for option in reversed([*_TABLE.values(), *_ROUND.values()]):
            decorated = option(decorated)
        return decorated

    return decorate


class _Text(NamedTuple):
    """What should be a position, with what stands before and after its faults."""

    text: str
    before: str = ""
    after: str = ""


def _parsed(texts: Iterable[_Text], analysable: bool) -> Iterator["eights.Position"]:
    faulty = False
    for text, before, after in texts:
        try:
            position = _position(text, analysable)
        except ValueError as error:
            faulty = True
            _tell_faults(error, before)
            click.echo(after, nl=False, err=True)
        else:
            yield position
    if faulty:
        click.get_current_context().exit(2)


def _position(text: str, analysable: bool) -> "eights.Position":
    """The position of a text; ValueError if there is none, or where asked no analysable one."""
    import eights

    position = eights.parse_position(text)
    if analysable:
        position.check_analysable()
    return position


def _tell_faults(error: ValueError, before: str = "") -> None:
    """Write what is wrong with a position, each fault on a line of its own."""
    for fault in getattr(error, "faults", (str(error),)):
        click.echo(before + fault, err=True)


def _texts(sources: tuple[str, ...], said: dict[str, Any], analysable: bool) -> Iterable[_Text]:
    """Where the command is used in a wrong way, that is told before the first text is read."""
    if not sources:
        text = _from_table(said, analysable)
        return [_Text(text, after=f"The position was: {text}\n")]
    if said:
        raise click.UsageError("A SOURCE is a whole position: options of the table cannot add to it.")
    for source in sources:
        if not (source == "-" or " " in source or os.path.isfile(source)):  # noqa: PTH113  a Path may not be so long
            what = "A folder is no SOURCE" if os.path.isdir(source) else "There is no file"  # noqa: PTH112
            raise click.UsageError(f"{what}: {source!r}. (A position has spaces, so it stands in quotes.)")
    return (text for source in sources for text in _texts_of(source))


def _texts_of(source: str) -> Iterator[_Text]:
    if source != "-" and not os.path.isfile(source):  # noqa: PTH113
        yield _Text(source)
        return
    with click.open_file(source, encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            if text := line.partition("#")[0].strip():
                yield _Text(text, before=f"{source}:{number}: ")


def _from_record(
    record: str, *, analysable: bool, round_number: int | None = None, ply: int | None = None, seat: int | None = None
) -> Iterator["eights.Position"]:
    """The position of a round or match in a file; where there is none, what is wrong is told and the status is 2."""
    from eights_cli import records

    read, fault = records.read(record)
    if fault:
        click.echo(fault, err=True)
    if read is None or (fault and ply is None):
        click.get_current_context().exit(2)
    try:
        position = records.decision(records.round_of(read, round_number), ply, seat)
        if analysable:
            position.check_analysable()
    except ValueError as error:
        click.echo(str(error), err=True)
        click.get_current_context().exit(2)
    yield position


def _from_table(said: dict[str, Any], analysable: bool) -> str:
    """The position of the quick form. On a terminal what is needed is asked for, and more if nothing was said."""
    missing = [field for field in _NEEDED if field not in said]
    if missing and not _can_ask():
        lacking = f" ({' and '.join(f'--{field}' for field in missing)} is missing)" if said else ""
        raise click.UsageError(f"Say which position: a SOURCE, or --players and --hand{lacking}. See --help for both.")
    if not said:
        return _asked(analysable)
    for field in missing:
        said[field] = _ask(*_NEEDED[field])
    return _table_text(said)


def _asked(analysable: bool) -> str:
    """The position that somebody at a terminal tells, who is asked again until it is one."""
    said: dict[str, Any] = {}
    while True:
        for field, (question, kind) in _NEEDED.items():
            said[field] = _ask(question, kind, said.get(field))
        before = [*said.get("opens", ()), *["???"] * said["players"]]
        said["opens"] = [_ask(_whose_open(step), cards, before[step]) for step in range(said["players"])]
        said["pile"] = _ask("Plays on the pile, oldest first (as 1,8x2,G)", plays, said.get("pile", "-"))
        text = _table_text(said)
        try:
            _position(text, analysable)
        except ValueError as error:
            _tell_faults(error)
            click.echo("Once more: Enter alone keeps what stands in brackets.", err=True)
        else:
            return text


def _whose_open(step: int) -> str:
    return f"Open Cards of player {step} to your left" if step else "Your Open Cards"


def _ask(question: str, kind: Any, default: Any = None) -> Any:
    """The answer to a question; no card is written -."""
    return click.prompt(question, type=kind, default="-" if default == "" else default, err=True)


def _table_text(said: dict[str, Any]) -> str:
    import eights

    from eights_cli.quick import Table

    try:
        return Table(**said).text()
    except eights.RulesError as error:
        raise click.BadParameter(str(error), param_hint="--rules") from None


def _can_ask() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()

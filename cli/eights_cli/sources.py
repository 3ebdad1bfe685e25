"""Where positions come from: arguments, files, standard input, the quick form, or questions on a terminal."""

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

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
"""


class Cards(click.ParamType):
    """Rank chars, in either case; `-` for none."""

    name = "cards"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        cards = value.upper().strip("-")
        for card in cards:
            if card not in "0123456789HG?":
                self.fail(f"{card!r} is no card; write 0 to 9, H (Half) and G (Ghost), as in 024.", param, ctx)
        return cards


CARDS = Cards()
COUNT = click.IntRange(min=0)
PLAYERS = click.IntRange(2, 6)

# Named as the fields of `quick.Table`.
_TABLE = {
    "players": click.option("--players", type=PLAYERS, help="Players at the table."),
    "hand": click.option("--hand", type=CARDS, help="Your hand: 024, 8H, - for none."),
    "pile": click.option("--pile", metavar="PLAYS", help="Plays on the pile, oldest first: 1,8x2,?,G.  [default: -]"),
    "opens": click.option("--open", "opens", type=CARDS, multiple=True, help="Open Cards: 136, 13?.  Repeatable."),
    "banks": click.option("--bank", "banks", type=COUNT, multiple=True, help="Cards left in the Bank.  Repeatable."),
    "blinds": click.option("--blind", "blinds", type=COUNT, multiple=True, help="Blind Cards left.  Repeatable."),
    "asides": click.option("--aside", "asides", type=COUNT, multiple=True, help="Cards put aside.  Repeatable."),
    "opening": click.option("--opening", is_flag=True, help="Your play opens the round."),
    "seat": click.option("--seat", type=click.IntRange(0, 5), help="Your seat, from the first dealt.  [default: 0]"),
    "rules": click.option("--rules", metavar="RULES", help="As standard+open_sets=1, shafir.  [default: standard]"),
}

_QUESTIONS = {
    "players": ("Players at the table", PLAYERS, None),
    "hand": ("Your hand (as 024; H is a Half, G a Ghost, - no card)", CARDS, None),
    "opens": ("Your Open Cards", CARDS, "???"),
    "pile": ("Plays on the pile, oldest first (as 1,8x2,G)", click.STRING, "-"),
}


def positions(*, analysable: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the parameters that say which positions; it is called with `positions`, an iterator.

    The iterator writes the faults of what is no position, or where asked no `analysable` one, to standard error, one a
    line, and goes on; if there were any, its end ends the command with status 2.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def wrapper(source: tuple[str, ...], **options: Any) -> None:
            named = {field: options.pop(field) for field in _TABLE}
            said = {field: value for field, value in named.items() if value not in (None, (), False)}
            texts = _texts(source, said)
            command(positions=_parsed(texts, analysable), **options)

        for option in reversed(_TABLE.values()):
            wrapper = option(wrapper)
        return click.argument("source", nargs=-1)(wrapper)

    return decorate


def _parsed(texts: Iterable[tuple[str, str]], analysable: bool) -> Iterator["eights.Position"]:
    """The positions among texts that come with where they stand."""
    import eights

    faulty = False
    for where, text in texts:
        faults: tuple[str, ...] = ()
        try:
            position = eights.parse_position(text)
            if analysable:
                position.check_analysable()
        except eights.NotationError as error:
            faults = error.faults
        except ValueError as error:
            faults = (str(error),)
        if not faults:
            yield position
        for fault in faults:
            faulty = True
            click.echo(where + fault, err=True)
    if faulty:
        click.get_current_context().exit(2)


def _texts(sources: tuple[str, ...], said: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """Texts and where they stand. A wrong use of the command is told before the first of them is read."""
    if not sources:
        return [("", _from_table(said))]
    if said:
        raise click.UsageError("A SOURCE is a whole position: options of the table cannot add to it.")
    for source in sources:
        if not (source == "-" or " " in source or os.path.isfile(source)):  # noqa: PTH113  a Path may not be so long
            raise click.UsageError(f"There is no file {source!r}. (A position has spaces, so it stands in quotes.)")
    return (text for source in sources for text in _texts_of(source))


def _texts_of(source: str) -> Iterator[tuple[str, str]]:
    if source != "-" and not os.path.isfile(source):  # noqa: PTH113
        yield "", source
        return
    with click.open_file(source, encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            if text := line.partition("#")[0].strip():
                yield f"{source}:{number}: ", text


def _from_table(said: dict[str, Any]) -> str:
    """The position of the quick form. On a terminal what is needed is asked for, and more if nothing was said."""
    import eights

    from eights_cli.quick import Table

    asked = [field for field in _QUESTIONS if field not in said and (not said or field in ("players", "hand"))]
    if asked and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError("Say which position: a SOURCE, or --players and --hand. See --help for both.")
    for field in asked:
        question, kind, default = _QUESTIONS[field]
        answer = click.prompt(question, type=kind, default=default, err=True)
        said[field] = [answer] if field == "opens" else answer
    try:
        return Table(**said).text()
    except eights.RulesError as error:
        raise click.BadParameter(str(error), param_hint="--rules") from None

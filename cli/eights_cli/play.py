"""`eights play`: a person against players of any kind, at the terminal."""

import secrets
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eights_cli.interrupt import INTERRUPTED
from eights_cli.limits import SEED, duration
from eights_cli.sources import PLAYERS, RULES, SEAT

if TYPE_CHECKING:
    import eights
    from eights.specs import PlayerSpec

    from eights_cli.game import Game
    from eights_cli.person import Person

DEFAULT_OPPONENT = "casual"
DEFAULT_NAME = "you"

HELP = """\
A PLAYER is a level: beginner, learner, casual, skilled, expert or master. A lower level searches less and chooses more
freely among the moves that it has looked at, but it does not throw a game that it sees to be won. Or it is a player as
of `eights simulate`: random, greedy, plain:iterations=500, engine:time=1s.
"""


@click.command(short_help="Play a match against players of any kind.", epilog=HELP)
@click.argument("opponents", metavar="[PLAYER]...", nargs=-1)
@click.option(
    "--players", type=PLAYERS, metavar="N", help="Players at the table, you among them.  [default: as are named]"
)
@click.option("--rules", metavar="RULES", help=f"{RULES}  [default: standard]")
@click.option("--seat", type=SEAT, metavar="N", help="Where you sit in the first round.  [default: 0]")
@click.option("--name", metavar="NAME", default=DEFAULT_NAME, show_default=True, help="What you are called.")
@click.option("--seed", type=SEED, metavar="N", help="Of the deals and the players.  [default: another each time]")
@click.option(
    "--record",
    "path",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Keep the match in this file, and go on with it if it is there.",
)
@click.option(
    "--hint", "hint_time", type=duration, default="1s", show_default=True, help="Think for so long about a hint."
)
def play(
    opponents: tuple[str, ...],
    players: int | None,
    rules: str | None,
    seat: int | None,
    name: str,
    seed: int | None,
    path: Path | None,
    hint_time: float,
) -> None:
    """Play a match against players of any kind; by default against one of a casual level.

    \b
      eights play
      eights play expert beginner greedy --rules shafir
      eights play master --players 4 --record evening.jsonl

    You see the table as your seat sees it, and write what you play; `help` tells what else can be written: `hint`,
    `undo`, `save`, `quit`. With fewer names than opponents these are repeated in turn. A match goes as the rules say,
    with changing seats and the exchange of Open Cards.

    With --record the match is written after each round and when you leave, by Ctrl-C too, and a command with no more
    than that goes on with it; also with a match of `eights simulate`, in the place of the player that --name says. The
    file holds hidden cards: looking into it is cheating.

    Colours, bold and dim type stay away with NO_COLOR=1 in the environment, on a terminal that knows none (TERM=dumb),
    and where the output is no terminal. On a narrow one each seat is shown in lines of its own.
    """
    from eights.players import PlayerError

    from eights_cli import screen
    from eights_cli.person import Leave, Person

    goes_on = path is not None and path.exists()
    if path is not None and goes_on:
        _refuse({"--players": players, "--rules": rules, "--seat": seat, "--seed": seed}, path)
        game, others = _recorded(path, name, opponents)
    else:
        game, others = _begun(opponents or (DEFAULT_OPPONENT,), players, rules, seat or 0, name, seed, path)
    console = screen.console()
    person = Person(console, hint_time=hint_time, save=game.save, may_leave=game.may_leave)
    if game.in_progress is not None:
        person.heard = len(game.in_progress.events)
    seated = _seated(game, others, person)
    try:
        console.print(game.greeting())
        game.play(seated, person, console.print)
    except Leave:
        console.print("Goodbye.")
    except KeyboardInterrupt:
        console.print()
        click.get_current_context().exit(INTERRUPTED)
    except PlayerError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"The match cannot be written: {error.strerror}: {error.filename}") from None
    finally:
        for player in seated:
            player.close()


def _seated(game: "Game", others: list["PlayerSpec"], person: "Person") -> list["eights.Player"]:
    from eights.models import WeightsError
    from eights.players import PlayerError

    try:
        return game.seated(others, person)
    except (WeightsError, PlayerError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"The weights cannot be read: {error.strerror}: {error.filename}") from None


def _begun(
    texts: tuple[str, ...],
    players: int | None,
    rules: str | None,
    seat: int,
    name: str,
    seed: int | None,
    path: Path | None,
) -> tuple["Game", list["PlayerSpec"]]:
    """A new match."""
    import eights

    from eights_cli.game import Game
    from eights_cli.simulation import names_of

    places = PLAYERS(len(texts) + 1) if players is None else players
    if len(texts) >= places:
        raise click.BadParameter(f"{len(texts)} are named besides you, but {places} play.", param_hint="--players")
    if seat >= places:
        raise click.BadParameter(f"There is no seat {seat}: seats are 0 to {places - 1}.", param_hint="--seat")
    if path is not None and not path.parent.is_dir():
        raise click.BadParameter(f"There is no folder {str(path.parent)!r}.", param_hint="--record")
    others = list(islice(cycle(_parsed(texts)), places - 1))
    names = names_of(others)
    if name in names:
        raise click.BadParameter(f"There is a player {name!r} already.", param_hint="--name")
    names.insert(seat, name)
    try:
        match = eights.Match(
            eights.Rules.parse(rules or "standard", places), names, secrets.randbits(32) if seed is None else seed
        )
    except eights.RulesError as error:
        raise click.BadParameter(str(error), param_hint="--rules") from None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--name") from None
    return Game(eights.MatchRecord(match), seat, path), others


def _recorded(path: Path, name: str, texts: tuple[str, ...]) -> tuple["Game", list["PlayerSpec"]]:
    """The match in a file, and a word about its fault if it has one."""
    import eights

    from eights_cli import records
    from eights_cli.game import Game, check_goes_on, opponents_of
    from eights_cli.telling import printable

    record, fault = records.read(str(path))
    if not isinstance(record, eights.MatchRecord):
        raise click.BadParameter(fault or f"{path} holds one round, and not a match.", param_hint="--record")
    try:
        check_goes_on(record)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--record") from None
    names = record.start.names
    if name not in names:
        known = ", ".join(map(printable, names))
        raise click.BadParameter(f"Nobody is called {name!r} in this match: {known}.", param_hint="--name")
    place = names.index(name)
    if texts and len(texts) != len(names) - 1:
        raise click.BadParameter(f"The match has {len(names) - 1} other players, not {len(texts)}.")
    try:
        others = _parsed(texts) if texts else opponents_of(record, place)
    except ValueError as error:
        raise click.BadParameter(f"Say who the others are. {error}", param_hint="[PLAYER]...") from None
    for recorded, spec in zip((*names[:place], *names[place + 1 :]), others, strict=True):
        if texts and recorded != str(spec):
            click.echo(f"{spec} plays for {recorded}.", err=True)
    if fault:
        click.echo(f"{fault}\nThe match goes on from what came before.", err=True)
    return Game(record, place, path), others


def _parsed(texts: tuple[str, ...]) -> list["PlayerSpec"]:
    from eights_cli.game import parse_opponent

    try:
        return list(map(parse_opponent, texts))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="[PLAYER]...") from None


def _refuse(options: dict[str, object], path: Path) -> None:
    """What a match that goes on has already cannot be said again."""
    for option, value in options.items():
        if value is not None:
            raise click.UsageError(f"The match in {path} goes on: {option} is for a new one.")

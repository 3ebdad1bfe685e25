"""`eights play`: a person against players, driven at a terminal and by what is written to it."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import eights
import pytest
from click.testing import Result
from commands import EIGHTS, needs_terminal, run
from eights.events import Act
from eights.levels import LEVELS
from eights.seat import Card
from eights_cli import screen
from eights_cli.game import Game, check_goes_on, opponents_of, parse_opponent, standing
from eights_cli.interrupt import INTERRUPTED
from eights_cli.person import HELP, Person, read_action, shortened
from goldens import DATA, check_golden
from rich.console import Console
from rounds import LITTLE, decisions, played, told

if TYPE_CHECKING:
    import pexpect

SMALL = "standard+deck=1.1.1.1.1.1.1.1.1.1.1.1+hand_size=1+open_size=1+blind_size=1+match_rounds=2"
"""Short rounds for two players, in matches of two, with the exchange."""
MATCH = DATA / "cli" / "match.jsonl"
FIRST = "#1\n"
"""The first legal move, also where it is the only one."""


def played_out(*arguments: object, text: str = FIRST * 500, status: int = 0) -> Result:
    """A match that is answered by a text."""
    return run("play", "greedy", "--seed", 3, *arguments, input=text, status=status)


def loaded(path: Path) -> eights.MatchRecord:
    return eights.MatchRecord.loads(path.read_text("utf-8"))


def test_help() -> None:
    check_golden("cli/help_play.txt", run("play", "--help").stdout)


# ---- at a terminal


@contextmanager
def terminal(*arguments: str, **environment: str) -> Iterator[pexpect.spawn[str]]:
    pexpect = pytest.importorskip("pexpect", reason="pexpect is not installed")
    child = pexpect.spawn(
        EIGHTS[0],
        [*EIGHTS[1:], "play", *arguments],
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", **environment},
        dimensions=(40, 80),
        encoding="utf-8",
        timeout=120,
    )
    child.logfile_read = io.StringIO()
    try:
        yield child
    finally:
        child.close(force=True)


PROMPT = r"(?:\r\n> |Enter plays [^:]+: )$"


def shown_by(child: pexpect.spawn[str]) -> str:
    """All that the terminal has shown, without colours."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", child.logfile_read.getvalue()).replace("\r\n", "\n")


def status_of(child: pexpect.spawn[str]) -> int | None:
    """The status with which the command ends."""
    import pexpect

    child.expect(pexpect.EOF)
    child.wait()
    status: int | None = child.exitstatus
    return status


@needs_terminal
def test_a_whole_match_at_a_terminal(tmp_path: Path) -> None:
    """Three players, two rounds with the exchange between them; each kind of answer is given."""
    path = tmp_path / "match.jsonl"
    rules = f"{LITTLE}+match_rounds=2"
    with terminal("casual", "greedy", "--rules", rules, "--seed", "7", "--record", str(path)) as child:
        child.expect(PROMPT)
        child.sendline("help")
        child.expect("keep the match in a file")
        child.expect(PROMPT)
        child.sendline("hint")
        child.expect("Best move: |only legal one")
        asked = 0
        while child.expect([PROMPT, "The match is over, won by "]) == 0:
            asked += 1
            assert asked < 200
            child.sendline("" if asked % 3 == 0 else "#1")
            if asked == 4:
                child.expect(PROMPT)
                child.sendline("undo")
                child.expect("taken back")
        assert status_of(child) == 0
        shown = shown_by(child)
    record = loaded(path)
    assert record.is_over
    assert len(record.rounds) == 2
    assert record.rounds[1].start.exchange is not None
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.count("A round begins. You are seat") == 2
    assert standing(record).strip() in " ".join(shown.split())


@needs_terminal
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb", "NO_COLOR": ""}, {"NO_COLOR": ""}])
def test_where_colours_are_not_wanted_the_text_is_plain(environment: dict[str, str]) -> None:
    with terminal("greedy", "--seed", "7", **environment) as child:
        child.expect(r"> ")
        shown = child.logfile_read.getvalue()
        assert ("\x1b" in shown) == (environment == {"NO_COLOR": ""})


@needs_terminal
def test_ctrl_c_cuts_a_hint_short_and_the_match_goes_on() -> None:
    with terminal("greedy", "--seed", "7", "--hint", "10m") as child:
        child.expect(PROMPT)
        child.sendline("hint")
        child.expect("Thinking.*Thinking")
        child.sendintr()
        child.expect("Best move: ")
        child.expect(PROMPT)
        child.sendline("#1")
        child.expect("Seat 0 plays ")


@needs_terminal
def test_ctrl_c_leaves_and_keeps_the_match(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with terminal("greedy", "--seed", "7", "--record", str(path)) as child:
        child.expect(PROMPT)
        child.sendline("#1")
        child.expect(PROMPT)
        child.sendintr()
        assert status_of(child) == INTERRUPTED
    record = loaded(path)
    assert any(isinstance(event, Act) and event.seat == 0 for event in record.rounds[0].events)


# ---- matches


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (SMALL, 2),
        (f"{LITTLE}+match_rounds=2", 3),
        ("amigo+match_rounds=1", 4),
        ("shafir+match_target=1", 5),
        ("standard+match_rounds=1+open_sets=1+halves_add_up=1+policeman_starts_pile=1+five_through_ghost=1", 6),
    ],
)
def test_matches_of_all_kinds(tmp_path: Path, rules: str, players: int) -> None:
    path = tmp_path / "match.jsonl"
    shown = played_out("--rules", rules, "--players", players, "--record", path).stdout
    assert loaded(path).is_over
    assert " ".join(shown.split()).endswith(standing(loaded(path)).strip())
    assert max(map(len, shown.splitlines())) <= 80
    assert "\x1b" not in shown


def test_the_same_seed_gives_the_same_match() -> None:
    arguments = ("play", "learner", "--rules", SMALL, "--seed")
    one, same, other = (run(*arguments, seed, input=FIRST * 99).stdout for seed in (1, 1, 2))
    assert one == same != other


def test_without_a_seed_each_match_is_another() -> None:
    one, other = (run("play", "greedy", "--rules", SMALL, input="").stdout for _ in range(2))
    assert one != other
    assert "seed" in one


def test_by_default_it_is_a_match_against_one_casual_player() -> None:
    assert "Players: 0 you, 1 level:casual\n" in run("play", input="").stdout


def test_where_the_person_sits_and_what_he_is_called() -> None:
    shown = run("play", "greedy", "random", "--seat", 1, "--name", "Zoë", "--seed", 3, input="").stdout
    assert "Players: 0 greedy, 1 Zoë, 2 random\n" in shown
    assert "You are seat 1." in shown


# ---- hidden cards


@pytest.mark.parametrize("players", [2, 3])
def test_a_hand_is_shown_only_to_its_player_and_once_it_is_open(players: int) -> None:
    checked = 0
    for seed in range(4):
        record = played(eights.Rules.parse(LITTLE, players), seed)
        for ply in range(record.plies):
            position = record.position(ply)
            rows = table_rows(position)
            for number, seat in enumerate(position.seats):
                hidden = number != position.mover and not seat.at_table
                if hidden and seat.hand:
                    assert "[?]" * len(seat.hand) in rows[number]
                    checked += 1
                else:
                    assert "?" not in rows[number]
    assert checked > 20


def printed(position: eights.Position, names: Sequence[str], width: int) -> list[str]:
    """The lines of the table on a screen of so many columns."""
    console = Console(file=io.StringIO(), width=width, markup=False)
    console.print(screen.seen(position, names, width))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def table_rows(position: eights.Position) -> dict[int, str]:
    """The row of each seat as it is printed."""
    lines = printed(position, [f"name {seat}" for seat in range(position.players)], 80)[1 : 1 + position.players]
    rows = {int(line.split()[0]): line for line in lines}
    assert lines[-1] == rows[position.mover]
    return rows


def boxes(cards: Sequence[Card]) -> list[str]:
    """How cards are drawn: one by one, or if they are many counted; a single card of a rank is left out there."""
    chars = ["?" if isinstance(card, eights.Unknown) else eights.rank_char(card) for card in cards]
    if len(chars) <= 5:
        return [f"[{char}]" for char in chars]
    return [f"{char}x{count}" for char, count in Counter(chars).items() if count > 1]


@pytest.mark.parametrize("width", [30, 40, 67, 68, 80])
def test_every_card_is_shown_on_a_screen_of_any_width(width: int) -> None:
    record = played(eights.Rules.standard(4), 2)
    counted = 0
    for position in map(record.position, range(0, record.plies, 3)):
        lines = printed(position, ["N" * 24] * 4, width)
        assert max(map(len, lines)) <= width
        starts = [at for at, line in enumerate(lines) if re.match(r" *\d +N|Pile: ", line)]
        assert len(starts) == 5
        for first, last in pairwise(starts):
            block = "\n".join(lines[first:last])
            seat = position.seats[int(block.split()[0])]
            assert Counter(re.findall(r"\[[^#]\]|\b[0-9HG?]x\d+", block)) == Counter(
                boxes(seat.open) + boxes(seat.hand)
            )
            assert re.search(rf"(Bank|^ *\d +N+…?) +{seat.bank}\b", block)
            counted += len(seat.hand) > 5
    assert counted > 10


@pytest.mark.parametrize("width", [20, 40, 80])
def test_the_menu_breaks_between_moves_alone(width: int) -> None:
    legal = [eights.parse_action(f"swap {given} {taken}") for given in "0359" for taken in "12H"]
    lines = screen.menu(legal, width).plain.splitlines()
    assert max(map(len, lines)) <= width
    expected = [f"#{number} {eights.action_text(action)}" for number, action in enumerate(legal, start=1)]
    assert [item for line in lines for item in line.split("   ")] == expected


def test_what_is_printed_depends_on_what_the_seat_sees_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rounds that look alike to seat 0 are told alike: all that reaches a person is what his seat sees."""
    rules = "standard+deck=1.1.1.1.1.1.1.1.1.1.1.1+hand_size=2+open_size=1+blind_size=1"
    start = ["9", "1", "6", "8", "3"]
    texts = []
    for hidden in (["4", "1", "7", "3", "5"], ["G", "1", "7", "3", "0"]):
        record = told(rules, 2, *start, *hidden)
        console = Console(file=io.StringIO(), width=80, markup=False)
        person = Person(console, hint_time=0.01, save=lambda name: "", may_leave=lambda: "")
        view = record.view(0)
        person.new_round(view.start)
        for event in view.events[1:]:
            person.event(event)
        monkeypatch.setattr(console, "input", lambda prompt: "#1")
        person.choose(record.state.observation(0))
        assert isinstance(console.file, io.StringIO)
        texts.append(console.file.getvalue())
    assert texts[0] == texts[1]
    assert "Seat 1 plays 3" in texts[0]


@pytest.mark.parametrize(
    ("action", "told"),
    [(eights.parse_action("8x6"), "Seat 1 may not play 8x6 now."), (999, "There is no action 999: ")],
)
def test_who_breaks_the_rules_ends_the_match_and_his_hand_is_not_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, action: int, told: str
) -> None:
    path = tmp_path / "match.jsonl"
    monkeypatch.setattr(eights.GreedyPlayer, "choose", lambda self, observation: action)
    result = played_out("--record", path, status=1)
    assert result.stderr.startswith(f"Error: 'greedy' breaks the rules: {told}")
    assert "legal is" not in result.output
    assert not loaded(path).rounds[0].is_over


def test_of_a_program_that_cheats_only_its_move_is_told(tmp_path: Path) -> None:
    """What it may play, or the words of its error, would show its hand."""
    file = tmp_path / "cheat.py"
    file.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    hello = {'protocol': 1, 'games': ['eight_and_a_half']}\n"
        "    said = {'hello': hello, 'move': {'move': '9x9'}}.get(asked['type'], {})\n"
        "    print(json.dumps({'id': asked['id'], 'final': True, **said}), flush=True)\n"
    )
    player = f"cmd:{shlex.join([sys.executable, str(file)])}"
    result = run("play", player, "--seed", 3, input=FIRST * 9, status=1)
    assert result.stderr.endswith("answered with the move '9x9', which it may not play.\n")


# ---- what can be written


LEGAL = [eights.parse_action(text) for text in ("3", "3x2", "Hx2", "G", "8H")]


@pytest.mark.parametrize(
    ("written", "action"),
    [
        *[("3", "3"), (" 3 ", "3"), ("33", "3x2"), ("3X2", "3x2"), ("hx2", "Hx2"), ("HH", "Hx2"), ("g", "G")],
        *[("8h", "8H"), ("h8", "8H"), ("#1", "3"), ("#5", "8H"), ("# 2", "3x2")],
    ],
)
def test_what_is_played(written: str, action: str) -> None:
    assert eights.action_text(read_action(written, LEGAL)) == action


def test_words_are_written_as_they_like() -> None:
    for text in ("blind", "take", "keep", "swap 3 G"):
        action = eights.parse_action(text)
        assert read_action(text.upper(), [action]) == read_action(f" {text.lower()} ", [action]) == action


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("4", "4 may not be played now; legal is 3, 3x2, Hx2, G, 8H."),
        ("foo", "'foo' is not an action: "),
        ("3333333", "'3333333' is not an action: "),
        ("#0", "The moves are #1 to #5."),
        ("#6", "The moves are #1 to #5."),
        ("#" + "1" * 5000, "The moves are #1 to #5."),
        ("#²", "The moves are #1 to #5."),
        ("x" * 5000, "is not an action"),
    ],
)
def test_what_is_not_played_is_told(written: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)) as refused:
        read_action(written, LEGAL)
    assert len(str(refused.value)) < 250


def test_what_cannot_be_played_is_told_and_asked_again() -> None:
    shown = played_out(text="nonsense\nswap 1 1\n#99\n").stdout
    assert "'nonsense' is not an action" in shown
    assert "swap 1 1 may not be played now" in shown
    assert "The moves are #1 to #" in shown


def test_help_tells_what_can_be_written() -> None:
    shown = played_out(text="help\n?\n").stdout
    assert shown.count(HELP) == 2
    assert max(map(len, HELP.splitlines())) <= 80


def test_enter_shows_the_table_again_where_there_is_a_choice() -> None:
    assert played_out(text="\n\n").stdout.count("Pile: ") == 3


def test_a_hint_is_what_the_engine_would_play() -> None:
    shown = played_out("--hint", "20ms", text="hint\n").stdout
    assert "Best move: " in shown
    assert re.search(r" move +points +win +visits +then$", shown, re.MULTILINE)


# ---- taking back


def test_undo_takes_back_the_last_choice_and_what_followed(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    shown = played_out("--record", path, text="#1\n#1\nundo\n").stdout
    assert "Your move is taken back" in shown
    tables = re.findall(r"^seat  player.*?^#1[^\n]*", shown, re.MULTILINE | re.DOTALL)
    assert len(tables) == 4
    assert tables[1] == tables[3] != tables[2]
    assert sum(isinstance(event, Act) and event.seat == 0 for event in loaded(path).rounds[0].events) == 1


def test_what_was_forced_is_taken_back_with_the_choice_before() -> None:
    shown = played_out("--rules", SMALL, text="#1\n" * 5 + "undo\n" * 5).stdout
    taken, none = "Your move is taken back", "You have made no choice in this round"
    assert shown.count(taken) + shown.count(none) == 5
    assert none in shown


def test_another_move_can_be_played_after_it(tmp_path: Path) -> None:
    paths = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    played_out("--record", paths[0], text="#1\n#1\nundo\n#2\n#1\n")
    played_out("--record", paths[1], text="#1\n#2\n#1\n")
    assert loaded(paths[0]) == loaded(paths[1])


def test_only_what_was_a_choice_in_this_round_is_taken_back() -> None:
    assert "You have made no choice in this round" in played_out(text="undo\n").stdout


def test_a_record_is_shortened_to_each_of_its_plies() -> None:
    record = played(eights.Rules.parse(LITTLE, 3), 2)
    record.extra[0] = {"mood": "bold"}
    for ply, state in enumerate(decisions(record)):
        short = shortened(record, ply)
        assert short.plies == ply
        assert short.state == state
        assert short.events == record.events[: len(short.events)]
        assert short.extra == record.extra


# ---- keeping


def test_a_match_that_was_left_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    rules = f"{LITTLE}+match_rounds=2"
    left = played_out("--rules", rules, "--record", path, text=FIRST * 4 + "quit\n").stdout
    assert left.endswith(("> Goodbye.\n", ": Goodbye.\n"))
    before = loaded(path)
    assert not before.is_over
    shown = run("play", "--record", path, input=FIRST * 500).stdout
    assert re.search(r"It goes on after \d rounds?, at ply \d+ of the next\.", shown)
    after = loaded(path)
    assert after.is_over
    assert after.dumps().startswith(before.dumps())
    over = run("play", "--record", path).stdout
    assert standing(after).strip() in over


def test_what_was_told_before_is_not_told_again(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    played_out("--record", path, text=FIRST * 3)
    shown = run("play", "--record", path, input="").stdout
    assert " plays " not in shown.partition("Pile: ")[0].replace("Enter plays", "")
    assert "A round begins" not in shown


def test_a_simulated_match_goes_on_in_the_place_of_one_of_its_players(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    lines = MATCH.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:20]), "utf-8")
    run("play", "--record", path, "--name", "greedy", input=FIRST * 500)
    record = loaded(path)
    assert record.is_over
    assert record.dumps().startswith("".join(lines[:20]))


def test_a_record_that_is_cut_goes_on_from_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(MATCH.read_text("utf-8")[:1900], "utf-8")
    result = run("play", "greedy", "--record", path, "--name", "random", input=FIRST * 500)
    assert re.match(rf"{re.escape(str(path))}:\d+: The line is not JSON, or cut short", result.stderr)
    assert loaded(path).is_over


def test_save_keeps_the_match_from_then_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = played_out(text="#1\nsave my match.jsonl\n#1\nquit\n").stdout
    assert "\nSaved. To go on: " in shown.replace("> ", "\n")
    assert loaded(tmp_path / "my match.jsonl").rounds[0].plies >= 3


def test_a_terminal_is_told_no_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    shown = played_out("--name", "ev\x1b[31mil", text=f"#1\nsave {path}\nquit\n").stdout
    assert "Saved.\n" in shown
    assert "\x1b" not in shown
    result = run("play", "--record", path, status=2)
    assert "ev?[31mil" in result.stderr
    assert "\x1b" not in result.stderr


def test_what_save_says_is_a_command_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / ("a match of an evening " * 5 + ".jsonl")
    shown = played_out("--name", "Zoë O'Hara", text=f"#1\nsave {path}\nquit\n").stdout
    (command,) = re.findall("Saved. To go on: (.*)\n", shown)
    program, *arguments = shlex.split(command)
    assert program == "eights"
    assert "It goes on after 0 rounds, at ply " in run(*arguments, input="").stdout


def test_save_refuses_what_is_there_and_what_cannot_be(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("mine")
    shown = " ".join(played_out(text=f"save\nsave {there}\nsave {tmp_path}/no/a.jsonl\nsave \0\n").stdout.split())
    assert "Say in which file: save match.jsonl." in shown
    assert "There is a file" in shown
    assert "The match cannot be written: No such file or directory." in shown
    assert there.read_text() == "mine"


def test_what_is_not_saved_is_not_left_without_a_word() -> None:
    shown = played_out(text="#1\nquit\nquit\n#1\n").stdout
    assert shown.count("The match is not saved") == 1
    assert shown.endswith("Goodbye.\n")
    assert played_out(text="#1\n").stdout.count("The match is not saved") == 1  # the end of input is a quit
    again = played_out(text="#1\nquit\n#1\nquit\nquit\n").stdout
    assert again.count("The match is not saved") == 2


def test_each_round_is_kept_when_it_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.jsonl"
    kept: list[int] = []
    monkeypatch.setattr("eights_cli.game.write", lambda path, record: kept.append(len(record.scores)))
    played_out("--rules", SMALL, "--record", path)
    assert kept == [1, 2]


def test_where_it_cannot_be_kept_the_match_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, record: eights.MatchRecord) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("eights_cli.game.write", full)
    result = played_out("--rules", SMALL, "--record", tmp_path / "match.jsonl", status=1)
    assert result.stdout.count("The match cannot be written: No space left on device.") == 2
    assert "The match is over, won by " in result.stdout
    assert result.stderr.startswith("Error: The match cannot be written: No space left on device")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nobody"], "'nobody' is no player"),
        (["level:nobody"], "'nobody' is no level"),
        (["greedy", "--players", 7], "--players"),
        (["greedy", "greedy", "--players", 2], "2 are named besides you, but 2 play."),
        (["greedy"] * 6, "7"),
        (["greedy", "--seat", 2], "There is no seat 2: seats are 0 to 1."),
        (["greedy", "--rules", "bridge"], "'bridge' is not a preset"),
        (["greedy", "--name", "greedy"], "There is a player 'greedy' already."),
        (["greedy", "--name", "x" * 201], "at most 200 characters"),
        (["greedy", "--record", "no_such_folder/a.jsonl"], "There is no folder 'no_such_folder'."),
        (["engine:weights=no_such_file"], "weights cannot be read"),
        (["--record", MATCH, "--rules", "amigo"], "--rules is for a new one."),
        (["--record", MATCH], "Nobody is called 'you' in this match: greedy, random."),
        (["greedy", "greedy", "--record", MATCH, "--name", "random"], "The match has 1 other players, not 2."),
    ],
)
def test_what_cannot_be_is_refused(arguments: list[object], told: str) -> None:
    result = run("play", *arguments, input="", status=1 if "weights cannot" in told else 2)
    assert told in " ".join(result.stderr.split())
    assert "A round begins" not in result.stdout


def changed(text: str) -> str:
    """A match with another card on the table, as all events that follow still allow it."""
    return text.replace('"zone":"open","card":"H"', '"zone":"open","card":"5"', 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "The record is empty."),
        ("nonsense", "The line is not JSON"),
        (played(eights.Rules.parse(LITTLE, 2), 1).dumps(), "holds one round, and not a match."),
        (eights.MatchRecord.loads(MATCH.read_text("utf-8")).view(0).dumps(), "This is what one player saw"),
        ("".join(changed(MATCH.read_text("utf-8")).splitlines(keepends=True)[:6]), "are not those that the seed"),
    ],
)
def test_what_cannot_go_on_is_refused_and_stays_as_it_is(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(text, "utf-8")
    result = run("play", "greedy", "--record", path, "--name", "greedy", input="", status=2)
    assert told in " ".join(result.stderr.split())
    assert path.read_text("utf-8") == text


# ---- the library of it


def test_opponents_are_levels_or_players() -> None:
    for level in LEVELS:
        assert str(parse_opponent(level.name)) == str(parse_opponent(f"level:{level.name}")) == f"level:{level.name}"
    assert str(parse_opponent("engine:time=2ms")) == "engine:time=2ms"


def test_opponents_are_known_by_their_names() -> None:
    names = ("you", "greedy", "greedy (2)", "level:casual (3)")
    record = eights.MatchRecord(eights.Match(eights.Rules.standard(4), names, 1))
    assert list(map(str, opponents_of(record, 0))) == ["greedy", "greedy", "level:casual"]
    with pytest.raises(ValueError, match="'you' is no player"):
        opponents_of(record, 1)


def test_a_match_that_was_simulated_can_go_on() -> None:
    check_goes_on(eights.MatchRecord.loads(MATCH.read_text("utf-8")))


def test_the_standing_names_the_winners() -> None:
    match = eights.MatchRecord.loads(MATCH.read_text("utf-8"))
    assert standing(match).startswith("\nThe match is over, won by ")
    game = Game(match, 0, None)
    assert "The match is over" in game.greeting()


def test_rich_is_imported_only_when_somebody_plays() -> None:
    code = "import sys; from eights_cli.main import main; main(['play', '--help'], standalone_mode=False)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert not {"rich", "eights", "numpy"} & set(done.stdout.splitlines()[-1].split())

"""Records at the command line: positions from them, and rounds shown step by step."""

import json
from pathlib import Path

import eights
import pytest
from commands import needs_terminal, on_terminal, run
from eights.events import Act, Reveal
from eights_cli.telling import acted, flipped, printable, steps
from goldens import DATA, check_golden
from situations import table

PATH = DATA / "cli" / "match.jsonl"
"""A match of two rounds with a deck of twelve cards, written by `eights simulate`; see test_cli_simulate.py."""
TEXT = PATH.read_text("utf-8")
LINES = TEXT.splitlines(keepends=True)
MATCH = eights.MatchRecord.loads(TEXT)
ROUND = MATCH.rounds[0]
"""A whole round: seat 1 is caught in it, and a Blind Card does not fit."""

ENDS = "Nobody acts where the record ends: the round is over."
OVER = f"{ENDS} Say with --ply at which of its plies, 0 to {ROUND.plies - 1}."


@pytest.fixture
def round_path(tmp_path: Path) -> Path:
    """The file of a whole round."""
    path = tmp_path / "round.jsonl"
    path.write_text(ROUND.dumps(), "utf-8")
    return path


@pytest.fixture
def cut_path(tmp_path: Path) -> Path:
    """The file of a round of which 8 plies can be read; the line after them is cut."""
    path = tmp_path / "cut.jsonl"
    lines = ROUND.dumps().splitlines(keepends=True)
    ends = [number for number, event in enumerate(ROUND.events) if isinstance(event, Act)]
    path.write_text("".join(lines[: ends[8]]) + lines[ends[8]][:-10], "utf-8")
    return path


def faulty_line(path: Path) -> str:
    return f"{path}:{len(path.read_text('utf-8').splitlines())}: "


def undecided(record: eights.Record, plies: int) -> eights.Record:
    """A round after so many actions, all cards drawn."""
    acts = [number for number, event in enumerate(record.events) if isinstance(event, Act)]
    return eights.Record.loads("".join(record.dumps().splitlines(keepends=True)[: acts[plies]]))


# ---- positions


def position_of(*arguments: object, **options: str) -> str:
    return str(json.loads(run("suggest", "--json", "--iterations", 20, *arguments, **options).stdout)["position"])


def test_a_position_of_every_ply_is_what_its_mover_knew(round_path: Path) -> None:
    for ply in range(0, ROUND.plies, 5):
        assert position_of("--record", round_path, "--ply", ply) == str(ROUND.position(ply))


def test_without_a_ply_it_is_the_decision_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "round.jsonl"
    record = undecided(ROUND, 6)
    path.write_text(record.dumps(), "utf-8")
    assert position_of("--record", path) == str(record.position()) == str(ROUND.position(6))


def test_what_a_seat_saw_gives_the_same_position(tmp_path: Path) -> None:
    mover = ROUND.position(6).mover
    view = undecided(ROUND, 6).view(mover)
    path = tmp_path / "view.jsonl"
    path.write_text(view.dumps(), "utf-8")
    assert position_of("--record", path) == position_of("--record", path, "--seat", mover) == str(ROUND.position(6))


def test_a_round_of_a_match_is_named_by_its_number() -> None:
    assert position_of("--record", PATH, "--round", 0, "--ply", 3) == str(ROUND.position(3))
    assert position_of("--record", PATH, "--ply", 3) == str(MATCH.rounds[-1].position(3))


def test_a_record_may_come_from_standard_input() -> None:
    assert position_of("--record", "-", "--ply", 3, input=ROUND.dumps()) == str(ROUND.position(3))


def test_the_first_ply_is_0_and_so_is_the_first_seat(round_path: Path) -> None:
    position = ROUND.position(0)
    seats = {position.mover, 1 - position.mover}
    assert position_of("--record", round_path, "--ply", 0) == str(position)
    (other,) = seats - {position.mover}
    told = run("suggest", "--record", round_path, "--ply", 0, "--seat", other, status=2).stderr
    assert told == f"Seat {other} is not to act at ply 0: seat {position.mover} is.\n"


def test_evidence_is_in_the_position() -> None:
    match = eights.Match(eights.Rules.standard(players=3), ("a", "b", "c"), seed=2)
    record = eights.play(match, [eights.GreedyPlayer()] * 3).rounds[0]
    ply = next(ply for ply in range(record.plies) if "{" in str(record.position(ply)))
    shown = run("show", "--record", "-", "--ply", ply, input=record.dumps()).stdout
    assert "known to be none of" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--ply", 99], f"There is no ply 99: the record has plies 0 to {ROUND.plies}."),
        (["--seat", 5, "--ply", 0], "There is no seat 5: seats are 0 to 1."),
        (["--round", 0], "This is the record of one round: --round is for those of matches."),
        ([], OVER),
        (["--ply", ROUND.plies], OVER),
    ],
)
def test_what_is_not_in_the_record_is_told_in_a_sentence(
    round_path: Path, arguments: list[object], sentence: str
) -> None:
    result = run("suggest", "--record", round_path, *arguments, status=2)
    assert (result.stdout, result.stderr) == ("", f"{sentence}\n")


def test_what_is_not_in_the_match_is_told_in_a_sentence() -> None:
    result = run("suggest", "--record", PATH, "--round", 2, "--ply", 0, status=2)
    assert result.stderr == "There is no round 2: the match has rounds 0 to 1.\n"
    result = run("suggest", "--record", "-", input=LINES[0], status=2)
    assert result.stderr == "No round of the match has begun.\n"


def test_where_a_card_is_to_come_up_nobody_acts() -> None:
    lines = ROUND.dumps().splitlines(keepends=True)
    acts = [number for number, event in enumerate(ROUND.events) if isinstance(event, Act)]
    told = "Nobody acts where the record ends: a card is to come up."
    assert run("suggest", "--record", "-", input=lines[0], status=2).stderr == f"{told}\n"
    result = run("suggest", "--record", "-", input="".join(lines[: acts[0] + 1]), status=2)
    assert result.stderr == f"{told} Say with --ply at which of its plies, 0 to 0.\n"


def test_what_another_seat_knew_is_not_in_the_view_of_a_seat() -> None:
    ply = 3
    other = 1 - ROUND.position(ply).mover
    view = ROUND.view(other).dumps()
    result = run("suggest", "--record", "-", "--ply", ply, input=view, status=2)
    assert result.stderr == f"Seat {other} is not to act at ply {ply}: seat {1 - other} is.\n"
    result = run("suggest", "--record", "-", "--ply", ply, "--seat", 1 - other, input=view, status=2)
    assert result.stderr == f"This is what seat {other} saw: what seat {1 - other} knew is not in it.\n"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--ply", "3"], "--round and --ply are those of a --record"),
        (["--round", "0", "standard 0 - -"], "--round and --ply are those of a --record"),
        (["--record", PATH, "--hand", "024"], "To --record belong"),
        (["--record", PATH, "--opening"], "To --record belong"),
        (["--record", PATH, "standard 0 - -"], "To --record belong"),
    ],
)
def test_a_record_and_another_source_are_a_usage_error(arguments: list[object], fault: str) -> None:
    assert fault in run("suggest", *arguments, status=2).stderr


def test_a_record_that_is_not_there_is_a_usage_error() -> None:
    assert "does not exist" in run("suggest", "--record", "no_such_file", status=2).stderr
    assert "does not exist" in run("replay", "no_such_file", status=2).stderr


# ---- positions of faulty records


def test_a_faulty_record_is_refused_where_no_ply_says_what_is_meant(cut_path: Path) -> None:
    result = run("suggest", "--record", cut_path, status=2)
    assert result.stdout == ""
    assert result.stderr.startswith(f"{faulty_line(cut_path)}The line is not JSON, or cut short: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("ply", [0, 5, 8])
def test_in_what_came_before_the_fault_a_ply_is_answered(cut_path: Path, ply: int) -> None:
    result = run("suggest", "--record", cut_path, "--ply", ply, "--iterations", 20)
    assert result.stdout.startswith(f"{ROUND.position(ply)}\n")
    assert result.stderr.startswith(faulty_line(cut_path))


def test_a_ply_after_the_fault_is_refused(cut_path: Path) -> None:
    result = run("suggest", "--record", cut_path, "--ply", 9, status=2)
    assert result.stdout == ""
    fault, sentence = result.stderr.splitlines()
    assert fault.startswith(faulty_line(cut_path))
    assert sentence == "There is no ply 9: the record has plies 0 to 8."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "-: The record is empty."),
        ("\n \n", "-: The record is empty."),
        ("[]\n", "-:1: An event is a JSON object."),
        ("\nnonsense\n", "-:2: The line is not JSON, or cut short: "),
        (LINES[1].replace('"version":1', '"version":2'), "-:1: The record is of version 2, and only version 1 "),
        (LINES[2], "-:1: The record of a round begins with its start event."),
        ("[" * 100_000, "-:1: The line is nested too deeply."),
        ("x" * (1 << 20) + "x", "-:1: The line is longer than "),
        (b"\xff\xfe\n", "-:1: The line is not JSON, or cut short: "),
    ],
)
@pytest.mark.parametrize("command", [("suggest", "--record", "-", "--ply", "0"), ("replay", "-")])
def test_what_is_no_record_is_refused(command: tuple[str, ...], text: str | bytes, told: str) -> None:
    result = run(*command, input=text, status=2)
    assert result.stdout == ""
    assert result.stderr.startswith(told)
    assert result.stderr.count("\n") == 1


# ---- replay


def test_a_match_is_shown_step_by_step_with_its_scores() -> None:
    check_golden("cli/replay_match.txt", run("replay", PATH).stdout)


def test_a_round_as_a_seat_saw_it() -> None:
    shown = run("replay", PATH, "--round", 0, "--seat", 1).stdout
    check_golden("cli/replay_seat.txt", shown)
    assert "seed" not in shown
    assert run("replay", "-", input=ROUND.view(1).dumps()).stdout.partition("\n")[2] == shown.partition("\n")[2]


def test_some_plies_of_a_round(round_path: Path) -> None:
    whole = run("replay", round_path).stdout
    some = run("replay", round_path, "--ply", "3-4").stdout
    one = run("replay", round_path, "--ply", 4).stdout
    assert [line for line in some.splitlines() if line.startswith("Ply")] == ["Ply 3", "Ply 4"]
    heading, _, step = one.partition("\n\n")
    assert whole.startswith(heading)
    assert step in some
    assert step in whole


@pytest.mark.parametrize("which", [("--ply", 3), ("--seat", 1), ("--seat", 0, "--ply", "2-4")])
def test_a_ply_or_a_seat_of_a_match_is_that_of_the_last_round_as_in_other_commands(which: tuple[object, ...]) -> None:
    shown = run("replay", PATH, *which).stdout
    assert shown == run("replay", PATH, "--round", 1, *which).stdout
    assert shown.startswith("Round 1: ")


def test_the_end_of_a_round_belongs_to_its_last_ply(round_path: Path) -> None:
    last = run("replay", round_path, "--ply", ROUND.plies - 1).stdout
    assert " is out.\n" in last
    assert "cards" not in last.splitlines()[-3]
    assert run("replay", round_path, "--ply", f"{ROUND.plies - 1}-{ROUND.plies}").stdout.startswith(last)


def test_what_is_shown_of_a_round_that_is_not_over() -> None:
    events = ROUND.events
    lines = ROUND.dumps().splitlines(keepends=True)
    acts = [number for number, event in enumerate(events) if isinstance(event, Act)]
    drawn = next(number for number in acts if isinstance(events[number + 1], Reveal))
    for end, told in (
        (acts[3], "Ply 3, where the record ends"),
        (drawn + 1, "The record ends here, where a card is to come up."),
        (len(lines) - 1, "The round is over, but its end is not recorded."),
        (1, "The record ends here, where a card is to come up."),
    ):
        assert told in run("replay", "-", input="".join(lines[:end])).stdout.splitlines(), end
    opening = "".join(ROUND.view(1).dumps().splitlines(keepends=True)[: acts[0]])
    assert "who opens the round is not known yet" in run("replay", "-", input=opening).stdout


def test_what_came_before_a_fault_is_shown(cut_path: Path) -> None:
    result = run("replay", cut_path, status=2)
    assert "Ply 8, where the record ends" in result.stdout.splitlines()
    assert result.stderr.startswith(faulty_line(cut_path))
    assert result.stderr.count("\n") == 1


def test_where_the_ply_is_not_there_because_of_a_fault_both_are_told(cut_path: Path) -> None:
    result = run("replay", cut_path, "--ply", 9, status=2)
    assert result.stdout == ""
    fault, sentence = result.stderr.splitlines()
    assert fault.startswith(faulty_line(cut_path))
    assert sentence == "There is no ply 9: the round has plies 0 to 8."


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--seat", 2], "There is no seat 2: seats are 0 to 1."),
        (["--ply", 99], f"There is no ply 99: the round has plies 0 to {MATCH.rounds[-1].plies}."),
        (["--round", 7], "There is no round 7: the match has rounds 0 to 1."),
        (["--round", 0, "--seat", 2], "There is no seat 2: seats are 0 to 1."),
        (["--round", 0, "--ply", "3-99"], f"There is no ply 99: the round has plies 0 to {ROUND.plies}."),
        (["--round", 0, "--ply", "x"], "'x' is no ply or range of plies"),
        (["--round", 0, "--ply", "4-3"], "'4-3' ends before it begins."),
    ],
)
def test_what_cannot_be_shown_is_told(arguments: list[object], told: str) -> None:
    result = run("replay", PATH, *arguments, status=2)
    assert told in result.stderr
    assert result.stdout == ""


def test_unknown_fields_are_named() -> None:
    text = ROUND.dumps().replace('"type":"act"', '"type":"act","mood\\u001b":"bold"', 1)
    shown = run("replay", "-", "--ply", 0, input=text).stdout
    assert "Fields that this version does not know: mood?" in shown
    match = TEXT.replace('"type":"match"', '"type":"match","place":"Ulm"').replace(
        '"type":"act"', '"type":"act","z":1', 1
    )
    assert "Fields that this version does not know: place, z\n" in run("replay", "-", input=match).stdout


def test_names_are_harmless() -> None:
    assert printable("Zoë\x1b[2J\n" + "x" * 100) == "Zoë?[2J?" + "x" * 31 + "…"


@needs_terminal
def test_on_a_terminal_it_is_paged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "cat -n")
    with on_terminal("replay", str(PATH)) as command:
        assert "     1\t" in command.read_until("Scores after round 1")


# ---- in words


TURN = "standard 0 4,H 8:58G:136:3:-/8:???:889:3:…/8:???:247:3:-/8:???:05G:3:-"
SETS = "standard 0 2 8:8GH:136:3:-/8:???:889:3:…/8:???:247:3:-/8:???:05G:3:-"
LATE = "standard 0 4,H 0:-:156:3:…*/8:???:889:3:-/8:???:247:3:-/0:8:05G:3:-*"
ON_9 = "standard 0 9 {}/8:???:889:3:-/8:???:247:3:-/8:???:05G:3:-"
FLIP = "standard 0 4,H 0:-:-:3:…*/8:???:889:3:-/8:???:247:3:-/8:???:05G:3:-"
STARTS = FLIP.replace("standard", "standard+policeman_starts_pile=1")
EXCHANGE = "standard 1x3 - 9:???:9HH:3:-/9:146:379:3:-/9:???:259:3:-/9:???:28H:3:- 0"


@pytest.mark.parametrize(
    ("position", "action", "sentence"),
    [
        (TURN, "5", "Seat 0 plays 5 and catches seat 3, who takes the pile, 3 cards put aside."),
        (TURN, "8", "Seat 0 plays 8; the pile stands at 8."),
        (TURN, "G", "Seat 0 plays G; the pile stands at 4½, and seat 0 is a felon."),
        (SETS, "8H", "Seat 0 plays 8 and Half together; the pile stands at 8½, and seat 0 is a felon."),
        (LATE, "6", "Seat 0 plays 6 of its Open Cards; the pile stands at 6."),
        (LATE, "5", "Seat 0 plays 5 of its Open Cards and catches seat 3, who takes the pile, 3 cards into its hand."),
        (ON_9.format("8:123:136:3:…"), "take", "Seat 0 takes the pile, 1 card put aside."),
        (ON_9.format("0:-:136:3:…*"), "take", "Seat 0 takes the pile, 1 card into its hand."),
        (FLIP, "blind", "Seat 0 flips a Blind Card."),
        (EXCHANGE, "keep", "Seat 1 exchanges nothing."),
        (EXCHANGE, "swap 7 8", "Seat 1 exchanges Open Cards with seat 3, its 7 for 8."),
    ],
)
def test_what_a_player_did(position: str, action: str, sentence: str) -> None:
    before, after = table(position), table(position, action)
    assert acted(Act(seat=before.mover, action=action), before, after) == sentence


@pytest.mark.parametrize(
    ("position", "card", "sentence"),
    [
        (FLIP, "9", "It is 9; the pile stands at 9."),
        (FLIP, "H", "It is H; the pile stands at 5."),
        (FLIP, "5", "It is 5 and catches seat 3, who takes the pile, 3 cards put aside."),
        (STARTS, "5", "It is 5 and catches seat 3, who takes the pile, 2 cards put aside."),
        (FLIP, "3", "It is 3 and does not fit: seat 0 takes the pile, 3 cards into its hand."),
    ],
)
def test_what_came_of_a_blind_card(position: str, card: str, sentence: str) -> None:
    before, after = table(position, "blind"), table(position, "blind", card)
    assert flipped(Reveal(seat=0, zone="blind", card=card), before, after) == sentence


def test_cards_drawn_together_are_told_together() -> None:
    deal = next(steps(ROUND.view(1)))
    assert len(deal) == 4
    assert [sentence.partition(" ")[2].rstrip(".")[2:-2] for sentence in deal] == ["sets out", "draws"] * 2
    assert deal[1] == "Seat 0 draws ?."

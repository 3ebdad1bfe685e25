"""`eights match`: its tables, its log, and what becomes of it when something fails."""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import eights
import eights_cli
import pytest
from commands import EIGHTS, needs_terminal, on_terminal, run
from eights.arena import duel
from eights_cli.interrupt import INTERRUPTED
from goldens import check_golden
from rounds import LITTLE

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs the signals and files of POSIX")
SHORT = ("--rules", LITTLE)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Logs are written where the command is."""
    paths = [str(Path(path).resolve()) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def matched(*arguments: object, status: int = 0) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run("match", "--json", *SHORT, *arguments, status=status).stdout)
    return answer


def timeless(answer: Any) -> Any:
    """An answer without what the players' thinking took."""
    if isinstance(answer, dict):
        return {name: timeless(value) for name, value in answer.items() if name != "ms_per_decision"}
    return [timeless(value) for value in answer] if isinstance(answer, list) else answer


def logs(folder: Path) -> list[Path]:
    return sorted((folder / "eights-matches").glob("*"))


def test_help() -> None:
    check_golden("cli/help_match.txt", run("match", "--help").stdout)


# ---- what is printed


def test_the_result_of_two_players() -> None:
    printed = run("match", "greedy", "random", "--deals", 6, *SHORT).stdout
    lines = printed.splitlines()
    assert lines[0].split() == ["player", "won", "a", "decision"]
    assert [line.split()[0] for line in lines[1:3]] == ["greedy", "random"]
    number = r"[+-]\d\.\d{3}"
    assert re.fullmatch(
        rf"Difference: {number} ± \d\.\d{{3}} points a round \(95 %: {number} to {number}\)\.", lines[4]
    )
    assert lines[-1] == f"Deals: 6; {LITTLE}, 2 players; seed 1."


def test_values_are_those_of_the_arena() -> None:
    answer = matched("greedy", "random", "--deals", 6, "--seed", 3, "--players", 3)
    expected = duel("greedy", "random", eights.Rules.parse(LITTLE, 3), deals=6, seed=3)
    (match,) = answer["matches"]
    assert (answer["rules"], answer["players"], answer["seed"], answer["stopped"]) == (LITTLE, 3, 3, False)
    assert [match[name] for name in ("deals", "rounds")] == [6, 18]
    for name in ("difference", "difference_se", "lower", "upper", "plies", "unfinished"):
        assert match[name] == pytest.approx(getattr(expected, name))
    for name in ("challenger", "field"):
        side = getattr(expected, name)
        assert (match[name]["win_rate"], match[name]["decisions"]) == pytest.approx((side.win_rate, side.decisions))
    assert answer["standings"] is None


def test_with_few_deals_there_is_no_interval() -> None:
    (match,) = matched("greedy", "random", "--deals", 1)["matches"]
    assert (match["difference_se"], match["lower"], match["upper"]) == (None, None, None)
    assert "± ? points a round.\n" in run("match", "greedy", "random", "--deals", 1, *SHORT).stdout


def test_several_players_meet_each_other_on_the_same_deals() -> None:
    names = ("random", "greedy", "plain:iterations=3")
    answer = matched(*names, "--deals", 5)
    pairs = [(match["challenger"]["player"], match["field"]["player"]) for match in answer["matches"]]
    assert pairs == [(names[0], names[1]), (names[0], names[2]), (names[1], names[2])]
    rules = eights.Rules.parse(LITTLE, 2)
    deals = {pair: [deal.difference for deal in duel(*pair, rules, deals=5).deals] for pair in pairs}
    points = [standing["points"] for standing in answer["standings"]]
    assert points == sorted(points, reverse=True)
    assert sum(points) == pytest.approx(0)
    for standing in answer["standings"]:
        rows = [
            [sign * value for value in deals[pair]]
            for pair in pairs
            for sign, name in zip((1, -1), pair, strict=True)
            if name == standing["player"]
        ]
        means = [sum(column) / 2 for column in zip(*rows, strict=True)]
        assert standing["points"] == pytest.approx(sum(means) / 5)
        assert standing["points_se"] == pytest.approx(
            (sum((mean - sum(means) / 5) ** 2 for mean in means) / 4 / 5) ** 0.5
        )
    lines = run("match", *names, "--deals", 5, *SHORT).stdout.splitlines()
    assert [line.split()[1] for line in lines[1:4]] == [standing["player"] for standing in answer["standings"]]
    assert [len(line) for line in lines[4:6]] == [0, len(lines[6])]
    cells = [re.findall(r"([+-]\d\.\d\d) ± \d\.\d\d(?!\d)", line) for line in lines[6:9]]
    assert [len(row) for row in cells] == [2, 2, 2]  # nobody meets himself
    above = [float(cells[row][column - 1]) for row, column in ((0, 1), (0, 2), (1, 2))]
    assert above == [-float(cells[row][column]) for row, column in ((1, 0), (2, 0), (2, 1))]


def test_a_table_of_many_players_fits_the_page() -> None:
    names = [f"engine:time=0.001ms,iterations={10**9 + number},threads=1" for number in range(6)]
    lines = run("match", *names, "--deals", 2, *SHORT).stdout.splitlines()
    assert max(map(len, lines[:-1])) <= 80  # the last one has the rules
    shown = [f"engine:time=0.00…iterations=100000000{number},threads=1" for number in range(6)]
    assert sorted(line.split()[1] for line in lines[1:7]) == shown
    assert [len(re.findall(r" [+-]\d\.\d\d", line)) for line in lines[9:15]] == [5] * 6


def test_at_larger_tables_they_meet_both_ways() -> None:
    names = ("random", "greedy", "plain:iterations=3")
    answer = matched(*names, "--deals", 2, "--players", 3)
    pairs = {(match["challenger"]["player"], match["field"]["player"]): match for match in answer["matches"]}
    assert set(pairs) == {(one, other) for one in names for other in names if one != other}
    for standing in answer["standings"]:
        mine = [match["difference"] for (one, _), match in pairs.items() if one == standing["player"]]
        assert standing["points"] == pytest.approx(sum(mine) / 2)


def test_a_test_of_two_means() -> None:
    answer = matched("greedy", "random", "--sprt", 0, 0.5)
    (match,) = answer["matches"]
    assert match["sprt"]["accepted"] == 0.5
    assert match["sprt"]["llr"] > match["sprt"]["bounds"][1]
    assert 3 < match["deals"] < 100
    printed = run("match", "greedy", "random", "--sprt", 0, 0.5, *SHORT).stdout
    assert re.search(r"^SPRT of 0 against 0\.5: LLR \d\.\d\d \(-2\.94 to 2\.94\), 0\.5 is accepted\.$", printed, re.M)
    printed = run("match", "greedy", "random", "--sprt", -0.5, 0, "--deals", 2, "--no-log", *SHORT).stdout
    assert "SPRT of -0.5 against 0: " in printed
    assert ", undecided." in printed


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Missing argument"),
        (["greedy"], "A match is between two players or more: name another."),
        (["greedy", "gredy"], "'gredy' is no player"),
        (["greedy", "random", "greedy"], "In a table of several players each is named once."),
        (["greedy", "random", "plain", "--sprt", "0", "1"], "--sprt is a test of two players."),
        (["greedy", "random", "--sprt", "1", "0"], "the lower first, not 1 and 0."),
        (["greedy", "random", "--sprt", "-1e308", "1e308"], "A test is between two means from -3 to 3"),
        (["greedy", "random", "--log", "x", "--no-log"], "Give --log or --no-log, not both."),
        (["greedy", "random", "--rules", "chess"], "'chess' is not a preset"),
        (["greedy", "random", "--players", "7"], "7 is not in the range"),
        (["greedy", "random", "--deals", "0"], "0 is not in the range"),
        (["greedy", "cmd:/nonsense/bot"], "The program '/nonsense/bot' cannot be started: No such file or directory."),
        (["greedy", "spiel:nobody"], "OpenSpiel has no bot 'nobody'"),
        (["greedy", "engine:weights=missing"], "The weights cannot be read: No such file or directory: missing"),
    ],
)
def test_usage_errors(here: Path, arguments: list[str], complaint: str) -> None:
    result = run("match", *arguments, status=2)
    assert complaint in result.stderr
    assert (result.stdout, list(here.iterdir())) == ("", [])


# ---- the log


def test_the_same_command_goes_on_from_its_log(here: Path) -> None:
    short = run("match", "greedy", "random", "--deals", 3, *SHORT)
    assert short.stderr == ""
    (log,) = logs(here)
    before = log.read_bytes()
    again = run("match", "greedy", "random", "--deals", 3, *SHORT)
    assert (again.stdout, again.stderr) == (short.stdout, "Going on from eights-matches: 3 deals are there.\n")
    assert log.read_bytes() == before
    longer = matched("greedy", "random", "--deals", 5, "--jobs", 2)
    assert timeless(longer) == timeless(matched("greedy", "random", "--deals", 5, "--no-log"))
    assert log.read_bytes().startswith(before)
    assert logs(here) == [log]


def test_other_matches_have_other_logs(here: Path) -> None:
    for more in ([], ["--seed", 2], ["--players", 3], ["--rules", f"{LITTLE}+max_plies=50"]):
        run("match", "greedy", "random", "--deals", 1, *SHORT, *more)
    run("match", "random", "greedy", "--deals", 1, *SHORT)
    assert len(logs(here)) == 5


@posix
def test_a_match_that_was_killed_half_way_comes_to_the_same_table(here: Path) -> None:
    command = [*EIGHTS, "match", "engine:time=2ms", "greedy", "--deals", "8", "--jobs", "2", "--json", *SHORT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        end = time.monotonic() + 120
        while not logs(here) or logs(here)[0].read_bytes().count(b"\n") < 4:
            assert time.monotonic() < end
            assert process.poll() is None
            time.sleep(0.005)
        process.kill()
        printed = process.communicate(timeout=60)[0]  # which waits for all processes that can still write
    assert printed == b""
    (log,) = logs(here)
    kept = log.read_bytes().rpartition(b"\n")[0].splitlines()
    assert 4 <= len(kept) < 9
    restarted = subprocess.run(command, capture_output=True, check=True, timeout=300)
    assert f"{len(kept) - 1} deals are there".encode() in restarted.stderr
    assert log.read_bytes().splitlines()[: len(kept)] == kept
    # The deals were played once, and what stands in the log is what an uninterrupted match would show.
    assert sorted(json.loads(line)["deal"] for line in log.read_bytes().splitlines()[1:]) == list(range(8))
    assert subprocess.run(command, capture_output=True, check=True, timeout=300).stdout == restarted.stdout
    assert json.loads(restarted.stdout)["matches"][0]["deals"] == 8


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from eights_cli.main import main
main(sys.argv[2:], prog_name="eights")
"""


@posix
def test_a_full_disk_loses_nothing_that_was_logged(here: Path) -> None:
    arguments = ["match", "greedy", "random", "--deals", "9", *SHORT]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "2000", *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1
    (log,) = logs(here)
    whole = log.read_bytes().count(b"\n") - 1
    assert 0 < whole < 9
    assert f"Deals: {whole}; " in done.stdout
    assert "Stopped early. " in done.stdout
    complaint = f"Error: The log eights-matches/{log.name} cannot be written: File too large. What it has is whole"
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert timeless(matched("greedy", "random", "--deals", 9)) == timeless(
        matched("greedy", "random", "--deals", 9, "--no-log")
    )


@posix
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_of_records_says_which(here: Path, jobs: int) -> None:
    arguments = ["match", "greedy", "random", "--deals", "2", "--records", "new", "--jobs", str(jobs), *SHORT]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "800", *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1
    assert re.search(r"^Error: File too large: new/greedy-random-\w+/deal-0000[01]-seat-0\.jsonl$", done.stderr, re.M)


def test_a_damaged_log_is_refused(here: Path) -> None:
    run("match", "greedy", "random", "--deals", 1, *SHORT)
    (log,) = logs(here)
    log.write_bytes(log.read_bytes() + b"{}\n")
    result = run("match", "greedy", "random", "--deals", 2, *SHORT, status=1)
    assert f"Line 3 of eights-matches/{log.name} is no deal" in result.stderr
    (here / "file").touch()
    assert "is a file" in run("match", "greedy", "random", "--log", "file", status=2).stderr
    assert "Not a directory" in run("match", "greedy", "random", "--log", "file/logs", status=1).stderr


# ---- players that fail

BAD = """
import sys
from eights.server import Server

server = Server(lambda line: (sys.stdout.buffer.write(line), sys.stdout.flush()), threads=1)
news = 0
for line in sys.stdin.buffer:
    news += b'"new"' in line
    if news == 4:
        sys.exit("no memory left")
    server.receive(line)
"""
"""A program that ends in its fourth round, which is in the second deal."""


@posix
def test_a_player_that_fails_ends_the_match_in_order_or_is_left_out(here: Path) -> None:
    (here / "bad.py").write_text(BAD)
    command = shlex.join([sys.executable, "bad.py"])
    arguments = (f"cmd:iterations=3,{command}", "greedy", "--deals", 4, *SHORT)
    stopped = run("match", *arguments, status=1)
    assert "Stopped early. Deals: 1; " in stopped.stdout
    sentence = "has ended with status 1: 'no memory left'. This was in deal 1 of seed 1: cmd:"
    assert sentence in stopped.stderr
    # It is started anew for each failure, so that it fails in deals 1 and 3, and now in deal 2.
    skipped = run("match", *arguments, "--on-failure", "skip")
    assert "Going on from eights-matches: 1 deals are there." in skipped.stderr
    assert skipped.stderr.count("has ended with status 1: 'no memory left'. This was in deal 2 of seed 1") == 1
    assert "Deals that were left out since a player failed: 1." in skipped.stderr
    assert "\nDeals: 3; " in skipped.stdout
    answer = matched(*arguments[:4], "--on-failure", "skip", "--seed", 2)
    assert (answer["failures"], answer["matches"][0]["deals"]) == (2, 2)


SHY = """
import sys
from pathlib import Path
from eights.server import Server

server = Server(lambda line: (sys.stdout.buffer.write(line), sys.stdout.flush()), threads=1)
for line in sys.stdin.buffer:
    with Path("asked").open("a") as asked:
        asked.write("x")
    if Path("asked").stat().st_size > int(sys.argv[1]):
        sys.exit("enough")
    server.receive(line)
"""
"""A program that answers so many requests, of which each begin of a match asks some."""


@posix
@pytest.mark.parametrize("answers", range(5))
def test_a_player_that_fails_before_the_first_deal_is_refused_with_a_sentence(here: Path, answers: int) -> None:
    (here / "shy.py").write_text(SHY)
    player = f"cmd:iterations=3,{shlex.join([sys.executable, 'shy.py', str(answers)])}"
    result = run("match", player, "greedy", "--deals", 1, "--log", "logs", *SHORT, status=1 if answers > 1 else 2)
    assert "has ended with status 1: 'enough'" in result.stderr


# ---- records and pictures


def test_each_round_becomes_a_record(here: Path) -> None:
    run("match", "greedy", "random", "--deals", 2, "--records", "new/records", "--jobs", 2, *SHORT)
    (folder,) = (here / "new" / "records").iterdir()
    names = [f"deal-{deal:05}-seat-{seat}.jsonl" for deal in range(2) for seat in range(2)]
    assert sorted(path.name for path in folder.iterdir()) == names
    expected = duel("greedy", "random", eights.Rules.parse(LITTLE, 2), deals=2)
    for deal in expected.deals:
        for seat, played in enumerate(deal.rounds):
            record = eights.Record.loads((folder / names[2 * deal.deal + seat]).read_text())
            assert record.names == (("greedy", "random"), ("random", "greedy"))[seat]
            assert (record.is_over, record.plies, tuple(record.state.points())) == (True, played.plies, played.points)
    assert "greedy" in run("replay", folder / names[0]).stdout


def test_a_picture_is_drawn(here: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib draws the pictures")
    for name, arguments in (
        ("course.png", ["greedy", "random"]),
        ("test.svg", ["greedy", "random", "--sprt", "0", "0.5"]),
        ("table.svg", ["greedy", "random", "plain:iterations=2"]),
    ):
        run("match", *arguments, "--deals", 6, "--plot", name, *SHORT)
        assert (here / name).stat().st_size > 5_000
    assert (here / "course.png").read_bytes().startswith(b"\x89PNG")
    refused = run("match", "greedy", "random", "--plot", "picture.doc", *SHORT, status=2)
    assert "picture.doc has none of the endings " in refused.stderr
    refused = run("match", "greedy", "random", "--plot", "missing/a.png", *SHORT, status=2)
    assert "There is no folder 'missing'." in refused.stderr
    (here / "dangling.png").symlink_to("missing/a.png")
    lost = run("match", "greedy", "random", "--deals", 6, "--plot", "dangling.png", *SHORT, status=1)
    assert "Deals: 6; " in lost.stdout
    assert "The picture cannot be written: No such file or directory: dangling.png" in lost.stderr


@posix
def test_a_picture_shows_names_as_they_are(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib draws the pictures")
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")  # text, not shapes
    (here / "bot.py").write_text(BAD.replace("news == 4", "False"))
    player = f"cmd:iterations=3,{sys.executable} bot.py {'long ' * 40}'$x^$'"
    for name, others in (("course.svg", ["greedy"]), ("table.svg", ["greedy", "random"])):
        run("match", player, *others, "--deals", 2, "--plot", name, *SHORT)
        assert "long '$x^$'" in html.unescape((here / name).read_text("utf-8"))


def test_without_matplotlib_a_picture_is_refused_before_anything_is_played(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    monkeypatch.delitem(sys.modules, "eights_cli.match_plot", raising=False)
    monkeypatch.delattr(eights_cli, "match_plot", raising=False)
    result = run("match", "greedy", "random", "--plot", "a.png", *SHORT, status=2)
    assert "It needs matplotlib: pip install matplotlib" in result.stderr
    assert list(here.iterdir()) == []


# ---- Ctrl-C, terminals and pipes


@posix
def test_ctrl_c_ends_it_between_deals_with_what_was_played(here: Path) -> None:
    command = [*EIGHTS, "match", "greedy", "random", "--deals", "1000000", "--jobs", "2", "--json", *SHORT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + 120
        while not logs(here) or logs(here)[0].read_bytes().count(b"\n") < 4:
            assert time.monotonic() < end
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        printed, complaint = process.communicate(timeout=120)
    assert (process.returncode, complaint) == (INTERRUPTED, "")
    answer = json.loads(printed)
    assert answer["stopped"]
    assert answer["matches"][0]["deals"] == logs(here)[0].read_bytes().count(b"\n") - 1 >= 3


@needs_terminal
def test_a_terminal_shows_how_it_stands() -> None:
    arguments = ("match", "plain:time=20ms", "greedy", "--deals", "6", *SHORT)
    with on_terminal(*arguments) as command:
        shown = command.read_until("seed 1.")
        assert command.process.wait(timeout=60) == 0
    assert "0 of 6 deals" in shown
    assert re.search(r"\r\d of 6 deals, [+-]\d\.\d{3} ± [\d.?]+ points a round, \d+ s left\x1b\[K", shown)
    with on_terminal("match", "greedy", "random", "--sprt", "0", "0.5", "--players", "3", *SHORT) as command:
        assert re.search(r"\r\d+ deals, ", command.read_until("is accepted."))


@posix
def test_results_that_cannot_be_written() -> None:
    command = [*EIGHTS, "match", "greedy", "random", "--deals", "2", *SHORT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=120, text=True, check=False)
    assert done.returncode == 1
    assert "Error: The result cannot be written: No space left on device." in done.stderr


def test_help_needs_nothing_heavy() -> None:
    code = "import sys; from eights_cli.main import main; main(['match', '--help'], standalone_mode=False)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not {"eights", "eights_core", "numpy", "pyspiel", "matplotlib"} & loaded

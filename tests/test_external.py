"""Players from elsewhere: programs that speak the protocol, well and badly, and bots of OpenSpiel."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest
from commands import EIGHTS
from eights import Player, Record, Rules, external
from eights.arena import Failure, duel
from eights.deal import Deal
from eights.events import encode
from eights.external import ExternalPlayer, Program, end_programs, kill_programs
from eights.match import play_round
from eights.pairing import Result
from eights.players import GreedyPlayer, PlayerError
from eights.position import parse_position
from eights.protocol import MOST_LINE
from eights.specs import PlayerSpec
from processes import is_running, pid_in, wait_until
from rounds import LITTLE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are scripts of POSIX here")

ENGINE = shlex.join([*EIGHTS, "engine"])
RULES = Rules.parse(LITTLE, 2)

SCRIPT = """
import json, os, signal, sys, time
from eights.server import Server

how, at, heard = sys.argv[1], int(sys.argv[2]), sys.argv[3:]

def write(line):
    sys.stdout.buffer.write(line)
    sys.stdout.flush()

server, moves = Server(write, threads=1), 0
for line in sys.stdin.buffer:
    request = json.loads(line)
    if heard:
        with open(heard[0], "a") as file:
            print(json.dumps({"pid": os.getpid(), **request}), file=file)
    moves += request["type"] == "move"
    if request["type"] != "move" or moves != at:
        server.receive(line)
    elif how == "die":
        print("loading", "no memory left", sep="\\n", file=sys.stderr)
        sys.exit(3)
    elif how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "close":
        os.close(1)
        time.sleep(600)
    elif how == "hang":
        time.sleep(600)
    elif how == "babble":
        print("thinking", flush=True)
    else:
        answer = {"cheat": {"move": "9x9"}, "refuse": {"error": "I am tired"}, "mute": {}}[how]
        print(json.dumps({"id": request["id"], "final": True, **answer}), flush=True)
"""
"""A program that answers well, but for its move number `at`."""


def program(folder: Path, how: str = "", at: int = 0, heard: Path | None = None) -> str:
    """The command of such a program."""
    script = folder / "program.py"
    script.write_text(SCRIPT)
    return shlex.join(map(str, [sys.executable, script, how, at, *([heard] if heard else [])]))


def outcomes(result: Result) -> list[object]:
    return [(deal.deal, played.points, played.plies) for deal in result.deals for played in deal.rounds]


# ---- as text


def test_the_text_of_a_program() -> None:
    spec = PlayerSpec.parse("cmd:threads=2,time=0.01s,grace=1m,sh -c 'a=1,b=2; exec bot'")
    assert (spec.time, spec.threads, spec.grace) == (0.01, 2, 60)
    assert spec.source == "sh -c 'a=1,b=2; exec bot'"
    assert str(spec) == "cmd:time=10ms,threads=2,grace=60s,sh -c 'a=1,b=2; exec bot'"
    assert PlayerSpec.parse(str(spec)) == spec == pickle.loads(pickle.dumps(spec))
    assert PlayerSpec.parse("spiel:bots.py:make, a=1").source == "bots.py:make, a=1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cmd", "After cmd: comes a command that can be printed, not ''."),
        ("cmd:time=2ms,", "After cmd: comes a command that can be printed, not ''."),
        ("cmd:a\nb", r"After cmd: comes a command that can be printed, not 'a\\nb'."),
        ("cmd:bot 'a", 'The command "bot \'a" has a quotation that does not end.'),
        ("cmd:time=2,bot", "'2' is not a number with its unit"),
        ("cmd:grace=0ms,bot", "The grace of a player is from 0.001ms to 24 hours"),
        ("cmd:time=2ms,time=3ms,bot", "time is set twice"),
        ("engine:grace=1s", "A grace is for the player cmd only."),
        ("spiel:", "After spiel: comes a bot that can be printed, not ''."),
    ],
)
def test_what_is_no_player(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PlayerSpec.parse(text)


def test_a_source_belongs_to_a_player_from_elsewhere() -> None:
    with pytest.raises(ValueError, match="The player greedy has no source"):
        PlayerSpec("greedy", source="bot")
    with pytest.raises(ValueError, match="The player cmd has to have a source"):
        PlayerSpec("cmd")
    with pytest.raises(ValueError, match="begins with a setting"):
        PlayerSpec("cmd", source="time=2ms,bot")


# ---- playing


def test_our_engine_as_a_program_plays_what_it_plays_as_a_player() -> None:
    for players in (2, 3):
        rules = Rules.parse(LITTLE, players)
        there = duel(f"cmd:iterations=20,{ENGINE}", "random", rules, deals=2)
        assert outcomes(there) == outcomes(duel("engine:iterations=20", "random", rules, deals=2))


def test_a_program_hears_what_its_seat_sees_and_is_kept_from_round_to_round(tmp_path: Path) -> None:
    heard = tmp_path / "heard.jsonl"
    duel(f"cmd:iterations=5,{program(tmp_path, heard=heard)}", "greedy", RULES, deals=3)
    requests = [json.loads(line) for line in heard.read_text().splitlines()]
    assert len({request["pid"] for request in requests}) == 1
    assert [request["type"] for request in requests].count("hello") == 1
    begun = [number for number, request in enumerate(requests) if request["type"] == "new"]
    assert len(begun) == 6
    for number, (start, end) in enumerate(zip(begun, [*begun[1:], len(requests)], strict=True)):
        events = [request["event"] for request in requests[start:end] if request["type"] == "event"]
        record = Record.loads("".join(json.dumps(event) + "\n" for event in events))
        assert record.seat == number % 2
        assert {event["card"] for event in events if event.get("zone") == "hand" and event["seat"] != record.seat} <= {
            "?"
        }
    moves = [request for request in requests if request["type"] == "move"]
    assert all(request["limits"] == {"iterations": 5} for request in moves)
    assert len({request["seed"] for request in moves}) == len(moves) > 10


def test_each_seat_has_a_program_of_its_own_and_they_end_with_the_match(tmp_path: Path) -> None:
    """So that no seat hears what another sees."""
    heard = tmp_path / "heard.jsonl"
    duel("greedy", f"cmd:iterations=5,{program(tmp_path, heard=heard)}", Rules.parse(LITTLE, 3), deals=2)
    requests = [json.loads(line) for line in heard.read_text().splitlines()]
    pids = {request["pid"] for request in requests}
    assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_program_is_told_of_the_end_of_a_round(tmp_path: Path) -> None:
    heard = tmp_path / "heard.jsonl"
    player = ExternalPlayer(program(tmp_path, heard=heard), iterations=5)
    record = Record(RULES)
    play_round(record, Deal(RULES, 1), [player, GreedyPlayer()])
    player.close()
    end_programs()
    told = [request["event"] for request in map(json.loads, heard.read_text().splitlines()) if "event" in request]
    assert told == [json.loads(encode(event)) for event in record.view(0).events]


def test_a_player_who_was_told_nothing_asks_about_the_position(tmp_path: Path) -> None:
    position = parse_position("standard 1 1,8,8,9,G 7:???:05G:3:-/8:024:136:3:-/8:???:889:3:-/8:???:247:3:- 5")
    player = ExternalPlayer(ENGINE, iterations=5)
    assert player.choose(position) == position.legal_actions()[0]
    player.close()
    end_programs()


def test_the_identity_of_a_program_is_its_command_and_what_it_says_it_is() -> None:
    spec = PlayerSpec.parse(f"cmd:time=2ms,grace=9s,{ENGINE}")
    identity = spec.identity(RULES)
    assert identity.startswith(f"cmd:time=2ms,{ENGINE} eights ")
    with pytest.raises(PlayerError, match=r"offers \d+ threads at most, not 256"):
        PlayerSpec("cmd", threads=256, source=ENGINE).identity(RULES)
    end_programs()


# ---- failing

FAULTS = {
    "die": "has ended with status 3: 'no memory left'.",
    "kill": "was ended by SIGKILL.",
    "close": "has closed its output.",
    "hang": "did not answer within 1 s, and was ended.",
    "babble": "answered with what is no reply: 'thinking'.",
    "cheat": "answered with the move '9x9', which it may not play.",
    "refuse": "refuses to choose: 'I am tired'.",
    "mute": "answered without a move.",
}


@pytest.mark.parametrize("how", FAULTS)
def test_each_failure_has_its_sentence(tmp_path: Path, how: str) -> None:
    command = program(tmp_path, how, at=3)
    grace = "1s" if how == "hang" else "60s"
    with pytest.raises(PlayerError) as caught:
        duel(f"cmd:iterations=5,grace={grace},{command}", "greedy", RULES, deals=5)
    assert str(caught.value).startswith(f"The program {command!r}" if len(command) <= 80 else "The program ")
    assert str(caught.value).endswith(FAULTS[how])
    assert caught.value.__notes__[0].startswith("This was in deal 0 of seed 1: cmd:")


def test_a_command_with_nul_cannot_be_started() -> None:
    with pytest.raises(PlayerError, match=r"cannot be started: embedded null byte\."):
        Program("bot a\0b")


def test_a_program_that_does_not_read_is_a_program_that_does_not_answer() -> None:
    start = time.monotonic()
    silent = Program(shlex.join([sys.executable, "-c", "import time; time.sleep(600)"]))
    with pytest.raises(PlayerError, match=r"did not answer within 0\.3 s"):
        silent.ask([{"type": "hello", "filler": "x" * (1 << 20)}], 0.3)
    assert not silent.is_alive
    assert time.monotonic() - start < 60


def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    shell = Program(f"sh -c 'sleep 600 & echo $! > {shlex.quote(str(tmp_path / 'pid'))}; wait'")
    pid = pid_in(tmp_path / "pid")
    with pytest.raises(PlayerError, match="did not answer"):
        shell.ask([{"type": "hello"}], 0.1)
    wait_until(lambda: not is_running(pid))


def test_when_its_process_is_about_to_end_a_program_is_killed_and_none_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(external, "_is_ending", False)  # afterwards too
    hanging = Program("sleep 600")
    kill_programs()
    assert not hanging.is_alive
    with pytest.raises(PlayerError, match="is not started: this process is about to end"):
        Program("cat")
    hanging.close()


def test_what_has_left_its_group_and_keeps_its_output_open_is_not_waited_for(tmp_path: Path) -> None:
    """It cannot be ended with it, so that the output does not end."""
    code = (
        "import os, sys, time\n"
        "if not os.fork():\n"
        "    os.setsid()\n"
        "    print(os.getpid(), file=open(sys.argv[1], 'w'), flush=True)\n"
        "    time.sleep(60)\n"
    )
    left = Program(shlex.join([sys.executable, "-c", code, str(tmp_path / "pid")]))
    pid = pid_in(tmp_path / "pid")
    with pytest.raises(PlayerError, match=r"did not answer within 0\.1 s"):
        left.ask([{"type": "hello"}], 0.1)
    assert is_running(pid)
    os.kill(pid, signal.SIGKILL)


def test_replies_are_found_however_they_arrive() -> None:
    code = (
        "import sys, time\n"
        "for line in sys.stdin:\n"
        "    number = line.partition(':')[2].partition(',')[0]\n"
        '    for part in (\'{"id":\', number, \',"final":false}\\n{"id":\' + number, \',"final":true}\\n\'):\n'
        "        print(end=part, flush=True)\n"
        "        time.sleep(0.01)\n"
    )
    slow = Program(shlex.join([sys.executable, "-c", code]))
    for number in range(3):
        replies = slow.ask([{"type": "new"}] * 3, 60)
        assert [reply.id for reply in replies] == [3 * number, 3 * number + 1, 3 * number + 2]
    slow.close()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/nonsense/bot --x", "The program '/nonsense/bot --x' cannot be started: No such file or directory."),
        ("false", "The program 'false' has ended with status 1."),
        ("cat", "The program 'cat' answered with what is no reply: "),
        (r"""printf '{"id":0,"final":true,"protocol":2}\n'""", "speaks protocol 2, not 1."),
        (
            r"""printf '{"id":0,"final":true,"protocol":1,"games":["chess"]}\n'""",
            "does not play eight_and_a_half, but 'chess'.",
        ),
        (
            'printf \'{"id":0,"final":true,"protocol":1,"games":["%0100000d"]}\\n\' 0',
            f"does not play eight_and_a_half, but '{'0' * 200}'….",
        ),
        (
            'printf \'{"id":0,"final":true,"protocol":1,"name":"%0201d"}\\n\' 0',
            "answered with what is no reply: ",
        ),
        (f"printf '%0{MOST_LINE + 1}d' 0", f"answered with what is no reply: '{'0' * 40}'…."),
        (r"""printf '{"id":0,"final":true,"error":"Who asks?"}\n'""", "refuses to say what it is: 'Who asks?'."),
        (r"""printf '{"id":null,"final":true,"error":"What?"}\n'""", "cannot read a request: 'What?'."),
        (r"""printf '{"id":0,"final":true'""", "has ended with status 0."),
    ],
)
def test_programs_that_are_no_players_are_refused(command: str, message: str) -> None:
    with pytest.raises(PlayerError) as caught:
        PlayerSpec("cmd", source=command).identity(RULES)
    assert message in str(caught.value)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_match_stops_in_order_or_goes_on_without_the_deal(tmp_path: Path, jobs: int) -> None:
    bots = tmp_path / "bots.py"
    bots.write_text(BOTS)
    spec = f"spiel:{bots}:Moody"
    log = tmp_path / "log.jsonl"
    with pytest.raises(PlayerError, match=r"The bot .* has failed: ValueError: what a day\.") as caught:
        duel(spec, "greedy", RULES, deals=12, jobs=jobs, log=log)
    assert "This was in deal " in caught.value.__notes__[0]
    kept = [json.loads(line)["deal"] for line in log.read_text().splitlines()[1:]]
    failures: list[Failure] = []
    found = duel(spec, "greedy", RULES, deals=12, jobs=jobs, log=log, on_failure=failures.append)
    deals = [deal.deal for deal in found.deals]
    assert set(kept) < set(deals)
    assert 0 < len(failures) == 12 - len(deals) < 12
    assert not found.stopped
    assert outcomes(found) == outcomes(duel(spec, "greedy", RULES, deals=12, on_failure=failures.append))


# ---- bots of OpenSpiel

BOTS = '''
import random

import pyspiel
from open_spiel.python.policy import UniformRandomPolicy


class First(pyspiel.Bot):
    """Plays the first legal action, which is the lowest number of `random` cards."""

    def __init__(self, game, player):
        super().__init__()

    def step(self, state):
        return state.legal_actions()[0]


class Moody(First):
    """Fails in some rounds, which its seed decides."""

    def __init__(self, game, player, seed):
        super().__init__(game, player)
        self.mood = random.Random(seed).random()

    def step(self, state):
        if self.mood < 0.2:
            raise ValueError("what a day\\nand more")
        return super().step(state)


class Cheat(First):
    def step(self, state):
        return 219


policy = UniformRandomPolicy(pyspiel.load_game("eight_and_a_half"))
number = 3
'''


class FirstPlayer(Player):
    def choose(self, observation: object) -> int:
        return observation.legal_actions()[0]  # type: ignore[attr-defined,no-any-return]


def test_bots_that_are_registered_and_policies_and_makers_of_bots(tmp_path: Path) -> None:
    bots = tmp_path / "bots.py"
    bots.write_text(BOTS)
    for name in ("uniform_random", "uniform_random(seed=3)", f"{bots}:policy", f"{bots}:First"):
        found = duel(f"spiel:{name}", "greedy", RULES, deals=2)
        assert outcomes(found) == outcomes(duel(f"spiel:{name}", "greedy", RULES, deals=2))
    spec = PlayerSpec.parse(f"spiel:{bots}:First")
    record = Record(RULES)
    seats = [spec.make(1, RULES), FirstPlayer()]
    play_round(record, Deal(RULES, 2), seats)
    same = Record(RULES)
    play_round(same, Deal(RULES, 2), [FirstPlayer(), FirstPlayer()])
    assert record == same


def test_the_identity_of_a_bot_is_that_of_its_file(tmp_path: Path) -> None:
    bots = tmp_path / "bots.py"
    bots.write_text(BOTS)
    spec = PlayerSpec.parse(f"spiel:{bots}:First")
    before = spec.identity(RULES)
    assert before.startswith(f"spiel:{bots}:First open_spiel ")
    bots.write_text(BOTS + "\n")
    assert spec.identity(RULES) != before


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("nobody", "OpenSpiel has no bot 'nobody': they are fixed_action_preference, uniform_random, "),
        ("{}:nobody", r"There is no 'nobody' in .*bots\.py\."),
        ("{}:number", "is no policy, and no function that makes a bot"),
        ("missing.py:bot", "cannot be loaded: FileNotFoundError: "),
        ("no_such_module_8:bot", "cannot be loaded: ModuleNotFoundError: "),
        ("{}:Cheat", "has failed|may not play"),
    ],
)
def test_bots_that_cannot_play(tmp_path: Path, bot: str, message: str) -> None:
    bots = tmp_path / "bots.py"
    bots.write_text(BOTS)
    failures: list[Failure] = []
    with pytest.raises((PlayerError, ValueError), match=message):
        duel(f"spiel:{bot.format(bots)}", "greedy", RULES, deals=1)
    duel("greedy", "random", RULES, deals=1, on_failure=failures.append)
    assert not failures

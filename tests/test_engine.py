"""The command `eights engine` as a process: its options, its end, its memory, and the clients of the documentation."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from commands import EIGHTS, run
from dialogues import A_DAY, CHOICE, Engine
from eights_cli.interrupt import INTERRUPTED
from goldens import check_golden

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
CLIENTS = Path(__file__).parent.parent / "docs" / "clients"
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs the signals and files of POSIX")
ENDLESS = {"type": "analyse", "position": CHOICE, "limits": {"time_ms": A_DAY}}


def test_help() -> None:
    check_golden("cli/help_engine.txt", run("engine", "--help").stdout)


def test_help_imports_nothing_heavy() -> None:
    command = "main(['engine', '--help'], standalone_mode=False)"
    code = f"import sys; from eights_cli.main import main; {command}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"eights", "eights_core", "msgspec", "numpy"} & set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("options", [["--threads", "0"], ["--threads", "257"], ["--memory", "15"], ["extra"]])
def test_options_that_cannot_be(options: list[str]) -> None:
    assert run("engine", *options, status=2).stdout == ""


def test_options_bound_what_may_be_asked_for() -> None:
    with Engine("--threads", "3", "--memory", "17", ours=True) as engine:
        reply = engine.ask({"id": 1, "type": "hello"})
        assert (reply["threads"], reply["memory_mb"]) == (3, 17)
        for name, most in (("threads", 3), ("memory_mb", 17)):
            request = {"id": 1, "type": "analyse", "position": CHOICE, "limits": {"iterations": 10}}
            assert "error" not in engine.ask({**request, name: most})
            assert engine.ask({**request, name: most + 1})["field"] == name
        assert engine.end() == 0


@posix
@pytest.mark.parametrize("searching", [False, True])
def test_closed_output_ends_it_quietly(searching: bool) -> None:
    process = subprocess.Popen(
        [*EIGHTS, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        process.stdin.write(b'{"id":1,"type":"hello"}\n')
        if searching:
            line = b'{"id":2,"type":"analyse","position":"%s","limits":{"time_ms":%d}}\n'
            process.stdin.write(line % (CHOICE.encode(), A_DAY))
        process.stdin.flush()
        assert b"protocol" in process.stdout.readline()
        process.stdout.close()
        assert process.wait(30) == 0
        assert process.stderr.read() == b""


@posix
def test_where_replies_cannot_be_written_that_is_said() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*EIGHTS, "engine"], input=b"{}\n", stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert done.stderr == b"Error: The replies cannot be written: No space left on device.\n"


@posix
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_where_input_or_output_is_not_open_that_is_said(closed: str) -> None:
    command = f"{shlex.join([*EIGHTS, 'engine'])} {closed}"
    done = subprocess.run(command, shell=True, input="", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"Error: Requests come on standard input, .* not open\.\n", done.stderr)


@posix
def test_input_that_is_not_there_yet_is_not_the_end() -> None:
    """Also where somebody who has the same pipe has said that reading it should not wait."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with subprocess.Popen([*EIGHTS, "engine"], stdin=reader, stdout=subprocess.PIPE) as process:
        os.close(reader)
        assert process.stdout is not None
        for number in range(2):
            time.sleep(0.5)
            os.write(writer, b'{"id":%d,"type":"hello"}\n' % number)
            assert process.stdout.readline().startswith(b'{"id":%d,' % number)
        os.close(writer)
    assert process.returncode == 0


@posix
def test_ctrl_c_ends_it_though_nobody_reads_its_replies() -> None:
    request = b'{"id":1,"type":"analyse","position":"%s","limits":{"iterations":5}}\n' % CHOICE.encode()
    command, pipe = [*EIGHTS, "engine", "--threads", "2"], subprocess.PIPE
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as replies, os.fdopen(writer, "wb") as room:
        with subprocess.Popen(command, stdin=pipe, stdout=room, stderr=pipe) as process:
            assert process.stdin is not None
            assert process.stderr is not None
            try:
                process.stdin.write(b'{"id":0,"type":"hello"}\n')
                process.stdin.flush()
                assert replies.readline().startswith(b'{"id":0,"final":true,"protocol":')
                os.set_blocking(process.stdin.fileno(), False)
                sent, rest = 0, 10  # requests, and those to be sent when there is no room for replies
                while rest:
                    try:
                        os.write(process.stdin.fileno(), request)
                        sent += 1
                    except BlockingIOError:
                        time.sleep(0.01)
                    rest -= not select.select([], [room], [], 0)[1]
                process.send_signal(signal.SIGINT)
                assert process.wait(60) == INTERRUPTED
                assert process.stderr.read() == b""
            finally:
                process.kill()
        room.close()
        answered = [json.loads(line)["id"] for line in replies]
        assert 10 < len(answered) < sent
        assert set(answered) == {1}


def test_ctrl_c_ends_it_while_it_is_loaded() -> None:
    code = """
import sys, types
from eights_cli.main import main

class Loading(types.ModuleType):
    def __getattr__(self, name):
        raise KeyboardInterrupt

sys.modules["eights.server"] = Loading("eights.server")
main(["engine"])
"""
    done = subprocess.run([sys.executable, "-c", code], input="", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "")


@posix
def test_ctrl_c_stops_what_runs_and_ends_it() -> None:
    with Engine(ours=True) as engine:
        engine.send({"id": "a", "report_every_ms": 10, **ENDLESS})
        engine.reply("a", final=False)
        engine.process.send_signal(signal.SIGINT)
        assert engine.process.wait(30) == INTERRUPTED
        assert engine.reply("a")["stopped"] is True


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to measure memory")
def test_a_line_without_an_end_takes_no_memory() -> None:
    with Engine(ours=True) as engine:
        engine.ask({"id": 1, "type": "hello"})
        before = peak(engine)
        assert engine.process.stdin is not None
        for _ in range(100):
            engine.process.stdin.write(b"x" * 1_000_000)
        engine.send(b"")
        assert engine.reply(None)["error"].startswith("The line is longer")
        assert peak(engine) - before < 16 << 20


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to measure memory")
def test_searches_that_waited_and_were_stopped_take_no_memory() -> None:
    with Engine("--threads", "1", ours=True) as engine:
        engine.send({"id": "a", "report_every_ms": 10, "memory_mb": 16, **ENDLESS})
        engine.reply("a", final=False)
        waiting = {"id": "b", "type": "analyse", "record": ["x" * 1_000_000]}
        for number in range(110):
            engine.send(waiting)
            assert engine.ask({"id": number, "type": "stop", "target": "b"})["stopped"] is True
            if number == 9:
                before = peak(engine)
        assert peak(engine) - before < 16 << 20


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to measure memory")
@pytest.mark.slow
def test_ten_thousand_mixed_requests_are_each_answered_once_in_flat_memory() -> None:
    number = 10_000
    lines = protocol_benchmark().requests(Random(1), number)
    with Engine("--threads", "2", ours=True) as engine:
        for part in range(4):
            engine.send(*lines[part * number // 4 : (part + 1) * number // 4])
            engine.ask({"id": f"part {part}", "type": "hello"})
            if part == 0:
                before = peak(engine)
        after = peak(engine)
        assert engine.end() == 0
        answered = Counter(reply["id"] for reply in engine.finals())
        errors = sum("error" in reply for reply in engine.finals())
    unreadable = set(range(0, number, 6))
    once = [*(set(range(number)) - unreadable), *(f"part {part}" for part in range(4))]
    assert answered == Counter(once) + Counter({None: len(unreadable)})
    assert errors >= number // 3
    assert after - before < 16 << 20  # 1.6 KB a request; 8 MiB of requests may wait


def protocol_benchmark() -> Any:
    """The module benchmarks/protocol.py."""
    spec = importlib.util.spec_from_file_location("protocol_benchmark", BENCHMARKS / "protocol.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def peak(engine: Engine) -> int:
    """The most memory that the process has taken, in bytes."""
    status = Path(f"/proc/{engine.process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) << 10


NODE = shutil.which("node")
each_client = pytest.mark.parametrize(
    "client",
    [
        [sys.executable, str(CLIENTS / "client.py")],
        pytest.param(
            [str(NODE), str(CLIENTS / "client.mjs")],
            marks=pytest.mark.skipif(NODE is None, reason="Node is not installed"),
        ),
    ],
    ids=["python", "node"],
)


@each_client
def test_the_clients_play_a_round(client: list[str]) -> None:
    done = subprocess.run([*client, *EIGHTS, "engine"], capture_output=True, text=True, timeout=120, check=True)
    first, *plays, last = done.stdout.splitlines()
    assert first == "The engine is eights"
    assert re.fullmatch(r"Points: \d+(\.\d+)?( \d+(\.\d+)?){2}", last)
    players = {line.partition(": ")[0] for line in plays if ": " in line}
    assert players == {"You", "Engine", "Engine too"}
    assert done.stderr == ""


@each_client
def test_the_clients_say_that_there_is_no_engine(client: list[str]) -> None:
    done = subprocess.run(client, capture_output=True, text=True, timeout=60, env={**os.environ, "PATH": ""})
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"The engine cannot be started: eights: .*\.\n", done.stderr)


@posix
@each_client
@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exec <&-; sleep 0.5", "The engine has gone."),
        (
            'exec <&-; sleep 0.5; echo \'{"id":1,"final":true,"error":"I am tired."}\'',
            "The engine refuses: I am tired.",
        ),
    ],
)
def test_the_clients_say_that_the_engine_has_gone(client: list[str], script: str, message: str) -> None:
    done = subprocess.run([*client, "sh", "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message + "\n")


@pytest.mark.parametrize("client", ["client.py", "client.mjs"])
def test_the_clients_are_short(client: str) -> None:
    assert len((CLIENTS / client).read_text(encoding="utf-8").splitlines()) <= 75

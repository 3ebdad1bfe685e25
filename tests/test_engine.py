"""The command `eights engine` as a process: its options, its end, its memory, and the clients of the documentation."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import EIGHTS, run
from dialogues import A_DAY, CHOICE, Engine
from eights_cli.interrupt import INTERRUPTED
from goldens import check_golden

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


def peak(engine: Engine) -> int:
    """The most memory that the process has taken, in bytes."""
    status = Path(f"/proc/{engine.process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) << 10


@pytest.mark.parametrize(
    "client",
    [
        [sys.executable, str(CLIENTS / "client.py")],
        pytest.param(
            ["node", str(CLIENTS / "client.mjs")],
            marks=pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed"),
        ),
    ],
    ids=["python", "node"],
)
def test_the_clients_play_a_round(client: list[str]) -> None:
    done = subprocess.run([*client, *EIGHTS, "engine"], capture_output=True, text=True, timeout=120, check=True)
    first, *plays, last = done.stdout.splitlines()
    assert first == "The engine is eights"
    assert re.fullmatch(r"Points: \d+(\.\d+)?( \d+(\.\d+)?){2}", last)
    players = {line.partition(": ")[0] for line in plays if ": " in line}
    assert players == {"You", "Engine", "Engine too"}
    assert done.stderr == ""


@pytest.mark.parametrize("client", ["client.py", "client.mjs"])
def test_the_clients_are_short(client: str) -> None:
    assert len((CLIENTS / client).read_text(encoding="utf-8").splitlines()) <= 70

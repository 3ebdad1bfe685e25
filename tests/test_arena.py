"""The arena: paired deals, their log, processes, and what results say."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import shlex
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import eights
import pytest
from commands import EIGHTS
from eights import IllegalAction, Player, Position, RandomPlayer, Rules, arena
from eights.arena import Arena, ArenaError, duel
from eights.events import Act, Event, Reveal, Start
from eights.pairing import DealResult, Effort, Pairing, Result, RoundResult, derived_seed, student
from eights.specs import PlayerSpec
from goldens import check_golden
from processes import is_running, wait_until
from rounds import LITTLE, bare


def little(players: int = 2, **options: object) -> Rules:
    """Short rounds."""
    terms = "".join(f"+{name}={value}" for name, value in options.items())
    return Rules.parse(LITTLE + terms, players)


def outcomes(result: Result) -> list[object]:
    """All of a result but the seconds, which are never the same."""
    return [
        (deal.deal, played.points, played.winner, played.plies, played.challenger.decisions, played.field.decisions)
        for deal in result.deals
        for played in deal.rounds
    ]


# ---- paired deals


class Listener(RandomPlayer):
    """Plays at random, and remembers all that it was told and asked."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.heard: list[Event] = []
        self.asked: list[Position] = []

    def new_round(self, start: Start) -> None:
        self.heard.append(start)

    def event(self, event: Event) -> None:
        self.heard.append(event)

    def choose(self, observation: Position) -> int:
        self.asked.append(observation)
        return super().choose(observation)

    def cards(self, seat: int, zone: str) -> str:
        """What came up in a place, in order."""
        heard = (event for event in self.heard if isinstance(event, Reveal))
        return "".join(event.card for event in heard if (event.seat, event.zone) == (seat, zone))


@dataclass(frozen=True)
class Listening(PlayerSpec):
    """Players at random who can be looked at afterwards."""

    made: list[Listener] = field(default_factory=list)

    def make(self, seed: int, rules: Rules | None = None) -> Player:
        self.made.append(Listener(seed))
        return self.made[-1]


def test_the_same_deal_is_played_with_the_challenger_in_every_seat() -> None:
    challenger, others = Listening("random"), Listening("random")
    Pairing(challenger, others, Rules.standard(3), seed=4).play(7)
    assert (len(challenger.made), len(others.made)) == (3, 6)
    for seat, player in enumerate(challenger.made):
        assert player.asked
        assert {position.mover for position in player.asked} == {seat}
    dealt = [{other: player.cards(other, "open")[:3] for other in range(3)} for player in challenger.made + others.made]
    assert all(one == dealt[0] for one in dealt)
    # Seat 1 draws the same cards, whoever sits there: the field in the first round, the challenger in the second.
    hands = challenger.made[1].cards(1, "hand"), others.made[0].cards(1, "hand")
    drawn = min(map(len, hands))
    assert drawn > 6
    assert hands[0][:drawn] == hands[1][:drawn]


def test_players_are_told_what_they_see_before_they_are_asked() -> None:
    challenger = Listening("random")
    Pairing(challenger, PlayerSpec("greedy"), little(2), seed=1).play(0)
    for seat, player in enumerate(challenger.made):
        start = player.heard[0]
        assert isinstance(start, Start)
        assert (start.seat, start.seed) == (seat, None)
        record = eights.Record.begin(start, {})
        for event in player.heard[1:]:
            record.add(event)
        assert record.state.mover == eights.TERMINAL
        assert set(player.cards(1 - seat, "hand")) == {"?"}
        assert "?" not in player.cards(seat, "hand")
        positions = [bare(record.position(ply)) for ply in range(record.plies)]
        free = [position for position in positions if position.mover == seat and len(position.legal_actions()) > 1]
        assert player.asked == free


def test_deals_are_those_of_a_match() -> None:
    match = eights.Match(Rules.standard(2), ("Ann", "Ben"), seed=11)
    for number in range(3):
        match.rounds = number
        assert derived_seed(11, number) == match.round_seed


class Cheat(Player):
    def choose(self, observation: Position) -> int:
        return eights.parse_action("take")


@dataclass(frozen=True)
class Cheating(PlayerSpec):
    def make(self, seed: int, rules: Rules | None = None) -> Player:
        return Cheat()


def test_an_illegal_action_says_in_which_deal() -> None:
    with pytest.raises(IllegalAction, match="may not play take") as caught:
        duel(Cheating("random"), "greedy", little(2), deals=5, seed=9)
    assert caught.value.__notes__ == ["This was in deal 0 of seed 9: random against greedy."]


# ---- results


def result(*deals: DealResult, players: int = 2) -> Result:
    return Result(Pairing(PlayerSpec("greedy"), PlayerSpec("random"), Rules.standard(players), 1), deals)


def test_figures_of_a_result() -> None:
    mine, theirs = Effort(2, 0.5), Effort(3, 0.25)
    first = DealResult(0, (RoundResult((3, 0), 0, 80, mine, theirs), RoundResult((2, 0), 0, 90, mine, theirs)))
    second = DealResult(1, (RoundResult((0, 0), None, 1000, mine, theirs), RoundResult((0, 1), 1, 30, mine, theirs)))
    found = result(first, second)
    assert [deal.difference for deal in found.deals] == [(3 - 2) / 2, (0 + 1) / 2]
    assert (found.difference, found.difference_se) == (0.5, 0)
    assert (found.rounds, found.plies, found.unfinished, found.unfinished_se) == (4, 300, 0.25, 0.25)
    assert (found.challenger.win_rate, found.field.win_rate) == (0.5, 0.25)
    assert (found.challenger.decisions, found.challenger.seconds_per_decision) == (8, 0.25)
    assert (found.field.decisions, found.field.seconds_per_decision) == (12, 1 / 12)
    assert str(found) == (
        "greedy against random, 2 players, standard: +0.500 ± 0.000 points a round (95 %: -inf to +inf; 2 deals)"
    )


def test_differences_and_bounds_with_three_players() -> None:
    none = Effort(0, 0.0)
    deals = [
        DealResult(number, tuple(RoundResult(points, 0, 50, none, none) for points in three))
        for number, three in enumerate(
            [((3, 1, 0), (0, 0, 1), (1, 1, 2)), ((0, 1, 1), (2, 2, 2), (3, 0, 0)), ((1, 0, 0), (0, 3, 1), (0, 0, 3))]
        )
    ]
    differences = [(2.5 - 0.5 + 1) / 3, (-1 + 0 - 1.5) / 3, (1 + 2.5 + 3) / 3]
    found = result(*deals, players=3)
    mean = sum(differences) / 3
    error = math.sqrt(sum((one - mean) ** 2 for one in differences) / 2 / 3)
    assert found.difference == pytest.approx(mean)
    assert found.difference_se == pytest.approx(error)
    assert found.field.win_rate == pytest.approx((1 - found.challenger.win_rate) / 2)
    assert math.isnan(found.challenger.seconds_per_decision)


def test_bounds_are_those_of_students_t_and_none_with_few_deals() -> None:
    """Quantiles to three places as in printed tables."""
    printed = {4: 2.776, 5: 2.571, 6: 2.447, 9: 2.262, 15: 2.131, 30: 2.042, 60: 2.000, 120: 1.980}
    for freedom, quantile in printed.items():
        assert student(freedom) == pytest.approx(quantile, abs=0.001)
    none = Effort(0, 0.0)
    deals = [
        DealResult(number, (RoundResult(points, 0, 9, none, none), RoundResult((0, 0), None, 9, none, none)))
        for number, points in enumerate([(2, 0), (0, 0), (0, 2), (4, 0), (0, 0)])
    ]
    found = result(*deals)
    assert (found.difference, found.difference_se) == pytest.approx((0.4, math.sqrt(1.3 / 5)))
    reach = 2.776 * found.difference_se
    assert (found.lower, found.upper) == pytest.approx((0.4 - reach, 0.4 + reach), abs=0.001)
    for few in range(5):
        assert (result(*deals[:few]).lower, result(*deals[:few]).upper) == (-math.inf, math.inf)


def test_without_deals_there_are_no_figures() -> None:
    found = result()
    assert math.isnan(found.difference)
    assert math.isnan(found.challenger.win_rate)
    assert found.difference_se == math.inf
    assert found.rounds == 0


@pytest.mark.parametrize("players", range(2, 7))
def test_a_player_against_himself_is_no_better(players: int) -> None:
    """Exactly, where he plays alike in every rotation: a deal is then the same round with the challenger elsewhere."""
    same = duel("greedy", "greedy", Rules.standard(players), deals=3)
    assert same.difference == pytest.approx(0, abs=1e-12)
    assert same.challenger.win_rate == pytest.approx(same.field.win_rate)
    if players < 4:
        noisy = duel("random", "random", little(players), deals=60)
        assert abs(noisy.difference) < 4 * noisy.difference_se


def test_with_two_players_the_opponent_loses_what_the_challenger_gains() -> None:
    there, back = (duel(*pair, little(2), deals=80) for pair in (("greedy", "random"), ("random", "greedy")))
    assert there.lower > 0 > back.upper
    assert abs(there.difference + back.difference) < 4 * math.hypot(there.difference_se, back.difference_se)


def test_rounds_that_nobody_wins_are_counted() -> None:
    found = duel("greedy", "random", little(3, max_plies=3), deals=4)
    assert (found.unfinished, found.unfinished_se, found.plies) == (1, 0, 3)
    assert (found.challenger.win_rate, found.field.win_rate) == (0, 0)


def test_times_are_those_of_free_decisions() -> None:
    found = duel("plain:time=3ms", "greedy", little(2), deals=2)
    assert found.challenger.seconds_per_decision >= 0.003
    assert found.field.seconds_per_decision < 0.003
    assert 0 < found.challenger.decisions + found.field.decisions < found.plies * found.rounds


# ---- independence


def test_results_do_not_depend_on_jobs_or_order() -> None:
    alone = duel("plain:iterations=10", "random", little(3), deals=5, seed=8)
    together = duel("plain:iterations=10", "random", little(3), deals=5, seed=8, jobs=2)
    assert outcomes(alone) == outcomes(together)
    assert not together.stopped
    assert alone.pairing == together.pairing
    last = alone.pairing.play(4)
    assert outcomes(Result(alone.pairing, (last,))) == outcomes(Result(alone.pairing, alone.deals[4:]))


def test_an_arena_plays_match_after_match_in_the_same_processes() -> None:
    with Arena(jobs=2) as arena:
        for players in (2, 3):
            found = arena.duel("greedy", "random", little(players), deals=4)
            assert outcomes(found) == outcomes(duel("greedy", "random", little(players), deals=4))
            children = {child.pid for child in multiprocessing.active_children()}
            assert 1 <= len(children) <= 2
        assert arena.duel("greedy", "random", little(2), deals=9, on_deal=interrupt).stopped
        assert not arena.duel("greedy", "random", little(2), deals=4).stopped
        assert not children & {child.pid for child in multiprocessing.active_children()}
    assert not multiprocessing.active_children()


def test_players_get_other_random_numbers_in_every_seat_and_rotation_and_deal() -> None:
    @dataclass(frozen=True)
    class Seeded(PlayerSpec):
        seeds: list[int] = field(default_factory=list)

        def make(self, seed: int, rules: Rules | None = None) -> Player:
            self.seeds.append(seed)
            return RandomPlayer(seed)

    spec = Seeded("random")
    duel(spec, spec, little(3), deals=4)
    assert len(set(spec.seeds)) == len(spec.seeds) == 4 * 3 * 3


# ---- the log


def test_a_log_has_a_header_and_a_line_for_each_deal(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    found = duel("greedy", "random", little(2), deals=3, seed=5, log=log)
    header, *lines = map(json.loads, log.read_text().splitlines())
    assert header == {
        "type": "duel",
        "version": 1,
        "challenger": "greedy",
        "field": "random",
        "rules": little(2).text(),
        "players": 2,
        "seed": 5,
    }
    assert [line["deal"] for line in lines] == [0, 1, 2]
    assert lines[0]["rounds"][1]["points"] == list(found.deals[0].rounds[1].points)


def test_a_match_goes_on_wherever_its_log_was_cut(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    whole = duel("greedy", "random", little(2), deals=6, log=log)
    written = log.read_bytes()
    for end in (0, 1, 40, written.index(b"\n"), *range(written.index(b"\n") + 1, len(written) + 1, 97), len(written)):
        log.write_bytes(written[:end])
        kept = max(0, written[:end].count(b"\n") - 1)
        heard: list[Result] = []
        found = duel("greedy", "random", little(2), deals=6, log=log, on_deal=heard.append)
        assert outcomes(found) == outcomes(whole)
        assert [len(so_far.deals) for so_far in heard] == list(range(kept + 1, 7))
        assert [json.loads(line)["deal"] for line in log.read_text().splitlines()[1:]] == list(range(6))


def test_a_match_can_be_made_longer_and_read_with_less(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    duel("greedy", "random", little(2), deals=2, log=log)
    assert outcomes(duel("greedy", "random", little(2), deals=5, log=log)) == outcomes(
        duel("greedy", "random", little(2), deals=5)
    )
    before = log.read_bytes()
    short = duel("greedy", "random", little(2), deals=3, log=log)
    assert ([deal.deal for deal in short.deals], short.stopped) == ([0, 1, 2], False)
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("challenger", "others", "players", "seed", "message"),
    [
        ("random", "random", 2, 1, r"log of another match: challenger 'greedy' and not 'random'. Name another file"),
        ("greedy", "greedy", 2, 1, "field 'random' and not 'greedy'"),
        ("greedy", "random", 3, 1, "players '2' and not '3'"),
        ("greedy", "random", 2, 2, "seed '1' and not '2'"),
    ],
)
def test_the_log_of_another_match_is_refused(
    tmp_path: Path, challenger: str, others: str, players: int, seed: int, message: str
) -> None:
    log = tmp_path / "log.jsonl"
    duel("greedy", "random", little(2), deals=1, log=log)
    before = log.read_bytes()
    with pytest.raises(ArenaError, match=message):
        duel(challenger, others, little(players), deals=1, seed=seed, log=log)
    with pytest.raises(ArenaError, match="rules 'standard"):
        duel("greedy", "random", little(2, open_sets=1), deals=1, log=log)
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    "text", ["no log", "no log\n", '{"type":"match"}\n', '{"type":"duel","version":1}\n', "\n", "\xff\n"]
)
def test_other_files_are_not_touched(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(ArenaError, match="is not the log of a match of the arena"):
        duel("greedy", "random", little(2), deals=1, log=file)
    assert file.read_text(encoding="latin-1") == text


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (b'{"deal":1}\n', "Line 3 of .* is no deal"),
        (b"\xff\xfe\n", "Line 3 of .* is no deal"),
        (b"\n", "Line 3 of .* is no deal"),
        (b'{"deal":1,"rounds":[]}\n', "Line 3 of .* cannot be"),
    ],
)
def test_a_damaged_line_is_refused(tmp_path: Path, damaged: bytes, message: str) -> None:
    log = tmp_path / "log.jsonl"
    duel("greedy", "random", little(2), deals=1, log=log)
    whole = log.read_bytes()
    log.write_bytes(whole + damaged)
    with pytest.raises(ArenaError, match=message):
        duel("greedy", "random", little(2), deals=2, log=log)
    log.write_bytes(whole + whole.splitlines(keepends=True)[1])
    with pytest.raises(ArenaError, match=r"Line 3 of .* cannot be: a deal comes once"):
        duel("greedy", "random", little(2), deals=2, log=log)


@pytest.mark.parametrize(
    "change",
    [
        {"deal": -1},
        {"rounds": 1},
        {"rounds": 3},
        {"points": [0]},
        {"points": [0, 0, 0]},
        {"winner": 2},
        {"winner": -1},
    ],
)
def test_deals_that_cannot_be_are_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    log = tmp_path / "log.jsonl"
    duel("greedy", "random", little(2), deals=2, log=log)
    *before, last = log.read_text().splitlines()
    deal = json.loads(last)
    for name, value in change.items():
        if name == "deal":
            deal["deal"] = value
        elif name == "rounds":
            deal["rounds"] = (deal["rounds"] * 2)[:value]
        else:
            deal["rounds"][1][name] = value
    text = "\n".join((*before, json.dumps(deal), ""))
    log.write_text(text)
    with pytest.raises(ArenaError, match=r"Line 3 of .* cannot be: "):
        duel("greedy", "random", little(2), deals=3, log=log)
    log.write_text(text.replace(text.splitlines()[-1], last.replace('"points":[', '"points":[1e999,')))
    with pytest.raises(ArenaError, match=r"Line 3 of .* is no deal: "):
        duel("greedy", "random", little(2), deals=3, log=log)


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
def test_a_log_is_written_by_one_match_at_a_time(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    def again(_: Result) -> None:
        before = log.read_bytes()
        with pytest.raises(ArenaError, match=r"log\.jsonl is being played: wait for it, or name another file"):
            duel("greedy", "random", little(2), deals=3, log=log)
        assert log.read_bytes() == before

    whole = duel("greedy", "random", little(2), deals=3, log=log, on_deal=again)
    assert outcomes(duel("greedy", "random", little(2), deals=3, log=log)) == outcomes(whole)
    # One that could not go on has let go of it.
    with pytest.raises(ArenaError, match="log of another match"):
        duel("random", "random", little(2), deals=3, log=log)
    assert len(duel("greedy", "random", little(2), deals=4, log=log).deals) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
def test_a_log_that_is_closed_is_free_though_a_fork_has_it_still(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    book = arena._Log(log, Pairing(PlayerSpec("greedy"), PlayerSpec("random"), little(2), 1))
    inherited = os.dup(book._file.fileno())  # which shares its lock, as what a fork has
    try:
        with pytest.raises(ArenaError, match="is being played"):
            duel("greedy", "random", little(2), deals=1, log=log)
        book.close()
        assert len(duel("greedy", "random", little(2), deals=1, log=log).deals) == 1
    finally:
        os.close(inherited)


# ---- coming to an end


@pytest.mark.parametrize("jobs", [1, 2])
def test_stop_ends_the_match_between_deals(jobs: int) -> None:
    stop = threading.Event()

    def on_deal(so_far: Result) -> None:
        if len(so_far.deals) == 3:
            stop.set()

    found = duel("greedy", "random", little(2), deals=50, jobs=jobs, stop=stop, on_deal=on_deal)
    assert found.stopped
    assert 3 <= len(found.deals) < 3 + 2 * jobs
    assert [deal.deal for deal in found.deals] == list(range(len(found.deals)))
    assert duel("greedy", "random", little(2), deals=50, jobs=jobs, stop=stop).deals == ()


def interrupt(so_far: Result) -> None:
    if len(so_far.deals) == 2:
        raise KeyboardInterrupt


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_the_match_with_what_has_been_played(tmp_path: Path, jobs: int) -> None:
    log = tmp_path / "log.jsonl"
    found = duel("greedy", "random", little(2), deals=50, jobs=jobs, log=log, on_deal=interrupt)
    assert found.stopped
    assert len(found.deals) == 2
    assert len(log.read_bytes().splitlines()) == 3
    assert not multiprocessing.active_children()


def test_a_process_that_dies_is_an_error_that_says_so(tmp_path: Path) -> None:
    def kill(so_far: Result) -> None:
        for child in multiprocessing.active_children():
            child.kill()

    log = tmp_path / "log.jsonl"
    with pytest.raises(ArenaError, match="A process of the arena has died"):
        duel("plain:iterations=50", "random", Rules.standard(2), deals=50, jobs=2, log=log, on_deal=kill)
    found = duel("plain:iterations=50", "random", Rules.standard(2), deals=3, log=log)
    assert [deal.deal for deal in found.deals] == [0, 1, 2]


SCRIPT = """
import sys
from pathlib import Path
from eights import Rules
from eights.arena import duel

if __name__ == "__main__":
    on_deal = lambda so_far: print("deal", flush=True)
    rules = Rules.standard(players=2)
    found = duel("plain:time=2ms", "random", rules, deals=1000, jobs=2, log=Path(sys.argv[1]), on_deal=on_deal)
    print("stopped" if found.stopped else "done", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_program_that_is_ended_leaves_a_log_to_go_on_from_and_no_process(
    tmp_path: Path, sent: signal.Signals
) -> None:
    script, log = tmp_path / "script.py", tmp_path / "log.jsonl"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "deal\n"
        program.send_signal(sent)
        out, err = program.communicate(timeout=30)  # which waits for all processes that can still write
    if sent == signal.SIGINT:
        assert (program.returncode, out.splitlines()[-1], err) == (0, "stopped", "")
    kept = log.read_bytes().count(b"\n") - 1
    assert 1 <= kept < 100
    found = duel("plain:time=2ms", "random", Rules.standard(players=2), deals=kept, log=log)
    assert len(found.deals) == kept


HANGING = """
import os, sys
from pathlib import Path
from eights.server import Server

server = Server(lambda line: (sys.stdout.buffer.write(line), sys.stdout.flush()), threads=1)
for line in sys.stdin.buffer:
    while b'"move"' in line:
        Path(f"{sys.argv[1]}/{os.getpid()}").touch()
    server.receive(line)
"""
"""A program that does not answer, nor hears that nothing more is asked."""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("jobs", "sent", "to_all"),
    [
        (1, signal.SIGTERM, False),
        (2, signal.SIGTERM, False),
        (2, signal.SIGTERM, True),
        (2, signal.SIGKILL, False),
    ],
)
def test_programs_that_hang_end_with_the_processes_that_ask_them(
    tmp_path: Path, jobs: int, sent: signal.Signals, to_all: bool
) -> None:
    player, pids = tmp_path / "player.py", tmp_path / "pids"
    player.write_text(HANGING)
    pids.mkdir()
    hanging = f"cmd:grace=600s,{shlex.join(map(str, [sys.executable, player, pids]))}"
    command = [*EIGHTS, "match", hanging, "greedy", "--deals", "9", "--jobs", str(jobs), "--no-log"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as match:
        try:
            wait_until(lambda: len(list(pids.iterdir())) == jobs)
            (os.killpg if to_all else os.kill)(match.pid, sent)
            assert match.wait(60) == (-sent if sent == signal.SIGKILL else 128 + sent)
        finally:
            match.kill()
    wait_until(lambda: not any(is_running(int(path.name)) for path in pids.iterdir()))


# ---- bad input


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="A match has at least 1 deal, not 0"):
        duel("greedy", "random", little(2), deals=0)
    with pytest.raises(ValueError, match="There is at least 1 job, not 0"):
        duel("greedy", "random", little(2), deals=1, jobs=0)
    with pytest.raises(ValueError, match=r"A seed is a whole number from 0 to .*, not -1"):
        duel("greedy", "random", little(2), deals=1, seed=-1)
    with pytest.raises(ValueError, match="is no player"):
        duel("greedy", "stockfish", little(2), deals=1)


# ---- the yardsticks


def test_yardsticks_play_what_they_always_played() -> None:
    """Results against them are held against older ones: where a move differs here, the player gets another name."""
    lines = []
    for text, players, seed in product(("greedy", "plain:iterations=200"), (2, 4), (1, 2, 3)):
        rules = Rules.standard(players)
        seats = [PlayerSpec.parse(text).make(derived_seed(seed, seat)) for seat in range(players)]
        record = eights.Record(rules)
        eights.play_round(record, eights.Deal(rules, seed), seats)
        moves = [event.action for event in record.events if isinstance(event, Act)]
        lines.append(f"{text} {players} {seed}: {' '.join(moves)}\n")
    check_golden("yardsticks.txt", "".join(lines))

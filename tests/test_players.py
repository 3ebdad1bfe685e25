"""Players: what they are told, and what they choose."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import eights
import pytest
from eights import Deal, EnginePlayer, GreedyPlayer, IllegalAction, Player, Position, RandomPlayer, Record, Rules
from eights import players as players_module
from eights.events import Event, Reveal, Start
from eights.record import seen_by
from posterior import assert_follows
from rounds import LITTLE, bare
from situations import situation


class Listener(RandomPlayer):
    """Plays at random, and remembers what it was told and asked."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self.events: list[Event] = []
        self.asked: list[Position] = []

    def new_round(self, start: Start) -> None:
        self.events = [start]

    def event(self, event: Event) -> None:
        self.events.append(event)

    def choose(self, observation: Position) -> int:
        self.asked.append(observation)
        return super().choose(observation)


# ---- what they are told


def test_players_hear_what_their_seat_sees_and_nothing_else() -> None:
    listeners = [Listener(seed) for seed in range(3)]
    record = Record(Rules.parse(LITTLE, 3), seed=99)
    eights.play_round(record, Deal(record.rules, 99), listeners)
    for seat, listener in enumerate(listeners):
        assert listener.events == record.view(seat).events
        hidden = [e for e in listener.events if isinstance(e, Reveal) and e.zone == "hand" and e.seat != seat]
        assert hidden
        assert all(event.card == "?" for event in hidden)
        assert all(position.mover == seat for position in listener.asked)


def test_a_player_has_heard_everything_before_he_is_asked() -> None:
    record = Record(Rules.parse(LITTLE, 2))

    class Careful(Listener):
        def choose(self, observation: Position) -> int:
            assert self.events == [seen_by(observation.mover, event) for event in record.events]
            assert observation == bare(record.position())
            return super().choose(observation)

    eights.play_round(record, Deal(record.rules, 3), [Careful(1), Careful(2)])
    assert record.is_over


def test_a_player_changes_seats_between_rounds() -> None:
    seats: list[int | None] = []

    class Seated(GreedyPlayer):
        def new_round(self, start: Start) -> None:
            seats.append(start.seat)
            assert start.names[start.seat or 0] == "Ben"
            assert start.seed is None

    match = eights.Match(replace(Rules.parse(LITTLE, 3), match_rounds=4), ("Ann", "Ben", "Cleo"), 1)
    eights.play(match, [GreedyPlayer(), Seated(), GreedyPlayer()])
    assert seats == [1, 0, 2, 1]


# ---- an action that is not legal


class Stubborn(GreedyPlayer):
    """Plays greedily, but one action whenever it is asked for the third time."""

    def __init__(self, action: int) -> None:
        self.action = action
        self.asked = 0

    def choose(self, observation: Position) -> int:
        self.asked += 1
        return self.action if self.asked == 3 else super().choose(observation)


@pytest.mark.parametrize("action", ["blind", "keep", "swap 3 3", "8x6"])
def test_an_action_that_is_not_legal_is_refused_and_the_record_stands(action: str) -> None:
    record = Record(Rules.standard(2))
    with pytest.raises(IllegalAction, match=rf"^Seat [01] may not play {action} now; legal is .+\.$"):
        eights.play_round(record, Deal(record.rules, 1), [Stubborn(eights.parse_action(action)), GreedyPlayer()])
    assert record.state.mover == 0
    assert 4 <= record.plies <= 5
    assert not record.is_over
    eights.play_round(record, Deal(record.rules, 1), [GreedyPlayer(), GreedyPlayer()])
    assert record.is_over


@pytest.mark.parametrize("action", [-1, 220, 10**30])
def test_there_is_no_such_action(action: int) -> None:
    record = Record(Rules.standard(2))
    with pytest.raises(IllegalAction, match="There is no action"):
        eights.play_round(record, Deal(record.rules, 1), [Stubborn(action), GreedyPlayer()])
    assert record.state.mover == 0


# ---- random and greedy

CHOICE = "standard 0 1 8:488:136:3:-/8:???:889:3:… 9"


def test_random_plays_every_legal_action_alike() -> None:
    position = situation("standard 0 - 8:48H:136:3:-/8:???:889:3:… 9")
    legal = position.legal_actions()
    assert len(legal) == 4
    player = RandomPlayer(5)
    seen = Counter(player.choose(position) for _ in range(4000))
    assert_follows(seen, Counter(legal))


def test_random_is_the_same_for_the_same_seed() -> None:
    position = situation(CHOICE)
    players = [RandomPlayer(seed) for seed in (1, 1, 2)]
    one, same, other = ([player.choose(position) for _ in range(50)] for player in players)
    assert one == same != other


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("standard 0 - 8:488:136:3:-/8:???:889:3:… 9", "4"),
        ("standard 0 4,6 8:488:136:3:-/8:???:889:3:… 9", "8x2"),  # all copies of it
        ("standard 0 4,6 8:0HG:136:3:-/8:???:889:3:… 9", "0"),  # wild cards: zeros, Halves, Ghosts
        ("standard 0 4,6 8:GHG:136:3:-/8:???:889:3:… 9", "H"),
        ("standard 0 4,6 8:0G9:136:3:-/8:???:889:3:… 9", "9"),  # but any number before them
        ("standard 0 9 8:GG8:136:3:-/8:???:889:3:… 9", "Gx2"),
        ("standard 0 4,6 8:8H9:136:3:-/8:???:889:3:… 9", "8"),  # 8 and Half together last of all
        ("standard 0 1,8H 8:8H7:136:3:-/8:???:889:3:… 9", "8H"),
        ("standard 0 9 8:148:136:3:-/8:???:889:3:… 9", "take"),
        ("standard 0 4 0:-:-:2:-*/8:???:889:3:… 60", "blind"),
        ("standard 0 4 0:-:568:3:-*/8:???:889:3:… 60", "5"),
    ],
)
def test_greedy(text: str, choice: str) -> None:
    assert eights.action_text(GreedyPlayer().choose(situation(text))) == choice


def test_greedy_keeps_what_it_has() -> None:
    position = situation("standard 0x1 - 27:489:136:3:-/27:???:889:3:- 0")
    assert eights.action_text(GreedyPlayer().choose(position)) == "keep"
    assert len(position.legal_actions()) > 5


def test_players_that_are_no_players() -> None:
    with pytest.raises(NotImplementedError):
        Player().choose(situation(CHOICE))


# ---- the engine


def asked(monkeypatch: pytest.MonkeyPatch) -> list[Position]:
    """The positions that engines have analysed from now on; they are answered at once."""
    positions: list[Position] = []

    def analyse(position: Position, **options: object) -> eights.Analysis:
        positions.append(position)
        return eights.analyse(position, iterations=2)

    monkeypatch.setattr(players_module, "analyse", analyse)
    return positions


@pytest.mark.parametrize("seed", range(8))
def test_the_engine_uses_what_hands_have_shown(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Its position is that of the whole record for its seat at that ply, evidence and all."""
    positions = asked(monkeypatch)
    record = Record(replace(Rules.standard(3), max_plies=60))
    eights.play_round(record, Deal(record.rules, seed), [RandomPlayer(1), EnginePlayer(iterations=2), RandomPlayer(2)])
    assert len(positions) > 3
    assert any("{" in str(position) for position in positions)
    for position in positions:
        assert position == record.position(position.plies, seat=1)


def test_the_engine_begins_each_round_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = asked(monkeypatch)
    match = eights.Match(replace(Rules.parse(LITTLE, 2), match_rounds=4), ("Ann", "engine"), 1)
    record = eights.play(match, [RandomPlayer(1), EnginePlayer(iterations=2)])
    expected = []
    for number, played in enumerate(record.rounds):
        seat = (1 - number) % 2
        plies = [event.seat for event in played.events if isinstance(event, eights.events.Act)]
        mine = [played.position(ply, seat) for ply, mover in enumerate(plies) if mover == seat]
        expected += [position for position in mine if len(position.legal_actions()) > 1]
    assert positions == expected


def test_the_engine_does_not_think_about_a_forced_action(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = asked(monkeypatch)
    player = EnginePlayer(iterations=2)
    assert eights.action_text(player.choose(situation("standard 0 9 8:148:136:3:-/8:???:889:3:… 9"))) == "take"
    assert positions == []
    assert player.analysis is None


def test_the_engine_says_what_it_thought_of_its_last_choice() -> None:
    player = EnginePlayer(iterations=30)
    best = player.choose(situation(CHOICE))
    assert player.analysis is not None
    assert player.analysis.best == best
    assert player.analysis.iterations == 30
    assert player.analysis.position == situation(CHOICE)
    player.choose(situation("standard 0 9 8:148:136:3:-/8:???:889:3:… 9"))
    assert player.analysis is None


def test_the_engine_is_the_same_for_the_same_seed() -> None:
    def records(seed: int) -> str:
        record = Record(replace(Rules.standard(2), max_plies=20))
        engines = [EnginePlayer(iterations=20, seed=seed + seat) for seat in (0, 1)]
        eights.play_round(record, Deal(record.rules, 5), engines)
        return record.dumps()

    assert records(1) == records(1)
    assert len({records(seed) for seed in range(5)}) > 1


def test_an_engine_that_hears_nothing_plays_from_what_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = asked(monkeypatch)
    EnginePlayer(iterations=2).choose(situation(CHOICE))
    assert positions == [situation(CHOICE)]

"""A front end in twenty lines: seat 1 of a round shows what it sees, and plays what the engine finds best.

python docs/frontend_example.py
"""

import eights


class FrontEnd(eights.Player):
    def new_round(self, start: eights.events.Start) -> None:
        self.record = eights.Record.begin(start, {})
        print("A round of", " and ".join(start.names))

    def event(self, event: eights.events.Event) -> None:
        self.record.add(event)  # cards that this seat does not see are "?"; what the rules do not allow is refused
        if isinstance(event, eights.events.Act):
            print(f"{self.record.names[event.seat]} plays {event.action}")

    def choose(self, observation: eights.Position) -> int:
        position = self.record.position()  # as `observation`, and what hands have shown by taking the pile
        analysis = eights.analyse(position, iterations=200)
        print(f"\n{position}\nBest is {eights.action_text(analysis.best)}, for {analysis.points[1]:.2f} points")
        return analysis.best


def main() -> eights.Record:
    """Play a round; the table is the library's own here, where a game of yours would send its events."""
    table = eights.Record(eights.Rules.standard(players=3), names=("Ann", "the engine", "Cleo"))
    players = [eights.GreedyPlayer(), FrontEnd(), eights.GreedyPlayer()]
    eights.play_round(table, eights.Deal(table.rules, seed=2), players)
    print("\nPoints:", dict(zip(table.names, table.state.points(), strict=True)))
    return table


if __name__ == "__main__":
    main()

"""What is raised for text and values that cannot be used: every fault at once, each one a sentence."""


class NotationError(ValueError):
    """Rules or a position that cannot be used; made from one sentence for each thing that is wrong.

    >>> error = NotationError("The first is wrong.", "So is the second.")
    >>> len(error.faults), str(error)
    (2, 'The first is wrong. So is the second.')
    """

    def __init__(self, *faults: str) -> None:
        super().__init__(*faults)

    @property
    def faults(self) -> tuple[str, ...]:
        """One sentence for each thing that is wrong."""
        return self.args

    def __str__(self) -> str:
        return " ".join(self.faults)


class RulesError(NotationError):
    """A rule set that cannot be played, or whose text cannot be read."""


class PositionSyntaxError(NotationError):
    """A position text that cannot be read."""


class ImpossiblePosition(NotationError):
    """A position that reads well but that no round can reach."""

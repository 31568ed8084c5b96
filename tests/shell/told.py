"""A problem log for tests that look at everything it was told."""

from memory_ledger.errors import Problem
from memory_ledger.store.damage import ProblemKind, ProblemLog


class Told(ProblemLog):
    """Keeps in `heard` what it is told, the same thing as often as it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Problem] = []

    def tell(self, problem: Problem, kind: ProblemKind = ProblemKind.UNUSABLE, *, is_news: bool = False) -> bool:
        """Keep a problem, and tell it."""
        self.heard.append(problem)
        return super().tell(problem, kind, is_news=is_news)

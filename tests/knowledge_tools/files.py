"""Knowledge files in memory, for tests that are not about where they are kept."""

from collections.abc import Callable, Mapping


class DictFiles:
    """`KnowledgeFiles` over a dict that counts what is written."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        self.texts = dict(texts or {})
        self.written: list[str] = []
        self.rules: dict[str, bytes] = {}

    def governance(self) -> Mapping[str, bytes]:
        return self.rules

    def read(self, name: str) -> str | None:
        return self.texts.get(name)

    def update(self, name: str, merge: Callable[[str | None], str | None]) -> str | None:
        before = self.texts.get(name)
        after = merge(before)
        if after is not None and after != before:
            self.texts[name] = after
            self.written.append(name)
        return self.texts.get(name)

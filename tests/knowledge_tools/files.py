"""Knowledge files in memory, for tests that are not about where they are kept."""

from collections.abc import Callable, Sequence


class DictFiles:
    """`KnowledgeFiles` over a dict that counts what is written."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        self.texts = dict(texts or {})
        self.written: list[str] = []

    def read(self, name: str) -> str | None:
        return self.texts.get(name)

    def write(self, name: str, text: str) -> None:
        self.texts[name] = text
        self.written.append(name)

    def update(self, name: str, merge: Callable[[str | None], str | None]) -> str | None:
        before = self.texts.get(name)
        after = merge(before)
        if after is not None and after != before:
            self.write(name, after)
        return self.texts.get(name)

    def list(self, prefix: str = "") -> Sequence[str]:
        return sorted(name for name in self.texts if name.startswith(prefix))

    def delete(self, name: str) -> None:
        self.texts.pop(name, None)

    def move(self, name: str, to: str) -> None:
        self.texts[to] = self.texts.pop(name)

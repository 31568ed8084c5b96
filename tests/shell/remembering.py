"""A memory of which the pack knows already, in a memory folder of the tests."""


def know(box, text: str, *, days: float = 0, **metadata: object) -> str:
    """Insert a memory, let it be adopted, and `days` pass; return its id."""
    memory_id = box.insert(text, **metadata)
    box.adopt()
    box.clock.advance(days=days)
    return memory_id

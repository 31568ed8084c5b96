"""How many lines of Python each package may have: the ceilings only go down, and never round up what is there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

_ROOT: Final = Path(__file__).parents[1]
#: The most lines of each folder of `helpers/` and of `tests/`; "." is what stands in no folder.
_CEILINGS: Final[dict[str, dict[str, int]]] = {
    "helpers": {
        ".": 2499,
        "claims": 9794,
        "cli": 5189,
        "demo": 1052,
        "formats": 741,
        "host": 24195,
        "knowledge": 4054,
        "language": 2105,
        "ledger": 6460,
        "maintenance": 762,
        "notes": 567,
        "privacy": 1883,
        "quality": 2736,
        "recall": 1674,
        "service": 1194,
        "similar": 1055,
        "store": 212,
        "vault": 1062,
    },
    "tests": {
        ".": 4334,
        "claims": 2930,
        "core": 16383,
        "crashes": 1125,
        "fake_host": 6391,
        "hooks": 10915,
        "knowledge_storage": 1031,
        "knowledge_tools": 308,
        "page_host": 2673,
        "real_host": 2017,
        "shell": 23513,
    },
}


def _count_lines(root: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for path in root.rglob("*.py"):
        *folders, _ = path.relative_to(root).parts
        counts[folders[0] if folders else "."] += len(path.read_text("utf-8").splitlines())
    return counts


@pytest.mark.parametrize("root", list(_CEILINGS))
def test_no_package_grows(root: str) -> None:
    """Whoever adds lines takes others away; a package that has shrunk gets a lower ceiling."""
    counts = _count_lines(_ROOT / root)
    over = {
        name: (count, _CEILINGS[root].get(name))
        for name, count in counts.items()
        if count > _CEILINGS[root].get(name, 0)
    }
    assert over == {}

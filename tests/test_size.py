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
        ".": 2504,
        "claims": 9166,
        "cli": 4166,
        "demo": 625,
        "formats": 600,
        "host": 14161,
        "knowledge": 3563,
        "language": 1874,
        "ledger": 5903,
        "maintenance": 424,
        "notes": 511,
        "privacy": 1475,
        "quality": 2491,
        "recall": 1607,
        "service": 1399,
        "similar": 1052,
        "store": 8121,
        "vault": 951,
    },
    "tests": {
        ".": 3779,
        "claims": 1830,
        "core": 11916,
        "crashes": 1053,
        "fake_host": 4523,
        "hooks": 8729,
        "knowledge_storage": 1014,
        "knowledge_tools": 300,
        "page_host": 2565,
        "real_host": 1907,
        "shell": 19361,
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

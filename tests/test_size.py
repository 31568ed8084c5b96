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
        ".": 2470,
        "claims": 8790,
        "cli": 3371,
        "demo": 625,
        "formats": 599,
        "host": 13719,
        "knowledge": 3487,
        "language": 1789,
        "ledger": 5838,
        "maintenance": 422,
        "notes": 497,
        "privacy": 1475,
        "quality": 2479,
        "recall": 1607,
        "service": 1380,
        "similar": 1052,
        "store": 7854,
        "vault": 867,
    },
    "tests": {
        ".": 3604,
        "claims": 1819,
        "core": 11831,
        "crashes": 1053,
        "fake_host": 4523,
        "hooks": 8625,
        "knowledge_storage": 1013,
        "knowledge_tools": 293,
        "page_host": 2557,
        "real_host": 1902,
        "shell": 19328,
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

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
        ".": 2507,
        "claims": 9820,
        "cli": 4944,
        "demo": 1050,
        "formats": 600,
        "host": 15210,
        "knowledge": 3919,
        "language": 2046,
        "ledger": 6379,
        "maintenance": 745,
        "notes": 555,
        "privacy": 1860,
        "quality": 2704,
        "recall": 1631,
        "service": 1174,
        "similar": 1052,
        "store": 8391,
        "vault": 1026,
    },
    "tests": {
        ".": 4334,
        "claims": 2930,
        "core": 16373,
        "crashes": 1125,
        "fake_host": 6391,
        "hooks": 10914,
        "knowledge_storage": 1031,
        "knowledge_tools": 306,
        "page_host": 2665,
        "real_host": 2016,
        "shell": 23488,
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

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
        ".": 2437,
        "claims": 10274,
        "cli": 5423,
        "demo": 1052,
        "formats": 741,
        "host": 25638,
        "knowledge": 4243,
        "language": 2123,
        "ledger": 6650,
        "maintenance": 762,
        "notes": 584,
        "privacy": 1883,
        "quality": 2770,
        "recall": 1918,
        "similar": 1055,
        "store": 212,
        "vault": 1101,
    },
    "tests": {
        ".": 4294,
        "claims": 2953,
        "core": 16564,
        "crashes": 1125,
        "fake_host": 6391,
        "hooks": 10737,
        "knowledge_storage": 1031,
        "knowledge_tools": 558,
        "page_host": 2671,
        "real_host": 2018,
        "shell": 23843,
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

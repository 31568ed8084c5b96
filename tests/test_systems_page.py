"""The page that shows what each of the five systems does to a prompt: played again, and better with each of them."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import systems  # noqa: E402


@pytest.mark.parametrize("system", systems.SYSTEMS, ids=lambda one: one.name)
async def test_a_section_is_what_is_played(system: systems.System) -> None:
    """What should be there is there with the system alone, what should not without it alone."""
    with_it, without = await systems.compare(system)
    assert systems.render(system, with_it, without) in (ROOT / systems.PAGE).read_text("utf-8")
    for text in system.wanted:
        assert any(line.startswith(text) for line in with_it) and not any(line.startswith(text) for line in without)
    for text in system.unwanted:
        assert text in without and text not in with_it
    assert system.wanted or system.unwanted

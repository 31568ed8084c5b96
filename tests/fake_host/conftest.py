"""A running host of each generation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from . import ALL_GENERATIONS, FakeHost


@pytest.fixture(params=ALL_GENERATIONS)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeHost]:
    """A running host of each generation."""
    with FakeHost(request.param, tmp_path / "a0") as running:
        yield running

"""The hosts that the environment names, one after the other; without any, each test is skipped with the reason."""

from __future__ import annotations

import os

import pytest
from real_host_runs import DRIVER, HOSTS, PYTHON, MisconfiguredError, Player, read_hosts

_REASON = f"no Agent Zero given: set {HOSTS}, {DRIVER} and {PYTHON} (tests/real_host/README.md)"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that wants a player on every host."""
    if "player" not in metafunc.fixturenames:
        return
    try:
        hosts = read_hosts(os.environ)
    except MisconfiguredError as exc:
        raise pytest.UsageError(str(exc)) from exc
    skipped = [pytest.param(None, id="no host", marks=pytest.mark.skip(reason=_REASON))]
    parameters = [pytest.param(host, id=host.tag) for host in hosts] or skipped
    metafunc.parametrize("player", parameters, indirect=True, scope="session")


@pytest.fixture(scope="session")
def player(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Player:
    """Plays scripts on one host."""
    return Player(request.param, tmp_path_factory.mktemp(request.param.tag))

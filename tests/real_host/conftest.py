"""The hosts that the environment names, one after the other; without any, each test is skipped with the reason."""

from __future__ import annotations

import os

import pytest
from real_host_runs import DRIVER, HOSTS, PYTHON, MisconfiguredError, Player, read_hosts
from real_page import PAGE_DRIVER

_REASON = f"no Agent Zero given: set {HOSTS}, {DRIVER}, {PYTHON}, and {PAGE_DRIVER} (tests/real_host/README.md)"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that wants a player on every host, and each that wants a page on those that have pages."""
    wanted = {"player", "page_host"} & {*metafunc.fixturenames}
    try:
        hosts = read_hosts(os.environ) if wanted else []
    except MisconfiguredError as exc:
        raise pytest.UsageError(str(exc)) from exc
    for name in wanted:
        fit = hosts if name == "player" else [one for one in hosts if one.has_pages and os.environ.get(PAGE_DRIVER)]
        skipped = [pytest.param(None, id="no host", marks=pytest.mark.skip(reason=_REASON))]
        parameters = [pytest.param(host, id=host.tag) for host in fit] or skipped
        metafunc.parametrize(name, parameters, indirect=name == "player", scope="session")


@pytest.fixture(scope="session")
def player(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Player:
    """Plays scripts on one host."""
    return Player(request.param, tmp_path_factory.mktemp(request.param.tag))

"""Places that keep knowledge: a folder, and a real S3 server."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import Place
from servers import BUCKET, Server, make_bucket, s3_environment, start_s3, started

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def s3_server() -> Iterator[Server]:
    """The S3 server of this test process."""
    with pytest.MonkeyPatch.context() as patch:
        server = started(start_s3)
        for name, value in s3_environment(server.port).items():
            patch.setenv(name, value)
        make_bucket()
        yield server
        server.stop()


@pytest.fixture
def s3(s3_server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Place:
    """An empty place in the bucket."""
    for name, value in s3_environment(s3_server.port).items():
        monkeypatch.setenv(name, value)
    return Place(f"s3://{BUCKET}/agents-{next(_numbers)}", tmp_path)


@pytest.fixture
def own_s3(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[tuple[Server, Place]]:
    """An S3 server that the test may stop."""
    server = started(start_s3)
    for name, value in s3_environment(server.port).items():
        monkeypatch.setenv(name, value)
    make_bucket()
    yield server, Place(f"s3://{BUCKET}/agents", tmp_path)
    server.stop()


@pytest.fixture(params=["file", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Each kind of place, empty."""
    if request.param == "s3":
        found: Place = request.getfixturevalue("s3")
        return found
    return Place("file://", tmp_path)

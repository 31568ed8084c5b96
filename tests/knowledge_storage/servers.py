"""Start what a fleet shares, on this machine: an S3 server, until it is stopped."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

#: What `make test` names in its summary, so that nobody takes a test that did not run for one that passed.
NOT_STARTED = "could not be started"

BUCKET = "fleet"


class NotStartedError(Exception):
    """This machine lacks what the server needs."""


class Server:
    """One process of its own; `freeze` lets it hang with its connections open."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self._process = process
        self.port = port

    def freeze(self) -> None:
        os.kill(self._process.pid, signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)  # it has stopped, and answers nothing more

    def thaw(self) -> None:
        os.kill(self._process.pid, signal.SIGCONT)

    def stop(self) -> None:
        """Kill it; once more does nothing."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


def start_s3(*options: str) -> Server:
    """Start moto's S3 server, without a bucket; `--port N` starts it in the place of another."""
    try:
        import flask  # noqa: F401
        import moto.server  # noqa: F401
        import s3fs  # noqa: F401
    except ImportError as exc:
        raise NotStartedError(f"the S3 server {NOT_STARTED}: {exc} (the extra `test` brings it)") from exc
    command = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("s3_server.py")), *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port = process.stdout.readline()
    if not port.strip().isdigit():
        raise NotStartedError(f"the S3 server {NOT_STARTED}: it ended with code {process.wait()}")
    return Server(process, int(port))


def started(start: Callable[..., Server], *args: object) -> Server:
    """Start a server, or skip the test with the reason that the summary repeats."""
    try:
        return start(*args)
    except NotStartedError as exc:
        pytest.skip(str(exc))


def s3_environment(port: int) -> dict[str, str]:
    """Return what every S3 client takes from the environment."""
    return {
        "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def make_bucket() -> None:
    """Make the bucket of the server that the environment names."""
    import s3fs

    s3fs.S3FileSystem(skip_instance_cache=True).mkdir(BUCKET)

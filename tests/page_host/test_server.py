"""The page host itself: what it lets out, and whom it lets in."""

from __future__ import annotations

import asyncio
import http.client
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from .server import PageHost


async def _yes(_file: str, _sent: dict[str, Any]) -> dict[str, Any]:
    return {"ok": True}


def _call(web: PageHost, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str, str]:
    """Return status, body and cookie of an answer."""
    connection = http.client.HTTPConnection(urlsplit(web.url).netloc, timeout=20)
    connection.request(method, path, body or None, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    found = answer.status, answer.read().decode(), (answer.headers["Set-Cookie"] or "").partition(";")[0]
    connection.close()
    return found


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/plugins/memory_ledger/webui/main.html", 200),
        ("/plugins/memory_ledger/webui/ledger-store.js", 200),
        ("/plugins/memory_ledger/plugin.yaml", 403),
        ("/plugins/memory_ledger/api/ledger.py", 403),
        ("/plugins/memory_ledger/webui/../plugin.yaml", 403),
        ("/plugins/memory_ledger/webui/%2e%2e/plugin.yaml", 403),
        ("/../server.py", 403),
    ],
)
async def test_only_what_is_below_webui_is_let_out(path: str, status: int) -> None:
    with PageHost(_yes, Path(__file__)) as web:
        assert (await asyncio.to_thread(_call, web, "GET", path))[0] == status


async def test_a_call_needs_the_session_and_its_token() -> None:
    path = "/api/plugins/memory_ledger/ledger"
    with PageHost(_yes, Path(__file__)) as web:
        _, told, cookie = await asyncio.to_thread(_call, web, "GET", "/api/csrf_token")
        token = json.loads(told)["token"]
        for given in ({}, {"Cookie": cookie}, {"X_CSRF_Token": token}, {"Cookie": cookie, "X_CSRF_Token": "wrong"}):
            assert (await asyncio.to_thread(_call, web, "POST", path, "{}", **given))[0] == 403
        answer = await asyncio.to_thread(_call, web, "POST", path, "{}", Cookie=cookie, X_CSRF_Token=token)
        assert (answer[0], json.loads(answer[1])) == (200, {"ok": True})
        assert (await asyncio.to_thread(_call, web, "GET", path, Cookie=cookie))[0] == 403

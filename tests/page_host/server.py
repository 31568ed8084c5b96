"""Serves the pack's pages as a host does: its loader, its store, its token, and the files that it lets out."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any
from urllib.parse import unquote, urlsplit

PACK = Path(__file__).resolve().parents[2]
_OWN = Path(__file__).parent / "webui"
_PLUGIN = "/plugins/memory_ledger/"
#: Where a host's settings dialog asks: what is posted there goes to the file "".
_DIALOG = "/api/plugins"
_API = f"/api{_PLUGIN}"
_OPEN_FOLDERS = ("webui/", "extensions/webui/")
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

#: Answers what is posted to a file of `api/`, or by the settings dialog.
Answer = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


class PageHost:
    """A host's web interface, as much of it as the pages need; `asked` lists every path that was requested.

    The pack answers in the event loop of whoever opened it, as in a host.
    """

    def __init__(self, answer: Answer, alpine: Path) -> None:
        self._answer, self._alpine = answer, alpine
        self._loop = asyncio.get_running_loop()
        self._token, self._session = secrets.token_hex(16), secrets.token_hex(16)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._make_handler())
        self._server.daemon_threads = True
        self.asked: list[str] = []
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> PageHost:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def find(self, path: str) -> Path | None:
        """Return the file that is served at `path`: the host's own, Alpine, or what a plugin may show."""
        if path == "/vendor/alpine.js":
            return self._alpine
        folder, name = (PACK, path.removeprefix(_PLUGIN)) if path.startswith(_PLUGIN) else (_OWN, path.strip("/"))
        if ".." in name.split("/") or (folder == PACK and not name.startswith(_OPEN_FOLDERS)):
            return None
        file = folder / (name or "index.html")
        return file if file.is_file() else None

    def call(self, file: str, sent: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of the pack, from another thread than the event loop's."""
        return asyncio.run_coroutine_threadsafe(self._answer(file, sent), self._loop).result(60)

    def is_allowed(self, handler: BaseHTTPRequestHandler) -> bool:
        """Tell whether a call has the session's cookie and its token."""
        session = SimpleCookie(handler.headers.get("Cookie", "")).get("session")
        return (
            session is not None
            and session.value == self._session
            and handler.headers.get("X-CSRF-Token") == self._token
        )

    def _make_handler(self) -> type[BaseHTTPRequestHandler]:
        page_host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = unquote(urlsplit(self.path).path)
                page_host.asked.append(path)
                if path == "/api/csrf_token":
                    self._send(200, json.dumps({"ok": True, "token": page_host._token}), "application/json")
                elif (file := page_host.find(path)) is None:
                    self._send(403, "refused", "text/plain")
                else:
                    self._send(200, file.read_text("utf-8"), _TYPES.get(file.suffix, "text/plain"))

            def do_POST(self) -> None:
                path = urlsplit(self.path).path
                page_host.asked.append(path)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if not (path.startswith(_API) or path == _DIALOG) or not page_host.is_allowed(self):
                    self._send(403, "refused", "text/plain")
                    return
                try:
                    answer = page_host.call(path.removeprefix(_API).removeprefix(_DIALOG), json.loads(body))
                except Exception as exc:  # noqa: BLE001 -- a host answers with what went wrong, of whatever kind
                    self._send(500, f"{type(exc).__name__}: {exc}\nTraceback ...", "text/plain")
                else:
                    self._send(200, json.dumps(answer), "application/json")

            def _send(self, status: int, text: str, kind: str) -> None:
                content = text.encode("utf-8", "surrogatepass")
                self.send_response(status)
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-cache")
                self.send_header("Set-Cookie", f"session={page_host._session}; HttpOnly; SameSite=Lax; Path=/")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing; `asked` tells."""

        return Handler

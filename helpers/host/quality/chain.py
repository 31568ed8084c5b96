"""The signed chain of a store: its keys, its file, and the keeper that follows the changes of the store."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...clock import EPOCH, Clock, format_time, parse_time
from ...errors import StoreError
from ...inbox import SignAnew
from ...ledger.lifecycle import is_classified, status_of
from ...quality import chain
from ...records import Memory
from ...setting_groups import SignatureAlgorithm
from ...store import files
from ...store.damage import read_bytes
from ...store.files import SIGNING_KEYS_FILE, read_object, write_atomically
from ...store.lines import LineStore
from ...texts import counted

if TYPE_CHECKING:
    from ...store.docstore import Store

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError:  # an optional extra
    HAS_ED25519 = False
else:
    HAS_ED25519 = True

_HMAC, _ED25519 = SignatureAlgorithm.HMAC.value, SignatureAlgorithm.ED25519.value
_KEY_BYTES, _SALT_BYTES = 32, 16


class KeyRing:
    """The signing key of one memory folder and the key of its digests, made when the first memory is signed."""

    def __init__(self, folder: Path, algorithm: SignatureAlgorithm, clock: Clock) -> None:
        self._path = folder / SIGNING_KEYS_FILE
        self._clock = clock
        self._algorithm = algorithm
        stored = read_object(self._path) or {}
        keys, active = stored.get("keys"), stored.get("active")
        key = keys.get(active) if isinstance(keys, dict) and isinstance(active, str) else None
        self._key: dict[str, Any] = key if isinstance(key, dict) else {}
        self._digests = _read_secret(stored.get("digests"))
        #: The name of the key that signs, if one has been made.
        self.active: str | None = active if self._key else None

    def describe(self) -> dict[str, Any]:
        """Return the public fields of the signing key."""
        public = {name: value for name, value in self._key.items() if name in ("algorithm", "created", "public")}
        return {"key": self.active, **public}

    def sign(self, data: bytes) -> Mapping[str, str]:
        """Return the signature of `data` with the key, which is made at the first call."""
        name = self.active or self.renew()
        return {"type": self._key["algorithm"], "key": name, "value": _signed(self._key, data)}

    def check(self, data: bytes, signature: Mapping[str, Any]) -> str | None:
        """Return the fault of a signature of `data` in words, or None."""
        if signature.keys() != {"type", "key", "value"}:
            return "does not have the keys of a signature"
        if not self._key or signature["key"] != self.active:
            return f"names the key {signature['key']!r}, which {self._path.name} does not hold"
        if signature["type"] != self._key.get("algorithm"):
            return f"is of the type {signature['type']!r}, and its key of {self._key.get('algorithm')!r}"
        return _fault(self._key, data, str(signature["value"]))

    def renew(self) -> str:
        """Replace the signing key by a new one; return its name."""
        algorithm = _choose(self._algorithm)
        self.active = secrets.token_hex(4)
        self._key = {"algorithm": algorithm, "created": format_time(self._clock()), **_new_key(algorithm)}
        self._save()
        return self.active

    def prepare(self) -> None:
        """Make the keys that are missing."""
        if self.active is None:
            self.renew()
        elif self._digests is None:
            self._save()

    def digest(self, data: bytes) -> str | None:
        """Return the keyed digest of chained data; None if its key is lost."""
        if self._digests is None:
            return None
        return f"{_HMAC}:{hmac.new(self._digests, data, sha256).hexdigest()}"

    def salt(self) -> str:
        """Return a random salt."""
        return secrets.token_hex(_SALT_BYTES)

    def _save(self) -> None:
        self._digests = self._digests or secrets.token_bytes(_KEY_BYTES)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        rows = {"active": self.active, "digests": self._digests.hex(), "keys": {self.active: self._key}}
        write_atomically(self._path, json.dumps(rows, indent=1) + "\n", mode=0o600)


def _read_secret(value: object) -> bytes | None:
    try:
        return bytes.fromhex(value) if isinstance(value, str) and value else None
    except ValueError:
        return None


def _choose(algorithm: SignatureAlgorithm) -> str:
    if algorithm is SignatureAlgorithm.AUTO:
        return _ED25519 if HAS_ED25519 else _HMAC
    if algorithm is SignatureAlgorithm.ED25519 and not HAS_ED25519:
        raise StoreError("setting quality.signature is ed25519 without `cryptography`; allowed: hmac-sha256, or auto")
    return algorithm.value


def _new_key(algorithm: str) -> dict[str, str]:
    secret = secrets.token_bytes(_KEY_BYTES)
    if algorithm == _HMAC:
        return {"secret": secret.hex()}
    public = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    return {"secret": secret.hex(), "public": public.hex()}


def _signed(key: Mapping[str, Any], data: bytes) -> str:
    secret = bytes.fromhex(key["secret"])
    if key["algorithm"] == _HMAC:
        return hmac.new(secret, data, sha256).hexdigest()
    if not HAS_ED25519:
        raise StoreError(
            "memories are signed with ed25519 here, and `cryptography` is missing; allowed: both, or to sign anew"
        )
    signature: bytes = Ed25519PrivateKey.from_private_bytes(secret).sign(data)
    return signature.hex()


def _fault(key: Mapping[str, Any], data: bytes, value: str) -> str | None:
    try:
        if key["algorithm"] == _HMAC:
            return None if hmac.compare_digest(_signed(key, data), value) else "does not fit"
        if not HAS_ED25519:
            return "cannot be checked: `cryptography` is missing"
        if value != bytes.fromhex(value).hex():
            return "does not fit"
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key["public"])).verify(bytes.fromhex(value), data)
    except (KeyError, TypeError, ValueError, InvalidSignature):
        return "does not fit"
    return None


ReadMemory = Callable[[str], Memory | None]

_EMPTY = chain.ChainHead(count=0, digest=chain.GENESIS)


class ChainFile:
    """The chain of one memory folder as it lies on the disk."""

    def __init__(self, folder: Path, algorithm: SignatureAlgorithm, clock: Clock) -> None:
        self.path = folder / files.CHAIN_FILE
        self.keys = KeyRing(folder, algorithm, clock)
        self._head_path = folder / files.CHAIN_HEAD_FILE
        self._unsigned_until = EPOCH

    def verify(self, read: ReadMemory) -> chain.ChainReport:
        """Return a report about the chain and the memories; a missing file is an empty chain."""
        data, head = read_bytes(self.path) or b"", self._read_head()
        report = chain.verify(data, head, lambda memory_id: chain.core_of(read(memory_id)), keys=self.keys)
        if data and head is None:
            reason = f"nobody knows whether it is the last one: {self._head_path.name} does not say so"
            report.breaks.append(chain.Break(report.length, None, reason))
        return report

    def open(self) -> tuple[chain.ChainHead, dict[str, str]]:
        """Return the head of the chain, and the digest of each chained memory; nothing is verified.

        A torn last line beyond the recorded head is removed. If lines are missing, the recorded head is returned, so
        that the gap stays visible.
        """
        data, head = read_bytes(self.path) or b"", self._read_head()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data and chain.end_of(chain.split(whole)).count >= (0 if head is None else head.count):
            with self.path.open("r+b") as stream:
                stream.truncate(len(whole))
            data = whole
        digests: dict[str, str] = {}
        for line in files.parse_lines(self.path, data)[0]:
            if "tombstone" in line:
                digests.pop(str(line.get("id")), None)
            elif (stated := chain.stated_in(line)) is not None:
                digests[str(line.get("id"))] = stated
        end = chain.end_of(chain.split(data))
        return (head if head is not None and head.count > end.count else end), digests

    def append(self, head: chain.ChainHead, bodies: Iterable[chain.Line], *, at: str) -> chain.ChainHead:
        """Append a line for each of `bodies`; return the new head."""
        lines, head = chain.make_lines(head, bodies, at=at, keys=self.keys)
        if lines:
            LineStore(self.path).append(map(json.loads, lines))
            self._write_head(head)
        return head

    def replace(self, bodies: Iterable[chain.Line], *, at: str) -> chain.ChainHead:
        """Replace the chain by a new one with a line for each of `bodies`; return its head."""
        lines, head = chain.make_lines(_EMPTY, bodies, at=at, keys=self.keys)
        with files.only_writer(self.path):
            files.write_atomically(self.path, b"".join(line + b"\n" for line in lines))
        self._write_head(head)
        return head

    def erase(self, memory_id: str, *, at: str) -> int:
        """Remove a memory from the chain; return how many lines named it."""
        if not self.path.exists():
            return 0
        with files.only_writer(self.path) as stream:
            lines, count = chain.erase_from(chain.split(stream.read()), memory_id, at=at, keys=self.keys)
            if count:
                files.write_atomically(self.path, b"".join(line + b"\n" for line in lines))
        return count

    def begin(self, moment: datetime) -> datetime:
        """Return the moment up to which memories are unsigned; without a chain that is `moment`, which is recorded."""
        head = files.read_object(self._head_path) or {}
        self._unsigned_until = parse_time(head.get("unsigned_until")) or moment
        if not head and not self.path.exists():
            self._write_head(_EMPTY)
        return self._unsigned_until

    def _write_head(self, head: chain.ChainHead) -> None:
        row = {"count": head.count, "digest": head.digest, "unsigned_until": format_time(self._unsigned_until)}
        files.write_atomically(self._head_path, json.dumps(row) + "\n")

    def _read_head(self) -> chain.ChainHead | None:
        head: dict[str, Any] = files.read_object(self._head_path) or {}
        count, digest = head.get("count"), head.get("digest")
        if isinstance(count, int) and isinstance(digest, str):
            return chain.ChainHead(count=count, digest=digest)
        return None


_RULE = "Q-31"


class ChainKeeper:
    """Chains the memories that come into a store, and those that leave it; without changes it compares two sizes."""

    def __init__(self, store: Store, algorithm: SignatureAlgorithm) -> None:
        self._store = store
        self.file = ChainFile(store.folder, algorithm, store.clock)
        self._seen: dict[str, Any] | None = None
        self._expected: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self._unsigned_until = EPOCH
        self._known: dict[str, str] = {}
        self._head = _EMPTY
        store.requests.handlers[SignAnew] = lambda request, _: [_in_words(len(self.sign_anew(request)))]

    def expect(self, memory_ids: Collection[str]) -> None:
        """Expect changes of these memories, which a kill may have kept from the chain."""
        self._expected = frozenset(memory_ids)

    def catch_up(self, *, limit: int | None = None) -> int:
        """Append lines for adopted, rewritten and deleted memories since the last call; return how many.

        A chained memory that differs when the process begins was altered behind our back: it gets no line, and the
        verification names it. Memories older than the chain are chained unsigned. At most `limit` memories are chained,
        the others at the next call. Requests to sign anew are carried out as well. Thread-safe.
        """
        with self._lock:
            written = self._catch_up(limit)
        self._store.requests.run(SignAnew)
        return written

    def _catch_up(self, limit: int | None) -> int:
        with self._store.lock:
            documents: dict[str, Any] = dict(self._store.db.get_all_docs())
        is_first = self._seen is None
        if self._seen is None:
            self._unsigned_until = self.file.begin(self._store.clock() if documents else EPOCH)
            self._head, self._known = self.file.open()
            # Chained memories count as unchanged until the verification.
            kept = {*self._known} - self._expected
            self._seen = {memory_id: document for memory_id, document in documents.items() if memory_id in kept}
        last = next(reversed(documents.items()), None)
        is_same = len(documents) == len(self._seen) and (last is None or self._seen.get(last[0]) is last[1])
        if not is_first and is_same:
            return 0
        due = [memory_id for memory_id, document in documents.items() if self._seen.get(memory_id) is not document]
        read = [memory for memory in map(self._store.read, due[:limit]) if is_classified(memory)]
        gone_ids = [memory_id for memory_id in self._known if memory_id not in documents]
        before = self._head.count
        if read or gone_ids:
            self._chain(read, gone_ids)
        waiting = set(due) - {memory.id for memory in read}
        self._seen = {memory_id: document for memory_id, document in documents.items() if memory_id not in waiting}
        return self._head.count - before

    def _chain(self, memories: Iterable[Memory], gone_ids: Iterable[str]) -> None:
        """Append lines for new, rewritten and deleted memories; those older than the chain come first, unsigned."""
        keys, bodies = self.file.keys, list[chain.Line]()
        for memory in memories:
            core = chain.core_of(memory)
            if core is None or self._known.get(core.id, "") == chain.digest_of(core, keys):
                continue
            keys.prepare()
            is_signed = status_of(memory)[1].created_at > self._unsigned_until
            bodies.append(chain.describe(core, keys, is_signed=is_signed))
        bodies.sort(key=lambda body: "unsigned" not in body)
        bodies += map(chain.bury, gone_ids)
        self._head = self.file.append(self._head, bodies, at=format_time(self._store.clock()))
        self._note(bodies)

    def _note(self, bodies: Iterable[chain.Line]) -> None:
        """Note the chained digest of each memory."""
        for body in bodies:
            if "tombstone" in body:
                del self._known[body["id"]]
            elif (stated := chain.stated_in(body)) is not None:
                self._known[body["id"]] = stated

    def sign_anew(self, asked: SignAnew) -> list[chain.Break]:
        """Chain and sign all memories anew in their present state, if the chain is broken; return the breaks.

        The journal keeps the breaks, and the person's reason.
        """
        with self._lock:
            self._catch_up(None)
            breaks = self.file.verify(self._store.read_as_found).in_order
            if not breaks:
                return []
            keys, moment = self.file.keys, format_time(self._store.clock())
            keys.renew()
            cores = filter(None, map(chain.core_of, map(self._store.read_as_found, self._seen or ())))
            bodies = [chain.describe(core, keys) for core in cores]
            self._known, self._head = {}, self.file.replace(bodies, at=moment)
            self._note(bodies)
        shared = {"action": "sign-anew", "at": moment, "rule": _RULE, "reasons": [asked.reason]}
        self._store.record(
            shared | {"line": break_.seq, "memory": break_.memory_id, "found": break_.reason} for break_ in breaks
        )
        return breaks

    def erase(self, memory_id: str) -> int:
        """Remove an erased memory from the chain; return how many lines named it."""
        with self._lock:
            count = self.file.erase(memory_id, at=format_time(self._store.clock()))
            self._known.pop(memory_id, None)
            if self._seen is not None:
                self._seen.pop(memory_id, None)
        return count


def _in_words(breaks: int) -> str:
    if not breaks:
        return "the chain holds; nothing was signed anew"
    return f"all memories are signed anew; {counted(breaks, 'break is', 'breaks are')} on record"

"""The keys that memories are signed with: HMAC-SHA256, or Ed25519 where `cryptography` is installed (Q-31, T-30).

They lie in one file that only its owner can read. Beside them lies the key of the digests in the chain.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...clock import Clock, format_time
from ...errors import StoreError
from ...setting_groups import SignatureAlgorithm
from ..storage.files import SIGNING_KEYS_FILE, read_object, write_atomically

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError:  # an optional extra
    HAS_ED25519 = False
else:
    HAS_ED25519 = True

_HMAC, _ED25519 = SignatureAlgorithm.HMAC.value, SignatureAlgorithm.ED25519.value
_KEY_BYTES, _SALT_BYTES = 32, 16

Key = dict[str, Any]


class KeyRing:
    """The keys of one memory folder; made when the first memory is signed."""

    def __init__(self, folder: Path, algorithm: SignatureAlgorithm, clock: Clock) -> None:
        self._path = folder / SIGNING_KEYS_FILE
        self._clock = clock
        self._algorithm = algorithm
        found = read_object(self._path) or {}
        keys, active = found.get("keys"), found.get("active")
        keys = keys if isinstance(keys, dict) else {}
        self._keys: dict[str, Key] = {name: key for name, key in keys.items() if isinstance(key, dict)}
        self._active: str | None = active if isinstance(active, str) and active in self._keys else None
        self._digests = _read_secret(found.get("digests"))

    @property
    def active(self) -> str | None:
        """The name of the key that signs, if one has been made."""
        return self._active

    def describe(self) -> dict[str, Any]:
        """Return what may be shown of the key that signs: never its secret."""
        key = self._keys.get(self._active or "", {})
        return {"key": self._active, **{one: key[one] for one in ("algorithm", "created", "public") if one in key}}

    def sign(self, data: bytes) -> Mapping[str, str]:
        """Return the signature of `data` with the active key; the first time a key is made."""
        name = self._active or self.renew()
        key = self._keys[name]
        return {"type": key["algorithm"], "key": name, "value": _signed(key, data)}

    def check(self, data: bytes, signature: Mapping[str, Any]) -> str | None:
        """Return what is wrong with a signature of `data`, or None."""
        if signature.keys() != {"type", "key", "value"}:
            return "does not have the keys of a signature"
        key = self._keys.get(str(signature["key"]))
        if key is None:
            return f"names the key {signature['key']!r}, which {self._path.name} does not hold"
        if signature["type"] != key.get("algorithm"):
            return f"is of the type {signature['type']!r}, and its key of {key.get('algorithm')!r}"
        return _fault(key, data, str(signature["value"]))

    def renew(self) -> str:
        """Make a new key, and forget what signed before; return its name."""
        algorithm = _choose(self._algorithm)
        self._active = secrets.token_hex(4)
        made = {"algorithm": algorithm, "created": format_time(self._clock()), **_new_key(algorithm)}
        self._keys = {self._active: made}
        self._save()
        return self._active

    def prepare(self) -> None:
        """Make the keys that are missing."""
        if self._active is None:
            self.renew()
        elif self._digests is None:
            self._save()

    def digest(self, data: bytes) -> str | None:
        """Return the digest of what is chained, under a key of its own; None where that is lost."""
        if self._digests is None:
            return None
        return f"{_HMAC}:{hmac.new(self._digests, data, sha256).hexdigest()}"

    def salt(self) -> str:
        """Return what nobody can guess."""
        return secrets.token_hex(_SALT_BYTES)

    def _save(self) -> None:
        self._digests = self._digests or secrets.token_bytes(_KEY_BYTES)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        rows = {"active": self._active, "digests": self._digests.hex(), "keys": self._keys}
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


def _new_key(algorithm: str) -> Key:
    secret = secrets.token_bytes(_KEY_BYTES)
    if algorithm == _HMAC:
        return {"secret": secret.hex()}
    public = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    return {"secret": secret.hex(), "public": public.hex()}


def _signed(key: Key, data: bytes) -> str:
    secret = bytes.fromhex(key["secret"])
    if key["algorithm"] == _HMAC:
        return hmac.new(secret, data, sha256).hexdigest()
    if not HAS_ED25519:
        raise StoreError(
            "memories are signed with ed25519 here, and `cryptography` is missing; allowed: both, or to sign anew"
        )
    signature: bytes = Ed25519PrivateKey.from_private_bytes(secret).sign(data)
    return signature.hex()


def _fault(key: Key, data: bytes, value: str) -> str | None:
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

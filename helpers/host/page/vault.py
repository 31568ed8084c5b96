"""The page of the vault: records, and changes of them through the gate that a terminal's writes pass too.

Secrets that somebody has written into the file by hand are masked. A record that has changed since it was shown is left
alone.
"""

from __future__ import annotations

from datetime import datetime

from ...clock import EPOCH, format_time
from ...privacy import mask
from ...service.arguments import ListRecords, PreviewVault, Question, ServiceError, ShowOne
from ...service.rows import Result
from ...texts import estimate_tokens
from ...vault.gate import Rejection, find_secret
from ...vault.reading import scopes_of
from ...vault.record import VaultRecord
from ...vault.taxonomy import CATEGORIES, MAX_TEXT_LENGTH, SHARED_SCOPE, STORED_TIERS
from ..session import Folder
from ..vault.vault_store import UnknownRecord, VaultChanged, VaultError, VaultStore, Written, configured_agents

#: How long a person waits until a record can be found by its meaning; else the next prompt mirrors it.
_MIRROR_SECONDS = 2.0
#: More than the gate permits, for records written into the file by hand.
_MOST_CHARACTERS, _MOST_OF_A_NAME = 10_000, 200
_GONE = "This record no longer exists."
_CHANGED = "This record has changed in the meantime; nothing was done. Reload it."


def list_records(folder: Folder, asked: ListRecords) -> Result:
    """Return one page of the records, the latest first, or with a query the best first. Blocking."""
    vault = _open(folder)
    contents = vault.file.read()
    scopes = [asked.scope] if asked.scope else None
    if asked.retired:
        words = asked.query.casefold().split()
        retired = (record for record in contents.latest if not record.is_active)
        records = [record for record in retired if all(map(record.text.casefold().count, words))]
    elif asked.query.strip():
        records = [hit.record for hit in vault.search(asked.query, scopes, limit=len(contents.active))]
    else:
        records = vault.list_active(scopes)
    if asked.retired or not asked.query.strip():
        records.sort(key=lambda record: (record.written_at, record.id), reverse=True)
    chosen = [
        record
        for record in records
        if asked.scope in ("", record.scope) and asked.tier in ("", None, record.tier.value)
    ]
    return {
        **asked.paging(len(chosen)),
        "rows": [to_row(record) for record in asked.cut(chosen)],
        "enabled": vault.settings.enabled,
        "active": len(contents.active),
        "most": vault.settings.max_active,
        "choices": {
            "scope": [SHARED_SCOPE, *sorted(vault.scopes - {SHARED_SCOPE})],
            "tier": [tier.value for tier in STORED_TIERS],
            "category": [*CATEGORIES],
        },
        "longest": MAX_TEXT_LENGTH,
    }


def show_record(folder: Folder, asked: ShowOne) -> Result:
    """Return one record with its versions, the latest first. Raises ServiceError where there is none. Blocking."""
    vault = _open(folder)
    record = vault.file.read().get(asked.id)
    if record is None:
        raise ServiceError(_GONE)
    older = [version for version in vault.file.versions(record.id) if version.version != record.version]
    is_shown = any(vault_record.id == record.id for vault_record in folder.vault.shown())
    return {
        "record": to_row(record),
        "versions": [to_row(version) for version in [*older, record]][::-1],
        "is_memory": is_shown and folder.store.read(record.id) is not None,
        "can": _allowed(record),
    }


def _allowed(record: VaultRecord) -> list[str]:
    if not record.is_active:
        return ["revert"]
    return ["update", "delete", "revert", *([] if record.is_canon else ["promote"])]


def preview_vault(folder: Folder, asked: PreviewVault) -> Result:
    """Return the snapshot of the vault in the next prompt of an agent. Blocking."""
    settings = folder.settings.vault
    recent = folder.recent.of_chat(asked.context).values()
    agent = next((recall.profile for recall in recent), "") if asked.agent is None else asked.agent
    scopes = scopes_of(settings.scopes, agent)
    snapshot = folder.vault.snapshot(settings, scopes)
    is_on = settings.enabled
    return {
        "agent": agent,
        "agents": sorted({*configured_agents(folder.store.folder), *settings.agents, agent} - {""}),
        "scopes": [*scopes],
        "text": snapshot.text if is_on else "",
        "left_out": [to_row(record) for record in snapshot.trimmed] if is_on else [],
        "tokens": estimate_tokens(snapshot.text) if is_on else 0,
        "most_tokens": settings.snapshot_tokens,
        "is_over": snapshot.is_over,
        "enabled": is_on,
    }


def write_record(folder: Folder, method: str, asked: Question) -> Result:
    """Write a record by a method of VaultStore, whose parameters are the fields of `asked`.

    Raises ServiceError where the gate refuses it, or the record has changed meanwhile.
    """
    given = asked.model_dump(by_alias=True, exclude={*Question.model_fields})
    try:
        written = getattr(_open(folder), method)(**given)
    except VaultChanged:
        raise ServiceError(_CHANGED) from None
    except UnknownRecord:
        raise ServiceError(_GONE) from None
    except VaultError as exc:
        raise ServiceError(str(exc)) from None
    if isinstance(written, Written):
        if written.record is None:
            raise ServiceError(refusal(written.rejection))
        written = written.record
    folder.vault.keep_mirror(_MIRROR_SECONDS)
    return {"record": to_row(written)}


def refusal(rejection: Rejection | None) -> str:
    """Return in words why the gate has refused a text, and what to do about it."""
    if rejection is None:
        return "Not stored."
    return f"Not stored ({rejection.gate}): {rejection.why}. {rejection.advice}."


def to_row(record: VaultRecord) -> Result:
    """Return a version of a record as a row; secrets are replaced by their kinds in brackets."""
    secret = find_secret(record)
    return {
        "id": record.id,
        "version": record.version,
        "text": mask(record.text)[:_MOST_CHARACTERS],
        "tier": record.tier.value,
        "scope": mask(record.scope)[:_MOST_OF_A_NAME],
        "category": mask(record.category)[:_MOST_OF_A_NAME],
        "topic": mask(record.topic_id or "")[:_MOST_OF_A_NAME],
        "tags": [mask(tag)[:_MOST_OF_A_NAME] for tag in record.tags],
        "source": record.source.value if record.source is not None else "",
        "created": _time(record.created_at),
        "date": _time(record.written_at),
        "is_retired": not record.is_active,
        "secret": f"{secret}; no prompt shows it" if secret is not None else "",
    }


def _time(moment: datetime) -> str:
    """Return a time as text; empty for a record written by hand without a time."""
    return "" if moment == EPOCH else format_time(moment)


def _open(folder: Folder) -> VaultStore:
    return folder.vault.open_for(folder.settings.vault, configured_agents(folder.store.folder), is_agent=False)

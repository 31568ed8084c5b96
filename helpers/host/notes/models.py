"""With which model the notes are embedded: the host's own, or one that the settings name (V-12, T-20)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import StoreError
from ...setting_groups import Notes
from ..docstore.minilm import HUB_NAME, load_model
from ..storage.files import read_hosts_object
from .builder import NotesModel

_EMBEDDING_FILE = "embedding.json"
_LOCAL = "huggingface"
_HUB_OWNER = "sentence-transformers"


def host_model_name(folder: Path) -> str | None:
    """Return the model that the host embeds a memory folder with, as `provider/name`; None where it says nothing."""
    found = read_hosts_object(folder / _EMBEDDING_FILE) or {}
    provider, name = found.get("model_provider"), found.get("model_name")
    return f"{provider}/{name}" if isinstance(provider, str) and isinstance(name, str) else None


def named_model(name: str) -> NotesModel:
    """Return a model of sentence-transformers; a name without an owner is one of their own."""
    full = name if "/" in name else f"{_HUB_OWNER}/{name}"
    return NotesModel(f"{_LOCAL}/{full}", lambda: load_model(full))


def model_of_host(folder: Path, settings: Notes, db: Any) -> NotesModel:
    """Return the model inside of a host: `db` is its FAISS object over the memory folder."""
    if settings.embedding_model is not None:
        return named_model(settings.embedding_model)
    embedder = db.embedding_function
    name = host_model_name(folder) or type(getattr(embedder, "underlying_embeddings", embedder)).__name__
    return NotesModel(name, lambda: embedder, int(db.index.d))


def model_at_terminal(folder: Path, settings: Notes) -> NotesModel:
    """Return the model of a command, which has no host: where it would make an index that the host cannot use, none.

    Raises StoreError then.
    """
    if settings.embedding_model is not None:
        return named_model(settings.embedding_model)
    model = named_model(HUB_NAME)
    used = host_model_name(folder)
    if used not in (None, model.name):
        raise StoreError(
            f"{folder}: Agent Zero embeds with {used}, which no command can; allowed: the setting "
            "notes.embedding_model, or to let Agent Zero index the notes at its next turn"
        )
    return model

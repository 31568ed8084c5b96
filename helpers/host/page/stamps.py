"""What tells that a memory is not any more what a person saw, so that nobody acts on what is gone. Pure."""

from __future__ import annotations

import json
from hashlib import blake2b

from ...records import Memory

_STATUS = {"superseded_by", "deprecated_at", "outdated_parts", "archived_at_cycle", "dormant_since_cycle"}


def stamp_of(memory: Memory) -> str:
    """Return a digest of the text and the status of a memory; how often it was shown does not count."""
    axes, lineage, quality = memory.classification, memory.lineage, memory.quality
    parts = (
        memory.text,
        None if axes is None else axes.model_dump(mode="json", exclude={"tags"}),
        None if lineage is None else lineage.model_dump(mode="json", include=_STATUS),
        None if quality is None else str(quality.deleted_at),
    )
    return blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=8).hexdigest()

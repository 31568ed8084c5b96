"""Knowledge files in the same index as memories (contract section 4, "Knowledge preload").

A changed file loses its documents and gets new ones: whatever a pack wrote into their metadata is gone.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from . import paths
from .generations import AREAS
from .langchain import Document

_FILE_TYPES = ("txt", "md", "json", "csv")
_INDEX = "knowledge_import.json"


async def preload(memory: Any, subdirs: list[str]) -> None:
    """Bring the store up to date with the knowledge folders; one document per file."""
    machine = memory.process.machine
    index_path = Path(paths.memory_folder(machine, memory.memory_subdir), _INDEX)
    index: dict[str, Any] = json.loads(index_path.read_text()) if index_path.exists() else {}
    found = _files(memory, subdirs)
    for path in [path for path in index if path not in found]:
        await memory.delete_documents_by_ids(index.pop(path)["ids"])
    for path, area in found.items():
        checksum = hashlib.md5(Path(path).read_bytes(), usedforsecurity=False).hexdigest()
        known = index.get(path, {"checksum": "", "ids": []})
        if known["checksum"] == checksum:
            continue
        if known["ids"]:
            await memory.delete_documents_by_ids(known["ids"])
        ids = await memory.insert_documents([_document(Path(path), area)])
        index[path] = {"file": path, "checksum": checksum, "ids": ids}
    whole = index_path.with_suffix(".new")  # what the host tears by itself is not the pack's to mend
    whole.write_text(json.dumps(index))
    whole.replace(index_path)


def _files(memory: Any, subdirs: list[str]) -> dict[str, Any]:
    """Return the area of every knowledge file: main at the root, else the folder's."""
    machine = memory.process.machine
    root_area = memory.Area.MAIN if machine.traits.root_knowledge_area_is_enum else "main"
    found: dict[str, Any] = {}
    for subdir in subdirs:
        folder = Path(paths.knowledge_folder(machine, subdir))
        found |= {str(path): root_area for path in sorted(folder.glob("*")) if _is_knowledge(path)}
        for area in AREAS:
            below = sorted((folder / area).rglob("*"))
            found |= {str(path): area for path in below if _is_knowledge(path)}
    return found


def _is_knowledge(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".") and path.suffix[1:] in _FILE_TYPES


def _document(path: Path, area: Any) -> Document:
    return Document(
        page_content=path.read_text(),
        metadata={
            "source": str(path),
            "area": area,
            "source_file": path.name,
            "source_path": str(path),
            "file_type": path.suffix[1:],
            "knowledge_source": True,
            "import_timestamp": None,
        },
    )

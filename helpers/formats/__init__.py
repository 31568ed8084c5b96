"""Files in which people have their memories: exports of chats and of other memories, tables, notes.

Pure. `read_memories` takes bytes for new memories; `write_memories` writes those of a folder for others.
"""

from .fields import SPEAKERS
from .kinds import NAMES, FileKind
from .new_memory import MARK_KEY, Fault, FileReading, NewMemory, name_memories
from .reading import read_memories
from .writing import ExportKind, is_written, write_memories

__all__ = [
    "MARK_KEY",
    "NAMES",
    "SPEAKERS",
    "ExportKind",
    "Fault",
    "FileKind",
    "FileReading",
    "NewMemory",
    "is_written",
    "name_memories",
    "read_memories",
    "write_memories",
]

"""Files in which people have their memories, read as new ones: exports of chats and of other memories, tables, notes.

Pure: bytes in, memories out. `read_memories` is the door.
"""

from .fields import SPEAKERS
from .kinds import NAMES, FileKind
from .new_memory import MARK_KEY, Fault, FileReading, NewMemory, name_memories
from .reading import read_memories

__all__ = [
    "MARK_KEY",
    "NAMES",
    "SPEAKERS",
    "Fault",
    "FileKind",
    "FileReading",
    "NewMemory",
    "name_memories",
    "read_memories",
]

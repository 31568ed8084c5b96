"""What `storage/inbox.py` says of a file that cannot be written."""

from .damage import unwritable as unwritable

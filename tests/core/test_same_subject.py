"""Whether two memories speak of one thing, by their claims alone: what may take the place of a deleted one (T-43)."""

from core_tools import memory
from memory_ledger.ledger.resolve import speak_of_the_same
from rows import every_row

#: Another subject, another slot, one of several values, no subject at all: nothing is linked.
APART = [
    ("User's dog is called Rex", "User's cat is called Rex"),
    ("The staging server listens on port 8080", "The production server listens on port 8080"),
    ("The API runs on port 8443", "The API uses TLS"),
    ("User likes tea", "User likes coffee"),
    ("The wiki runs Alpine", "Actually it is Debian"),
    ("Actually it is Debian", "Actually it is Alpine"),
    ("Blue jar on the shelf", "Red jar on the shelf"),
    ("", ""),
]
SAME = [
    ("User's project uses Python 3.9", "User's project uses Python 3.11 and uv"),
    ("User's preferred editor is VS Code", "User's preferred editor is Neovim (previously VS Code)"),
    ("The staging server listens on port 8080", "Staging server port: 9090"),
    ("The meeting with Anna is on Friday", "The meeting with Anna was moved to Monday"),
    ("User's dog is called Rex", "User's dog is called Rex"),
    ("User's dog is called Rex", "User's dog is called Rex and is a labrador"),
    ("User is vegetarian", "User is vegan"),
]


@every_row([*((*pair, False) for pair in APART), *((*pair, True) for pair in SAME)])
def test_one_subject(older: str, newer: str, expected: bool) -> None:
    """T-43, C-39: as in a comparison, in either order; where no subject is read, nothing is the same."""
    texts = [memory("a", text=older), memory("b", text=newer)]
    assert speak_of_the_same(*texts) is expected
    assert speak_of_the_same(*reversed(texts)) is expected

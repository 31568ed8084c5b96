"""Words that say no more than the type of a value beside which they stand (C-39, C-43).

"The backend framework is Django" and "the backend is built with Django", "listens on port 80" and "port: 80" differ in
words that the value says already; beside another value the same words count.
"""

from __future__ import annotations

from typing import Final

from .tables import read_table

#: Dimension -> stem -> the word that stands for it beside such a value; empty: the value says as much.
CONCEPTS: Final[dict[str, dict[str, str]]] = {
    dimension: {stem: "" if word == "nothing" else word for word, stems in rows.items() for stem in stems.split()}
    for dimension, rows in read_table(__file__, "concepts").items()
}

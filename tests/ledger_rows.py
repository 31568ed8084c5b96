"""The journal (`event`), the conflicts and the requests in `ledger.db`, as they are written."""

import json
import sqlite3
import threading
import time
from contextlib import closing


def rows_of(folder, table):
    """Return the rows of a table, each of which is a JSON object; none without a database."""
    while any(thread.name == "memory-ledger-database" for thread in threading.enumerate()):
        time.sleep(0.001)  # a host does not wait for it
    if not (folder / "ledger.db").exists():
        return []
    with closing(sqlite3.connect(folder / "ledger.db")) as db:
        return [json.loads(line) for (line,) in db.execute(f"SELECT line FROM {table} ORDER BY number")]


def add_row(folder, table, row):
    """Add a row, as another version of the pack may have written it."""
    with closing(sqlite3.connect(folder / "ledger.db")) as db, db:
        db.execute(f"INSERT INTO {table} (line) VALUES (?)", (json.dumps(row),))

"""Memories and the conversations that they came from, read by somebody who tried to break the rules (T-03).

`THE_USERS` and `NOT_THE_USERS` are (group, memory, what was said, oldest first: `U:` the person, `A:` the agent, `T:` a
tool); of the second nothing may become the person's word. `OTHER_MATTERS` are (memory, how the user told it, newer
memory, how the user told that): nothing goes.
"""

from pathlib import Path

from rows import read_rows

_CASES = Path(__file__).with_name("cases")

THE_USERS = read_rows(_CASES / "the_users.jsonl")
NOT_THE_USERS = read_rows(_CASES / "not_the_users.jsonl")
OTHER_MATTERS = read_rows(_CASES / "other_matters.jsonl")

"""`rules`: what the user wants always or never, and which of it a person has taken out of the prompts."""

from __future__ import annotations

import click

from ..inbox import SwitchRule, rules_left_out
from ..recall.eligibility import find_rules
from ..store.docstore_file import read_documents, read_memories
from ..store.requests import Inbox
from .declaring import DONE, Options, declare, only_one
from .options import DRY_RUN, LISTING
from .orders import order
from .output import ID, TEXT, Column, show_rows
from .showing import find_id


def _run_rules(options: Options) -> int:
    only_one({"--leave-out": options.leave_out, "--put-in": options.put_in}, is_required=False)
    if asked := options.leave_out or options.put_in:
        one, is_on = find_id(options.folder, read_documents(options.folder)[0], asked), options.leave_out is None
        what = f"{one} {{}} be {'put into' if is_on else 'left out of'} the standing rules"
        return order(options, SwitchRule(memories=(one,), is_on=is_on), what)
    left_out, rules = rules_left_out(Inbox(options.folder).read()), find_rules(read_memories(options.folder))
    rows = [{"id": rule.id, "text": rule.text, "shown": rule.id not in left_out} for rule in rules]
    show_rows(options, rows, (ID, TEXT, Column("in prompts", lambda row: "yes" if row["shown"] else "left out")))
    return DONE


COMMANDS = (
    declare(
        "rules",
        _run_rules,
        click.Option(
            ["--leave-out"], metavar="MEMORY", help="leave this rule out of every prompt; it is still recalled"
        ),
        click.Option(["--put-in"], metavar="MEMORY", help="put this rule into every prompt again"),
        *LISTING,
        DRY_RUN,
        examples=("memory-ledger rules", "memory-ledger rules --leave-out b2Xj"),
    ),
)

"""`demo`: what the pack does, without a store or a model."""

from __future__ import annotations

import sys

import click

from .declaring import DONE, PROBLEMS, Options, declare
from .options import PATH
from .streams import unguarded


def _run_demo(options: Options) -> int:
    from ..demo.command import run_demo

    return DONE if run_demo(unguarded(sys.stdout), options.folder) else PROBLEMS


_KEPT = click.Option(
    ["--folder"], type=PATH, metavar="DIR", help="keep the memory folder of the conversation in this new folder"
)
COMMANDS = (declare("demo", _run_demo, _KEPT, examples=("memory-ledger demo",)),)

"""Install Memory Ledger into an Agent Zero folder, and uninstall it; standard library only, Python 3.9 and newer.

`layout` recognises the folder, `pack` lists the files to copy, `plan` decides (and writes nothing), `change` carries a
plan out as a whole or not at all, `record` keeps what was installed, `doctor` checks the result, `store` runs the
pack's own code over the memories, and `commands` reports to a person. No module here imports Agent Zero or the pack's
`helpers`.
"""

from .change import apply, pending, undo
from .commands import detach, install, run, say_changed, uninstall
from .doctor import diagnose, status
from .layout import PACK, Host, InstallError, find_host
from .pack import Pack, read_pack, shim_text
from .plan import Plan, plan_install, plan_uninstall
from .record import Record, read_record

__all__ = [
    "PACK",
    "Host",
    "InstallError",
    "Pack",
    "Plan",
    "Record",
    "apply",
    "detach",
    "diagnose",
    "find_host",
    "install",
    "pending",
    "plan_install",
    "plan_uninstall",
    "read_pack",
    "read_record",
    "run",
    "say_changed",
    "shim_text",
    "status",
    "undo",
    "uninstall",
]

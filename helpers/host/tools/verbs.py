"""The verbs of the agent's tool, with the arguments and the function of each, as `verbs.toml` declares them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any, Final

from ...errors import shorten
from ...language.tables import read_table
from ...texts import neutralize
from ..host_agent import HostAgent
from ..session import open_session
from ..upkeep import adopt_what_is_new

Arguments = Mapping[str, Any]

_OFF = "Memory Ledger is switched off (enabled: false); nothing was read or changed."
#: All arguments, of which a function picks its own.
_ALL: Final = "*"
VERBS: Final[Mapping[str, Mapping[str, Any]]] = read_table(__file__, "verbs")


async def answer(agent: HostAgent, verb: object, arguments: Arguments) -> str:
    """Return the answer to a verb; an unknown one gets the list of the verbs."""
    row = VERBS.get(verb) if isinstance(verb, str) else None
    if row is None:
        return neutralize(f"verb is {shorten(verb) if verb else 'missing'}; allowed: {', '.join(VERBS)}")
    session = await open_session(agent)
    if session is None:
        return _OFF
    await adopt_what_is_new(session)
    module, name = row["run"].split(":")
    run: Callable[..., Awaitable[str]] = getattr(import_module(f".{module}", __package__), name)
    takes = row.get("takes", ())
    return await run(session, *([arguments] if takes == _ALL else (arguments.get(name, "") for name in takes)))

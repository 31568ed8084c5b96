"""Texts of small extensions for the tests of the model itself."""

from .host import FakeHost

_HOOK = """\
from {helpers}.extension import Extension
{above}

class {name}(Extension):
    {kind}def execute(self, **kwargs):
        seen = self.agent.context.data.setdefault("seen", [])
        {body}
"""


def hook(host: FakeHost, body: str, *, name: str = "Probe", is_async: bool = True, above: str = "") -> str:
    """Return the text of an extension file; `seen` in its body is a list of the chat, see `seen`."""
    return _HOOK.format(
        helpers=host.machine.traits.helpers,
        above=above,
        name=name,
        kind="async " if is_async else "",
        body=body.replace("\n", "\n        "),
    )


def seen(host: FakeHost) -> list[object]:
    """Return what the probes of the first chat noted."""
    return host.agent.context.data.get("seen", [])

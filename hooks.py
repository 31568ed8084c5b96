"""The hooks that Agent Zero calls when the pack is installed, updated or removed on its Plugins page.

Loaded by path and outside any package, so `install.py` is loaded by its path beside this file. Agent Zero has the
pack's files in place by then, and deletes them itself after `uninstall`: here only the record, and what lies outside
the pack's folder, is written and removed. Nothing raises into the host: each hook returns its report.
"""

import importlib.util
import logging
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

_log = logging.getLogger(__name__)
_HERE = Path(__file__).resolve().parent


def install() -> str:
    """Record what was installed; after an update, record it anew."""
    return _in_words(lambda installer, say: installer.install(_root(), _HERE, say))


def uninstall() -> str:
    """Undo `install`; the memories and the user's files stay, but for the links between memories."""
    return "\n".join([_unlink(), _in_words(lambda installer, say: installer.detach(_root(), say))])


def pre_update() -> str:
    """Name the files changed by hand, because the git update that follows refuses to write over them."""
    return _in_words(lambda installer, say: installer.say_changed(_root(), say))


def _unlink() -> str:
    """Keep Agent Zero's deletes from following the pack's links once nothing guards them any more."""
    try:
        from usr.plugins.memory_ledger.helpers.host.installation import unlink_all

        return "\n".join(unlink_all())
    except Exception as exc:  # noqa: BLE001 - see `_in_words`
        _log.exception("Memory Ledger: the memories could not be unlinked")
        return f"warn  the memories stay linked ({type(exc).__name__}: {exc}); delete outdated ones with care"


def _in_words(work: Callable[[ModuleType, Callable[[str], None]], int]) -> str:
    """Run `work`; return, and log if there were problems, what it said."""
    lines: list[str] = []
    try:
        problems = work(_load_installer(), lines.append)
    except Exception as exc:  # noqa: BLE001 - whatever it is, it would end the host's own install or removal
        _log.exception("Memory Ledger: the plugin hook failed")
        return "\n".join([*lines, f"fail  {type(exc).__name__}: {exc}"])
    if problems:
        _log.warning("Memory Ledger: %s", "; ".join(lines))
    return "\n".join(lines)


def _root() -> Path:
    """Return the Agent Zero folder around usr/plugins/memory_ledger; its usr folder alone will do."""
    return Path(__file__).absolute().parents[3]


def _load_installer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("memory_ledger_install", _HERE / "install.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{_HERE / 'install.py'}: cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    installer: ModuleType = module.load_installer()
    return installer

"""The commands install, uninstall, status and doctor: each reports through `say` and returns an exit code."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path

from .change import apply, pending, undo
from .doctor import CHANGED, FAIL, OK, Finding, collisions, diagnose, host_settings, status
from .layout import PACK, PLUGINS, TITLES, Host, InstallError, counted, find_host
from .pack import Pack, read_pack
from .plan import Plan, left_behind, plan_install, plan_uninstall
from .store import data_files, stores, strip, strip_command

Say = Callable[[str], None]
_KEYS = "The ledger's own keys (classification, lineage, quality, ledger)"
_VERBS = ("install", "uninstall", "status", "doctor")


def run(argv: Sequence[str] | None, *, source: Path, say: Say) -> int:
    """Parse `argv`, carry out the verb; 0 done, 1 problems found, 2 misuse."""
    try:
        arguments = _parse(argv, source)
    except SystemExit as exc:  # argparse has said why
        return 2 if exc.code else 0
    folder = Path(arguments.folder)
    try:
        if arguments.verb == "install":
            return install(folder, source, say, dry_run=arguments.dry_run)
        if arguments.verb == "uninstall":
            return uninstall(folder, say, dry_run=arguments.dry_run, strip_metadata=arguments.strip_metadata)
        return _report(status(find_host(folder)) if arguments.verb == "status" else diagnose(find_host(folder)), say)
    except InstallError as exc:
        say(f"fail  {exc}")
    except BrokenPipeError:
        raise  # nobody listens any more
    except OSError as exc:
        say(f"fail  {exc.filename or folder}: {exc.strerror or exc}")
    return 1


def _parse(argv: Sequence[str] | None, source: Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="install.py",
        description="Install Memory Ledger into an Agent Zero folder, uninstall it, check that its files are as "
        "installed (status), or look for anything that keeps it from working (doctor).",
        epilog="Exit code: 0 done, 1 problems found, 2 wrong arguments. A0_PYTHON names Agent Zero's Python.",
    )
    parser.add_argument("verb", nargs="?", help="install (default), uninstall, status or doctor")
    parser.add_argument("folder", metavar="AGENT_ZERO_FOLDER", nargs="?", help="holds agent.py; in a container: /a0")
    parser.add_argument("--dry-run", action="store_true", help="show what would be done, without doing it")
    parser.add_argument(
        "--strip-metadata", action="store_true", help="uninstall: also remove the ledger's metadata from every memory"
    )
    arguments = parser.parse_intermixed_args(argv)
    words = [word for word in (arguments.verb, arguments.folder) if word is not None]
    try:
        arguments.verb, arguments.folder = _parse_words(words)
    except ValueError as exc:
        parser.error(str(exc))
    if arguments.strip_metadata and arguments.verb != "uninstall":
        parser.error("--strip-metadata works only with uninstall")
    if arguments.folder is None:
        arguments.folder = _folder_around(source) or parser.error("AGENT_ZERO_FOLDER is missing")
    return arguments


def _parse_words(words: Sequence[str]) -> tuple[str, str | None]:
    """Return the verb and the folder of at most two words, in either order; raises ValueError if neither is a verb."""
    verb = next((word for word in words if word in _VERBS), None)
    if verb is not None:
        rest = [*words]
        rest.remove(verb)
        return verb, rest[0] if rest else None
    no_folders = [word for word in words if not Path(word).expanduser().exists()]
    for word in no_folders:
        near = get_close_matches(word, _VERBS, n=1)
        if near:
            raise ValueError(f"verb is {word!r}; did you mean {near[0]}?")
    if len(words) > 1:
        raise ValueError(f"verb is {[*no_folders, *words][0]!r}; allowed: {', '.join(_VERBS)}")
    return "install", words[0] if words else None


def _folder_around(source: Path) -> str | None:
    """Return the Agent Zero folder around an installed copy, whose own install.py needs no argument; None elsewhere."""
    return str(source.parents[2]) if source.as_posix().endswith("/" + PACK) else None


def install(folder: Path, source: Path, say: Say, *, dry_run: bool = False) -> int:
    """Bring the pack in `source` into the Agent Zero in `folder`. Raises InstallError if nothing can be done."""
    host = find_host(folder)
    if not _clear_journal(host, say, dry_run):
        return 0
    pack = read_pack(source)
    plan = plan_install(pack, host)
    say(f"Agent Zero in {host.folder}: {TITLES[host.layout]}; release {host.release()}")
    if plan.problems:
        return _report([Finding(FAIL, problem) for problem in plan.problems], say, "nothing was changed")
    _say_plan(plan, say, dry_run)
    if not dry_run:
        apply(host, plan)
    _say_installed(plan, pack, say, dry_run)
    advice = [*collisions(host, pack.hooks), *host_settings(host)]
    _report([finding for finding in advice if finding.level != OK], say)
    if not dry_run and not plan.changes_nothing:
        command = shlex.join(["python3", str(source / "install.py"), "doctor", str(host.folder)])
        say(f"Restart Agent Zero, then check the installation: {command}")
    return 0


def uninstall(folder: Path, say: Say, *, dry_run: bool = False, strip_metadata: bool = False) -> int:
    """Remove what the record names; with `strip_metadata` first take the ledger's metadata out of every memory."""
    host = find_host(folder)
    if not _clear_journal(host, say, dry_run):
        return 0
    plan = plan_uninstall(host)
    say(f"Agent Zero in {host.folder}: {TITLES[host.layout]}")
    if plan.problems:
        return _report([Finding(FAIL, problem) for problem in plan.problems], say, "nothing was changed")
    if plan.changes_nothing:
        _say_plan(plan, say, dry_run)
        say("Memory Ledger is not installed here; nothing to remove")
        return 0
    _strip(host, say, dry_run, strip_metadata)
    left = left_behind(host, plan)
    _say_plan(plan, say, dry_run)
    if not dry_run:
        apply(host, plan)
    say(f"{'would remove' if dry_run else 'removed'}: {counted(len(plan.removals), 'file')} and the record")
    return _say_left(host, plan, left, say, strip_metadata)


def detach(folder: Path, say: Say) -> int:
    """Undo what an installation did outside the pack's folder, which the host itself is about to delete."""
    host = find_host(folder)
    undo(host)
    plan = plan_uninstall(host, pack_too=False)
    if plan.old is None:
        say("ok    there is no record of an installation; nothing to undo")
        return 0
    apply(host, plan)
    for place in plan.removals:
        say(f"removed {place}")
    say(f"{_KEYS} stay in the memories, and the ledger's data files beside them")
    return 0


def say_changed(folder: Path, say: Say) -> int:
    """Name the files of the pack that were changed by hand; 1 if there are any."""
    changed = [finding for finding in status(find_host(folder)) if finding.text.endswith(CHANGED)]
    _report(changed, say)
    return 1 if changed else 0


def _clear_journal(host: Host, say: Say, dry_run: bool) -> bool:
    """Undo a change that was cut short; False where a dry run can only say that it would."""
    steps = pending(host)
    if not steps:
        return True
    say(f"warn  {host.folder}: an earlier change was cut short; " + ("to be undone first:" if dry_run else "undone:"))
    for step in steps:
        say("      " + (step if dry_run else step.replace("would ", "", 1)))
    if dry_run:
        say("      what follows from there can be told when this is done")
        return False
    return undo(host)


def _strip(host: Host, say: Say, dry_run: bool, strip_metadata: bool) -> None:
    """Take our metadata, or else only the pointers between memories, out of the stores (T-61).

    Only the former stops the removal when it fails: it was asked for.
    """
    if dry_run:
        for folder in stores(host):
            say("would run: " + " ".join(strip_command(folder, pointers_only=not strip_metadata)))
    elif strip_metadata:
        strip(host, say)
    else:
        try:
            strip(host, say, pointers_only=True)
        except InstallError as exc:
            say(f"warn  {exc}")
            say("      so memories still name each other's ids: Agent Zero v1.14 and later, told to delete one, also")
            say("      deletes those that name it; `install` and then `uninstall --strip-metadata` would clear that")


def _say_plan(plan: Plan, say: Say, dry_run: bool) -> None:
    would = "would " if dry_run else ""
    if dry_run:
        for place in plan.writes:
            say(f"would write {place}")
        for place in plan.removals:
            say(f"would remove {place}")
    for place, kept in plan.kept.items():
        say(f"warn  {place}: was changed by hand; {would}keep it as {kept}")
    for note in plan.notes:
        say(f"warn  {note}")


def _say_installed(plan: Plan, pack: Pack, say: Say, dry_run: bool) -> None:
    version = f"Memory Ledger {pack.version}"
    if plan.changes_nothing:
        say(f"ok    {version} is installed; nothing to change")
        return
    earlier = f" over {plan.old.version}" if plan.old and plan.old.version != pack.version else ""
    shims = [place for place in plan.writes if not place.startswith(PACK + "/")]
    counts = f"{counted(len(plan.writes), 'file')} written, {len(plan.removals)} removed, in {PACK}"
    say(f"{'would install' if dry_run else 'ok    installed'} {version}{earlier}: {counts}")
    for place in shims:
        say(f"      {place} hands over to the pack")


def _say_left(host: Host, plan: Plan, left: list[str], say: Say, strip_metadata: bool) -> int:
    """Name what stays; 1 if the pack itself does, because it was not install.py that put it there."""
    data = data_files(host)
    if not strip_metadata and stores(host):
        say(f"{_KEYS} stay in the memories; `uninstall --strip-metadata` would have removed them")
    for place in data:
        say(f"left  {place}")
    if plan.old and not plan.old.is_copy and (host.path(PACK) / "plugin.yaml").is_file():
        how = "remove it in Agent Zero's Plugins page" if host.layout == PLUGINS else "delete the folder"
        say(f"fail  {PACK}: still there, because not install.py put it there but the Plugin Hub, git or a link; {how}")
        return 1
    for place in left:
        say(f"left  {place}")
    return 0


def _report(findings: Sequence[Finding], say: Say, end: str = "") -> int:
    for finding in findings:
        say(str(finding))
    if end:
        say(end)
    return 1 if any(finding.level == FAIL for finding in findings) else 0

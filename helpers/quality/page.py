"""The quality report as one page that needs nothing else: no script, no style sheet, no network (Q-54, Q-71). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from .advice import Advice, Step, percent
from .report import Charts

_TITLES = {
    "age": ("Age in days", "How many memories were written so many days ago."),
    "staleness": (
        "Staleness",
        "How far memories are from being fresh, in per cent. A memory grows stale with its age, while nobody recalls "
        "it, and when another one replaces it. A true memory that nobody asks for grows stale as well, so a high value "
        "is a reason to look, not an error.",
    ),
    "score": ("Quality", "How many memories have which quality, in per cent; 100 is best."),
    "source": ("Source", "How many memories were told, experienced by the agent, or inferred by it."),
    "conflicts": ("Conflicts by month", "When contradictions between memories were found, including settled ones."),
}
_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:44rem;padding:0 1rem;color:#1c2733;"
    "background:#fff;overflow-wrap:anywhere}h1{font-size:1.6rem;margin-bottom:0}"
    "h2{font-size:1.15rem;margin:2.2rem 0 0}.note,dt{color:#4d5d6d}.note{margin:0 0 .6rem;font-size:.9rem}"
    "dl{display:grid;grid-template-columns:fit-content(60%) 1fr;gap:.2rem 1.5rem}dd{margin:0;font-weight:600}"
    "code{display:inline-block;background:#eef2f5;border-radius:3px;padding:0 .25em}"
    "ul{padding-left:1.2rem}li{margin:.4rem 0}li p{margin:0}"
    "table{border-collapse:collapse;width:100%;font-size:.85rem}td,th{padding:.1rem 0}"
    "th{font-weight:400;text-align:left;white-space:nowrap;padding-right:.6rem;width:1%}td.bar{width:98%}"
    "td.bar div{background:#2f6f9f;height:.9rem;min-width:2px}td.bar .none{background:none}"
    "td.count{text-align:right;white-space:nowrap;padding-left:.6rem;width:1%;font-variant-numeric:tabular-nums}"
    "@media(prefers-color-scheme:dark){body{background:#14191f;color:#dde5ec}.note,dt{color:#9fb0c0}"
    "code{background:#232c36}td.bar div{background:#6fb1de}}"
)


def render_page(
    report: Mapping[str, Any],
    charts: Charts,
    advice: Sequence[Advice] = (),
    *,
    unrecalled: int = 0,
    where: str,
    at: str,
) -> str:
    """Return the page; each chart is a table of the numbers, with a bar in each row."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        "<title>Memory Ledger: quality report</title>",
        f"<style>{_STYLE}</style></head><body><main>",
        "<h1>Quality report</h1>",
        f'<p class="note">{escape(where)}, {escape(at)}</p>',
        _figures(report),
        _advice(advice),
        *(_chart(name, getattr(charts, name), unrecalled) for name in _TITLES),
        "</main></body></html>",
    ]
    return "\n".join(parts) + "\n"


def figures_told(report: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the key, the name and the value of each figure, as a person reads them."""
    return [
        ("totalMemories", "Memories", f"{report['totalMemories']:,}"),
        *((f"byType.{kind}", f"of type {kind}", f"{count:,}") for kind, count in report["byType"].items()),
        ("averageQuality", "Average quality", percent(report["averageQuality"])),
        ("averageStaleness", "Average staleness", percent(report["averageStaleness"])),
        ("unresolvedConflicts", "Unresolved conflicts", f"{report['unresolvedConflicts']:,}"),
        ("validationErrorRate", "With validation errors", percent(report["validationErrorRate"])),
    ]


def unrecalled_told(count: int) -> str:
    """Return what is to be said of memories that are old and not recalled, and no less true for it."""
    if count == 1:
        return (
            "1 old memory has not been recalled for a while; you said or confirmed it, so it does not count as stale."
        )
    return (
        f"{count:,} old memories have not been recalled for a while; you said or confirmed them, so they do not count "
        "as stale."
    )


def _figures(report: Mapping[str, Any]) -> str:
    shown = (
        f'<dt>{escape(name)}</dt><dd id="{escape(key)}">{escape(value)}</dd>'
        for key, name, value in figures_told(report)
    )
    return f"<dl>{''.join(shown)}</dl>"


def _advice(found: Sequence[Advice]) -> str:
    if not found:
        return "<h2>Recommendations</h2><p>None.</p>"
    items = "".join(f"<li><p>{escape(one.told)}</p><ul>{''.join(map(_step, one.steps))}</ul></li>" for one in found)
    return f'<h2>Recommendations</h2><ul id="recommendations">{items}</ul>'


def _step(step: Step) -> str:
    about = f"<q>{escape(step.about)}</q>" if step.is_quoted else f"{escape(step.about)}:"
    return f"<li>{about} <code>{escape(step.command)}</code></li>"


def _chart(name: str, counts: Mapping[str, int], unrecalled: int) -> str:
    title, note = map(escape, _TITLES[name])
    more = f" {escape(unrecalled_told(unrecalled))}" if name == "staleness" and unrecalled else ""
    head = f'<h2 id="title-{name}">{title}</h2><p class="note">{note}{more}</p>'
    if not any(counts.values()):
        return f'{head}<p id="chart-{name}">Nothing to show.</p>'
    most = max(counts.values())
    rows = "".join(
        f'<tr><th scope="row">{escape(label)}</th><td class="bar">{_bar(count, most)}</td>'
        f'<td class="count">{count:,}</td></tr>'
        for label, count in counts.items()
    )
    return f'{head}<table id="chart-{name}" aria-labelledby="title-{name}">{rows}</table>'


def _bar(count: int, most: int) -> str:
    none = "" if count else ' class="none"'
    return f'<div{none} data-count="{count}" style="width:{100 * count / most:.1f}%"></div>'

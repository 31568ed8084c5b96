"""The quality report as one page that needs nothing else: no script, no style sheet, no network (Q-54, Q-71). Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from ..patterns import regex
from .report import Charts

_WIDTH, _HEIGHT, _GAP, _TOP, _FOOT = 640, 180, 4, 18, 24
_WIDEST = 72.0
_NUMBERED = 12
#: So wide is a character of a label at most.
_CHARACTER = 6.6
_MOST_DIGITS = 100_000
_TITLES = {
    "age": ("Age in days", "How many memories were written so many days ago."),
    "staleness": (
        "Staleness",
        "How far memories are out of date: 0 is fresh, 1 out of date; a bar is a tenth.",
    ),
    "score": ("Quality score", "How many memories have which score: 1 is best; a bar is a tenth."),
    "source": ("Source", "How many memories were told, experienced by the agent, or inferred by it."),
    "conflicts": ("Conflicts by month", "How many contradictions between memories were found when, settled ones too."),
}
_NAMES = {
    "totalMemories": "Memories",
    "averageQuality": "Average quality (1 is best)",
    "averageStaleness": "Average staleness (0 is fresh)",
    "unresolvedConflicts": "Unresolved conflicts",
    "validationErrorRate": "Share with validation errors",
}
_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:44rem;padding:0 1rem;color:#1c2733;"
    "background:#fff;overflow-wrap:anywhere}h1{font-size:1.6rem;margin-bottom:0}"
    "h2{font-size:1.15rem;margin:2.2rem 0 0}.note,dt,summary{color:#5a6b7b}.note{margin:0 0 .6rem;font-size:.9rem}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.5rem}dd{margin:0;font-weight:600}"
    "code{background:#eef2f5;border-radius:3px;padding:0 .25em}.chart{overflow-x:auto}"
    "svg{width:100%;min-width:30rem;height:auto;display:block}rect{fill:#2f6f9f}line{stroke:#9fb0c0}"
    "text{font-size:12px;fill:#445566;text-anchor:middle}summary{cursor:pointer;font-size:.9rem}"
    "table{border-collapse:collapse;font-size:.85rem}th,td{text-align:left;padding:.1rem 1.5rem .1rem 0}"
    "td{text-align:right;font-variant-numeric:tabular-nums}th{font-weight:400}"
    "@media(prefers-color-scheme:dark){body{background:#14191f;color:#dde5ec}.note,dt,summary{color:#9fb0c0}"
    "code{background:#232c36}text{fill:#b6c4d1}rect{fill:#6fb1de}line{stroke:#4a5866}}"
)


def render_page(report: Mapping[str, Any], charts: Charts, *, where: str, at: str) -> str:
    """Return the page; each chart stands beside a table with the same numbers, for whoever cannot see it."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        "<title>Memory Ledger: quality report</title>",
        f"<style>{_STYLE}</style></head><body>",
        "<h1>Quality report</h1>",
        f'<p class="note">{escape(where)}, {escape(at)}</p>',
        _figures(report),
        _recommendations(report["recommendations"]),
        *(_chart(name, getattr(charts, name)) for name in _TITLES),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _figures(report: Mapping[str, Any]) -> str:
    rows = [(key, name, report[key]) for key, name in _NAMES.items()]
    rows += [(f"byType.{kind}", f"of them: {kind}", count) for kind, count in report["byType"].items()]
    shown = (f'<dt>{escape(name)}</dt><dd id="{escape(key)}">{escape(str(value))}</dd>' for key, name, value in rows)
    return f"<dl>{''.join(shown)}</dl>"


def _recommendations(found: Sequence[str]) -> str:
    if not found:
        return "<h2>Recommendations</h2><p>None.</p>"
    items = "".join(f"<li>{_COMMAND.sub(_MARKED, escape(one))}</li>" for one in found)
    return f'<h2>Recommendations</h2><ul id="recommendations">{items}</ul>'


_COMMAND, _MARKED = regex(r"`([^`]+)`"), r"<code>\1</code>"


def _chart(name: str, counts: Mapping[str, int]) -> str:
    title, note = map(escape, _TITLES[name])
    head = f'<h2>{title}</h2><p class="note">{note}</p>'
    if not any(counts.values()):
        return f'{head}<p id="chart-{name}">Nothing to show.</p>'
    rows = "".join(f"<tr><th>{escape(label)}</th><td>{count:,}</td></tr>" for label, count in counts.items())
    described = ", ".join(f"{label}: {count}" for label, count in counts.items())
    floor = _TOP + _HEIGHT
    return (
        f'{head}<div class="chart"><svg id="chart-{name}" viewBox="0 0 {_WIDTH} {floor + _FOOT}" role="img" '
        f'aria-label="{title}: {escape(described)}">{"".join(_bars(list(counts.items())))}'
        f'<line x1="0" y1="{floor}" x2="{_WIDTH}" y2="{floor}"/></svg></div>'
        f'<details><summary>Numbers</summary><table id="table-{name}">{rows}</table></details>'
    )


def _bars(counts: Sequence[tuple[str, int]]) -> Iterable[str]:
    """Draw a bar for each count, over its label; of many bars some are labelled, and the highest alone is numbered."""
    most = max(count for _, count in counts)
    step = min(_WIDTH / len(counts), _WIDEST + _GAP)
    width = max(1.0, step - _GAP)
    longest = max(len(label) for label, _ in counts) * _CHARACTER + 2 * _GAP
    shown_every = math.ceil(longest / step)
    highest = next(number for number, (_, count) in enumerate(counts) if count == most)
    for number, (label, count) in enumerate(counts):
        height = _HEIGHT * count / most
        x, y = number * step, _TOP + _HEIGHT - height
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'data-count="{count}"><title>{escape(label)}: {count:,}</title></rect>'
        )
        middle = min(max(x + width / 2, _GAP * 6), _WIDTH - _GAP * 6)
        if number % shown_every == 0:
            yield f'<text x="{middle:.1f}" y="{_TOP + _HEIGHT + 17}">{escape(label)}</text>'
        if count and (len(counts) <= _NUMBERED or number == highest):
            yield f'<text x="{middle:.1f}" y="{y - 4:.1f}">{_short(count)}</text>'


def _short(count: int) -> str:
    return f"{count:,}" if count < _MOST_DIGITS else f"{count / 1_000:,.0f}k"

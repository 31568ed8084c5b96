"""The quality report as one page that needs nothing else: no script, no style sheet, no network (Q-54, Q-71). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from .report import Charts

_WIDTH, _HEIGHT, _GAP = 640, 180, 4
_LABELS = 12
_TITLES = {
    "age": "Age in days",
    "staleness": "Staleness",
    "score": "Quality score",
    "source": "Source",
    "conflicts": "Conflicts found, by month",
}
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:44rem;padding:0 1rem;color:#1c2733;"
    "background:#fff}h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}dl{display:grid;"
    "grid-template-columns:max-content 1fr;gap:.2rem 1.5rem}dt{color:#5a6b7b}dd{margin:0;font-weight:600}"
    "svg{width:100%;height:auto}rect{fill:#2f6f9f}text{font-size:12px;fill:#445566}"
    "table{border-collapse:collapse;font-size:.85rem}th,td{text-align:left;padding:.1rem 1.5rem .1rem 0}"
    "@media(prefers-color-scheme:dark){body{background:#14191f;color:#dde5ec}dt,text{color:#9fb0c0;fill:#9fb0c0}"
    "rect{fill:#6fb1de}}"
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
        f"<p>{escape(where)}, {escape(at)}</p>",
        _figures(report),
        _recommendations(report["recommendations"]),
        *(_chart(name, getattr(charts, name)) for name in _TITLES),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _figures(report: Mapping[str, Any]) -> str:
    rows = [(key, value) for key, value in report.items() if key not in ("byType", "recommendations")]
    rows += [(f"byType.{kind}", count) for kind, count in report["byType"].items()]
    shown = "".join(f'<dt>{escape(key)}</dt><dd id="{escape(key)}">{escape(str(value))}</dd>' for key, value in rows)
    return f"<dl>{shown}</dl>"


def _recommendations(found: Sequence[str]) -> str:
    if not found:
        return "<h2>Recommendations</h2><p>None.</p>"
    items = "".join(f"<li>{escape(one)}</li>" for one in found)
    return f'<h2>Recommendations</h2><ul id="recommendations">{items}</ul>'


def _chart(name: str, counts: Mapping[str, int]) -> str:
    title = f"<h2>{escape(_TITLES[name])}</h2>"
    if not any(counts.values()):
        return f'{title}<p id="chart-{name}">Nothing to show.</p>'
    rows = "".join(f"<tr><th>{escape(label)}</th><td>{count}</td></tr>" for label, count in counts.items())
    bars = "".join(_bars(list(counts.items())))
    described = ", ".join(f"{label}: {count}" for label, count in counts.items())
    return (
        f'{title}<svg id="chart-{name}" viewBox="0 0 {_WIDTH} {_HEIGHT + 40}" role="img" '
        f'aria-label="{escape(_TITLES[name])}: {escape(described)}">{bars}</svg>'
        f'<details><summary>Numbers</summary><table id="table-{name}">{rows}</table></details>'
    )


def _bars(counts: Sequence[tuple[str, int]]) -> Iterable[str]:
    most, step = max(count for _, count in counts), _WIDTH / len(counts)
    shown_every = -(-len(counts) // _LABELS)
    for number, (label, count) in enumerate(counts):
        height = _HEIGHT * count / most
        x, y = number * step, _HEIGHT - height + 16
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(1.0, step - _GAP):.1f}" height="{height:.1f}" '
            f'data-count="{count}"><title>{escape(label)}: {count}</title></rect>'
        )
        if number % shown_every == 0:
            yield f'<text x="{x:.1f}" y="{_HEIGHT + 34}">{escape(label)}</text>'
        if count and len(counts) <= _LABELS:
            yield f'<text x="{x:.1f}" y="{y - 3:.1f}">{count}</text>'

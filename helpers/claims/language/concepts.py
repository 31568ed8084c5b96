"""Words that say no more than the type of a value beside which they stand (C-39, C-43).

"The backend framework is Django" and "the backend is built with Django", "listens on port 80" and "port: 80" differ in
words that the value says already; beside another value the same words count.
"""

from __future__ import annotations

from typing import Final

#: Dimension -> stem -> the word that stands for it beside such a value; empty: the value says as much.
CONCEPTS: Final[dict[str, dict[str, str]]] = {
    "duration": {
        **dict.fromkeys("keep retain retention store save".split(), "retention"),
        **dict.fromkeys("expire expiry ttl lifetime valid validity".split(), "lifetime"),
        **dict.fromkeys(("timeout", "out"), "timeout"),
        "time": "",
        **dict.fromkeys("last duration take long length period work interval delay".split(), ""),
        **dict.fromkeys("answer respond reply response reaction".split(), "response"),
        "polling": "poll",
    },
    "size": {
        **dict.fromkeys(("limit", "maximum", "quota", "cap", "allow", "accept", "permit"), "maximum"),
        **dict.fromkeys(("ram", "memory"), "memory"),
        **dict.fromkeys(("storage", "drive", "disk"), "disk"),
        **dict.fromkeys(("size", "big", "large", "bigger", "larger", "capacity"), ""),
    },
    "price": {
        **dict.fromkeys(("price", "cost", "charge", "fee", "pay"), ""),
        **dict.fromkeys(("salary", "earn", "wage"), "salary"),
        **dict.fromkeys(("limit", "maximum", "cap"), "maximum"),
    },
    "rate": {
        **dict.fromkeys("limit throttle cap quota allow accept permit maximum".split(), "maximum"),
        **dict.fromkeys(("rate", "send", "call", "make"), ""),
    },
    "date": {
        **dict.fromkeys("start begin run kick off place take happen occur hold schedule date day".split(), ""),
        "due": "deadline",
    },
    "time": {
        **dict.fromkeys("start begin run kick off place take happen occur hold schedule time daily".split(), ""),
        **dict.fromkeys(("depart", "departure"), "leave"),
        "arrival": "arrive",
        **dict.fromkeys(("ending", "finish"), "end"),
    },
    "character": {
        **dict.fromkeys("length long contain hold number".split(), ""),
        **dict.fromkeys(("limit", "maximum", "cap"), "maximum"),
    },
    "count": {
        **dict.fromkeys("run employ size number count time total consist contain comprise".split(), ""),
        **dict.fromkeys(("salary", "earn", "wage"), "salary"),
        **dict.fromkeys(("limit", "maximum", "cap", "allow", "accept", "permit"), "maximum"),
        **dict.fromkeys(("member", "headcount"), ""),
        "indentation": "indent",
    },
    "hours": dict.fromkeys("open opening hour staff available reachable reach work man hold take place".split(), ""),
    "days": dict.fromkeys("open opening day staff available reachable reach work man".split(), ""),
    "phone": dict.fromkeys("phone number telephone call reach dial contact".split(), ""),
    "e-mail": dict.fromkeys("email mail address reach write contact send".split(), ""),
    "path": dict.fromkeys("path location store keep save live sit locate find directory folder".split(), ""),
    "url": dict.fromkeys("url link address live locate find reach host available site website".split(), ""),
    "version": dict.fromkeys("version release run talk use be on speak current".split(), ""),
    "frequency": dict.fromkeys(
        "hold meet run happen occur take place interval go out schedule frequency cadence execute".split(), ""
    ),
    "weekday": dict.fromkeys("schedule day take place happen occur hold".split(), ""),
    "port": dict.fromkeys("port number run listen bind expose serve answer use available reach reachable".split(), ""),
    "channel": dict.fromkeys("channel post send go announce report slack share land".split(), ""),
    "linter": {"linter": "lint"},
    "formatter": {"formatter": "format"},
    "bundler": {"bundler": "bundle"},
    **{
        family: dict.fromkeys(words.split(), "")
        for family, words in {
            "sql database": "database datastore store storage engine system data",
            "document database": "database datastore store storage engine system data",
            "queue": "broker system",
            "language": "language programming",
            "web framework": "framework",
            "frontend framework": "framework",
            "css framework": "framework",
            "test framework": "framework runner",
            "package manager": "manager tool install",
            "dependency manager": "manager tool",
            "build tool": "tool system",
            "ci": "provider system server pipeline tool platform",
            "hosting": "host provider platform",
            "monitoring": "tool system platform",
            "search engine": "engine backend",
            "warehouse": "platform",
            "payment": "provider processor gateway",
            "identity provider": "provider",
            "mail provider": "provider service",
            "model provider": "provider",
            "issue tracker": "tracker tool",
            "cdn": "provider",
            "dns": "provider",
            "database": "database datastore store storage engine system data",
            "licence": "license licensed release publish distribute",
            "log level": "level",
            "theme": "theme mode",
            "deployment strategy": "strategy",
            "merge strategy": "strategy method",
            "encryption": "algorithm",
            "signature": "algorithm",
            "hash": "algorithm",
            "serialization": "format",
            "documentation format": "format",
            "naming": "convention style",
            "authentication": "method scheme",
        }.items()
    },
}

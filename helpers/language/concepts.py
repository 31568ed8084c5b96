"""Words that say no more than the type of a value beside which they stand (C-39, C-43).

"The backend framework is Django" and "the backend is built with Django", "listens on port 80" and "port: 80" differ in
words that the value says already; beside another value the same words count.
"""

from __future__ import annotations

from typing import Final

#: Dimension -> stem -> the word that stands for it beside such a value; empty: the value says as much.
CONCEPTS: Final[dict[str, dict[str, str]]] = {
    "duration": {
        **dict.fromkeys(
            "keep retain retention store save survive hold purge delete remove erase wipe".split(), "retention"
        ),
        **dict.fromkeys("expire ttl lifetime valid validity live".split(), "lifetime"),
        **dict.fromkeys(("timeout", "out"), "timeout"),
        **dict.fromkeys(("pause", "wait"), "wait"),
        **dict.fromkeys(
            "last duration take long length period work interval delay time finish complete run".split(), ""
        ),
        **dict.fromkeys("term stay amount of old".split(), ""),
        **dict.fromkeys("answer respond reply response reaction".split(), "response"),
        "polling": "poll",
    },
    "size": {
        **dict.fromkeys("limit maximum quota cap allow accept permit budget".split(), "maximum"),
        **dict.fromkeys(("ram", "memory"), "memory"),
        **dict.fromkeys("storage store drive disk volume ssd".split(), "disk"),
        **dict.fromkeys("size big large bigger larger capacity weigh space".split(), ""),
    },
    "price": {
        **dict.fromkeys("price cost charge fee pay sell value start threshold".split(), ""),
        **dict.fromkeys(("salary", "earn", "wage"), "salary"),
        **dict.fromkeys("spend afford allowance limit maximum cap".split(), "budget"),
        "rental": "rent",
    },
    "rate": {
        **dict.fromkeys("limit throttle cap quota allow accept permit maximum".split(), "maximum"),
        **dict.fromkeys("rate send call make request pay cost charge".split(), ""),
    },
    "date": {
        **dict.fromkeys(
            "start begin run kick off place take happen occur hold schedule date day fall first".split(), ""
        ),
        **dict.fromkeys("due submit hand turn file filing".split(), "deadline"),
        **dict.fromkeys("deliver arrive".split(), "arrive"),
        **dict.fromkeys("depart leave".split(), "leave"),
        **dict.fromkeys("end finish valid until through till close".split(), "end"),
        **dict.fromkeys("launch go go-live golive live online".split(), "launch"),
        **dict.fromkeys("bear birthday birth".split(), "birthday"),
    },
    "time": {
        **dict.fromkeys("start begin run kick off place take happen occur hold schedule time daily".split(), ""),
        **dict.fromkeys("nightly sharp punctually".split(), ""),
        **dict.fromkeys(("depart", "departure"), "leave"),
        **{"arrival": "arrive", "back": "return"},
        **dict.fromkeys(("ending", "finish"), "end"),
    },
    "character": {
        **dict.fromkeys("length long contain hold number".split(), ""),
        **dict.fromkeys("limit maximum cap exceed longer".split(), "maximum"),
    },
    "count": {
        **dict.fromkeys("run employ size number count time total consist contain comprise".split(), ""),
        **dict.fromkeys("split divide reach need require".split(), ""),
        **dict.fromkeys(("salary", "earn", "wage"), "salary"),
        **dict.fromkeys("limit maximum cap allow accept permit".split(), "maximum"),
        **dict.fromkeys(("member", "headcount", "people", "employee", "staff", "person"), ""),
        **dict.fromkeys(("hold", "seat", "sit", "accommodate", "fit"), "seat"),
        **dict.fromkeys(("attempt", "try", "retry"), "retry"),
        "indentation": "indent",
    },
    "mass": dict.fromkeys("body take weigh weight dose dosage strength".split(), ""),
    "percentage": {
        **dict.fromkeys("rate percentage share level apply".split(), ""),
        **dict.fromkeys(("threshold", "gate", "minimum"), "minimum"),
        **dict.fromkeys(("limit", "maximum", "cap"), "maximum"),
    },
    "host": dict.fromkeys(
        "host server machine address ip region locate live sit run node box deploy keep store reside static hostname"
        " name reach connect data home".split(),
        "",
    ),
    "timezone": dict.fromkeys(
        "timezone time zone set use store write record keep show display local clock".split(), ""
    ),
    "hours": dict.fromkeys("open opening hour staff available reachable reach work man hold take place".split(), ""),
    "days": dict.fromkeys("open opening day staff available reachable reach work man".split(), ""),
    "phone": dict.fromkeys("phone number telephone call reach dial contact line hotline".split(), ""),
    "e-mail": dict.fromkeys("email mail address reach write contact send mailbox go sender out".split(), ""),
    "path": dict.fromkeys(
        "path location read write store keep save live sit locate find directory folder file end up land".split(), ""
    ),
    "url": dict.fromkeys(
        "url link address live locate find reach host available site website log hostname".split(), ""
    ),
    "version": dict.fromkeys("version release run talk use be on speak current pin lock need most recent".split(), ""),
    "frequency": dict.fromkeys(
        "hold meet run happen occur take place interval go out schedule frequency cadence execute".split(), ""
    ),
    "weekday": dict.fromkeys("schedule day take place happen occur hold go out".split(), ""),
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

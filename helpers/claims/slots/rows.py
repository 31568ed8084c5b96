"""The closed table of slots: what can be said of a subject, in which words, with which type of value.

`SLOTS` are single-valued: two different values of one of them contradict each other; what is multi-valued stands in
`multi_valued`. Adding a slot is adding a row; a person adds rows in the configuration (see `added_slots`). Everything
outside the table is never a value that differs.
"""

from __future__ import annotations

from typing import Final

from ..values.readers import SCALARS
from .rows_people import PEOPLE, Slot

SLOTS: Final = (
    *PEOPLE,
    # software
    Slot(
        name="version of {}",
        reads=("named version",),
        verbs=(
            "use|run|run on|run with|target|be on|be at|be built with|be built on|be based on|be pinned to"
            "|be written in|be implemented in|employ|have|ship with|come with|talk to|speak"
        ),
        each=True,
    ),
    Slot(name="required version of {}", reads=("named version",), verbs="require|need"),
    Slot(name="version", reads=("version",), nouns="version|version number|release|firmware|firmware version"),
    Slot(name="version", reads=("explicit version",), verbs="be|be at|be on"),
    Slot(name="port", reads=("port",), nouns="port|port number"),
    Slot(
        name="port",
        reads=("named port",),
        verbs=(
            "run on|run at|listen on|listen at|listen to|serve on|be served on|be exposed on|be reachable on"
            "|be available on|be on|bind to|be bound to|use|start on|expose"
        ),
        each=True,
    ),
    Slot(
        name="host",
        reads=("host",),
        nouns="host|hostname|host name|server",
        verbs="be hosted at|be hosted on",
        each=True,
    ),
    Slot(name="ip address", reads=("host",), nouns="ip|ip address"),
    Slot(name="domain", reads=("host",), nouns="domain|domain name"),
    Slot(
        name="url",
        reads=("web address",),
        nouns="url|link|website|homepage|endpoint|web address|web page",
        verbs="run at|be available at|be hosted at|be at|live at|be reachable at|be deployed at|be found at",
    ),
    Slot(
        name="repository", reads=("web address",), nouns="repository|repo|repository url|repo url|git remote", bare=True
    ),
    Slot(name="file", reads=("path",), nouns="file|file path"),
    Slot(name="directory", reads=("path",), nouns="directory|folder|dir"),
    Slot(name="root", reads=("path",), nouns="root|root directory|root folder"),
    Slot(
        name="path",
        reads=("path",),
        nouns="path|location",
        verbs=(
            "be stored in|be stored at|be saved in|be saved to|live in|live at|be located at|be located in|be in|be at"
        ),
    ),
    Slot(name="log path", reads=("path",), verbs="log to"),
    Slot(
        name="region",
        reads=("region",),
        nouns="region|cloud region|aws region|azure region|gcp region|primary region|home region|deployment region",
    ),
    Slot(name="branch", reads=("branch",), nouns="branch"),
    Slot(
        name="licence",
        reads=("term:licence",),
        nouns="license|licence",
        verbs=(
            "be licensed under|be released under|be published under|be distributed under|be available under"
            "|be covered by|be under|fall under|come under|use|carry"
        ),
        bare=True,
    ),
    Slot(
        name="language",
        reads=("term:language",),
        nouns="programming language",
        verbs="be written in|be implemented in|be coded in|be developed in",
    ),
    Slot(
        name="*",
        reads=("term:merge strategy", "term:merge method", "term:deployment strategy"),
        nouns="merge strategy|merge method|deployment strategy|rollout strategy",
        bare=True,
    ),
    Slot(name="log level", reads=("term:log level",), nouns="log level", bare=True),
    # projects
    Slot(
        name="deadline",
        reads=("date",),
        nouns="deadline|due date|target date|delivery date",
        verbs="be due on|be due by|be due",
        bare=True,
    ),
    Slot(
        name="start date",
        reads=("date",),
        nouns="start date|kickoff date",
        verbs="start on|begin on|start in|begin in",
        bare=True,
    ),
    Slot(name="end date", reads=("date",), nouns="end date", verbs="end on|end in", bare=True),
    Slot(name="expiry date", reads=("date",), nouns="expiry date|expiration date", verbs="expire on"),
    Slot(
        name="launch date",
        reads=("date",),
        nouns="launch date|release date|go-live date|ship date",
        verbs="launch on|be released on|go live on|be launched on",
        bare=True,
    ),
    Slot(name="*", reads=("date",), nouns="meeting date", bare=True),
    Slot(
        name="scheduled date",
        reads=("date",),
        verbs=(
            "be scheduled for|be scheduled on|be on|take place on|happen on|meet on|be held on|occur on|fall on"
            "|be collected on"
        ),
    ),
    Slot(name="time", reads=("clock",), verbs="be at|start at|begin at|be scheduled for|be scheduled at"),
    Slot(name="status", reads=("term:progress",), nouns="status|state", verbs="be"),
    Slot(name="owner", reads=("person",), nouns="owner", verbs="be owned by"),
    Slot(name="maintainer", reads=("person",), nouns="maintainer", verbs="be maintained by"),
    Slot(
        name="lead",
        reads=("person",),
        nouns="lead|leader|team lead|team leader|head",
        verbs="be led by|be headed by",
    ),
    Slot(name="tech lead", reads=("person",), nouns="tech lead|technical lead"),
    Slot(name="ceo", reads=("person",), nouns="ceo|chief executive officer|chief executive"),
    Slot(
        name="*",
        reads=("person",),
        nouns=(
            "cto|cfo|coo|president|prime minister|mayor|governor|chairperson|chairman|chairwoman|chair"
            "|head coach|coach|captain|principal|director|managing director|head of state"
            "|head of government"
        ),
        verbs="",
    ),
    Slot(name="chair", reads=("person",), verbs="be chaired by"),
    Slot(
        name="*",
        reads=("person",),
        nouns="product manager|project manager|engineering manager|product owner|scrum master",
        person=True,
        bare=True,
    ),
    Slot(
        name="*",
        reads=("person",),
        nouns=(
            "landlord|landlady|account manager|reviewer|assignee"
            "|approver|emergency contact|doctor|gp|dentist|therapist|lawyer"
            "|accountant|mentor|advisor|adviser|husband|wife|girlfriend|boyfriend"
            "|fiancé|fiancée|partner|coordinator|sponsor|on-call contact|on-call engineer|personal trainer|vet"
        ),
        person=True,
    ),
    Slot(name="contact", reads=("person",), nouns="contact|contact person|point of contact|main contact", person=True),
    Slot(name="reviewer", reads=("person",), verbs="be reviewed by"),
    Slot(name="assignee", reads=("person",), verbs="be assigned to"),
    Slot(
        name="*",
        reads=("tool",),
        nouns=(
            "tool|library|engine|provider|platform|broker|message broker|queue|message queue|warehouse|proxy"
            "|reverse proxy|load balancer|linter|formatter|bundler|orm|terminal|browser|issue tracker|tracker|wiki"
            "|password manager|vendor|supplier|registrar|embedding model|model|search engine|template engine"
            "|state management|test framework|test runner|runtime|scheduler|crm|cms|isp|carrier|phone|car|laptop"
            "|operator|gateway|plan|tier|codename|working title|title|brand"
        ),
        person=True,
        bare=True,
    ),
    Slot(name="*", reads=("name",), nouns="publisher|broadcaster"),
    # things with a name, and who made them
    Slot(name="capital", reads=("place",), nouns="capital|capital city"),
    Slot(
        name="headquarters",
        reads=("place",),
        nouns="headquarters|head office|main office",
        verbs="be headquartered in",
    ),
    Slot(
        name="author",
        reads=("person",),
        nouns="author",
        verbs="be written by|be authored by",
        past=True,
        named=True,
    ),
    Slot(name="creator", reads=("name",), nouns="creator", verbs="be created by", past=True, named=True),
    Slot(name="developer", reads=("name",), nouns="developer", verbs="be developed by", past=True, named=True),
    Slot(
        name="manufacturer",
        reads=("name",),
        nouns="manufacturer",
        verbs="be produced by|be manufactured by|be made by",
        past=True,
        named=True,
    ),
    Slot(name="inventor", reads=("person",), nouns="inventor", verbs="be invented by", past=True, named=True),
    Slot(
        name="country of origin",
        reads=("country",),
        nouns="country of origin",
        verbs="be created in|originate in|originate from",
        past=True,
    ),
    Slot(name="founded in", reads=("place",), verbs="be founded in|be established in", past=True, named=True),
    Slot(name="official language", reads=("language name",), nouns="official language"),
    Slot(name="written in", reads=("language name",), verbs="be written in", past=True, named=True),
    # amounts
    Slot(name="count of {}", reads=("count",), verbs="have|consist of|contain|comprise", each=True),
    Slot(
        name="*",
        reads=("number",),
        nouns="rate limit|timeout|ttl|retention|retention period|batch size|pool size|page size|team size|headcount",
        bare=True,
    ),
    Slot(
        name="*",
        reads=("number",),
        nouns=(
            "limit|size limit|quota|threshold|interval|size|capacity|length|width|duration|count|concurrency"
            "|sample rate"
        ),
    ),
    Slot(name="*", reads=("number",), nouns="height|weight", person=True),
    Slot(name="limit", reads=("number",), verbs="be limited to|be capped at"),
    Slot(name="timeout", reads=("number",), verbs="time out after"),
    Slot(name="lifetime", reads=("number",), verbs="expire after"),
    Slot(name="price", reads=("money",), nouns="price", verbs="cost|be priced at"),
    Slot(name="*", reads=("money",), nouns="budget", bare=True),
    Slot(name="*", reads=("money",), nouns="cost|fee"),
    Slot(name="*", reads=("money",), nouns="salary|rent|hourly rate", person=True),
    # choices
    Slot(
        name="database",
        reads=("term:sql database", "term:document database"),
        nouns="database|db|database engine",
        bare=True,
    ),
    Slot(name="framework", reads=("term:web framework", "term:frontend framework"), nouns="framework|web framework"),
    Slot(name="editor", reads=("term:editor",), nouns="editor|ide|text editor", person=True),
    Slot(name="shell", reads=("term:shell",), nouns="shell", person=True),
    Slot(name="operating system", reads=("term:operating system",), nouns="operating system|os", person=True),
    Slot(name="package manager", reads=("term:package manager",), nouns="package manager", bare=True),
    Slot(name="ci", reads=("term:ci",), nouns="ci system|ci provider|ci tool", bare=True),
    Slot(name="cloud", reads=("term:hosting",), nouns="cloud provider|hosting provider", bare=True),
    Slot(name="theme", reads=("term:theme",), nouns="theme|color scheme", person=True),
    Slot(name="preferred {}", reads=("preference",), verbs="prefer|favor|favour"),
    Slot(name="default", reads=SCALARS, verbs="default to"),
    Slot(name="setting", reads=("truth", *SCALARS, "word"), verbs="be set to|be configured to|equal"),
)

#: Adjectives that make any noun a slot of its own: "default branch", "preferred editor", "favourite colour".
CHOICES: Final = {
    **{word: word for word in ("default", "preferred")},
    **dict.fromkeys(("favorite", "favourite"), "favourite"),
}
CHOICE_READS: Final = SCALARS
#: Adjectives that distinguish two slots of one noun ("max size", "min size").
DISTINGUISHING: Final = {
    **dict.fromkeys(("max", "maximum"), "max"),
    **dict.fromkeys(("min", "minimum"), "min"),
    **{word: word for word in ("primary", "secondary", "main", "backup", "fallback", "temporary", "second", "first")},
}

__all__ = ["CHOICES", "CHOICE_READS", "DISTINGUISHING", "SLOTS", "Slot"]

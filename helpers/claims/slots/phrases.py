"""What fills a slot, in whole clauses: "S has a home in V", "V is home to S", "S is in charge of V" (C-39, C-43).

One row: the slot, its readers, who may be the subject, and the clauses, in their plain words: `S` is the subject, `V`
the value, `W` more words of the subject, `P` one of the row's own nouns, `~` a few words that do not matter. `a/b` are
alternatives, `[a]` may be missing, `their` is any possessive, `!` marks what happened and holds since. Articles and
"now" are left out, a verb stands for all its forms.
"""

from __future__ import annotations

from typing import Final

from .phrases_daily import DAILY
from .phrases_people import PEOPLE, Phrased
from .phrases_self import SELF
from .phrases_served import SERVED, in_one

_KEEP: Final = "store/keep/save/persist/hold/put/record"
_BUILD: Final = "build/make/write/develop/implement/create/code/program"
_UNIT: Final = (
    "service/app/application/program/project/tool/script/library/site/website/codebase/backend/frontend/server/daemon"
    "/worker/bot/client/module/package/binary/monolith/api/system/spa/plugin/portal/dashboard/microservice/cli"
)
_STORE: Final = "file/cluster/instance/server/database/db/table/store"
_DATABASE: Final = "database/datastore/db/store/storage/backend/engine"

PHRASED: Final = (
    *PEOPLE,
    *SERVED,
    *DAILY,
    *SELF,
    *in_one((*SERVED, *DAILY, *SELF)),
    Phrased(
        slots=("region",),
        reads=("region",),
        clauses=(
            "S be/run/live/sit/reside/operate in V",
            "S be host/deploy/locate/store/run/keep/base/place in V",
            "S 's [primary/main/home/aws/azure/gcp/cloud/default/deployment] region be V",
            "[primary/main/home/aws/azure/gcp/cloud/default/deployment] region of/for S be V",
            "S use V as [their] [primary/main/home] region",
            "S have V as [their] [primary/main/home] region",
            "V be S 's [primary/main/home] region",
            "V be [primary/main/home] region of/for S",
        ),
    ),
    Phrased(
        slots=("database",),
        reads=("term:sql database", "term:document database"),
        clauses=(
            f"S {_KEEP} [all/of] [their] data/everything/state/record in [~] V [{_STORE}]",
            f"S {_KEEP} [all/of] W in [~] V [{_STORE}]",
            f"S be {_KEEP}/host in [~] V [{_STORE}]",
            f"S 's data/state/record be {_KEEP}/host in [~] V [{_STORE}]",
            f"S live/reside/sit in [~] V [{_STORE}]",
            f"S 's data/state/record live/reside/sit/be in [~] V [{_STORE}]",
            f"S be back/power by [~] V [{_STORE}]",
            f"S use V as [their] [primary/main] {_DATABASE}",
            f"S 's [primary/main/production] {_DATABASE} be V",
            f"V be [primary/main] {_DATABASE} of/for/behind S",
            f"V be S 's [primary/main] {_DATABASE}",
            f"V {_KEEP} S 's data/record",
        ),
    ),
    Phrased(
        slots=("spoken or written in",),
        reads=("term:human language",),
        clauses=(
            "S be hold/conduct/run/give/teach in V",
            "S take place in V",
            "S be write/publish/keep in V",
            "S exist in V",
            "S 's language be V",
            "language of/at/in/for S be V",
            "V be language of/at/in/for S",
            "V be S 's language",
        ),
    ),
    Phrased(
        slots=("registrar",),
        thing=True,
        reads=("tool",),
        clauses=(
            "S be register with/at/through V",
            "S 's registrar be V",
            "registrar of/for S be V",
            "V be registrar of/for S",
        ),
    ),
    Phrased(
        slots=("implementation language",),
        reads=("term:language",),
        clauses=(
            "S be write/implement/code/program/develop ~ in V",
            "S be write/implement/code/program/develop in V",
            "S 's [source] code/codebase/source/implementation be [~] V",
            "S 's code base be [~] V",
            "S 's [programming/implementation] language be V",
            f"S be [~] V {_UNIT}",
            "S be pure/plain V",
            "V be [programming/implementation] language of/for/behind S",
            "V be S 's [programming/implementation] language",
            "we/team write/code/develop/implement S in V",
        ),
    ),
    Phrased(
        slots=("built with",),
        reads=("term:web framework", "term:frontend framework", "term:static site generator"),
        clauses=(
            f"S be {_BUILD}/generate/power/render with/in/on/using/by [~] V",
            "S be base on V",
            f"S be [~] V {_UNIT}/blog/page",
            "S use V as [their] framework",
            "S 's [web/frontend/ui] framework/frontend/generator be V",
            "V be S 's [web/frontend/ui] framework/frontend/generator",
            f"we/team {_BUILD} S with/in/on/using V",
        ),
    ),
    Phrased(
        slots=("hosted on",),
        reads=("term:hosting", "term:code host"),
        clauses=(
            "S be host/deploy/serve/publish/run on/at/with/by/in/to/from V",
            "S run/live/sit/reside on/at V",
            "S 's hosting/host/platform/hoster be [on/with/at] V",
            "S 's [hosting/cloud] provider/platform be V",
            "V host/serve S",
            "V be S 's [hosting/cloud] provider/platform/host",
            "we/team/user host/deploy/publish/run S on/at/with/in/to V",
        ),
    ),
    Phrased(
        slots=("plan",),
        reads=("plan",),
        clauses=(
            "S be on V plan/tier/package/subscription",
            "S have/use V plan/tier/package/subscription",
            "S be V [plan] customer/user/subscriber/client",
            "S 's [subscription] plan/tier/package be V",
            "S subscribe to V plan/tier/package",
            "S be subscribe to V plan/tier/package",
            "!S upgrade/switch/downgrade/move/change to V plan/tier/package",
        ),
    ),
    Phrased(
        slots=("default branch",),
        reads=("branch",),
        clauses=(
            "S use V as [their] default branch",
            "S have V as [their] default branch",
            "V be default branch of/in/for/on S",
            "V be S 's default branch",
            "default branch in/of/on/for S be V",
            "!S 's default branch be rename/change/switch to V",
            "!default branch of/in/for S be rename/change/switch to V",
        ),
    ),
)

__all__ = ["PHRASED", "Phrased"]

"""Families of named alternatives: two different members of one family can exclude each other.

Only a single-valued slot, an explicit correction or a state change makes them do so: "uses Redis" and "uses Memcached"
coexist (T-46). A name that is in no family is free text and never differs from anything.
"""

from __future__ import annotations

from functools import cache
from typing import Final

#: family -> members; `a=b` writes the same member in several ways, `_` stands for a space.
FAMILIES: Final[dict[str, str]] = {
    "api style": "rest=restful=rest_api graphql grpc soap trpc json-rpc",
    "sql database": "postgresql=postgres mysql mariadb sqlite oracle_database sql_server=mssql cockroachdb",
    "document database": "mongodb=mongo couchdb dynamodb firestore",
    "cache": "redis memcached valkey",
    "queue": "kafka rabbitmq sqs nats",
    "language": (
        "python go=golang rust java kotlin typescript javascript ruby php c# c++ swift scala elixir haskell perl"
        " clojure dart zig"
    ),
    "web framework": "django flask fastapi rails=ruby_on_rails laravel express spring=spring_boot",
    "frontend framework": "react=react.js=reactjs vue=vue.js=vuejs angular svelte solid ember",
    "package manager": "npm pnpm yarn bun",
    "bundler": "webpack vite rollup esbuild parcel",
    "test framework": "pytest unittest jest vitest mocha junit rspec",
    "cloud": "aws=amazon_web_services gcp=google_cloud azure",
    "ci": "jenkins github_actions gitlab_ci circleci travis=travis_ci buildkite teamcity",
    "code host": "github gitlab bitbucket gitea",
    "chat": "slack microsoft_teams=teams discord mattermost",
    "editor": "vim=vi neovim=nvim emacs vs_code=vscode=visual_studio_code pycharm intellij helix nano sublime_text zed",
    "operating system": "windows macos linux",
    "shell": "bash zsh fish powershell",
    "theme": "dark=dark_mode=dark_theme light=light_mode=light_theme",
    "indentation": "tabs spaces",
    "units": "metric=metric_units imperial=imperial_units",
    "clock": "12-hour=12h 24-hour=24h",
    "hot drink": "tea coffee",
    "log level": "debug info warning=warn error critical trace",
    "licence": (
        "mit=mit_license apache-2.0=apache_2.0=apache=apache_license gpl=gpl-3.0=gplv3 agpl=agpl-3.0=agplv3"
        " lgpl=lgpl-3.0 bsd=bsd-3-clause mpl=mpl-2.0 proprietary unlicense"
    ),
    "human language": (
        "english german french spanish italian portuguese dutch polish russian japanese chinese korean arabic hindi"
        " turkish swedish danish norwegian finnish greek czech hebrew"
    ),
    "colour": "red orange yellow green blue purple pink brown black white grey=gray turquoise violet teal",
    "marital status": "married single divorced widowed engaged",
    "merge strategy": "rebase merge squash",
    "progress": (
        "not_started=todo=to_do=pending=planned in_progress=ongoing=underway=wip"
        " done=completed=complete=finished cancelled=canceled=abandoned paused=on_hold"
    ),
}
#: Head nouns of jobs; what stands before the head is a detail ("backend developer", "software engineer").
JOBS: Final = (
    "engineer=developer=programmer designer manager teacher=professor nurse lawyer=attorney accountant doctor=physician"
    " analyst scientist=researcher consultant architect writer=author=editor journalist chef student director=head"
    " intern administrator=admin recruiter translator photographer carpenter plumber electrician pharmacist"
)
#: Names that may carry a bare whole number as their version ("Node 18"); others need a dot, a "v" or "version".
VERSIONED: Final = (
    "node=node.js=nodejs python=py django rails react vue angular postgresql=postgres mysql mariadb redis php java jdk"
    "=openjdk kotlin ruby go=golang typescript npm pnpm yarn ubuntu debian fedora windows ios android macos terraform"
    " kubernetes=k8s elasticsearch mongodb=mongo spring=spring_boot laravel symfony bootstrap webpack vite pydantic"
    " numpy pandas swift c++ c# .net=dotnet es gcc clang llvm chrome firefox safari xcode unity rust scala perl"
    " next.js=nextjs nuxt svelte tailwind=tailwindcss kafka rabbitmq nginx gradle maven jest cuda ansible"
)


def _members(text: str) -> dict[tuple[str, ...], str]:
    """Written form as a word sequence -> canonical name."""
    table: dict[tuple[str, ...], str] = {}
    for group in text.split():
        names = [name.replace("_", " ") for name in group.split("=")]
        table |= {tuple(name.split()): names[0] for name in names}
    return table


@cache
def terms() -> dict[tuple[str, ...], tuple[str, str]]:
    """Word sequence -> (family, canonical name)."""
    table: dict[tuple[str, ...], tuple[str, str]] = {}
    for family, members in FAMILIES.items():
        table |= {words: (family, name) for words, name in _members(members).items()}
    return table


@cache
def jobs() -> dict[str, str]:
    """Head noun of a job -> its class."""
    return {words[0]: name for words, name in _members(JOBS).items()}


@cache
def versioned_names() -> dict[str, str]:
    """Name of something that has versions -> canonical name."""
    return {words[0]: name for words, name in _members(VERSIONED).items() if len(words) == 1}

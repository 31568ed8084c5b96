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
    "queue": "kafka rabbitmq sqs=amazon_sqs nats activemq zeromq pulsar",
    "language": (
        "python go=golang rust java kotlin typescript javascript ruby php c# c++ swift scala elixir haskell perl"
        " clojure dart zig"
    ),
    "web framework": "django flask fastapi rails=ruby_on_rails laravel express spring=spring_boot",
    "frontend framework": "react=react.js=reactjs react_native flutter vue=vue.js=vuejs angular svelte solid ember",
    "package manager": "npm pnpm yarn bun",
    "build tool": "maven gradle bazel ant sbt cmake make=gnu_make meson ninja just mage",
    "static site generator": "hugo jekyll gatsby eleventy astro sphinx mkdocs docusaurus",
    "messenger": "whatsapp telegram signal imessage",
    "secret store": "vault=hashicorp_vault 1password bitwarden keepass lastpass doppler",
    "model provider": "openai anthropic mistral cohere ollama",
    "mail provider": "gmail outlook proton_mail=protonmail fastmail sendgrid mailgun postmark",
    "bundler": "webpack vite rollup turbopack esbuild parcel",
    "test framework": "pytest unittest jest vitest mocha junit rspec",
    "ci": "jenkins github_actions gitlab_ci circleci travis=travis_ci buildkite teamcity woodpecker drone bamboo",
    "code host": "github gitlab bitbucket gitea",
    "chat": "slack microsoft_teams=teams discord mattermost",
    "editor": "vim=vi neovim=nvim emacs vs_code=vscode=visual_studio_code pycharm intellij helix nano sublime_text zed",
    "operating system": "windows macos linux",
    "shell": "bash zsh fish powershell",
    "answer length": "concise=short=brief=terse detailed=long=verbose=lengthy",
    "theme": "dark=dark_mode=dark_theme light=light_mode=light_theme",
    "indentation": "tabs spaces",
    "units": "metric=metric_units imperial=imperial_units",
    "clock": "12-hour=12h 24-hour=24h",
    "hot drink": "tea coffee",
    "log level": "debug info warning=warn error critical trace",
    "licence": (
        "mit=mit_license apache-2.0=apache_2.0=apache=apache_license gpl=gpl-3.0=gplv3 agpl=agpl-3.0=agplv3"
        " lgpl=lgpl-3.0 gpl-2.0=gplv2 isc eupl epl sspl cc0 cc-by wtfpl busl=bsl bsd=bsd-3-clause mpl=mpl-2.0"
        " proprietary unlicense"
    ),
    "human language": (
        "english german french spanish italian portuguese dutch polish russian japanese chinese korean arabic hindi"
        " turkish swedish danish norwegian finnish greek czech hebrew"
    ),
    "colour": "red orange yellow green blue purple pink brown black white grey=gray turquoise violet teal",
    "marital status": "married single divorced widowed engaged",
    "merge strategy": "rebase merge squash",
    "hosting": (
        "heroku fly.io vercel netlify render railway hetzner digitalocean linode ovh aws=amazon_web_services"
        " gcp=google_cloud azure github_pages cloudflare_pages on-premises=on-prem"
    ),
    "search engine": "elasticsearch=elastic solr opensearch meilisearch typesense algolia",
    "warehouse": "redshift snowflake bigquery databricks clickhouse",
    "time series database": "influxdb timescaledb victoriametrics",
    "web server": "nginx caddy traefik haproxy envoy",
    "cdn": "cloudflare fastly akamai cloudfront bunnycdn",
    "dns": "route_53 cloudflare_dns",
    "identity provider": "okta auth0 keycloak cognito azure_ad=entra_id=microsoft_entra zitadel authentik",
    "encryption": "aes-128 aes-256 aes-192 chacha20 3des",
    "signature": "hs256 rs256 es256 eddsa ps256",
    "hash": "md5 bcrypt argon2 argon2id scrypt sha-1 sha-256 sha-512 pbkdf2",
    "naming": "camelcase snake_case kebab-case pascalcase",
    "formatter": "yapf autopep8 prettier gofmt",
    "linter": "flake8 pylint ruff eslint biome",
    "dependency manager": "poetry uv pip pipenv conda pdm",
    "state management": "redux zustand mobx pinia vuex recoil",
    "end-to-end tests": "cypress playwright selenium puppeteer",
    "migrations": "flyway liquibase alembic",
    "css framework": "bootstrap tailwind bulma",
    "game engine": "unity godot unreal",
    "provisioning": "terraform pulumi cloudformation ansible puppet chef argo_cd",
    "orchestrator": "kubernetes=k8s nomad docker_swarm ecs docker_compose",
    "container": "docker podman",
    "issue tracker": "jira linear asana trello youtrack github_issues clickup",
    "wiki software": "confluence notion bookstack obsidian",
    "monitoring": "datadog grafana new_relic prometheus zabbix nagios",
    "log store": "loki splunk graylog",
    "authentication": "basic_auth oauth_2.0=oauth2=oauth jwt api_keys saml session_cookies",
    "payment": "stripe paypal adyen braintree",
    "deployment strategy": "rolling_update=rolling blue-green=blue/green canary recreate",
    "quotes": "single_quotes double_quotes",
    "log format": "plain_text logfmt",
    "documentation format": "markdown restructuredtext asciidoc",
    "serialization": "json protobuf=protocol_buffers avro msgpack csv parquet xml yaml toml orc",
    "browser": "firefox chrome safari edge brave",
    "employment": "full-time=full_time part-time=part_time",
    "sex": "male female",
    "diet": "vegan vegetarian pescatarian keto mediterranean",
    "pronouns": (
        "he/him=he/him_pronouns=he/him/his she/her=she/her_pronouns=she/her/hers they/them=they/them_pronouns"
        " xe/xem=xe/xem_pronouns she/they=she/they_pronouns he/they=he/they_pronouns ze/zir any_pronouns"
    ),
    "job scheduler": "sidekiq goodjob celery resque dramatiq",
    "merge method": "squash_merge rebase_merge merge_commit",
    "sport": (
        "association_football=soccer american_football football basketball baseball cricket rugby rugby_union"
        " rugby_league tennis table_tennis golf volleyball handball hockey ice_hockey field_hockey judo boxing"
        " wrestling swimming cycling athletics chess badminton softball lacrosse water_polo figure_skating gymnastics"
        " fencing snooker darts motorsport auto_racing skiing surfing rowing sailing archery karate taekwondo muay_thai"
        " sumo kickboxing polo curling bowling pesäpallo futsal netball mixed_martial_arts=mma aikido petanque shinty"
        " roller_derby gaelic_football australian_rules_football"
    ),
    "music": (
        "jazz=jazz_music rock=rock_music pop=pop_music hip_hop=hip_hop_music=rap country_music folk=folk_music"
        " j-pop k-pop post-punk"
        " classical_music blues=blues_music reggae=reggae_music soul=soul_music metal=heavy_metal punk=punk_rock"
        " techno house_music opera disco funk=funk_music gospel=gospel_music salsa=salsa_music rhythm_and_blues=r&b"
    ),
    "playing position": (
        "goalkeeper=goaltender=goalie defender center-back=centre-back full-back=fullback left-back right-back"
        " midfielder attacking_midfielder defensive_midfielder central_midfielder striker winger forward center=centre"
        " point_guard shooting_guard guard small_forward power_forward defenceman=defenseman quarterback running_back"
        " wide_receiver tight_end linebacker defensive_end offensive_tackle defensive_tackle"
        " cornerback safety placekicker=kicker punter pitcher starting_pitcher"
        " relief_pitcher=closer catcher first_baseman second_baseman third_baseman shortstop infielder outfielder"
        " left_fielder right_fielder center_fielder flanker hooker prop fly-half scrum-half lock number_eight"
    ),
    "religion": (
        "christianity=christian catholicism=catholic=catholic_church=roman_catholic=roman_catholic_church"
        "=roman_catholicism"
        " protestantism=protestant methodism=methodist lutheranism=lutheran anglicanism=anglican=church_of_england"
        " calvinism presbyterianism=presbyterian=church_of_scotland mormonism=mormon"
        " baptists=baptist evangelicalism=evangelical eastern_orthodoxy=eastern_orthodox=eastern_orthodox_church"
        "=orthodox_christianity=church_of_greece islam=muslim sunni_islam=sunni shia_islam=shia judaism=jewish"
        " hinduism=hindu"
        " buddhism=buddhist zen sikhism=sikh jainism taoism confucianism shinto zoroastrianism scientology"
        " bahai_faith=bahai atheism=atheist agnosticism=agnostic"
    ),
    "progress": (
        "not_started=todo=to_do=pending=planned in_progress=ongoing=underway=wip"
        " done=completed=complete=finished cancelled=canceled=abandoned paused=on_hold"
    ),
}
#: Families of which one member serves one purpose ("files are encrypted with AES-256").
SERVING: Final = frozenset(
    (
        *("sql database", "document database", "cache", "queue", "language", "web framework", "frontend framework"),
        *("build tool", "static site generator", "messenger", "secret store", "model provider", "mail provider"),
        *("package manager", "bundler", "test framework", "ci", "code host", "chat", "licence", "api style", "hosting"),
        *("search engine", "warehouse", "time series database", "web server", "cdn", "dns", "identity provider"),
        *("encryption", "signature", "hash", "naming", "formatter", "linter", "dependency manager", "state management"),
        *(
            "end-to-end tests",
            "migrations",
            "css framework",
            "game engine",
            "provisioning",
            "orchestrator",
            "container",
        ),
        *("issue tracker", "wiki software", "monitoring", "log store", "authentication", "payment", "browser"),
        *(
            "deployment strategy",
            "quotes",
            "log format",
            "documentation format",
            "serialization",
            "employment",
            "sex",
            "diet",
        ),
        *("pronouns", "job scheduler", "indentation", "log level", "theme", "units", "human language", "editor"),
    )
)
#: Member -> members that it is the wider word for: they agree, one more precise.
WIDER: Final[dict[str, frozenset[str]]] = {
    name: frozenset(member.replace("_", " ") for member in members.split())
    for name, members in {
        "football": (
            "association_football american_football rugby rugby_union rugby_league futsal gaelic_football"
            " australian_rules_football"
        ),
        "rugby": "rugby_union rugby_league",
        "hockey": "ice_hockey field_hockey",
        "tennis": "table_tennis",
        "athletics": "gymnastics",
        "cycling": "motorsport",
        "motorsport": "auto_racing",
        "boxing": "kickboxing muay_thai",
        "mixed martial arts": "judo boxing wrestling karate taekwondo muay_thai kickboxing",
        "wrestling": "sumo judo",
        "baseball": "softball pesäpallo",
        "defender": "center-back full-back left-back right-back defenceman",
        "full-back": "left-back right-back",
        "midfielder": "attacking_midfielder defensive_midfielder central_midfielder winger",
        "forward": "striker winger small_forward power_forward center",
        "guard": "point_guard shooting_guard",
        "pitcher": "starting_pitcher relief_pitcher",
        "infielder": "first_baseman second_baseman third_baseman shortstop",
        "outfielder": "left_fielder right_fielder center_fielder",
        "center": "center_fielder center-back power_forward",
        "rock": "punk metal blues pop post-punk",
        "soul": "rhythm_and_blues funk gospel",
        "pop": "disco j-pop k-pop",
        "jazz": "blues",
        "christianity": (
            "catholicism protestantism methodism lutheranism anglicanism calvinism presbyterianism mormonism baptists"
            " evangelicalism eastern_orthodoxy"
        ),
        "protestantism": ("methodism lutheranism anglicanism calvinism presbyterianism baptists evangelicalism"),
        "evangelicalism": "methodism lutheranism anglicanism presbyterianism baptists",
        "calvinism": "presbyterianism",
        "islam": "sunni_islam shia_islam",
        "buddhism": "zen",
        "agnosticism": "atheism",
        "she/they": "she/her they/them",
        "he/they": "he/him they/them",
    }.items()
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
    licensed = {words: term for words, term in table.items() if term[0] == "licence" and len(words) == 1}
    return table | {(f"{words[0]}-licensed",): term for words, term in licensed.items()}


@cache
def first_words() -> frozenset[str]:
    """The words that a member of a family begins with."""
    return frozenset(words[0] for words in terms())


#: Canonical name of a member -> the families that it belongs to beside its own.
ALSO: Final[dict[str, tuple[str, ...]]] = {
    "cloudflare": ("dns",),
    "ruff": ("formatter",),
    "black": ("formatter",),
    "apache-2.0": ("web server",),
    "prometheus": ("time series database",),
    "json": ("log format",),
}


#: Families of which one member does the work that a member of the other could.
_WIDER_FAMILY: Final[dict[str, tuple[str, ...]]] = {
    "sql database": ("database",),
    "document database": ("database",),
}


def further_families(norm: tuple[str | float, ...]) -> tuple[str, ...]:
    """The families that a member belongs to beside its own."""
    wider = _WIDER_FAMILY.get(str(norm[0]), ()) if norm else ()
    return (*wider, *(ALSO.get(str(norm[1]), ()) if len(norm) > 1 else ()))


@cache
def jobs() -> dict[str, str]:
    """Head noun of a job -> its class."""
    return {words[0]: name for words, name in _members(JOBS).items()}


@cache
def versioned_names() -> dict[str, str]:
    """Name of something that has versions -> canonical name."""
    return {words[0]: name for words, name in _members(VERSIONED).items() if len(words) == 1}

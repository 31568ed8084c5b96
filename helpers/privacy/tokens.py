"""The tokens of vendors, each by its form.

A form is a prefix that nobody else uses, or a fixed shape. Where the prefix alone is an ordinary word, the rest must
look random.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..texts import regex
from .page import Kind, Page, RawFinding
from .values import is_placeholder

# The form of each token by its name. Bounds are a little wider than those of today's tokens; none is open.
_FORMS: dict[str, str] = {
    "aws_access_key": r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "github_token": r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{40,255}",
    "gitlab_token": r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas|imt|ffct)-[\w-]{18,300}(?:\.[\w.-]{5,30})?",
    "slack_token": r"xox[abcdeoprs]-[A-Za-z0-9-]{15,250}|xapp-\d-[A-Za-z0-9-]{20,200}",
    "slack_webhook": r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,80}",
    "discord_webhook": r"discord(?:app)?\.com/api/webhooks/\d{10,22}/[\w-]{40,100}",
    "discord_token": r"[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])",
    "telegram_token": r"(?:bot)?\d{8,10}:A[\w-]{33,36}(?![\w-])",
    "zapier_webhook": r"hooks\.zapier\.com/hooks/catch/\d{5,10}/[a-z0-9]{5,12}(?![\w])",
    "ntfy_token": r"tk_[a-z0-9]{29}(?![A-Za-z0-9])",
    "make_webhook": r"hook\.(?:[a-z]{2}\d\.)?make\.com/[a-z0-9]{30,36}(?!\w)",
    "ifttt_webhook": r"maker\.ifttt\.com/trigger/\w{1,60}/(?:json/)?with/key/[\w-]{20,50}",
    "teams_webhook": r"[a-z0-9]{1,40}\.webhook\.office\.com/webhookb2/[\w@/-]{60,250}",
    "stripe_key": r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,120}|whsec_[A-Za-z0-9+/=]{20,120}",
    "anthropic_key": r"sk-ant-[\w-]{20,200}",
    "openrouter_key": r"sk-or-[\w-]{20,120}",
    "langfuse_key": r"sk-lf-[\w-]{30,60}",
    "openai_key": r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,250}|sk-[A-Za-z0-9]{20,80}(?![\w-])",
    "gemini_key": r"AQ\.A[\w-]{30,80}",
    "google_key": r"AIza[\w-]{30,45}|GOCSPX-[\w-]{20,40}|ya29\.[\w-]{20,300}|1//0[\w-]{30,150}|4/0A[\w-]{50,90}",
    "sendgrid_key": r"SG\.[\w-]{16,30}\.[\w-]{30,60}",
    "mailgun_key": r"key-[0-9a-f]{32}(?![0-9a-z])",
    "mailchimp_key": r"[0-9a-f]{32}-us\d{1,2}(?!\w)",
    "brevo_key": r"xkeysib-[0-9a-f]{40,80}-[A-Za-z0-9]{10,20}",
    "twilio_key": r"SK[0-9a-fA-F]{32}(?![0-9A-Za-z])",
    "npm_token": r"npm_[A-Za-z0-9]{30,50}",
    "pypi_token": r"pypi-AgE[\w-]{40,300}",
    "rubygems_key": r"rubygems_[0-9a-f]{40,60}",
    "clojars_token": r"CLOJARS_[A-Za-z0-9]{50,70}",
    "docker_token": r"dckr_(?:pat|oat)_[\w-]{20,60}",
    "digitalocean_token": r"do[opr]_v1_[0-9a-f]{40,80}",
    "heroku_key": r"HRKU-[\w-]{30,80}",
    "huggingface_token": r"(?:hf|api_org)_[A-Za-z0-9]{30,45}",
    "grafana_token": r"gl(?:sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|c_[A-Za-z0-9+/]{32,300})",
    "groq_key": r"gsk_[A-Za-z0-9]{40,80}",
    "xai_key": r"xai-[A-Za-z0-9]{60,100}",
    "replicate_token": r"r8_[A-Za-z0-9]{30,50}",
    "perplexity_key": r"pplx-[A-Za-z0-9]{30,70}",
    "nvidia_key": r"nvapi-[\w-]{40,100}",
    "shopify_token": r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "square_token": r"sq0(?:atp|csp)-[\w-]{20,60}|EAAA[\w-]{50,70}",
    "facebook_token": r"EAA[A-Z][A-Za-z0-9]{80,300}",
    "twitter_token": r"A{20,24}[A-Za-z0-9%]{60,120}",
    "databricks_token": r"dapi[0-9a-f]{32}(?:-\d)?",
    "postman_key": r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
    "linear_key": r"lin_(?:api|oauth)_[A-Za-z0-9]{30,70}",
    "notion_token": r"ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])",
    "figma_token": r"fig[dou]_[\w-]{30,60}",
    "vault_token": r"hv[sbr]\.[\w-]{20,320}|(?<![\w.])s\.[A-Za-z0-9]{24}(?![A-Za-z0-9.])",
    "terraform_token": r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,80}",
    "pulumi_token": r"pul-[0-9a-f]{40}",
    "atlassian_token": r"ATATT3[\w=-]{40,250}|ATBB[A-Za-z0-9]{24,60}",
    "sentry_token": r"sntry(?:u_[0-9a-f]{40,80}|s_[\w+/=]{40,400})",
    "azure_secret": r"[A-Za-z0-9_~.]{3}\dQ~[\w~.-]{31,36}",
    "azure_devops_token": r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)|[a-z2-7]{52}(?!\w)",
    "age_key": r"AGE-SECRET-KEY-1[A-Z0-9]{40,70}",
    "dynatrace_token": r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{40,80}",
    "newrelic_key": r"NR(?:AK|II|RA)-[A-Za-z0-9-]{20,50}",
    "airtable_token": r"pat[A-Za-z0-9]{14}\.[0-9a-f]{50,80}",
    "doppler_token": r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,80}",
    "planetscale_token": r"pscale_(?:tkn|pw|oauth)_[\w=.-]{30,70}",
    "supabase_key": r"sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,60}",
    "netlify_token": r"nfp_[A-Za-z0-9]{30,50}",
    "vercel_token": r"vc[pkair]_[A-Za-z0-9]{40,80}",
    "flyio_token": r"fo1_[\w-]{40,60}|fm[12][ar]?_[A-Za-z0-9+/=]{60,600}",
    "tailscale_key": r"tskey-(?:auth|api|client|scim|webhook)-[\w-]{15,90}",
    "onepassword_key": r"A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}|ops_eyJ[\w+/=]{60,1000}",
    "prefect_key": r"pn[ub]_[A-Za-z0-9]{30,45}",
    "readme_key": r"rdme_[a-z0-9]{60,80}",
    "easypost_key": r"EZ[AT]K[A-Za-z0-9]{50,60}",
    "razorpay_key": r"rzp_live_[A-Za-z0-9]{14,24}",
    "flutterwave_key": r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,60}(?:-X)?",
    "alibaba_key": r"LTAI[A-Za-z0-9]{17,24}(?![A-Za-z0-9])",
    "artifactory_key": r"AKCp[A-Za-z0-9]{60,80}",
    "openshift_token": r"sha256~[\w-]{43}",
    "octopus_key": r"API-[A-Z0-9]{26,32}(?![A-Z0-9])",
    "sourcegraph_token": r"sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}",
    "mapbox_token": r"sk\.eyJ[\w-]{40,120}\.[\w-]{15,40}",
    "contentful_token": r"CFPAT-[\w-]{40,60}",
    "cloudflare_key": r"v1\.0-[0-9a-f]{24}-[0-9a-f]{100,160}",
    "bedrock_key": r"ABSK[A-Za-z0-9+/]{80,280}",
    "typeform_token": r"tfp_[\w.=-]{40,70}",
    "shippo_token": r"shippo_(?:live|test)_[0-9a-f]{40}",
    "duffel_token": r"duffel_(?:test|live)_[\w=-]{40,50}",
    "pinecone_key": r"pcsk_[A-Za-z0-9_]{40,90}",
    "tavily_key": r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,50}",
    "elevenlabs_key": r"sk_[0-9a-f]{40,60}(?![0-9A-Za-z])",
    "hubspot_token": r"pat-(?:na|eu|ap)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "crates_token": r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])",
    "langsmith_key": r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}",
    "posthog_key": r"ph[xs]_[A-Za-z0-9]{40,60}",
    "buildkite_token": r"bk[upa]a_[0-9a-f]{40}",
    "circleci_token": r"CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,30}_[0-9a-f]{40}",
    "trello_token": r"ATTA[0-9a-fA-F]{60,76}",
    "newrelic_license": r"[0-9a-f]{32,36}(?:FFFF)?NRAL",
    "sonar_token": r"sq[upa]_[0-9a-f]{40}",
    "plaid_token": r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "adafruit_key": r"aio_[A-Za-z0-9]{28}(?![A-Za-z0-9])",
    "infracost_key": r"ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])",
    "nuget_key": r"oy2[a-z0-9]{43}(?![A-Za-z0-9])",
    "asana_token": r"\d/\d{13,20}(?:/\d{13,20})?:[0-9a-f]{32}",
    "mailgun_private_key": r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])",
    "resend_key": r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?![A-Za-z0-9])",
    "firecrawl_key": r"fc-[0-9a-f]{32}(?![0-9a-z])",
    "jina_key": r"jina_[A-Za-z0-9_-]{40,80}",
    "fireworks_key": r"fw_[A-Za-z0-9]{20,40}(?![A-Za-z0-9])",
    "together_key": r"tgp_v1_[\w-]{40,60}",
    "cerebras_key": r"csk-[a-z0-9]{40,60}",
    "e2b_key": r"e2b_[0-9a-f]{40}",
    "neon_key": r"napi_[a-z0-9]{60,70}",
    "render_key": r"rnd_[A-Za-z0-9]{24,40}",
    "telnyx_key": r"KEY[0-9A-F]{32}_[A-Za-z0-9]{20,24}",
    "inngest_key": r"signkey-(?:prod|test|branch)-[0-9a-f]{32,64}",
    "amazon_mws_token": r"amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|amzn1\.oa2-cs\.v1\.[0-9a-f]{64}",
    "firebase_key": r"AAAA[\w-]{7}:APA91b[\w-]{100,200}",
    "discord_mfa_token": r"mfa\.[\w-]{80,90}",
    "bitcoin_key": r"(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51}"
    r"|[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112})(?![A-Za-z0-9])",
}
_NAMES = tuple(_FORMS)
_TOKEN = regex(r"(?<![A-Za-z0-9])(?:" + "|".join(f"({form})" for form in _FORMS.values()) + ")")
# The length of the shortest token; none has a gap.
_LONG_WORD = regex(r"[^\s\"'<>`,;()|]{19,}+")
_PREFIX = regex(r"[A-Za-z]{1,8}[_-](?:[a-z]{2,8}[_-])?")

_JWT = regex(r"(?<![\w.-])eyJ[\w-]{8,2000}+\.[\w-]{8,8000}+\.[\w-]{10,1000}+(?![\w.-]{0,2}\w)")
_JWE = regex(r"(?<![\w.-])eyJ[\w-]{8,2000}+\.[\w-]{0,1000}+\.[\w-]{8,200}+\.[\w-]{8,4000}+\.[\w-]{8,200}+")


def find_tokens(page: Page) -> Iterator[RawFinding]:
    """Yield the tokens of vendors, and tokens that name themselves."""
    for word in page.find(_LONG_WORD):
        for match in page.within(_TOKEN, *word.span()):
            if not is_made_up(match[0]):
                yield RawFinding(Kind.TOKEN, *match.span(), _NAMES[(match.lastindex or 1) - 1])
    for pattern in (_JWT, _JWE):
        for match in page.find(pattern, "eyj"):
            yield RawFinding(Kind.JWT, *match.span())


def is_made_up(token: str) -> bool:
    """Whether a token of the right form is an example: too few different characters, or words in it."""
    rest = _PREFIX.sub("", token, count=1)
    is_plain = rest.islower() or rest.isupper()
    return len(set(rest)) < 6 or (is_plain and not any(map(str.isdigit, rest))) or is_placeholder(rest)

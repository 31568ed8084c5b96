"""The settings that come in groups, as the specifications write them: one model for each object of the configuration.

`settings.Settings` holds one of each; how the layers are applied stands there.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from .notes.chunker import MAX_CHARS, MIN_CHARS
from .records import Source, Utility, Validity
from .vault.taxonomy import JOURNAL_SIGNALS, OWN_SCOPE, SHARED_SCOPE

Count = Annotated[int, Field(strict=True, ge=0)]
PositiveCount = Annotated[int, Field(strict=True, ge=1)]
Switch = Annotated[bool, Field(strict=True)]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]

VaultName = Annotated[str, Field(strict=True, min_length=1, pattern=r"\S")]


class RankingMode(StrEnum):
    """What decides which memories are selected, and in which order they are shown (T-04)."""

    SELECT_BY_SCORE = "select_by_score"
    TIERED = "tiered"
    SCORE = "score"


class Group(BaseModel):
    """Immutable; an unknown key is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class QueryExpansion(Group):
    """Which questions one message is turned into (E-09 ... E-17)."""

    enabled: Switch = Field(True, description="false asks with the user's message alone")
    retrieval_k_per_variant: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        8, description="nearest memories that each variant of the query brings"
    )
    use_domain_scoping: Switch = Field(True, description="asks with the domain of the turn as well, where one is known")
    use_keyword_extraction: Switch = Field(True, description="asks with the keywords of the message as well")
    max_keywords: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(
        12, description="keywords that are taken from the beginning of a message"
    )


class Lexical(Group):
    """The search by words, beside the one by meaning (T-66, E-80)."""

    enabled: Switch = Field(
        True, description="false ranks by meaning alone, exactly as specified; what `context` says is off as well then"
    )
    weight: Share = Field(0.5, description="share of the words in the relevance; the rest is the meaning's")
    candidates: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        24, description="memories that the search by words brings"
    )


class Context(Group):
    """What the memories around one say about it."""

    enabled: Switch = Field(True, description="false looks at each memory by itself")
    neighbour_share: Share = Field(
        0.3, description="share of its relevance that a memory lends to the one written just before or after it"
    )
    answer_share: Share = Field(0.6, description="share that a question lends to what was written right after it")
    neighbour_minutes: Annotated[float, Field(gt=0, le=525_600)] = Field(
        60.0, description="minutes between two memories up to which they count as written together"
    )
    subject_boost: Share = Field(
        0.2, description="what a memory gains that is about the one person or thing that the message names"
    )
    question_penalty: Share = Field(0.1, description="what a memory loses that only asks")


class NoiseGate(Group):
    """When nothing, or less, is injected (T-66)."""

    enabled: Switch = Field(
        True, description="false injects the best that there is, however little it has to do with it"
    )
    strong_margin: Share = Field(
        0.06,
        description="how far above the host's threshold the nearest memory must be, or nothing is injected; or else",
    )
    strong_coverage: Share = Field(
        0.5, description="share of the message's words, weighted by rarity, of which one memory must hold as much"
    )
    coverage: Share = Field(
        0.3,
        description="share of the message's words that lets a memory in whose similarity is below the host's threshold",
    )
    least_relevance: Share = Field(
        0.5, description="share of the best memory's relevance of which every other must have as much"
    )


class TemporalDecay(Group):
    """How age lowers a score (E-19 ... E-23)."""

    enabled: Switch = Field(True, description="false ranks by relevance alone")
    decay_weight: Share = Field(0.15, description="share of the recency in the final score")
    half_life_hours: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        168, description="hours without access after which the recency is a half"
    )
    exempt_utilities: tuple[Utility, ...] = Field(
        (Utility.LOAD_BEARING,), description="utilities whose recency is always 1"
    )
    exempt_sources: tuple[Source, ...] = Field((Source.USER_ASSERTED,), description="sources whose recency is always 1")
    exempt_validities: tuple[Validity, ...] = Field(
        (Validity.CONFIRMED,), description="validities whose recency is always 1"
    )
    min_recency_score: Share = Field(0.1, description="recency that no memory falls below")


class RelatedMemories(Group):
    """Links between memories that share tags (E-33 ... E-36)."""

    enabled: Switch = Field(True, description="false neither makes links nor looks at them")
    tag_overlap_threshold: PositiveCount = Field(3, description="tags that two memories must share to be linked")
    related_boost: Share = Field(0.08, description="what a memory below the cut gains that a selected one is linked to")
    max_related_per_memory: Count = Field(10, description="links of one memory that count")
    rebuild_interval_cycles: PositiveCount = Field(25, description="message loops between two rebuilds of the links")


class SignatureAlgorithm(StrEnum):
    """How memories are signed (T-30)."""

    AUTO = "auto"
    HMAC = "hmac-sha256"
    ED25519 = "ed25519"


class QualityLayer(Group):
    """Scores, validators, links and the report of the quality layer (Q-07 ... Q-71)."""

    relationship_threshold: Share = Field(
        0.9, description="similarity, (1 + cosine) / 2, from which a new memory's links to others are suggested"
    )
    validator_seconds: Annotated[float, Field(gt=0, le=60)] = Field(
        2.0, description="seconds after which a validator is given up; that is an error on the memory"
    )
    require_signature: Switch = Field(False, description="true makes it an error that a memory was never signed")
    signature: SignatureAlgorithm = Field(
        SignatureAlgorithm.AUTO,
        description="auto: ed25519 where `cryptography` is installed, else hmac-sha256 with a local key",
    )
    ranking_weight: Share = Field(
        0.0, description="how far quality counts in recall: the score is taken times 1 - weight * (1 - quality score)"
    )
    stale_from: Share = Field(0.5, description="staleness from which a memory counts as stale")
    stale_share: Share = Field(0.3, description="share of stale memories above which the report says so")
    large_store: PositiveCount = Field(50_000, description="memories above which the report has advice about the index")


class Notes(Group):
    """The notes that a person keeps for the agent, and the index over them (V-04 ... V-06, V-11)."""

    enabled: Switch = Field(True, description="false leaves the notes alone: nothing is indexed, the tool says so")
    folder: Annotated[str, Field(min_length=1)] = Field(
        "user_notes", description="where the notes are: a folder in the memory folder, or a whole path"
    )
    embedding_model: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="null: Agent Zero's own; or a sentence-transformers model, such as all-mpnet-base-v2 (T-20)"
    )
    min_chars: Count = Field(MIN_CHARS, description="characters below which a piece of a note goes with its neighbour")
    max_chars: Annotated[int, Field(strict=True, ge=100)] = Field(
        MAX_CHARS, description="characters that no piece exceeds; of more, a model may not see the end"
    )
    max_results: Annotated[int, Field(strict=True, ge=1, le=50)] = Field(
        5, description="pieces that the agent's tool answers with"
    )
    always: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        (), max_length=20, description="ids of notes whose whole text stands in every prompt (V-50)"
    )
    always_max_chars: PositiveCount = Field(4000, description="characters of those notes together; what is more is cut")


class CoRetrieval(Group):
    """The log of what was recalled together (E-27 ... E-32)."""

    enabled: Switch = Field(True, description="false keeps no log of what was recalled together")
    max_entries: PositiveCount = Field(500, description="recalls that a new log keeps; one that exists keeps its own")
    cluster_threshold: PositiveCount = Field(
        5, description="recalls together above which a pair of memories is named as a cluster candidate"
    )


class Backup(Group):
    """The copy of every memory beside the store (T-64)."""

    enabled: Switch = Field(True, description="false keeps no backup; one that is there stays as it is")
    kept_deleted: Count = Field(
        1000, description="deleted memories that the backup still knows, for `restore --deleted`"
    )


class Deduplication(Group):
    """What maintenance does about memories that say the same (E-38 ... E-46, E-78)."""

    enabled: Switch = Field(True, description="false looks for no duplicates")
    similarity_threshold: Share = Field(
        0.9, description="cosine above which two memories are looked at as duplicates; the same text always is"
    )
    auto_deprecate_agent_inferred: Switch = Field(
        True, description="false leaves both of two duplicates in use that the agent inferred"
    )
    max_pairs_per_cycle: Count = Field(
        20, description="pairs that one maintenance acts on; what is left waits for the next one"
    )
    log_all_candidates: Switch = Field(
        True, description="every pair above the threshold is a line of `duplicates.jsonl`, with what was done, and why"
    )
    divergence_guard: Switch = Field(
        True, description="false takes every pair above the threshold for duplicates, whatever they differ in (T-67)"
    )


def _check_knowledge_url(url: str) -> str:
    if "::" in url or "\0" in url:
        raise ValueError("allowed: a path, or one URL such as file://, file:///folder or s3://bucket/folder")
    return url


def _check_cache_signal(signal: str) -> str:
    if signal != "file" and not signal.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("allowed: file, or a URL such as redis://host:6379/0")
    return signal


Seconds = Annotated[float, Field(gt=0, le=600)]


class Knowledge(Group):
    """Where institutional knowledge is kept, and how its readers learn that it has changed (T-32, M-52)."""

    enabled: Switch = Field(True, description="false shows no knowledge in prompts, and lets no agent distil any")
    knowledge_url: Annotated[str, AfterValidator(_check_knowledge_url)] = Field(
        "file://",
        description="what holds `context/memory/`: a folder (`file://` alone: Agent Zero's `usr`), `s3://...`",
    )
    cache_signal: Annotated[str, AfterValidator(_check_cache_signal)] = Field(
        "file", description="what says that knowledge has changed: `file`, or `redis://...` for several machines"
    )
    storage_timeout_seconds: Seconds = Field(5.0, description="seconds after which one request to `s3://` is given up")
    signal_timeout_seconds: Seconds = Field(
        1.0, description="seconds after which one request to `redis://` is given up"
    )
    turn_wait_seconds: Seconds = Field(
        0.2, description="seconds that a turn waits for knowledge that has changed; then it goes on with what is known"
    )
    recheck_seconds: Seconds = Field(
        60.0, description="seconds after which knowledge is looked at without a signal: it may have been edited by hand"
    )


class Vault(Group):
    """The curated memory behind a write-gate (V-42, V-55, V-63, T-21, T-55)."""

    enabled: Switch = Field(True, description="false keeps the vault out of every prompt and out of recall")
    scopes: tuple[VaultName, ...] = Field(
        (SHARED_SCOPE, OWN_SCOPE), description="scopes that an agent sees; `<agent>` stands for its own profile"
    )
    agents: tuple[VaultName, ...] = Field(
        (), description="agent names that are valid scopes beside those of the host's own profiles"
    )
    max_active: PositiveCount = Field(100, description="active records that a vault holds at most")
    max_items: PositiveCount = Field(20, description="records that the block of what fits a message shows at most")
    similarity_threshold: Share = Field(0.85, description="cosine from which a record counts as found by its meaning")
    consolidation_floor: Share = Field(
        0.5, description="similarity from which two records of a scope are named as candidates to become one"
    )
    snapshot_tokens: Count = Field(
        1000, description="estimated tokens of the snapshot; registers are left out beyond, canon never is"
    )
    journal_signals: tuple[VaultName, ...] = Field(
        JOURNAL_SIGNALS, description="words or phrases that belong into a journal; a text that holds one is rejected"
    )

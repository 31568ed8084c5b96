"""The settings that come in groups, as the specifications write them: one model for each object."""

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
    """The order in which memories are selected, and that in which they are shown."""

    SELECT_BY_SCORE = "select_by_score"
    TIERED = "tiered"
    SCORE = "score"


class Group(BaseModel):
    """Immutable; an unknown key is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class QueryExpansion(Group):
    """The queries that are made of a message."""

    enabled: Switch = Field(True, description="false queries with the user's message only")
    retrieval_k_per_variant: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        8, description="nearest memories that each variant of the query returns"
    )
    use_domain_scoping: Switch = Field(True, description="also queries with the domain of the turn, if known")
    use_keyword_extraction: Switch = Field(True, description="also queries with the keywords of the message")
    max_keywords: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(
        12, description="maximum number of keywords, taken from the beginning of the message"
    )


class Lexical(Group):
    """The search by words, beside the one by meaning."""

    enabled: Switch = Field(
        True,
        description="false ranks by vector similarity only, exactly as specified; `noise_gate` then goes by it too",
    )
    candidates: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        24, description="memories that lexical search returns"
    )


class NoiseGate(Group):
    """When nothing, or less, is injected."""

    enabled: Switch = Field(
        True, description="false always injects the best memories, however little they have to do with the message"
    )
    least_likely: Share = Field(
        0.4, description="inject nothing unless a memory bears on the message with this estimated probability"
    )
    least_share: Share = Field(
        0.06, description="leave out what is less likely than this to be the answer, but for the best"
    )


class TemporalDecay(Group):
    """The decay of a score with the age of a memory."""

    enabled: Switch = Field(True, description="false ranks by relevance only")
    decay_weight: Share = Field(0.15, description="weight of recency in the final score")
    half_life_hours: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        168, description="half-life of recency: hours without access until it is 0.5"
    )
    exempt_utilities: tuple[Utility, ...] = Field(
        (Utility.LOAD_BEARING,), description="utilities whose recency is always 1"
    )
    exempt_sources: tuple[Source, ...] = Field((Source.USER_ASSERTED,), description="sources whose recency is always 1")
    exempt_validities: tuple[Validity, ...] = Field(
        (Validity.CONFIRMED,), description="validities whose recency is always 1"
    )
    min_recency_score: Share = Field(0.1, description="minimum recency of a memory")


class RelatedMemories(Group):
    """Links between memories that share tags."""

    enabled: Switch = Field(True, description="false neither creates nor uses links")
    tag_overlap_threshold: PositiveCount = Field(
        3, description="number of tags that two memories must share to be linked"
    )
    related_boost: Share = Field(0.08, description="boost for a memory below the cut that a selected memory links to")
    max_related_per_memory: Count = Field(10, description="maximum number of links per memory")
    rebuild_interval_cycles: PositiveCount = Field(25, description="message loops between two rebuilds of the links")


class SignatureAlgorithm(StrEnum):
    """The algorithm that signs memories."""

    AUTO = "auto"
    HMAC = "hmac-sha256"
    ED25519 = "ed25519"


class QualityLayer(Group):
    """Scores, validators, links and the report of the quality layer."""

    relationship_threshold: Share = Field(
        0.9, description="minimum similarity, (1 + cosine) / 2, for suggesting links from a new memory to others"
    )
    require_signature: Switch = Field(False, description="true reports a memory that was never signed as an error")
    signature: SignatureAlgorithm = Field(
        SignatureAlgorithm.AUTO,
        description="auto: ed25519 if `cryptography` is installed, else hmac-sha256 with a local key",
    )
    ranking_weight: Share = Field(
        0.0, description="weight of quality in recall: the score is multiplied by 1 - weight * (1 - quality score)"
    )
    stale_from: Share = Field(0.5, description="staleness from which a memory counts as stale")
    stale_share: Share = Field(0.3, description="share of stale memories above which the report says so")
    large_store: PositiveCount = Field(
        50_000, description="number of memories above which the report gives advice about the index"
    )


class Notes(Group):
    """The notes that a person keeps for the agent, and the index over them."""

    enabled: Switch = Field(True, description="false turns notes off: nothing is indexed, and the tool says so")
    folder: Annotated[str, Field(min_length=1)] = Field(
        "user_notes", description="where the notes are: a folder in the memory folder, or an absolute path"
    )
    embedding_model: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="null: Agent Zero's own; or a sentence-transformers model, such as all-mpnet-base-v2 (T-20)"
    )
    min_chars: Count = Field(
        MIN_CHARS, description="characters below which a chunk of a note is merged with its neighbour"
    )
    max_chars: Annotated[int, Field(strict=True, ge=100)] = Field(
        MAX_CHARS, description="maximum characters of a chunk; a model may not read longer ones to the end"
    )
    max_results: Annotated[int, Field(strict=True, ge=1, le=50)] = Field(
        5, description="maximum number of chunks that the agent's tool returns"
    )
    always: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        (), max_length=20, description="ids of notes whose full text goes into every prompt (V-50)"
    )
    always_max_chars: PositiveCount = Field(
        4000, description="maximum characters of those notes together; the rest is cut off"
    )


class CoRetrieval(Group):
    """The log of the memories that were recalled together."""

    enabled: Switch = Field(True, description="false keeps no log of memories that were recalled together")
    max_entries: PositiveCount = Field(
        500, description="number of recalls that a new log keeps; an existing log keeps its own number"
    )
    cluster_threshold: PositiveCount = Field(
        5, description="a pair recalled together more often than this is named as a cluster candidate"
    )


class Backup(Group):
    """The copy of every memory beside the store."""

    enabled: Switch = Field(True, description="false keeps no backup; an existing one stays as it is")
    kept_deleted: Count = Field(
        1000, description="number of deleted memories that the backup keeps for `restore --deleted`"
    )


class Deduplication(Group):
    """The treatment of duplicates by maintenance."""

    enabled: Switch = Field(True, description="false turns the search for duplicates off")
    similarity_threshold: Share = Field(
        0.9,
        description="cosine above which two memories are duplicate candidates; identical texts always are, and above "
        "0.75 what says the same",
    )
    auto_deprecate_agent_inferred: Switch = Field(
        True, description="false keeps both duplicates in use if the agent inferred both"
    )
    max_pairs_per_cycle: Count = Field(
        20, description="maximum number of pairs per maintenance run; the rest waits for the next run"
    )
    log_all_candidates: Switch = Field(
        True,
        description="true logs every pair above the threshold in `ledger.db`, with the outcome and the reason",
    )
    divergence_guard: Switch = Field(
        True, description="false treats every pair above the threshold as duplicates, however they differ (T-67)"
    )


def _check_knowledge_url(url: str) -> str:
    if "::" in url or "\0" in url:
        raise ValueError("a path, or one URL such as file://, file:///folder or s3://bucket/folder")
    return url


def _check_cluster(address: str) -> str:
    if address and "://" not in address:
        raise ValueError("empty, or the address of a Dask scheduler such as tcp://host:8786")
    return address


Seconds = Annotated[float, Field(gt=0, le=600)]


class Knowledge(Group):
    """The places of institutional knowledge and of its logs, and the machines that take part."""

    enabled: Switch = Field(
        True, description="false keeps knowledge out of prompts and stops agents from distilling any"
    )
    knowledge_url: Annotated[str, AfterValidator(_check_knowledge_url)] = Field(
        "file://",
        description="where `context/memory/` is: a folder (`file://` alone: Agent Zero's `usr`), or `s3://...`",
    )
    log_url: Annotated[str, AfterValidator(_check_knowledge_url)] = Field(
        "system/logs", description="where the audit logs are: a folder (a relative one is in `usr`), or `s3://...`"
    )
    cluster: Annotated[str, AfterValidator(_check_cluster)] = Field(
        "", description="Dask scheduler whose workers count the logs, such as `tcp://host:8786`; empty: this machine"
    )
    storage_timeout_seconds: Seconds = Field(5.0, description="timeout in seconds of one request to `s3://`")
    recheck_seconds: Seconds = Field(
        60.0, description="seconds between checks for manual edits of the knowledge, and for changes at `s3://`"
    )


class Vault(Group):
    """The curated memory behind a write-gate."""

    enabled: Switch = Field(True, description="false keeps the vault out of every prompt and out of recall")
    scopes: tuple[VaultName, ...] = Field(
        (SHARED_SCOPE, OWN_SCOPE), description="scopes that an agent sees; `<agent>` stands for its own profile"
    )
    agents: tuple[VaultName, ...] = Field(
        (), description="agent names that are valid scopes in addition to Agent Zero's profiles"
    )
    max_active: PositiveCount = Field(100, description="maximum number of active records in a vault")
    max_items: PositiveCount = Field(
        20, description="maximum number of records in the block of records that match a message"
    )
    similarity_threshold: Share = Field(0.85, description="minimum cosine for a record to count as a vector match")
    consolidation_floor: Share = Field(0.5, description="minimum similarity for suggesting to merge two records")
    snapshot_tokens: Count = Field(
        1000, description="maximum estimated tokens of the snapshot; registers beyond it are left out, canon never is"
    )
    journal_signals: tuple[VaultName, ...] = Field(
        JOURNAL_SIGNALS, description="words or phrases that belong in a journal; a text that contains one is rejected"
    )


class StandingRules(Group):
    """The block of the user's standing rules that is in every prompt."""

    enabled: Switch = Field(True, description="false keeps standing rules out of the prompt, unless they are recalled")
    max_rules: PositiveCount = Field(8, description="maximum number of standing rules in a prompt")
    max_tokens: PositiveCount = Field(200, description="maximum estimated tokens of the block of standing rules")


class Distillation(Group):
    """The conditions under which an observation becomes an entry of knowledge, and stays one."""

    confidence_threshold: Share = Field(0.7, description="minimum confidence for an entry to enter every prompt (M-58)")
    archive_below: Share = Field(0.4, description="confidence below which an entry is archived (M-60)")
    decay_window_days: PositiveCount = Field(
        30, description="days without confirmation that lower the confidence by a tenth (M-59)"
    )
    pattern_window_days: PositiveCount = Field(
        7, description="number of latest days that are searched for new patterns (M-11)"
    )
    token_limit: PositiveCount = Field(2_000, description="maximum tokens of knowledge in a prompt (M-62)")
    schedule_hours: Annotated[float, Field(gt=0, le=8_784)] = Field(
        24.0, description="hours between two scheduled distillations (M-25)"
    )
    hop_limit: PositiveCount = Field(10, description="messages after which a chain counts as escalated (M-13, M-67)")
    min_transactions: PositiveCount = Field(
        3, description="minimum number of transactions for a pattern to be written (M-68)"
    )


class AuditLog(Group):
    """The log that our own writer keeps."""

    enabled: Switch = Field(True, description="false writes no audit log; existing logs stay and are still read")
    reasoning: Switch = Field(False, description="true logs the agent's reasons, masked; they may repeat what was said")

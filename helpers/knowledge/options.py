"""The settings of distillation (M-23a, M-68) and of the audit log (T-56)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..setting_groups import Group, PositiveCount, Share, Switch


class Distillation(Group):
    """What becomes an entry, how sure it must be, and how long that lasts (M-23a)."""

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
    """The log that our own writer keeps (T-56)."""

    enabled: Switch = Field(True, description="false writes no audit log; existing logs stay and are still read")
    reasoning: Switch = Field(
        False, description="true logs the agent's own reasons, what looks private masked; they may repeat what was said"
    )

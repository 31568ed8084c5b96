"""What to do about what was counted, in the words of this file: by error, by outcome, by gap (M-46, T-22). Pure."""

from __future__ import annotations

from .troubles import SKIPPED
from .words import OTHER_ERROR, ChainOutcome

ON_ERROR = {
    "OUT_OF_SCOPE": "Compare a request with the scope before anything else; reject it at {agent}, say why in the"
    " compliance notes, and call no further agent.",
    "INVALID_INPUT": "Check the form of the input before {agent} is called, and ask for what is missing.",
    "PROCESSING_ERROR": "Retry at {agent} once; if it fails again, return what there is and say what is missing.",
    "TIMEOUT": "Split long work before it reaches {agent}, or give it more time; do not retry it unchanged.",
    "DEPENDENCY_ERROR": "Make sure that everything {agent} needs is there before it is called.",
    "VALIDATION_ERROR": "Check the output of {agent} against its schema before it is handed on.",
    "TOOL_NOT_FOUND": "Call only the tools that the prompt lists; {agent} is none of them.",
    "MISFORMATTED": "Let {agent} answer with one JSON object that names a tool, and nothing around it.",
    "REPEATED_CALL": "Do not call {agent} again with the same arguments: change them, or use what it gave.",
    "INTERVENTION": "Say what is planned before {agent} is started, and ask where a request leaves a choice.",
    "NO_ANSWER": "Give {agent} smaller steps, and answer with what there is before it is stopped.",
    OTHER_ERROR: "Report failures of {agent} with one of the error codes of the message format.",
    SKIPPED: "Check what {agent} depends on first: its tasks are rarely reached.",
}
ON_PATH = {
    ChainOutcome.SUCCESS: "Keep to this path for such requests. Look into one that takes more than {most} hops.",
    ChainOutcome.PARTIAL: "Expect partial results on this path: say what is missing, and retry only what failed.",
    ChainOutcome.FAILURE: "Expect this path to fail: check inputs and dependencies before {first} starts it.",
    ChainOutcome.ESCALATED: (
        "Split such requests, or begin with the larger model: on this path they outgrow their limits."
    ),
    ChainOutcome.REJECTED: "Check scope and policy at {first} before anything else is started on this path.",
}
ON_INPUT = {
    ChainOutcome.SUCCESS: "Treat such input as well supported.",
    ChainOutcome.PARTIAL: "Announce partial results for such input, and say which tasks it is likely to fail.",
    ChainOutcome.FAILURE: "Check such input before planning; expect it to fail.",
    ChainOutcome.ESCALATED: "Plan such input in small steps, or begin with the larger model.",
    ChainOutcome.REJECTED: "Check such input against scope and policy before planning.",
}
#: What a gap is called in a sentence, and what to do about it; every other one is a check that failed.
GAPS = {
    "limitations": (
        "limitations of a result were named",
        "Read the limitations that {agent} names before its result is used, and hand them on with it.",
    ),
    "low_confidence": (
        "the confidence in a result was low",
        "Have a result of {agent} that is not sure checked before it is handed on.",
    ),
}
CHECK = (
    "the check {subject} failed",
    "Let {agent} make sure of {subject} before it returns a result, or say in the result that it does not hold.",
)

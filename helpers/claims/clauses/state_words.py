"""The words for the states that a thing is in, and which of them exclude each other (C-40).

The table is closed: two words of one slot with other values exclude each other. It holds the opposites that have words
of their own; those that a prefix makes ("signed", "unsigned") are made from their list.
"""

from __future__ import annotations

from typing import Final

#: Words that say more than their state: who is no vegan may be a vegetarian.
STRICTER: Final = frozenset(("vegan",))
State = tuple[str, str]


def _table(rows: dict[str, dict[str, str]]) -> dict[str, tuple[State, ...]]:
    table: dict[str, tuple[State, ...]] = {}
    for slot, values in rows.items():
        for value, written in values.items():
            for words in written.split():
                form = words.replace("_", " ").strip()
                table[form] = (*table.get(form, ()), (slot, value))
    return table


#: Words that a prefix turns into their opposite.
_PREFIXED: Final = {
    "un": (
        "signed verified tested documented supported limited restricted compressed indexed versioned monitored managed"
        " insured furnished heated published announced confirmed assigned claimed authenticated maintained reliable"
        " safe sorted ordered formatted mapped mounted patched pinned sealed tagged typed vaccinated happy"
        " comfortable certain interested satisfied prepared booked scheduled staffed guarded attended audited reviewed"
        " moderated named read answered equipped licensed qualified registered trained decided expected finished used"
        " usable capped throttled metered rated buffered aware modified affected loaded muted"
        " subscribed followed deprecated friendly popular lucky familiar willing able common"
        " fair justified related reserved secured sharded partitioned normalised normalized sampled"
        " synchronised synchronized trusted validated whitelisted"
    ),
    "in": (
        "compatible complete correct consistent secure visible dependent accessible accurate efficient sufficient"
        " adequate appropriate effective eligible capable convenient tolerant"
    ),
    "im": "possible mature patient polite perfect proper precise",
    "ir": "regular relevant reversible responsible",
    "il": "legal legible logical",
    "non-": (
        "refundable deterministic alcoholic transferable exclusive commercial fatal"
        " compliant negotiable essential standard root linear"
    ),
    "dis": "connected satisfied contented honest loyal",
}


def _prefixed() -> dict[str, dict[str, str]]:
    """The rows of the words that have an opposite by a prefix; with a hyphen, both spellings."""
    rows = {}
    for prefix, words in _PREFIXED.items():
        for word in words.split():
            plain = prefix.removesuffix("-")
            rows[word] = {"yes": word, "no": f"{plain}{word} {plain}-{word}"}
    return rows


#: Words after "is" or "became" -> (slot, value). Two words of one slot with other values exclude each other.
STATES: Final = _table(
    {
        "enabled": {
            "on": "enabled re-enabled reenabled on turned_on switched_on activated active",
            "off": "disabled off turned_off switched_off deactivated inactive",
        },
        "allowed": {
            "yes": "allowed permitted",
            "no": "forbidden prohibited banned disallowed",
        },
        "required": {"yes": "required mandatory compulsory obligatory", "no": "optional voluntary"},
        "public": {
            "yes": "public publicly_accessible publicly_available open-source open_source",
            "no": "private closed-source closed_source",
        },
        "open": {
            "yes": "open open_again reopened re-opened open_to_everyone open_to_everybody open_to_all",
            "no": "closed shut shut_down",
        },
        "up": {
            "yes": "online up up_again back_up back_online running_again reachable in_service back_in_service",
            "no": "offline down unreachable out_of_service",
        },
        "active": {"yes": "active unarchived", "no": "inactive archived discontinued"},
        "locked": {"yes": "locked", "no": "unlocked"},
        "available": {"yes": "available", "no": "unavailable sold_out out_of_stock"},
        "passing": {
            "yes": "passing green fixed working_again repaired working",
            "no": "failing red broken out_of_order",
        },
        "encrypted": {"yes": "encrypted", "no": "unencrypted decrypted"},
        "cached": {"yes": "cached", "no": "uncached"},
        "valid": {"yes": "valid still_valid", "no": "expired invalid"},
        "live": {"yes": "live", "no": "rolled_back taken_down"},
        "armed": {"yes": "armed", "no": "disarmed"},
        "stable": {
            "yes": "stable production-ready generally_available ga",
            "no": "experimental unstable in_beta in_alpha",
        },
        "married": {"yes": "married", "no": "unmarried"},
        "marital status": {
            "single": "single",
            "engaged": "engaged",
            "married": "married",
            "divorced": "divorced",
            "widowed": "widowed",
        },
        "place of work": {
            "home": "remote remotely fully_remote from_home",
            "office": "on_site on-site onsite from_the_office in_the_office",
        },
        "absence": {
            "away": (
                "on_leave on_parental_leave on_maternity_leave on_paternity_leave on_sick_leave on_sabbatical"
                " on_vacation on_holiday on_furlough"
            ),
            "here": "back back_at_work back_in_the_office",
        },
        "resolved": {"yes": "resolved fixed solved", "no": "unresolved unfixed ongoing unsolved"},
        "paid": {"yes": "paid settled", "no": "unpaid outstanding overdue"},
        "blocked": {"yes": "blocked", "no": "unblocked"},
        "protected": {"yes": "protected", "no": "unprotected"},
        "review": {
            "pending": (
                "pending under_review in_review awaiting_approval awaiting_review waiting_for_review"
                " waiting_for_approval a_draft draft being_examined"
            ),
            "approved": "approved accepted granted",
            "rejected": "rejected denied declined turned_down",
        },
        "progress": {
            "open": "not_started todo to_do pending",
            "ongoing": "ongoing in_progress underway under_way",
            "done": "done completed complete finished",
            "cancelled": "cancelled canceled abandoned called_off",
            "paused": "paused on_hold",
        },
        "mode": {"manual": "manual manually by_hand", "automatic": "automatic automated automatically"},
        "employment": {"full": "full-time full_time", "part": "part-time part_time"},
        "timing": {"yes": "synchronous synchronously", "no": "asynchronous asynchronously"},
        "sale": {"open": "for_sale on_sale up_for_sale", "sold": "sold"},
        "vacancy": {"yes": "vacant unfilled unoccupied", "no": "filled taken occupied"},
        "consent": {"in": "opt-in", "out": "opt-out"},
        "nullable": {"yes": "nullable", "no": "not_null not_nullable non-null non-nullable"},
        "writable": {
            "yes": "writable writeable read-write read_write mutable modifiable editable changeable",
            "no": "read-only read_only readonly append-only append_only immutable write-protected frozen",
        },
        "filled up": {
            "yes": "full crowded overcrowded packed booked_out fully_booked non-empty nonempty",
            "no": "empty deserted",
        },
        "handedness": {"left": "left-handed left_handed", "right": "right-handed right_handed"},
        "charge": {
            "yes": "paid-for chargeable subject_to_a_fee subject_to_charge",
            "no": "free free_of_charge complimentary gratis",
        },
        "source": {"open": "open-source open_source", "closed": "proprietary closed-source closed_source"},
        "profit": {
            "yes": "profitable in_the_black making_a_profit making_money",
            "no": "unprofitable loss-making in_the_red making_a_loss making_losses losing_money",
        },
        "case": {"yes": "case-sensitive case_sensitive", "no": "case-insensitive case_insensitive"},
        "keeping of state": {"yes": "stateful", "no": "stateless"},
        "threads": {"one": "single-threaded", "several": "multi-threaded multithreaded"},
        "tenancy": {"one": "single-tenant", "several": "multi-tenant"},
        "loss": {"yes": "lossy", "no": "lossless"},
        "typing": {"static": "statically_typed", "dynamic": "dynamically_typed"},
        "cable": {"yes": "wired", "no": "wireless cordless"},
        "eating of meat": {
            "eats": "meat-eater meat_eater omnivore carnivore omnivorous",
            "none": "vegetarian vegan pescatarian pescetarian",
        },
        "smoking": {"smokes": "smoker chain-smoker", "none": "non-smoker nonsmoker smoke-free"},
        "alcohol": {"drinks": "drinker beer-drinker wine-drinker", "none": "teetotal teetotaller teetotaler"},
        "wakefulness": {"yes": "awake", "no": "asleep"},
        "life": {"yes": "alive", "no": "dead deceased"},
        "punctuality": {
            "yes": "on_time on_schedule on_track punctual",
            "no": "late delayed behind_schedule",
        },
        "health": {"yes": "healthy well_again in_good_health", "no": "sick ill unwell unhealthy"},
        "moisture": {"yes": "wet damp", "no": "dry"},
        "danger": {"yes": "dangerous hazardous", "no": "harmless"},
        "evaluation": {"lazy": "lazy", "eager": "eager"},
        "mood": {"happy": "pleased delighted", "no": "fed_up disappointed"},
        "temperature": {"hot": "hot", "cold": "cold"},
        "sharing": {"yes": "shared", "no": "unshared"},
        "place of the event": {
            "online": "virtual held_online held_remotely",
            "there": "in_person in-person held_in_person held_on_site",
        },
        "place outside": {"yes": "outdoors outside", "no": "indoors inside"},
        "presence": {"yes": "present", "no": "absent missing"},
        "stock": {"yes": "in_stock", "no": "sold_out out_of_stock"},
        "tolerance": {"strict": "strict", "lenient": "lenient permissive lax"},
        "joining": {"open": "open_to_everyone open_to_everybody open_to_all", "no": "invite-only invitation-only"},
        "reversal": {"yes": "reversible", "no": "irreversible permanent"},
        "relation": {"yes": "on_speaking_terms on_good_terms", "no": "estranged on_bad_terms at_odds"},
        **_prefixed(),
    }
)
#: Past forms of verbs that bring about a state -> (slot, value), beside the words of `STATES` that are past forms.
ACTS: Final = {
    word: STATES[word]
    for word in (
        "re-enabled reenabled re-opened"
        " enabled disabled activated deactivated closed reopened locked unlocked archived resolved fixed solved paid"
        " approved rejected granted denied declined completed finished cancelled canceled abandoned paused blocked"
        " unblocked banned prohibited repaired filled sold encrypted expired armed disarmed automated signed verified"
        " documented published announced confirmed assigned sealed vaccinated furnished insured compressed connected"
        " disconnected decrypted unmounted mounted muted unmuted patched protected decided booked"
    ).split()
} | {
    **{word: (("progress", "cancelled"), ("active", "no")) for word in ("cancelled", "canceled")},
    **{word: (*STATES[word], ("open", "no")) for word in ("resolved", "solved")},
    "merged": (("open", "no"), ("review", "approved")),
    "shipped": (("progress", "done"),),
    "resumed": (("progress", "ongoing"),),
}

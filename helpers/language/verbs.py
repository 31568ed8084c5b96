"""Verb forms: which lemma a word belongs to, and in which form (base, third person, past, -ing).

A closed list: a clause whose verb is not here is still read as a whole statement (see `extract`).
"""

from __future__ import annotations

from functools import cache
from typing import Final

#: Regular verbs. The forms are made by `_inflect`.
_REGULAR: Final = """
    abandon abolish accept accommodate accompany achieve acquire activate adapt add address adjust administer admire
    admit adopt adore advertise advise advocate afford age alert allocate allow amount analyse analyze annotate
    announce annoy answer append apply appoint appraise appreciate approve archive argue arrange arrive ask assemble
    assess assign assist assume attach attend authenticate authorise authorize automate avoid babysit back bake
    balance bank base behave believe belong bill block boost borrow branch browse bump bundle bypass cache calculate
    call cancel cap carry cater cease celebrate chair change charge check chew circulate claim clarify climb close
    coach code collaborate collect combine communicate commute compensate compete compile complain complete compose
    compress comprise compute concatenate conclude configure confirm connect conserve consider consist construct
    consult consume contact contain contribute convert cook coordinate correspond create curate cycle dance deactivate
    debounce debug decide declare decline decode decommission decompress decrease decrypt default define delay delete
    deliver demolish deny depart depend deploy deprecate dequeue deregister deserialize designate despise destroy
    detach detect determine detest develop diagnose die differ disable disallow disappear disband discard disconnect
    discontinue discuss dislike dismantle dismiss dispatch displace display dissolve distribute distrust ditch divide
    divorce dominate donate double doubt downgrade drop dwell earn edit elect eliminate email emigrate emit employ
    enable encode encrypt end endorse enforce enjoy enqueue enrol enroll ensure enter equal erase escalate establish
    evacuate evaluate evict evolve examine exceed exchange exclude execute exercise exist expand expect expel expire
    explain export expose extend extract fail favor favour fetch fill filter fine-tune finish fire flip fluctuate
    follow forage format forward foster found gain garden gather generate govern graduate greet group guarantee guess
    hail halt halve hand handle happen hash hate head heal hike hire hope host house hover identify ignore illustrate
    imagine immigrate impersonate implement import impose improve include increase index indicate inform ingest
    inhabit inhale inherit inject insist inspect inspire install insure integrate intend interpret introduce invent
    invest investigate invoice invoke jog join joke jump kayak kick knit label lack land last laugh launch lease
    lengthen liaise license like limit lint listen live load loathe locate lock log look love lower maintain major
    manage manufacture mark marry marshal mask measure mediate mention mentor merge migrate miss mistrust mix moderate
    monitor motivate mount move mow multiply mute name need negotiate nominate normalise normalize note notify observe
    obtain occupy occur omit onboard open operate oppose opt orchestrate order organise organize originate oust
    outsource overlap own page paginate paint park parse partake participate pass pause perform permit persist phone
    pick pin ping plan play point poll populate port possess postpone power practice practise pray prefer prepare
    prepend prescribe preserve prevent price print process procure produce prohibit promise promote proofread protect
    provide provision proxy publish pull punish purchase purge pursue push qualify query question queue raise rank
    reach react realise realize reassign rebook reboot rebrand recall receive reckon recommend recompile reconcile
    record recover recruit recuperate recycle redeploy redirect redownload reduce refactor refer refresh refund
    refurbish refuse register rehearse reimburse reject relate relax relay release relicense relinquish reload
    relocate rely remain remember remind remove rename render renew renounce renovate rent reopen repaint repair
    repartition repeal repeat replace replicate reply report represent reproduce require rerun reschedule rescind
    resemble reserve reside resign resist resize resolve respond restart restore restrict resume retain retire retry
    return reuse reveal revert review revise revoke roam roll rotate route row rush sail sanitise sanitize save scale
    scan schedule scrap scrape secure select separate serialise serialize serve settle share shelve shift ship shorten
    sign simplify sip ski skip slip smile smoke snore solve sort span specialise specialize specify staff start state
    stay steer step stop store stream strengthen struggle study style submit subscribe subsidise subsidize succeed
    suffer suggest summarise summarize sunset supersede supervise supplant supply support surf surpass surrender
    surround survive suspect suspend swallow swap switch sync tag talk target tend terminate test text throttle time
    tokenise tokenize tolerate total track trade train transcribe transfer transition translate transmit travel treat
    trigger trim truncate trust try turn tutor unblock unify uninstall unite unlink unlock unmount unmute unpack
    unplug unsubscribe update upgrade use utilise utilize vacate validate vary verify visit volunteer wait waive walk
    want warn wash watch weigh widen wipe wire wonder work worry wrap wrestle worship yield
"""
#: Verbs whose base and third person are nouns as often; only their other forms are read as verbs.
_PAST_ONLY: Final = """
    audit average axe benchmark book box brew camp clean compost crash crave delegate draft dread dump dust dye envy
    escape escort estimate exhibit fear fence film finance fish fix fund grill harvest hunt instrument interview iron
    leak lift lodge market mock mop nap pack paddle partition patch phase photograph pilot plant podcast profile prune
    respect reward roast sand service shadow shard skate snack solder sponsor sprint stall stock stretch stub triage
    vacation vacuum value water weld
"""
#: lemma -> (third person, past, participle, -ing); an empty participle equals the past.
_IRREGULAR: Final[dict[str, tuple[str, str, str, str]]] = {
    "shoot": ("shoots", "shot", "shot", "shooting"),
    "see": ("sees", "saw", "seen", "seeing"),
    "throw": ("throws", "threw", "thrown", "throwing"),
    "withdraw": ("withdraws", "withdrew", "withdrawn", "withdrawing"),
    "tear": ("tears", "tore", "torn", "tearing"),
    "lend": ("lends", "lent", "lent", "lending"),
    "catch": ("catches", "caught", "caught", "catching"),
    "ride": ("rides", "rode", "ridden", "riding"),
    "sing": ("sings", "sang", "sung", "singing"),
    "swim": ("swims", "swam", "swum", "swimming"),
    "feed": ("feeds", "fed", "fed", "feeding"),
    "oversee": ("oversees", "oversaw", "overseen", "overseeing"),
    "undergo": ("undergoes", "underwent", "undergone", "undergoing"),
    "rebuild": ("rebuilds", "rebuilt", "rebuilt", "rebuilding"),
    "freeze": ("freezes", "froze", "frozen", "freezing"),
    "sweep": ("sweeps", "swept", "swept", "sweeping"),
    "wake": ("wakes", "woke", "woken", "waking"),
    "cut": ("cuts", "cut", "cut", "cutting"),
    "grow": ("grows", "grew", "grown", "growing"),
    "shrink": ("shrinks", "shrank", "shrunk", "shrinking"),
    "fall": ("falls", "fell", "fallen", "falling"),
    "rise": ("rises", "rose", "risen", "rising"),
    "rewrite": ("rewrites", "rewrote", "rewritten", "rewriting"),
    "come": ("comes", "came", "come", "coming"),
    "meet": ("meets", "met", "met", "meeting"),
    "sit": ("sits", "sat", "sat", "sitting"),
    "stand": ("stands", "stood", "stood", "standing"),
    "hang": ("hangs", "hung", "hung", "hanging"),
    "reset": ("resets", "reset", "reset", "resetting"),
    "lay": ("lays", "laid", "laid", "laying"),
    "lie": ("lies", "lay", "lain", "lying"),
    "spend": ("spends", "spent", "spent", "spending"),
    "choose": ("chooses", "chose", "chosen", "choosing"),
    "draw": ("draws", "drew", "drawn", "drawing"),
    "fly": ("flies", "flew", "flown", "flying"),
    "sleep": ("sleeps", "slept", "slept", "sleeping"),
    "break": ("breaks", "broke", "broken", "breaking"),
    "send": ("sends", "sent", "sent", "sending"),
    "hold": ("holds", "held", "held", "holding"),
    "put": ("puts", "put", "put", "putting"),
    "let": ("lets", "let", "let", "letting"),
    "lose": ("loses", "lost", "lost", "losing"),
    "win": ("wins", "won", "won", "winning"),
    "buy": ("buys", "bought", "bought", "buying"),
    "bring": ("brings", "brought", "brought", "bringing"),
    "give": ("gives", "gave", "given", "giving"),
    "sell": ("sells", "sold", "sold", "selling"),
    "shut": ("shuts", "shut", "shut", "shutting"),
    "take": ("takes", "took", "taken", "taking"),
    "have": ("has", "had", "had", "having"),
    "do": ("does", "did", "done", "doing"),
    "run": ("runs", "ran", "run", "running"),
    "eat": ("eats", "ate", "eaten", "eating"),
    "drink": ("drinks", "drank", "drunk", "drinking"),
    "drive": ("drives", "drove", "driven", "driving"),
    "speak": ("speaks", "spoke", "spoken", "speaking"),
    "know": ("knows", "knew", "known", "knowing"),
    "write": ("writes", "wrote", "written", "writing"),
    "build": ("builds", "built", "built", "building"),
    "make": ("makes", "made", "made", "making"),
    "go": ("goes", "went", "gone", "going"),
    "get": ("gets", "got", "gotten", "getting"),
    "pay": ("pays", "paid", "paid", "paying"),
    "lead": ("leads", "led", "led", "leading"),
    "begin": ("begins", "began", "begun", "beginning"),
    "tell": ("tells", "told", "told", "telling"),
    "think": ("thinks", "thought", "thought", "thinking"),
    "say": ("says", "said", "said", "saying"),
    "feel": ("feels", "felt", "felt", "feeling"),
    "hear": ("hears", "heard", "heard", "hearing"),
    "set": ("sets", "set", "set", "setting"),
    "cost": ("costs", "cost", "cost", "costing"),
    "quit": ("quits", "quit", "quit", "quitting"),
    "forbid": ("forbids", "forbade", "forbidden", "forbidding"),
    "bear": ("bears", "bore", "born", "bearing"),
    "teach": ("teaches", "taught", "taught", "teaching"),
    "wear": ("wears", "wore", "worn", "wearing"),
    "show": ("shows", "showed", "shown", "showing"),
    "mean": ("means", "meant", "meant", "meaning"),
    "keep": ("keeps", "kept", "kept", "keeping"),
    "read": ("reads", "read", "read", "reading"),
    "bind": ("binds", "bound", "bound", "binding"),
    "find": ("finds", "found", "found", "finding"),
    "leave": ("leaves", "left", "left", "leaving"),
    "deal": ("deals", "dealt", "dealt", "dealing"),
    "fit": ("fits", "fit", "fit", "fitting"),
    "hide": ("hides", "hid", "hidden", "hiding"),
    "seek": ("seeks", "sought", "sought", "seeking"),
    "spread": ("spreads", "spread", "spread", "spreading"),
    "split": ("splits", "split", "split", "splitting"),
    "steal": ("steals", "stole", "stolen", "stealing"),
    "understand": ("understands", "understood", "understood", "understanding"),
    "wed": ("weds", "wed", "wed", "wedding"),
    "beat": ("beats", "beat", "beaten", "beating"),
    "forget": ("forgets", "forgot", "forgotten", "forgetting"),
    "rip": ("rips", "ripped", "ripped", "ripping"),
    "overtake": ("overtakes", "overtook", "overtaken", "overtaking"),
    "override": ("overrides", "overrode", "overridden", "overriding"),
    "withhold": ("withholds", "withheld", "withheld", "withholding"),
    "become": ("becomes", "became", "become", "becoming"),
}
_DOUBLING: Final = frozenset(
    "occur transfer refer swim step flip scan tag slip trim drop swap ship plan stop prefer log cap run pin commit"
    " admit permit"
    " bet skip omit rip scrap expel jog babysit mop sip nap submit wrap unplug".split()
)

#: Verbs that some write with two letters: "cancelled".
_BRITISH: Final = ("cancel", "label", "travel", "model", "signal", "total")

BE_PRESENT: Final = frozenset(("am", "is", "are"))
BE_PAST: Final = frozenset(("was", "were"))
HAVE_FORMS: Final = frozenset(("has", "have", "had"))
DO_FORMS: Final = frozenset(("do", "does", "did"))
MODALS: Final = frozenset("will would can could may might shall should must".split())


def _inflect(lemma: str) -> tuple[str, str, str, str]:
    """(third person, past, participle, -ing) of a regular verb."""
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ies", lemma[:-1] + "ied", lemma[:-1] + "ied", lemma + "ing"
    third = lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    if lemma.endswith("e"):
        return third, lemma + "d", lemma + "d", lemma[:-1] + "ing"
    stem = lemma + lemma[-1] if lemma in _DOUBLING else lemma
    return third, stem + "ed", stem + "ed", stem + "ing"


@cache
def forms() -> dict[str, tuple[str, str]]:
    """Word -> (lemma, letters of its forms): b(ase), s (third person), d (past), n (participle), g (-ing)."""
    table: dict[str, tuple[str, str]] = {}

    def enter(word: str, lemma: str, letter: str) -> None:
        known = table.get(word)
        table[word] = (known[0], known[1] + letter) if known and known[0] == lemma else (lemma, letter)

    regular = {lemma: _inflect(lemma) for lemma in _REGULAR.split()}
    for lemma, (third, past, participle, gerund) in {**regular, **_IRREGULAR}.items():
        for word, letter in ((lemma, "b"), (third, "s"), (past, "d"), (participle, "n"), (gerund, "g")):
            enter(word, lemma, letter)
    for lemma in _PAST_ONLY.split():
        _, past, participle, gerund = _inflect(lemma)
        for word, letter in ((past, "d"), (participle, "n"), (gerund, "g")):
            enter(word, lemma, letter)
    for lemma in _BRITISH:
        enter(f"{lemma}led", lemma, "dn")
        enter(f"{lemma}ling", lemma, "g")
    table["found"] = ("find", "dn")  # and "founded" is of "found"
    del table["die"]  # an article in German, which is not read; "died" is what memories say
    for word in BE_PRESENT:
        table[word] = ("be", "s")
    for word in BE_PAST:
        table[word] = ("be", "d")
    table |= {"be": ("be", "b"), "been": ("be", "n"), "being": ("be", "g")}
    return table


@cache
def participles() -> dict[str, tuple[str, ...]]:
    """Lemma -> its past participles."""
    table: dict[str, tuple[str, ...]] = {}
    for word, (lemma, letters) in forms().items():
        if "n" in letters:
            table[lemma] = (*table.get(lemma, ()), word)
    return table


def is_verb(word: str) -> bool:
    """Whether a lower-case English word is a form of a verb that the grammar knows."""
    return word in forms()

"""Verb forms: which lemma a word belongs to, and in which form (base, third person, past, -ing).

A closed list: a clause whose verb is not here is still read as a whole statement (see `extract`).
"""

from __future__ import annotations

from functools import cache
from typing import Final

#: Regular verbs. The forms are made by `_inflect`.
_REGULAR: Final = """
    use work live run prefer like love enjoy hate dislike support need own require listen serve bind expose
    start end launch expire target reside locate base name call license schedule host deploy store save log
    limit cap price default point switch migrate change upgrade downgrade update rename replace transition
    convert bump raise lower increase reduce decrease relocate postpone reschedule push extend swap delay
    shift stop drop remove ditch abandon retire say mention state confirm note clarify claim report explain
    announce specify indicate share warn joke argue insist add reply answer admit promise show believe guess
    suspect doubt expect assume reckon remember recall ask wonder play drink watch accept allow permit forbid
    reject include exclude contain consist comprise depend rely integrate connect maintain manage employ age weigh
    measure implement code develop close open enable disable activate deactivate turn pin configure assign
    study wear visit stay move set cost total time favor favour cease quit follow treat plan equal intend want
    consider hope recommend suggest advise imagine question marry bear find die originate scale shorten slip trim double
    halve expand rebook revise adjust jump climb relicense smoke employ earn charge cancel
    delete discontinue terminate supersede hand merge approve archive resolve reject pause resume solve unblock
    lock unlock reopen abandon install sign subscribe transfer poll back process handle encrypt hash format host
    branch trigger deliver forward generate publish register retry refresh rotate print render display collect staff
    attend cook smoke train commute cycle walk swim practise practice belong join hire promote fire resign retire found
    invest donate subscribe renew rent lease park insure sync import export parse compile bundle lint test check monitor
    track scan index query fetch load mount cache queue schedule dispatch invoke validate verify block filter mask
    redirect proxy route balance group sort order rank label tag mark archive shut sleep meet speak stream record
    review rebrand port mix roll land sit stand hang lie spend charge bill invoice refund escalate page notify alert
    email phone text ping greet address refer close assign own contact resolve discuss decide choose pick select
    celebrate graduate major dance sing paint draw knit garden hike climb ski surf sail row fly travel visit commute
    arrive depart guarantee last purge release remain repeat respond restrict retain scrape wait power style happen
    occur ship talk
    resize flip edit succeed boost ship uninstall
    adopt exist deprecate decommission dismantle sunset dismiss step divorce separate
    rehearse coach trade repair fill provide chair moderate supervise coordinate organise organize
    administer house tutor mentor
    oppose endorse advocate tolerate distrust mistrust refuse deny decline disallow prohibit omit lack bypass preserve
    discard ignore skip pass fail succeed wipe rip mute unmute trust
    kick exchange trade reassign redeploy repartition automate manufacture produce perform invent create
    scrap abolish disband dissolve unsubscribe unplug evict expel oust erase eliminate revoke rescind repeal
    suspend halt demolish detach unmount unlink disconnect deregister vacate surrender relinquish renounce waive
    translate bake volunteer borrow collaborate liaise mediate negotiate govern inspect examine analyse analyze
    evaluate assess calculate compute summarise summarize annotate transcribe interpret proofread compose
    illustrate curate compete participate partake enrol enroll apply qualify specialise specialize operate steer
    subsidise subsidize reimburse compensate sip chew swallow inject inhale prescribe diagnose suffer recover heal
    snore jog wrestle kayak forage babysit foster adore loathe detest despise admire miss appreciate tend accompany
    carry unpack wash mow recycle repaint renovate refurbish restore assemble emit receive ingest consume throttle
    debounce enqueue dequeue serialise serialize deserialize marshal tokenise tokenize normalise normalize sanitise
    sanitize decode encode compress decompress decrypt authenticate authorise authorize impersonate provision
    orchestrate reconcile replicate recompile redownload rerun restart reboot reload append prepend concatenate
    truncate paginate debug advertise cater distribute procure purchase recruit onboard appraise dwell inhabit
    occupy settle emigrate immigrate reach exceed surpass hover fluctuate accommodate achieve acquire adapt afford
    allocate amount arrange assist attach avoid behave browse circulate combine communicate complain complete
    conclude conserve construct consult contribute correspond declare define destroy detect determine differ
    disappear divide dominate enforce ensure enter establish evolve execute extract finish gain gather identify
    impose improve inform inherit inspire introduce investigate laugh motivate multiply observe obtain outsource
    overlap persist populate possess prepare prevent protect pull punish pursue react realise realize recuperate
    refactor relate relax relay remind represent reproduce reserve resemble resist return reuse reveal roam rush
    secure simplify smile span strengthen struggle submit surround survive transmit try unify unite utilise utilize
    vary widen worry wrap yield fine-tune annoy evacuate opt wire
    deny ignore lack oppose preserve prohibit refuse skip wipe discard supplant displace shelve lengthen revert
"""
#: Verbs whose base and third person are nouns as often; only their other forms are read as verbs.
_PAST_ONLY: Final = """
     audit average axe benchmark box brew camp compost crash crave delegate draft dread dump dust envy
    escape escort estimate exhibit fear fence film finance fish fund grill harvest head hunt instrument
    interview iron leak lift lodge market mock mop nap pack paddle partition patch phase photograph pilot plant
    podcast profile prune respect reward roast sand shadow shard skate snack solder sponsor sprint stall stock
    stretch stub supply triage vacation vacuum value water weld
"""
#: lemma -> (third person, past, participle, -ing); an empty participle equals the past.
_IRREGULAR: Final[dict[str, tuple[str, str, str, str]]] = {
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

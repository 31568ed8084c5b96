"""Words that say the same in every sentence, each group by its first one: the closed table of rewordings (T-67).

Only what nobody would take for another value is in it: neither "shop" and "store", which is also what one does with
data, nor "client" and "customer", of which one is also a program.
"""

from __future__ import annotations

from typing import Final


def _groups(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


_SYNONYMS: Final = _groups(
    """
    about approximately around roughly circa
    with using via
    every each
    many numerous
    several multiple various
    big large
    huge enormous gigantic
    small little
    tiny minuscule
    quick fast rapid speedy
    quickly rapidly fast
    glad happy pleased
    sad unhappy
    angry mad
    smart clever intelligent
    hard difficult tough
    easy simple
    correct accurate
    wrong incorrect erroneous
    important crucial vital essential
    needed necessary required
    permitted allowed
    forbidden prohibited banned
    mandatory compulsory obligatory
    optional voluntary
    whole entire complete
    usual customary
    rich wealthy
    sick ill
    begin start commence
    stop halt cease
    finish complete conclude
    buy purchase acquire
    sell vend
    get obtain receive
    give provide supply
    show display
    hide conceal
    make create
    build construct
    repair fix mend
    break damage
    help assist aid
    try attempt
    choose select pick
    use utilize employ
    need require
    want desire wish
    like enjoy
    love adore
    keep retain
    mostly mainly primarily largely
    hate detest loathe
    prefer favour favor
    think believe
    say state mention
    speak talk
    tell inform notify
    answer reply respond
    ask request
    reside dwell live
    work job
    send dispatch transmit
    delete erase remove
    change modify alter
    improve enhance
    reduce decrease lower lessen
    increase raise boost
    grow expand
    permit allow
    forbid prohibit ban
    prevent avoid
    verify check confirm
    examine inspect
    watch observe
    look glance
    see view
    find locate discover
    search seek
    happen occur
    contain include comprise hold
    consist comprise
    fetch retrieve
    launch execute
    run execute
    handle manage
    oversee supervise
    lead head
    own possess
    depend rely
    connect link
    divide split
    combine merge
    gather collect
    arrive come
    depart leave
    visit attend
    travel journey
    stay remain
    wait await
    cook prepare
    eat consume
    teach instruct
    learn study
    explain clarify
    describe depict
    discuss debate
    decide determine
    plan intend
    postpone delay defer
    cancel abort
    renew extend
    approve authorize
    reject refuse decline
    review examine
    track trace
    write author
    draft compose
    print output
    read peruse
    close shut
    enable activate
    disable deactivate
    perform conduct
    call phone telephone ring
    car automobile
    bike bicycle cycle
    movie film
    picture photo photograph
    house home
    flat apartment
    kid child youngster
    dad father daddy
    mom mother mum mommy
    doctor physician
    lawyer attorney
    teacher instructor
    boss manager
    coworker colleague
    buyer purchaser
    friend buddy pal
    company firm
    meeting appointment
    trip journey
    vacation holiday
    illness disease sickness
    medicine medication
    phone telephone
    cellphone mobile
    tv television
    folder directory
    application app
    repository repo
    database db
    documentation docs
    configuration config
    environment env
    parameter param
    argument arg
    administrator admin
    information info
    specification spec
    production prod
    development dev
    kubernetes k8s
    javascript js
    typescript ts
    postgresql postgres
    maximum max
    minimum min
    amount quantity
    price cost
    salary wage
    rule regulation
    goal aim objective target
    task assignment
    problem issue
    mistake fault
    idea concept
    method approach
    way manner
    part portion
    beginning start
    top summit
    middle centre center
    sofa couch
    autumn fall
    rubbish garbage trash
    lift elevator
    supper dinner
    sweets candy
    email mail e-mail
    colour color
    grey gray
    favourite favorite
    neighbour neighbor
    behaviour behavior
    licence license
    theatre theater
    metre meter
    litre liter
    catalogue catalog
    cheque check
    tyre tire
    jewellery jewelry
    aeroplane airplane plane
    daily everyday
    yearly annually annual
    always constantly
    often frequently
    usually normally typically generally commonly
    sometimes occasionally
    rarely seldom
    hardly barely scarcely
    also additionally
    however nevertheless
    because since
    although though
    but yet
    maybe perhaps possibly
    probably likely
    almost nearly
    immediately instantly
    soon shortly
    later afterwards
    ok okay
    near nearby
    beside alongside
    beneath underneath under
    inside within
    until till
    upon on
    toward towards
    among amongst
    while whilst
    instead rather
    nobody no-one
    everybody everyone
    somebody someone
    anybody anyone
    individual person
    tasty delicious
    tired weary
    scared afraid frightened
    beautiful gorgeous
    pretty attractive
    ancient antique
    contemporary modern
    strange odd weird
    funny humorous amusing
    boring dull
    calm quiet
    loud noisy
    dangerous hazardous unsafe
    automatic automated
    previous prior preceding
    next following subsequent
    broken defective
    empty vacant
    free complimentary
    expensive costly pricey
    cheap inexpensive
    """
)


def _one_group_each() -> dict[str, str]:
    """Return each word's one group by its first word; a word that stands in two keeps to the first."""
    found: dict[str, str] = {}
    for group in _SYNONYMS:
        known = [one for one in group if one not in found]
        found.update(dict.fromkeys(known, group[0]) if group[0] in known else {})
    return found


SYNONYMS: Final[dict[str, str]] = _one_group_each()

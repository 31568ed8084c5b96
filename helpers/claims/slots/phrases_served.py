"""Rows of clauses about those who do something for somebody: dentist, landlord, tutor, best friend (see `phrases`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ..values.readers import Reads
from .phrases_people import Phrased

#: How it is told of any noun who or what is somebody's one `P`.
ONE_OF: Final = (
    "S 's P be V",
    "S 's P be [at/in/with/on/by] V",
    "P of/for/to S be [at/in/with] V",
    "P of S 's be V",
    "P S have/use/see/go/visit be V",
    "V be S 's P",
    "V be P of/for/to S",
    "V be P of S 's",
    "V be P S have/use/see/visit",
    "S have V as/for [their] [~] P",
    "S use V as/for [their] [~] P",
    "S have P call/name V",
    "S call/consider V their P",
    "V act/serve/work as S 's P",
    "V act/serve/work as P of/for/to S",
    "!V become S 's P",
    "!V become P of/for/to S",
    "!V be make/appoint/name S 's P",
    "!V take over as S 's P",
    "!V take over as P of/for/to S",
    "!V replace/succeed/follow ~ as S 's P",
    "!V replace/succeed/follow ~ as P of/for/to S",
    "!S choose/pick/hire/retain/engage/appoint/get/take/take_on/adopt/select V as/for [their] P",
    "!S switch/change/move/go [over] to V as/for [their] P",
    "!S switch/change/move/transfer [their] P [over] to V",
    "!S switch/change/move/transfer [their] P from ~ to V",
    "!S replace ~ with/by V as [their] P",
    "!S replace [their] P ~ with/by V",
    "!S swap [their] P ~ for V",
    "!S make/name V their P",
    "!S find/get/have P in V",
    "!S 's P change/switch/move [over] to V",
    "!S 's P change/switch/move from ~ to V",
    "!S 's P be change/switch/move/transfer to V",
    "!S 's P be replace by/with V",
)
_LOOK: Final = "see/visit/consult"
_DONE: Final = "do/handle/treat/manage/prepare/file/deal_with/take_care_of/look_after/see_to"


def one_of(
    nouns: str,
    *more: str,
    reads: Reads = ("person",),
    person: bool = True,
    household: bool = False,
    scheduled: bool = False,
) -> Phrased:
    """The row of a noun (`nouns`: ways to write it) of which somebody has one."""
    return Phrased(
        slots=("{}",),
        reads=reads,
        nouns=nouns,
        person=person,
        clauses=more,
        plain=True,
        household=household,
        scheduled=scheduled,
        one=True,
    )


def in_one(rows: Iterable[Phrased]) -> tuple[Phrased, ...]:
    """One row for the nouns of all rows of `one_of` that are read alike, with the clauses that they share."""
    alike: dict[tuple[object, ...], list[Phrased]] = {}
    for row in rows:
        if row.one:
            alike.setdefault((row.reads, row.person, row.household, row.scheduled), []).append(row)
    return tuple(
        replace(group[0], nouns=" ".join(row.nouns for row in group), clauses=ONE_OF) for group in alike.values()
    )


def _field(words: str) -> tuple[str, ...]:
    """How it is told who treats somebody's `words`, or does them."""
    lessons = "session/lesson/appointment/treatment/checkup/check-up/care/work/training/matter/issue/affair/case/visit"
    return (
        f"S {_LOOK} V for/about [their] [regular/routine/yearly/annual/usual/dental] {words} [~]",
        f"S go to V for [their] [regular/routine/yearly/annual/usual/dental] {words} [~]",
        f"S be {words} patient/client of V",
        f"S be V 's {words} patient/client",
        f"S 's {words} be {_DONE} by V",
        f"S 's {words} {lessons} be with/at V",
        f"S 's {words} be with V",
        f"S 's {words} {lessons} be {_DONE} by V",
        f"{words} {lessons} be with V",
        f"V {_DONE} S 's {words} [{lessons}]",
        f"V be {_DONE.replace('treat', 'treating')} S 's {words}",
        f"S have/take/get {words} [{lessons}] with/from V",
        f"S be in/have {words} with V",
        f"S 's {words} be in V 's hand",
        f"!S hire/retain/engage/choose/pick/get V for [their] {words}",
        f"!S switch/change/move to V for [their] {words}",
        f"!V take over S 's {words}",
        f"!S 's {words} be take over by V",
    )


def _does(
    nouns: str, *more: str, field: str = "", person: bool = True, household: bool = False, scheduled: bool = False
) -> Phrased:
    clauses = (*(_field(field) if field else ()), *more)
    return one_of(nouns, *clauses, person=person, household=household, scheduled=scheduled)


_HOUSING: Final = "home/flat/apartment/house/studio/room/place/unit"
_CHILDREN: Final = "child/children/kid/kids/son/daughter/baby/twins/toddler"

_HEALTH: Final = (
    _does("dentist", "V clean S 's teeth", field="teeth/dental/tooth/dentistry"),
    _does(
        "doctor=gp=physician=pcp=family_doctor=family_physician=general_practitioner=primary_care_physician"
        "=primary_care_doctor=primary_care_provider",
        field="primary_care/general_practice",
    ),
    _does(
        "ophthalmologist=eye_doctor=eye_specialist=oculist",
        "eye doctor/specialist treating S be V",
        field="eye/eyes/eyesight",
    ),
    _does("optician=optometrist", field="glasses/spectacles/lenses"),
    _does(
        "therapist=psychotherapist=shrink",
        "S be in [~] therapy/psychotherapy with V",
        field="therapy/psychotherapy/counselling/counseling",
    ),
    _does("psychiatrist", field="psychiatric/psychiatry"),
    _does("counsellor=counselor"),
    _does(
        "physiotherapist=physio=physical_therapist",
        field="physio/physiotherapy/physical_therapy",
    ),
    _does("dermatologist=skin_doctor", field="skin/dermatology"),
    _does("cardiologist=heart_specialist=heart_doctor", field="heart/cardiology"),
    _does("gynaecologist=gynecologist=ob-gyn=obgyn", field="gynaecology/gynecology/gynaecological"),
    _does("orthodontist", field="braces/orthodontic"),
    _does("paediatrician=pediatrician=children's_doctor", field="paediatric/pediatric"),
    _does("neurologist"),
    _does("urologist"),
    _does("oncologist", field="cancer/chemotherapy"),
    _does("allergist", field="allergy/allergies"),
    _does("surgeon", "V operate on S", "!V operate on S"),
    _does("chiropractor"),
    _does("osteopath"),
    _does("podiatrist=chiropodist"),
    _does("dietitian=dietician=nutritionist", field="nutrition/diet"),
    _does("speech_therapist", field="speech"),
    _does("midwife"),
    _does("masseur=masseuse=massage_therapist", "V give S massage", field="massage/massages"),
    _does(
        "vet=veterinarian=veterinary=veterinary_surgeon",
        "S take [their] dog/cat/pet/rabbit/horse to V",
        "V treat S 's dog/cat/pet/rabbit/horse",
        household=True,
    ),
    _does(
        "hairdresser=hairstylist=hair_stylist=barber",
        "V cut/do/style/trim S 's hair",
        "S get/have their hair cut/do/style/trim by/at/with V",
        field="hair/haircut/haircuts",
    ),
)
_AFFAIRS: Final = (
    _does(
        "landlord=landlady",
        f"S rent [their] {_HOUSING} from V",
        f"S 's {_HOUSING} be rent/lease from V",
        f"S 's {_HOUSING} be own by V",
        f"S 's {_HOUSING} belong to V",
        f"V rent/let/lease S 's {_HOUSING} [to] [them]",
        f"V own S 's {_HOUSING}",
        "S pay [their] rent to V",
        "S 's rent go to V",
        household=True,
    ),
    _does("lawyer=attorney=solicitor=counsel=barrister", "V represent S", field="legal/law"),
    _does(
        "divorce_lawyer=divorce_attorney=divorce_solicitor",
        field="divorce",
    ),
    _does("notary"),
    _does(
        "accountant=bookkeeper=tax_accountant=cpa=tax_adviser=tax_advisor=tax_consultant=tax_preparer",
        "!V take over S 's tax/taxes/tax_return/books",
        field="tax/taxes/tax_return/tax_returns/accounts/accounting/bookkeeping/books/tax_affairs",
    ),
    _does("financial_adviser=financial_advisor=financial_planner", field="finances/investments"),
    _does("mortgage_broker=mortgage_adviser=mortgage_advisor", field="mortgage"),
    _does("insurance_broker=insurance_agent"),
    _does("estate_agent=realtor=real_estate_agent", f"V sell S 's {_HOUSING}", f"V list S 's {_HOUSING}"),
    _does("caseworker=case_worker=social_worker"),
    _does("architect"),
    _does(
        "cleaner=cleaning_lady=housekeeper=maid",
        f"V clean [for] S 's {_HOUSING}",
        f"S 's {_HOUSING} be clean by V",
        household=True,
    ),
    _does("gardener", "V do/tend/look_after S 's garden", "S 's garden be tend/do/look_after by V"),
    _does(
        "babysitter=sitter=baby_sitter=childminder=child_minder=regular_babysitter=regular_sitter",
        f"V babysit/mind [for] S 's {_CHILDREN}",
        f"S 's {_CHILDREN} be babysit/mind by V",
        "V babysit for S",
        "S 's P for [their] child/children/kids be V",
        "V be S 's P for [their] child/children/kids",
        "children/kids ['s] P be V",
        "V be children/kids ['s] P",
        household=True,
    ),
    _does("nanny=au_pair"),
    _does("dog_walker=dog-walker", "V walk S 's dog", "S 's dog be walk by V"),
    _does("cat_sitter=cat-sitter=pet_sitter", "V look_after/feed S 's cat"),
    _does("mechanic", "V fix/service/repair S 's car", "S 's car be service/fix/repair by/at V"),
    _does("tailor"),
    _does("tattoo_artist=tattooist"),
    _does("plumber"),
    _does("electrician"),
    _does("wedding_planner"),
    _does("wedding_photographer", "V photograph S 's wedding"),
)
_STUDY: Final = (
    _does(
        "mentor",
        "V mentor S",
        "S 's P at work be V",
        "S be mentor by V",
        "S be V 's mentee/protégé/protege",
        "S 's mentorship/mentoring be with V",
        "S have mentoring session with V",
    ),
    _does(
        "thesis_supervisor=thesis_advisor=thesis_adviser=dissertation_supervisor=dissertation_advisor"
        "=dissertation_adviser=doctoral_supervisor=doctoral_advisor=phd_supervisor=phd_advisor=phd_adviser=doktorvater",
        "V supervise/advise/oversee [on] S 's [~] thesis/dissertation/phd/doctorate/doctoral",
        "S 's thesis/dissertation/phd/doctorate/doctoral be supervise/oversee/advise by V",
        "S 's thesis/dissertation/phd/doctorate/doctoral supervisor/advisor/adviser be V",
        "S 's supervisor/advisor/adviser for/on their thesis/dissertation/phd/doctorate be V",
        "S write/do their [~] thesis/dissertation/phd/doctorate under/with V",
        "S be do/write their [~] thesis/dissertation/phd/doctorate under/with V",
        "S be V 's phd/doctoral/thesis student",
    ),
    _does(
        "personal_trainer=fitness_trainer=pt",
        "S work out with V",
    ),
    _does("coach", "V coach S", "S be coach by V"),
    _does("trainer", "V train S", "S be train by V", "S train with/under V"),
    _does("driving_instructor=driving_teacher", "V teach S to drive", "S learn to drive with V"),
    _does(
        "manager=boss=line_manager=supervisor",
        "V manage/supervise S",
        "S be manage/supervise by V",
        "S report [directly] to V",
        "S answer to V",
        "S work under V",
        "S 's direct manager/superior/supervisor be V",
        "S 's P at work be V",
    ),
    _does("team_lead=team_leader", person=False),
    _does(
        "class_teacher=form_teacher=homeroom_teacher=form_tutor=class_tutor",
        "V teach S 's class",
        "S be in V 's class",
        "S be teach by V",
        "V have S in their class",
    ),
    Phrased(
        slots=("teacher of {}",),
        reads=("person",),
        plain=True,
        nouns=(
            "piano violin viola cello guitar bass drum=drums=drumming flute clarinet oboe saxophone=sax trumpet"
            " trombone harp organ ukulele singing=voice=vocal accordion maths=math=mathematics physics chemistry"
            " biology history english german french spanish italian portuguese dutch polish russian chinese=mandarin"
            " japanese arabic turkish swedish greek latin swimming=swim tennis golf riding=horse-riding skating ski"
            "=skiing"
            " surfing=surf sailing dance=dancing ballet salsa tango yoga pilates zumba karate judo boxing=box fencing"
            " chess pottery=ceramics painting=watercolour=watercolor drawing art knitting sewing cooking=cookery"
            " photography meditation coding=programming driving language climbing"
        ),
        clauses=(
            "S 's P teacher/tutor/instructor/coach/trainer be V",
            "V be S 's P teacher/tutor/instructor/coach/trainer",
            "S have V as [their] P teacher/tutor/instructor/coach/trainer",
            "P teacher/tutor/instructor/coach/trainer of/for S be V",
            "V be P teacher/tutor/instructor/coach/trainer of/for S",
            "teacher/tutor/instructor/coach/trainer of/for/in S 's P [lesson/lessons/class/classes/course] be V",
            "S 's teacher/tutor/instructor/coach/trainer in/for P be V",
            "S 's P lesson/lessons/class/classes/course/session/sessions be with/by V",
            "S 's P lesson/lessons/class/classes/course be teach/give/run/lead/take/hold by V",
            "V teach/give/run/lead/take S 's P lesson/lessons/class/classes/course",
            "V teach/give/run/lead P lesson/lessons/class/classes/course S attend/go/take",
            "V teach/coach/tutor S [in] P",
            "V give S P lesson/lessons/tuition",
            "S have/take/get/do P lesson/lessons/class/classes with/from/by V",
            "S have/take P with V",
            "S learn/study P with/from/under V",
            "S be learn/study P with/from/under V",
            "S be teach P by V",
            "S be tutor in P by V",
            "!V take over S 's P lesson/lessons/class/classes/course",
            "!V become S 's P teacher/tutor/instructor/coach/trainer",
            "!S switch/change/move to V for [their] P [lesson/lessons/class/classes]",
            "!S hire/get/find V as/for [their] P teacher/tutor/instructor/coach/trainer",
        ),
    ),
)
_CLOSE: Final = (
    _does("best_friend=bestie=best_mate=closest_friend", "!V be make S 's best friend"),
    _does("best_man", "V be best man at S 's wedding", "V be best man when S marry", scheduled=True),
    _does("maid_of_honour=maid_of_honor", scheduled=True),
    _does("godfather", scheduled=True),
    _does("godmother", scheduled=True),
    _does(
        "emergency_contact=ice_contact",
        "S 's contact in/for emergency/emergencies be V",
        "V be [person/one] to call/contact/notify/ring in/for emergency [for] S",
        "in emergency V be [person/one] to call/contact/notify/ring for S",
        "V be person/one/contact to call/contact/notify/ring for S in/for emergency",
        "in emergency call/contact/notify/ring V for S",
        "person to call/contact/notify/ring for S in emergency be V",
    ),
    _does("next_of_kin"),
    _does(
        "spouse=husband=wife",
        "S be marry to V",
        "S and V be marry",
    ),
    _does("partner=girlfriend=boyfriend", "S be in relationship with V", "S be date/dating/see/seeing V"),
    _does("fiancé=fiancée=fiance=fiancee", "S be engage to V"),
    _does("dungeon_master=dm=game_master=gm", person=False),
    _does("treasurer", person=False),
    _does("carpool_driver", "V drive S 's carpool"),
)

SERVED: Final = (*_HEALTH, *_AFFAIRS, *_STUDY, *_CLOSE)

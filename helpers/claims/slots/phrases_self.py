"""Rows of clauses about what somebody is: star sign, field of study, hair, way to work (see `phrases`)."""

from __future__ import annotations

from typing import Final

from ..values.choices import choice
from .phrases_people import Phrased
from .phrases_served import one_of

_FIELDS: Final = choice(
    "field of study",
    "law=jurisprudence medicine nursing dentistry pharmacy engineering=mechanical_engineering electrical_engineering"
    " civil_engineering physics chemistry biology mathematics=maths=math statistics computer_science=informatics"
    " data_science economics business=business_administration management marketing finance accounting psychology"
    " sociology philosophy theology history art_history archaeology anthropology linguistics literature=comparative"
    "_literature journalism education geography geology architecture design fine_arts music musicology film"
    " political_science=politics international_relations agriculture forestry veterinary_medicine social_work"
    " biochemistry biotechnology neuroscience astronomy astrophysics urban_planning environmental_science"
    " materials_science robotics graphic_design fashion_design media_studies criminology midwifery physiotherapy",
)
_BREEDS: Final = choice(
    "breed",
    "labrador=lab golden_retriever poodle dachshund beagle whippet greyhound german_shepherd=alsatian border_collie"
    " collie husky=siberian_husky boxer bulldog french_bulldog pug chihuahua dalmatian rottweiler doberman=dobermann"
    " schnauzer shih_tzu pomeranian corgi terrier jack_russell=jack_russell_terrier yorkshire_terrier=yorkie spaniel"
    " cocker_spaniel springer_spaniel setter pointer vizsla weimaraner malinois akita shiba_inu=shiba samoyed malamute"
    " newfoundland bernese_mountain_dog great_dane saint_bernard=st._bernard mastiff basset_hound bloodhound havanese"
    " maltese labradoodle goldendoodle cockapoo mongrel=mutt siamese persian maine_coon ragdoll bengal sphynx"
    " british_shorthair norwegian_forest_cat tabby shetland_pony haflinger icelandic_horse hanoverian",
)
_SIGNS: Final = choice(
    "star sign", "aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces"
)
_BLOOD: Final = choice(
    "blood type",
    " ".join(
        f"{group}_{word}={group}{sign}={group}_{sign}=rh_{word}_{group}=type_{group}_{word}"
        for group in ("a", "b", "ab", "o")
        for word, sign in (("positive", "+"), ("negative", "-"))
    ),
)
_WAYS: Final = choice(
    "way to work",
    "bike=bicycle=cycle=cycling car=drive=driving bus train tram=streetcar metro=subway=tube=underground=u-bahn"
    " foot=walk=walking scooter=e-scooter ferry motorbike=motorcycle taxi=cab run=jogging",
)
_HANDS: Final = choice("hand", "left=left-handed=left-hander=lefty right=right-handed=right-hander=righty")
_EYES: Final = choice("colour of it", "blue green brown grey=gray hazel amber black")
_HAIR: Final = choice(
    "colour of it", "black brown=brunette blond=blonde=fair red=ginger=auburn grey=gray white blue pink purple green"
)
_WORK: Final = "work/office/job"


SELF: Final = (
    Phrased(
        slots=("lives in",),
        reads=("place",),
        plain=True,
        clauses=(
            "family/household 's home/house/flat/apartment/residence be [~] in V",
            "family/household 's home be V",
            "family/household home/residence be in V",
        ),
    ),
    one_of(
        "star_sign=zodiac_sign=sun_sign=zodiac=astrological_sign=sign_of_zodiac",
        "S be V by star_sign/zodiac_sign/zodiac/sign",
        "S be born under [sign] [of] V",
        reads=(_SIGNS,),
    ),
    one_of(
        "blood_type=blood_group",
        "S 's blood be [type/group] V",
        "S have blood_type/blood_group/blood V",
        "S have V blood/blood_type/blood_group",
        "S be blood_type/blood_group V",
        "S be V",
        reads=(_BLOOD,),
    ),
    one_of(
        "field_of_study=major=subject_of_study=degree_subject=degree_course",
        "S study/read V",
        "S study/read V in/at ~",
        "S be study/read V",
        "S be V student/undergraduate",
        "S major in V",
        "S be major in V",
        "S 's studies be in V",
        "S do/take/pursue degree/studies/course in V",
        "S be do/take/pursue degree/studies/course in V",
        "S be enrol in V",
        "!S switch/change/transfer to V",
        "!S switch/change/transfer from ~ to V",
        "!S switch/change [their] major/course/subject ~ to V",
        reads=(_FIELDS,),
    ),
    Phrased(
        slots=("breed",),
        reads=(_BREEDS,),
        clauses=(
            "S be [ADJ] V",
            "S be [ADJ] V dog/cat/puppy/kitten/cross/mix",
            "S 's breed be V",
            "breed of S be V",
        ),
    ),
    Phrased(
        slots=("name of {}",),
        reads=("person",),
        person=True,
        plain=True,
        nouns="dog=puppy cat=kitten horse pony rabbit hamster parrot budgie tortoise guinea_pig ferret goldfish boat",
        clauses=(
            "S 's P be call/name V",
            "S 's P 's name be V",
            "name of S 's P be V",
            "S 's P go by [name] [of] V",
            "S 's P answer to [name] [of] V",
            "V be name of S 's P",
            "!S rename [their] P [to/as/from] [~] V",
            "!S 's P be rename [to] V",
        ),
    ),
    Phrased(
        slots=("way to work",),
        reads=(_WAYS,),
        person=True,
        clauses=(
            "S commute by/on V",
            "S commute to W by/on V",
            f"S go/get/travel/come/commute to {_WORK} by/on V",
            f"S take/ride/use/catch V to {_WORK}",
            f"S take/ride/use/catch [~] V to {_WORK}",
            f"S V to {_WORK}",
            "S 's commute be by/on V",
            "S use V for [their] commute",
        ),
    ),
    Phrased(
        slots=("hair colour",),
        reads=(_HAIR,),
        person=True,
        clauses=(
            "S 's hair be V",
            "S have [ADJ] V hair",
            "S 's hair colour/color be V",
            "!S dye/dyed/colour/coloured/color/colored their hair V",
        ),
    ),
    Phrased(
        slots=("eye colour",),
        reads=(_EYES,),
        person=True,
        clauses=("S 's eyes be V", "S have [ADJ] V eyes", "S 's eye colour/color be V"),
    ),
    Phrased(
        slots=("dominant hand",),
        reads=(_HANDS,),
        person=True,
        clauses=("S be V", "S write with their V hand", "S 's dominant/writing hand be V"),
    ),
    Phrased(
        slots=("diet",),
        reads=("term:diet",),
        person=True,
        clauses=(
            "S be [strict/strictly/lifelong/committed] V",
            "S follow/keep/stick_to/have [strict] V diet",
            "S live/be on [strict] V diet",
            "S eat [strict/strictly] V",
            "S 's diet be [strict/strictly] V",
            "!S go/turn/become V",
            "!S switch/change to V diet",
            "!S start to eat V",
        ),
    ),
    Phrased(
        slots=("comes from",),
        reads=("place",),
        person=True,
        clauses=(
            "S come/hail from V",
            "S be from V",
            "S be native of V",
            "S 's hometown/home_town/native_town/native_city be V",
            "V be S 's hometown/home_town",
            "S call V their hometown",
        ),
    ),
    one_of("birthplace=place_of_birth=birth_place=city_of_birth=town_of_birth", reads=("place",)),
    one_of(
        "surname=last_name=family_name", "!S take V as [their] surname/last_name/family_name", reads=("first name",)
    ),
    Phrased(
        slots=("work team",),
        reads=("name",),
        person=True,
        clauses=(
            "S work in/on/for V team/department/division/unit",
            "S belong to V team/department/division/unit",
            "S be in/with V department/division/unit",
            "S be part/member of V department/division/unit",
            "S 's team at work be V",
            "S 's department/division/unit [at] [work] be V",
            "!S join/move_to/transfer_to/switch_to/change_to V department/division/unit",
            "!S be transfer/move/reassign to V team/department/division/unit",
        ),
    ),
    Phrased(
        slots=("answer language",),
        reads=("term:human language",),
        person=True,
        wish=True,
        clauses=(
            "S want/prefer/like/wish [all] [their] answer/answers/reply/replies/response/responses [to/be/given] in V",
            "S prefer/want/like to be answer/address in V",
            "S want assistant/ai/agent to answer/reply/respond/write/speak in V",
            "S 's language for answers/replies/responses be V",
            "language for S 's answers/replies/responses be V",
        ),
    ),
    Phrased(
        slots=("favourite {}",),
        reads=("phrase",),
        person=True,
        nouns=(
            "colour=color film=movie book=novel author=writer band singer song album actor actress director"
            " poet painter composer podcast series=show=tv_show=tv_series board_game video_game"
            " restaurant cafe=café bar=pub tea"
            " number city"
        ),
        clauses=(
            "S 's favourite/favorite P be V",
            "S 's all-time favourite/favorite P be V",
            "V be S 's [all-time] favourite/favorite P",
            "favourite/favorite P of S be V",
            "V be favourite/favorite P of S",
        ),
    ),
    Phrased(
        slots=("studies in",),
        reads=("place",),
        person=True,
        clauses=(
            "S go to college/university/uni in V",
            "S attend college/university/uni in V",
            "S be at college/university/uni in V",
            "S be [~] college/university/law/medical student in V",
        ),
    ),
)

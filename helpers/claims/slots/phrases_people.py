"""What a row of clauses is, and the rows about people and what they see to (see `phrases`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..values.readers import Reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrased:
    """One row; `{}` in a slot is the noun of `P`, `nouns` are the nouns, `a=b` two of one meaning.

    `wish`: what is wished for is so. `thing`: of no person. `plain`: "of Tarrant & Lowe", "at Moorfields" only say
    where the one named is to be found. `household`: the house, the family and the user are one. `scheduled`: what will
    be so is so. `one`: a noun of which somebody has one; what is told of all such nouns stands in a row of its own.
    """

    slots: tuple[str, ...]
    reads: Reads
    clauses: tuple[str, ...]
    person: bool = False
    nouns: str = ""
    wish: bool = False
    thing: bool = False
    plain: bool = False
    household: bool = False
    scheduled: bool = False
    one: bool = False


_HOME: Final = "home/flat/apartment/house/studio/place/room/cottage/bungalow"
_JOB: Final = "job/position/post/role"

PEOPLE: Final = (
    Phrased(
        slots=("lives in",),
        reads=("place",),
        person=True,
        clauses=(
            "S live/reside/dwell/stay alone/happily/there/together in V",
            "S live/reside/dwell/stay with ~ in V",
            "S make/call V their home",
            "S call V home",
            "S make their home in V",
            "S have their home in V",
            "S 's home/flat/apartment/residence be [~] in V",
            "S 's home/residence be V",
            "V be home to/of/for S",
            "V be S 's home",
            "home to/of/for S be [~] in V",
            "home to/of/for S be V",
            f"S rent/share/occupy [~] {_HOME} in V",
            "!S settle [down] in V",
            "!S move back/over/away/house/home to V",
            "!S relocate to V",
            "!S make their home in V",
            "!S make V their home",
            "!S find [~] home in V",
            f"!S buy/take/rent [~] {_HOME} in V",
        ),
    ),
    Phrased(
        slots=("works at",),
        reads=("name",),
        person=True,
        clauses=(
            "S work ~ at V",
            "S work as ~ at/with V",
            "S be employ ~ at/by/with V",
            "S be employ by/at/with V",
            "S be JOB at/with V",
            f"S have/hold [permanent/full-time/new] {_JOB} at/with V",
            f"S 's {_JOB} be at/with V",
            "S be on payroll of/at V",
            "S be employee of/at V",
            "S earn their living/money at/with V",
            "V employ S",
            "V be S 's employer",
            "!S join V as ~",
            "!S join COMPANY",
            "!S start ~ at/with V",
            f"!S take [~] {_JOB} at/with V",
            "!S be hire by V",
            "!V hire S",
        ),
    ),
    Phrased(
        slots=("works at", "works for"),
        reads=("name",),
        person=True,
        clauses=(
            "S 's employer be V",
            "S be employ by V",
            "V be S 's employer",
            "!S leave ~ for V",
        ),
    ),
    Phrased(
        slots=("school",),
        reads=("person",),
        person=True,
        clauses=(
            "S study [~] at V",
            "S be study [~] at V",
            "S be [~] student/pupil/undergraduate/freshman/trainee at/of V",
            "S be enrol/enroll at/in/with V",
            "S attend SCHOOL",
            "S go to SCHOOL",
            "S 's school/university/college/kindergarten/nursery/uni be V",
            "V be S 's school/university/college/kindergarten/nursery/uni",
            "!S transfer/change/switch to SCHOOL",
            "!S enrol/enroll at/in V",
        ),
    ),
    Phrased(
        slots=("responsible",),
        reads=("person",),
        clauses=(
            "V be in charge of S",
            "V be responsible for S",
            "V look after S",
            "V take care of S",
            "S be look after by V",
            "S be take care of by V",
            "S be in V 's hand/care",
            "S be V 's job/responsibility/task/remit",
            "responsibility for S be/lie/rest/sit with V",
            "V have/bear responsibility for S",
            "person/one/contact responsible for S be V",
            "person/one in charge of S be V",
            "!V take over S",
            "!V take S over",
            "!S be take over by V",
            "!S be hand [over] to V",
        ),
    ),
    Phrased(
        slots=("owner",),
        reads=("person",),
        clauses=(
            "S belong to V",
            "S be property of V",
            "S be V 's property",
            "ownership of S be/lie/rest/sit with V",
            "V have ownership of S",
            "!V take ownership of S",
            "!V take over ownership of S",
        ),
    ),
    Phrased(
        slots=("lead",),
        reads=("person",),
        clauses=(
            "leadership of S be/lie/rest/sit with V",
            "V be at helm of S",
            "V be head/leader of S",
            "S be under [~] leadership of V",
            "S be under V 's leadership",
            "!V take over leadership of S",
            "!V take [over] lead of/on S",
        ),
    ),
    Phrased(
        slots=("maintainer",),
        reads=("person",),
        clauses=(
            "maintenance of S be/lie/rest/sit with V",
            "S be maintain by V alone",
            "V do maintenance of/on/for S",
            "V be in charge of maintain S",
            "!V take over maintenance/maintain of S",
        ),
    ),
    Phrased(
        slots=("form of address",),
        reads=("name",),
        person=True,
        wish=True,
        clauses=(
            "S want/wish/prefer/like/ask to be call/name V",
            "S want/wish/prefer/like/ask to be address/refer [to] as V",
            "S go by [name] [of] V",
            "S should be call V",
            "S should be address as V",
            "S prefer/like name V",
            "!S ask to be call/name V",
            "!S ask to be address as V",
        ),
    ),
    Phrased(
        slots=("role",),
        reads=("job",),
        person=True,
        clauses=(
            "S work [now] as V",
            "S be employ as V",
            "S have job as/of V",
            "S 's title/job/role/profession/occupation/position be [that] [of] V",
            "S hold position/post/role/title of V",
            "S earn their living/money as V",
            "S be V by profession/trade/training",
            "!S be promote to V",
            "!S be make V",
            "!S start [~] as V",
            "!S take job/post/position as V",
        ),
    ),
    Phrased(
        slots=("spouse",),
        reads=("person",),
        person=True,
        clauses=(
            "S be marry to V",
            "S 's husband/wife/spouse be [call/name] V",
            "V be S 's husband/wife/spouse",
            "!S marry V",
        ),
    ),
    Phrased(
        slots=("bank",),
        reads=("name",),
        person=True,
        clauses=(
            "S bank with/at V",
            "S do [all/most] [of] [their] banking with/at/through V",
            "S 's [main] bank be V",
            "S 's bank account/banking be with/at V",
            "S 's account be with/at V",
            "S have their [bank/current/checking/salary] account with/at V",
            "V be S 's [main] bank",
        ),
    ),
    Phrased(
        slots=("gym",),
        reads=("name",),
        person=True,
        clauses=(
            "S work out/exercise at V",
            "S 's gym be V",
            "S 's gym membership be with/at V",
            "S have their gym membership with/at V",
            "V be S 's gym",
        ),
    ),
    Phrased(
        slots=("car",),
        reads=("tool",),
        person=True,
        clauses=("S drive V", "S get around/about in V", "S 's car be V", "V be S 's car"),
    ),
    Phrased(
        slots=("native language",),
        reads=("language name",),
        person=True,
        clauses=(
            "S 's mother tongue be V",
            "S 's native/first language/tongue be V",
            "V be S 's native/first/mother language/tongue",
            "S be native V speaker",
            "S be native speaker of V",
        ),
    ),
    Phrased(
        slots=("provider of {}",),
        reads=("name",),
        household=True,
        nouns=(
            "electricity=power=energy gas internet=broadband=wifi=home_internet=home_broadband"
            " phone=mobile=cell water heating=heat insurance"
            " catering coffee hosting cleaning payroll email"
        ),
        clauses=(
            "S 's P provider/supplier/carrier/company/operator/vendor/insurer be V",
            "S 's P [plan/contract/tariff/policy/connection/subscription/account] be with/from V",
            "S 's [P] supplier/provider for P be V",
            "S get/buy/receive/draw/have/order [their] P from V",
            "S 's P come from V",
            "S 's P be supply/provide/deliver/handle/do by V",
            "P come from V",
            "P for/in/at S come from V",
            "P for/in/at S be supply/provide/deliver by V",
            "P be supply/provide/deliver by V",
            "V supply/provide/deliver S 's P",
            "V supply/provide S with P",
            "V be S 's P provider/supplier/carrier/company/operator/vendor/insurer",
            "!S switch to V for [their] P",
            "!S switch [their] P provider/supplier to V",
        ),
    ),
    Phrased(
        slots=("provider of insurance",),
        reads=("name",),
        person=True,
        clauses=("S be insure with/by/at V", "V insure S", "S 's insurer be V", "V be S 's insurer"),
    ),
)

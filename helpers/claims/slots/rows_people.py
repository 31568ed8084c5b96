"""What a row of the slot table is, and the rows about people (see `rows`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..values.readers import Reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One row: a single-valued slot and its wordings.

    `name`: `{}` is filled with what the reader names ("Python"), `*` with the noun itself. `reads`: readers, tried
    in order. `nouns`: "the <noun> of X is V", "X's <noun> is V", "X <noun>: V". `verbs`: "X <verb> V". Both are
    separated by `|`. `person`: "my <noun>" is the user's own (else "my" only means "the"). `things`: modifiers name
    the owner even after "my" ("my project name"). `bare`: "the <noun> is V" needs no owner. `past`: the past tense
    still holds ("was born"). `named`: the subject must be a name: what "the module" was created by, others may have
    helped to create. `typed`: "plays the <noun> of V" says the same as "X's <noun> is V". `each`: of a bare plural
    ("services run on ...") it says nothing of any one of them. `thing`: of a person it says only where they are now.
    """

    name: str
    reads: Reads
    nouns: str = ""
    verbs: str = ""
    person: bool = False
    things: bool = False
    bare: bool = False
    past: bool = False
    named: bool = False
    typed: bool = False
    each: bool = False
    thing: bool = False


#: What people are called, where they can be reached, where they live, what they do.
PEOPLE: Final = (
    Slot(
        name="name",
        reads=("full name",),
        nouns="name|full name",
        verbs="be called|be named",
        person=True,
        things=True,
    ),
    Slot(
        name="*",
        reads=("first name",),
        nouns=(
            "user name|username|login name|display name|screen name|first name|last name|middle name|maiden name"
            "|family name|surname|stage name|pen name|code name|file name|branch name|table name|variable name"
            "|function name|class name|method name|column name|key name|package name|image name|container name"
            "|bucket name|cluster name|queue name|topic name|company name|brand name"
        ),
        person=True,
    ),
    Slot(name="pronouns", reads=("term:pronouns",), nouns="pronouns", verbs="use|go by", person=True),
    Slot(name="diet", reads=("term:diet",), nouns="diet", verbs="be|be on|be on a|follow a|eat", person=True),
    Slot(name="nickname", reads=("first name",), nouns="nickname", verbs="go by", person=True),
    Slot(
        name="e-mail",
        reads=("email",),
        nouns="email|e-mail|email address|e-mail address|mail address",
        person=True,
    ),
    Slot(
        name="phone",
        reads=("phone",),
        nouns="phone|phone number|mobile number|cell number|telephone number|mobile",
        person=True,
    ),
    Slot(
        name="*",
        reads=("code",),
        nouns=(
            "extension|account number|customer number|member number|membership number|employee number|staff number"
            "|policy number|passport number|tax number|vat number|room number|desk number|house number|postcode"
            "|postal code|zip code|zip|iban|customer id|client id|account id|tenant id|employee id|project id"
            "|invoice number|contract number|locker|locker number|seat"
            "|seat number|pin|door code|model number|serial number|fax|fax number"
        ),
        person=True,
    ),
    Slot(name="license plate", reads=("code",), nouns="license plate|licence plate|number plate", person=True),
    Slot(
        name="*",
        reads=("handle",),
        nouns="handle|ssid|slack channel|support channel|channel|hashtag|domain name",
        person=True,
    ),
    Slot(
        name="*",
        reads=("street",),
        nouns=(
            "home address|postal address|mailing address|shipping address|billing address|delivery address"
            "|street address|office address"
        ),
        person=True,
    ),
    Slot(name="address", reads=("street",), nouns="address", verbs="live at|be located at", person=True),
    Slot(name="address", reads=("web address",), nouns="address"),
    Slot(name="age", reads=("age",), nouns="age", person=True),
    Slot(name="age", reads=("years old",), verbs="be|turn"),
    Slot(name="birthday", reads=("date",), nouns="birthday|birth date|birthdate|date of birth", person=True),
    Slot(name="birthday", reads=("date",), verbs="be born on|be born in|be born", past=True),
    Slot(name="birthplace", reads=("place",), nouns="birthplace", verbs="be born in", person=True, past=True),
    Slot(
        name="timezone",
        reads=("timezone",),
        nouns="timezone|time zone",
        verbs="live in|be in|be on|be based in|work in|use|run in|run on|be shown in|be displayed in|be stored in",
        person=True,
        things=True,
    ),
    Slot(
        name="lives in",
        reads=("place",),
        nouns="home city|place of residence|city|home base|residence",
        verbs="live in|reside in|be based in",
        person=True,
    ),
    Slot(name="hometown", reads=("place",), nouns="hometown|home town", person=True),
    Slot(name="located in", reads=("place",), verbs="be located in|be situated in|be kept in|be stored in"),
    Slot(name="located in", reads=("place",), verbs="be in|sit in", thing=True),
    Slot(name="place of death", reads=("place",), nouns="place of death", verbs="die in", person=True, past=True),
    Slot(name="citizenship", reads=("home country",), nouns="citizenship", verbs="be a citizen of", person=True),
    Slot(name="religion", reads=("term:religion",), nouns="religion|faith", person=True, typed=True),
    Slot(name="sport", reads=("term:sport",), nouns="sport", person=True, typed=True),
    Slot(
        name="works at",
        reads=("name",),
        nouns="employer",
        verbs="work at|be employed at|be employed by",
        person=True,
    ),
    Slot(name="works for", reads=("name",), verbs="work for", person=True),
    Slot(
        name="role",
        reads=("job", "term:playing position"),
        typed=True,
        nouns="role|job title|job|position|occupation|profession",
        verbs="work as|be employed as",
        person=True,
    ),
    Slot(name="marital status", reads=("term:marital status",), nouns="marital status", verbs="be", person=True),
    Slot(name="spouse", reads=("person",), nouns="spouse", verbs="be married to", person=True),
    Slot(
        name="manager",
        reads=("person",),
        nouns="manager|line manager|boss|supervisor",
        verbs="report to|be managed by|be supervised by",
        person=True,
    ),
)

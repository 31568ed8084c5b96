"""Rows of clauses about what somebody has and where they go: phone, gym, honeymoon (see `phrases`)."""

from __future__ import annotations

from typing import Final

from ..values.choices import choice
from .phrases_people import Phrased
from .phrases_served import one_of

_FLOORS: Final = choice(
    "floor",
    "ground first=1st second=2nd third=3rd fourth=4th fifth=5th sixth=6th seventh=7th eighth=8th ninth=9th tenth=10th"
    " eleventh=11th twelfth=12th top basement",
)
#: Who else one flies with is company.
_AIRLINES: Final = choice(
    "airline",
    "lufthansa sas klm air_france british_airways=ba easyjet ryanair wizz_air=wizzair eurowings swiss=swiss_air iberia"
    " vueling tap=tap_portugal=tap_air_portugal finnair norwegian=norwegian_air austrian=austrian_airlines"
    " brussels_airlines lot=lot_polish_airlines turkish_airlines emirates etihad qatar_airways=qatar qantas"
    " air_new_zealand singapore_airlines cathay_pacific ana=all_nippon_airways jal=japan_airlines korean_air asiana"
    " air_china china_eastern china_southern thai_airways=thai vietnam_airlines malaysia_airlines garuda airasia"
    " air_india indigo delta=delta_air_lines united=united_airlines american=american_airlines southwest jetblue"
    " alaska_airlines spirit frontier air_canada westjet aeromexico latam avianca copa gol azul icelandair aer_lingus"
    " ita=ita_airways alitalia aegean=aegean_airlines condor tui=tuifly transavia volotea air_baltic=airbaltic luxair"
    " czech_airlines tarom croatia_airlines air_serbia el_al egyptair royal_air_maroc ethiopian=ethiopian_airlines"
    " kenya_airways south_african_airways virgin_atlantic flybe loganair jet2 wideroe pegasus sunexpress discover"
    " edelweiss bamboo_airways scoot hawaiian_airlines",
)
_CHANGED: Final = "move/change/switch/rebook/relocate/transfer/shift"

_THINGS: Final = (
    one_of(
        "phone=smartphone=mobile_phone=cell_phone=cellphone=handset=mobile",
        "S carry/have V as [their] [~] P",
        "P S carry/own be V",
        reads=("tool",),
    ),
    one_of("car", "S commute in V", "S own/have V as [their] [~] car", "car S own/drive be V", reads=("tool",)),
    *(
        one_of(nouns, *more, reads=("tool",))
        for nouns, *more in (
            ("laptop=notebook=laptop_computer",),
            ("bike=bicycle=push_bike", "S ride/cycle to work on V", "S commute on V", "bike S ride/own be V"),
            ("motorbike=motorcycle", "S ride V as [their] motorbike"),
            ("camera", "S shoot/photograph with/on V", "S take [their] photo/photos/picture/pictures with/on V"),
            ("tablet",),
            ("e-reader=ebook_reader=ereader", "S read [their] ebooks/e-books on V"),
            ("watch=smartwatch=wristwatch", "S wear V as [their] watch"),
            ("printer",),
            ("monitor",),
            ("headphones",),
            ("tv=television=telly",),
            ("console=games_console=game_console",),
            ("router",),
            ("keyboard",),
            ("fridge=refrigerator",),
            ("dishwasher",),
            ("washing_machine=washer",),
            ("coffee_machine=coffee_maker=espresso_machine", "S make [their] coffee with V"),
            ("vacuum=vacuum_cleaner=hoover",),
            ("credit_card",),
            ("password_manager", "S keep/store/manage [their] password/passwords in/with V"),
            (
                "task_manager=to-do_app=todo_app=task_app=to-do_list=todo_list",
                "S keep/manage/track/organise/organize/put [all] [of] [their] task/tasks/to-dos/todos in/with/on V",
                "S 's task/tasks/to-dos/todos be/live/sit in V",
            ),
            (
                "note-taking_app=notes_app=note_app",
                "S keep/take/write [all] [of] [their] note/notes in/with V",
                "S 's note/notes be/live/sit in V",
            ),
            ("calendar_app=calendar", "S keep/manage [their] calendar in/with/on V"),
            ("email_client=mail_client=mail_app=email_app", "S read [their] email/emails/mail in/with V"),
            (
                "music_app=music_service=streaming_service=music_player",
                "S stream [their] music on/with/via V",
            ),
            ("browser=web_browser", "S browse [web] with/in V", "S surf [web] with/in V"),
            ("budgeting_app=budget_app", "S track/manage [their] budget/spending/expenses in/with V"),
            ("fitness_tracker", "S track [their] run/runs/workouts/steps with V"),
        )
    ),
)
_PLACES: Final = (
    *(
        one_of(nouns, *more, reads=("name",), household=nouns.startswith("supermarket"))
        for nouns, *more in (
            (
                "gym=fitness_studio=fitness_club=health_club=fitness_centre=fitness_center",
                "S train/lift/work_out/workout/go_to_gym at V",
                "S go to gym at V",
                "S 's gym membership be with/at V",
                "S have [their] gym membership/subscription/contract with/at V",
                "S be gym member at/of V",
                "!S join/move/switch gym at/to V",
                "!S cancel ~ gym ~ and join V",
            ),
            (
                "bank=house_bank",
                "S keep/have [their] money at/with/in V",
                "S 's salary/wage be pay into V",
                "!S open [their] main account at/with V",
                "!S move/transfer/switch [their] banking/account/accounts ~ to V",
                "!S move/transfer/switch [their] banking/account/accounts to V",
                "!S switch bank to V",
            ),
            ("pharmacy=chemist", "S get/pick_up/collect [their] prescription/prescriptions/medication from/at V"),
            (
                "supermarket=grocery_store=grocer",
                "S do [their] [weekly/big/main/grocery/food] [grocery/food] shop/shopping at V",
                "[weekly/big/main] grocery/food/weekly shop/shopping be do at V",
                "S 's [weekly/big/main] grocery/food/weekly shop/shopping be do at V",
                "S buy/get [all/of] [weekly/main] groceries/food from/at V each/every week",
            ),
            ("church=parish=congregation", "S worship at V", "S go to/attend church/mass/service at V"),
            ("mosque", "S pray/worship at V"),
            ("synagogue", "S worship at V"),
            ("football_club=soccer_club=football_team=soccer_team",),
            ("sports_club=tennis_club=golf_club=rowing_club=running_club=swimming_club=chess_club=book_club",),
            ("choir",),
            ("band",),
            ("orchestra",),
            ("union=trade_union=labour_union",),
            ("political_party",),
            ("employer=company",),
            ("local=local_pub=usual_pub=pub",),
            ("coworking_space=co-working_space=coworking", "S work out of V", "S rent [~] desk at V"),
            ("airport=home_airport=usual_airport=local_airport", "S fly [out] of/from V by default"),
            ("library",),
            ("dance_school=driving_school=music_school=language_school", "S take [~] lessons at V"),
            ("blood_bank",),
            ("pension_provider=pension_fund", "S 's pension be with V"),
            ("broker=stockbroker=online_broker",),
        )
    ),
    Phrased(
        slots=("provider of {} insurance",),
        reads=("name",),
        plain=True,
        nouns=(
            "car=vehicle=auto=motor home=house=flat=apartment household dog cat bike=bicycle phone laptop boat travel"
        ),
        clauses=(
            "S 's P be insure by/with/through/at V",
            "P be insure by/with/through/at V",
            "S have [their] P insure by/with/through/at V",
            "S insure [their] P with/through/at V",
            "V insure S 's P",
            "S 's insurance for/on P be with/through/from V",
            "insurance for/on S 's P be with/through/from V",
            "S 's P insurance/insurer/policy be [with/through/from] V",
            "S have P insurance/policy with/through/from V",
            "V be S 's P insurer",
            "!S switch/move/change [their] P insurance/policy to V",
            "!S switch/change to V for [their] P insurance",
        ),
    ),
    Phrased(
        slots=("place of {}",),
        reads=("name",),
        person=True,
        plain=True,
        nouns=(
            "mba phd=doctorate master=masters=master_'s=msc=ma bachelor=bachelors=bachelor_'s=bsc=ba degree"
            " apprenticeship=traineeship internship exchange=exchange_term=exchange_semester=semester_abroad"
            " residency fellowship"
            " postdoc"
        ),
        clauses=(
            "S do/pursue/take/complete/study/read [their/for] P at/with V",
            "S be do/pursue/take/complete/study/read [their/for] P at/with/in V",
            "S be on P at/in/with V",
            "S spend/do [~] P in/at V",
            "S be spend/do [~] P in/at V",
            "S 's P be at/with/in V",
            "S 's P programme/program/course/studies/place be at/with/in V",
            "S be P student/candidate at V",
            "S be in P programme/program at V",
            "!S transfer/switch/move [their] P to V",
        ),
    ),
    Phrased(
        slots=("floor of {}",),
        reads=(_FLOORS,),
        plain=True,
        nouns="flat=apartment=home=place desk=workplace office=workspace room bedroom",
        clauses=(
            "S 's P be [~] on V floor",
            "S live [~] on V floor",
            "P of S be on V floor",
            "!S 's P be move to V floor",
            "!S 's P move to V floor",
        ),
    ),
)
_TRIPS: Final = (
    Phrased(
        slots=("lodging",),
        reads=("name",),
        plain=True,
        clauses=(
            "S stay/lodge at/in V in W",
            "S be stay/lodge at/in V in W",
            "S be stay/lodge at/in V for ~ in W",
            "S 's hotel/hostel/accommodation/lodging/guesthouse/airbnb/b&b in W be V",
            "hotel/hostel/accommodation/lodging/guesthouse/airbnb/b&b in W be V",
            "hotel/hostel/accommodation/lodging for S 's W trip/conference/stay be V",
            "hotel/hostel/accommodation/lodging for W trip/conference/stay be V",
            "V be S 's hotel/hostel/accommodation/lodging in W",
            "V be hotel/hostel/accommodation/lodging in W",
        ),
    ),
    Phrased(
        slots=("departs from",),
        reads=("name",),
        plain=True,
        clauses=(
            "S 's flight/train/bus/ferry to W leave/depart/go/start/take_off from V",
            "flight/train/bus/ferry to W leave/depart/go/start/take_off from V",
            "W flight/train/bus/ferry leave/depart/go/start/take_off from V",
            "S 's W flight/train/bus/ferry leave/depart/go/start/take_off from V",
            "S fly to W from V",
            "S be fly to W from V",
            "S fly/depart/leave for W from V",
        ),
    ),
    Phrased(
        slots=("flies with",),
        reads=(_AIRLINES,),
        plain=True,
        clauses=(
            "S 's flight to W be with/on/by V",
            "flight to W be with/on/by V",
            "S 's W flight be with/on/by V",
            "W flight be with/on/by V",
            "S fly to W with/on V",
            "S be fly to W with/on V",
            "airline for S 's W flight/trip be V",
            "airline for flight/trip to W be V",
        ),
    ),
    Phrased(
        slots=("where {} is",),
        reads=("place",),
        plain=True,
        scheduled=True,
        nouns=(
            "honeymoon wedding=wedding_ceremony wedding_reception=reception stag_do=bachelor_party hen_do=bachelorette"
            "_party conference offsite=team_offsite=retreat holiday=vacation=holidays summer_holiday=summer_vacation"
            "=summer_holidays winter_holiday=winter_vacation ski_trip=ski_holiday=skiing_trip next_trip=next_journey"
            "=next_holiday=next_vacation"
        ),
        clauses=(
            "S 's P [of] [this] [year] be/take_place/happen in/to/at V",
            "S 's P [this] [year] be hold/celebrate in/at V",
            "P be/take_place/happen in/to V",
            "P be hold in V",
            "S 's P go to V",
            "S 's P destination/location be V",
            "P destination/location be V",
            "destination/location of/for S 's P be V",
            "V be S 's P destination",
            "V be destination of/for S 's P",
            "S spend [their] P in/on V",
            "S be spend [their] P in/on V",
            "S go/travel/fly to V for/on [their] P",
            "S be go/travel/fly to V for/on [their] P",
            "!S choose/pick/settle_on/decide_on/book/select V for/as [their] honeymoon/wedding [destination]",
            f"!S 's P be {_CHANGED} [from] [~] to V",
            f"!P be {_CHANGED} [from] [~] to V",
            f"!S {_CHANGED} [their] P [from] [~] to V",
        ),
    ),
    Phrased(
        slots=("venue of {}",),
        reads=("name",),
        plain=True,
        scheduled=True,
        nouns=(
            "wedding=wedding_ceremony wedding_reception=reception anniversary_dinner=anniversary_meal birthday_party"
            " engagement_party rehearsal_dinner christening=baptism funeral graduation_party housewarming"
            " christmas_party leaving_party=farewell_party baby_shower"
        ),
        clauses=(
            "S 's P be/take_place/happen at/in V",
            "S 's P be hold/celebrate at/in V",
            "P be/take_place/happen at/in V",
            "P be hold/celebrate at/in V",
            "S hold/have/celebrate [their] P at/in V",
            "S 's P venue/location be V",
            "P venue/location be V",
            "venue/location of/for S 's P be V",
            "venue/location of/for P be V",
            "V be venue/location of/for S 's P",
            "V be venue/location of/for P",
            "V host S 's P",
            "V host P",
            "!S book/choose/pick/settle_on/decide_on/reserve/select V for/as [their] P [venue]",
            f"!P be {_CHANGED} [from] [~] to V",
            f"!S {_CHANGED} [their] P [from] [~] to V",
        ),
    ),
)

DAILY: Final = (*_THINGS, *_PLACES, *_TRIPS)

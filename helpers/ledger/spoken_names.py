"""What months, weekdays and numbers are called in the languages that people write in: tables only, lower case."""

from __future__ import annotations

from typing import Final


def _numbered(*languages: str) -> dict[str, int]:
    """Return each name with its place in the list of its language; "/" joins spellings of one name."""
    return {
        name: number
        for language in languages
        for number, names in enumerate(language.split(), 1)
        for name in names.split("/")
    }


MONTH_NUMBERS: Final = _numbered(
    "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct "
    "november/nov december/dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
)
WEEKDAY_NUMBERS: Final = _numbered(
    "monday/mon/mondays tuesday/tue/tues/tuesdays wednesday/wed/weds/wednesdays thursday/thu/thur/thurs/thursdays "
    "friday/fri/fridays saturday/sat/saturdays sunday/sun/suns/sundays",
    "montag/montags dienstag/dienstags mittwoch/mittwochs donnerstag/donnerstags freitag/freitags "
    "samstag/samstags/sonnabend sonntag/sonntags",
    "lundi/lundis mardi/mardis mercredi/mercredis jeudi/jeudis vendredi/vendredis samedi/samedis dimanche/dimanches",
    "lunes martes miércoles jueves viernes sábado/sábados domingo/domingos",
    "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "segunda/segunda-feira terça/terça-feira quarta/quarta-feira quinta/quinta-feira sexta/sexta-feira sábado domingo",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
)
#: From one to twelve; what is also an article or another word is left out as "_".
SMALL_NUMBERS: Final = {
    name: number
    for name, number in _numbered(
        "_ zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "_ deux trois quatre cinq six sept huit neuf dix onze douze",
        "_ dos tres cuatro cinco seis siete ocho nueve diez once/_ doce",
        "_ due tre quattro cinque sei sette otto nove dieci undici dodici",
        "_ dois/duas três quatro cinco seis sete oito nove dez onze doze",
        "_ twee drie vier vijf zes zeven acht negen tien elf twaalf",
    ).items()
    if name not in ("_", "once", "elf", "sept")
}

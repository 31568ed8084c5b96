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


def _compounds(ones: str, tens: str, pattern: str, cut: int = 0) -> dict[str, int]:
    """Return what a language writes in one word from 21 on: "fünfundzwanzig", "venticinque"; `tens` begin at twenty."""
    return {
        pattern.format(one=one, ten=ten[: len(ten) - cut]): 10 * place + number
        for place, ten in enumerate(tens.split(), 2)
        for number, one in enumerate(ones.split(), 1)
    }


_GERMAN_TENS: Final = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_DUTCH_TENS: Final = "twintig dertig veertig vijftig zestig zeventig tachtig negentig"
_ITALIAN_TENS: Final = "venti trenta quaranta cinquanta sessanta settanta ottanta novanta"
_SPANISH_ONES: Final = "uno dós trés cuatro cinco séis siete ocho nueve"
#: The numbers from one to nineteen, the tens, and what is made of them in one word. What is also an article or another
#: word, there or in English, is left out.
SMALL_NUMBERS: Final = {
    name: number
    for name, number in (
        _numbered(
            "_ zwei drei vier fünf sechs sieben acht neun zehn _ zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
            "achtzehn neunzehn",
            "_ deux trois quatre cinq six _ huit neuf dix onze douze treize quatorze quinze/quinzaine seize",
            "_ dos tres cuatro cinco seis siete ocho nueve diez _ doce trece catorce quince dieciséis diecisiete "
            "dieciocho diecinueve",
            "_ _ tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
            "diciassette diciotto diciannove",
            "_ dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze dezasseis/"
            "dezesseis dezassete/dezessete dezoito dezanove/dezenove",
            "_ twee drie vier vijf zes zeven acht negen tien _ twaalf dertien veertien vijftien zestien zeventien "
            "achttien negentien",
        )
        | {
            ten: 10 * place
            for tens in (
                _GERMAN_TENS,
                "vingt trente quarante cinquante soixante",
                "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
                _ITALIAN_TENS,
                "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
                _DUTCH_TENS,
            )
            for place, ten in enumerate(tens.split(), 2)
        }
        | _compounds("ein zwei drei vier fünf sechs sieben acht neun", _GERMAN_TENS, "{one}und{ten}")
        | _compounds("een twee drie vier vijf zes zeven acht negen", _DUTCH_TENS, "{one}en{ten}")
        | _compounds("uno due tre quattro cinque sei sette otto nove", _ITALIAN_TENS, "{ten}{one}")
        | _compounds(_SPANISH_ONES, "veinte", "{ten}i{one}", cut=1)
    ).items()
    if name != "_"
}
#: A dozen.
DOZENS: Final = frozenset("dozen dutzend douzaine docena dozzina dúzia dozijn".split())
#: Half an hour after the full hour, said after it: "las nueve y media", "neuf heures et demie".
HALVES_AFTER: Final = frozenset("media demie mezza mezzo meia".split())
#: Half an hour before the full hour, said before it: "halb drei" is 2:30.
HALVES_BEFORE: Final = frozenset(("halb", "half"))

"""Read places from tokens, with the level on which a name stands: a city with a city, a country with a country."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from ...language.terms import terms
from ...language.token import Token
from ..model import Norm, Value, ValueKind
from .names import end_of_name, without_accents, zones
from .numbers import Parsed, low_at

_COUNTRIES: Final = (
    "france spain germany italy portugal austria switzerland belgium netherlands denmark sweden norway finland iceland"
    " ireland poland czechia hungary romania bulgaria greece turkey russia ukraine estonia latvia lithuania croatia"
    " serbia slovenia slovakia england scotland wales britain uk united_kingdom usa us united_states america canada"
    " mexico brazil argentina chile peru colombia ecuador uruguay bolivia venezuela cuba jamaica china japan korea"
    " south_korea taiwan india pakistan bangladesh nepal sri_lanka thailand vietnam indonesia malaysia philippines"
    " australia new_zealand egypt morocco algeria tunisia nigeria ghana kenya ethiopia uganda tanzania rwanda"
    " south_africa israel iran iraq saudi_arabia uae qatar lebanon jordan kazakhstan luxembourg malta cyprus"
)
_SAME_COUNTRY: Final = {
    "us": "usa",
    "united states": "usa",
    "united states of america": "usa",
    "people's republic of china": "china",
    "great britain": "uk",
    "america": "usa",
    "britain": "uk",
    "united kingdom": "uk",
    "south korea": "korea",
}
_STATES: Final = (
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois"
    " indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri"
    " montana nebraska nevada new_hampshire new_jersey new_mexico north_carolina north_dakota ohio oklahoma oregon"
    " pennsylvania rhode_island south_carolina south_dakota tennessee texas utah vermont virginia west_virginia"
    " wisconsin wyoming ontario quebec british_columbia alberta bavaria bayern hesse saxony catalonia andalusia"
    " tuscany lombardy brittany provence normandy queensland victoria ca tx ny wa co fl il ma"
)
_PARTS: Final = (
    "brooklyn manhattan queens bronx harlem soho staten_island bay_area silicon_valley hollywood westminster camden"
    " hackney kreuzberg neukolln mitte shibuya shinjuku montmartre scandinavia midwest new_england"
    " east_coast west_coast latin_america balkans downtown suburbs earth"
)
_CONTINENTS: Final = "europe asia africa antarctica oceania north_america south_america"
#: "the city of Denver": the noun in front says on which level the name stands.
_TYPED_PLACES: Final = {
    **dict.fromkeys(("city", "town", "village", "capital"), "city"),
    **{word: word for word in ("state", "country", "continent")},
}
_SAME_CITY: Final = {
    "nyc": "new york",
    "new york city": "new york",
    "sf": "san francisco",
    "la": "los angeles",
    "munchen": "munich",
    "koln": "cologne",
    "wien": "vienna",
    "roma": "rome",
    "milano": "milan",
    "praha": "prague",
    "warszawa": "warsaw",
    "kobenhavn": "copenhagen",
    "lisboa": "lisbon",
    "kiev": "kyiv",
    "bombay": "mumbai",
    "bangalore": "bengaluru",
    "geneve": "geneva",
    "zuerich": "zurich",
}
#: Cities by which "moved to X" is a move of home; any capitalised word could be a team or a tool instead.
_CITIES: Final = (
    "amsterdam athens atlanta auckland austin bangkok barcelona basel beijing bengaluru berlin bern birmingham bogota"
    " boston bratislava brisbane bristol brussels bucharest budapest cairo calgary cambridge chennai chicago cologne"
    " copenhagen dallas delhi denver detroit dresden dubai dublin dusseldorf edinburgh florence frankfurt gdansk geneva"
    " glasgow gothenburg graz hamburg hanoi hanover helsinki hong_kong honolulu houston hyderabad istanbul jakarta"
    " jerusalem johannesburg karachi krakow kyiv kyoto lagos las_vegas leeds leipzig lima lisbon liverpool ljubljana"
    " london los_angeles lyon madrid manchester manila marseille melbourne memphis mexico_city miami milan minneapolis"
    " montreal moscow mumbai munich nairobi naples nashville new_orleans new_york nice nuremberg oakland orlando osaka"
    " oslo ottawa oxford paris perth philadelphia phoenix pittsburgh porto portland prague pune reykjavik riga"
    " rio_de_janeiro rome rotterdam sacramento salt_lake_city san_antonio san_diego san_francisco san_jose santiago"
    " sao_paulo sarajevo seattle seoul seville shanghai singapore sofia stockholm strasbourg stuttgart sydney taipei"
    " tallinn tampa tbilisi tel_aviv the_hague tokyo toronto tucson turin utrecht valencia vancouver venice vienna"
    " vilnius warsaw washington wellington zagreb zurich aarhus aberdeen adelaide amman ankara antwerp augsburg bergen"
    " bilbao bologna bonn bordeaux brno bremen buenos_aires busan bari cape_town cardiff caracas casablanca charlotte"
    " chengdu christchurch cluj cordoba cork dakar darmstadt doha dortmund durban essen eindhoven espoo freiburg"
    " fukuoka galway genoa ghent goa granada grenoble groningen guadalajara haifa halifax hangzhou havana heidelberg"
    " innsbruck izmir jaipur kampala karlsruhe kigali kolkata kuala_lumpur lausanne leuven lille linz lodz lucknow"
    " luxembourg_city malaga malmo mannheim maastricht medellin minsk monterrey montevideo montpellier nagoya nantes"
    " newcastle nottingham odense odessa palermo panama_city quito rabat recife regensburg rijeka riyadh rostock"
    " salzburg santo_domingo sapporo sendai sheffield shenzhen southampton split stavanger tampere tartu tbilisi"
    " thessaloniki timisoara tirana toulouse trieste trondheim tunis turku uppsala verona victoria wroclaw yerevan"
    " york zadar boulder raleigh richmond savannah tulsa omaha anchorage albuquerque"
)


def _flat(text: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in text.split())


@cache
def _known_cities() -> frozenset[str]:
    return _flat(_CITIES)


def is_known_place(norm: Norm) -> bool:
    """Whether the first part of a place is one that the tables know."""
    level, name = str(norm[0]), str(norm[1])
    return level != "city" or name in _known_cities()


@cache
def place_levels() -> dict[str, str]:
    """Name of a place -> its level; a name that is not here is taken for a city."""
    levels = dict.fromkeys(_flat(_COUNTRIES), "country")
    levels |= dict.fromkeys(_flat(_CONTINENTS), "continent")
    levels |= dict.fromkeys(_flat(_STATES), "state")
    return levels | dict.fromkeys(_flat(_PARTS), "part")


def read_place(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "Denver", "Denver, Colorado", "the city of Denver"; norm: level and name of each part, as written."""
    norm: list[str | float] = []
    begin = index
    if low_at(tokens, index) == "the":
        index += 1
    typed = _TYPED_PLACES.get(low_at(tokens, index), "") if low_at(tokens, index + 1) == "of" else ""
    index += 2 if typed else 0
    end = index
    while len(norm) < 6:
        after = end_of_name(tokens, index)
        if after == index:
            break
        name = without_accents(" ".join(token.low for token in tokens[index:after]))
        level = typed or place_levels().get(name, "city")
        if not (typed or norm or name in place_levels() or name in _known_cities()) and (name,) in terms():
            return None  # "the docs are in Markdown"
        typed = ""
        if level == "city" and "city" in norm[::2]:
            norm[norm.index("city")] = "part"
        norm += [level, _SAME_CITY.get(name, _SAME_COUNTRY.get(name, name))]
        end = after
        if low_at(tokens, after) != ",":
            break
        index = after + 1
    if not norm:
        return None
    if len(norm) == 2 and tokens[end - 1].low in zones() and tokens[end - 1].text.isupper():
        return None
    return Parsed(Value(ValueKind.PLACE, " ".join(t.text for t in tokens[begin:end]), tuple(norm)), end)


def read_country(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A country: one that the tables know, or a name that says so ("the country of Wales")."""
    parsed = read_place(tokens, index)
    if parsed is None or (parsed.value.norm[0] == "country" and len(parsed.value.norm) == 2):
        return parsed
    return None


def read_home_country(tokens: Sequence[Token], index: int) -> Parsed | None:
    """What a person is a citizen of: a country, whether the tables know it or not."""
    parsed = read_place(tokens, index)
    if parsed is None or len(parsed.value.norm) != 2:
        return None
    norm = ("country", parsed.value.norm[1])
    return parsed._replace(value=Value(ValueKind.PLACE, parsed.value.text, norm))

"""Pairs of a change and what stays true after it: the same subject, relation, scope and time, or nothing (C-41, C-43).

Rows as in `pairs_contradict` and `pairs_coexist`.
"""

_MOVED = "User moved from Bremen to Kiel."

COEXIST = (
    *(
        ("who moved", older, _MOVED)
        for older in (
            "Marta wohnt in Bremen.",
            "Marta lives in Bremen.",
            "User works at Nordwind in Bremen.",
            "User works in Bremen.",
            "User has a garage in Bremen.",
            "User rents a garage in Bremen.",
            "User's dentist is in Bremen.",
            "User's employer is in Bremen.",
            "User supports the handball club of Bremen.",
            "User runs in Bremen.",
            "User is from Bremen.",
            "User was born in Bremen.",
            "User studied in Bremen from 2009 to 2012.",
            "User's sister lives in Bremen.",
            "User lives near Bremen.",
        )
    ),
    ("who moved", "User lives in Bremen.", "User's sister moved from Bremen to Kiel."),
    ("who moved", "User lives in Bremen.", "User moved the office from Bremen to Kiel."),
    ("what was dropped", "The shop uses Redis for sessions.", "The shop dropped Redis for the queue."),
    ("what was dropped", "The shop uses Redis.", "The museum dropped Redis."),
    ("what was dropped", "The team wrote a talk about Redis.", "The team dropped Redis."),
    ("what was dropped", "The shop pays for a Redis licence.", "The shop switched from Redis to Kafka."),
    ("what was sold", "User is in the Panda club.", "User sold the Panda."),
    ("what was sold", "User has a Panda contract.", "User sold the Panda."),
    ("what is denied", "The worker is running.", "The worker is not running as root."),
    ("what is denied", "User is available.", "User is not available as a speaker."),
    ("what is denied", "The build is broken.", "The build is not broken because of the tests."),
    ("who answers", "The audit is on June 3.", "No, it's May 3 - that's when the user was born."),
    ("one of two", "German is an official language of Biel.", "French is an official language of Biel."),
    ("one of two", "An official language of Biel is German.", "An official language of Biel is French."),
    ("one of two", "The official languages of Biel are German and French.", "The official language of Biel is French."),
    ("one of two", "Biel has two official languages, German and French.", "The official language of Biel is French."),
    ("opens a name", "The 2022 tax return is filed.", "The 2023 tax return is filed."),
    ("opens a name", "The 2022 tax return is in the safe.", "The 2023 tax return is in the safe."),
    ("opens a name", "737 MAX was developed by Boeing.", "747 MAX was developed by Boeing."),
    ("opens a name", "737 MAX is located in Seattle.", "747 MAX is located in Seattle."),
    ("opens a name", "User owns 737 MAX models.", "User owns 747 MAX models."),
    (
        "opens a name",
        "1973 European Cup Final is associated with the sport of football.",
        "1984 European Cup Final is associated with the sport of football.",
    ),
    ("opens a name", "24 Hours is kept in Kiel.", "48 Hours is kept in Kiel."),
    ("opens a name", "The 3 Series is in the garage.", "The 5 Series is in the garage."),
    ("one of a list", "The team is Ana, Bo and Cem.", "Bo left the team."),
    ("one of a list", "The team consists of Ana, Bo and Cem.", "Bo left the team."),
    ("one of a list", "Ana, Bo and Cem are on the team.", "Bo is no longer on the team."),
    ("duty", "The pump must run at 40 Hz.", "The fan must run at 50 Hz."),
    ("duty", "The pump must run at 40 Hz.", "User must be called before ten."),
    ("duty", "The contract must be reviewed every 90 days.", "The contract must be renewed every 30 days."),
    ("duty", "The pump always runs at 40 Hz.", "It vibrates at 50 Hz now."),
)

CONTRADICT = (
    ("who moved", "state_change", "User lives in Bremen.", _MOVED),
    ("who moved", "state_change", "User resides in Bremen.", _MOVED),
    ("who moved", "state_change", "User's home is in Bremen.", _MOVED),
    ("what was dropped", "state_change", "The shop uses Redis for sessions.", "The shop dropped Redis for sessions."),
    ("what was dropped", "state_change", "The shop runs on Heroku.", "The shop was moved from Heroku to Fly.io."),
    ("what was sold", "state_change", "User drives a Skoda Fabia.", "User sold the Skoda Fabia."),
    ("what is denied", "negation", "The worker is running.", "The worker is not running."),
    ("one of two", "value", "The official language of Biel is German.", "The official language of Biel is French."),
    ("duty", "value", "The pump must run at 40 Hz.", "The pump must run at 50 Hz."),
    ("duty", "value", "The pump runs at 40 Hz.", "The pump must run at 50 Hz."),
    ("duty", "value", "The contract must be reviewed every 90 days.", "The contract must be reviewed every 30 days."),
    ("duty", "correction", "The pump must run at 40 Hz.", "Actually, the pump must run at 50 Hz."),
    ("duty", "correction", "The pump must run at 40 Hz.", "Actually, it runs at 50 Hz."),
    ("duty", "state_change", "The pump always runs at 40 Hz.", "The pump runs at 50 Hz now."),
    ("duty", "state_change", "The pump always runs at 40 Hz.", "it runs at 50 Hz now"),
)

"""The written conversation of the demo: Mara, who looks after flood warnings for a rowing club, over three days.

Every sentence is invented. The notes are what the host's memorizers would write: in the third person, a turn or two
late, and now and then from a question or a guess as if it were a fact.
"""

from __future__ import annotations

from datetime import UTC, datetime

from .script import Exchange, MemorizerNote, Restart, Role, Script, ToolResult

_ENGINEER = Role(id="backend_engineer", domains=frozenset({"backend", "operations"}))
_SECRETARY = Role(id="club_secretary", domains=frozenset({"writing"}))


def _at(day: int, hour: int, minute: int) -> datetime:
    return datetime(2026, 3, day, hour, minute, tzinfo=UTC)


_MONDAY = (
    Exchange(
        title="facts, and a constraint",
        at=_at(2, 9, 0),
        chat="setting up",
        says=(
            "Hi, my name is Mara. My project Heron reads river gauges and warns our rowing club about floods. "
            "Heron uses Python 3.9. It must never send the same warning twice."
        ),
        answers="Nice to meet you, Mara. What shall we look at first?",
        notes=(
            MemorizerNote(text="User's name is Mara."),
            MemorizerNote(text="User's project Heron reads river gauges and warns a rowing club about floods."),
            MemorizerNote(text="User's project Heron uses Python 3.9."),
            MemorizerNote(text="Heron must never send the same warning twice."),
        ),
    ),
    Exchange(
        title="a question, which the agent repeats",
        at=_at(2, 9, 6),
        chat="setting up",
        says="Does the warning job of Heron run on node-2?",
        answers=(
            "You would like to know whether the warning job of Heron runs on node-2. I cannot see that from here: "
            "a look at the scheduler there would tell."
        ),
        notes=(MemorizerNote(text="The warning job of Heron runs on node-2."),),
    ),
    Exchange(
        title="the agent guesses",
        at=_at(2, 9, 15),
        chat="setting up",
        says="Heron's dashboard has been empty since last night. What could it be?",
        answers=(
            "The readings may not arrive. Heron's API probably listens on port 8000, and Heron stores its readings in "
            "PostgreSQL, I suppose; I would check both connections."
        ),
        notes=(
            MemorizerNote(text="Heron's API listens on port 8000."),
            MemorizerNote(text="Heron stores its readings in PostgreSQL."),
        ),
    ),
    Exchange(
        title="the user corrects the guess",
        at=_at(2, 9, 21),
        chat="setting up",
        says="No, Heron's API listens on port 8443. The proxy in front of it was down, it is back now.",
        answers="Then the empty dashboard is explained. And Heron stores its readings in PostgreSQL, right?",
        notes=(MemorizerNote(text="Heron's API listens on port 8443."),),
    ),
    Exchange(
        title='"yes, exactly"',
        at=_at(2, 9, 24),
        chat="setting up",
        says="Yes, exactly. Can you make the dashboard reconnect by itself after the proxy was down?",
        answers="Done: the dashboard now reconnects with a growing pause, and a test covers it.",
        notes=(
            MemorizerNote(
                text=(
                    "# Problem\n Heron's dashboard stays empty after the proxy in front of its API was down.\n"
                    "# Solution\n 1. Wrap the connection in a retry loop with a growing pause.\n"
                    " 2. Test it by stopping the proxy for a minute."
                ),
                area="solutions",
            ),
        ),
    ),
    Exchange(
        title="a tool result with its source",
        at=_at(2, 9, 40),
        chat="setting up",
        says="Please look up at which level the gauge at the weir reports a flood.",
        tool_result=ToolResult(
            tool="search_engine",
            text=(
                "https://gauges.example.org/weir - Gauge at the weir. As of 2026-03-01 the flood mark is 410 cm; "
                "last reading 268 cm."
            ),
        ),
        answers="According to https://gauges.example.org/weir the flood mark of the gauge at the weir is 410 cm.",
        notes=(
            MemorizerNote(
                text=(
                    "The flood mark of the gauge at the weir is 410 cm "
                    "(https://gauges.example.org/weir, as of 2026-03-01)."
                )
            ),
        ),
    ),
    Exchange(
        title="chit-chat: nothing to remember",
        at=_at(2, 9, 47),
        chat="setting up",
        says="Lovely, thanks a lot! That's all for today.",
        answers="You are welcome. Have a good evening!",
    ),
)

_WEDNESDAY = (
    Exchange(
        title="things have changed; and a role is at work",
        at=_at(4, 8, 30),
        chat="the week after the storm",
        says=(
            "Good morning! We upgraded Heron last night: Heron now runs on Python 3.12. "
            "And the backups of Heron's readings run at 02:30 on node-3."
        ),
        answers="Good morning, Mara. I will keep that in mind.",
        notes=(
            MemorizerNote(text="User's project Heron targets Python 3.12.", turns_later=2),
            MemorizerNote(text="The backups of Heron's readings run at 02:30 on node-3."),
        ),
        role=_ENGINEER,
        domain="backend",
    ),
    Exchange(
        title="a fact in German, and a date",
        at=_at(4, 8, 36),
        chat="the week after the storm",
        says=(
            "Notiz für später: Das Pegelhaus am Wehr wird nur sonntags gewartet. "
            "And Heron's launch date is 20 March 2026."
        ),
        answers="Beides ist notiert.",
        notes=(
            MemorizerNote(text="Das Pegelhaus am Wehr wird nur sonntags gewartet."),
            MemorizerNote(text="Heron's launch date is 20 March 2026."),
        ),
        role=_ENGINEER,
        domain="backend",
    ),
    Exchange(
        title="the summary of two turns ago has arrived",
        at=_at(4, 8, 45),
        chat="the week after the storm",
        says="Which Python version does my project Heron use?",
        answers="Heron runs on Python 3.12 since the upgrade.",
        role=_ENGINEER,
        domain="backend",
    ),
    Exchange(
        title="the date moves",
        at=_at(4, 8, 58),
        chat="the week after the storm",
        says="Bad news: Heron's launch date has moved to 27 March 2026. Heron must support 200 members by then.",
        answers="Noted. One more week for the load test, then.",
        notes=(
            MemorizerNote(text="Heron's launch date has moved to 27 March 2026."),
            MemorizerNote(text="Heron must support 200 members by its launch."),
        ),
        role=_ENGINEER,
        domain="backend",
    ),
)

_THURSDAY = (
    Exchange(
        title="after the crash: the last notes are found in the store",
        at=_at(5, 9, 10),
        chat="the week after the storm",
        says="The power is back. When is Heron's launch date again?",
        answers="On 27 March 2026.",
        role=_ENGINEER,
        domain="backend",
    ),
    Exchange(
        title="another role, which does not see what belongs to the first",
        at=_at(5, 9, 20),
        chat="newsletter",
        says=(
            "Please draft two sentences for our newsletter: how Heron warns our club about floods, and that the "
            "backups of its readings run every night."
        ),
        answers=(
            "Heron keeps an eye on the river for you: as soon as a gauge rises, it warns every member of our club, "
            "once and in time. Its readings are backed up every night."
        ),
        role=_SECRETARY,
        domain="writing",
    ),
    Exchange(
        title="back to the first role, and to two questions with old answers",
        at=_at(5, 9, 31),
        chat="operations",
        says="On which port does Heron's API listen, and which Python version does my project Heron use?",
        answers="Its API listens on port 8443, and it runs on Python 3.12.",
        role=_ENGINEER,
        domain="operations",
    ),
    Exchange(
        title="what the other role did not see is there again",
        at=_at(5, 9, 36),
        chat="operations",
        says="When and where do the backups of Heron's readings run?",
        answers="At 02:30, on node-3.",
        role=_ENGINEER,
        domain="operations",
    ),
)

CONVERSATION = Script(
    person="Mara",
    roles=(_ENGINEER, _SECRETARY),
    scenes=(
        *_MONDAY,
        Restart(at=_at(3, 6, 0), cause="Agent Zero is updated overnight and starts anew"),
        *_WEDNESDAY,
        Restart(at=_at(4, 9, 2), cause="the power fails, nothing is saved in time", is_crash=True),
        *_THURSDAY,
    ),
)

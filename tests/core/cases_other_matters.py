"""What the user told then, a memory of it, and what the user tells later of something else: nothing goes (C-43).

A second one of several, another person's, another thing of the kind, another time of the day.
"""

OTHER_MATTERS = [
    (
        "User likes Thai food.",
        "I like Thai food.",
        "User likes Italian food.",
        "I moved to Kiel last week. I like Italian food.",
    ),
    (
        "User likes Thai food.",
        "I like Thai food.",
        "User likes Italian food.",
        "I like Italian food now.",
    ),
    (
        "User speaks French.",
        "I speak French.",
        "User speaks German.",
        "Since the course I speak German.",
    ),
    (
        "User plays the piano.",
        "I play the piano.",
        "User plays the violin.",
        "I play the violin now.",
    ),
    (
        "User has a cat named Miso.",
        "I have a cat named Miso.",
        "User has a cat named Tofu.",
        "I have a new cat, Tofu.",
    ),
    (
        "User's colleague Ana lives in Porto.",
        "My colleague Ana lives in Porto.",
        "User's colleague Rui lives in Braga.",
        "Rui moved, he lives in Braga now.",
    ),
    (
        "User visited Rome in spring.",
        "We visited Rome in spring.",
        "User visited Paris in spring.",
        "We changed trains and visited Paris in spring.",
    ),
    (
        "The shop sells honey.",
        "My shop sells honey.",
        "The shop sells candles.",
        "The shop sells candles now.",
    ),
    (
        "User is allergic to peanuts.",
        "I'm allergic to peanuts.",
        "User is allergic to bees.",
        "Turns out I'm allergic to bees.",
    ),
    (
        "User needs to buy milk for the cake.",
        "I need to buy milk for the cake.",
        "User needs to buy eggs for the cake.",
        "I need to buy eggs for the cake, actually.",
    ),
    (
        "User takes 5 mg of lisinopril in the evening.",
        "I take 5 mg in the evening",
        "User takes 20 mg of lisinopril in the morning.",
        "doc upped the morning one to 20",
    ),
    (
        "The gym opens at 8:00 on Sundays.",
        "The gym opens at 8 on Sundays.",
        "The gym opens at 6:00 on weekdays.",
        "It opens at 6 on weekdays now.",
    ),
    (
        "User's son Leo is 7 years old.",
        "My son Leo is 7.",
        "User's daughter Mia is 9 years old.",
        "Mia turned 9, she's got a new bike now.",
    ),
    (
        "The web server has 8 GB of RAM.",
        "The web server has 8 GB.",
        "The database server has 32 GB of RAM.",
        "We upgraded the database one to 32 GB.",
    ),
    (
        "The first draft is due on May 3.",
        "First draft is due May 3.",
        "The second draft is due on June 10.",
        "The second one got pushed to June 10.",
    ),
    (
        "User pays 900 for the flat in Kiel.",
        "I pay 900 for the flat in Kiel.",
        "User pays 400 for the garage in Kiel.",
        "The garage went up to 400 now.",
    ),
    (
        "Invoice 1042 is paid.",
        "Invoice 1042 is paid.",
        "Invoice 1043 is paid.",
        "1043 is paid now.",
    ),
    (
        "User ran 10 km on Monday.",
        "I ran 10 km on Monday.",
        "User ran 12 km on Tuesday.",
        "Made it 12 on Tuesday.",
    ),
    (
        "User weighs 80 kg.",
        "I weigh 80 kilos.",
        "User's brother weighs 95 kg.",
        "My brother is at 95 now.",
    ),
    (
        "The staging timeout is 30 seconds.",
        "staging timeout is 30",
        "The production timeout is 60 seconds.",
        "prod is 60 now",
    ),
    (
        "The timeout is 30 seconds.",
        "timeout 30s",
        "The API timeout is 10 seconds.",
        "actually the api timeout is separate: 10s",
    ),
    (
        "Flight LH123 leaves at 9:00.",
        "LH123 leaves at 9.",
        "Flight LH456 leaves at 11:00.",
        "LH456 got moved to 11.",
    ),
    (
        "User's dentist appointment is on June 3.",
        "dentist is on June 3",
        "User's eye doctor appointment is on June 9.",
        "eye doctor moved to the 9th",
    ),
    (
        "Marta is responsible for the budget.",
        "Marta does the budget.",
        "Marta is responsible for the catering.",
        "Marta does the catering now.",
    ),
    (
        "The blue room seats 20 people.",
        "The blue room seats 20.",
        "The green room seats 35 people.",
        "They extended the green one, it seats 35 now.",
    ),
    (
        "User bought 3 tickets for the opera.",
        "I bought 3 tickets for the opera.",
        "User bought 2 tickets for the ballet.",
        "bought two for the ballet instead of waiting",
    ),
    (
        "The backup runs at 02:00.",
        "backup runs at 2",
        "The backup of the mail server runs at 04:00.",
        "mail server's one runs at 4 now",
    ),
    (
        "Team A uses Jira.",
        "Team A uses Jira.",
        "Team B uses Linear.",
        "Team B switched to Linear.",
    ),
    (
        "User's wife works at Siemens.",
        "My wife works at Siemens.",
        "User works at Bosch.",
        "I changed jobs, I'm at Bosch now.",
    ),
    (
        "User's old car is a Golf.",
        "My old car is a Golf.",
        "User's new car is a Yaris.",
        "The new one is a Yaris.",
    ),
    (
        "In 2024 revenue was 2 million.",
        "In 2024 revenue was 2 million.",
        "In 2025 revenue was 3 million.",
        "It went up to 3 million in 2025.",
    ),
    (
        "The rent of the shop is 2,000.",
        "rent of the shop is 2000",
        "The deposit of the shop is 6,000.",
        "they raised the deposit to 6000",
    ),
]

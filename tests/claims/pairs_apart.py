"""Pairs in which the newer text speaks of something else, with words that the older one has as well (C-43).

Rows as in `pairs_contradict` and `pairs_coexist`.
"""

CONTRADICT = (
    ("something else", "value", "User is married to Ann.", "User is unmarried."),
    ("something else", "value", "Tilda is on holiday.", "Tilda is back."),
    ("something else", "value", "Tilda is on maternity leave.", "Tilda is back from maternity leave."),
    ("something else", "correction", "User's hometown is Graz.", "Correction: the user's hometown is Linz."),
    (
        "something else",
        "state_change",
        "The frontend was migrated from webpack to Vite.",
        "The frontend was moved from Vite to Rspack.",
    ),
)

COEXIST = (
    (
        "something else",
        "We migrated the frontend from webpack to Vite.",
        "We moved the frontend from Netlify to Vercel.",
    ),
    (
        "something else",
        "The staging site moved to https://stage.orchardly.dev.",
        "We migrated staging from Heroku to Fly.io.",
    ),
    ("something else", "The user's hometown is Dunedin.", "User's flat is in Brno."),
    ("something else", "The user is a vegetarian.", "The user is no longer vegan."),
    (
        "something else",
        "User plays Nintendo Switch on the train.",
        "User resigned his membership of the tennis club and doesn't play any more.",
    ),
    (
        "something else",
        "There's a proposal to replace Slack with Zulip.",
        "We dropped the Slack subscription, all chat happens in Mattermost.",
    ),
    ("something else", "The user deploys on Fridays.", "I don't work on Fridays any more."),
    ("something else", "The API is up.", "The new API replaced the old API."),
    ("something else", "User pays 30 a month for the gym.", "User stopped going to the gym."),
    (
        "something else",
        "Crawler's configuration file is TOML instead of YAML.",
        "Secrets have been migrated from the .env file to Doppler, and the file was deleted.",
    ),
    ("something else", "The product is called Lumen.", "I quit Lumen in April."),
    ("something else", "The repo is called skylark.", "The product is called Nimbus."),
    ("something else", "Retention: 2 weeks", "In the US region customer data is stored for 90 days instead."),
    ("something else", "User is on parental leave.", "User is back from vacation."),
    ("something else", "The user replaced the battery of the smoke detector.", "The user quit smoking."),
    ("something else", "User's spouse is Joris.", "User's wife switched to a Renault Zoe last month."),
    ("something else", "User is unmarried.", "User and Tom are divorced."),
    ("something else", "User is engaged to Freya.", "User is unmarried."),
    (
        "something else",
        "API URL (staging): https://stg.api.ulmen.example",
        "The staging URL is https://staging.acme.dev.",
    ),
    ("something else", "We moved the docs from Jekyll to Hugo.", "We moved the docs from GitHub Pages to Netlify."),
    ("something else", "The shop was migrated from Angular to Vue.", "We migrated the shop from Azure to AWS."),
    ("something else", "User's hometown is Graz.", "User lives in Linz."),
    ("something else", "User's husband is Leo.", "User's husband switched to an electric bike."),
    ("something else", "The backup is up.", "The new backup replaced the old backup."),
    ("something else", "User reads the Economist on Sundays.", "User doesn't read any more because of the bad light."),
    ("something else", "The user walks to work on Mondays.", "The user doesn't work on Mondays any more."),
    ("something else", "User pays 12 euros a month for the pool.", "User stopped visiting the pool."),
    ("something else", "The style guide is a Markdown file.", "The import failed because the file was removed."),
    ("something else", "The app is named Kite.", "The user stopped using Kite."),
    ("something else", "The repository is named heron-core.", "Our product is named Heron Suite."),
    ("something else", "User is on sick leave.", "User is back from holiday."),
    ("something else", "The user cleaned the smoke alarm.", "The user stopped smoking."),
    ("something else", "The user is vegetarian.", "The user isn't vegan."),
    ("something else", "There's a proposal to swap Trello for Notion.", "We dropped Trello for good."),
    ("something else", "User is divorced.", "User is unmarried."),
    ("something else", "The parser port was changed from 8080 to 8443.", "The new parser replaced the old parser."),
    ("something else", "User is afraid of dogs.", "User no longer has a dog."),
    ("something else", "We attend a monthly chess evening.", "User gave up chess and paints now."),
    ("something else", "User owes his sister money for the bike repair.", "User no longer has a bike."),
    ("something else", "The user has a pool membership.", "User stopped going to the pool."),
    ("something else", "The site's visitors number 4,000 a day.", "The old number is dead."),
    ("something else", "User likes ale.", "User doesn't like ale in the morning."),
    ("something else", "User has a scooter.", "User sold the old scooter."),
    (
        "something else",
        "User prefers short summaries.",
        "User quoted an editor: 'Your summary is too short, write longer ones from now on.'",
    ),
    ("something else", "The user is vegetarian.", "The user isn't a vegan."),
)

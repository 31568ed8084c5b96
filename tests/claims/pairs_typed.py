"""Pairs about amounts, dates, paths and addresses, in clauses of any order (C-39 ... C-43).

Rows as in `pairs_contradict` and `pairs_coexist`.
"""

CONTRADICT = (
    ("typed value", "value", "Videos can't be longer than 10 minutes.", "The maximum video length is 25 minutes."),
    ("typed value", "value", "Payslips have to be archived for six years.", "Payslips are archived for ten years."),
    ("typed value", "state_change", "The site code is 4471.", "The site code was changed to 9083 after the burglary."),
    (
        "typed value",
        "value",
        "Marek can be contacted at marek@orbit.dev.",
        "Marek's e-mail address is marek@lumen.dev.",
    ),
    (
        "typed value",
        "state_change",
        "Choir rehearsal is on Tuesday at 19:00.",
        "Choir rehearsal was moved to Wednesday at 20:00.",
    ),
    ("typed value", "value", "The import takes 4 hours.", "After tuning, the import takes 50 minutes."),
    ("typed value", "value", "The iteration length is two weeks.", "Iterations last four weeks."),
    ("typed value", "value", "The daily aspirin dose of the user is 100 mg.", "User takes 75 mg of aspirin a day."),
    (
        "typed value",
        "state_change",
        "The collector reads its rules from /etc/collector/rules.yml.",
        "The collector's rules were moved to /opt/collector/rules.yml.",
    ),
    (
        "typed value",
        "value",
        "Logs of the proxy stay on disk for 7 days before they are deleted.",
        "Logs of the proxy stay on disk for 30 days.",
    ),
    (
        "typed value",
        "value",
        "The engagement party of Mia and Leo is on 3 May.",
        "Mia and Leo's engagement party is on 10 May.",
    ),
    ("typed value", "value", "Milestone 3.1 is due on 1 June.", "The deadline of 3.1 is 15 June."),
    ("typed value", "value", "Attachments may not exceed 10 MB.", "Attachments can be up to 25 MB."),
    ("typed value", "value", "We can spend 3,000 euros on the offsite.", "The budget for the offsite is 4,500 euros."),
)

COEXIST = (
    ("typed value", "Standup is on weekdays at 9:30.", "Standup is on Saturdays at 11:00."),
    (
        "typed value",
        "The support line is open on weekdays from 9 to 17.",
        "The support line is open on Saturdays from 10 to 14.",
    ),
    ("typed value", "Ann can be reached at ann@x.org.", "Bob can be reached at bob@x.org."),
    ("typed value", "Uploads can't be larger than 5 MB.", "Downloads can't be larger than 50 MB."),
    ("typed value", "Invoices must be kept for ten years.", "Contracts must be kept for six years."),
    (
        "typed value",
        "We upgraded the staging server's Postgres to 16 on 2024-11-02.",
        "The production server runs Postgres 15.",
    ),
    (
        "typed value",
        "Tokens issued by the auth gateway expire after 15 minutes.",
        "Tokens issued by the partner API expire after one hour.",
    ),
    (
        "typed value",
        "Tokens from the login page live for an hour.",
        "Tokens from the admin page live for five minutes.",
    ),
    ("typed value", "User takes 50 mg of losartan daily.", "User takes 100 mg of metformin daily."),
    ("typed value", "User takes 5 mg of ramipril in the morning.", "User takes 10 mg of ramipril in the evening."),
    ("typed value", "The maximum file size is 2 GB.", "The minimum file size is 1 KB."),
    ("typed value", "We can spend 500 euros on chairs.", "We can spend 900 euros on desks."),
    ("typed value", "The wedding of Clara and Nils is on 9 August.", "The wedding of Clara and Tom is on 12 May."),
    ("typed value", "The sprint starts on 4 March.", "The sprint ends on 18 March."),
    ("typed value", "The parents' evening is at 18:00.", "The games evening is at 19:00."),
    ("typed value", "The job reads prices from /srv/in.", "The job writes prices to /srv/out."),
    ("typed value", "The job reads prices from /srv/in.", "The job reads stock levels from /srv/stock."),
    (
        "typed value",
        "User's dentist appointment is on Monday at 8:00.",
        "The dentist appointment of the user's son is on Thursday at 16:30.",
    ),
    ("typed value", "Feature freeze for release 4.2 is on 12 May.", "The 4.3 feature freeze is on 26 August."),
    (
        "typed value",
        "A pull request needs two approvals before it can be merged.",
        "A pull request needs one reviewer.",
    ),
    ("typed value", "The monthly rent is 900 euros.", "The yearly rent is 10,800 euros."),
    ("typed value", "The weekly flour order is 60 kg.", "The monthly flour order is 240 kg."),
    ("typed value", "The free trial lasts 14 days.", "After the free trial, the plan costs 20 euros a month."),
    ("typed value", "The test run lasts 3 hours.", "After restarting, the server needs 5 minutes."),
    ("typed value", "A run of the unit tests takes 2 minutes.", "A run of the load tests takes 40 minutes."),
    ("typed value", "The standup takes place at 9:30 every weekday.", "The standup takes place at 10:15 every Friday."),
    (
        "typed value",
        "The invoice from Kessler is for 4,300 euros.",
        "The second invoice from Kessler is for 1,200 euros.",
    ),
    ("typed value", "Yoga is on Monday at 8:00.", "Yoga is on Thursday at 18:00."),
    (
        "typed value",
        "The clinic may be reached at 0800 123 456 on weekdays.",
        "The clinic may be reached at 0800 999 000 at night.",
    ),
    (
        "typed value",
        "Backups of the database stay in the vault for 30 days.",
        "Backups of the mail server stay in the vault for 90 days.",
    ),
    ("typed value", "The cache has to be kept for an hour.", "The cache is 5 GB big."),
    ("typed value", "Free shipping starts at 50 euros.", "Express shipping starts at 90 euros."),
    ("typed value", "The course starts at 50 euros.", "The course starts at 9:00."),
    (
        "typed value",
        "The scan reads its rules from config/rules.yml.",
        "The formatter reads its rules from config/format.yml.",
    ),
    ("typed value", "Reports of the night shift go out at 6:00.", "Reports of the day shift go out at 18:00."),
    ("typed value", "The monthly salary is 5,000 euros.", "The yearly salary is 62,000 euros."),
)

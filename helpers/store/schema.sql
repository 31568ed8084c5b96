-- ledger.db: what the pack remembers of a memory folder beside Agent Zero's own files.
-- Every script that begins with "-- version N" makes version N of the one before; PRAGMA user_version says which it is.
-- Statements end with a semicolon at the end of a line, which nothing else does.

-- version 1

-- How often a memory was recalled since the host last saved its index; rows are replayed after a crash (C-60).
CREATE TABLE access (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    memory TEXT NOT NULL UNIQUE,
    count INTEGER NOT NULL,
    at TEXT NOT NULL,
    cycle INTEGER NOT NULL,
    archive_cycles TEXT NOT NULL
) STRICT;

-- Which memories may hold a secret, and of which kinds, a JSON list; never the secret itself (V-56).
CREATE TABLE secret (memory TEXT PRIMARY KEY, kinds TEXT NOT NULL) STRICT;

-- Memories that were permanently deleted because they had been retired for long, each with the line of the journal (C-71).
CREATE TABLE purged (number INTEGER PRIMARY KEY, memory TEXT NOT NULL, line TEXT NOT NULL UNIQUE) STRICT;

-- Pairs that maintenance took for duplicates, and what became of them (E-46).
CREATE TABLE duplicate (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    cycle INTEGER NOT NULL,
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    cosine REAL NOT NULL,
    outcome TEXT NOT NULL,
    why TEXT NOT NULL,
    UNIQUE (at, a, b, outcome)
) STRICT;

-- What the rules would retire of what was there before the pack; texts and reasons are JSON lists. A person accepts.
CREATE TABLE proposal (
    number INTEGER PRIMARY KEY,
    loser TEXT NOT NULL,
    winner TEXT NOT NULL,
    texts TEXT NOT NULL,
    rule TEXT NOT NULL,
    reasons TEXT NOT NULL,
    accepted_at TEXT,
    UNIQUE (loser, winner)
) STRICT;

-- Which of the memories that are proposed a person wants to stay in use.
CREATE TABLE kept_in_use (memory TEXT PRIMARY KEY) STRICT;

-- Single values, each a JSON text under its name.
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

-- version 2

-- Memories that are to arrive from other folders: the lines of each archive, the first of which says what it is (C-91).
CREATE TABLE arrival (archive TEXT NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (archive, number)) STRICT;

-- version 3

-- The names in the claims of a memory that its text does not say, a word after the other, and the fingerprint of the text.
CREATE TABLE name (memory TEXT PRIMARY KEY, text TEXT NOT NULL, words TEXT NOT NULL) STRICT;

-- version 4

-- The latest recalls, and the memories that each of them put into a prompt (E-27 to E-31).
CREATE TABLE recall (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    cycle INTEGER NOT NULL,
    domain TEXT,
    UNIQUE (at, cycle)
) STRICT;

CREATE TABLE recalled (
    recall INTEGER NOT NULL REFERENCES recall ON DELETE CASCADE,
    memory TEXT NOT NULL,
    PRIMARY KEY (recall, memory)
) STRICT;

-- version 5

-- The latest line of each record of the vault, which brings back what its file has lost (V-17).
CREATE TABLE vault (record TEXT PRIMARY KEY, version INTEGER NOT NULL, line TEXT NOT NULL) STRICT;

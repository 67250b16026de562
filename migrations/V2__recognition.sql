-- Why: a download needs to remember what it was found to be, and what else it
-- might have been.
CREATE TABLE recognition (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    download_id INTEGER NOT NULL REFERENCES download(id) ON DELETE CASCADE,
    kind TEXT,
    title TEXT,
    year INTEGER,
    season INTEGER,
    state TEXT NOT NULL,
    confidence REAL,
    created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

CREATE TABLE metadata_candidate (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    recognition_id INTEGER NOT NULL REFERENCES recognition(id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    external_id TEXT NOT NULL,
    title TEXT NOT NULL,
    year INTEGER,
    score REAL NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

-- Why: the former schema begins here. V1 to V5 are kept as they were, numeric
-- keys and server-side time included, so that a database of any former version
-- has one known way to the present one.
CREATE TABLE download (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    infohash TEXT NOT NULL,
    idempotency_key TEXT UNIQUE,
    magnet TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL,
    error TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
);

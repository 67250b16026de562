-- Why: undo needs to know which links were made, and which of them together.
CREATE TABLE file_link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    download_id INTEGER NOT NULL REFERENCES download(id) ON DELETE CASCADE,
    recognition_id INTEGER REFERENCES recognition(id) ON DELETE CASCADE,
    apply_batch_id TEXT NOT NULL,
    source_path TEXT NOT NULL,
    target_path TEXT NOT NULL,
    mode TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now'))
);

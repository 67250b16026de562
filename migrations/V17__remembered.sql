-- Why: what a person corrects of one release is mostly wrong in the next one of the
-- same group and title too. `remembered` keeps such words by the keys that the names
-- give. A recognition takes them over as overrides, whose `remembered_at` tells that
-- nobody said them of that download: so what was taken over once changes only with
-- another recognition. A field that a person took back on a download is in
-- `remembered_declined`, and is not taken over there again.

CREATE TABLE remembered (
    id TEXT PRIMARY KEY,
    group_key TEXT NOT NULL,
    title_key TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    release_group TEXT NOT NULL,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (group_key, title_key, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE remembered_declined (
    download_id TEXT NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (download_id, field)
) STRICT, WITHOUT ROWID;

ALTER TABLE override ADD COLUMN remembered_at TEXT;

-- Why: a person may want to look before anything is linked, for one download or for
-- every download of a title. A rule of a title outlives the download at which it was
-- made, so it is kept by the work's own name at its source.

CREATE TABLE ask_download (
    download_id TEXT PRIMARY KEY REFERENCES download (id) ON DELETE CASCADE,
    author TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE ask_work (
    work TEXT PRIMARY KEY,
    author TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

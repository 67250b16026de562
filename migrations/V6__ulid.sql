-- Why: every entity gets a ULID as its key, made from its old number and the time
-- it was created, so that ids are unique over all tables, sort as history went
-- and mean the same in logs, addresses and other systems. A download gets a set
-- of infohashes in place of one, since a hybrid torrent has two. Time comes from
-- the program from here on, so no column has a default: a value that somebody
-- forgot fails loudly.
--
-- This runs on a connection with foreign_keys=OFF, inside one transaction, and
-- with the functions that `store` registers (ulid_at, rfc3339, legacy_*). An id is
-- computed from (time, old number, table), so a child finds the id of its parent
-- through the old number alone.

-- A key that points nowhere would vanish in a join below. Then nothing is done at
-- all: what it belonged to is for a person to say.
CREATE TEMP TABLE guard_before (
    violations INTEGER,
    CONSTRAINT former_foreign_keys_point_to_rows CHECK (violations = 0)
);
INSERT INTO guard_before SELECT count(*) FROM pragma_foreign_key_check;
DROP TABLE guard_before;

ALTER TABLE download RENAME TO legacy_download;
ALTER TABLE recognition RENAME TO legacy_recognition;
ALTER TABLE metadata_candidate RENAME TO legacy_metadata_candidate;
ALTER TABLE hint RENAME TO legacy_hint;
ALTER TABLE override RENAME TO legacy_override;
ALTER TABLE file_link RENAME TO legacy_file_link;

-- The new key and the time of each old row. A time that cannot be read is that of
-- the nearest earlier row of the table, else the epoch.
CREATE TEMP TABLE moved (
    source TEXT NOT NULL,
    old_id INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    readable INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (source, old_id)
) WITHOUT ROWID;

INSERT INTO moved (source, old_id, ms, readable, id)
SELECT 'download', old_id, ms, readable, ulid_at(ms, old_id, 'download')
FROM (
    SELECT old_id, own_ms IS NOT NULL AS readable,
        coalesce(first_value(own_ms) OVER (PARTITION BY span ORDER BY old_id), 0) AS ms
    FROM (
        SELECT old_id, own_ms, count(own_ms) OVER (ORDER BY old_id) AS span
        FROM (SELECT id AS old_id, legacy_ms(created_at) AS own_ms FROM legacy_download)
    )
);

INSERT INTO moved (source, old_id, ms, readable, id)
SELECT 'recognition', old_id, ms, readable, ulid_at(ms, old_id, 'recognition')
FROM (
    SELECT old_id, own_ms IS NOT NULL AS readable,
        coalesce(first_value(own_ms) OVER (PARTITION BY span ORDER BY old_id), 0) AS ms
    FROM (
        SELECT old_id, own_ms, count(own_ms) OVER (ORDER BY old_id) AS span
        FROM (SELECT id AS old_id, legacy_ms(created_at) AS own_ms FROM legacy_recognition)
    )
);

INSERT INTO moved (source, old_id, ms, readable, id)
SELECT 'metadata_candidate', old_id, ms, readable, ulid_at(ms, old_id, 'metadata_candidate')
FROM (
    SELECT old_id, own_ms IS NOT NULL AS readable,
        coalesce(first_value(own_ms) OVER (PARTITION BY span ORDER BY old_id), 0) AS ms
    FROM (
        SELECT old_id, own_ms, count(own_ms) OVER (ORDER BY old_id) AS span
        FROM (SELECT id AS old_id, legacy_ms(created_at) AS own_ms FROM legacy_metadata_candidate)
    )
);

INSERT INTO moved (source, old_id, ms, readable, id)
SELECT 'hint', old_id, ms, readable, ulid_at(ms, old_id, 'hint')
FROM (
    SELECT old_id, own_ms IS NOT NULL AS readable,
        coalesce(first_value(own_ms) OVER (PARTITION BY span ORDER BY old_id), 0) AS ms
    FROM (
        SELECT old_id, own_ms, count(own_ms) OVER (ORDER BY old_id) AS span
        FROM (SELECT id AS old_id, legacy_ms(created_at) AS own_ms FROM legacy_hint)
    )
);

INSERT INTO moved (source, old_id, ms, readable, id)
SELECT 'override', old_id, ms, readable, ulid_at(ms, old_id, 'override')
FROM (
    SELECT old_id, own_ms IS NOT NULL AS readable,
        coalesce(first_value(own_ms) OVER (PARTITION BY span ORDER BY old_id), 0) AS ms
    FROM (
        SELECT old_id, own_ms, count(own_ms) OVER (ORDER BY old_id) AS span
        FROM (SELECT id AS old_id, legacy_ms(created_at) AS own_ms FROM legacy_override)
    )
);

INSERT INTO moved (source, old_id, ms, readable, id)
SELECT 'file_link', old_id, ms, readable, ulid_at(ms, old_id, 'file_link')
FROM (
    SELECT old_id, own_ms IS NOT NULL AS readable,
        coalesce(first_value(own_ms) OVER (PARTITION BY span ORDER BY old_id), 0) AS ms
    FROM (
        SELECT old_id, own_ms, count(own_ms) OVER (ORDER BY old_id) AS span
        FROM (SELECT id AS old_id, legacy_ms(created_at) AS own_ms FROM legacy_file_link)
    )
);

-- What a batch was is told by its links alone: any text, the same for each link.
CREATE TEMP TABLE moved_batch (
    word TEXT NOT NULL PRIMARY KEY,
    ms INTEGER NOT NULL,
    id TEXT NOT NULL,
    old_download_id INTEGER,
    old_recognition_id INTEGER
) WITHOUT ROWID;
INSERT INTO moved_batch (word, ms, id, old_download_id, old_recognition_id)
SELECT link.apply_batch_id, min(own.ms), ulid_at(min(own.ms), min(link.id), 'apply_batch'),
    CASE WHEN min(link.download_id) = max(link.download_id) THEN min(link.download_id) END,
    CASE WHEN count(link.recognition_id) = count(*)
        AND min(link.recognition_id) = max(link.recognition_id) THEN min(link.recognition_id) END
FROM legacy_file_link AS link
JOIN moved AS own ON own.source = 'file_link' AND own.old_id = link.id
GROUP BY link.apply_batch_id;

CREATE TEMP TABLE moved_download (
    old_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    infohash TEXT,
    word TEXT NOT NULL,
    known INTEGER NOT NULL,
    active INTEGER NOT NULL,
    fate TEXT,
    PRIMARY KEY (old_id, id)
) WITHOUT ROWID;
INSERT INTO moved_download (old_id, id, infohash, word, known, active, fate)
SELECT old_id, id, infohash, word,
    word IN ('queued', 'downloading', 'downloaded', 'linking', 'done', 'failed', 'cancelled', 'merged'),
    word IN ('queued', 'downloading', 'downloaded', 'linking'),
    NULL
FROM (
    SELECT own.old_id, own.id, legacy_infohash(old.infohash, old.magnet) AS infohash,
        legacy_text(old.state) AS word
    FROM legacy_download AS old
    JOIN moved AS own ON own.source = 'download' AND own.old_id = old.id
);

-- One active owner an infohash: the oldest, which is the one with the lowest id.
CREATE TEMP TABLE moved_owner (infohash TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO moved_owner (infohash, id)
SELECT infohash, min(id) FROM moved_download WHERE active AND infohash IS NOT NULL GROUP BY infohash;

-- Why a download cannot stay what it was.
UPDATE moved_download SET fate = CASE
    WHEN NOT known THEN 'unknown_state'
    WHEN infohash IS NULL THEN 'unreadable_infohash'
    ELSE 'infohash_owned' END
WHERE NOT known
    OR (active AND infohash IS NULL)
    OR (active AND id <> (SELECT owner.id FROM moved_owner AS owner WHERE owner.infohash = moved_download.infohash));

CREATE TABLE download (
    id TEXT NOT NULL PRIMARY KEY,
    magnet TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    error TEXT,
    error_code TEXT,
    attention TEXT,
    attention_detail TEXT,
    client TEXT,
    origin TEXT NOT NULL,
    placement TEXT,
    handle TEXT,
    save_path TEXT,
    size_bytes INTEGER,
    metadata_at TEXT,
    merged_into TEXT REFERENCES download (id),
    hidden_at TEXT,
    attempts INTEGER NOT NULL,
    next_attempt_at TEXT,
    revision INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE download_infohash (
    infohash TEXT NOT NULL,
    download_id TEXT NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    PRIMARY KEY (infohash, download_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE download_torrent (
    download_id TEXT NOT NULL PRIMARY KEY REFERENCES download (id) ON DELETE CASCADE,
    bytes BLOB NOT NULL
) STRICT;

CREATE TABLE download_file (
    download_id TEXT NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    file_index INTEGER NOT NULL,
    path TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    selected INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    PRIMARY KEY (download_id, file_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE recognition (
    id TEXT NOT NULL PRIMARY KEY,
    download_id TEXT NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    kind TEXT,
    title TEXT,
    year INTEGER,
    season INTEGER,
    state TEXT NOT NULL,
    confidence REAL,
    verdict TEXT,
    fields TEXT,
    files TEXT,
    evidence TEXT,
    detail TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE metadata_candidate (
    id TEXT NOT NULL PRIMARY KEY,
    recognition_id TEXT NOT NULL REFERENCES recognition (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    external_id TEXT NOT NULL,
    title TEXT NOT NULL,
    year INTEGER,
    score REAL NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE hint (
    id TEXT NOT NULL PRIMARY KEY,
    download_id TEXT NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE override (
    id TEXT NOT NULL PRIMARY KEY,
    download_id TEXT NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (download_id, field)
) STRICT;

CREATE TABLE apply_batch (
    id TEXT NOT NULL PRIMARY KEY,
    download_id TEXT REFERENCES download (id) ON DELETE CASCADE,
    recognition_id TEXT REFERENCES recognition (id) ON DELETE SET NULL,
    state TEXT NOT NULL,
    plan_id TEXT,
    library TEXT,
    detail TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE file_link (
    id TEXT NOT NULL PRIMARY KEY,
    download_id TEXT NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    recognition_id TEXT REFERENCES recognition (id) ON DELETE SET NULL,
    apply_batch_id TEXT NOT NULL REFERENCES apply_batch (id),
    source_path TEXT NOT NULL,
    target_path TEXT NOT NULL,
    mode TEXT NOT NULL,
    state TEXT NOT NULL,
    file_index INTEGER,
    device INTEGER,
    inode INTEGER,
    size_bytes INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

-- No foreign keys, and a copy of the entity's name: a story outlives its entity.
CREATE TABLE event (
    id TEXT NOT NULL PRIMARY KEY,
    created_at TEXT NOT NULL,
    type TEXT NOT NULL,
    entity_kind TEXT,
    entity_id TEXT,
    entity_name TEXT,
    download_id TEXT,
    job_id TEXT,
    actor TEXT NOT NULL,
    message TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;

CREATE TABLE client_task (
    id TEXT NOT NULL PRIMARY KEY,
    download_id TEXT NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    handle TEXT,
    delete_data INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at TEXT,
    done_at TEXT,
    detail TEXT,
    actor TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE token (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    revoked_at TEXT
) STRICT;

-- The highest id that was issued: a clock set back never brings an id below it.
CREATE TABLE id_floor (
    name TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL
) STRICT;

-- How many rows a migration moved, and how many needed a decision.
CREATE TABLE migration_note (
    what TEXT NOT NULL,
    version INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (what, version)
) STRICT, WITHOUT ROWID;

INSERT INTO download (id, magnet, name, state, error, error_code, attention, attention_detail, client, origin,
    placement, handle, save_path, size_bytes, metadata_at, merged_into, hidden_at, attempts, next_attempt_at,
    revision, created_at, updated_at)
SELECT own.id, legacy_text(old.magnet), legacy_text(old.name),
    CASE WHEN now.fate IS NULL THEN now.word ELSE 'failed' END,
    -- An error that stood there already is kept behind the word.
    CASE now.fate
        WHEN 'unknown_state' THEN now.word || coalesce(': ' || nullif(legacy_text(old.error), ''), '')
        WHEN 'unreadable_infohash' THEN 'unreadable infohash: ' || legacy_text(old.infohash)
        WHEN 'infohash_owned' THEN 'the older active download ' || owner.id || ' owns the infohash ' || now.infohash
        ELSE nullif(legacy_text(old.error), '') END,
    CASE now.fate
        WHEN 'unknown_state' THEN 'legacy-state'
        WHEN 'unreadable_infohash' THEN 'legacy-state'
        WHEN 'infohash_owned' THEN 'infohash-owned' END,
    CASE now.fate WHEN 'infohash_owned' THEN 'infohash-owned' END,
    CASE now.fate WHEN 'infohash_owned' THEN owner.id END,
    NULL, 'magnet', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1,
    rfc3339(own.ms), coalesce(rfc3339(legacy_ms(old.updated_at)), rfc3339(own.ms))
FROM legacy_download AS old
JOIN moved AS own ON own.source = 'download' AND own.old_id = old.id
JOIN moved_download AS now ON now.old_id = old.id
LEFT JOIN moved_owner AS owner ON owner.infohash = now.infohash
ORDER BY own.id;

INSERT INTO download_infohash (infohash, download_id, kind)
SELECT infohash, id, CASE length(infohash) WHEN 40 THEN 'v1' ELSE 'v2' END
FROM moved_download WHERE infohash IS NOT NULL ORDER BY infohash, id;

-- A word that is none of today's is kept in `detail`.
INSERT INTO recognition (id, download_id, kind, title, year, season, state, confidence, verdict, fields, files,
    evidence, detail, created_at, updated_at)
SELECT own.id, parent.id,
    CASE WHEN old.kind IN ('movie', 'series', 'anime', 'other') THEN old.kind END,
    legacy_text(old.title), legacy_integer(old.year), legacy_integer(old.season),
    CASE WHEN old.state IN ('pending', 'waiting', 'proposed', 'accepted', 'rejected', 'superseded')
        THEN old.state ELSE 'proposed' END,
    legacy_real(old.confidence), NULL, NULL, NULL, NULL,
    nullif(trim(
        CASE WHEN old.state IN ('pending', 'waiting', 'proposed', 'accepted', 'rejected', 'superseded')
            THEN '' ELSE 'former state: ' || legacy_text(old.state) END
        || CASE WHEN old.kind IS NULL OR old.kind IN ('movie', 'series', 'anime', 'other')
            THEN '' ELSE ' former kind: ' || legacy_text(old.kind) END), ''),
    rfc3339(own.ms), rfc3339(own.ms)
FROM legacy_recognition AS old
JOIN moved AS own ON own.source = 'recognition' AND own.old_id = old.id
JOIN moved AS parent ON parent.source = 'download' AND parent.old_id = old.download_id
ORDER BY own.id;

INSERT INTO metadata_candidate (id, recognition_id, source, external_id, title, year, score, created_at)
SELECT own.id, parent.id, legacy_text(old.source), legacy_text(old.external_id), legacy_text(old.title),
    legacy_integer(old.year), coalesce(legacy_real(old.score), 0.0), rfc3339(own.ms)
FROM legacy_metadata_candidate AS old
JOIN moved AS own ON own.source = 'metadata_candidate' AND own.old_id = old.id
JOIN moved AS parent ON parent.source = 'recognition' AND parent.old_id = old.recognition_id
ORDER BY own.id;

INSERT INTO hint (id, download_id, text, created_at)
SELECT own.id, parent.id, legacy_text(old.text), rfc3339(own.ms)
FROM legacy_hint AS old
JOIN moved AS own ON own.source = 'hint' AND own.old_id = old.id
JOIN moved AS parent ON parent.source = 'download' AND parent.old_id = old.download_id
ORDER BY own.id;

INSERT INTO override (id, download_id, field, value, created_at)
SELECT own.id, parent.id, legacy_text(old.field), legacy_text(old.value), rfc3339(own.ms)
FROM legacy_override AS old
JOIN moved AS own ON own.source = 'override' AND own.old_id = old.id
JOIN moved AS parent ON parent.source = 'download' AND parent.old_id = old.download_id
ORDER BY own.id;

INSERT INTO apply_batch (id, download_id, recognition_id, state, plan_id, library, detail, created_at, updated_at)
SELECT batch.id, parent.id, recognised.id, 'applied', NULL, NULL, NULL, rfc3339(batch.ms), rfc3339(batch.ms)
FROM moved_batch AS batch
LEFT JOIN moved AS parent ON parent.source = 'download' AND parent.old_id = batch.old_download_id
LEFT JOIN moved AS recognised ON recognised.source = 'recognition' AND recognised.old_id = batch.old_recognition_id
ORDER BY batch.id;

-- Where the mode is no word of today the strictest is taken: `verify` learns device
-- and inode only of what really is a hard link, and undo removes nothing else.
INSERT INTO file_link (id, download_id, recognition_id, apply_batch_id, source_path, target_path, mode, state,
    file_index, device, inode, size_bytes, created_at, updated_at)
SELECT own.id, parent.id, recognised.id, batch.id, legacy_text(old.source_path), legacy_text(old.target_path),
    CASE WHEN old.mode IN ('hardlink', 'reflink', 'copy', 'symlink') THEN old.mode ELSE 'hardlink' END,
    'linked', NULL, NULL, NULL, NULL, rfc3339(own.ms), rfc3339(own.ms)
FROM legacy_file_link AS old
JOIN moved AS own ON own.source = 'file_link' AND own.old_id = old.id
JOIN moved AS parent ON parent.source = 'download' AND parent.old_id = old.download_id
JOIN moved_batch AS batch ON batch.word = old.apply_batch_id
LEFT JOIN moved AS recognised ON recognised.source = 'recognition' AND recognised.old_id = old.recognition_id
ORDER BY own.id;

INSERT INTO id_floor (name, id)
SELECT 'global', max(id) FROM (SELECT id FROM moved UNION ALL SELECT id FROM moved_batch)
HAVING max(id) IS NOT NULL;

INSERT INTO migration_note (what, version, count)
SELECT 'rows.download', 6, count(*) FROM download
UNION ALL SELECT 'rows.recognition', 6, count(*) FROM recognition
UNION ALL SELECT 'rows.metadata_candidate', 6, count(*) FROM metadata_candidate
UNION ALL SELECT 'rows.hint', 6, count(*) FROM hint
UNION ALL SELECT 'rows.override', 6, count(*) FROM override
UNION ALL SELECT 'rows.file_link', 6, count(*) FROM file_link
UNION ALL SELECT 'rows.apply_batch', 6, count(*) FROM apply_batch
UNION ALL SELECT 'rows.download_infohash', 6, count(*) FROM download_infohash;

INSERT INTO migration_note (what, version, count)
SELECT what, 6, touched FROM (
    SELECT 'unknown_state' AS what, count(*) AS touched FROM moved_download WHERE NOT known
    UNION ALL SELECT 'infohash_owned', count(*) FROM moved_download WHERE fate = 'infohash_owned'
    UNION ALL SELECT 'unreadable_infohash', count(*) FROM moved_download WHERE infohash IS NULL
    UNION ALL SELECT 'truncated_v2', count(*) FROM moved_download AS now JOIN legacy_download AS old ON old.id = now.old_id
    WHERE length(now.infohash) = 64 AND length(trim(old.infohash)) < 64
    UNION ALL SELECT 'unreadable_created_at', count(*) FROM moved WHERE NOT readable
    UNION ALL SELECT 'unreadable_updated_at', count(*) FROM legacy_download WHERE legacy_ms(updated_at) IS NULL
    UNION ALL SELECT 'unknown_recognition_state', count(*) FROM legacy_recognition
    WHERE state NOT IN ('pending', 'waiting', 'proposed', 'accepted', 'rejected', 'superseded')
    UNION ALL SELECT 'unknown_recognition_kind', count(*) FROM legacy_recognition WHERE kind NOT IN ('movie', 'series', 'anime', 'other')
    UNION ALL SELECT 'unknown_link_mode', count(*) FROM legacy_file_link WHERE mode NOT IN ('hardlink', 'reflink', 'copy', 'symlink')
    UNION ALL SELECT 'unreadable_number', count(*) FROM (
        SELECT 1 FROM legacy_recognition
        WHERE legacy_integer(year) IS NOT year OR legacy_integer(season) IS NOT season
            OR legacy_real(confidence) IS NOT confidence
        UNION ALL
        SELECT 1 FROM legacy_metadata_candidate
        WHERE legacy_integer(year) IS NOT year OR legacy_real(score) IS NOT score
    )
) WHERE touched > 0;

-- A row that found no partner in a join above must not get lost in silence.
CREATE TEMP TABLE guard_rows (
    missing INTEGER,
    CONSTRAINT every_row_arrived CHECK (missing = 0)
);
INSERT INTO guard_rows SELECT (SELECT count(*) FROM legacy_download) - (SELECT count(*) FROM download);
INSERT INTO guard_rows SELECT (SELECT count(*) FROM legacy_recognition) - (SELECT count(*) FROM recognition);
INSERT INTO guard_rows SELECT (SELECT count(*) FROM legacy_metadata_candidate) - (SELECT count(*) FROM metadata_candidate);
INSERT INTO guard_rows SELECT (SELECT count(*) FROM legacy_hint) - (SELECT count(*) FROM hint);
INSERT INTO guard_rows SELECT (SELECT count(*) FROM legacy_override) - (SELECT count(*) FROM override);
INSERT INTO guard_rows SELECT (SELECT count(*) FROM legacy_file_link) - (SELECT count(*) FROM file_link);
DROP TABLE guard_rows;

DROP TABLE legacy_file_link;
DROP TABLE legacy_override;
DROP TABLE legacy_hint;
DROP TABLE legacy_metadata_candidate;
DROP TABLE legacy_recognition;
DROP TABLE legacy_download;
DROP TABLE moved;
DROP TABLE moved_batch;
DROP TABLE moved_download;
DROP TABLE moved_owner;

CREATE INDEX download_state ON download (state);
CREATE INDEX download_client ON download (client);
CREATE INDEX download_merged_into ON download (merged_into);
CREATE INDEX download_infohash_download_id ON download_infohash (download_id);
CREATE INDEX recognition_download_id ON recognition (download_id);
CREATE INDEX metadata_candidate_recognition_id ON metadata_candidate (recognition_id);
CREATE INDEX hint_download_id ON hint (download_id);
CREATE INDEX apply_batch_download_id ON apply_batch (download_id);
CREATE INDEX apply_batch_recognition_id ON apply_batch (recognition_id);
CREATE INDEX file_link_download_id ON file_link (download_id);
CREATE INDEX file_link_recognition_id ON file_link (recognition_id);
CREATE INDEX file_link_apply_batch_id ON file_link (apply_batch_id);
CREATE INDEX file_link_target_path ON file_link (target_path);
CREATE INDEX client_task_download_id ON client_task (download_id);
-- What is left to do is little beside what was done: looks go through these.
CREATE INDEX apply_batch_planned ON apply_batch (id) WHERE state = 'planned';
CREATE INDEX client_task_open ON client_task (id) WHERE done_at IS NULL;
CREATE INDEX event_entity_id ON event (entity_id, id);
CREATE INDEX event_type ON event (type, id);
CREATE INDEX event_download_id ON event (download_id, id);
CREATE INDEX event_job_id ON event (job_id, id);

CREATE TEMP TABLE guard_after (
    violations INTEGER,
    CONSTRAINT foreign_keys_point_to_rows CHECK (violations = 0)
);
INSERT INTO guard_after SELECT count(*) FROM pragma_foreign_key_check;
DROP TABLE guard_after;

-- Why: what a torrent is can now be asked of metadata sources and decided by a
-- person. A recognition keeps its candidates with the reasons of their rank, which
-- of them was chosen and by whom, and why and until when it waits; a hint and an
-- override keep who said them; and answers of the sources are kept, so that they
-- need not be asked twice. Every new column may be null: rows of before have
-- nothing to put there.

ALTER TABLE download ADD COLUMN rerun_at TEXT;

ALTER TABLE recognition ADD COLUMN candidate_id TEXT REFERENCES metadata_candidate (id) ON DELETE SET NULL;
ALTER TABLE recognition ADD COLUMN chosen_by TEXT;
ALTER TABLE recognition ADD COLUMN next_look_at TEXT;
ALTER TABLE recognition ADD COLUMN causes TEXT;
ALTER TABLE recognition ADD COLUMN provisional INTEGER;

ALTER TABLE metadata_candidate ADD COLUMN kind TEXT;
ALTER TABLE metadata_candidate ADD COLUMN work TEXT;
ALTER TABLE metadata_candidate ADD COLUMN parts TEXT;
ALTER TABLE metadata_candidate ADD COLUMN rank INTEGER;
ALTER TABLE metadata_candidate ADD COLUMN excluded TEXT;

ALTER TABLE hint ADD COLUMN author TEXT;
ALTER TABLE override ADD COLUMN author TEXT;
ALTER TABLE override ADD COLUMN updated_at TEXT;

-- The journal knows who said what; for rows that are older than it, nobody does.
UPDATE hint SET author = coalesce(
    (SELECT said.actor FROM event AS said
     WHERE said.entity_id = hint.id AND said.type = 'hint.added' ORDER BY said.id LIMIT 1),
    'system');

-- The latest word is the one that stands.
UPDATE override SET
    author = coalesce(
        (SELECT said.actor FROM event AS said
         WHERE said.entity_id = override.id AND said.type = 'override.set' ORDER BY said.id DESC LIMIT 1),
        'system'),
    updated_at = coalesce(
        (SELECT said.created_at FROM event AS said
         WHERE said.entity_id = override.id AND said.type = 'override.set' ORDER BY said.id DESC LIMIT 1),
        created_at);

CREATE TABLE metadata_cache (
    provider TEXT NOT NULL,
    request TEXT NOT NULL,
    answer TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    PRIMARY KEY (provider, request)
) STRICT, WITHOUT ROWID;

CREATE INDEX metadata_cache_fetched_at ON metadata_cache (fetched_at);
CREATE INDEX recognition_candidate_id ON recognition (candidate_id) WHERE candidate_id IS NOT NULL;
-- One of a download holds at most, beside all that it was taken for before.
CREATE INDEX recognition_living ON recognition (download_id) WHERE state <> 'superseded';
CREATE INDEX recognition_waiting ON recognition (next_look_at) WHERE state = 'waiting';
CREATE INDEX download_rerun ON download (id) WHERE rerun_at IS NOT NULL;

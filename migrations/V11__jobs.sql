-- Why: long work that a person or the schedule starts has a row of its own, so that
-- its progress and its end are seen, and so that what a killed process left is told
-- from what still runs. A backup keeps where its object lies and what is in it, so
-- that one that is gone from its target, or was put and never written down, is found.
-- `subject_id` is what a job is about where it is about one thing, of whatever kind.
-- `job_id` is null for a backup whose row was made from its object.

CREATE TABLE job (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    subject_id TEXT,
    state TEXT NOT NULL,
    stage TEXT,
    progress_done INTEGER,
    progress_total INTEGER,
    error_code TEXT,
    error TEXT,
    actor TEXT NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    cancel_asked_at TEXT,
    finished_at TEXT
) STRICT;

CREATE TABLE backup (
    id TEXT NOT NULL PRIMARY KEY,
    job_id TEXT REFERENCES job (id),
    state TEXT NOT NULL,
    target TEXT NOT NULL,
    object TEXT NOT NULL,
    size_bytes INTEGER,
    sha256 TEXT,
    schema_version INTEGER,
    row_counts TEXT,
    error TEXT,
    created_at TEXT NOT NULL,
    finished_at TEXT,
    verified_at TEXT,
    missing_at TEXT,
    deleted_at TEXT
) STRICT;

CREATE INDEX job_open ON job (kind, id) WHERE state IN ('queued', 'running');
CREATE INDEX job_kind ON job (kind, id);
CREATE INDEX job_subject_id ON job (subject_id, id) WHERE subject_id IS NOT NULL;
CREATE INDEX backup_job_id ON backup (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX backup_target ON backup (target, id);

-- Why: who is told of events reads the journal from a place of its own, which has to
-- outlive the process: `consumer` keeps it, with what stands in the way of the next
-- message. What a receiver would not take after all attempts is put aside in
-- `dead_letter`, so that what comes behind it goes on and nothing is lost in silence.
-- The names come from the configuration, so there is no key to point to. Columns that
-- may be null have not come to that yet: no failure, no delivery.

CREATE TABLE consumer (
    name TEXT NOT NULL PRIMARY KEY,
    cursor TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at TEXT,
    detail TEXT,
    delivered_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE dead_letter (
    consumer TEXT NOT NULL,
    event_id TEXT NOT NULL,
    detail TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (consumer, event_id)
) STRICT, WITHOUT ROWID;

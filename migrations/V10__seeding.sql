-- Why: a torrent that has given enough is stopped or removed once. The download
-- keeps when and how, so that one that a person starts again goes on, and so that
-- one that was removed is not missed. Both columns may be null: a row of before has
-- not come to that.

ALTER TABLE download ADD COLUMN seeding_ended_at TEXT;
ALTER TABLE download ADD COLUMN seeding_end TEXT;

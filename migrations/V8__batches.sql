-- Why: a batch of links can be undone, replaced by a later one and compared with
-- the disk by a person. It keeps the root that its links lie below, so that they
-- are found whatever the configuration says by then, and which batch took its
-- place. A link keeps which file had its name before, when a copy was written, so that
-- one that somebody wrote since is told from it, and what was found when it was last
-- looked at. Every new column may be null: rows of
-- before have nothing to put there.

ALTER TABLE apply_batch ADD COLUMN root TEXT;
ALTER TABLE apply_batch ADD COLUMN superseded_by TEXT REFERENCES apply_batch (id);

ALTER TABLE file_link ADD COLUMN there_already INTEGER;
ALTER TABLE file_link ADD COLUMN replaced_device INTEGER;
ALTER TABLE file_link ADD COLUMN replaced_inode INTEGER;
ALTER TABLE file_link ADD COLUMN modified_ns INTEGER;
ALTER TABLE file_link ADD COLUMN health TEXT;
ALTER TABLE file_link ADD COLUMN verified_at TEXT;

CREATE INDEX apply_batch_superseded_by ON apply_batch (superseded_by)
    WHERE superseded_by IS NOT NULL;
CREATE INDEX apply_batch_applied ON apply_batch (download_id, id) WHERE state = 'applied';

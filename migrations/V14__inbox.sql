-- Why: the inbox is asked for at every look of a person, and most of what there is
-- has long ended. Each of its groups is a part of `download` in the order of ids, so
-- that a page reads as many rows as it shows, and a count reads only what is open.

CREATE INDEX download_needs_you ON download (id)
    WHERE attention IS NOT NULL AND hidden_at IS NULL;
CREATE INDEX download_active ON download (id)
    WHERE state IN ('queued', 'downloading', 'downloaded', 'linking')
        AND attention IS NULL AND hidden_at IS NULL;
CREATE INDEX download_ended ON download (id)
    WHERE state IN ('done', 'failed', 'cancelled', 'merged')
        AND attention IS NULL AND hidden_at IS NULL;

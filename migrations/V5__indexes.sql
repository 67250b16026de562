-- Why: lists by state, look-ups by infohash and every walk from parent to child
-- read whole tables without these.
CREATE INDEX idx_recognition_download_id ON recognition (download_id);
CREATE INDEX idx_metadata_candidate_recognition_id ON metadata_candidate (recognition_id);
CREATE INDEX idx_hint_download_id ON hint (download_id);
CREATE INDEX idx_override_download_id ON override (download_id);
CREATE INDEX idx_file_link_download_id ON file_link (download_id);
CREATE INDEX idx_file_link_recognition_id ON file_link (recognition_id);
CREATE INDEX idx_download_state ON download (state);
CREATE INDEX idx_download_infohash ON download (infohash);

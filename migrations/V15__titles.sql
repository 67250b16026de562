-- Why: a search shows which of the works it found are here already, and the library
-- shows each work once, by the newest batch of it that stands. Both ask from a work to
-- its downloads, which reads every candidate there ever was without an index.

CREATE INDEX metadata_candidate_work ON metadata_candidate (source, external_id);
CREATE INDEX apply_batch_standing ON apply_batch (id) WHERE state = 'applied';

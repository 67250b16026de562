-- Why: a person may pause a download, so its row keeps that wish until it is taken
-- back, here or in the client. The column may be null: a row of before is not paused.

ALTER TABLE download ADD COLUMN pause TEXT;

-- Why: a person may pause a download, so its row keeps that wish until it is taken
-- back, here or in the client; and may choose which of its files are wanted, so it
-- keeps the indexes of those that are not, as a JSON list. Both columns may be null:
-- a row of before is not paused, and nobody has chosen among its files.

ALTER TABLE download ADD COLUMN pause TEXT;
ALTER TABLE download ADD COLUMN unwanted TEXT;

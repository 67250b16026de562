-- Why: people come to the pages with accounts of their own. A session is a row, so
-- that it can be listed, revoked and outlives a restart; like tokens it is kept as
-- the digest of its secret. A login link opens the first session where there is no
-- account yet, and another one where a password is lost. A token gets a scope:
-- those that exist had all rights, and keep them. The table is made anew, since a
-- column without a default cannot be added to it.
-- Columns that may be null have not come to that yet: no password, no preference of
-- one's own, not disabled, not revoked, not used; a link without a user is for whoever
-- sets the program up.

CREATE TABLE user (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    language TEXT,
    timezone TEXT,
    theme TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    disabled_at TEXT
) STRICT;

CREATE TABLE session (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES user (id),
    hash TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT,
    address TEXT,
    user_agent TEXT
) STRICT;

CREATE INDEX session_user_id ON session (user_id);

CREATE TABLE login_link (
    id TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    user_id TEXT REFERENCES user (id),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT
) STRICT;

CREATE INDEX login_link_user_id ON login_link (user_id);

CREATE TABLE token_with_scope (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    scope TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    revoked_at TEXT
) STRICT;

INSERT INTO token_with_scope (id, name, hash, scope, created_at, last_used_at, revoked_at)
SELECT id, name, hash, 'admin', created_at, last_used_at, revoked_at FROM token;

DROP TABLE token;

ALTER TABLE token_with_scope RENAME TO token;

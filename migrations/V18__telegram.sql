-- Why: the bot of Telegram has to go on where it was after any end of the process:
-- from the update behind the last one that was handled, none of them twice, with one
-- message a download that is edited, and without a second refusal to a stranger.
-- The numbers of Telegram are kept as text: they are names of things outside, nothing
-- is computed with them, and no key of ours is a number.

CREATE TABLE telegram_state (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE telegram_update (
    update_id TEXT PRIMARY KEY,
    handled_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE telegram_chat (
    chat_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    title TEXT,
    closed_at TEXT,
    became TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX telegram_chat_by_became ON telegram_chat (became) WHERE became IS NOT NULL;

CREATE TABLE telegram_message (
    chat_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    download_id TEXT NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    thread_id TEXT,
    answers TEXT,
    role TEXT NOT NULL,
    has_photo INTEGER NOT NULL,
    shown_digest TEXT,
    shown_revision INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (chat_id, message_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX telegram_message_by_download ON telegram_message (download_id);

CREATE UNIQUE INDEX telegram_message_status ON telegram_message (download_id, chat_id)
    WHERE role = 'status';

CREATE TABLE telegram_person (
    user_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    language TEXT,
    refused_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

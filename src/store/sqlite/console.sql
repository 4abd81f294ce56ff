CREATE TABLE users (
  name TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  transcripts INTEGER NOT NULL CHECK (transcripts IN (0, 1)),
  password TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  transcripts INTEGER NOT NULL CHECK (transcripts IN (0, 1)),
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  hash TEXT NOT NULL PRIMARY KEY,
  user TEXT COLLATE NOCASE REFERENCES users (name) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_user ON sessions (user);

CREATE TABLE links (
  hash TEXT NOT NULL PRIMARY KEY,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE uploads (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  at INTEGER NOT NULL,
  machine TEXT
) STRICT, WITHOUT ROWID;

-- Machines at one address are two consoles.
CREATE TABLE listening (
  machine TEXT NOT NULL,
  url TEXT NOT NULL,
  owner TEXT NOT NULL CHECK (json_valid(owner)),
  at INTEGER NOT NULL,
  PRIMARY KEY (machine, url)
) STRICT, WITHOUT ROWID;

CREATE TABLE log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  target TEXT,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;
CREATE INDEX log_by_who ON log (who);
CREATE INDEX log_by_what ON log (what);
CREATE TRIGGER log_is_kept BEFORE UPDATE ON log BEGIN SELECT raise(ABORT, 'log entries are never changed'); END;

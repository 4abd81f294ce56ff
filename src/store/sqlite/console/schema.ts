import type { Database } from 'better-sqlite3';
import { usageError } from '../../../runtime/errors.ts';
import { versionOf } from '../migrate.ts';

/** Marks the file in its header (PRAGMA application_id): "CALU" in ASCII, so that neither database opens the other. */
export const CONSOLE_APPLICATION_ID = 0x43414c55;

const FIRST = `
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

CREATE TABLE drafts (
  id TEXT NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  who TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  body TEXT NOT NULL CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;

CREATE TABLE uploads (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  at INTEGER NOT NULL,
  draft TEXT REFERENCES drafts (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX uploads_by_draft ON uploads (draft);

CREATE TABLE log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  target TEXT,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;
CREATE TRIGGER log_is_kept BEFORE UPDATE ON log BEGIN SELECT raise(ABORT, 'log entries are never changed'); END;
`;

const SECOND = `
CREATE TABLE listening (
  url TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL CHECK (json_valid(owner)),
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX log_by_who ON log (who);
CREATE INDEX log_by_what ON log (what);
`;

/** The campaign is in the other database. */
const THIRD = `
ALTER TABLE drafts ADD COLUMN campaign TEXT;
`;

/** Drafts are campaigns in state `draft`, in the other database; those that were here are lost, with their lists. */
const FOURTH = `
DROP INDEX uploads_by_draft;
CREATE TABLE sent (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO sent SELECT id, name, path, bytes, at FROM uploads;
DROP TABLE uploads;
DROP TABLE drafts;
ALTER TABLE sent RENAME TO uploads;
`;

/** The step to each version; index 0 makes version 1. A released step is never changed. */
const VERSIONS: readonly string[] = [FIRST, SECOND, THIRD, FOURTH];

/**
 * Brings the database to the newest version, each step in one transaction with its number.
 *
 * @throws AppError `STORE_NEWER` when a newer callsheet wrote it
 */
export function updateSchema(db: Database, path: string): void {
  if (versionOf(db) > VERSIONS.length) throw newer(path, versionOf(db));
  const step = db.transaction((sql: string, version: number) => {
    // Checked again inside the transaction: another process may have been first.
    if (versionOf(db) >= version) return;
    db.exec(sql);
    db.pragma(`application_id = ${CONSOLE_APPLICATION_ID}`);
    db.pragma(`user_version = ${version}`);
  });
  for (const [index, sql] of VERSIONS.entries()) {
    if (versionOf(db) <= index) step.immediate(sql, index + 1);
  }
}

function newer(path: string, version: number) {
  return usageError(
    'STORE_NEWER',
    `The file of users and tokens ${path} has version ${version}, written by a newer callsheet; this one knows versions up to ${VERSIONS.length}.`,
    'Update callsheet, or give another database with --db.',
  );
}

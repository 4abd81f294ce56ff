-- Numbers that nobody may call, over all campaigns. Append-only: a number is held by every entry that was
-- added after its last removal and has not expired; who added and who lifted it stays readable.
CREATE TABLE suppression (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  phone TEXT NOT NULL CHECK (phone GLOB '+[1-9]*'),
  action TEXT NOT NULL CHECK (action = 'add' OR action = 'remove'),
  at INTEGER NOT NULL,
  -- Whose word it is: the operator's, a file's, a do-not-call column of a list, or the service's after a call.
  source TEXT NOT NULL CHECK (source = 'operator' OR source = 'file' OR source = 'list' OR source = 'service'),
  note TEXT,
  who TEXT NOT NULL,
  expires_at INTEGER,
  CHECK (action = 'add' OR expires_at IS NULL)
) STRICT;
CREATE INDEX suppression_of_phone ON suppression (phone, seq);
CREATE TRIGGER suppression_never_changes BEFORE UPDATE ON suppression
BEGIN SELECT RAISE(ABORT, 'the suppression list is only appended to'); END;
CREATE TRIGGER suppression_never_forgets BEFORE DELETE ON suppression
BEGIN SELECT RAISE(ABORT, 'the suppression list is only appended to'); END;

ALTER TABLE lists ADD COLUMN suppressed INTEGER NOT NULL DEFAULT 0;
-- Which column holds what; NULL for lists from before that was kept.
ALTER TABLE lists ADD COLUMN mapping TEXT CHECK (mapping IS NULL OR json_valid(mapping));
-- The day for which the list is said to be true, epoch ms; NULL: the operator did not say.
ALTER TABLE lists ADD COLUMN as_of INTEGER;

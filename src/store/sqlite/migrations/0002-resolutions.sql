-- A person settles what the program cannot know: whether a call in doubt was made.

-- 1: the service answered the dial with a 2xx, so that it says itself that it took the call.
ALTER TABLE attempts ADD COLUMN accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted IN (0, 1));
ALTER TABLE attempts ADD COLUMN resolution TEXT CHECK (resolution IN ('placed', 'not_placed', 'unconfirmed'));
ALTER TABLE attempts ADD COLUMN resolved_at INTEGER CHECK ((resolved_at IS NULL) = (resolution IS NULL));
ALTER TABLE attempts ADD COLUMN resolved_by TEXT CHECK ((resolved_by IS NULL) = (resolution IS NULL));
ALTER TABLE attempts ADD COLUMN resolution_note TEXT;
-- What a settled call came to: its lead may have been decided by another call of the same person meanwhile.
ALTER TABLE attempts ADD COLUMN result TEXT CHECK (result IN ('answered', 'voicemail', 'no_answer', 'busy', 'declined',
  'failed', 'rejected', 'invalid_number', 'opted_out', 'unconfirmed', 'no_result', 'suppressed', 'expired', 'cancelled'));
ALTER TABLE attempts ADD COLUMN result_source TEXT CHECK (result_source IN ('service', 'derived', 'callsheet'));

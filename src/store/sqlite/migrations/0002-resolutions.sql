-- A person settles what the program cannot know: whether a call in doubt was made.

-- 1: the service answered the dial with a 2xx, so that it says itself that it took the call.
ALTER TABLE attempts ADD COLUMN accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted = 0 OR accepted = 1);
ALTER TABLE attempts ADD COLUMN resolution TEXT CHECK (resolution = 'placed' OR resolution = 'not_placed'
  OR resolution = 'unconfirmed');
ALTER TABLE attempts ADD COLUMN resolved_at INTEGER CHECK ((resolved_at IS NULL) = (resolution IS NULL));
ALTER TABLE attempts ADD COLUMN resolved_by TEXT CHECK ((resolved_by IS NULL) = (resolution IS NULL));
ALTER TABLE attempts ADD COLUMN resolution_note TEXT;
-- What a settled call came to: its lead may have been decided by another call of the same person meanwhile.
ALTER TABLE attempts ADD COLUMN result TEXT CHECK (result = 'answered' OR result = 'voicemail'
  OR result = 'no_answer' OR result = 'busy' OR result = 'declined' OR result = 'failed' OR result = 'rejected'
  OR result = 'invalid_number' OR result = 'opted_out' OR result = 'unconfirmed' OR result = 'no_result'
  OR result = 'suppressed' OR result = 'expired' OR result = 'cancelled');
ALTER TABLE attempts ADD COLUMN result_source TEXT CHECK (result_source = 'service' OR result_source = 'derived'
  OR result_source = 'callsheet');

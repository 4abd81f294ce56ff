-- Dials to services that answer one idempotency key with one call: where the answer was lost they may be sent again.
-- Only claims that are made for such a service write here; without a row nothing is ever repeated.
CREATE TABLE repeatable_dials (
  attempt_seq INTEGER PRIMARY KEY REFERENCES attempts (seq),
  -- Where the key is known: a hash of the dial's address and the account. Anywhere else it would be a new call.
  account TEXT NOT NULL,
  -- How often it was sent again and may have arrived.
  repeats INTEGER NOT NULL DEFAULT 0 CHECK (repeats >= 0),
  -- When it may be sent again, epoch ms; NULL: by the time at which its own answer was lost.
  due_at INTEGER
) STRICT;

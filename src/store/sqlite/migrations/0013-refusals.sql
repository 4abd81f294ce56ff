-- Leads that the service refuses for a reason that may be their own, and calls that it ended without ringing.

-- How many calls of this lead the service has taken and ended without ringing: the next one has another idempotency key.
ALTER TABLE leads ADD COLUMN not_called INTEGER NOT NULL DEFAULT 0 CHECK (not_called >= 0);

-- Refusals of a lead in a row, for one reason and the same attempt that counts: see src/domain/refused-dials.ts.
CREATE TABLE refusals (
  lead_row INTEGER PRIMARY KEY REFERENCES leads (row),
  service TEXT NOT NULL,
  -- The service's words without what differs from one answer to the next.
  reason TEXT NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 1),
  times INTEGER NOT NULL CHECK (times >= 0),
  own INTEGER NOT NULL CHECK (own >= 0),
  since INTEGER NOT NULL,
  -- The attempt that was refused last.
  seq INTEGER NOT NULL,
  -- Calls in progress at the service when it was.
  held INTEGER NOT NULL CHECK (held >= 0),
  -- Another dial was taken since, with at least as many in progress.
  other_taken INTEGER NOT NULL DEFAULT 0 CHECK (other_taken = 0 OR other_taken = 1)
) STRICT;
CREATE INDEX refusals_unexplained ON refusals (service, held) WHERE other_taken = 0;
CREATE INDEX refusals_by_reason ON refusals (service, reason, seq);

-- When a call that the service itself has put off will begin, epoch ms: the deadline counts from then.
ALTER TABLE attempts ADD COLUMN begins_at INTEGER;

-- An index whose condition speaks of the state is written at every change of state. These two go by columns
-- of their own, which are set only when the entry changes: a call that goes well writes a third less.

-- Until when the attempt holds a slot; NULL: it holds none. (0: a row from before this column was filled.)
ALTER TABLE attempts ADD COLUMN slot_until INTEGER DEFAULT 0 CHECK (coalesce(slot_until, -1) = 0
  OR (slot_until IS NOT NULL) = (state = 'intent' OR state = 'placed' OR state = 'unknown'
    OR state = 'unconfirmed'));
-- The attempt's own seq once it was released, so that it no longer counts as the same attempt; else 0.
ALTER TABLE attempts ADD COLUMN released INTEGER NOT NULL DEFAULT 0 CHECK (released = 0 OR state = 'released');

UPDATE attempts SET slot_until = iif(state IN ('intent', 'placed', 'unknown', 'unconfirmed'), holds_until, NULL),
  released = iif(state = 'released', seq, 0);

DROP INDEX attempts_that_count;
-- Never two attempts of a lead that count as the same one: their idempotency key would be the same, too.
CREATE UNIQUE INDEX attempts_that_count ON attempts (lead_row, ordinal, released);
DROP INDEX attempts_holding;
-- All calls in progress, of all campaigns and services: few rows at any time, so one index counts both.
CREATE INDEX attempts_holding ON attempts (slot_until, campaign_id, service) WHERE slot_until IS NOT NULL;

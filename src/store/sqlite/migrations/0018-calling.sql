-- Calling hours, caps, retries and second numbers.

-- Where the person is, see src/domain/calling/zone-key.ts; '' until it is worked out for a lead from before this version.
ALTER TABLE leads ADD COLUMN zone_key TEXT NOT NULL DEFAULT '';
-- 1: what the list says of the place and what the number says differ in their clocks; both hold.
ALTER TABLE leads ADD COLUMN zones_disagree INTEGER NOT NULL DEFAULT 0 CHECK (zones_disagree = 0 OR zones_disagree = 1);
-- The number that is dialled next, where it is another one than `phone`.
ALTER TABLE leads ADD COLUMN dial_phone TEXT CHECK (dial_phone IS NULL OR dial_phone GLOB '+[1-9]*');
-- When the person asked to be called again, epoch ms; NULL: they did not, or that call was made.
ALTER TABLE leads ADD COLUMN callback_at INTEGER;

-- A claim walks it place by place, so that people whose hours are closed cost nothing.
DROP INDEX leads_waiting;
CREATE INDEX leads_waiting ON leads (campaign_id, zone_key, not_before, position) WHERE state = 'waiting';

-- Further numbers of a person, in the order in which they are tried.
CREATE TABLE lead_numbers (
  lead_row INTEGER NOT NULL REFERENCES leads (row),
  ordinal INTEGER NOT NULL CHECK (ordinal >= 1),
  phone TEXT NOT NULL CHECK (phone GLOB '+[1-9]*'),
  zone_key TEXT NOT NULL,
  PRIMARY KEY (lead_row, ordinal),
  UNIQUE (lead_row, phone)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_numbers_by_phone ON lead_numbers (phone);

-- Caps count calls by the number that was dialled, over all campaigns. Calls of the same 28 days lie together in the
-- index: a new call changes the part that is in memory already, however many older ones there are.
ALTER TABLE attempts ADD COLUMN dial_period INTEGER GENERATED ALWAYS AS (intent_at / 2419200000) VIRTUAL;
CREATE INDEX attempts_of_phone ON attempts (dial_period, phone, intent_at);
-- Few rows: calls that the service put off count from when they begin, and some results are followed by a silence.
CREATE INDEX attempts_postponed ON attempts (phone, begins_at) WHERE begins_at IS NOT NULL;
CREATE INDEX attempts_with_silence ON attempts (phone, result, ended_at, campaign_id)
  WHERE result = 'answered' OR result = 'declined';

-- How often what decides about calls was changed: leads that were held back before are judged anew then.
ALTER TABLE campaigns ADD COLUMN policy_version INTEGER NOT NULL DEFAULT 0;
-- The version under which a waiting lead is held back, and its not_before without that; NULL: it is not held back.
ALTER TABLE leads ADD COLUMN held_under INTEGER;
ALTER TABLE leads ADD COLUMN held_from INTEGER CHECK ((held_from IS NULL) = (held_under IS NULL));
CREATE INDEX leads_held ON leads (campaign_id, held_under) WHERE held_under IS NOT NULL;

-- Each time a rule, a cap or a gap held one person back, and until when.
CREATE TABLE holds (
  seq INTEGER PRIMARY KEY,
  lead_row INTEGER NOT NULL REFERENCES leads (row),
  at INTEGER NOT NULL,
  -- NULL: until somebody changes something.
  until INTEGER,
  decided_by TEXT NOT NULL,
  why TEXT NOT NULL
) STRICT;
CREATE INDEX holds_of_lead ON holds (lead_row, at);

-- What a person's story tells of the webhooks of a call.
CREATE INDEX inbox_of_attempt ON inbox (attempt_seq) WHERE attempt_seq IS NOT NULL;

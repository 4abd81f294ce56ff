-- What became of each delivery, and the fields that only events carry.

ALTER TABLE inbox ADD COLUMN signed INTEGER NOT NULL DEFAULT 0 CHECK (signed = 0 OR signed = 1);
-- How often it was sent.
ALTER TABLE inbox ADD COLUMN times INTEGER NOT NULL DEFAULT 1 CHECK (times >= 1);
ALTER TABLE inbox ADD COLUMN state TEXT NOT NULL DEFAULT 'received' CHECK (state = 'received'
  OR state = 'applied' OR state = 'hint' OR state = 'unmatched' OR state = 'contradicted' OR state = 'ignored'
  OR state = 'unknown' OR state = 'unreadable');
ALTER TABLE inbox ADD COLUMN reason TEXT;
ALTER TABLE inbox ADD COLUMN type TEXT;
ALTER TABLE inbox ADD COLUMN call_id TEXT;
ALTER TABLE inbox ADD COLUMN attempt_key TEXT;
ALTER TABLE inbox ADD COLUMN attempt_seq INTEGER REFERENCES attempts (seq);
ALTER TABLE inbox ADD COLUMN decided_at INTEGER;
-- When it is looked at next; NULL: it is decided, or nobody looks for its call any more.
ALTER TABLE inbox ADD COLUMN try_at INTEGER;
CREATE INDEX inbox_to_do ON inbox (service, try_at) WHERE try_at IS NOT NULL;
-- Those whose call is still looked for.
CREATE INDEX inbox_unmatched ON inbox (service, call_id, attempt_key)
  WHERE state = 'unmatched' AND try_at IS NOT NULL;
CREATE INDEX inbox_newest ON inbox (received_at);

-- An attempt that was found by its number alone: the dial's own answer outranks that.
ALTER TABLE attempts ADD COLUMN found_by_number INTEGER NOT NULL DEFAULT 0 CHECK (found_by_number = 0
  OR found_by_number = 1);

CREATE TABLE captured_leads (
  delivery_id TEXT PRIMARY KEY REFERENCES inbox (id),
  -- NULL until its call is known.
  attempt_seq INTEGER REFERENCES attempts (seq),
  lead_row INTEGER REFERENCES leads (row),
  captured_at INTEGER NOT NULL,
  signed INTEGER NOT NULL CHECK (signed = 0 OR signed = 1),
  fields TEXT NOT NULL CHECK (json_valid(fields))
) STRICT;
CREATE INDEX captured_leads_of_lead ON captured_leads (lead_row) WHERE lead_row IS NOT NULL;

-- The part of a service's webhook address that nobody can guess.
CREATE TABLE webhook_tokens (
  service TEXT PRIMARY KEY,
  token TEXT NOT NULL CHECK (token <> ''),
  at INTEGER NOT NULL
) STRICT;

-- From a database of callsheet 0.2.0 (version 17). What each column is for: schema.sql.

ALTER TABLE leads ADD COLUMN zone_key TEXT NOT NULL DEFAULT '';
ALTER TABLE leads ADD COLUMN zones_disagree INTEGER NOT NULL DEFAULT 0 CHECK (zones_disagree = 0 OR zones_disagree = 1);
ALTER TABLE leads ADD COLUMN dial_phone TEXT CHECK (dial_phone IS NULL OR dial_phone GLOB '+[1-9]*');
ALTER TABLE leads ADD COLUMN callback_at INTEGER;

DROP INDEX leads_waiting;
CREATE INDEX leads_waiting ON leads (campaign_id, zone_key, not_before, position) WHERE state = 'waiting';

CREATE TABLE lead_numbers (
  lead_row INTEGER NOT NULL REFERENCES leads (row),
  ordinal INTEGER NOT NULL CHECK (ordinal >= 1),
  phone TEXT NOT NULL CHECK (phone GLOB '+[1-9]*'),
  zone_key TEXT NOT NULL,
  PRIMARY KEY (lead_row, ordinal),
  UNIQUE (lead_row, phone)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_numbers_by_phone ON lead_numbers (phone);
ALTER TABLE attempts ADD COLUMN dial_period INTEGER GENERATED ALWAYS AS (intent_at / 2419200000) VIRTUAL;
CREATE INDEX attempts_of_phone ON attempts (dial_period, phone, intent_at);
CREATE INDEX attempts_postponed ON attempts (phone, begins_at) WHERE begins_at IS NOT NULL;
ALTER TABLE campaigns ADD COLUMN policy_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN held_under INTEGER;
ALTER TABLE leads ADD COLUMN held_from INTEGER CHECK ((held_from IS NULL) = (held_under IS NULL));
CREATE INDEX leads_held ON leads (campaign_id, held_under) WHERE held_under IS NOT NULL;

CREATE TABLE holds (
  seq INTEGER PRIMARY KEY,
  lead_row INTEGER NOT NULL REFERENCES leads (row),
  at INTEGER NOT NULL,
  until INTEGER,
  decided_by TEXT NOT NULL,
  why TEXT NOT NULL
) STRICT;
CREATE INDEX holds_of_lead ON holds (lead_row, at);

CREATE INDEX inbox_of_attempt ON inbox (attempt_seq) WHERE attempt_seq IS NOT NULL;
ALTER TABLE attempts ADD COLUMN night TEXT;

CREATE TABLE nights (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  night TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  open INTEGER NOT NULL DEFAULT 0,
  stuck INTEGER NOT NULL DEFAULT 0,
  answered INTEGER NOT NULL DEFAULT 0,
  talk_ms INTEGER NOT NULL DEFAULT 0,
  unpriced INTEGER NOT NULL DEFAULT 0,
  costs TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(costs)),
  ended_by TEXT,
  end_reason TEXT,
  results_file TEXT,
  results_at INTEGER,
  results_taker TEXT CHECK (results_taker IS NULL OR json_valid(results_taker)),
  refused INTEGER NOT NULL DEFAULT 0,
  not_made INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (campaign_id, night)
) STRICT, WITHOUT ROWID;

-- Talk time and costs of earlier calls are left out: it would take a read of every transcript.
INSERT INTO nights (campaign_id, night, began_at, last_at, calls, open, stuck, answered, end_reason, refused, not_made)
  SELECT campaign_id, '', min(intent_at) FILTER (WHERE state <> 'released'),
    max(intent_at) FILTER (WHERE state <> 'released'),
    count(*) FILTER (WHERE state <> 'released' AND state <> 'rejected'
      AND NOT (state = 'unconfirmed' AND resolution IS 'not_placed')),
    count(*) FILTER (WHERE state = 'placed' OR state = 'ended' OR state = 'unknown'),
    count(*) FILTER (WHERE state = 'no_result' OR (state = 'unconfirmed' AND resolution IS NOT 'not_placed')),
    count(*) FILTER (WHERE state = 'settled' AND result = 'answered'), 'notKnown',
    count(*) FILTER (WHERE state = 'rejected'),
    count(*) FILTER (WHERE state = 'released' OR (state = 'unconfirmed' AND resolution = 'not_placed'))
  FROM attempts WHERE state <> 'intent' GROUP BY campaign_id HAVING max(state <> 'released');

CREATE TABLE slot_shares (
  service TEXT NOT NULL,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  weight INTEGER NOT NULL,
  used REAL NOT NULL,
  wants INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (service, campaign_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE watched_lists (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  sha256 TEXT NOT NULL,
  path TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('taking', 'taken', 'refused')),
  note TEXT,
  at INTEGER NOT NULL,
  taker TEXT NOT NULL,
  moved_at INTEGER,
  PRIMARY KEY (campaign_id, sha256)
) STRICT;

CREATE TABLE list_addresses (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  address TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, address)
) STRICT;

CREATE TABLE firings (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  at INTEGER NOT NULL,
  met TEXT NOT NULL CHECK (met IN ('on_time', 'made_up', 'told')),
  taken_at INTEGER NOT NULL,
  taker TEXT NOT NULL,
  PRIMARY KEY (campaign_id, at)
) STRICT, WITHOUT ROWID;
ALTER TABLE campaigns ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

CREATE TABLE lead_counts (
  campaign_id TEXT NOT NULL,
  block INTEGER NOT NULL,
  standing TEXT NOT NULL,
  leads INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, block, standing)
) STRICT, WITHOUT ROWID;

CREATE TABLE zone_counts (
  campaign_id TEXT NOT NULL,
  zone_key TEXT NOT NULL,
  block INTEGER NOT NULL,
  leads INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, zone_key, block)
) STRICT, WITHOUT ROWID;

INSERT INTO lead_counts (campaign_id, block, standing, leads)
  SELECT campaign_id, position / 1000, coalesce(result, state), count(*) FROM leads GROUP BY 1, 2, 3;
INSERT INTO zone_counts (campaign_id, zone_key, block, leads)
  SELECT campaign_id, zone_key, position / 1000, count(*) FROM leads GROUP BY 1, 2, 3;

CREATE TRIGGER leads_moved AFTER UPDATE OF state, result ON leads
WHEN coalesce(OLD.result, OLD.state) <> coalesce(NEW.result, NEW.state)
BEGIN
  INSERT INTO lead_counts (campaign_id, block, standing, leads)
    VALUES (OLD.campaign_id, OLD.position / 1000, coalesce(OLD.result, OLD.state), -1)
    ON CONFLICT DO UPDATE SET leads = leads - 1;
  INSERT INTO lead_counts (campaign_id, block, standing, leads)
    VALUES (NEW.campaign_id, NEW.position / 1000, coalesce(NEW.result, NEW.state), 1)
    ON CONFLICT DO UPDATE SET leads = leads + 1;
END;

CREATE TRIGGER leads_placed AFTER UPDATE OF zone_key ON leads
WHEN OLD.zone_key <> NEW.zone_key
BEGIN
  INSERT INTO zone_counts (campaign_id, zone_key, block, leads)
    VALUES (OLD.campaign_id, OLD.zone_key, OLD.position / 1000, -1)
    ON CONFLICT DO UPDATE SET leads = leads - 1;
  INSERT INTO zone_counts (campaign_id, zone_key, block, leads)
    VALUES (NEW.campaign_id, NEW.zone_key, NEW.position / 1000, 1)
    ON CONFLICT DO UPDATE SET leads = leads + 1;
END;

CREATE INDEX analytics_by_label ON analytics (attempt_seq, sentiment_label) WHERE sentiment_label IS NOT NULL;
ALTER TABLE analytics ADD COLUMN said TEXT;
ALTER TABLE analytics ADD COLUMN refusal TEXT;

CREATE TABLE evidence (
  attempt_seq INTEGER PRIMARY KEY REFERENCES attempts (seq) ON DELETE CASCADE,
  facts TEXT NOT NULL CHECK (json_valid(facts))
) STRICT;
ALTER TABLE lists ADD COLUMN added TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(added));
ALTER TABLE leads ADD COLUMN stopped TEXT;
ALTER TABLE leads ADD COLUMN stopped_by TEXT CHECK ((stopped_by IS NULL) = (stopped IS NULL));

CREATE TABLE lead_before (
  lead_row INTEGER NOT NULL REFERENCES leads (row),
  last_seq INTEGER NOT NULL,
  cells TEXT NOT NULL CHECK (json_valid(cells)),
  zone_key TEXT NOT NULL,
  PRIMARY KEY (lead_row, last_seq)
) STRICT, WITHOUT ROWID;
ALTER TABLE leads ADD COLUMN consent_until INTEGER;
ALTER TABLE suppression ADD COLUMN list TEXT;
ALTER TABLE leads ADD COLUMN person TEXT;
ALTER TABLE leads ADD COLUMN person_name TEXT NOT NULL DEFAULT '';

CREATE INDEX leads_of_person ON leads (person, campaign_id) WHERE person IS NOT NULL;
ALTER TABLE suppression_lists ADD COLUMN registry TEXT;
ALTER TABLE suppression_lists ADD COLUMN areas TEXT;
ALTER TABLE leads ADD COLUMN consent_given INTEGER;
ALTER TABLE leads ADD COLUMN corrected_by TEXT REFERENCES lists (id);
ALTER TABLE leads ADD COLUMN corrected_line INTEGER;
ALTER TABLE attempts ADD COLUMN asked_again_at INTEGER;
CREATE INDEX attempts_without_result ON attempts (service, seq) WHERE state = 'no_result';
CREATE INDEX attempts_with_silence ON attempts (phone, result, ended_at, campaign_id)
  WHERE result = 'opted_out' OR result = 'answered' OR result = 'declined';
ALTER TABLE lists ADD COLUMN file TEXT;
ALTER TABLE lists ADD COLUMN delimiter TEXT;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  target TEXT NOT NULL,
  shown TEXT NOT NULL,
  campaign_id TEXT REFERENCES campaigns (id),
  night TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  due INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  why TEXT,
  done INTEGER,
  UNIQUE (id, target)
) STRICT;
CREATE INDEX outbox_waiting ON outbox (target) WHERE done IS NULL;
CREATE INDEX outbox_of_night ON outbox (campaign_id, night, event);
CREATE INDEX outbox_done ON outbox (done);

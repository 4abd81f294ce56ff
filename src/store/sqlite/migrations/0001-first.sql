-- The whole store. States are repeated here as CHECKs and unique indexes, so that no defect of the
-- program above can write what must never be true. Words are compared one by one: SQLite would build a
-- table of an IN list anew for each statement, which made writing a call half as dear again.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name <> ''),
  kind TEXT NOT NULL CHECK (kind = 'list' OR kind = 'call'),
  service TEXT NOT NULL,
  simulated INTEGER NOT NULL CHECK (simulated = 0 OR simulated = 1),
  state TEXT NOT NULL CHECK (state = 'draft' OR state = 'running' OR state = 'paused' OR state = 'completed'
    OR state = 'cancelled'),
  pause_reason TEXT CHECK (pause_reason = 'operator' OR pause_reason = 'key' OR pause_reason = 'profile'
    OR pause_reason = 'breaker'),
  pause_detail TEXT,
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  -- When the next call is due by the campaign's pace, epoch ms (fractional).
  pace_due_at REAL NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  CHECK ((state = 'paused') = (pause_reason IS NOT NULL))
) STRICT;

CREATE TABLE history (
  seq INTEGER PRIMARY KEY,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;
CREATE INDEX history_of_campaign ON history (campaign_id, seq);

CREATE TABLE lists (
  id TEXT PRIMARY KEY,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  number INTEGER NOT NULL CHECK (number >= 1),
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  headers TEXT NOT NULL CHECK (json_valid(headers)),
  at INTEGER NOT NULL,
  -- Leads of a list are called once its import has finished.
  finished_at INTEGER,
  good INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  duplicates INTEGER NOT NULL DEFAULT 0,
  UNIQUE (campaign_id, number),
  UNIQUE (campaign_id, sha256)
) STRICT;

CREATE TABLE leads (
  row INTEGER PRIMARY KEY,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  list_id TEXT NOT NULL REFERENCES lists (id),
  -- Order over all lists: list number * 10^10 + line.
  position INTEGER NOT NULL,
  line INTEGER NOT NULL,
  phone TEXT NOT NULL CHECK (phone GLOB '+[1-9]*'),
  cells TEXT NOT NULL CHECK (json_valid(cells)),
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state = 'waiting' OR state = 'calling' OR state = 'done'),
  result TEXT CHECK (result = 'answered' OR result = 'voicemail' OR result = 'no_answer' OR result = 'busy'
    OR result = 'declined' OR result = 'failed' OR result = 'rejected' OR result = 'invalid_number'
    OR result = 'opted_out' OR result = 'unconfirmed' OR result = 'no_result' OR result = 'suppressed'
    OR result = 'expired' OR result = 'cancelled'),
  result_source TEXT CHECK (result_source = 'service' OR result_source = 'derived' OR result_source = 'callsheet'),
  reason TEXT,
  not_before INTEGER NOT NULL DEFAULT 0,
  -- The highest ordinal among the attempts that count: all but the released ones.
  spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
  CHECK ((state = 'done') = (result IS NOT NULL)),
  CHECK ((result IS NULL) = (result_source IS NULL)),
  -- Nobody is in one campaign twice.
  UNIQUE (campaign_id, phone),
  UNIQUE (campaign_id, position)
) STRICT;
CREATE INDEX leads_waiting ON leads (campaign_id, not_before, position) WHERE state = 'waiting';

CREATE TABLE attempts (
  -- Order of the claims over all campaigns; the dial journal counts by it.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The idempotency key: the same again after a release.
  key TEXT NOT NULL,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  lead_row INTEGER NOT NULL REFERENCES leads (row),
  phone TEXT NOT NULL,
  service TEXT NOT NULL,
  agent TEXT NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 1),
  state TEXT NOT NULL CHECK (state = 'intent' OR state = 'placed' OR state = 'ended' OR state = 'settled'
    OR state = 'unknown' OR state = 'rejected' OR state = 'released' OR state = 'unconfirmed' OR state = 'no_result'),
  intent_at INTEGER NOT NULL,
  -- A slot is free after this at the latest.
  holds_until INTEGER NOT NULL,
  owner_host TEXT NOT NULL,
  owner_boot TEXT NOT NULL,
  owner_pid INTEGER NOT NULL,
  -- The service's own answer to the dial, whatever it said; NULL: none came.
  answered_at INTEGER,
  -- Evidence is looked for from then on; NULL for a dial that came back from the journal until somebody looks.
  unknown_at INTEGER,
  detail TEXT,
  call_id TEXT,
  ended_at INTEGER,
  settled_at INTEGER,
  next_look_at INTEGER,
  looks INTEGER NOT NULL DEFAULT 0,
  -- The last answer that could not be read.
  unreadable TEXT,
  CHECK ((state <> 'placed' AND state <> 'ended' AND state <> 'settled' AND state <> 'no_result')
    OR call_id IS NOT NULL),
  CHECK ((state = 'placed' OR state = 'ended') = (next_look_at IS NOT NULL)),
  CHECK ((state = 'settled') = (settled_at IS NOT NULL))
) STRICT;
-- Never two open dials to one lead.
CREATE UNIQUE INDEX attempts_one_open ON attempts (lead_row) WHERE state IN ('intent', 'unknown');
-- Never two attempts of a lead that count as the same one: their idempotency key would be the same, too.
-- By lead and ordinal, not by the key itself, which is a hash: its index would touch a page anywhere each time.
CREATE UNIQUE INDEX attempts_that_count ON attempts (lead_row, ordinal) WHERE state <> 'released';
CREATE UNIQUE INDEX attempts_one_call ON attempts (service, call_id) WHERE call_id IS NOT NULL;
-- All calls in progress, of all campaigns and services: few rows at any time, so one index counts both.
CREATE INDEX attempts_holding ON attempts (holds_until, campaign_id, service)
  WHERE state IN ('intent', 'placed', 'unknown', 'unconfirmed');
-- Set exactly while a call is open; by this column and not by the state, as every partial index over the
-- state is written at every change of state.
CREATE INDEX attempts_to_look_at ON attempts (service, next_look_at) WHERE next_look_at IS NOT NULL;

CREATE TABLE analytics (
  attempt_seq INTEGER PRIMARY KEY REFERENCES attempts (seq),
  received_at INTEGER NOT NULL,
  transcript TEXT,
  turns TEXT CHECK (turns IS NULL OR json_valid(turns)),
  duration_ms INTEGER,
  sentiment_label TEXT,
  sentiment_score REAL,
  summary TEXT,
  recording_url TEXT,
  cost REAL,
  cost_currency TEXT,
  raw TEXT NOT NULL
) STRICT;

-- Services (address and profile) that have answered one dial as expected.
CREATE TABLE proven_services (
  fingerprint TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;

-- Processes that work on a campaign now, for those who watch; no decision stands on it.
CREATE TABLE runners (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  host TEXT NOT NULL,
  boot TEXT NOT NULL,
  pid INTEGER NOT NULL,
  since INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, host, boot, pid)
) STRICT;

CREATE TABLE inbox (
  id TEXT PRIMARY KEY,
  service TEXT NOT NULL,
  key TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  headers TEXT NOT NULL CHECK (json_valid(headers)),
  body BLOB NOT NULL,
  -- A delivery that is sent again is the same delivery.
  UNIQUE (service, key)
) STRICT;

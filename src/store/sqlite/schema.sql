-- The whole store, for new databases. A change of it is made here and, with the next number, in a file of migrations/;
-- test/store/sqlite/schema.test.ts checks that both lead to the same schema. States are repeated here as CHECKs and
-- unique indexes, so that no defect of the program above can write what must never be true. Words are compared one by
-- one: SQLite would build a table of an IN list anew for each statement, which made writing a call half as dear again.

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
  -- The last attempt in the database when somebody was taken out of a campaign: a person who was called
  -- after it is not brought back. An order of attempts, as a clock may be set back.
  cancelled_after INTEGER,
  -- When a campaign was put away, epoch ms; null when it is not. Its calls still count as made.
  archived_at INTEGER,
  -- How often what decides about calls was changed: leads that were held back before are judged anew then.
  policy_version INTEGER NOT NULL DEFAULT 0,
  -- Counts the changes of the campaign. A user who changes it names the version they have seen.
  version INTEGER NOT NULL DEFAULT 1,
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
  suppressed INTEGER NOT NULL DEFAULT 0,
  -- Which column holds what; NULL for lists from before that was kept.
  mapping TEXT CHECK (mapping IS NULL OR json_valid(mapping)),
  -- The day for which the list is said to be true, epoch ms; NULL: the operator did not say.
  as_of INTEGER,
  -- How a list's file is read again, and who imports it: an import that was broken off is told from one that goes on.
  -- `complete`: people who wait and are not on the list are cancelled at its end.
  bytes INTEGER,
  encoding TEXT,
  sheet TEXT,
  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete = 0 OR complete = 1),
  importer TEXT CHECK (importer IS NULL OR json_valid(importer)),
  -- Columns of later lists that this list lacks: JSON [{"header", "field"?}]. Cells of its leads go on with them.
  added TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(added)),
  -- Where the bytes of a list are, if not at its path: those of an upload. An import that was broken off is read from there.
  file TEXT,
  delimiter TEXT,
  -- How a list that was sent to a draft, and is not imported yet, is to be read; NULL: it was imported as it came.
  input TEXT CHECK (input IS NULL OR json_valid(input)),
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
  -- How many calls of this lead the service has taken and ended without ringing: the next one has another idempotency key.
  not_called INTEGER NOT NULL DEFAULT 0 CHECK (not_called >= 0),
  -- The newest attempt of all campaigns when the operator withdrew the person; NULL: they are not withdrawn.
  cancelled_after INTEGER,
  -- Where the person is, see src/domain/calling/zone-key.ts; '' until it is worked out for a lead that callsheet 0.2.0
  -- imported.
  zone_key TEXT NOT NULL DEFAULT '',
  -- 1: what the list says of the place and what the number says differ in their clocks; both hold.
  zones_disagree INTEGER NOT NULL DEFAULT 0 CHECK (zones_disagree = 0 OR zones_disagree = 1),
  -- The number that is dialled next, where it is another one than `phone`.
  dial_phone TEXT CHECK (dial_phone IS NULL OR dial_phone GLOB '+[1-9]*'),
  -- When the person asked to be called again, epoch ms; NULL: they did not, or that call was made.
  callback_at INTEGER,
  -- The version under which a waiting lead is held back, and its not_before without that; NULL: it is not held back.
  held_under INTEGER,
  held_from INTEGER CHECK ((held_from IS NULL) = (held_under IS NULL)),
  -- Why the person must not be called by what a later list says, and that list's sha256; NULL: they may be.
  stopped TEXT,
  stopped_by TEXT CHECK ((stopped_by IS NULL) = (stopped IS NULL)),
  -- Until when the list says that the person consents to calls, epoch ms; NULL: it names no end.
  consent_until INTEGER,
  -- Who the person is by the list: `id ...` or `mail ...`, see src/leads/rows/row-person.ts; NULL: it does not say.
  person TEXT,
  -- The words of their name, folded; '': the list has none.
  person_name TEXT NOT NULL DEFAULT '',
  -- The end of the day on which the person consented to calls by the list, epoch ms; NULL: it names no such day.
  consent_given INTEGER,
  -- The list that corrected the lead last, and its line there; NULL: none has.
  corrected_by TEXT REFERENCES lists (id),
  corrected_line INTEGER,
  -- Why it was done when an earlier call of it was found, '' for no reason: it is done again once that call has ended.
  was_done TEXT,
  -- The last call that was found after the operator had withdrawn the person: an undo goes by it.
  found_seq INTEGER,
  -- The lead's last attempt when an operator let it be called again: retry.attempts counts only those after it. NULL: nobody
  -- did.
  retried_after INTEGER,
  CHECK ((state = 'done') = (result IS NOT NULL)),
  CHECK ((result IS NULL) = (result_source IS NULL)),
  -- Nobody is in one campaign twice.
  UNIQUE (campaign_id, phone),
  UNIQUE (campaign_id, position)
) STRICT;
CREATE INDEX leads_that_left ON leads (campaign_id, phone) WHERE result = 'cancelled' AND reason = 'left_list';
CREATE INDEX leads_waiting ON leads (campaign_id, zone_key, not_before, position) WHERE state = 'waiting';
CREATE INDEX leads_held ON leads (campaign_id, held_under) WHERE held_under IS NOT NULL;
CREATE INDEX leads_of_person ON leads (person, campaign_id) WHERE person IS NOT NULL;

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
  next_poll_at INTEGER,
  polls INTEGER NOT NULL DEFAULT 0,
  -- The last answer that could not be read.
  unreadable TEXT,
  -- 1: the service answered the dial with a 2xx, so that it says itself that it took the call.
  accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted = 0 OR accepted = 1),
  resolution TEXT CHECK (resolution = 'placed' OR resolution = 'not_placed'
    OR resolution = 'unconfirmed'),
  resolved_at INTEGER CHECK ((resolved_at IS NULL) = (resolution IS NULL)),
  resolved_by TEXT CHECK ((resolved_by IS NULL) = (resolution IS NULL)),
  resolution_note TEXT,
  -- The result of a settled call: its lead may have been decided by another call of the same person meanwhile.
  result TEXT CHECK (result = 'answered' OR result = 'voicemail'
    OR result = 'no_answer' OR result = 'busy' OR result = 'declined' OR result = 'failed' OR result = 'rejected'
    OR result = 'invalid_number' OR result = 'opted_out' OR result = 'unconfirmed' OR result = 'no_result'
    OR result = 'suppressed' OR result = 'expired' OR result = 'cancelled'),
  result_source TEXT CHECK (result_source = 'service' OR result_source = 'derived'
    OR result_source = 'callsheet'),
  -- Until when the attempt holds a slot; NULL: it holds none. (0: a row from before this column was filled.)
  slot_until INTEGER DEFAULT 0 CHECK (coalesce(slot_until, -1) = 0
    OR (slot_until IS NOT NULL) = (state = 'intent' OR state = 'placed' OR state = 'unknown'
      OR state = 'unconfirmed')),
  -- The attempt's own seq once it was released, so that it no longer counts as the same attempt; else 0.
  released INTEGER NOT NULL DEFAULT 0 CHECK (released = 0 OR state = 'released'),
  -- An attempt that was found by its number alone: the dial's own answer outranks that.
  found_by_number INTEGER NOT NULL DEFAULT 0 CHECK (found_by_number = 0
    OR found_by_number = 1),
  -- When a call that the service itself has put off will begin, epoch ms: the deadline counts from then.
  begins_at INTEGER,
  -- Caps count calls by the number that was dialled, over all campaigns. Calls of the same 28 days lie together in the
  -- index: a new call changes the part that is in memory already, however many older ones there are.
  dial_period INTEGER GENERATED ALWAYS AS (intent_at / 2419200000) VIRTUAL,
  -- The night to which a call belongs: a local date, set by the claim; null for calls made by callsheet 0.2.0.
  night TEXT,
  -- When a call without a result was last asked for again, epoch ms; NULL: it was not.
  asked_again_at INTEGER,
  CHECK ((state <> 'placed' AND state <> 'ended' AND state <> 'settled' AND state <> 'no_result')
    OR call_id IS NOT NULL),
  CHECK ((state = 'placed' OR state = 'ended') = (next_poll_at IS NOT NULL)),
  CHECK ((state = 'settled') = (settled_at IS NOT NULL))
) STRICT;
-- Never two open dials to one lead.
CREATE UNIQUE INDEX attempts_one_open ON attempts (lead_row) WHERE state IN ('intent', 'unknown');
CREATE UNIQUE INDEX attempts_one_call ON attempts (service, call_id) WHERE call_id IS NOT NULL;
-- Set exactly while a call is open; by this column and not by the state, as every partial index over the
-- state is written at every change of state.
CREATE INDEX attempts_to_poll ON attempts (service, next_poll_at) WHERE next_poll_at IS NOT NULL;
-- Never two attempts of a lead that count as the same one: their idempotency key would be the same, too.
CREATE UNIQUE INDEX attempts_that_count ON attempts (lead_row, ordinal, released);
-- All calls in progress, of all campaigns and services: few rows at any time, so one index counts both.
CREATE INDEX attempts_holding ON attempts (slot_until, campaign_id, service) WHERE slot_until IS NOT NULL;
CREATE INDEX attempts_of_phone ON attempts (dial_period, phone, intent_at);
-- Few rows: calls that the service put off count from when they begin, and some results are followed by a silence.
CREATE INDEX attempts_postponed ON attempts (phone, begins_at) WHERE begins_at IS NOT NULL;
CREATE INDEX attempts_without_result ON attempts (service, seq) WHERE state = 'no_result';
CREATE INDEX attempts_with_silence ON attempts (phone, result, ended_at, campaign_id)
  WHERE result = 'opted_out' OR result = 'answered' OR result = 'declined';

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
  cost_currency TEXT,
  raw TEXT NOT NULL,
  -- What the service read out of the conversation, under its own names: a JSON object.
  extracted TEXT CHECK (extracted IS NULL OR json_valid(extracted)),
  -- Exact decimal text: '0.12'.
  cost TEXT,
  -- The service's own word for how the call ended, as it came; NULL: it gave none, or the call is from before it was kept.
  said TEXT,
  -- The person's words in which a refusal of calls was heard, see src/text/spoken-refusals.ts; '': none; NULL as above.
  refusal TEXT
) STRICT;
-- The label alone: rows of analytics are long, as they hold transcripts.
CREATE INDEX analytics_by_label ON analytics (attempt_seq, sentiment_label) WHERE sentiment_label IS NOT NULL;

-- Services (address and profile) that have answered one dial as expected.
CREATE TABLE proven_services (
  fingerprint TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;

-- Processes that work on a campaign now, for display; no decision depends on it.
CREATE TABLE runners (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  host TEXT NOT NULL,
  boot TEXT NOT NULL,
  pid INTEGER NOT NULL,
  since INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  -- A process that only collects starts no call.
  dials INTEGER NOT NULL DEFAULT 1 CHECK (dials = 0 OR dials = 1),
  PRIMARY KEY (campaign_id, host, boot, pid)
) STRICT;

CREATE TABLE inbox (
  id TEXT PRIMARY KEY,
  service TEXT NOT NULL,
  key TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  headers TEXT NOT NULL CHECK (json_valid(headers)),
  body BLOB NOT NULL,
  signed INTEGER NOT NULL DEFAULT 0 CHECK (signed = 0 OR signed = 1),
  -- How often it was sent.
  times INTEGER NOT NULL DEFAULT 1 CHECK (times >= 1),
  state TEXT NOT NULL DEFAULT 'received' CHECK (state = 'received'
    OR state = 'applied' OR state = 'hint' OR state = 'unmatched' OR state = 'contradicted' OR state = 'ignored'
    OR state = 'unknown' OR state = 'unreadable'),
  reason TEXT,
  type TEXT,
  call_id TEXT,
  attempt_key TEXT,
  attempt_seq INTEGER REFERENCES attempts (seq),
  decided_at INTEGER,
  -- When it is looked at next; NULL: it is decided, or nobody looks for its call any more.
  try_at INTEGER,
  -- The body of a delivery whose part is done is dropped after a while; this tells its repetition from another one.
  body_sha256 TEXT,
  -- A delivery that is sent again is the same delivery.
  UNIQUE (service, key)
) STRICT;
CREATE INDEX inbox_to_do ON inbox (service, try_at) WHERE try_at IS NOT NULL;
-- Those whose call is still looked for.
CREATE INDEX inbox_unmatched ON inbox (service, call_id, attempt_key)
  WHERE state = 'unmatched' AND try_at IS NOT NULL;
CREATE INDEX inbox_newest ON inbox (received_at);
-- For the webhooks in a person's story.
CREATE INDEX inbox_of_attempt ON inbox (attempt_seq) WHERE attempt_seq IS NOT NULL;

-- Services that asked to be left alone (Retry-After): no runner dials there before `until` (epoch ms).
CREATE TABLE service_holds (
  service TEXT PRIMARY KEY,
  until INTEGER NOT NULL,
  -- What it asked for: after a wall clock was set back, the hold lasts no longer than this from then on.
  for_ms INTEGER NOT NULL CHECK (for_ms BETWEEN 0 AND 3600000)
) STRICT;

-- Dials to services that answer one idempotency key with one call: where the answer was lost they may be sent again.
-- Only claims that are made for such a service write here; without a row nothing is ever repeated.
CREATE TABLE replayable_dials (
  attempt_seq INTEGER PRIMARY KEY REFERENCES attempts (seq),
  -- Where the key is known: a hash of the dial's address and the account. Anywhere else it would be a new call.
  account TEXT NOT NULL,
  -- How often it was sent again and may have arrived.
  replays INTEGER NOT NULL DEFAULT 0 CHECK (replays >= 0),
  -- When it may be sent again, epoch ms; NULL: by the time at which its own answer was lost.
  due_at INTEGER,
  -- When a key was sent on a clock that nobody sets back (steady-time.ts): a service forgets keys by its own clock.
  sent_at INTEGER NOT NULL DEFAULT 0
) STRICT;

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
  -- The list whose row asked not to be called, as it was named at the import; NULL: no list, or from before it was kept.
  list TEXT,
  CHECK (action = 'add' OR expires_at IS NULL)
) STRICT;
CREATE INDEX suppression_of_phone ON suppression (phone, seq);

CREATE TRIGGER suppression_never_changes BEFORE UPDATE ON suppression
BEGIN SELECT RAISE(ABORT, 'the suppression list is only appended to'); END;

CREATE TRIGGER suppression_never_forgets BEFORE DELETE ON suppression
BEGIN SELECT RAISE(ABORT, 'the suppression list is only appended to'); END;

-- What `export --since-last` has given out of each lead, so that the next one gives only what is new. Nothing is
-- written here by a run.
CREATE TABLE exported (
  lead_row INTEGER PRIMARY KEY REFERENCES leads (row),
  -- Result, last attempt and its state: when one of them has changed, the lead is new again.
  exported_as TEXT NOT NULL
) STRICT;

-- Files that are on the suppression list as a whole, and the day for which each of them was true.
CREATE TABLE suppression_lists (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL,
  as_of INTEGER NOT NULL,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  -- The registry that a file of the suppression list is of, as rules name it: `us-national`; NULL: none was named.
  registry TEXT,
  -- The area codes that the file has, with commas; NULL: all of the registry.
  areas TEXT
) STRICT;

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

-- A service may answer two dials with one call id. The attempt that had it first keeps it; every other one is noted here,
-- and analytics of that call count only where they say by more than the id whose they are.
CREATE TABLE contested_calls (
  service TEXT NOT NULL,
  call_id TEXT NOT NULL,
  attempt_seq INTEGER NOT NULL REFERENCES attempts (seq),
  at INTEGER NOT NULL,
  PRIMARY KEY (service, call_id, attempt_seq)
) STRICT;

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

-- What the calls of each night have used. Attempts that are still intents, and those that were released, are not
-- counted, so that a claim writes nothing here: it adds the few intents itself.
CREATE TABLE nights (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  -- `2026-01-05`; '': all calls from before nights were known.
  night TEXT NOT NULL,
  -- When its first and its last call began, epoch ms.
  began_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  -- Of these: calls whose end is not known yet, and those whose end may never be known.
  open INTEGER NOT NULL DEFAULT 0,
  stuck INTEGER NOT NULL DEFAULT 0,
  answered INTEGER NOT NULL DEFAULT 0,
  talk_ms INTEGER NOT NULL DEFAULT 0,
  -- Calls that lasted, and whose cost the service did not name.
  unpriced INTEGER NOT NULL DEFAULT 0,
  -- By currency, see src/domain/nights/spent.ts.
  costs TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(costs)),
  -- The budget that ended the night's dialling; NULL: none has, or calls were made since.
  ended_by TEXT,
  -- Why the last run of a night stopped calling, see src/domain/nights/night-end.ts; null while it goes on, or when its
  -- process was killed. Nights of earlier versions have `notKnown`.
  end_reason TEXT,
  -- The file that was written for the night last.
  results_file TEXT,
  -- When it was written with every call of the night in it, epoch ms; NULL: not yet, or calls were made since.
  results_at INTEGER,
  -- The process that writes the file of a night that is over, as JSON {host, boot, pid, at, before}: `before` is the file
  -- that it found there. It shows whether a process that was killed had written its file.
  results_taker TEXT CHECK (results_taker IS NULL OR json_valid(results_taker)),
  -- `calls` are those that were or may have been made; these are the dials that were refused for good, and those that made
  -- no call: not sent, refused for now, ended without ringing, or settled so by a person. See src/domain/nights/night-end.ts.
  refused INTEGER NOT NULL DEFAULT 0,
  not_made INTEGER NOT NULL DEFAULT 0,
  -- The host that wrote `results_file`, and has it; NULL: not known.
  results_machine TEXT,
  PRIMARY KEY (campaign_id, night)
) STRICT, WITHOUT ROWID;

-- Campaigns that were short of a service's slots: only those that were lately have a share of them.
CREATE TABLE slot_shares (
  service TEXT NOT NULL,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  weight INTEGER NOT NULL,
  -- Calls begun beside others that were short of slots, each as 1 / weight: who has the least is next.
  used REAL NOT NULL,
  -- Slots that it could have used beyond those it got, when it asked last, and when that was, epoch ms.
  wants INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (service, campaign_id)
) STRICT, WITHOUT ROWID;

-- Files from a campaign's folders and addresses, by the hash of their bytes: who imports them, and the outcome.
CREATE TABLE watched_lists (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  sha256 TEXT NOT NULL,
  -- Where the file was found when it was taken first.
  path TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('taking', 'taken', 'refused')),
  -- Why it was refused, or the file with the rows that were not taken.
  note TEXT,
  -- When it was taken or refused, epoch ms; while it is taken, when that began.
  at INTEGER NOT NULL,
  -- The process that takes it, as JSON {host, boot, pid, seenAt}.
  taker TEXT NOT NULL,
  -- When the file was moved away, epoch ms; NULL: not yet, or it stays.
  moved_at INTEGER,
  PRIMARY KEY (campaign_id, sha256)
) STRICT;

-- What an address said of the list that was read from it last, for the next conditional request.
CREATE TABLE list_addresses (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  address TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  -- When it answered with that list, epoch ms.
  at INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, address)
) STRICT;

-- Scheduled times of campaigns that were taken up, each once: the process that inserts the row of a time acts on it.
CREATE TABLE firings (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  -- The scheduled time, epoch ms.
  at INTEGER NOT NULL,
  -- `made_up`: it had passed while nothing served, and its night was called all the same; `told`: it was only told.
  met TEXT NOT NULL CHECK (met IN ('on_time', 'made_up', 'told')),
  -- When, and by which process (JSON {host, boot, pid}).
  taken_at INTEGER NOT NULL,
  taker TEXT NOT NULL,
  PRIMARY KEY (campaign_id, at)
) STRICT, WITHOUT ROWID;

-- How many leads of a block of lines stand where, and are in which place, so that totals and the n-th of a million
-- leads are found without reading them. A block is 1,000 lines of a list: position / 1000. Code that
-- inserts leads counts them, a batch at a time: a trigger for each would make an import of a million rows 8 s longer.
CREATE TABLE lead_counts (
  campaign_id TEXT NOT NULL,
  block INTEGER NOT NULL,
  -- The result of leads that are done, else their state.
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

-- How many leads wait in which place, so that a page that is read each second does not count them one by one.
CREATE TABLE waiting_counts (
  campaign_id TEXT NOT NULL,
  zone_key TEXT NOT NULL,
  leads INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, zone_key)
) STRICT, WITHOUT ROWID;

-- Why each call was allowed, as it was known when its dial was decided on, see domain/calling/caps.ts. Attempts from
-- before have none.
CREATE TABLE evidence (
  attempt_seq INTEGER PRIMARY KEY REFERENCES attempts (seq) ON DELETE CASCADE,
  facts TEXT NOT NULL CHECK (json_valid(facts))
) STRICT;

-- What was known of a lead when it was called, kept when a later list corrects it.
CREATE TABLE lead_before (
  lead_row INTEGER NOT NULL REFERENCES leads (row),
  -- The attempts of the lead up to this one were made with these cells and this place.
  last_seq INTEGER NOT NULL,
  cells TEXT NOT NULL CHECK (json_valid(cells)),
  zone_key TEXT NOT NULL,
  PRIMARY KEY (lead_row, last_seq)
) STRICT, WITHOUT ROWID;

-- What callsheet sends to others, a row for each receiver: due again until it is done. The id is made from what it is about and
-- goes with every try, so that a receiver can tell repeats.
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  -- A hash: the receiver's address and secret are in files and environment. '' when it is only recorded.
  target TEXT NOT NULL,
  -- How the receiver is called in messages; no secret.
  shown TEXT NOT NULL,
  -- NULL: of no campaign.
  campaign_id TEXT REFERENCES campaigns (id),
  -- A local date of the campaign's zone: `2026-01-05`.
  night TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- JSON, as it is sent; never an address, a secret or a phone number.
  body TEXT NOT NULL,
  -- When it is sent next; while a process is sending it, when another one may.
  due INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  -- Why the last try failed; NULL: it has not failed, or one is under way.
  why TEXT,
  -- When it came or, with a `why`, was given up.
  done INTEGER,
  UNIQUE (id, target)
) STRICT;
CREATE INDEX outbox_waiting ON outbox (target) WHERE done IS NULL;
CREATE INDEX outbox_of_night ON outbox (campaign_id, night, event);
CREATE INDEX outbox_done ON outbox (done);

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

CREATE TRIGGER leads_wait AFTER UPDATE OF state, zone_key ON leads
WHEN (OLD.state = 'waiting') <> (NEW.state = 'waiting') OR OLD.zone_key <> NEW.zone_key
BEGIN
  INSERT INTO waiting_counts (campaign_id, zone_key, leads)
    SELECT OLD.campaign_id, OLD.zone_key, -1 WHERE OLD.state = 'waiting'
    ON CONFLICT DO UPDATE SET leads = leads - 1;
  INSERT INTO waiting_counts (campaign_id, zone_key, leads)
    SELECT NEW.campaign_id, NEW.zone_key, 1 WHERE NEW.state = 'waiting'
    ON CONFLICT DO UPDATE SET leads = leads + 1;
END;

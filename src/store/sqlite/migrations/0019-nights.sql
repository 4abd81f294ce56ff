-- Nights of campaigns, and how campaigns share the slots of a service.

-- The night to which a call belongs: a local date, set by the claim; NULL: it is from before this version.
ALTER TABLE attempts ADD COLUMN night TEXT;

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
  PRIMARY KEY (campaign_id, night)
) STRICT, WITHOUT ROWID;

-- Talk time and costs of older calls are not taken over: that would read all transcripts once.
INSERT INTO nights (campaign_id, night, began_at, last_at, calls, open, stuck, answered)
  SELECT campaign_id, '', min(intent_at), max(intent_at), count(*),
    count(*) FILTER (WHERE state = 'placed' OR state = 'ended' OR state = 'unknown'),
    count(*) FILTER (WHERE state = 'unconfirmed' OR state = 'no_result'),
    count(*) FILTER (WHERE state = 'settled' AND result = 'answered')
  FROM attempts WHERE state <> 'intent' AND state <> 'released' GROUP BY campaign_id;

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

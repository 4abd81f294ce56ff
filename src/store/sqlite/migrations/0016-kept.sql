-- How a list's file is read again, and who imports it: an import that was broken off is told from one that goes on.
-- `complete`: who waits and is not on the list leaves with its end.
ALTER TABLE lists ADD COLUMN bytes INTEGER;
ALTER TABLE lists ADD COLUMN encoding TEXT;
ALTER TABLE lists ADD COLUMN sheet TEXT;
ALTER TABLE lists ADD COLUMN complete INTEGER NOT NULL DEFAULT 0 CHECK (complete = 0 OR complete = 1);
ALTER TABLE lists ADD COLUMN importer TEXT CHECK (importer IS NULL OR json_valid(importer));

-- A process that only collects starts no call.
ALTER TABLE runners ADD COLUMN dials INTEGER NOT NULL DEFAULT 1 CHECK (dials = 0 OR dials = 1);

-- The last attempt in the database when somebody was taken out of a campaign: whoever was called after it is not
-- brought back. An order of attempts, as a clock may be set back.
ALTER TABLE campaigns ADD COLUMN cancelled_after INTEGER;
ALTER TABLE leads ADD COLUMN cancelled_after INTEGER;
UPDATE campaigns SET cancelled_after = coalesce((SELECT max(seq) FROM attempts WHERE intent_at <=
  (SELECT max(at) FROM history WHERE campaign_id = campaigns.id AND what = 'campaign.cancelled')), 0)
  WHERE state = 'cancelled';

CREATE INDEX leads_that_left ON leads (campaign_id, phone) WHERE result = 'cancelled' AND reason = 'left_list';

-- What the console asks for: which change of a campaign was seen, and pages of a million people.

-- Counts the changes of the campaign: whoever changes it says which one they have seen.
ALTER TABLE campaigns ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

-- How many leads of a block of lines stand where, and are in which place, so that totals and the n-th of a million
-- leads are found without reading them. A block is 1,000 lines of a list: position / 1000. New leads are counted by
-- whoever inserts them, a batch at a time: a trigger for each would make an import of a million rows 8 s longer.
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

-- The label alone: rows of analytics are long, as they hold transcripts.
CREATE INDEX analytics_by_label ON analytics (attempt_seq, sentiment_label) WHERE sentiment_label IS NOT NULL;

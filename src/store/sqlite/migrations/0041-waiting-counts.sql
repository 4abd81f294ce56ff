-- How many leads wait in which place, so that a page that is read each second does not count them one by one.
CREATE TABLE waiting_counts (
  campaign_id TEXT NOT NULL,
  zone_key TEXT NOT NULL,
  leads INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, zone_key)
) STRICT, WITHOUT ROWID;
INSERT INTO waiting_counts (campaign_id, zone_key, leads)
  SELECT campaign_id, zone_key, count(*) FROM leads WHERE state = 'waiting' GROUP BY 1, 2;
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

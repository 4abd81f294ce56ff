-- Scheduled times of campaigns that were taken up, each once: whoever inserts the row of a time acts upon it.
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

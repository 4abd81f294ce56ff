-- When a call without a result was last asked for again, epoch ms; NULL: it was not.
ALTER TABLE attempts ADD COLUMN asked_again_at INTEGER;
CREATE INDEX attempts_without_result ON attempts (service, seq) WHERE state = 'no_result';

-- `calls` are those that were or may have been made; these are the dials that were refused for good, and those that made
-- no call: not sent, refused for now, ended without ringing, or settled so by a person. See src/domain/nights/night-end.ts.
ALTER TABLE nights ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nights ADD COLUMN not_made INTEGER NOT NULL DEFAULT 0;
UPDATE nights SET calls = calls - counted.refused - counted.settled, stuck = stuck - counted.settled,
    refused = counted.refused, not_made = counted.released + counted.settled
  FROM (SELECT campaign_id, coalesce(night, '') AS night,
      count(*) FILTER (WHERE state = 'rejected') AS refused,
      count(*) FILTER (WHERE state = 'released') AS released,
      count(*) FILTER (WHERE state = 'unconfirmed' AND resolution = 'not_placed') AS settled
    FROM attempts GROUP BY 1, 2) AS counted
  WHERE counted.campaign_id = nights.campaign_id AND counted.night = nights.night;

-- What is told to others, a row for each receiver: due again until it is done. The id is made from what it is about and
-- goes with every try, so that a receiver can tell repeats. Takes the place of `notices` and `notice_sends`.
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  -- A hash: the receiver's address and secret are in files and environment. '': nobody is told, it is only written down.
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

INSERT INTO outbox (id, target, shown, campaign_id, night, event, at, body, due, tries, why, done)
SELECT n.id, coalesce(s.target, ''), coalesce(s.shown, ''), n.campaign_id, n.night, n.event, n.at, n.body,
  coalesce(s.next_at, n.at), coalesce(s.tries, 0), s.why,
  CASE s.state WHEN 'waiting' THEN NULL ELSE coalesce(s.ended_at, n.at) END
FROM notices n LEFT JOIN notice_sends s ON s.notice_seq = n.seq ORDER BY s.seq, n.seq;

DROP TABLE notice_sends;
DROP TABLE notices;

CREATE INDEX outbox_waiting ON outbox (target) WHERE done IS NULL;
CREATE INDEX outbox_of_night ON outbox (campaign_id, night, event);
CREATE INDEX outbox_done ON outbox (done);

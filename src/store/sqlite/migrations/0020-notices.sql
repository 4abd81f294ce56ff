-- What people are told by a command or a webhook (`notify`): each event of a campaign and a night once, however often it
-- happens. The id is made from these and goes with every try, so that a receiver can tell repeats.
CREATE TABLE notices (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- NULL: of no campaign.
  campaign_id TEXT REFERENCES campaigns (id),
  -- A local date of the campaign's zone: `2026-01-05`.
  night TEXT NOT NULL,
  event TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- How often it has happened, and when last.
  count INTEGER NOT NULL DEFAULT 1 CHECK (count >= 1),
  last_at INTEGER NOT NULL,
  -- JSON, as it is sent, but for what was folded; never an address, a secret or a phone number.
  body TEXT NOT NULL
) STRICT;
CREATE INDEX notices_of_night ON notices (campaign_id, night, event);
CREATE INDEX notices_by_age ON notices (at);

-- The way of a notice to one receiver, which is known by a hash: its address and secret are in files and environment.
CREATE TABLE notice_sends (
  seq INTEGER PRIMARY KEY,
  notice_seq INTEGER NOT NULL REFERENCES notices (seq) ON DELETE CASCADE,
  target TEXT NOT NULL,
  -- How the receiver is called in messages; no secret.
  shown TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'given_up')),
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  -- A process is sending it until then, at most; a later one that finds it so goes on.
  lease_by TEXT,
  lease_until INTEGER CHECK ((lease_until IS NULL) = (lease_by IS NULL)),
  -- Why the last try failed, and when a try ended last.
  why TEXT,
  ended_at INTEGER,
  -- Repeats of this notice that this receiver was told of with a later one, and those of others told with this (JSON).
  told INTEGER NOT NULL DEFAULT 1,
  folded TEXT NOT NULL DEFAULT '[]',
  UNIQUE (notice_seq, target)
) STRICT;
CREATE INDEX notice_sends_waiting ON notice_sends (next_at) WHERE state = 'waiting';

-- Files that a campaign's folders and addresses brought, by the hash of their bytes: who takes them, what became of them.
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

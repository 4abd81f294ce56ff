-- Why each call was allowed, as it was known when its dial was decided on, see domain/calling/evidence.ts. Attempts from
-- before have none.
CREATE TABLE evidence (
  attempt_seq INTEGER PRIMARY KEY REFERENCES attempts (seq) ON DELETE CASCADE,
  facts TEXT NOT NULL CHECK (json_valid(facts))
) STRICT;

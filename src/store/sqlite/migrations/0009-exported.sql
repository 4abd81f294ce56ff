-- What `export --new` has given out of each lead, so that the next one gives only what is new. Nothing is
-- written here by a run.
CREATE TABLE exported (
  lead_row INTEGER PRIMARY KEY REFERENCES leads (row),
  -- Result, last attempt and its state: when one of them has changed, the lead is new again.
  exported_as TEXT NOT NULL
) STRICT;

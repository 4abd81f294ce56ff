-- A service may answer two dials with one call id. The attempt that had it first keeps it; every other one is noted here,
-- and analytics of that call count only where they say by more than the id whose they are.
CREATE TABLE contested_calls (
  service TEXT NOT NULL,
  call_id TEXT NOT NULL,
  attempt_seq INTEGER NOT NULL REFERENCES attempts (seq),
  at INTEGER NOT NULL,
  PRIMARY KEY (service, call_id, attempt_seq)
) STRICT;

-- Services that asked to be left alone (Retry-After): no runner dials there before `until` (epoch ms).
CREATE TABLE service_holds (
  service TEXT PRIMARY KEY,
  until INTEGER NOT NULL,
  -- What it asked for: after a wall clock was set back, the hold lasts no longer than this from then on.
  for_ms INTEGER NOT NULL CHECK (for_ms BETWEEN 0 AND 3600000)
) STRICT;

-- When a key was sent on a clock that nobody sets back (steady-time.ts): a service forgets keys by its own clock.
ALTER TABLE repeatable_dials ADD COLUMN sent_at INTEGER NOT NULL DEFAULT 0;
UPDATE repeatable_dials SET sent_at = (SELECT intent_at FROM attempts WHERE seq = attempt_seq);

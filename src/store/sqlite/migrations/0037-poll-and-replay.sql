-- Polls and replays have these names everywhere.

ALTER TABLE attempts RENAME COLUMN next_look_at TO next_poll_at;
ALTER TABLE attempts RENAME COLUMN looks TO polls;
DROP INDEX attempts_to_look_at;
CREATE INDEX attempts_to_poll ON attempts (service, next_poll_at) WHERE next_poll_at IS NOT NULL;
ALTER TABLE repeatable_dials RENAME COLUMN repeats TO replays;
ALTER TABLE repeatable_dials RENAME TO replayable_dials;

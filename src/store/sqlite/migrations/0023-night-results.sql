-- What is left of a night in the morning: why its dialling ended, and the results under its date.

-- Why the last run of a night stopped calling, see src/domain/nights/night-end.ts; NULL: it goes on, or whoever called
-- was killed. Nights of earlier versions have `notKnown`.
ALTER TABLE nights ADD COLUMN end_reason TEXT;
UPDATE nights SET end_reason = 'notKnown';

-- The file that was written for the night last.
ALTER TABLE nights ADD COLUMN results_file TEXT;
-- When it was written with every call of the night in it, epoch ms; NULL: not yet, or calls were made since.
ALTER TABLE nights ADD COLUMN results_at INTEGER;
-- The process that writes the file of a night that is over, as JSON {host, boot, pid, at, before}: `before` is the file
-- that it found there. A process that finds a killed one's can tell by it whether the file was written.
ALTER TABLE nights ADD COLUMN results_taker TEXT CHECK (results_taker IS NULL OR json_valid(results_taker));

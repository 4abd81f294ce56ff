-- Why a lead was done when an earlier call of it was found, '' for no reason: it is done again once that call has ended.
ALTER TABLE leads ADD COLUMN was_done TEXT;
-- The last call that was found after the operator had withdrawn its person: an undo goes by it.
ALTER TABLE leads ADD COLUMN found_seq INTEGER;
-- The operator's withdrawal is cancelled_after alone; `stopped` keeps what lists say.
UPDATE leads SET cancelled_after = coalesce(cancelled_after, (SELECT coalesce(max(seq), 0) FROM attempts)),
  stopped = NULL, stopped_by = NULL
WHERE stopped_by = 'operator';

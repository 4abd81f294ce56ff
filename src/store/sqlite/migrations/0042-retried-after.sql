-- The lead's last attempt when an operator let it be called again: retry.attempts counts only those after it. NULL: nobody
-- did.
ALTER TABLE leads ADD COLUMN retried_after INTEGER;

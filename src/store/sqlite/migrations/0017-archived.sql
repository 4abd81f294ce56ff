-- When a campaign was put away, epoch ms; NULL: it is not. Its calls still count as made.
ALTER TABLE campaigns ADD COLUMN archived_at INTEGER;

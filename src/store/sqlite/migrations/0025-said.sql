-- The service's own word for how the call ended, as it came; NULL: it gave none, or the call is from before it was kept.
ALTER TABLE analytics ADD COLUMN said TEXT;
-- The person's words in which a refusal of calls was heard, see src/text/spoken-refusals.ts; '': none; NULL as above.
ALTER TABLE analytics ADD COLUMN refusal TEXT;

-- The registry that a file of the suppression list is of, as rules name it: `us-national`; NULL: none was named.
ALTER TABLE suppression_lists ADD COLUMN registry TEXT;
-- The area codes that the file has, with commas; NULL: all of the registry.
ALTER TABLE suppression_lists ADD COLUMN areas TEXT;

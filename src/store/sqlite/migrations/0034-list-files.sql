-- Where the bytes of a list are, if not at its path: those of an upload. An import that was broken off is read from there.
ALTER TABLE lists ADD COLUMN file TEXT;
ALTER TABLE lists ADD COLUMN delimiter TEXT;

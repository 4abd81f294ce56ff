-- How a list that was sent to a draft, and is not imported yet, is to be read; null: it was imported as it came.
ALTER TABLE lists ADD COLUMN input TEXT CHECK (input IS NULL OR json_valid(input));

-- What the service read out of the conversation, under its own names: a JSON object.
ALTER TABLE analytics ADD COLUMN extracted TEXT CHECK (extracted IS NULL OR json_valid(extracted));

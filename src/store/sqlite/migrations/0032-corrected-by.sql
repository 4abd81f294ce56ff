-- The list that corrected the lead last, and its line there; NULL: none has.
ALTER TABLE leads ADD COLUMN corrected_by TEXT REFERENCES lists (id);
ALTER TABLE leads ADD COLUMN corrected_line INTEGER;

-- The end of the day on which the person consented to calls by the list, epoch ms; NULL: it names no such day.
ALTER TABLE leads ADD COLUMN consent_given INTEGER;

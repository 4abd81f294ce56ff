-- Until when the list says that the person consents to calls, epoch ms; NULL: it names no end.
ALTER TABLE leads ADD COLUMN consent_until INTEGER;
-- The list whose row asked not to be called, as it was named at the import; NULL: no list, or from before it was kept.
ALTER TABLE suppression ADD COLUMN list TEXT;

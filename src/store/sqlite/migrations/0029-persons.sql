-- Who the person is by the list: `id ...` or `mail ...`, see src/leads/rows/row-person.ts; NULL: it does not say.
ALTER TABLE leads ADD COLUMN person TEXT;
-- The words of their name, folded; '': the list has none.
ALTER TABLE leads ADD COLUMN person_name TEXT NOT NULL DEFAULT '';

CREATE INDEX leads_of_person ON leads (person, campaign_id) WHERE person IS NOT NULL;

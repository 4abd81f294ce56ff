-- The host that wrote the results of a night, and has them.
ALTER TABLE nights ADD COLUMN results_machine TEXT;

// The schema of SQLite, which is kept by hand, in PostgreSQL's words: the same tables, columns, checks and indexes, and
// what the statements of both use of SQLite's functions; and its migrations, in the same words.
import { readdirSync, readFileSync } from 'node:fs';

const SQLITE = new URL('../src/store/sqlite/', import.meta.url);

/** The first schema of a server had this version. */
const FIRST = 39;

/** Tables whose statements order by `rowid`. */
const ORDERED = ['inbox', 'captured_leads'];

const HEAD = `-- One row, whose lock is that of all writers: a write transaction takes it first.
CREATE TABLE store (
  one integer PRIMARY KEY CHECK (one = 1),
  -- Of the schema.
  version integer NOT NULL,
  -- Of the copy that was used last, see src/store/postgres/machines.ts, and how many there were.
  copy text COLLATE "C" NOT NULL,
  generation bigint NOT NULL,
  -- When that one came, by the server's clock.
  begun_at bigint NOT NULL
);

-- A row for each dial journal that calls of this schema stand in.
CREATE TABLE machines (
  id text COLLATE "C" PRIMARY KEY,
  seen_at bigint NOT NULL,
  -- NULL: it works, or was killed.
  left_at bigint,
  -- The generation with which its journal was compared last; -1: with none.
  checked bigint NOT NULL,
  -- How long the journal was then, a hash of its end, and the last attempt.
  verified bigint NOT NULL,
  tail text COLLATE "C",
  seq bigint
);

-- A row for each transaction that wrote: where the answer of its commit is lost, this says whether it was made.
CREATE TABLE commits (
  id text COLLATE "C" PRIMARY KEY,
  at bigint NOT NULL
);
CREATE INDEX commits_by_time ON commits (at);

-- What SQLite has and PostgreSQL has not, or has otherwise, for the statements of both. NULL gives NULL.
CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT greatest($1, $2)';
CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT least($1, $2)';
CREATE FUNCTION max(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS 'SELECT greatest($1, $2)';
CREATE FUNCTION min(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS 'SELECT least($1, $2)';
CREATE FUNCTION instr(text, text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT strpos($1, $2)';
-- The elements of a list in JSON.
CREATE FUNCTION json_each(text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE STRICT AS
  'SELECT jsonb_array_elements_text($1::jsonb)';
-- The field of a JSON text at a path such as $.tonight.calls.
CREATE FUNCTION json_field(text, text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS
  $$SELECT $1::jsonb #>> string_to_array(ltrim($2, '$.'), '.')$$;
CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = text, FUNCTION = json_field);
CREATE FUNCTION json_listed(text, anyelement) RETURNS text LANGUAGE sql AS
  $$SELECT concat($1, CASE WHEN $1 = '' THEN '' ELSE ',' END, coalesce(to_json($2)::text, 'null'))$$;
CREATE FUNCTION json_list(text) RETURNS text LANGUAGE sql AS $$SELECT concat('[', $1, ']')$$;
CREATE AGGREGATE json_group_array(anyelement) (SFUNC = json_listed, STYPE = text, INITCOND = '', FINALFUNC = json_list);
-- Of booleans: whether all are, and whether one is.
CREATE AGGREGATE min(boolean) (SFUNC = booland_statefunc, STYPE = boolean);
CREATE AGGREGATE max(boolean) (SFUNC = boolor_statefunc, STYPE = boolean);
CREATE FUNCTION json_valid(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1::json IS NOT NULL';

`;

const TRIGGERS = `
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the suppression list is only appended to'; END $$;
CREATE TRIGGER suppression_never_changes BEFORE UPDATE OR DELETE ON suppression FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A dial that comes back from a journal has its own number: later ones must have numbers after it.
CREATE FUNCTION attempt_restored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM setval('attempts_seq_seq', greatest(NEW.seq, (SELECT last_value FROM attempts_seq_seq)));
  RETURN NULL;
END $$;
CREATE TRIGGER attempt_restored AFTER INSERT ON attempts FOR EACH ROW WHEN (NEW.owner_host = '') EXECUTE FUNCTION attempt_restored();

CREATE FUNCTION leads_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lead_counts (campaign_id, block, standing, leads)
    VALUES (OLD.campaign_id, OLD.position / 1000, coalesce(OLD.result, OLD.state), -1)
    ON CONFLICT (campaign_id, block, standing) DO UPDATE SET leads = lead_counts.leads - 1;
  INSERT INTO lead_counts (campaign_id, block, standing, leads)
    VALUES (NEW.campaign_id, NEW.position / 1000, coalesce(NEW.result, NEW.state), 1)
    ON CONFLICT (campaign_id, block, standing) DO UPDATE SET leads = lead_counts.leads + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER leads_moved AFTER UPDATE OF state, result ON leads FOR EACH ROW
  WHEN (coalesce(OLD.result, OLD.state) <> coalesce(NEW.result, NEW.state)) EXECUTE FUNCTION leads_moved();

CREATE FUNCTION leads_placed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO zone_counts (campaign_id, zone_key, block, leads) VALUES (OLD.campaign_id, OLD.zone_key, OLD.position / 1000, -1)
    ON CONFLICT (campaign_id, zone_key, block) DO UPDATE SET leads = zone_counts.leads - 1;
  INSERT INTO zone_counts (campaign_id, zone_key, block, leads) VALUES (NEW.campaign_id, NEW.zone_key, NEW.position / 1000, 1)
    ON CONFLICT (campaign_id, zone_key, block) DO UPDATE SET leads = zone_counts.leads + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER leads_placed AFTER UPDATE OF zone_key ON leads FOR EACH ROW
  WHEN (OLD.zone_key <> NEW.zone_key) EXECUTE FUNCTION leads_placed();
`;

/** Triggers that came with a later version, by that version. */
const LATER_TRIGGERS = {
  41: `
CREATE FUNCTION leads_wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'waiting' THEN
    INSERT INTO waiting_counts (campaign_id, zone_key, leads) VALUES (OLD.campaign_id, OLD.zone_key, -1)
      ON CONFLICT (campaign_id, zone_key) DO UPDATE SET leads = waiting_counts.leads - 1;
  END IF;
  IF NEW.state = 'waiting' THEN
    INSERT INTO waiting_counts (campaign_id, zone_key, leads) VALUES (NEW.campaign_id, NEW.zone_key, 1)
      ON CONFLICT (campaign_id, zone_key) DO UPDATE SET leads = waiting_counts.leads + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER leads_wait AFTER UPDATE OF state, zone_key ON leads FOR EACH ROW
  WHEN ((OLD.state = 'waiting') <> (NEW.state = 'waiting') OR OLD.zone_key <> NEW.zone_key) EXECUTE FUNCTION leads_wait();
`,
};

/** Those of the console, which for SQLite are in a file of their own: src/store/sqlite/console.sql. */
const CONSOLE = `
CREATE TABLE users (
  name text COLLATE "C" PRIMARY KEY,
  role text COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  transcripts bigint NOT NULL CHECK (transcripts IN (0, 1)),
  password text COLLATE "C" NOT NULL,
  changed_at bigint NOT NULL,
  created_at bigint NOT NULL
);
CREATE UNIQUE INDEX users_in_any_case ON users (lower(name));

CREATE TABLE tokens (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
  transcripts bigint NOT NULL CHECK (transcripts IN (0, 1)),
  hash text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE UNIQUE INDEX tokens_in_any_case ON tokens (lower(name));

CREATE TABLE sessions (
  hash text COLLATE "C" PRIMARY KEY,
  "user" text COLLATE "C" REFERENCES users (name) ON DELETE CASCADE,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX sessions_by_user ON sessions ("user");

CREATE TABLE links (
  hash text COLLATE "C" PRIMARY KEY,
  expires_at bigint NOT NULL,
  used_at bigint
);

CREATE TABLE uploads (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  at bigint NOT NULL,
  machine text COLLATE "C"
);

CREATE TABLE listening (
  machine text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL CHECK (json_valid(owner)),
  at bigint NOT NULL,
  PRIMARY KEY (machine, url)
);

CREATE TABLE log (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  who text COLLATE "C" NOT NULL,
  what text COLLATE "C" NOT NULL,
  target text COLLATE "C",
  outcome text COLLATE "C" NOT NULL,
  detail text COLLATE "C" NOT NULL CHECK (json_valid(detail))
);
CREATE INDEX log_by_who ON log (who);
CREATE INDEX log_by_what ON log (what);
CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'log entries are never changed'; END $$;
CREATE TRIGGER log_is_kept BEFORE UPDATE ON log FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
`;

const inPostgresWords = (text) =>
  text
    .replace(/^--[^\n]*\n/gm, '')
    .replace(/ *--[^\n]*/g, '')
    .replace(/CREATE TRIGGER[\s\S]*?END;\n/g, '')
    .replace(/\) STRICT(, WITHOUT ROWID)?;/g, ');')
    .replace(
      /\b(row|seq|id) INTEGER PRIMARY KEY(?: AUTOINCREMENT)?/g,
      '$1 bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
    )
    .replace(/\bINTEGER\b/g, 'bigint')
    .replace(/\bREAL\b/g, 'float8')
    .replace(/\bBLOB\b/g, 'bytea')
    .replace(/\bVIRTUAL\b/g, 'STORED')
    .replace(/\bTEXT\b/g, 'text COLLATE "C"')
    .replace(/(\w+) GLOB '\+\[1-9\]\*'/g, "$1 ~ '^\\+[1-9]'")
    .replace(/\n{3,}/g, '\n\n');

let schema = inPostgresWords(readFileSync(new URL('schema.sql', SQLITE), 'utf8'));
for (const table of ORDERED)
  schema = schema.replace(
    `CREATE TABLE ${table} (`,
    (head) => `${head}\n  rowid bigint GENERATED ALWAYS AS IDENTITY,`,
  );

/** From one version of the schema to the next, by the version that it brings. */
const steps = readdirSync(new URL('migrations/', SQLITE))
  .map((name) => ({ name, version: Number(name.slice(0, 4)) }))
  .filter(({ version }) => version > FIRST)
  .map(({ name, version }) => ({
    version,
    text: `${inPostgresWords(readFileSync(new URL(`migrations/${name}`, SQLITE), 'utf8'))}${LATER_TRIGGERS[version] ?? ''}`,
  }));

for (const left of ['GLOB', 'AUTOINCREMENT', 'RAISE', 'ROWID'])
  if (schema.includes(left) || steps.some(({ text }) => text.includes(left)))
    throw new Error(`PostgreSQL has no ${left}: see ${import.meta.url}`);

/** Files that the build writes beside the threads, by name. */
export const postgresFiles = () => ({
  'postgres.sql': `${HEAD}${schema.trim()}\n${TRIGGERS}${Object.values(LATER_TRIGGERS).join('')}${CONSOLE}`,
  ...Object.fromEntries(steps.map(({ version, text }) => [`postgres-${version}.sql`, text])),
});

import { tmpdir } from 'node:os';
import Sqlite, { type Database } from 'better-sqlite3';

import type { LeadResult, LeadState } from '../../../domain/lead.ts';
import { afterThisTurn } from '../../../runtime/clock.ts';
import type { Store } from '../../port.ts';
import { migrate } from '../migrate.ts';
import { fileEngine } from '../open.ts';
import { diskFull } from '../file/files.ts';
import { journalledStore } from '../../journal/journalled-store.ts';
import { sqlOf } from '../../sql/sql.ts';
import { createStore } from '../../sql/store.ts';
import { recountNights } from '../../sql/tables/nights/nights.ts';

/** What the operator would read as the path of a scratch database; no file has this name. */
const IN_MEMORY = ':memory:';

const OF_PHONES = 'phone IN (SELECT value FROM json_each(@phones))';
const OF_CAMPAIGN = 'campaign_id = @id';

/** What is read here of each table of the database: a condition in which `@id` is the campaign, `@phones` its people. */
export const REHEARSED: Readonly<Record<string, string>> = {
  ...{ campaigns: '1 = 1', lists: '1 = 1', proven_services: '1 = 1', suppression_lists: '1 = 1' },
  ...{ zone_counts: OF_CAMPAIGN, waiting_counts: OF_CAMPAIGN },
  ...{ lead_counts: OF_CAMPAIGN, nights: OF_CAMPAIGN },
  leads: `${OF_CAMPAIGN} OR ${OF_PHONES} OR row IN (SELECT lead_row FROM attempts WHERE ${OF_PHONES})`,
  lead_numbers: `lead_row IN (SELECT row FROM leads WHERE ${OF_CAMPAIGN})`,
  attempts: `${OF_CAMPAIGN} OR ${OF_PHONES} OR lead_row IN (SELECT row FROM leads WHERE ${OF_PHONES})`,
  suppression: OF_PHONES,
};

/** A store in memory for rehearsals. */
export interface ScratchStore extends Rehearsed {
  store: Store;
  /**
   * Copies a campaign with its lists, leads and own calls; calls in progress get no result. Call it before anything is
   * written here.
   * @param path absolute path of the database, which is only read
   * @param campaignId null: a campaign that the database does not have, and that is made here
   */
  copyCampaign(path: string, campaignId: string | null): void;
  /**
   * Copies what else limits calls to the waiting people: suppression, and calls of other campaigns to their numbers.
   * Call it when all lists are in, before the first call.
   */
  copyWhatCounts(path: string, campaignId: string): void;
  /** Numbers of everybody who waits: what `copyWhatCounts` asks for. */
  askedPhones(): string[];
  /** The database as bytes, from which `openScratchStore` opens any number of copies. */
  image(): Buffer;
}

/**
 * Opens a store in memory. It takes no path, so no database with real calls can be opened as scratch.
 * @param options.image the result of `image`; default: an empty database
 * @param options.folder that of the store; default: the folder of temporary files
 */
export function openScratchStore({
  image,
  folder = tmpdir(),
}: { image?: Buffer; folder?: string } = {}): ScratchStore {
  const db = new Sqlite(image ?? IN_MEMORY);
  db.pragma('journal_mode = MEMORY');
  db.pragma('foreign_keys = ON');
  migrate(db, IN_MEMORY);
  return {
    ...rehearsedStatements(db),
    store: storeOn(db, folder),
    copyCampaign: (path, campaignId) => {
      withDatabase(db, path, () => copyCampaign(db, campaignId));
    },
    copyWhatCounts: (path, campaignId) => {
      withDatabase(db, path, () => copyWhatCounts(db, campaignId));
    },
    askedPhones: sqlOf(db).values(ASKED),
    image: () => db.serialize(),
  };
}

/** Without journal, ballast and waiting, which protect data that must last. */
function storeOn(db: Database, folder: string): Store {
  const room = {
    hasFreeSpace: () => true,
    hasRoom: () => true,
    timesGivenUp: () => 0,
    giveUp: () => false,
    full: () => diskFull(IN_MEMORY),
  };
  const journal = { append: async () => undefined, close: () => undefined };
  const engine = fileEngine(db, { name: IN_MEMORY, path: IN_MEMORY }, { room });
  const store = createStore({ ...engine, folder }, { afterGathering: afterThisTurn });
  return journalledStore(store, { journal, room });
}

/** Makes a database readable as `real` while `use` copies from it, as it is at one moment. */
function withDatabase(db: Database, path: string, use: () => void): void {
  db.prepare('ATTACH ? AS real').run(path);
  try {
    db.transaction(use)();
  } finally {
    db.exec('DETACH real');
  }
}

/** New values of open attempts, which get no result here. */
const WITHOUT_RESULT: Changed = {
  state: `CASE WHEN state IN ('placed', 'ended') THEN 'no_result'
    WHEN state IN ('intent', 'unknown') THEN 'unconfirmed' ELSE state END`,
  slot_until: "CASE WHEN state IN ('placed', 'ended') THEN NULL ELSE slot_until END",
  next_poll_at: 'NULL',
};

/** Only the cells of waiting people are needed, and cells are long. */
const WAITING_CELLS = "CASE state WHEN 'waiting' THEN cells ELSE '[]' END";

const OWN_LEADS: Changed = {
  cells: WAITING_CELLS,
  state: "CASE state WHEN 'calling' THEN 'done' ELSE state END",
  result: "CASE state WHEN 'calling' THEN 'no_result' ELSE result END",
  result_source: "CASE state WHEN 'calling' THEN 'callsheet' ELSE result_source END",
};

/**
 * Copies the proven services, and of a campaign its row, lists, leads, further numbers and calls.
 * @param campaignId null: a campaign that the database does not have
 */
function copyCampaign(db: Database, campaignId: string | null): void {
  // New entries must come after copied ones: of two entries about a number the later one counts.
  db.exec(
    'INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM real.sqlite_sequence',
  );
  copyRows(db, 'proven_services', '1', {});
  if (campaignId === null) return;
  const own = { id: campaignId };
  copyRows(db, 'campaigns', 'id = @id', own);
  copyRows(db, 'lists', 'campaign_id = @id', own);
  copyRows(db, 'leads', 'campaign_id = @id', own, OWN_LEADS);
  copyRows(db, 'zone_counts', 'campaign_id = @id', own);
  copyRows(db, 'waiting_counts', 'campaign_id = @id', own);
  db.prepare(
    `INSERT INTO main.lead_counts (campaign_id, block, standing, leads)
     SELECT campaign_id, block, CASE standing WHEN 'calling' THEN 'no_result' ELSE standing END AS now, sum(leads)
     FROM real.lead_counts WHERE campaign_id = @id GROUP BY campaign_id, block, now`,
  ).run(own);
  copyRows(db, 'lead_numbers', 'lead_row IN (SELECT row FROM main.leads)', {});
  copyRows(db, 'attempts', 'campaign_id = @id', own, WITHOUT_RESULT);
  copyRows(db, 'nights', 'campaign_id = @id', own);
  // Calls in progress are ended by the copy.
  recountNights(sqlOf(db), campaignId);
}

const ASKED = `SELECT phone FROM main.leads WHERE state = 'waiting' UNION
  SELECT numbers.phone FROM main.leads CROSS JOIN main.lead_numbers AS numbers ON numbers.lead_row = leads.row WHERE state = 'waiting'`;

/**
 * For the numbers of everybody who waits: suppression, and past calls of other campaigns. Found by index, so that it
 * takes as long as these people have calls, however many the database has. Leads of other campaigns get negative row
 * numbers, as lists that were imported here have taken those that follow.
 */
function copyWhatCounts(db: Database, campaignId: string): void {
  const own = { id: campaignId };
  db.exec(`CREATE TEMP TABLE asked (phone TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE past (seq INTEGER PRIMARY KEY);
    INSERT INTO asked ${ASKED};`);
  copyRows(db, 'suppression', 'phone IN (SELECT phone FROM asked)', {});
  copyRows(db, 'suppression_lists', '1', {});
  findPastCalls(db, campaignId);
  const isPast = 'seq IN (SELECT seq FROM past)';
  const ofPast = (column: string) =>
    `SELECT ${column} FROM real.attempts WHERE ${isPast} AND campaign_id <> @id`;
  const rows = `row IN (${ofPast('lead_row')})`;
  copyRows(db, 'campaigns', `id IN (${ofPast('campaign_id')})`, own);
  copyRows(db, 'lists', `id IN (SELECT list_id FROM real.leads WHERE ${rows})`, own);
  copyRows(db, 'leads', rows, own, { ...OWN_LEADS, row: '-row', cells: "'[]'" });
  const calls = { ...WITHOUT_RESULT, lead_row: '-lead_row' };
  copyRows(db, 'attempts', `${isPast} AND campaign_id <> @id`, own, calls);
  db.exec('DROP TABLE asked; DROP TABLE past');
}

/** Calls to the numbers, and calls to the same people on other numbers; one search for each period of calls. */
function findPastCalls(db: Database, campaignId: string): void {
  const periods = db
    .prepare<[], { first: number | null; last: number | null }>(
      `SELECT (SELECT min(dial_period) FROM real.attempts INDEXED BY attempts_of_phone) AS first,
         (SELECT max(dial_period) FROM real.attempts INDEXED BY attempts_of_phone) AS last`,
    )
    .get();
  const { first = null, last = null } = periods ?? {};
  if (first === null || last === null) return;
  const toNumbers = db.prepare(
    `INSERT OR IGNORE INTO past SELECT seq FROM asked
     CROSS JOIN real.attempts INDEXED BY attempts_of_phone
       ON dial_period = @period AND attempts.phone = asked.phone
     WHERE state <> 'released' AND campaign_id <> @id`,
  );
  for (let period = first; period <= last; period++) toNumbers.run({ period, id: campaignId });
  db.prepare(
    `INSERT OR IGNORE INTO past SELECT seq FROM asked CROSS JOIN real.campaigns
     CROSS JOIN real.leads ON leads.campaign_id = campaigns.id AND leads.phone = asked.phone AND spent > 0
     CROSS JOIN real.attempts ON attempts.lead_row = leads.row
     WHERE campaigns.id <> @id AND attempts.state <> 'released'`,
  ).run({ id: campaignId });
}

/** SQL of columns that are changed while they are copied. */
type Changed = Readonly<Record<string, string>>;

function copyRows(
  db: Database,
  table: string,
  where: string,
  given: Readonly<Record<string, string>>,
  changed: Changed = {},
): void {
  // Generated columns are not among them.
  const info = db.pragma(`main.table_info(${table})`) as { name: string }[];
  const names = info.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? name);
  const text = `INSERT INTO main.${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM real.${table}`;
  db.prepare(`${text} WHERE ${where}`).run(given);
}

/** Reads of a rehearsal: one campaign, since `begin`. */
interface Rehearsed {
  /** Remembers who waits now, and which calls were made before. @returns how many wait */
  begin(campaignId: string): number;
  /** The calls that were made, the earliest first. */
  calls(): RehearsedCall[];
  /** People who waited at the beginning and were not called, with the reason; most people first. */
  neverCalled(): NeverCalled[];
  /** What held people back on the way, most people first. */
  holds(): RehearsedHold[];
}

export interface RehearsedCall {
  /** Epoch ms. */
  at: number;
  person: number;
  /** When its result was in, epoch ms; null: none has come. */
  settledAt: number | null;
  /** Null: none had come when the rehearsal ended. */
  result: LeadResult | null;
}

export interface NeverCalled {
  state: LeadState;
  /** Null: they wait still. */
  result: LeadResult | null;
  /** The reason of the first of them; null: none is known. */
  why: string | null;
  people: number;
}

export interface RehearsedHold {
  /** The rule or key of the campaign file that decided. */
  by: string;
  /** The sentence of the first of these people. */
  why: string;
  people: number;
}

/** Uses the tables of the store and its own `rehearsed`, which is part of the database's image. */
function rehearsedStatements(db: Database): Rehearsed {
  db.exec(`CREATE TABLE IF NOT EXISTS rehearsed (
    lead_row INTEGER PRIMARY KEY REFERENCES leads (row), last_seq INTEGER NOT NULL) STRICT`);
  const sql = sqlOf(db);
  const insert = sql.run<[campaignId: string]>(
    `INSERT INTO rehearsed SELECT row, (SELECT coalesce(max(seq), 0) FROM attempts)
     FROM leads WHERE campaign_id = ? AND state = 'waiting'`,
  );
  const called = `FROM rehearsed CROSS JOIN attempts ON attempts.lead_row = rehearsed.lead_row
    WHERE attempts.seq > last_seq AND attempts.state <> 'released'`;
  const selectCalls = sql.rows<[], RehearsedCall>(
    `SELECT intent_at AS at, attempts.lead_row AS person, settled_at AS settledAt, result ${called} ORDER BY attempts.seq`,
  );
  const lastHold = `(SELECT 'held by ' || decided_by || ': ' || why FROM holds
    WHERE holds.lead_row = leads.row ORDER BY seq DESC LIMIT 1)`;
  const selectNever = sql.rows<[], NeverCalled>(
    `SELECT state, result, min(why) AS why, count(*) AS people FROM (
       SELECT leads.state, leads.result, coalesce(reason, ${lastHold}) AS why
       FROM rehearsed CROSS JOIN leads ON leads.row = rehearsed.lead_row
       WHERE NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.lead_row = leads.row
         AND attempts.seq > last_seq AND attempts.state <> 'released'))
     GROUP BY state, result ORDER BY people DESC`,
  );
  const selectHolds = sql.rows<[], RehearsedHold>(
    `SELECT decided_by AS by, min(why) AS why, count(DISTINCT holds.lead_row) AS people
     FROM rehearsed CROSS JOIN holds ON holds.lead_row = rehearsed.lead_row
     GROUP BY decided_by ORDER BY people DESC, by`,
  );
  return { begin: insert, calls: selectCalls, neverCalled: selectNever, holds: selectHolds };
}

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { E164 } from '../../../src/domain/phone.ts';
import { importList, surveyList } from '../../../src/leads/import.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { Connections, openReally } from './connections.ts';
import type { ServerDatabase } from './server.ts';
import { aCampaign, CREATED, aPhone } from '../../helpers/factory.ts';

/** The ids of the campaign of a night, and of another one in its database. */
export const CAMPAIGN = 'cmp_spring';
export const ELSEWHERE = 'cmp_elsewhere';

/** A list that was imported, and what of it must come out again. */
export interface Template {
  /** The path of its file, or a schema. */
  database: string;
  /** The numbers of its good rows. */
  phones: E164[];
  /** Rows of the rejects file, of as many as cannot be called. */
  rejects: number;
  badRows: number;
}

/** Nobody calls from here. */
const NOBODY = { host: '', machine: 0, now: () => 0 };

/** Databases with a list of so many leads, each imported once; a run begins with a copy, or with one that is shared. */
export class Templates {
  readonly connections = new Connections();
  /** Databases are there; undefined: in files. */
  readonly server: ServerDatabase | undefined;
  readonly #folder: string;
  readonly #made = new Map<number, Template>();
  readonly #shared = new Map<Template, Shared>();

  constructor(folder: string, server?: ServerDatabase) {
    this.#folder = folder;
    this.server = server;
  }

  async ofSize(leads: number): Promise<Template> {
    const known = this.#made.get(leads);
    if (known !== undefined) return known;
    const made = await this.#make(leads);
    this.#made.set(leads, made);
    return made;
  }

  /** A database for a run. @param copies it gets one of its own */
  begin(template: Template, copies: boolean, folder: string): string {
    if (this.server === undefined)
      return copies ? copyOf(template, folder) : this.#sharedOf(template);
    this.server.putBack(template.database);
    return join(folder, '0.db');
  }

  /** A database that one run after the other uses, as it was at the beginning. */
  #sharedOf(template: Template): string {
    let shared = this.#shared.get(template);
    if (shared === undefined) {
      const path = `${template.database}.shared`;
      copyFileSync(template.database, path);
      shared = new Shared(path, template.database);
      this.#shared.set(template, shared);
    }
    shared.begin();
    return shared.path;
  }

  close(): void {
    for (const shared of this.#shared.values()) {
      this.connections.closeIdle(shared.path);
      shared.close();
    }
  }

  async #make(leads: number): Promise<Template> {
    const folder = join(this.#folder, `list-${leads}`);
    mkdirSync(folder);
    const phones = Array.from({ length: leads }, (_, i) => aPhone(i));
    const bad = ['555-12', 'nobody', phones[0]];
    const rows = [...phones, ...bad].map((phone, i) => `Person ${i},${phone}`);
    const list = join(folder, 'leads.csv');
    writeFileSync(list, ['name,phone', ...rows, ''].join('\n'));
    const { server } = this;
    const database = server === undefined ? join(folder, 'callsheet.db') : `list_${leads}`;
    if (server?.make('empty') === false) server.putBack('empty');
    const store =
      server?.open(join(folder, 'callsheet.db'), 'write', NOBODY) ??
      openSqliteStore({ path: database, mode: 'write' });
    const campaign = await store.createCampaign(aCampaign({ id: CAMPAIGN }), CREATED);
    const other = aCampaign({ id: ELSEWHERE, name: 'elsewhere', service: 'other' });
    await store.createCampaign(other, CREATED);
    await store.changeCampaign(ELSEWHERE, { state: 'running' }, CREATED);
    let ids = 0;
    const { scanned } = await surveyList(list, { country: 'US' });
    const report = await importList(store, campaign.id, scanned, {
      country: 'US',
      clock: new VirtualClock(),
      newId: (prefix) => `${prefix}_${++ids}`,
      rejectsDir: join(folder, 'rejects'),
    });
    await store.close();
    server?.make(database);
    server?.keep(database);
    const rejects =
      readFileSync(report.rejectsPath ?? '', 'utf8')
        .trim()
        .split('\n').length - 1;
    return { database, phones, rejects, badRows: bad.length };
  }
}

/** A copy of its own for one run. */
function copyOf({ database }: Template, folder: string): string {
  const path = join(folder, '0.db');
  copyFileSync(database, path);
  return path;
}

/** Nobody can be taken off the suppression list, but while its rows are put back: the flag never is committed. */
const FORGETS_WHEN_PUT_BACK = `
  CREATE TABLE put_back (flag INTEGER);
  DROP TRIGGER suppression_never_forgets;
  CREATE TRIGGER suppression_never_forgets BEFORE DELETE ON suppression
  WHEN NOT EXISTS (SELECT 1 FROM put_back)
  BEGIN SELECT RAISE(ABORT, 'the suppression list is only appended to'); END`;
const BEGIN_PUT_BACK = 'INSERT INTO main.put_back VALUES (1)';
const END_PUT_BACK = 'DELETE FROM main.put_back';

/** Whose rows are put back: opening a new file and compiling for it would take longer than most runs. */
class Shared {
  readonly path: string;
  readonly #db: Database;
  readonly #putBack: () => void;

  constructor(path: string, template: string) {
    this.path = path;
    this.#db = openReally(path);
    this.#db.pragma('foreign_keys = OFF');
    this.#db.exec(FORGETS_WHEN_PUT_BACK);
    this.#db.prepare('ATTACH ? AS template').run(template);
    const tables = this.#db
      .prepare<[], string>("SELECT name FROM template.sqlite_schema WHERE type = 'table'")
      .pluck()
      .all();
    const statements = [
      this.#db.prepare(BEGIN_PUT_BACK),
      ...tables.flatMap((table) => {
        const columns = this.#columnsOf(table);
        return [
          this.#db.prepare(`DELETE FROM main.${table}`),
          this.#db.prepare(
            `INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM template.${table}`,
          ),
        ];
      }),
      this.#db.prepare(END_PUT_BACK),
    ];
    this.#putBack = this.#db.transaction(() => {
      for (const statement of statements) statement.run();
    });
  }

  /** All but those that are worked out of others, which nobody can write. */
  #columnsOf(table: string): string {
    const names = this.#db.prepare<[string], string>(
      "SELECT '\"' || name || '\"' FROM pragma_table_info(?)",
    );
    return names.pluck().all(table).join(', ');
  }

  begin(): void {
    for (const end of ['.dials', '.ballast']) rmSync(this.path + end, { force: true });
    this.#putBack();
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#db.close();
  }
}

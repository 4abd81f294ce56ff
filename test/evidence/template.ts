import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { E164 } from '../../src/domain/phone.ts';
import { importList } from '../../src/leads/import.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { VirtualClock } from '../helpers/clock.ts';
import { Connections, openReally } from './connections.ts';
import { aCampaign, CREATED, aPhone } from '../helpers/factory.ts';

/** A list that was imported, and what of it must come out again. */
export interface Template {
  database: string;
  /** The numbers of its good rows. */
  phones: E164[];
  /** Rows of the rejects file, of as many as cannot be called. */
  rejects: number;
  badRows: number;
}

/** Databases with a list of so many leads, each imported once; a run begins with a copy, or with one that is shared. */
export class Templates {
  readonly connections = new Connections();
  readonly #folder: string;
  readonly #made = new Map<number, Template>();
  readonly #shared = new Map<Template, Shared>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async ofSize(leads: number): Promise<Template> {
    const known = this.#made.get(leads);
    if (known !== undefined) return known;
    const made = await this.#make(leads);
    this.#made.set(leads, made);
    return made;
  }

  /** A database that one run after the other uses, as it was at the beginning. */
  sharedOf(template: Template): string {
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
    const database = join(folder, 'callsheet.db');
    const store = openSqliteStore({ path: database, mode: 'write' });
    const campaign = await store.createCampaign(aCampaign(), CREATED);
    let ids = 0;
    const report = await importList(store, campaign.id, list, {
      country: 'US',
      clock: new VirtualClock(),
      newId: (prefix) => `${prefix}_${++ids}`,
      rejectsDir: join(folder, 'rejects'),
    });
    await store.close();
    const rejects =
      readFileSync(report.rejectsPath ?? '', 'utf8')
        .trim()
        .split('\n').length - 1;
    return { database, phones, rejects, badRows: bad.length };
  }
}

/** A copy of its own for one run. */
export function copyOf({ database }: Template, folder: string): string {
  const path = join(folder, '0.db');
  copyFileSync(database, path);
  return path;
}

/** Whose rows are put back: opening a new file and compiling for it would take longer than most runs. */
class Shared {
  readonly path: string;
  readonly #db: Database;
  readonly #putBack: () => void;

  constructor(path: string, template: string) {
    this.path = path;
    this.#db = openReally(path);
    this.#db.pragma('foreign_keys = OFF');
    this.#db.prepare('ATTACH ? AS template').run(template);
    // Nobody can be taken off the suppression list: who needs it has a copy of his own.
    const tables = this.#db
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'suppression'",
      )
      .pluck()
      .all();
    const statements = tables.flatMap((table) => [
      this.#db.prepare(`DELETE FROM main.${table}`),
      this.#db.prepare(`INSERT INTO main.${table} SELECT * FROM template.${table}`),
    ]);
    this.#putBack = this.#db.transaction(() => {
      for (const statement of statements) statement.run();
    });
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

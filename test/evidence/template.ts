import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { E164 } from '../../src/domain/phone.ts';
import { importList } from '../../src/leads/import.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { VirtualClock } from '../helpers/clock.ts';
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

/** Databases with a list of so many leads, each imported once; a run begins with a copy. */
export class Templates {
  readonly #folder: string;
  readonly #made = new Map<number, Template>();

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

export function copyTemplate({ database }: Template, to: string): void {
  copyFileSync(database, to);
}

import type { Database } from 'better-sqlite3';
import { DialJournal, journalPath } from '../../../src/store/journal/journal.ts';
import { journalledStore } from '../../../src/store/journal/journalled-store.ts';
import { recoverFromJournal } from '../../../src/store/journal/recover.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import type { Store } from '../../../src/store/port.ts';
import { explain } from '../../../src/store/postgres/failures.ts';
import { migrateServer } from '../../../src/store/postgres/migrate.ts';
import { serverEngine } from '../../../src/store/postgres/server.ts';
import { databaseIdOf } from '../../../src/store/sql/claim/restore-dials.ts';
import { sqlOf } from '../../../src/store/sql/sql.ts';
import { createStore } from '../../../src/store/sql/store.ts';
import { rowCopier } from '../../store/postgres/rows.ts';
import { startServer } from '../../store/postgres/server.ts';
import { asItIs } from './machine.ts';

/** The schema that is played on, and the one with its older copy. */
const [PLAYED, OLDER] = ['played', 'older'];

/** Small, as it is in memory. */
const FLAGS = ['-c', 'max_wal_size=64MB', '-c', 'wal_level=minimal', '-c', 'max_wal_senders=0'];

/** A PostgreSQL server of one worker. Its databases are schemas; what a machine keeps beside them is at a path, as beside files. */
export class ServerDatabase {
  /** Sees what is committed. */
  readonly db: Database;
  readonly stop: () => Promise<void>;
  readonly #of: (schema: string) => Parameters<typeof serverEngine>[0];
  readonly #copiers = new Map<string, () => void>();

  static async start(): Promise<ServerDatabase> {
    const { address, stop } = await startServer(FLAGS);
    return new ServerDatabase(address, stop);
  }

  private constructor(
    { host, port, ...who }: Awaited<ReturnType<typeof startServer>>['address'],
    stop: () => Promise<void>,
  ) {
    const address = { hosts: [{ host, port }], ...who, application_name: 'simulation' };
    this.#of = (schema) => ({ address, schema, name: schema, folder: '' });
    for (const schema of [PLAYED, OLDER]) migrateServer(this.#of(schema));
    this.db = serverEngine(this.#of(PLAYED)).db;
    this.stop = async () => {
      this.db.close();
      await stop();
    };
  }

  /** Opens the store as the program does; the journal is at the path. */
  open(path: string, mode: 'read' | 'write' | 'dial'): Store {
    let db: Database | undefined;
    try {
      const engine = serverEngine(this.#of(PLAYED));
      ({ db } = engine);
      const sql = sqlOf(db);
      const id = databaseIdOf(sql);
      const dials = { path: journalPath(path), database: PLAYED, id };
      const verify = () => recoverFromJournal(sql, dials);
      if (mode === 'dial') verify();
      else if (mode === 'write') whereItCan(verify);
      const journal = mode === 'dial' ? DialJournal.open(dials.path, id) : undefined;
      return journalledStore(createStore(engine), { journal, room, verify: async () => verify() });
    } catch (error) {
      db?.close();
      throw explain(error, PLAYED);
    }
  }

  /** Makes a schema to begin with. @returns whether it is new */
  make(schema: string): boolean {
    return migrateServer(this.#of(schema));
  }

  /** All is as it was when that schema was kept. */
  putBack(schema = OLDER): void {
    this.#copy(schema, PLAYED);
  }

  keep(schema = OLDER): void {
    this.#copy(PLAYED, schema);
  }

  #copy(from: string, to: string): void {
    const name = `${from} ${to}`;
    const copy = this.#copiers.get(name) ?? rowCopier(this.db, from, to);
    this.#copiers.set(name, copy);
    asItIs(copy);
  }
}

const room = {
  hasFreeSpace: () => true,
  hasRoom: () => true,
  full: () => new AppError('STORE_FULL', ''),
};

function whereItCan(recover: () => unknown): void {
  try {
    recover();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

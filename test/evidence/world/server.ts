import type { Database } from 'better-sqlite3';
import { AppError } from '../../../src/runtime/errors.ts';
import { DialJournal, journalId, journalPath } from '../../../src/store/journal/journal.ts';
import { journalledStore } from '../../../src/store/journal/journalled-store.ts';
import type { Store } from '../../../src/store/port.ts';
import { explain } from '../../../src/store/postgres/failures.ts';
import {
  asMachine,
  GREETING,
  machineMethods,
  thisMachine,
} from '../../../src/store/postgres/machines.ts';
import { migrateServer } from '../../../src/store/postgres/migrate.ts';
import { serverEngine } from '../../../src/store/postgres/server.ts';
import { sqlOf } from '../../../src/store/sql/sql.ts';
import { createStore } from '../../../src/store/sql/store.ts';
import { rowCopier } from '../../store/postgres/rows.ts';
import { startServer } from '../../store/postgres/server.ts';
import { asItIs } from './machine.ts';

/** The schema that is played on, and the one with its older copy. */
const [PLAYED, OLDER] = ['played', 'older'];

/** Small, as it is in memory. */
const FLAGS = ['-c', 'max_wal_size=64MB', '-c', 'wal_level=minimal', '-c', 'max_wal_senders=0'];

/** Half a minute of real time is years here: see `unknown`. */
const NO_PAUSE = `CREATE FUNCTION no_pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.begun_at = 0; RETURN NEW; END';
  CREATE TRIGGER no_pause BEFORE UPDATE ON store FOR EACH ROW EXECUTE FUNCTION no_pause()`;

/** The dial journals of the two machines. */
const journalsOf = (path: string) => [journalPath(path), journalPath(`${path}.b`)] as const;

interface One {
  /** What its processes call the machine, and which of both it is. */
  host: string;
  machine: number;
  now: () => number;
}

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
    this.db.exec(NO_PAUSE);
    this.stop = async () => {
      this.db.close();
      await stop();
    };
  }

  /** Opens the store as the program does on one of two machines, whose journals are at the path. */
  open(path: string, mode: 'read' | 'write' | 'dial', one: One): Store {
    let db: Database | undefined;
    try {
      const engine = serverEngine(this.#of(PLAYED));
      ({ db } = engine);
      engine.greetWith(GREETING);
      const journalAt = journalsOf(path)[one.machine] as string;
      if (mode === 'read' || (mode === 'write' && journalId(journalAt) === undefined))
        return journalledStore(asThread(createStore(engine)), { room });
      const machine = thisMachine(engine, sqlOf(db), journalAt, one.now);
      const compare = () => {
        machine.compare({});
      };
      if (mode === 'dial') compare();
      else whereItCan(compare);
      const { mayDial, journalId: id } = machine;
      const store = createStore({ ...engine, mayDial });
      const calling = { ...store, ...asMachine(store, machine, { ...one, onRecovered }) };
      const database = asThread(calling, () => {
        machine.look({});
      });
      const dialling = mode === 'dial' && {
        journal: DialJournal.open(journalAt, id),
        verify: () => database.compare(),
      };
      return journalledStore(database, { ...dialling, room });
    } catch (error) {
      db?.close();
      throw explain(error, PLAYED);
    }
  }

  /** Makes a schema to begin with. @returns whether it is new */
  make(schema: string): boolean {
    return migrateServer(this.#of(schema)) === null;
  }

  /** All is as it was when that schema was kept. */
  putBack(schema = OLDER): void {
    this.#copy(schema, PLAYED);
  }

  keep(schema = OLDER): void {
    this.#copy(PLAYED, schema);
  }

  /** The older copy is played from now on. The server looks like another one, or a person says what was done. */
  putBackOlder(draw: number): void {
    this.putBack();
    if (draw < 0.5) this.db.exec("UPDATE store SET copy = 'older'");
    else void machineMethods(sqlOf(this.db)).wasRestored();
  }

  /** The machines that came after the moment of the copy. They work, and would connect before anybody is called. */
  unknown(path: string): number[] {
    return this.#machines(path, 'SELECT id FROM machines WHERE left_at IS NULL', false);
  }

  /** The machines whose journals the others wait for. */
  awaited(path: string): number[] {
    const awaited =
      'SELECT id FROM machines WHERE left_at IS NULL AND checked <> (SELECT generation FROM store)';
    return this.#machines(path, awaited, true);
  }

  #machines(path: string, text: string, are: boolean): number[] {
    const found = sqlOf(this.db).values<[], string>(text)();
    return journalsOf(path).flatMap((journal, machine) => {
      const id = journalId(journal)?.replace(/^.*\//, '');
      return id !== undefined && found.includes(id) === are ? [machine] : [];
    });
  }

  #copy(from: string, to: string): void {
    const name = `${from} ${to}`;
    const copy = this.#copiers.get(name) ?? rowCopier(this.db, from, to);
    this.#copiers.set(name, copy);
    asItIs(copy);
  }
}

const onRecovered = () => undefined;

const room = {
  hasFreeSpace: () => true,
  hasRoom: () => true,
  full: () => new AppError('STORE_FULL', ''),
};

/** As the store's thread does: a failure is explained, and after each call it looks whether another copy has come. */
function asThread<Methods extends object>(
  methods: Methods,
  look: () => void = () => undefined,
): Methods {
  return new Proxy(methods, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        try {
          return (await Reflect.apply(value, target, args)) as unknown;
        } catch (error) {
          throw explain(error, PLAYED);
        } finally {
          if (name !== 'close') lookQuietly(look);
        }
      };
    },
  });
}

function lookQuietly(look: () => void): void {
  try {
    look();
  } catch {
    // The next claim says why.
  }
}

function whereItCan(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

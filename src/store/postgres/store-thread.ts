import { parentPort, workerData } from 'node:worker_threads';

import { systemClock } from '../../runtime/clock.ts';
import { AppError } from '../../runtime/errors.ts';
import { thisProcess } from '../../runtime/process.ts';
import { journalId } from '../journal/journal.ts';
import type { Mended } from '../journal/recover.ts';
import type { Snapshot } from '../port.ts';
import type { ExportQuery, ExportRow } from '../records.ts';
import { createConsole } from '../sql/console.ts';
import { sqlOf, type Sql } from '../sql/sql.ts';
import { createStore } from '../sql/store.ts';
import { explain } from './failures.ts';
import { asMachine, GREETING, machineMethods, thisMachine } from './machines.ts';
import { pack, type Call, type Deeds, type Reply, type ThreadOptions } from './messages.ts';
import { assertCurrent, lookAtServer, migrateServer } from './migrate.ts';
import { moveToServer, takeFromServer } from './move.ts';
import { checkServer, COME, serverEngine, type ServerEngine } from './server.ts';

// The thread in which the store's statements run and wait for the server: the program's own thread never waits.

const { mode, journal = '', mendAt, given, ...options } = workerData as ThreadOptions;
const { name } = options;
const tell = (reply: Reply) => {
  parentPort?.postMessage(reply);
};
const onRecovered = (restored: number) => tell({ restored });

type Deed = (place: typeof options, given: never) => unknown;
const deeds: Deeds = {
  migrate: migrateServer,
  look: lookAtServer,
  move: moveToServer,
  take: takeFromServer,
};

try {
  const deed = deeds[mode as keyof typeof deeds] as Deed | undefined;
  if (deed === undefined) open();
  else tell({ done: deed(options, given as never) });
} catch (error) {
  tell({ refused: pack(explain(error, name)) });
}

function open(): void {
  const engine = serverEngine(options);
  checkServer(engine);
  const sql = sqlOf(engine.db);
  assertCurrent(engine.db, options);
  engine.greetWith(mode === 'console' ? COME : GREETING);
  const { machine, ...store } =
    mode === 'console' ? { ...createConsole(engine), machine: undefined } : campaigns(engine, sql);
  const look = () => {
    try {
      machine?.look({ onRecovered });
    } catch {
      // The next claim says why.
    }
  };
  const methods = store as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
  parentPort?.on('message', ({ id, method, args }: Call) => {
    void (async () => methods[method]?.(...args))()
      .then((value) => tell({ id, value }))
      .catch((error: unknown) => tell({ id, failed: pack(explain(error, name)) }))
      .then(look);
  });
  const isMethod = (key: string) => typeof methods[key] === 'function';
  tell({
    methods: Object.keys(methods).filter(isMethod),
    machine: mode === 'dial' ? machine?.journalId : undefined,
  });
}

function campaigns(engine: ServerEngine, sql: Sql) {
  const machine = openMachine(engine, sql);
  const onCommit = (failed: boolean) => tell({ committed: !failed });
  const mayDial = machine && { mayDial: machine.mayDial };
  const store = createStore({ ...engine, ...mayDial }, { onCommit });
  return {
    ...store,
    ...snapshots(store.snapshot),
    ...machineMethods(sql),
    ...(machine !== undefined &&
      asMachine(store, machine, { host: thisProcess().host, onRecovered })),
    machine,
  };
}

/** This machine on the schema, its journal compared with it. One that only changes something may have none. */
function openMachine(engine: ServerEngine, sql: Sql) {
  if (mode === 'read' || (mode === 'write' && journalId(journal) === undefined)) return undefined;
  const machine = thisMachine(engine, sql, journal, () => systemClock.now());
  const onMended = (mended: Mended) => tell({ mended });
  try {
    machine.compare({ mendAt, onMended, onRecovered });
  } catch (error) {
    // Only calls need it: the opening to dial says why it cannot be compared.
    if (mode === 'dial' || !(error instanceof AppError)) throw error;
  }
  return machine;
}

/** A snapshot is read by calls: it lasts from `beginSnapshot` to `endSnapshot`. */
function snapshots(open: <T>(id: string, use: (snapshot: Snapshot) => Promise<T>) => Promise<T>) {
  let number = 0;
  const snapshotsOpen = new Map<number, { snapshot: Snapshot; end: () => void }>();
  const reading = new Map<number, AsyncIterator<ExportRow[]>>();
  return {
    beginSnapshot: (campaignId: string) =>
      new Promise((resolve, reject) => {
        const id = ++number;
        open(campaignId, (snapshot) => {
          const { campaign, lists } = snapshot;
          return new Promise<void>((end) => {
            snapshotsOpen.set(id, { snapshot, end });
            resolve({ id, campaign, lists });
          });
        }).catch(reject);
      }),
    beginPages: (id: number, query: ExportQuery) => {
      const pages = snapshotsOpen.get(id)?.snapshot.pages(query);
      if (pages === undefined) throw new Error(`there is no snapshot ${id}`);
      const pagesId = ++number;
      reading.set(pagesId, pages[Symbol.asyncIterator]());
      return pagesId;
    },
    nextPage: async (pagesId: number) => {
      const next = await reading.get(pagesId)?.next();
      if (next !== undefined && next.done !== true) return next.value;
      reading.delete(pagesId);
      return undefined;
    },
    endSnapshot: (id: number) => {
      snapshotsOpen.get(id)?.end();
      snapshotsOpen.delete(id);
    },
  };
}

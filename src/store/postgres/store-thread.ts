import { parentPort, workerData } from 'node:worker_threads';

import type { Snapshot } from '../port.ts';
import type { ExportQuery, ExportRow } from '../records.ts';
import { createStore } from '../sql/store.ts';
import { explain } from './failures.ts';
import { pack, type Call, type Reply, type ThreadOptions } from './messages.ts';
import { assertCurrent, migrateServer } from './migrate.ts';
import { checkServer, serverEngine } from './server.ts';

// The thread in which the store's statements run and wait for the server: the program's own thread never waits.

const { mode, ...options } = workerData as ThreadOptions;
const { name } = options;
const tell = (reply: Reply) => {
  parentPort?.postMessage(reply);
};

try {
  if (mode === 'migrate') tell({ isNew: migrateServer(options) });
  else open();
} catch (error) {
  tell({ refused: pack(explain(error, name)) });
}

function open(): void {
  const engine = serverEngine(options);
  checkServer(engine);
  assertCurrent(engine.db, options);
  const store = createStore(engine, {
    onCommit: (failed) => {
      tell({ committed: !failed });
    },
  });
  const methods = { ...store, ...snapshots(store.snapshot) } as unknown as Record<
    string,
    (...args: readonly unknown[]) => unknown
  >;
  parentPort?.on('message', ({ id, method, args }: Call) => {
    void (async () => methods[method]?.(...args))()
      .then((value) => {
        tell({ id, value });
      })
      .catch((error: unknown) => {
        tell({ id, failed: pack(error) });
      });
  });
  const isMethod = (key: string) => typeof methods[key] === 'function';
  tell({ methods: Object.keys(methods).filter(isMethod) });
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

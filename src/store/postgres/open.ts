import { Worker } from 'node:worker_threads';

import type { ExportQuery, ExportRow, Snapshot } from '../port.ts';
import type { Campaign, List } from '../campaigns.ts';
import type { CommitListener } from '../sql/group-commit.ts';
import type { DatabaseStore } from '../sql/store.ts';
import { unpack, type Call, type Reply, type ThreadOptions } from './messages.ts';

export interface ServerOptions extends Omit<ThreadOptions, 'mode'> {
  /** Called after every transaction that writes. */
  onCommit?: CommitListener | undefined;
}

type Ask = (method: string, ...args: unknown[]) => Promise<unknown>;

/**
 * Opens a store on PostgreSQL. Its statements run in a thread of their own, which waits for the server.
 * @throws AppError see `checkServer`, `assertCurrent` and `explain`
 */
export async function openServerStore({
  onCommit,
  ...options
}: ServerOptions): Promise<DatabaseStore> {
  const thread = start({ ...options, mode: 'open' });
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: unknown) => void }
  >();
  let asked = 0;
  let closed: Promise<void> | undefined;
  thread.worker.on('message', (reply: Reply) => {
    if ('committed' in reply) onCommit?.(!reply.committed);
    if (!('id' in reply)) return;
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('failed' in reply) call?.reject(unpack(reply.failed));
    else call?.resolve(reply.value);
  });
  let isOver = false;
  thread.worker.on('error', (error) => {
    for (const call of waiting.values()) call.reject(error);
  });
  thread.worker.once('exit', () => {
    isOver = true;
    for (const call of waiting.values()) call.reject(threadOver());
  });
  const ask: Ask = (method, ...args) =>
    new Promise((resolve, reject) => {
      // Nobody would answer.
      if (isOver) throw threadOver();
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      thread.worker.postMessage({ id, method, args } satisfies Call);
    });

  const opened = await thread.first;
  const methods = 'methods' in opened ? opened.methods : [];
  const store = Object.fromEntries(
    methods.map((method) => [method, (...args: unknown[]) => ask(method, ...args)]),
  ) as unknown as DatabaseStore;
  return {
    ...store,
    name: options.name,
    folder: options.folder,
    snapshot: (campaignId, use) => readSnapshot(ask, campaignId, use),
    close: () =>
      (closed ??= ask('close')
        .finally(() => thread.worker.terminate())
        .then(() => undefined)),
  };
}

const threadOver = () => new Error('the thread of the database has ended');

/** Makes the schema of callsheet, unless it is there. @returns whether it was made @throws AppError as above */
export async function migrateServer(options: Omit<ThreadOptions, 'mode'>): Promise<boolean> {
  const { worker, first } = start({ ...options, mode: 'migrate' });
  const reply = await first;
  await worker.terminate();
  return 'isNew' in reply && reply.isNew;
}

/** Starts the store's thread. `first`: what it says first. */
function start(options: ThreadOptions): { worker: Worker; first: Promise<Reply> } {
  const worker = new Worker(new URL('./store-thread.js', import.meta.url), { workerData: options });
  const first = new Promise<Reply>((resolve, reject) => {
    worker.once('message', (reply: Reply) => {
      if ('refused' in reply) reject(unpack(reply.refused));
      else resolve(reply);
    });
    worker.once('error', reject);
  }).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  return { worker, first };
}

async function readSnapshot<T>(
  ask: Ask,
  campaignId: string,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const begun = await ask('beginSnapshot', campaignId);
  const { id, campaign, lists } = begun as { id: number; campaign: Campaign; lists: List[] };
  async function* pages(query: ExportQuery): AsyncGenerator<ExportRow[]> {
    const reading = await ask('beginPages', id, query);
    for (;;) {
      const page = (await ask('nextPage', reading)) as ExportRow[] | undefined;
      if (page === undefined) return;
      yield page;
    }
  }
  try {
    return await use({ campaign, lists, pages });
  } finally {
    await ask('endSnapshot', id);
  }
}

import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';

import { AppError, EXIT, messageOf, usageError } from '../../runtime/errors.ts';
import { makeFolder } from '../../runtime/files.ts';
import { shellWord } from '../../text/wording.ts';
import type { ConsoleStore } from '../console.ts';
import type { Campaign, List } from '../campaigns.ts';
import { DialJournal } from '../journal/journal.ts';
import { journalledStore, type Place } from '../journal/journalled-store.ts';
import type { ExportQuery, ExportRow, Snapshot, Store } from '../port.ts';
import type { DatabaseStore } from '../sql/store.ts';
import { ballastOf, systemDisk, type Disk } from '../sqlite/file/ballast.ts';
import { fileAt } from '../sqlite/file/files-in-place.ts';
import type { OpenOptions } from '../sqlite/open.ts';
import type { Machine } from './machines.ts';
import {
  unpack,
  type Call,
  type Deeds,
  type Reply,
  type ServerPlace,
  type ThreadOptions,
} from './messages.ts';

/** As in `openSqliteStore`; `disk`: that of the journal. */
export interface ServerOptions
  extends
    ServerPlace,
    Pick<OpenOptions, 'mode' | 'mendAt' | 'onMended' | 'onRecovered' | 'onCommit' | 'disk'> {
  /** Path of this machine's dial journal. */
  journal: string;
}

/** What the store of a server can do beside the port. */
export interface ServerStore extends Store {
  machines(): Promise<Machine[]>;
  forgetMachine(id: string): Promise<boolean>;
  wasRestored(): Promise<void>;
}

type Ask = (method: string, ...args: unknown[]) => Promise<unknown>;

/**
 * Opens the store of a schema on PostgreSQL. Its statements run in a thread of their own, which waits for the server.
 * @throws AppError see `checkServer`, `assertCurrent`, `recoverFromJournal`, `refuseMemory` and `explain`
 */
export async function openServerStore({
  disk = systemDisk,
  ...options
}: ServerOptions): Promise<ServerStore> {
  const { journal: path, mode } = options;
  if (mode === 'dial') {
    makeFolder(dirname(path));
    refuseMemory(path, disk);
  }
  const { methods, machine, ask, close } = await openThread(options);
  const database: ThreadStore = {
    ...(methods as unknown as ThreadStore),
    name: options.name,
    folder: options.folder,
    snapshot: (campaignId, use) => readSnapshot(ask, campaignId, use),
    close,
  };
  const ballast = ballastOf(path, disk);
  // Nothing is given up for answers: they need room on the server's disk.
  const room = { ...ballast, hasRoom: () => ballast.hasFreeSpace() };
  if (machine === undefined) return { ...database, ...journalledStore(database, { room }) };
  try {
    const journal = DialJournal.open(path, machine);
    const place = journalInPlace(path, journal);
    const verify = () => database.compare();
    return { ...database, ...journalledStore(database, { journal, place, verify, room }) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface ThreadStore extends DatabaseStore, Omit<ServerStore, keyof Store> {
  /** Compares this machine's journal with the database. */
  compare(): Promise<void>;
}

/** Opens the console's store in the same schema. @throws AppError as above */
export async function openServerConsole(options: ServerPlace): Promise<ConsoleStore> {
  const { address, schema, name, folder } = options;
  const { methods, close } = await openThread({ address, schema, name, folder, mode: 'console' });
  return { ...(methods as unknown as ConsoleStore), close };
}

interface Hearing
  extends ThreadOptions, Pick<ServerOptions, 'onCommit' | 'onMended' | 'onRecovered'> {}

async function openThread({ onCommit, onRecovered, onMended, ...options }: Hearing) {
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: unknown) => void }
  >();
  let asked = 0;
  let closed: Promise<void> | undefined;
  const hear = (reply: Reply) => {
    if ('committed' in reply) onCommit?.(!reply.committed);
    if ('restored' in reply && reply.restored > 0) onRecovered?.(reply.restored);
    if ('mended' in reply) onMended?.(reply.mended);
    if (!('id' in reply)) return;
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('failed' in reply) call?.reject(unpack(reply.failed));
    else call?.resolve(reply.value);
  };
  const thread = start(options, hear);
  let over: AppError | undefined;
  const end = (cause?: unknown) => {
    over ??= threadOver(options.name, cause);
    for (const call of waiting.values()) call.reject(over);
  };
  thread.worker.on('error', end);
  thread.worker.once('exit', () => end());
  const ask: Ask = (method, ...args) =>
    new Promise((resolve, reject) => {
      // Nobody would answer.
      if (over !== undefined) throw over;
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      thread.worker.postMessage({ id, method, args } satisfies Call);
    });

  const opened = await thread.first;
  const { methods: names, machine } =
    'methods' in opened ? opened : { methods: [], machine: undefined };
  const methods = Object.fromEntries(
    names.map((method) => [method, (...args: unknown[]) => ask(method, ...args)]),
  );
  const close = () =>
    (closed ??= ask('close')
      .finally(() => thread.worker.terminate())
      .then(() => undefined));
  return { methods, machine, ask, close };
}

/** Only a new start helps: a `serve` ends with it. */
const threadOver = (name: string, cause: unknown) =>
  new AppError(
    'STORE_THREAD_ENDED',
    `The thread that talks to the database ${name} has ended${cause === undefined ? '' : ` (${messageOf(cause)})`}.`,
    { hint: 'run again, and report it; calls in progress are collected then', cause },
  );

/** Does one thing on a server, in a thread of its own. @throws AppError as the function in `store-thread.ts` */
export async function onServer<Name extends keyof Deeds>(
  mode: Name,
  { address, schema, name, folder }: ServerPlace,
  given?: Parameters<Deeds[Name]>[1],
): Promise<ReturnType<Deeds[Name]>> {
  const { worker, first } = start({ address, schema, name, folder, mode, given });
  const reply = await first;
  await worker.terminate();
  if ('done' in reply) return reply.done as ReturnType<Deeds[Name]>;
  throw new Error('the thread of the database has said something else');
}

/** See `migrate.ts`. */
export const migrateServer = (place: ServerPlace): Promise<number | null> =>
  onServer('migrate', place);

/** Starts the store's thread. `first`: what it says once it is open; `hear`: all that it says. */
function start(
  options: ThreadOptions,
  hear: (reply: Reply) => void = () => undefined,
): { worker: Worker; first: Promise<Reply> } {
  const worker = new Worker(new URL('./store-thread.js', import.meta.url), { workerData: options });
  const first = new Promise<Reply>((resolve, reject) => {
    worker.on('message', (reply: Reply) => {
      if ('refused' in reply) reject(unpack(reply.refused));
      else if ('methods' in reply || 'done' in reply) resolve(reply);
      else hear(reply);
    });
    worker.once('error', reject);
  }).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  return { worker, first };
}

const IN_MEMORY = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);

/** Refuses a journal that the next start of the machine would not find. @throws AppError `JOURNAL_IN_MEMORY` (exit 2) */
function refuseMemory(path: string, disk: Disk): void {
  const name = IN_MEMORY.get(disk.fileSystemType(dirname(path)));
  if (name === undefined) return;
  throw usageError(
    'JOURNAL_IN_MEMORY',
    `The dial journal ${path} would be on ${name}, in memory: after a restart of this machine nobody would know whom it called.`,
    'name a folder on a disk with --journal DIR; in a container, a volume',
  );
}

/** Whether the journal is where it was opened: what is written to a deleted file is lost. */
function journalInPlace(path: string, journal: DialJournal): Place {
  const file = fileAt(path);
  const assertAll = () => {
    if (fileAt(path) === file) return;
    const saved = `${path}.saved`;
    journal.copyTo(saved);
    throw new AppError(
      'JOURNAL_GONE',
      `The dial journal ${path} was deleted, moved or replaced while callsheet was using it; without it another copy of the database could call people again, so no more calls are made.`,
      {
        hint: `Put back what this run knew: \`mv ${shellWord(saved)} ${shellWord(path)}\`.`,
        exitCode: EXIT.person,
      },
    );
  };
  return { assertDatabase: assertAll, assertAll };
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

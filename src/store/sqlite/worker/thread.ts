import { parentPort, workerData } from 'node:worker_threads';
import type { Store } from '../../port.ts';
import { fromError, Outbox, type Answer, type Call, type Opened } from './messages.ts';
import type { ThreadOptions } from './client.ts';
import { openSqliteStore } from '../open.ts';

/** The thread that a store lives on: does what `openStoreOnThread` sends, and answers. */

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

const port = parentPort;
if (port === null) throw new Error('this file is the beginning of a thread');
const outbox = new Outbox<Answer>((answers) => {
  port.postMessage(answers);
});
const store = open(workerData as ThreadOptions);
if (store !== undefined) {
  port.on('message', (calls: Call[]) => {
    for (const call of calls) void answer(store as unknown as Methods, call);
  });
}

function open(options: ThreadOptions): Store | undefined {
  let recovered = 0;
  const warnings: string[] = [];
  const say = (opened: Opened) => {
    port?.postMessage(opened);
  };
  try {
    const opened = openSqliteStore({
      ...options,
      onRecovered: (attempts) => (recovered = attempts),
      onWarning: (sentence) => warnings.push(sentence),
    });
    say({ recovered, warnings });
    return opened;
  } catch (error) {
    say({ error: fromError(error) });
    return undefined;
  }
}

async function answer(methods: Methods, { id, method, args }: Call): Promise<void> {
  try {
    outbox.put({ id, value: await methods[method]?.(...args) });
  } catch (error) {
    outbox.put({ id, error: fromError(error) });
  }
}

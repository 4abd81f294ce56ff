// A way to a server that takes longer: a thread between the program and PostgreSQL on loopback. The first bytes that go
// the other way than those before wait for `ms`; what follows them in the same direction goes on at once, as on a long
// wire of any width. The thread waits by itself for so long, as timers of Node know whole milliseconds only; a connection of callsheet asks
// again only after its answer, so nothing else is late by that. It counts what the program sends, by the part of a
// call's life that is at work (`shared[0]`): statements (executions, and simple texts), and trips.
import { createServer, connect } from 'node:net';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

export const PARTS = ['else', 'claim', 'placed', 'poll', 'settled'];

/** @returns the port to connect to, and what was counted: statements, trips and texts parsed by part */
export async function slowWay({ host, port, ms }) {
  const shared = new Int32Array(new SharedArrayBuffer(4 * (1 + 3 * PARTS.length)));
  const worker = new Worker(new URL(import.meta.url), { workerData: { host, port, ms, shared } });
  const found = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return {
    port: found,
    at: (part) => Atomics.store(shared, 0, PARTS.indexOf(part)),
    counts: () =>
      Object.fromEntries(
        PARTS.map((part, n) => {
          const [statements, trips, parsed] = shared.subarray(1 + 3 * n, 4 + 3 * n);
          return [part, { statements, trips, parsed }];
        }),
      ),
    close: () => worker.terminate(),
  };
}

if (!isMainThread && workerData?.shared !== undefined) {
  const { host, port, ms, shared } = workerData;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const server = createServer({ noDelay: true }, (program) => {
    const database = connect({ host, port, noDelay: true });
    const count = counter(shared);
    let from;
    const pass = (source, target, read) => {
      source.on('data', (bytes) => {
        if (from !== source) {
          from = source;
          // There and back are two turns.
          if (ms > 0) Atomics.wait(clock, 0, 0, ms / 2);
          read?.(bytes, true);
        } else read?.(bytes, false);
        target.write(bytes);
      });
      source.once('close', () => target.destroy());
      source.on('error', () => target.destroy());
    };
    pass(program, database, count);
    pass(database, program);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}

/** Reads what a program sends: a kind of one byte (the first message has none) and a length of four. */
function counter(shared) {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  return (bytes, isTurn) => {
    const base = 1 + 3 * Atomics.load(shared, 0);
    if (isTurn) Atomics.add(shared, base + 1, 1);
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (rest.length < head + 4) return;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return;
      const kind = isFirst ? '' : String.fromCharCode(rest[0]);
      if (kind === 'E' || kind === 'Q') Atomics.add(shared, base, 1);
      if (kind === 'P') Atomics.add(shared, base + 2, 1);
      isFirst = false;
      rest = rest.subarray(length);
    }
  };
}

// How long the event loop of a console is held that calls 500 people at once, while a list comes in beside the calls.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRun } from '../console/run-by-console.mjs';
import { startConsole } from '../console/server.mjs';
import { startService } from '../console/service.mjs';
import { check, heading } from '../measure.mjs';
import { hostileTable } from './files.mjs';

const ROWS = 200_000;

/** @param heldMs the goal */
export async function besideCalls({ folder, heldMs }) {
  heading('lists beside calls');
  const service = await startService(folder);
  const db = join(folder, 'beside.db');
  const desk = await startConsole({ db, folder, services: service.file, isTimed: true });
  const say = (what, { max, at99, worked }) => {
    check(
      `${what}: longest (99 %: ${at99.toFixed(0)}; at work ${worked.toFixed(0)})`,
      max,
      heldMs,
      { unit: 'ms' },
    );
  };
  try {
    const calls = await startRun(desk, service, { name: 'calls', callMs: 10_000 });
    await calls.reaches(400);
    await desk.held();
    await sleep(10_000);
    say('event loop held by 500 calls at once', await desk.held());
    for (const [what, list] of Object.entries(lists())) {
      const name = `list-${what.length}`;
      const run = { name, callMs: 10_000, file: Buffer.from(list), keep: true };
      const began = performance.now();
      const beside = await startRun(desk, service, run).catch((error) => error);
      await beside.made?.().catch(() => undefined);
      const seconds = ((performance.now() - began) / 1_000).toFixed(0);
      say(`and by a list of ${what} beside them (${seconds} s)`, await desk.held());
      await beside.cancel?.().catch(() => undefined);
    }
  } finally {
    await desk.stop();
    service.stop();
  }
}

function lists() {
  const number = (n) =>
    `+1 (${201 + (n % 2)}) ${200 + Math.floor(n / 2_000)}-${String(n % 10_000).padStart(4, '0')}`;
  const rows = Array.from(
    { length: ROWS },
    (_, n) => `Ada${n},"${number((n * 10_007) % 1_598_000)}",note ${n}\n`,
  );
  return {
    [`${ROWS} rows`]: `Name,Phone,Notes\n${rows.join('')}`,
    'hostile cells': hostileTable('+12125550100/'),
    'times for numbers': hostileTable('12:30 '),
  };
}

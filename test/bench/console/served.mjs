// What five open pages cost a night of `serve --console`: how long its event loop is held, and its memory, while it calls
// 300 people at once of a campaign of many; in turn with nobody watching.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listOf } from '../fictional-list.mjs';
import { callsheet, check, heading, median } from '../measure.mjs';
import { openPages } from './pages.mjs';
import { startConsole } from './server.mjs';

const AT_ONCE = 300;
const PAGES = 5;
/** 30 calls begin and end each second: more than with 300 calls of a minute or two at once. */
const CALL_MS = 10_000;
const NAME = 'served';

/** @param seconds of each turn; `turns` with pages, and as many without. Longer than a call, as all calls begin at the same time */
export async function measureServed({ folder, leads, seconds, turns, service, goals }) {
  const db = join(folder, 'served.db');
  const list = join(folder, 'served.csv');
  writeFileSync(list, listOf(leads));
  await service.reset(CALL_MS);
  const [where, env] = [['--db', db, '--services', service.file], { VOICE_API_KEY: 'bench' }];
  const settings = ['--concurrency', String(AT_ONCE), '--requests', '256', '--rules', 'always'];
  const how = ['--agent', 'ag_bench', '--service', 'bench', '--set', 'polling.floor=200ms'];
  await callsheet(['import', NAME, list, ...how, ...settings, ...where], { env, cwd: folder });
  await callsheet(['resume', NAME, '--yes', ...where], { env, cwd: folder });

  heading(
    `serve --console calls ${leads.toLocaleString('en')} people for 10 s each, ${AT_ONCE} at once, with ${PAGES} pages open`,
  );
  const server = await startConsole({
    ...{ db, folder, services: service.file },
    ...{ isServing: true, isTimed: true },
  });
  try {
    while ((await service.ledger()).peak < AT_ONCE) await sleep(100);
    const watched = [];
    const alone = [];
    for (let turn = 0; turn < turns; turn++) {
      for (const [found, count] of [
        [watched, PAGES],
        [alone, 0],
      ]) {
        const pages = openPages(server, Array(count).fill(NAME));
        await server.held();
        await sleep(seconds * 1_000);
        found.push(await server.held());
        pages.close();
      }
    }
    const { numbers, most, live } = await service.ledger();
    if (most !== 1 || live < AT_ONCE / 2)
      throw new Error(`not fair: ${most} calls each, ${live} now`);
    const middle = (all, figure) => median(all.map((one) => one[figure]));
    console.log(
      `  ${numbers} called; longest ${middle(watched, 'max').toFixed(0)} ms, ${middle(watched, 'worked').toFixed(0)} ms of them at work`,
    );
    check('event loop held, 99 %', middle(watched, 'at99'), goals.loop, {
      unit: 'ms',
      baseline: `with no page ${middle(alone, 'at99').toFixed(1)} ms`,
    });
    check('peak memory', server.memory().peak, goals.servedMemory, { unit: 'MB' });
  } finally {
    await server.stop();
  }
}

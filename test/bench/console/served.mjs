// What open pages cost a night of `serve --console`: how long its event loop is held, its memory and its calls; in turn
// with nobody watching.
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

/**
 * `serve --console` while it calls many people, and its service.
 * @param atOnce calls; each takes `callMs`
 */
async function serving({ folder, name, leads, atOnce, callMs, service }, work) {
  const db = join(folder, `${name}.db`);
  const list = join(folder, `${name}.csv`);
  writeFileSync(list, listOf(leads));
  await service.reset(callMs);
  const [where, env] = [['--db', db, '--services', service.file], { VOICE_API_KEY: 'bench' }];
  const settings = ['--concurrency', String(atOnce), '--requests', '256', '--rules', 'always'];
  const how = ['--agent', 'ag_bench', '--service', 'bench', '--set', 'polling.floor=200ms'];
  await callsheet(['import', name, list, ...how, ...settings, ...where], { env, cwd: folder });
  await callsheet(['resume', name, '--yes', ...where], { env, cwd: folder });
  const server = await startConsole({
    ...{ db, folder, services: service.file },
    ...{ isServing: true, isTimed: true },
  });
  try {
    while ((await service.ledger()).peak < atOnce) await sleep(100);
    await work(server);
    const { most, live } = await service.ledger();
    if (most !== 1 || live < atOnce / 2)
      throw new Error(`not fair: ${most} calls each, ${live} now`);
  } finally {
    await server.stop();
  }
}

/** @param seconds of each turn; `turns` with pages, and as many without. Longer than a call, as all calls begin at the same time */
export async function measureServed({ folder, leads, seconds, turns, service, goals }) {
  heading(
    `serve --console calls ${leads.toLocaleString('en')} people for 10 s each, ${AT_ONCE} at once, with ${PAGES} pages open`,
  );
  const campaign = { folder, name: NAME, leads, atOnce: AT_ONCE, callMs: CALL_MS, service };
  await serving(campaign, async (server) => {
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
    const middle = (all, figure) => median(all.map((one) => one[figure]));
    console.log(
      `  longest ${middle(watched, 'max').toFixed(0)} ms, ${middle(watched, 'worked').toFixed(0)} ms of them at work`,
    );
    check('event loop held, 99 %', middle(watched, 'at99'), goals.loop, {
      unit: 'ms',
      baseline: `with no page ${middle(alone, 'at99').toFixed(1)} ms`,
    });
    check('peak memory', server.memory().peak, goals.servedMemory, { unit: 'MB' });
  });
}

const TABS = { count: 12, leads: 100_000, atOnce: 50, callMs: 1_000 };

/**
 * What twelve tabs cost: memory, beside a server that nobody watched; calls, in turn with no tab open, as two servers differ
 * by more than that; and how soon they show a change.
 */
export async function measureTabs({ folder, seconds, turns, service, goals }) {
  const { count, ...campaign } = { ...TABS, folder, service };
  const { leads, callMs, atOnce } = campaign;
  heading(
    `serve --console calls ${leads.toLocaleString('en')} people for ${callMs / 1_000} s each, ${atOnce} at once, with ${count} tabs open`,
  );
  let memoryAlone = 0;
  await serving({ ...campaign, name: 'alone' }, async (server) => {
    await sleep(seconds * 1_000);
    memoryAlone = server.memory().peak;
  });
  const name = 'tabs';
  await serving({ ...campaign, name }, async (server) => {
    const calls = { alone: 0, watched: 0 };
    for (let turn = 0; turn < 2 * turns; turn++) {
      // Each way is first as often as the other.
      const ways = [
        { way: 'alone', tabs: 0 },
        { way: 'watched', tabs: count },
      ];
      for (const { way, tabs } of turn % 2 === 0 ? ways : ways.reverse()) {
        const pages = openPages(server, Array(tabs).fill(name));
        await sleep(1_000);
        const before = (await service.ledger()).numbers;
        await sleep(seconds * 1_000);
        calls[way] += (await service.ledger()).numbers - before;
        pages.close();
      }
    }
    check('memory more', server.memory().peak - memoryAlone, goals.tabsMemory, {
      unit: 'MB',
      baseline: `with no tab ${memoryAlone.toFixed(0)} MB`,
    });
    check('calls fewer', (1 - calls.watched / calls.alone) * 100, goals.tabsSlower, {
      unit: '%',
      baseline: `${calls.alone} with no tab`,
    });
    const pages = openPages(server, Array(count).fill(name));
    check('a change is shown after', await changeShown(server, name), goals.shown, { unit: 'ms' });
    pages.close();
  });
}

/** The longest of several changes: from what was asked until a page has it, which asks a second after each answer. */
async function changeShown(server, name) {
  const at = `/api/v1/campaigns/${name}`;
  let longest = 0;
  for (let change = 0; change < 5; change++) {
    // A page is somewhere in its second.
    await sleep(change * 200);
    const began = performance.now();
    const longestCall = `${15 + change}m`;
    const changed = server.json(`${at}/settings`, {
      method: 'PATCH',
      body: { set: { longestCall } },
    });
    let shown;
    do {
      await sleep(1_000);
      shown = (await server.json(at)).settings.longestCall;
    } while (shown !== longestCall);
    await changed;
    longest = Math.max(longest, performance.now() - began);
  }
  return longest;
}

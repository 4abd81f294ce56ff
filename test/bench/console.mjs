// npm run bench:console: what the console costs. How long the table of a million people takes over HTTP and with how
// much memory; what five open pages take from a run at 500 calls in progress; and how long it takes to start; and
// what twelve tabs take from a night of `serve --console`. The console, the service and the runner are processes of their own. Exit 1 when a goal is missed.
//
//   node test/bench/console.mjs [--part requests] [--leads 1000000] [--times 9] [--pairs 6] [--again]
//     [--served 200000] [--seconds 20]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyOf, keptDatabase } from './console/database.mjs';
import { measureRequests } from './console/requests.mjs';
import { startService } from './console/service.mjs';
import { measureServed, measureTabs } from './console/served.mjs';
import { measureStart } from './console/start.mjs';
import { measureWatched } from './console/watched.mjs';
import { load } from './measure.mjs';

/**
 * Milliseconds more at the start, of a page, of a number and of a name; MB more; per cent slower; of `serve --console`, ms
 * that the event loop is held and MB; of twelve tabs, MB more, per cent fewer calls, and ms until they show a change.
 */
const GOALS = {
  start: 500,
  page: 300,
  number: 100,
  name: 1_000,
  memory: 200,
  slower: 3,
  loop: 20,
  servedMemory: 200,
  tabsMemory: 60,
  tabsSlower: 1,
  shown: 2_000,
};
const { values } = parseArgs({
  options: {
    part: {
      type: 'string',
      multiple: true,
      default: ['resume', 'requests', 'watched', 'served', 'tabs'],
    },
    leads: { type: 'string', default: '1000000' },
    calls: { type: 'string', default: '60000' },
    times: { type: 'string', default: '9' },
    pairs: { type: 'string', default: '6' },
    served: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '20' },
    again: { type: 'boolean', default: false },
  },
});
const [leads, calls, times, pairs] = ['leads', 'calls', 'times', 'pairs'].map((name) =>
  Number(values[name]),
);
const folder = mkdtempSync(join(tmpdir(), 'callsheet-console-'));
const service = await startService(folder);
try {
  console.log(`load ${load()}`);
  if (values.part.includes('start')) await measureStart({ folder, times, goals: GOALS });
  if (values.part.includes('requests')) {
    const kept = await keptDatabase({ leads, calls, again: values.again });
    const db = copyOf(kept, join(folder, 'million.db'));
    await measureRequests({ db, folder, leads, times, service, goals: GOALS });
  }
  if (values.part.includes('watched'))
    await measureWatched({ folder, pairs, service, goals: GOALS });
  if (values.part.includes('served')) {
    const [people, seconds] = [Number(values.served), Number(values.seconds)];
    await measureServed({ folder, leads: people, seconds, turns: 3, service, goals: GOALS });
  }
  if (values.part.includes('tabs')) {
    const seconds = Number(values.seconds);
    await measureTabs({ folder, seconds, turns: 3, service, goals: GOALS });
  }
} finally {
  service.stop();
  rmSync(folder, { recursive: true, force: true });
}

// How long `callsheet console` takes until it answers, beside `callsheet list`, and that `list` loads nothing of it.
import { spawnSync } from 'node:child_process';
import { CALLSHEET, check, heading, median } from '../measure.mjs';
import { startConsole } from './server.mjs';

export async function measureStart({ folder, times, goals }) {
  const db = `${folder}/start.db`;
  const [listed, answered] = [[], []];
  for (let time = 0; time <= times; time++) {
    const list = timeOf(['list', '--db', db], folder);
    const server = await startConsole({ db, folder });
    const { status, ms } = await server.ask('/api/v1/campaigns');
    if (status !== 200) throw new Error(`it answers with ${status}`);
    const first = server.listensAfterMs + ms;
    await server.stop();
    // The first round fills caches.
    if (time === 0) continue;
    listed.push(list);
    answered.push(first);
  }
  heading('start of the console');
  const more = answered.map((ms, i) => ms - listed[i]);
  check(
    `until the console has answered, beyond \`list\` (${shown(listed)})`,
    median(more),
    goals.start,
    { unit: 'ms' },
  );
  console.log(`    (until it has answered: ${shown(answered)})`);
}

function timeOf(args, cwd) {
  const began = performance.now();
  spawnSync(process.execPath, [CALLSHEET, ...args], { cwd });
  return performance.now() - began;
}

function shown(values) {
  return `${median(values).toFixed(0)} ms, least ${Math.min(...values).toFixed(0)}`;
}

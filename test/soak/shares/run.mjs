// npm run shares: two campaigns of different weight at a service with `maxCalls`, by one `serve` and by two `run`, as
// real processes. The service's ledger says who had how many calls, and how many there were at once.
//
//   node test/soak/shares/run.mjs [--calls 2000] [--weights 3:1] [--max-calls 40]
//
// Takes 2 to 3 minutes. Exit 1, and the folder is kept, when a promise did not hold.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { phoneOf } from '../phones.mjs';
import { callsheet, killAll, startService } from '../processes.mjs';
import { judgeShares } from './judge.mjs';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '2000' },
    weights: { type: 'string', default: '3:1' },
    'max-calls': { type: 'string', default: '40' },
  },
});
const calls = whole('calls', values.calls);
const maxCalls = whole('max-calls', values['max-calls']);
const weights = values.weights.split(':').map((weight) => whole('weights', weight));
if (weights.length !== 2) throw new Error('--weights are two numbers such as 3:1');
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
process.on('exit', killAll);

/** A minute passes in 0.4 s. */
const SERVICE = ['--time-scale', '150'];
const SETTINGS = { polling: { floor: '100ms' }, longestCall: '20s', requests: 16 };
const WITHIN_MS = 300_000;
/** The campaign with the greater weight has this part more people than the counted calls need, the other one more. */
const MORE = 1.1;
const LEFT = 600;

const folder = mkdtempSync(join(tmpdir(), 'callsheet-shares-'));
const startedAt = Date.now();
console.log(`${weights.join(':')}, ${maxCalls} calls at once, in ${folder}`);
let violations = 0;
for (const [how, play] of [
  ['one serve', byServe],
  ['two run', byRuns],
]) {
  const place = join(folder, how.replace(' ', '-'));
  mkdirSync(join(place, 'campaigns'), { recursive: true });
  const found = judgeShares({ ...(await rehearse(place, play)), maxCalls, calls });
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  const shares = found.shares.map(({ name, calls: own, due }) => `${name} ${own} of ${due}`);
  console.log(
    `${seconds} s, ${how}: ${shares.join(', ')}; ${found.peak} at once at most; ` +
      `on average ${found.together} together, ${found.alone} by the one that was left`,
  );
  for (const violation of found.violations) console.log(`VIOLATION ${how}: ${violation}`);
  violations += found.violations.length;
}
if (violations > 0) {
  console.log(`everything is kept in ${folder}`);
  process.exitCode = 1;
} else {
  rmSync(folder, { recursive: true });
}
process.exit();

async function rehearse(place, play) {
  const service = await startService(place, SERVICE);
  const sum = weights[0] + weights[1];
  let next = 0;
  const campaigns = weights.map((weight, i) => {
    const due = Math.ceil((calls * MORE * weight) / sum);
    const isLast = weight === Math.min(...weights) && (i === 1 || weights[0] !== weights[1]);
    const phones = Array.from({ length: due + (isLast ? LEFT : 0) }, () => phoneOf(next++));
    const name = `weight-${weight}-${i + 1}`;
    writeFileSync(join(place, `${name}.csv`), `phone\n${phones.join('\n')}\n`);
    // JSON is YAML, too.
    const file = {
      leads: `../${name}.csv`,
      agent: 'ag_demo',
      service: 'main',
      weight,
      ...SETTINGS,
    };
    const settings = JSON.stringify({ ...file, concurrency: maxCalls });
    writeFileSync(join(place, `campaigns/${name}.yaml`), settings);
    return { name, weight, phones };
  });
  const services = { main: { url: service.url, maxCalls } };
  writeFileSync(join(place, 'campaigns/services.yaml'), JSON.stringify(services));
  for (const { name } of campaigns) {
    await command(place, ['import', name, `campaigns/${name}.yaml`]);
    await command(place, ['resume', name, '--yes']);
  }
  await play(place, campaigns);
  const ledger = await service.ledger();
  await service.stop();
  return { ledger, campaigns };
}

async function byServe(place, campaigns) {
  const server = callsheet(place, 'serve', ['serve', '--port', '0', '--db', 'shares.db']);
  const until = Date.now() + WITHIN_MS;
  for (const { name } of campaigns) {
    const isDone = async () => {
      const { waiting, calling } = JSON.parse(await command(place, ['status', name, '--json']));
      return waiting + calling === 0;
    };
    while (!(await isDone())) {
      if (Date.now() > until)
        throw new Error(`${name} was not called within ${WITHIN_MS / 1_000} s`);
      await sleep(2_000);
    }
  }
  server.kill('SIGTERM');
  const { code } = await server.ended;
  if (code !== 0) throw new Error(`serve ended with exit ${code}, see serve.log`);
}

async function byRuns(place, campaigns) {
  await Promise.all(campaigns.map(({ name }) => command(place, ['run', name, '--yes'])));
}

async function command(place, args) {
  const name = args[0] === 'run' ? `run-${args[1]}` : 'commands';
  const run = callsheet(place, name, [...args, '--db', 'shares.db']);
  const { code } = await run.ended;
  if (code !== 0) throw new Error(`callsheet ${args.join(' ')}: exit ${code}\n${run.said.err}`);
  return run.said.out;
}

function whole(flag, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new Error(`--${flag} is a whole number from 1 on, not "${text}"`);
}

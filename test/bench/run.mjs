// npm run bench: a whole campaign in "hold" mode (a slot is held until the analytics are there) against the
// script a competent user would write instead, three rounds in turn, each client and the service in
// processes of their own. callsheet runs as its user runs it: every step durable before the next.
//
//   node test/bench/run.mjs [--leads 20000] [--rounds 3] [--concurrency 100]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Area codes in use; 100 fictional numbers each. */
const AREAS = `
  201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 220 223 224
  225 227 228 229 231 234 235 239 240 248 251 252 253 254 256 260 262 267 269 270
  272 274 276 279 281 283 301 302 303 304 305 307 308 309 310 312 313 314 315 316
  317 318 319 320 321 323 324 325 326 327 329 330 331 332 334 336 337 339 341 346
  347 350 351 352 353 360 361 363 364 369 380 385 386 401 402 404 405 406 407 408
  409 410 412 413 414 415 417 419 423 424 425 430 432 434 435 440 442 443 445 447
  448 458 463 464 469 470 472 475 478 479 480 484 501 502 503 504 505 507 508 509
  510 512 513 515 516 517 518 520 530 531 534 539 540 541 551 557 559 561 562 563
  564 567 570 571 572 573 574 575 580 582 585 586 601 602 603 605 606 607 608 609
  610 612 614 615 616 617 618 619 620 623 626 628 629 630 631 636 640 641 645 646
`
  .trim()
  .split(/\s+/);
const GOALS = { time: 1.3, memory: 1.0 };
const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '100' },
  },
});
const leads = Number(values.leads);
const folder = mkdtempSync(join(tmpdir(), 'callsheet-bench-'));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const list = join(folder, 'leads.csv');
writeFileSync(list, listOf(leads));

const service = spawn(process.execPath, [here('service.mjs')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = String((await once(service.stdout, 'data'))[0]).trim();
const clients = {
  script: () => [here('script.mjs'), list, url, join(folder, 'script.csv'), values.concurrency],
  callsheet: (round) => [
    here('../../dist/bin/callsheet.js'),
    'run',
    list,
    ...['--agent', 'ag_bench', '--service-url', url, '--rules', 'always'],
    // As many requests in flight as the script has.
    ...['--concurrency', values.concurrency, '--requests', values.concurrency],
    ...['--set', 'polling.floor=20ms'],
    ...['--db', join(folder, `${round}.db`), '-o', join(folder, 'callsheet.csv')],
  ],
};

const results = { script: [], callsheet: [] };
try {
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [name, argsOf] of Object.entries(clients)) {
      const measured = await measure(argsOf(round));
      results[name].push(measured);
      const { seconds, peakMb, cpuS } = measured;
      console.log(
        `round ${round} ${name.padEnd(9)} ${seconds.toFixed(1)} s, ${cpuS.toFixed(1)} s CPU, peak ${peakMb.toFixed(0)} MB`,
      );
    }
  }
  const time = medianOf('callsheet', 'seconds') / medianOf('script', 'seconds');
  const memory = medianOf('callsheet', 'peakMb') / medianOf('script', 'peakMb');
  console.log(`time   callsheet / script: ${time.toFixed(2)} (goal: at most ${GOALS.time})`);
  console.log(`memory callsheet / script: ${memory.toFixed(2)} (goal: at most ${GOALS.memory})`);
} finally {
  service.kill();
  rmSync(folder, { recursive: true });
}

async function measure(args) {
  await ask('/reset');
  const usage = join(folder, 'usage.json');
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', here('usage.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, VOICE_API_KEY: 'bench', BENCH_USAGE: usage },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - started) / 1000;
  const ledger = await ask('/ledger');
  if (code !== 0 || ledger.numbers !== leads || ledger.most !== 1) {
    throw new Error(`not a fair round: exit ${code}, ${JSON.stringify(ledger)}\n${said}`);
  }
  if (ledger.peak > Number(values.concurrency)) throw new Error(`${ledger.peak} calls at once`);
  return { seconds, ...JSON.parse(readFileSync(usage, 'utf8')) };
}

async function ask(path) {
  const answer = await fetch(url + path, { headers: { authorization: 'Bearer bench' } });
  return answer.json();
}

function medianOf(name, figure) {
  const sorted = results[name].map((result) => result[figure]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Fictional numbers: 100 a North American area code (555-0100 to 0199), as many area codes as it takes. */
function listOf(count) {
  const rows = ['phone,name,company'];
  for (let i = 0; i < count; i++) {
    rows.push(`${fictional(i)},Person ${i},Example Company ${i % 100}`);
  }
  return `${rows.join('\n')}\n`;
}

function fictional(i) {
  const area = AREAS[Math.floor(i / 100)];
  if (area === undefined) throw new Error('at most 20,000 leads');
  return `+1${area}55501${String(i % 100).padStart(2, '0')}`;
}

// npm run trace-durability: watches the system calls of a whole campaign and checks, for every dial, that its
// attempt was on the disk before its first byte was on the wire: the page of the log with its key written,
// the log synced, the line of the journal written, the journal synced, and only then the request.
//
//   node test/durability/trace.mjs [--leads 60]
//
// Exit 0 and "skipped" where there is no strace, or it may not trace here.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { KEY, startService } from '../soak/processes.mjs';
import { dialsIn, eventsOf } from './events.mjs';

const BIN = fileURLToPath(new URL('../../dist/bin/callsheet.js', import.meta.url));
/** All that reads of the trace need of a page of the log, of 4 KB. */
const TEXT_BYTES = 5_000;

const { values } = parseArgs({ options: { leads: { type: 'string', default: '60' } } });
const leads = Math.min(100, Number(values.leads));
const folder = mkdtempSync(join(tmpdir(), 'callsheet-trace-'));
try {
  const why = whyNot();
  if (why !== null) console.log(`skipped: ${why}`);
  else judge(await trace());
} finally {
  rmSync(folder, { recursive: true });
}

function whyNot() {
  const tried = spawnSync('strace', ['-f', '-o', join(folder, 'tried.txt'), 'true'], {
    encoding: 'utf8',
  });
  if (tried.error !== undefined) return 'strace is not installed';
  return tried.status === 0 ? null : `strace may not trace here: ${tried.stderr.trim()}`;
}

/** @returns the events of the trace */
async function trace() {
  const rows = Array.from({ length: leads }, (_, i) => `+12125550${100 + i}`);
  writeFileSync(join(folder, 'leads.csv'), `phone\n${rows.join('\n')}\n`);
  const service = await startService(folder, ['--time-scale', '1000']);
  const output = join(folder, 'trace.txt');
  const calls = 'trace=write,writev,pwrite64,pwritev,sendto,sendmsg,fsync,fdatasync';
  const strace = ['-f', '-qq', '-y', '-ttt', '-s', String(TEXT_BYTES), '-e', calls, '-o', output];
  const run = [
    ...[
      'run',
      'leads.csv',
      '--agent',
      'ag_demo',
      '--service-url',
      service.url,
      '--rules',
      'always',
    ],
    ...['--db', 'trace.db', '--concurrency', '20', '--set', 'polling.floor=20ms'],
  ];
  try {
    const child = spawn('strace', [...strace, process.execPath, BIN, ...run], {
      cwd: folder,
      env: { ...process.env, VOICE_API_KEY: KEY },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the traced run ended with exit ${code}: ${said}`);
  } finally {
    await service.stop();
  }
  return eventsOf(readFileSync(output, 'latin1'));
}

function judge(events) {
  const dials = dialsIn(events);
  const wrong = dials.filter(({ missing }) => missing !== null);
  const distances = dials.map(({ sinceSyncMs }) => sinceSyncMs).filter((ms) => ms !== null);
  console.log(
    `${leads} leads, ${dials.length} dials on the wire, ${dials.length - wrong.length} of them after both syncs; ` +
      `from the last sync to the first byte ${Math.min(...distances).toFixed(2)} ms at least`,
  );
  for (const { key, missing } of wrong) console.log(`WRONG dial ${key}: ${missing}`);
  const unseen = ['log', 'journal'].filter((file) => !isSeen(events, file));
  for (const file of unseen)
    console.log(`WRONG a sync of the ${file} that comes too late is not seen`);
  if (unseen.length === 0)
    console.log('with either sync moved behind its dial, the same trace is wrong');
  const isRight = dials.length === leads && wrong.length === 0 && unseen.length === 0;
  if (!isRight) process.exitCode = 1;
}

/** Shows that this can fail: the last sync of the file before the first dial comes after it. */
function isSeen(events, file) {
  const dial = events.findIndex(({ kind }) => kind === 'dial');
  const sync = events.findLastIndex(
    (event, i) => i < dial && event.kind === 'sync' && event.file === file,
  );
  if (sync === -1) return false;
  const late = { ...events[sync], start: events[dial].start + 0.1, end: events[dial].end + 0.2 };
  const moved = events.with(sync, late);
  return dialsIn(moved).some(({ missing }) => missing?.includes(file) === true);
}

// npm run bench:hostile: every reader of outside text meets a megabyte of each hostile pattern, as one text and in
// cells; then whole files of them are read as lists, and archives that are made to fill the machine; then lists come in
// beside calls. Exit 1 when a reader needs more than 200 ms of processor time a megabyte, or holds the event loop longer
// than 100 ms.
//
//   node test/bench/hostile.mjs [--part texts|files|beside] [--only NAME]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { besideCalls } from './hostile/beside.mjs';
import { FILE_READERS, hostileFiles } from './hostile/files.mjs';
import { READERS, SHAPES, UNITS } from './hostile/readers.mjs';

const GOALS = { msPerMb: 200, heldMs: 100 };
/** A reader that needs longer is ended. */
const STOP_MS = 60_000;

const { values } = parseArgs({
  options: { part: { type: 'string', default: '' }, only: { type: 'string', default: '' } },
});
const folder = mkdtempSync(join(tmpdir(), 'callsheet-hostile-'));
let child;
let missed = 0;

try {
  const parts = { texts, files, beside };
  for (const [name, part] of Object.entries(parts))
    if (values.part === '' || values.part === name) await part();
} finally {
  child?.kill();
  rmSync(folder, { recursive: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function beside() {
  const check = (what, found, goal) => {
    if (found > goal) missed += 1;
    console.log(
      `${found > goal ? 'MISSED' : 'holds '} ${what}: ${found.toFixed(0)} (goal ${goal})`,
    );
  };
  await besideCalls({ folder, check, heldMs: GOALS.heldMs });
}

async function texts() {
  let worst = { ms: 0, what: '' };
  for (const { file, name } of READERS) {
    if (!name.includes(values.only)) continue;
    for (const unit of UNITS) {
      for (const shape of Object.keys(SHAPES)) {
        const job = { file: file.slice('src/'.length).replace(/ts$/, 'js'), name, unit, shape };
        const { ms } = await measured(job, 1);
        const what = `${name} of ${file}, ${JSON.stringify(unit)} ${shape}`;
        if (ms > worst.ms) worst = { ms, what };
        if (ms > GOALS.msPerMb) missed += say(`${what}: ${ms.toFixed(0)} ms a MB`);
      }
    }
  }
  console.log(`${READERS.length} readers, ${UNITS.length} patterns of 1 MB; the slowest:`);
  console.log(`  ${worst.what}: ${worst.ms.toFixed(0)} ms a MB (goal ${GOALS.msPerMb})`);
}

async function files() {
  for (const [name, file] of Object.entries(FILE_READERS)) {
    const worst = { ms: { figure: 0, what: '' }, held: { figure: 0, what: '' } };
    for (const made of hostileFiles()) {
      if (!made.name.includes(values.only)) continue;
      const path = join(folder, `list.${made.ending}`);
      writeFileSync(path, made.bytes);
      // What is smaller than a megabyte has the time of one.
      const answer = await measured({ file, name, path }, Math.max(1, made.bytes.length / 1e6));
      for (const what of ['ms', 'held'])
        if (answer[what] > worst[what].figure)
          worst[what] = { figure: answer[what], what: made.name };
      if (answer.ms > GOALS.msPerMb || answer.held > GOALS.heldMs)
        missed += say(
          `${name}, ${made.name}: ${answer.ms.toFixed(0)} ms a MB, held ${answer.held.toFixed(0)} ms; ${answer.said}`,
        );
    }
    const { ms, held } = worst;
    console.log(`${name}: ${ms.figure.toFixed(0)} ms a MB (goal ${GOALS.msPerMb}), ${ms.what}`);
    console.log(
      `  event loop held ${held.figure.toFixed(0)} ms (goal ${GOALS.heldMs}), ${held.what}`,
    );
  }
}

/** The median of three where the first is above a goal. */
async function measured(job, megabytes) {
  const first = await ask(job, megabytes);
  if (first.ms <= GOALS.msPerMb && first.held <= GOALS.heldMs) return first;
  if (first.ms === Infinity) return first;
  const all = [first, await ask(job, megabytes), await ask(job, megabytes)];
  const median = (what) => all.map((one) => one[what]).sort((a, b) => a - b)[1];
  return { ...first, ms: median('ms'), held: median('held') };
}

async function ask(job, megabytes) {
  child ??= await begun();
  child.send(job);
  const stop = AbortSignal.timeout(STOP_MS);
  try {
    const [{ ms, ...answer }] = await once(child, 'message', { signal: stop });
    return { ...answer, ms: ms / megabytes };
  } catch {
    child.kill('SIGKILL');
    child = undefined;
    return { ms: Infinity, held: Infinity, said: 'ended' };
  }
}

async function begun() {
  const reader = fork(fileURLToPath(new URL('./hostile/reader.mjs', import.meta.url)));
  await once(reader, 'message');
  return reader;
}

function say(line) {
  console.log(`MISSED ${line}`);
  return 1;
}

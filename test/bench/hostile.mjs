// npm run bench:hostile: every reader of outside text meets a megabyte of each hostile pattern, as one text and in
// cells; then whole files of them are read as lists, and archives that are made to fill the machine; then lists come in
// beside calls. Exit 1 when a reader needs more than 200 ms of processor time a megabyte and a fifth more than for an
// honest list of as many bytes, or holds the event loop longer than 100 ms.
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
import { FILE_READERS, honestList, hostileFiles } from './hostile/files.mjs';
import { READERS, SHAPES, UNITS } from './hostile/readers.mjs';
import { check, heading } from './measure.mjs';

const GOALS = { msPerMb: 200, heldMs: 100 };
/** A reader that needs longer is ended. */
const STOP_MS = 60_000;

const { values } = parseArgs({
  options: { part: { type: 'string', default: '' }, only: { type: 'string', default: '' } },
});
const folder = mkdtempSync(join(tmpdir(), 'callsheet-hostile-'));
let child;

try {
  const parts = { texts, files, beside };
  for (const [name, part] of Object.entries(parts))
    if (values.part === '' || values.part === name) await part();
} finally {
  child?.kill();
  rmSync(folder, { recursive: true });
}

async function beside() {
  await besideCalls({ folder, heldMs: GOALS.heldMs });
}

async function texts() {
  let worst = { ms: 0, what: '', goal: GOALS.msPerMb };
  for (const { file, name } of READERS) {
    if (!name.includes(values.only)) continue;
    const module = file.slice('src/'.length).replace(/ts$/, 'js');
    const honest = { file: module, name, unit: '', shape: 'honest' };
    const goal = name === 'everyNumber' ? await goalBeside(honest) : GOALS.msPerMb;
    for (const unit of UNITS) {
      for (const shape of Object.keys(SHAPES)) {
        const { ms } = await measured({ file: module, name, unit, shape }, 1, goal);
        const what = `${name} of ${file}, ${JSON.stringify(unit)} ${shape}`;
        if (ms / goal > worst.ms / worst.goal) worst = { ms, what, goal };
        if (ms > goal) console.log(`${what}: ${ms.toFixed(0)} ms a MB (goal ${goal.toFixed(0)})`);
      }
    }
  }
  heading(`${READERS.length} readers, ${UNITS.length} patterns of 1 MB; the slowest:`);
  check(worst.what, worst.ms, worst.goal, { unit: 'ms a MB' });
}

async function files() {
  for (const [name, file] of Object.entries(FILE_READERS)) {
    const worst = { ms: { figure: 0, what: '' }, held: { figure: 0, what: '' } };
    const honest = join(folder, 'list.csv');
    writeFileSync(honest, honestList(name));
    const goal = await goalBeside({ file, name, path: honest });
    for (const made of hostileFiles()) {
      if (!made.name.includes(values.only)) continue;
      const path = join(folder, `list.${made.ending}`);
      writeFileSync(path, made.bytes);
      // What is smaller than a megabyte has the time of one.
      const answer = await measured(
        { file, name, path },
        Math.max(1, made.bytes.length / 1e6),
        goal,
      );
      for (const what of ['ms', 'held'])
        if (answer[what] > worst[what].figure)
          worst[what] = { figure: answer[what], what: made.name };
      if (answer.ms > goal || answer.held > GOALS.heldMs)
        console.log(
          `${name}, ${made.name}: ${answer.ms.toFixed(0)} ms a MB, held ${answer.held.toFixed(0)} ms; ${answer.said}`,
        );
    }
    const { ms, held } = worst;
    heading(`${name}; the slowest:`);
    check(ms.what, ms.figure, goal, { unit: 'ms a MB' });
    check(`event loop held by ${held.what}`, held.figure, GOALS.heldMs, { unit: 'ms' });
  }
}

/** Hostile text costs at most 1.2 times an honest list of as many bytes (a fifth for noise): a number costs 20 to 30 µs. */
async function goalBeside(job) {
  const { ms } = await ask(job, 1);
  return Math.max(GOALS.msPerMb, 1.2 * ms);
}

/** The median of three where the first is above a goal. */
async function measured(job, megabytes, goal) {
  const first = await ask(job, megabytes);
  if (first.ms <= goal && first.held <= GOALS.heldMs) return first;
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

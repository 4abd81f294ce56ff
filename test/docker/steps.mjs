// npm run dockerfile: runs the COPY and RUN steps of the Dockerfile one by one in a clean folder, a folder a stage, then what the
// image would start. It shows that the steps hold and that nothing is missing; it shows nothing about the images they begin with.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { copyOf, ROOT, stagesOf } from './dockerfile.mjs';

const folder = mkdtempSync(join(tmpdir(), 'callsheet-dockerfile-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
/** Of this script's `npm run`, which would mean this folder. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)|^CALLSHEET|^PG/.test(name)),
);
let count = 0;
let at = '';
let place = '';
let program = [];

for (const { name = 'image', steps } of stagesOf(join(ROOT, 'campaigns/docker/Dockerfile'))) {
  at = join(folder, name);
  place = at;
  mkdirSync(at);
  for (const step of steps) {
    const { word, rest, words } = step;
    if (word === 'WORKDIR') mkdirSync((place = join(at, rest)), { recursive: true });
    else if (word === 'ENV')
      for (const [key, value] of words.map((one) => one.split('=')))
        env[key] = value.startsWith('/') ? join(at, value) : value;
    else if (word === 'ENTRYPOINT')
      program = words.map((one) => (one.startsWith('/') ? join(at, one) : one));
    else if (word === 'COPY') copy(step);
    else if (word === 'RUN') run(rest);
    else continue;
    count += 1;
  }
}

start(['--version'], 0, /^\d+\.\d+\.\d+/);
start(['serve', '--help'], 0, /--console-behind-proxy/);
// The compiled driver of SQLite, profiles and samples.
start(['demo'], 0, /Every lead is final/);
// The threads and the driver of PostgreSQL.
start(['migrate', '--db', 'postgres://callsheet@127.0.0.1:1/calls'], 1, /does not answer/);
console.log(`${count} steps, then the program: ok`);

function copy(step) {
  const { sources, to, from } = copyOf(step);
  for (const source of sources) {
    const path = join(from === undefined ? ROOT : join(folder, from), source);
    const target = to.startsWith('/') ? join(at, to) : join(place, to);
    cpSync(path, to.endsWith('/') ? join(target, basename(source)) : target, {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

function run(command) {
  if (command.startsWith('apt-get ')) {
    for (const tool of ['python3', 'make', 'g++'])
      assert.equal(spawnSync(tool, ['--version']).status, 0, `${tool} is needed`);
    return;
  }
  // Another one would change this machine.
  assert.doesNotMatch(command, /(?:^|[\s=])\//, 'a step with an absolute path');
  console.log(command);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: place,
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${command}\n${stdout}${stderr}`);
}

function start(args, code, words) {
  const [first, ...rest] = program;
  assert.ok(existsSync(rest[0]), rest[0]);
  const { status, stdout, stderr } = spawnSync(first, [...rest, ...args], {
    cwd: place,
    env,
    encoding: 'utf8',
  });
  assert.equal(status, code, `${args.join(' ')}\n${stdout}${stderr}`);
  assert.match(stdout + stderr, words);
}

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemdUnit } from '../../../src/app/units/systemd-unit.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { checkUnit } from './checker.ts';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** A unit of a program that is there, as systemd looks for it. */
function aUnit(odd: string) {
  const folder = join(tempFolder(), odd);
  mkdirSync(folder, { recursive: true });
  const node = join(folder, 'node');
  writeFileSync(node, '#!/bin/sh\n');
  chmodSync(node, 0o755);
  const unit = systemdUnit({
    program: [node, join(folder, 'callsheet.js')],
    words: ['--db', join(folder, 'a b.db'), '--quiet'],
    folder,
    env: { CALLSHEET_HOME: folder },
    user: 'root',
    writes: [folder],
    stopMs: 150_000,
  });
  return { folder, node, unit };
}

it.each([
  ['plain', 'calls'],
  ['with spaces, percent and dollar signs', 'my calls 100% $x'],
  ['with quotes and backslashes', String.raw`"my" 'calls' \e`],
])('a unit with paths that are %s is taken by systemd as it is meant', (_, odd) => {
  const { folder, node, unit } = aUnit(odd);
  // Where there is no systemd, all that can be asked is whether each setting is known and has its form.
  expect(checkUnit(unit).problems).toEqual([]);
  if (!hasSystemd) return;
  const file = join(tempFolder(), 'callsheet.service');
  writeFileSync(file, unit);
  const quiet = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  // Units of this machine that it needs may have faults of their own.
  expect(quiet.stderr.split('\n').filter((line) => line.includes('callsheet'))).toEqual([]);
  const env = { ...process.env, SYSTEMD_LOG_LEVEL: 'debug' };
  const { stdout } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8', env });
  const read = (name: string) => new RegExp(`^\\t+${name}: (.*)$`, 'm').exec(stdout)?.[1];
  expect(read('WorkingDirectory')).toBe(folder);
  expect(read('Environment')).toBe(`CALLSHEET_HOME=${folder}`);
  expect(read('ReadWritePaths')).toBe(`-${folder}`);
  // It is shown as a shell would take it; a doubled dollar becomes one when the program is started.
  const shown = spawnSync('sh', ['-c', `printf '%s\\n' ${read('Command Line') ?? ''}`]);
  const doubled = (path: string) => path.replaceAll('$', '$$$$');
  const program = /["'\\$]/.test(node) ? ['/usr/bin/env', doubled(node)] : [node];
  expect(shown.stdout.toString().trimEnd().split('\n')).toEqual([
    ...program,
    ...[join(folder, 'callsheet.js'), 'serve', '--db', join(folder, 'a b.db'), '--quiet'].map(
      doubled,
    ),
  ]);
  expect([read('Type'), read('WatchdogSec'), read('TimeoutStopSec')]).toEqual([
    'notify',
    '1min',
    '2min 30s',
  ]);
});

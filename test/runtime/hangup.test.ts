import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ignoresHangup } from '../../src/runtime/process.ts';
import { tempFolder } from '../helpers/files/temp.ts';

interface Seen {
  input?: string;
  flags?: string;
  parent?: string;
  ignored?: string;
}

/** What Linux tells of a process and of its parent, 42. */
function procOf({
  input = '/dev/pts/3',
  flags = '02',
  parent = 'bash',
  ignored = '0000000000000000',
}: Seen) {
  const proc = tempFolder();
  mkdirSync(join(proc, 'self/fd'), { recursive: true });
  mkdirSync(join(proc, 'self/fdinfo'));
  mkdirSync(join(proc, '42'));
  symlinkSync(input, join(proc, 'self/fd/0'));
  writeFileSync(join(proc, 'self/fdinfo/0'), `pos:\t0\nflags:\t${flags}\nmnt_id:\t24\n`);
  writeFileSync(join(proc, '42/status'), `Name:\t${parent}\nSigIgn:\t${ignored}\nSigCgt:\t01\n`);
  return proc;
}

const DEAF = '0000000000001001';

describe('a closed terminal ends nothing', () => {
  it.each<[string, Seen]>([
    ['under nohup, by the input it leaves', { input: '/dev/null', flags: '02100001' }],
    ['in a script under nohup, whose shell ignores it', { parent: 'sh', ignored: DEAF }],
  ])('%s', (_what, seen) => {
    expect(ignoresHangup({}, 42, procOf(seen))).toBe(true);
  });

  it('under nohup, by the command that the shell names', () => {
    expect(ignoresHangup({ _: '/usr/bin/nohup' }, 42, tempFolder())).toBe(true);
  });
});

describe('a closed terminal stops calling', () => {
  it.each<[string, Seen]>([
    ['on a terminal', {}],
    ['with an input that was led from /dev/null by hand', { input: '/dev/null', flags: '0100000' }],
    ['under a window manager that ignores it for itself', { parent: 'screen', ignored: DEAF }],
    ['in a shell that ignores other signals', { ignored: '0000000000001000' }],
  ])('%s', (_what, seen) => {
    expect(ignoresHangup({ _: '/usr/bin/node' }, 42, procOf(seen))).toBe(false);
  });

  it('where the system does not tell', () => {
    expect(ignoresHangup({}, 42, join(tempFolder(), 'no-proc'))).toBe(false);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bootId, isGone, isServing, thisProcess, userName } from '../../src/runtime/process.ts';
import { tempFolder } from '../helpers/files/temp.ts';

describe('a process', () => {
  it('that lives is not gone', () => {
    expect(isGone(thisProcess())).toBe(false);
    expect(isGone({ ...thisProcess(), pid: process.ppid })).toBe(false);
  });

  it('that belongs to somebody else and lives is not gone', () => {
    expect(isGone({ ...thisProcess(), pid: 1 })).toBe(false);
  });

  it('that has ended is gone', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isGone({ ...thisProcess(), pid })).toBe(true);
  });

  it('of another machine or another boot proves nothing', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isGone({ ...thisProcess(), host: 'elsewhere', pid })).toBe(false);
    expect(isGone({ ...thisProcess(), boot: 'earlier', pid })).toBe(false);
  });

  it('knows its boot, also where the system does not name it', () => {
    expect(bootId()).toBe(bootId());
    expect(bootId('/nowhere/boot_id')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('of another container proves nothing, also where both have the name of the machine', () => {
    const folder = tempFolder();
    const [id, namespace] = [join(folder, 'boot_id'), join(folder, 'pid')];
    writeFileSync(id, 'a-boot\n');
    symlinkSync('pid:[4026531836]', namespace);
    expect(bootId(id, namespace)).toBe('a-boot');
    rmSync(namespace);
    symlinkSync('pid:[4026532201]', namespace);
    expect(bootId(id, namespace)).toBe('a-boot pid:[4026532201]');
    expect(bootId(id, '/nowhere/pid')).toBe('a-boot');
  });

  it('is serve at a database if it has the file open, and not this process itself', () => {
    const proc = tempFolder();
    const file = join(proc, 'callsheet.db');
    writeFileSync(file, '');
    const isThere = (pid: number, command: string, opens: string) => {
      mkdirSync(join(proc, `${pid}/fd`), { recursive: true });
      writeFileSync(join(proc, `${pid}/cmdline`), `node\0/bin/callsheet\0${command}\0`);
      symlinkSync(opens, join(proc, `${pid}/fd/${readdirSync(join(proc, `${pid}/fd`)).length}`));
      return isServing(file, proc);
    };
    expect(isThere(process.pid, 'serve', file)).toBe(false);
    expect(isThere(7, 'console', file)).toBe(false);
    // Of another user, or gone meanwhile: its files are not to be seen.
    mkdirSync(join(proc, '1'));
    writeFileSync(join(proc, '1/cmdline'), 'node\0/bin/callsheet\0serve\0');
    expect(isThere(8, 'serve', '/elsewhere/callsheet.db')).toBe(false);
    expect(isThere(8, 'serve', file)).toBe(true);
    expect(isServing(file, '/nowhere')).toBe(false);
    expect(isServing('postgres://db/callsheet', proc)).toBe(false);
  });

  it('knows who started it', () => {
    expect(userName()).not.toBe('');
  });
});

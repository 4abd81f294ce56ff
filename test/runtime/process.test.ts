import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bootId, isGone, thisProcess, userName } from '../../src/runtime/process.ts';
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

  it('knows who started it', () => {
    expect(userName()).not.toBe('');
  });
});

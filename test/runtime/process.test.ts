import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { bootId, isGone, thisProcess, userName } from '../../src/runtime/process.ts';

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

  it('knows who started it', () => {
    expect(userName()).not.toBe('');
  });
});

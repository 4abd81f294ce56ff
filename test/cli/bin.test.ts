import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { compiled } from '../helpers/compiled-program.ts';
import { tempFolder } from '../helpers/files/temp.ts';

const start = (...argv: string[]) => {
  const child = spawn(process.execPath, [compiled('bin/callsheet.js'), ...argv], {
    cwd: tempFolder(),
    env: {},
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, output, ended: once(child, 'close') };
};

describe('the program', () => {
  it('ends with the exit code of its command and its whole output', async () => {
    const { output, ended } = start('agents', 'list');
    expect(await ended).toEqual([2, null]);
    expect(output.err).toMatch(/^callsheet: No service is given.*\n {2}next: .*\n$/);
    expect(output.out).toBe('');
  });

  it('lets a command end itself on SIGTERM', async () => {
    const { child, output, ended } = start('simulate', '--port', '0');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(output.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('is content when the reader of its output leaves', async () => {
    const { child, output, ended } = start('--help');
    child.stdout.destroy();
    expect(await ended).toEqual([0, null]);
    expect(output.err).toBe('');
  });
});

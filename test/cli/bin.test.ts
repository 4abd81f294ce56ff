import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadRule, ruleNames } from '../../src/config/rules/load-rule.ts';
import { packageRoot } from '../../src/runtime/files.ts';
import { textKey } from '../../src/runtime/yaml.ts';
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

describe('what the build keeps', () => {
  const config = (name: string) => join(packageRoot(), '.config', name);

  it('is not used as the code of a file where the file is another or the code is damaged', () => {
    const folder = tempFolder();
    const [starter, file] = [join(folder, 'start.cjs'), join(folder, 'callsheet.cjs')];
    const run = (...flags: string[]) =>
      execFileSync(process.execPath, [...flags, starter], { encoding: 'utf8' });
    copyFileSync(config('start.cjs'), starter);
    writeFileSync(file, 'console.log("first")');
    expect(run('--require', config('keep-code.cjs'))).toBe('first\n');
    const kept = readFileSync(`${file}.code`);

    writeFileSync(file, 'console.log("other")');
    expect(run()).toBe('other\n');

    writeFileSync(file, 'console.log("first")');
    const middle = kept.length / 2;
    writeFileSync(`${file}.code`, kept.fill(255, middle, middle + 8));
    expect(run()).toBe('first\n');
  });

  it('is each rule as its file says it', () => {
    const json = readFileSync(compiled('bin/read-at-build.json'), 'utf8');
    const kept = JSON.parse(json) as Record<string, unknown>;
    for (const rule of ruleNames().map((name) => loadRule(name, undefined)))
      expect(kept[textKey(readFileSync(rule.path, 'utf8'))]).toEqual({ ...rule, path: '' });
  });
});

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import { compiled } from '../../../helpers/compiled-program.ts';

/** A folder with a rehearsal. */
async function aFolder(): Promise<Desk> {
  const at = desk();
  at.write('leads.csv', 'phone\n+12125550100\n');
  const rehearse = ['import', 'spring renewals', 'leads.csv', '--service', 'simulated'];
  expect((await at.run(rehearse)).code).toBe(0);
  return at;
}

/** What a shell is told for these words, the last of which is at the cursor. */
const told = async (at: Desk, ...words: string[]) =>
  (await at.run(['--get-yargs-completions', ...words])).out.trimEnd().split('\n');

describe('completion', () => {
  it('tells commands, subcommands, flags, choices and names of campaigns', async () => {
    const at = await aFolder();
    expect(await told(at, 'callsheet', 're')).toEqual([
      ...['resume', 'retry', 'report', 'resolve', 'restored', 'restore'],
    ]);
    expect(await told(at, 'callsheet', 'suppress', '')).toEqual([
      ...['add', 'remove', 'undo', 'list', 'import'],
    ]);
    expect(await told(at, 'callsheet', 'run', 'leads.csv', '--lim')).toEqual(['--limit']);
    expect(await told(at, 'callsheet', 'run', '--he')).toEqual(['--help']);
    expect(await told(at, 'callsheet', 'run', '--help')).toEqual(['--help']);
    expect(await told(at, 'callsheet', 'export', 'x', '--format', 'x')).toEqual(['xlsx']);
    expect(await told(at, 'callsheet', 'run', 'spr')).toEqual(['spring renewals']);
    expect(await told(at, 'callsheet', 'status', 'spr')).toEqual(['spring renewals']);
    expect(await told(at, '/usr/bin/callsheet', 'status', 'spr')).toEqual(['spring renewals']);
    expect(await told(at, 'callsheet', 'run', 'spring', 'spr')).toEqual(['']);
    expect(await told(at, 'callsheet', 'call', 'spr')).toEqual(['']);
    expect(await told(at, 'callsheet', 'no-such', '')).toEqual(['']);
  });

  it('is asked by fish without the name of the program', async () => {
    expect(await told(await aFolder(), 'agents', 'cr')).toEqual(['create']);
  });

  it('writes a colon in a name as zsh needs it', async () => {
    const at = await aFolder();
    expect((await at.run(['set', 'spring renewals', 'name=spring: new'])).code).toBe(0);
    expect(await told(at, 'callsheet', 'status', 'spr')).toEqual(['spring: new']);
    const inZsh = { env: { SHELL: '/bin/zsh' } };
    const asked = ['--get-yargs-completions', 'callsheet', 'status', 'spr'];
    expect((await at.run(asked, inZsh)).out).toBe('spring\\: new\n');
  });

  it('is silent and fails nobody where something cannot be read', async () => {
    const at = await aFolder();
    const asked = ['--get-yargs-completions', 'callsheet', 'status', '--db', 'leads.csv', ''];
    expect(await at.run(asked)).toEqual({ code: 0, out: '', err: '' });
  });

  it('works in bash, with names that need quotes, and leaves files to it', async () => {
    const at = await aFolder();
    const bin = compiled('bin/callsheet.js');
    const command = join(at.cwd, 'callsheet');
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, {
      mode: 0o755,
    });
    const script = `
      eval "$(callsheet completion)"
      complete -p callsheet
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _callsheet_yargs_completions; printf '%s|' "\${COMPREPLY[@]}"; echo; }
      try callsheet status spr
      try callsheet run lea
    `;
    const env = { PATH: `${at.cwd}:${process.env['PATH'] ?? ''}`, SHELL: '/bin/bash' };
    const out = execFileSync('bash', ['--norc', '-c', script], { cwd: at.cwd, env });
    expect(out.toString()).toBe(
      'complete -o bashdefault -o default -F _callsheet_yargs_completions callsheet\n"spring renewals"|\n|\n',
    );
  });
});

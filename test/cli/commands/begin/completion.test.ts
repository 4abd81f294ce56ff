import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import { compiled } from '../../../helpers/compiled-program.ts';

/** A folder with two campaigns, one of them a rehearsal, services and files. */
async function aFolder(): Promise<Desk> {
  const at = desk();
  mkdirSync(at.path('campaigns'));
  at.write('campaigns/services.yaml', 'main: { url: https://voice.example }\n');
  at.write('leads.csv', 'phone\n+12125550100\n');
  const rehearse = ['import', 'spring renewals', 'leads.csv', '--service', 'simulated'];
  expect((await at.run(rehearse)).code).toBe(0);
  return at;
}

/** What a shell is told for these words, the last of which is at the cursor. */
const told = async (at: Desk, ...words: string[]) =>
  (await at.run(['completion', 'zsh', '--', 'callsheet', ...words])).out.trimEnd().split('\n');

describe('completion', () => {
  it('tells commands, subcommands, flags, choices, and names of services and campaigns', async () => {
    const at = await aFolder();
    expect(await told(at, 're')).toEqual([
      ...['rehearse', 'resume', 'rename', 'report', 'resolve', 'restore'],
    ]);
    expect(await told(at, 'suppress', '')).toEqual(['add', 'remove', 'undo', 'list', 'import']);
    expect(await told(at, 'help', 'agents', 'cr')).toEqual(['create']);
    expect(await told(at, 'run', 'leads.csv', '--lim')).toEqual(['--limit']);
    expect(await told(at, 'export', 'x', '--format', 'x')).toEqual(['xlsx']);
    expect(await told(at, 'run', 'spr')).toEqual(['spring renewals']);
    expect(await told(at, 'run', '--service=m')).toEqual(['--service=main']);
    expect(await told(at, 'status', 'spr')).toEqual(['spring renewals']);
    expect(await told(at, 'run', '--concurrency', '3', 'l')).toEqual(['']);
    expect(await told(at, 'import', 'x', '')).toEqual(['']);
    expect(await told(at, 'run', '-o', '')).toEqual(['']);
    expect(await told(at, 'run', '--db', 'other.db', 'spr')).toEqual(['']);
    expect(await told(at, 'completion', 'fi')).toEqual(['fish']);
    expect(await told(at, 'agents', 'create', '--l')).toEqual(['--log-level']);
    expect(await told(at, 'no-such', '')).toEqual(['']);
  });

  it("tells the rules of callsheet and the operator's own, also where one of them is broken", async () => {
    const at = await aFolder();
    mkdirSync(at.path('campaigns/rules'));
    at.write('campaigns/rules/us-ours.yaml', 'about: [');
    const us = ['us-debt', 'us-federal', 'us-states', 'us-ours'];
    expect(await told(at, 'rules', 'show', 'us-')).toEqual([...us]);
    expect(await told(at, 'rules', 'show', 'us-debt', 'us-o')).toEqual(['us-ours']);
    expect(await told(at, 'rules', 'check', 'us-d')).toEqual(['us-debt']);
    expect(await told(at, 'run', 'leads.csv', '--rules', 'us-')).toEqual([...us]);
  });

  it('is silent and fails nobody where something cannot be read', async () => {
    const at = await aFolder();
    at.write('data/callsheet.db', 'no database');
    expect(await told(at, 'status', 'spr')).toEqual(['spring renewals']);
    at.write('campaigns/services.yaml', 'main: [');
    const asked = ['completion', 'bash', '--', 'callsheet', 'run', '--service', ''];
    expect(await at.run(asked)).toEqual({ code: 0, out: '', err: '' });
  });

  it('refuses a shell that it does not know, naming those that it does', async () => {
    const { code, err } = await desk().run(['completion', 'tcsh']);
    expect([code, err]).toEqual([2, expect.stringContaining('it knows bash, zsh, fish.')]);
  });

  it('describes what it offers to fish', async () => {
    const asked = (...words: string[]) =>
      desk().run(['completion', 'fish', '--', 'callsheet', ...words]);
    expect((await asked('paus')).out).toBe(
      'pause\tstart no new call; calls in progress end by themselves\n',
    );
    expect((await asked('import', '--sync')).out).toMatch(/^--sync\t\w.*\n$/);
  });

  it('works in bash, with names that need quotes and values behind =, and leaves files to it', async () => {
    const at = await aFolder();
    const bin = compiled('bin/callsheet.js');
    const command = join(at.cwd, 'callsheet');
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, {
      mode: 0o755,
    });
    const script = `
      eval "$(callsheet completion bash)"
      complete -p callsheet
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _callsheet; printf '%s|' "\${COMPREPLY[@]}"; echo; }
      try callsheet pau
      try callsheet status spr
      try callsheet export x --format = js
      try callsheet export x --format =
      try callsheet run lea
    `;
    const env = { PATH: `${at.cwd}:${process.env['PATH'] ?? ''}` };
    const out = execFileSync('bash', ['--norc', '-c', script], { cwd: at.cwd, env });
    expect(out.toString()).toBe(
      'complete -o default -F _callsheet callsheet\npause|\nspring\\ renewals|\njsonl|\ncsv|excel|xlsx|jsonl|\n|\n',
    );
  });
});

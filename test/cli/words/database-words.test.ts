import { mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { pasteable } from '../../../src/cli/terminal/output.ts';
import { desk } from '../../helpers/callsheet.ts';
import { fakeIo } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { aDesk, RUN } from '../commands/desk.ts';

const LIST = 'Name,Phone\nAnn,+12125550150\nBen,+12125550151\n';
const SIMULATED = ['--service', 'simulated', '--agent', 'ag_demo'];
const ELSEWHERE =
  'give another path with --db (without it, it is data/callsheet.db), or leave it out';

describe('--db on what is no database', () => {
  it.each<[argv: string[], said: string]>([
    [
      ['run', 'leads.csv', ...SIMULATED, '--db', 'folder'],
      '{cwd}/folder is a folder; a database is one file.\n  next: name the file in it: --db {cwd}/folder/callsheet.db',
    ],
    [
      ['status', '--db', 'folder'],
      '{cwd}/folder is a folder; a database is one file.\n  next: name the file in it: --db {cwd}/folder/callsheet.db',
    ],
    ...[
      'run leads.csv --service simulated',
      'status',
      'pause --all',
      'backup b.db',
      'restore good.db',
      'restore good.db --alone',
    ].map((command): [string[], string] => [
      [...command.split(' '), '--db', 'leads.csv'],
      `{cwd}/leads.csv is not an SQLite database, and nothing beside it says that it was one: it stays as it is.\n  next: ${ELSEWHERE}`,
    ]),
    [
      ['run', 'leads.csv', ...SIMULATED, '--db', 'leads.csv/x/calls.db'],
      'There can be no database at {cwd}/leads.csv/x/calls.db: {cwd}/leads.csv is a file, not a folder.\n  next: give another path with --db, or mend that folder',
    ],
    [
      ['restore', 'folder'],
      'There is no backup at {cwd}/folder: it is a folder or a device, not a backup.\n  next: name the file that `npx callsheet backup FILE` wrote',
    ],
    [
      ['restore', 'leads.csv'],
      '{cwd}/leads.csv is not an SQLite database, and nothing beside it says that it was one: it stays as it is.\n  next: name the file that `npx callsheet backup FILE` wrote',
    ],
    ...[
      ['backup', 'folder', '--db', 'first.db'],
      ['backup', 'folder', '--force', '--db', 'first.db'],
    ].map((argv): [string[], string] => [
      argv,
      '{cwd}/folder is a folder, and a backup is one file.\n  next: name a file in it, e.g. {cwd}/folder/callsheet.db',
    ]),
    [
      ['inbox', 'replay', 'dlv_1'],
      'There is no database at {cwd}/data/callsheet.db.\n  next: name the right one with --db, or import a list first',
    ],
  ])(
    '%j is refused, names no command that would replace it, and leaves every file as it is',
    async (argv, said) => {
      const at = desk();
      await at.run(['suppress', 'add', '+12125550199', '--db', 'first.db']);
      await at.run(['backup', 'good.db', '--db', 'first.db']);
      at.write('leads.csv', LIST);
      mkdirSync(at.path('folder'));
      const before = readdirSync(at.cwd, { recursive: true }).toSorted();

      const { code, err, out } = await at.run(argv);

      expect({ code, out, err }).toEqual({
        code: 2,
        out: '',
        err: `callsheet: ${said.replaceAll('{cwd}', at.cwd)}\n`,
      });
      expect(at.read('leads.csv')).toBe(LIST);
      expect(readdirSync(at.cwd, { recursive: true }).toSorted()).toEqual(before);
    },
  );
});

const UNKNOWN: [argv: string[], said: string][] = [
  ...['status', 'export', 'summary', 'report', 'tail', 'pause', 'resume', 'resolve', 'run'].map(
    (verb): [string[], string] => [
      [verb, 'sprng'],
      'No campaign "sprng" is in {cwd}/data/simulated.db; did you mean "spring"?\n  next: `npx callsheet list` shows them',
    ],
  ),
  [
    ['status', 'autumn'],
    'No campaign "autumn" is in {cwd}/data/simulated.db; the campaigns there are spring.\n  next: `npx callsheet list` shows them',
  ],
  [
    ['export', 'spring', '--db', 'data/callsheet.db'],
    'No campaign "spring" is in {cwd}/data/callsheet.db; it is a rehearsal, in {cwd}/data/simulated.db.\n  next: `npx callsheet status spring --db {cwd}/data/simulated.db` shows it; other commands find it with the same --db',
  ],
  [
    ['run', 'spring', '--service-url', 'http://127.0.0.1:9', '--agent', 'ag_1'],
    'No campaign "spring" is in {cwd}/data/callsheet.db; it is a rehearsal, in {cwd}/data/simulated.db.\n  next: `npx callsheet status spring --db {cwd}/data/simulated.db` shows it; other commands find it with the same --db',
  ],
  [
    ['export', 'autumn', '--db', 'other.db'],
    'No campaign "autumn" is in {cwd}/other.db; there is no database yet.\n  next: `npx callsheet run LIST --agent ID --db other.db` begins one; --db names another database',
  ],
];

it('the name of a campaign that is not there is answered with the nearest, or the database that has it', async () => {
  // One that was rehearsed; there are no real calls.
  const at = desk();
  at.write('leads.csv', LIST);
  const given = { clock: hastyClock(100) };
  await at.run(['run', 'leads.csv', '--name', 'spring', ...SIMULATED], given);
  for (const [argv, said] of UNKNOWN) {
    const { code, err } = await at.run(argv);
    expect(err).toBe(`callsheet: ${said.replaceAll('{cwd}', at.cwd)}\n`);
    expect(code).toBe(2);
  }
});

it('a campaign of real calls that is asked for in the rehearsal database is told where it is', async () => {
  const { at } = await aDesk();
  await at.run(RUN);
  const { err } = await at.run(['run', 'leads', ...SIMULATED]);
  // `leads` is a campaign: its list is leads.csv.
  expect(err).toBe(
    `callsheet: No campaign "leads" is in ${at.path('data/simulated.db')}; it is one of real calls, in ${at.path('data/callsheet.db')}.\n` +
      `  next: \`npx callsheet status leads --db ${at.path('data/callsheet.db')}\` shows it; other commands find it with the same --db\n`,
  );
});

it.each(COMMANDS.map((row) => [row.name, row] as const))(
  'a command in a message names the database that a flag named, if it has one: %s',
  async (name, row) => {
    const hasDatabase = 'db' in (await row.load()).options;
    const io = fakeIo({ cwd: tempFolder() });
    const said = pasteable(`see \`callsheet ${name} x\``, { ...io, db: 'calls.db' });
    expect(said).toBe(`see \`npx callsheet ${name} x${hasDatabase ? ' --db calls.db' : ''}\``);
  },
);

it('what doctor says names the database that a flag named', async () => {
  const at = desk();
  at.write('calls.db', 'x'.repeat(9_999));
  at.write('calls.db.dials', '');
  const { out } = await at.run(['doctor', '--db', 'calls.db']);
  expect(out).toContain('`npx callsheet restore FILE --db calls.db`');
});

const CAMPAIGN: [argv: string[], code: number, said: string][] = [
  [
    ['set', 'spring', 'concurrency', '10', 'pace', '60/min'],
    2,
    'callsheet: set "concurrency" is not key=value: "10" stands apart.\n  next: `npx callsheet set spring concurrency=10 pace=60/min`\n',
  ],
  [
    ['pause'],
    2,
    'callsheet: Name one campaign, or give --all; running: spring.\n  next: `npx callsheet list` shows all campaigns\n',
  ],
  [
    ['pause', '--all', 'spring'],
    2,
    'callsheet: Both "spring" and --all are given; it is one or the other.\n  next: `npx callsheet pause spring` pauses that one, `npx callsheet pause --all` every running one\n',
  ],
  [
    ['archive', 'spring'],
    2,
    'callsheet: Campaign "spring" is not done: 2 waiting to be called.\n  next: see `npx callsheet status spring` for what to do first\n',
  ],
  [['resume', 'spring'], 0, 'Campaign "spring" is running, not paused: nothing to resume.\n'],
];

it('what is asked of a campaign and cannot be is answered with the command that was meant, and without the key', async () => {
  const { at } = await aDesk();
  await at.run([...RUN, '--name', 'spring', '--limit', '1']);
  for (const [argv, code, said] of CAMPAIGN) {
    const ended = await at.run(argv, { env: {} });
    expect({ argv, code: ended.code, err: ended.err }).toEqual({ argv, code, err: said });
  }
});

it.each([
  ['suppress', 'add', '+12125550123'],
  ['suppress', 'remove', '+12125550123'],
  ['suppress', 'import', 'leads.csv'],
])('where there are only rehearsals, their database is named: %s %s', async (...argv) => {
  const at = desk();
  at.write('leads.csv', LIST);
  await at.run(['import', 'spring', 'leads.csv', ...SIMULATED]);
  const { code, err } = await at.run(argv);
  const [real, rehearsals] = [at.path('data/callsheet.db'), at.path('data/simulated.db')];
  expect(err).toBe(
    `callsheet: There is no database at ${real}, only that of rehearsals, ${rehearsals}: nobody was called for real from here.\n` +
      `  next: give --db ${rehearsals} for the rehearsals' list, or --db ${real} to begin that of real calls\n`,
  );
  expect(code).toBe(2);
});

import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { pasteable } from '../../../src/cli/terminal/output.ts';
import { desk } from '../../helpers/callsheet.ts';
import { fakeIo } from '../../helpers/fake-io.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';

const SIMULATED = ['--service', 'simulated', '--agent', 'ag_demo'];
const RUN = ['run', 'leads.csv', ...SIMULATED];
const SETTING = 'correct the value; `npx callsheet run --help` says what is allowed';

describe('results', () => {
  it('that are written into a folder that is not there make it, and say where', async () => {
    const at = desk();
    at.write('leads.csv', 'Name,Phone\nAnn,+12125550150\n');
    await at.run([...RUN, '--name', 'spring'], { clock: hastyClock(100) });
    const { code, err } = await at.run(['export', 'spring', '-o', 'new/folder/x.csv']);
    expect({ code, err }).toEqual({
      code: 0,
      err: `Results: ${at.path('new/folder/x.csv')} (1 row)\n`,
    });
  });

  it('that are new twice within a second get two files', async () => {
    const at = desk();
    at.write('leads.csv', 'Name,Phone\nAnn,+12125550150\n');
    await at.run([...RUN, '--name', 'spring'], { clock: hastyClock(100) });
    const clock = { ...hastyClock(1), now: () => Date.UTC(2026, 0, 5, 15) };
    const argv = ['export', 'spring', '--since-last'];
    expect((await at.run(argv, { clock })).err).toContain(
      'spring-new-20260105T150000Z.csv (1 row)',
    );
    expect(await at.run(argv, { clock })).toEqual({
      code: 0,
      out: '',
      err: `Results: ${at.path('data/results/spring-new-20260105T150000Z-2.csv')} (0 rows)\n`,
    });
  });
});

it('a file that shows what is allowed is named only where it is there', async () => {
  const at = desk();
  at.write('leads.csv', 'Name,Phone\nAnn,+12125550150\n');
  at.write('c.yaml', 'leads: leads.csv\nconcurency: 3\n');
  const wrong: [argv: string[], next: string][] = [
    [[...RUN, '--concurrency', '0'], SETTING],
    [['check', 'c.yaml'], 'mend the file; `npx callsheet check --help` says what is allowed'],
  ];
  for (const [argv, next] of wrong)
    expect((await at.run(argv)).err).toContain(`\n  next: ${next}\n`);
  mkdirSync(at.path('campaigns'));
  at.write('campaigns/example.yaml', '');
  for (const [argv, next] of wrong)
    expect((await at.run(argv)).err).toContain(
      `\n  next: ${next}, and campaigns/example.yaml shows every key\n`,
    );
});

it.each(COMMANDS.map((row) => [row.name, row] as const))(
  'a command in a message names the database and the services that flags named, if it has them: %s',
  async (name, row) => {
    const { options } = await row.load();
    const io = { ...fakeIo({ cwd: tempFolder() }), db: 'calls.db', services: 'my own.yaml' };
    const flags = [
      'services' in options ? " --services 'my own.yaml'" : '',
      'db' in options ? ' --db calls.db' : '',
    ];
    expect(pasteable(`see \`callsheet ${name} x\``, io)).toBe(
      `see \`npx callsheet ${name} x${flags.join('')}\``,
    );
  },
);

it('the next step of a campaign whose service is in a file of its own works as it is printed', async () => {
  const service = await voiceServer();
  const at = desk({ KEY: 'k' });
  at.write('own.yaml', `mine: { url: '${service.url}', keyEnv: KEY }\n`);
  at.write('leads.csv', 'Name,Phone\nAnn,+12125550150\n');
  const argv = ['import', 'spring', 'leads.csv', '--agent', 'ag_1', '--service', 'mine'];
  const { err } = await at.run([...argv, '--services', 'own.yaml']);
  const [, next = ''] = /npx callsheet (run spring[^`]*)`/.exec(err) ?? [];
  expect((await at.run(next.split(' '))).err).toContain('1 to call now');
});

it('what doctor says names the database that a flag named', async () => {
  const at = desk();
  at.write('calls.db', 'x'.repeat(9_999));
  at.write('calls.db.dials', '');
  const { out } = await at.run(['doctor', '--db', 'calls.db']);
  expect(out).toContain('`npx callsheet restore FILE --db calls.db`');
});

it('the next step after a check of a profile is ready to be pasted', async () => {
  const at = desk();
  at.write("Al's own.yaml", readFileSync('campaigns/profiles/bland.yaml', 'utf8'));
  const { err } = await at.run(['profile', 'check', "./Al's own.yaml"]);
  expect(err).toContain("profile try './Al'\\''s own.yaml' --samples DIR`");
});

it('a number with the word for its place is taken without it', async () => {
  const at = desk();
  at.write('leads.csv', 'Name,Phone\nAnn,+1 (212) 555-0150 (home)\n');
  const { err } = await at.run(['check', 'leads.csv', ...SIMULATED]);
  expect(err).toContain('as +12125550150 ("home" taken off)');
});

it('which of two columns is called first is answered by its name, too', async () => {
  const at = desk();
  at.write('leads.csv', '+12125550150,+12125550160\n+12125550151,+12125550161\n');
  const argv = ['check', 'leads.csv', '--json', ...SIMULATED];
  const { out, err, code } = await at.run(argv, { typed: 'column_2\n' });
  expect(err).toContain(
    'column 1 "column_1", column 2 "column_2"; only you can say which one to call first',
  );
  expect(code).toBe(0);
  const { lists: found } = JSON.parse(out) as { lists: { phoneColumn: string }[] };
  expect(found[0]?.phoneColumn).toBe('column_2');
});

import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { desk } from '../../helpers/callsheet.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';

const SIMULATED = ['--service', 'simulated', '--agent', 'ag_demo'];
const RUN = ['run', 'leads.csv', ...SIMULATED];
const SETTING = 'correct the value; `npx callsheet run --help` says what is allowed';
const OVERVIEW = 'see `npx callsheet --help`';

describe('what is mistyped', () => {
  it.each<[argv: string[], said: string, next: string]>([
    [
      ['--verison'],
      '"--verison" is not an option of callsheet; did you mean `npx callsheet --version`?',
      OVERVIEW,
    ],
    [
      ['--hlep'],
      '"--hlep" is not an option of callsheet; did you mean `npx callsheet --help`?',
      OVERVIEW,
    ],
    [['verison'], '"verison" is not a command; did you mean `npx callsheet --version`?', OVERVIEW],
    [['runn', 'leads.csv'], '"runn" is not a command; did you mean "run"?', OVERVIEW],
    [['supress', 'add', '1'], '"supress" is not a command; did you mean "suppress add"?', OVERVIEW],
    [['agent', 'list'], '"agent" is not a command; did you mean "agents list"?', OVERVIEW],
    [
      [...RUN, '--concurrency', '-3'],
      '--concurrency "-3" is not a whole number from 1 to 10,000.',
      SETTING,
    ],
    [[...RUN, '--format', 'pdf'], '--format "pdf" is not csv, excel, xlsx or jsonl.', SETTING],
    [
      [...RUN, '--set', 'polling.floor=5'],
      '--set polling.floor "5" is not a duration from 10ms to 1h, such as 50ms, 5s, 10m, 2h or 1d.',
      SETTING,
    ],
    [
      [...RUN, '-o', 'r.pdf'],
      'The results file "{cwd}/r.pdf" ends in .pdf, and results are written as .csv, .xlsx or .jsonl; name a file that ends in one of these, or say with --format which of csv, excel, xlsx and jsonl to write.',
      SETTING,
    ],
    [
      [...RUN, '--limit', 'x'],
      '--limit "x" is not a whole number from 1 to 1000000000.',
      'correct the value; `npx callsheet run --help` says what is allowed',
    ],
    [
      ['simulate', '--port', 'x'],
      '--port "x" is not a whole number from 0 to 65535.',
      'correct the value; `npx callsheet simulate --help` says what is allowed',
    ],
    [
      ['leads.csv', 'run'],
      '"leads.csv" is not a command, and the command comes first; did you mean `npx callsheet run leads.csv`?',
      OVERVIEW,
    ],
    [
      ['run', 'leads.csv', '--concurrency'],
      '--concurrency needs a value (calls in progress at once (1 to 10,000); default 5).',
      'see `npx callsheet run --help`',
    ],
    [
      ['import', '', 'leads.csv'],
      '<campaign> is empty; it is `npx callsheet import <campaign> <list>`.',
      'see `npx callsheet import --help`',
    ],
    [
      ['suppress', 'add', '+12125550123', '+12125550124'],
      '"+12125550124" is one word too many for `npx callsheet suppress add <number>`.',
      'give one number; several go in by a file: `npx callsheet suppress import FILE`, and options are in `npx callsheet suppress add --help`',
    ],
    [
      ['suppress', 'add', '+1212555', '--db', 'new.db'],
      'The number "+1212555" has 7 digits, too few for a phone number (short and emergency numbers are never called); digits are missing in it.',
      'give all of its digits: +, country code, area code and number, e.g. +12125550123',
    ],
    [
      ['call', '5550123', ...SIMULATED],
      'The number "5550123" has no + and country code; pass --country with the two-letter code it belongs to, or write it with +.',
      'give all of its digits: +, country code, area code and number, e.g. +12125550123',
    ],
  ])(
    'is answered with the nearest or with what is allowed, and a command to go on with: %j',
    async (argv, said, next) => {
      const at = desk();
      at.write('leads.csv', 'Name,Phone\nAnn,+12125550150\n');
      const { code, err } = await at.run(argv);
      expect(err).toBe(`callsheet: ${said.replaceAll('{cwd}', at.cwd)}\n  next: ${next}\n`);
      expect(code).toBe(2);
    },
  );

  it.each(COMMANDS.map(({ name, usage }) => [name, usage] as const))(
    'is answered with the nearest option of every command: %s --verison',
    async (name, usage) => {
      const needed = [...usage.matchAll(/<[^>]+>/g)].map(() => 'x');
      const { code, err } = await desk().run([...name.split(' '), ...needed, '--verison']);
      expect(code).toBe(2);
      expect(err).toContain(
        `--verison is not an option of \`npx callsheet ${name}\`; did you mean \`npx callsheet --version\`?`,
      );
    },
  );
});

describe('results', () => {
  it('that are asked for by a name, an ending or a folder that cannot be are refused with what can', async () => {
    const at = desk();
    at.write('leads.csv', 'Name,Phone,Email\nAnn,+12125550150,ann@example.com\n');
    await at.run([...RUN, '--name', 'spring'], { clock: hastyClock(100) });
    const help = (command: string) =>
      `correct the value; \`npx callsheet ${command} --help\` says what is allowed`;
    const cases: [argv: string[], said: RegExp | string, next: string][] = [
      [
        ['export', 'spring', '--columns', 'email'],
        'There is no column "email"; did you mean "Email"?',
        'give --columns with names of these, separated by commas: Name, Phone, Email, call_phone,',
      ],
      [
        ['export', 'spring', '--columns', 'nothing'],
        'There is no column "nothing".',
        'give --columns with names of these',
      ],
      [
        ['export', 'spring', '--only', 'anwered'],
        '--only "anwered" is not a result; did you mean "answered"?',
        help('export'),
      ],
      [
        ['cancel', 'spring', '--lead', '12'],
        '--lead "12" has',
        'give the number as in the column call_phone of the results',
      ],
      [
        ['profile', 'check', 'vappi'],
        'There is no profile "vappi" (did you mean "vapi"?); looked for ',
        'give the path of a profile, or one of bland,',
      ],
      [
        ['export', 'spring', '-o', 'x.html'],
        '-o "x.html" is a web page by its name: `npx callsheet report` writes that;',
        help('export'),
      ],
      [
        ['export', 'spring', '-o', 'x.pdf'],
        '-o "x.pdf" ends in .pdf, and results are written as .csv, .xlsx or .jsonl; name a file that ends in one of these,',
        help('export'),
      ],
      [
        ['export', 'spring', '--captured-leads', '-o', 'x.ods'],
        '-o "x.ods" ends in .ods, and results are written',
        help('export'),
      ],
      [
        ['report', 'spring', '-o', 'x.pdf'],
        '-o "x.pdf" ends in .pdf, and a report is a web page; name a file that ends in .html',
        help('report'),
      ],
      [
        ['export', 'spring', '-o', 'leads.csv/x.csv'],
        `The results file ${at.path('leads.csv/x.csv')} cannot be there: a part of its path is a file, not a folder`,
        'name a file in a folder that you may write to with -o, or -o - for the standard output',
      ],
      [
        ['set', 'spring', 'concurency=3'],
        'set: "concurency" is not a key; did you mean "concurrency"?',
        help('set'),
      ],
      [
        ['set', 'spring', 'concurrency=0'],
        'set concurrency "0" is not a whole number from 1 to 10,000.',
        help('set'),
      ],
    ];
    for (const [argv, said, next] of cases) {
      const { code, err } = await at.run(argv);
      expect(err).toContain(`callsheet: ${said}`);
      expect(err).toContain(`\n  next: ${next}`);
      expect(code).toBe(2);
    }
    expect(at.has('x.pdf')).toBe(false);
  });

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
    const argv = ['export', 'spring', '--new'];
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

it('a service that no file names is answered with the file that is not there, and what writes it', async () => {
  const at = desk();
  at.write('leads.csv', 'Name,Phone\nAnn,+12125550150\n');
  at.write('c.yaml', 'leads: leads.csv\nservice: nosuch\nagent: a\n');
  const give = 'give --service-url URL --profile NAME';
  expect((await at.run(['run', 'leads.csv', '--service', 'simulatd'])).err).toBe(
    'callsheet: There is no service "simulatd", as there is no campaigns/services.yaml; did you mean "simulated"?\n' +
      `  next: correct the name, or \`npx callsheet init\` writes that file, or ${give}\n`,
  );
  expect((await at.run(['run', 'c.yaml'])).err).toBe(
    'callsheet: c.yaml:2: There is no service "nosuch", as there is no campaigns/services.yaml; without it there is only simulated.\n' +
      `  next: \`npx callsheet init\` writes that file, or ${give}\n`,
  );
});

it('a services file that is no YAML is told by the first place that is none', async () => {
  const at = desk();
  at.write('s.yaml', 'main\n  url: a: b\n[{\nmain: {\nmain: x\n');
  const { code, err } = await at.run([
    'agents',
    'list',
    '--service',
    'main',
    '--services',
    's.yaml',
  ]);
  expect(err.match(/this is not YAML/g)).toHaveLength(1);
  expect(err).toMatch(/^callsheet: s\.yaml:1:1: this is not YAML/);
  expect(code).toBe(2);
});

it('an address that is none is repeated, but for a password in it', async () => {
  const at = desk();
  at.write('leads.csv', 'Name,Phone\nAnn,+12125550150\n');
  const given = ['--agent', 'a', '--list', 'leads.csv', '--key-file', 'k', '--rules', 'always'];
  const url = 'ftp://me:secret@voice.example.com';
  const { err } = await at.run(['init', '--service-url', url, ...given]);
  expect(err).toContain('--service-url "ftp://…@voice.example.com" is not an address');
});

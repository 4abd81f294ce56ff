import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { desk, type Desk } from '../../helpers/callsheet.ts';

const SIMULATED = ['--service', 'simulated', '--agent', 'ag_demo'];
const GOOD =
  'Name,Phone,Email\nAnn,+12125550150,ann@example.com\nBen,+12125550151,ben@example.com\n';

/** A desk with lists, with folders, and with a link that leads to itself. */
function lists(): Desk {
  const at = desk();
  at.write('leads.csv', GOOD);
  at.write('two.csv', 'A,A,Name\n+12125550150,+12125550160,Ann\n+12125550151,+12125550161,Ben\n');
  for (const folder of ['folder', 'bare']) mkdirSync(at.path(folder));
  at.write('folder/may.csv', GOOD);
  at.write('folder/wrong.yaml', 'name: june\nleads: mai.csv\n');
  at.write('bare.yaml', 'concurrency: 3\n');
  symlinkSync('loop.csv', at.path('loop.csv'));
  return at;
}

it.each<[argv: string[], said: string]>([
  [
    ['run', 'bare'],
    'No campaign "bare" is in {cwd}/data/simulated.db; {cwd}/bare is a folder, not a list.\n  next: give a file: no list (.csv, .xlsx and the like) is in that folder',
  ],
  [
    ['run', 'folder'],
    'No campaign "folder" is in {cwd}/data/simulated.db; {cwd}/folder is a folder, not a list.\n  next: give one of the lists in it, e.g. {cwd}/folder/may.csv',
  ],
  [
    ['import', 'spring', 'folder'],
    '{cwd}/folder is a folder, not a list.\n  next: give one of the lists in it, e.g. {cwd}/folder/may.csv',
  ],
  [
    ['import', 'spring', 'nothing'],
    'There is no list at {cwd}/nothing.\n  next: check the path; a campaign is named without folder and ending',
  ],
  [
    ['check', 'loop.csv'],
    'The list {cwd}/loop.csv is a link that leads back to itself (ELOOP).\n  next: name the file itself',
  ],
  [
    ['check', 'leads.csv/x.csv'],
    'The list {cwd}/leads.csv/x.csv cannot be there: a part of its path is a file, not a folder (ENOTDIR).\n  next: check the path; a relative one starts in the current folder',
  ],
  [
    ['check', 'leads.cvs'],
    'There is no list at {cwd}/leads.cvs; did you mean {cwd}/leads.csv?\n  next: check the path; a campaign is named without folder and ending',
  ],
  [
    ['check', 'no/leads.csv'],
    'There is no list at {cwd}/no/leads.csv.\n  next: check the path: there is no folder {cwd}/no',
  ],
  [
    ['check', 'leads.csv', '--map', 'phone=Phnoe'],
    '{cwd}/leads.csv has no column "Phnoe"; did you mean "Phone"?\n  next: give --map with one of "Name", "Phone", "Email", or with its place, e.g. --map phone=#3',
  ],
  [
    ['check', 'leads.csv', '--map', 'phone=Number'],
    '{cwd}/leads.csv has no column "Number": its columns are "Name", "Phone", "Email".\n  next: give --map with one of "Name", "Phone", "Email", or with its place, e.g. --map phone=#3',
  ],
  [
    ['check', 'two.csv', '--map', 'phone=2'],
    '{cwd}/two.csv has no column "2": its columns are "A", "A", "Name".\n  next: a column is given by its place with a #: --map phone=#2',
  ],
  [
    ['check', 'two.csv', '--map', 'phone=A (2)'],
    '{cwd}/two.csv has no column "A (2)": its columns are "A", "A", "Name".\n  next: a column is given by its place with a #: --map phone=#2',
  ],
  [
    ['check', 'leads.csv', '--map', 'phone=Email'],
    '{cwd}/leads.csv: none of 2 rows has a number that can be called.\n  line 2: "ann@example.com" is not a phone number; write it with + and country code\n  next: mend these rows, or give a column other than "Email" with --map phone="NAME"',
  ],
  ...['check leads.csv', 'run leads.csv', 'import spring leads.csv'].map(
    (command): [string[], string] => [
      [...command.split(' '), '--sheet', 'Leads'],
      '--sheet "Leads": leads.csv is no workbook, and only a workbook (.xlsx) has sheets.\n  next: leave --sheet out, or give the workbook',
    ],
  ),
  [
    ['run', 'bare.yaml'],
    'bare.yaml has no `leads`, and there is no campaign "bare" yet that it could change.\n  next: write `leads: LIST` into it; a relative path starts in {cwd}',
  ],
  ...['run', 'check'].map((verb): [string[], string] => [
    [verb, 'folder/wrong.yaml'],
    'folder/wrong.yaml:2: there is no list at {cwd}/folder/mai.csv; did you mean {cwd}/folder/may.csv?\n  next: mend `leads` in folder/wrong.yaml; a relative path in it starts in its own folder {cwd}/folder',
  ]),
])('%j is answered with place, value, what is allowed and the next step', async (argv, said) => {
  const at = lists();
  const { code, err, out } = await at.run([...argv, ...SIMULATED]);
  expect({ code, out, err }).toEqual({
    code: 2,
    out: '',
    err: `callsheet: ${said.replaceAll('{cwd}', at.cwd)}\n`,
  });
  expect(at.has('data')).toBe(false);
});

it.each([
  [
    '+1 800 555 0150',
    'is a toll-free number, which is not called here; give a direct number, or let such numbers in with --set numbers.tollFree=accept',
  ],
  [
    '+1 212 555 0150 (only mornings)',
    'is not a phone number; leave the number alone in its cell, without words',
  ],
  ['+99 12', 'is not a phone number; correct it'],
  ['mail', 'is not a phone number; write it with + and country code'],
])('a number that is not taken is told with the way to have it taken: %s', async (cell, said) => {
  const at = desk();
  at.write('leads.csv', `Name,Phone\nAnn,+12125550150\nBen,${cell}\n`);
  const { code, err } = await at.run(['check', 'leads.csv', ...SIMULATED]);
  expect(code).toBe(0);
  expect(err).toContain(`  line 3: "${cell}" ${said}\n`);
});

it('a number with the word for its place is taken without it', async () => {
  const at = desk();
  at.write('leads.csv', 'Name,Phone\nAnn,+1 (212) 555-0150 (home)\n');
  const { err } = await at.run(['check', 'leads.csv', ...SIMULATED]);
  expect(err).toContain('as +12125550150 ("home" taken off)');
});

it.each(['2', '#2', 'column_2'])(
  'which of two columns is called first is answered by its number or its name: %s',
  async (typed) => {
    const at = desk();
    at.write('leads.csv', '+12125550150,+12125550160\n+12125550151,+12125550161\n');
    const argv = ['check', 'leads.csv', '--json', ...SIMULATED];
    const { out, err, code } = await at.run(argv, { typed: `${typed}\n` });
    expect(err).toContain(
      'column 1 "column_1", column 2 "column_2"; only you can say which one to call first',
    );
    expect(code).toBe(0);
    const { lists: found } = JSON.parse(out) as { lists: { mapping: { phones: number[] } }[] };
    expect(found[0]?.mapping.phones[0]).toBe(1);
  },
);

it('a sheet of a file that is no workbook is refused where numbers are suppressed, too', async () => {
  const at = lists();
  const argv = ['suppress', 'import', 'leads.csv', '--sheet', 'Leads', '--db', 'calls.db'];
  const { code, err } = await at.run(argv);
  expect(err).toContain('--sheet "Leads": leads.csv is no workbook');
  expect(code).toBe(2);
});

import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { callingDesk, CALL } from '../../helpers/services/calling-desk.ts';
import type { Desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { zipOf } from '../../leads/read/zip-of.ts';

const [GOOD, SHIFTED, OTHER, LAST] = [0, 1, 2, 3].map(aPhone) as readonly string[] as [
  string,
  string,
  string,
  string,
];

/** The one rejects file of a desk. */
function rejectsOf(at: Desk): string {
  const [name = ''] = readdirSync(at.path('data/rejects'));
  return `data/rejects/${name}`;
}

/** Headings, a row below them, and one whose cells have moved; `A` and `B` are numbers of people. */
const MOVED: [what: string, headings: string, right: string, wrong: string][] = [
  [
    'an account number stands in the column of numbers',
    'name,account,phone,notes',
    'Al,4915123456,A,hi',
    'Smith, John,+14155550155,B,hi',
  ],
  [
    'the same, and the last cell of the row is empty',
    'name,account,phone,notes',
    'Al,4915123456,A,hi',
    'Smith,John,+14155550155,B,',
  ],
  [
    'a yes has left the column of those who must not be called',
    'phone,name,do not call,notes',
    'A,Al,,hi',
    'B,Smith, John,yes,hi',
  ],
  [
    'the same, and the last cell of the row is empty',
    'phone,name,do not call,notes',
    'A,Al,,hi',
    'B,Smith,John,yes,',
  ],
  [
    'a no has left the column of those who may be called',
    'phone,company,consent to call,notes',
    'A,Ltd,yes,hi',
    'B,Acme, Inc.,no,hi',
  ],
  ['the last headings are empty', 'phone,name,do not call,,', 'A,Al,,,', 'B,Smith, John,yes,'],
  ['no row has headings', 'A,Al,hi', 'A,Al,hi', 'Smith, John,B,hi'],
];

describe('a row with more cells than headings rings nobody', () => {
  it('wherever its cells have moved, and stands in the rejects', async () => {
    const { at, rang } = await callingDesk();
    for (const [n, [what, headings, right, wrong]] of MOVED.entries()) {
      const [good, moved] = [aPhone(2 * n), aPhone(2 * n + 1)];
      const list = [headings, right, wrong, ''].join('\n');
      at.write(`list-${n}.csv`, list.replaceAll(/\bA\b/g, good).replaceAll(/\bB\b/g, moved));
      const flags = n === 0 ? CALL : [];
      const { code, err } = await at.run(['import', 'spring', `list-${n}.csv`, ...flags]);
      const said = `line 3: the row has ${wrong.split(',').length} cells, and`;
      expect({ what, code, err }).toMatchObject({
        code: 0,
        err: expect.stringContaining(said) as string,
      });
      expect(err).toContain(
        'a comma too many has moved the cells after it; put the cell that holds one in quotes',
      );
      const [rejects = ''] = readdirSync(at.path('data/rejects')).filter((name) =>
        name.startsWith(`list-${n}-`),
      );
      expect(at.read(`data/rejects/${rejects}`).split('\r\n').at(-2)).toContain(moved);
    }

    expect(await at.run(['run', 'spring'])).toMatchObject({ code: 0 });

    expect(rang()).toEqual(MOVED.map((_, n) => aPhone(2 * n)).toSorted());
  });

  it('however the list is packed and its cells are parted', async () => {
    const { at, rang } = await callingDesk();
    const good: string[] = [];
    const listOf = (n: number) => {
      const [first, moved] = [aPhone(2 * n), aPhone(2 * n + 1)];
      good.push(first);
      return `phone,name,do not call,notes\n${first},"Al, Jr.",no,hi\n${moved},Smith, John,yes,hi\n`;
    };
    const by = (delimiter: string) => (list: string) =>
      list.replaceAll('"Al, Jr."', 'Al').replaceAll(',', delimiter);
    const lists: [name: string, as: (list: string) => string | Uint8Array][] = [
      ['plain.csv', (list) => list],
      ['irregular.csv', (list) => list.replace('"Al, Jr."', 'Al "A" X')],
      ['lines.csv', (list) => list.replaceAll('\n', '\r')],
      ['windows.csv', (list) => list.replaceAll('\n', '\r\n')],
      ['semicolon.csv', by(';')],
      ['tab.txt', by('\t')],
      ['bar.txt', by('|')],
      ['sep.csv', (list) => `sep=^\n${by('^')(list)}`],
      ['packed.csv.gz', (list) => gzipSync(list)],
      ['packed.zip', (list) => zipOf({ 'leads.csv': list })],
      ['wide.csv', (list) => Buffer.from(`\ufeff${list}`, 'utf16le')],
    ];
    for (const [n, [name, as]] of lists.entries()) {
      at.write(name, as(listOf(n)));
      const flags = n === 0 ? CALL : [];
      const { code, err } = await at.run(['import', 'spring', name, ...flags]);
      expect({ name, code, err }).toMatchObject({
        name,
        code: 0,
        err: expect.stringContaining('the row has 5 cells, and there are 4 headings') as string,
      });
    }
    expect(await at.run(['run', 'spring'])).toMatchObject({ code: 0 });
    expect(rang()).toEqual(good.toSorted());
  });
});

describe('a row rings', () => {
  it('with empty cells at its end, as many as there are, and where all rows end with a delimiter', async () => {
    const { at, rang } = await callingDesk();
    at.write('leads.csv', `phone,name\n${GOOD},Al,,\n${OTHER},Bo\n${LAST},Ed, ,\n`);
    at.write('more.csv', `phone,name\n${SHIFTED},Al,\n`);
    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });
    expect(await at.run(['run', 'more.csv', ...CALL])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([GOOD, SHIFTED, OTHER, LAST].toSorted());
  });

  it('without its last cells only where they decide nothing', async () => {
    const { at, rang } = await callingDesk();
    at.write('leads.csv', `phone,shoes,colour\n${GOOD},42\n${OTHER},43,red\n`);
    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });
    at.write('more.csv', `phone,name,do not call\n${SHIFTED},Al\n${LAST},Ed,\n`);
    const { err } = await at.run(['run', 'more.csv', ...CALL]);
    expect(err).toContain(
      'line 2: the row has 2 cells, and there are 3 headings: "do not call" is missing; fill in all cells',
    );
    expect(rang()).toEqual([GOOD, OTHER, LAST].toSorted());
  });

  it('from a column without a heading that most rows fill in', async () => {
    const { at, rang } = await callingDesk();
    at.write('leads.csv', `phone,name,\n${GOOD},Al,gold\n${OTHER},Bo,\n${LAST},Ed,tin\n`);
    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([GOOD, OTHER, LAST]);
  });
});

describe('the rejects of a list with such rows', () => {
  const list = `phone,name,do not call\n${GOOD},Al,\n${SHIFTED},Smith, John,\n${OTHER},Bo\n${LAST}\n`;

  it('hold them as they were, are refused as they are, and ring once they are mended', async () => {
    const { at, rang } = await callingDesk();
    at.write('leads.csv', list);
    await at.run(['run', 'leads.csv', ...CALL]);
    const name = rejectsOf(at);
    const rejects = at.read(name);
    const lines = rejects.split('\r\n');
    expect(lines[0]).toBe('phone,name,do not call,line,reason');
    expect(lines[1]).toMatch(new RegExp(`^\\${SHIFTED},Smith," John",,3,"the row has 4 cells`));
    expect(lines[2]).toMatch(new RegExp(`^\\${OTHER},Bo,\\(missing\\),4,"the row has 2 cells`));
    expect(lines[3]).toMatch(
      new RegExp(`^\\${LAST},\\(missing\\),\\(missing\\),5,"the row has 1 cell`),
    );

    const again = await at.run(['import', 'leads', name]);
    expect(again.err).toContain('3 rows, 0 added, 3 rejected');
    expect(await at.run(['run', 'leads'])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([GOOD]);

    const mended = rejects
      .replace('Smith," John"', '"Smith, John"')
      .replace('Bo,(missing)', 'Bo,no')
      .replace('(missing),(missing)', 'Ed,yes');
    at.write(name, mended);
    expect(await at.run(['import', 'leads', name])).toMatchObject({ code: 0 });
    expect(await at.run(['run', 'leads'])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([GOOD, SHIFTED, OTHER]);
  });

  it('bring nobody back whom --add or --sync has met in such a row', async () => {
    const { at, rang } = await callingDesk();
    const first = `phone,name,do not call\n${GOOD},Al,\n${SHIFTED},"Smith, John",\n`;
    at.write('leads.csv', first);
    await at.run(['import', 'spring', 'leads.csv', ...CALL]);
    at.write('new.csv', `phone,name,do not call\n${GOOD},Al,\n${OTHER},Bo, Jr.,\n${LAST},Ed,\n`);
    const added = await at.run(['run', 'new.csv', '--name', 'spring', '--add', '--limit', '0']);
    expect(added.code).toBe(2);
    at.write('tonight.csv', `phone,name,do not call\n${GOOD},Al,\n${SHIFTED},Smith, John,yes\n`);
    const synced = await at.run(['import', 'spring', 'tonight.csv', '--sync', '--yes']);
    expect(synced.err).toContain('0 waiting leads not on this list are cancelled');
    expect(await at.run(['run', 'new.csv', '--name', 'spring', '--add'])).toMatchObject({
      code: 0,
    });

    expect(rang()).toEqual([GOOD, LAST]);
  });
});

describe('whoever asks not to be called in such a row', () => {
  it('rings by no other list either: with a yes beside its column, in it, or in a row too short', async () => {
    const { at, rang } = await callingDesk();
    const rows = [
      `${GOOD},Al,no,a@example.com`,
      `${SHIFTED},Smith, John,yes,x`,
      `${OTHER},Smith,yes,see, below`,
      `${LAST},Smith,yes`,
    ];
    at.write('leads.csv', `phone,name,do not call,email\n${rows.join('\n')}\n`);
    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });
    at.write('more.csv', `phone\n${[SHIFTED, OTHER, LAST, aPhone(4)].join('\n')}\n`);
    expect(await at.run(['run', 'more.csv', ...CALL])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([GOOD, aPhone(4)]);
  });

  it('is suppressed with every number of a row of a file of such people', async () => {
    const { at, rang } = await callingDesk();
    const rows = [`Smith, John,x,${SHIFTED}`, `x,${OTHER}`, `Al,y,${LAST}`, 'Bo, Jr.,z,n/a'];
    at.write('out.csv', `name,note,phone\n${rows.join('\n')}\n`);
    const { code, err } = await at.run([
      'suppress',
      'import',
      'out.csv',
      '--db',
      'data/callsheet.db',
    ]);
    expect(code).toBe(1);
    expect(err).toContain('3 numbers suppressed');
    expect(err).toContain('out.csv:5: the row has 4 cells, and there are 3 headings');
    at.write('leads.csv', `phone\n${[GOOD, SHIFTED, OTHER, LAST].join('\n')}\n`);
    expect(await at.run(['run', 'leads.csv', ...CALL])).toMatchObject({ code: 0 });
    expect(rang()).toEqual([GOOD]);
  });
});

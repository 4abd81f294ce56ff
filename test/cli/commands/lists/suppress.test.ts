import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk, rowsOf } from '../../../helpers/callsheet.ts';
import { aDesk, PHONES, RUN } from '../desk.ts';

const DB = ['--db', 'data/callsheet.db'];

describe('suppress', () => {
  it('keeps a number from being called, says why in the results, and lists it', async () => {
    const { at, service } = await aDesk();
    const [phone = ''] = PHONES;
    const added = await at.run(['suppress', 'add', phone, '--note', 'by mail', ...DB]);
    expect(added.err).toBe(`${phone} is suppressed; nobody calls it.\n`);
    const { err } = await at.run(RUN);
    expect(err).toContain('1 suppressed');
    expect(service.dialled.toSorted()).toEqual(PHONES.slice(1));
    const rows = rowsOf(at.read('data/results/leads.csv'));
    expect(rows.find((row) => row['call_phone'] === phone)).toMatchObject({
      call_state: 'done',
      call_result: 'suppressed',
    });
    expect((await at.run(['suppress', 'list'])).out).toMatch(
      /^number +since +until +by +note\n\+\d+ +\d{4}-\d\d-\d\d +- +operator \(operator\) +by mail\n$/,
    );
    const one = await at.run(['suppress', 'list', phone, '--json']);
    expect(JSON.parse(one.out)).toMatchObject({
      items: [{ phone, source: 'operator', note: 'by mail' }],
    });
    const none = await at.run(['suppress', 'list', PHONES[1] ?? '']);
    expect(none.err).toContain('is not suppressed.');
  });

  it.each([
    ['add', ['123'], 'The number "123" has 3 digits, too few for a phone number'],
    ['remove', [PHONES[0] ?? ''], 'and so no suppression list.'],
    ['list', [PHONES[0] ?? ''], 'and so no suppression list.'],
    ['undo', ['--list', 'leads.csv'], 'and so no suppression list.'],
  ])('makes no database for what it refuses: %s', async (command, args, said) => {
    const { at } = await aDesk();
    const { code, err } = await at.run(['suppress', command, ...args, '--db', 'new.db']);
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
    expect(existsSync(at.path('new.db'))).toBe(false);
  });

  it('ends who waits at once; removing it does not call them after all', async () => {
    const { at, service } = await aDesk();
    const [phone = ''] = PHONES;
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    expect((await at.run(['suppress', 'add', phone])).err).toContain('1 waiting lead ended by it.');
    expect((await at.run(['suppress', 'remove', phone])).err).toBe(
      `${phone} may be called again.\n`,
    );
    expect((await at.run(['suppress', 'remove', phone])).err).toBe(
      `${phone} was not suppressed.\n`,
    );
    await at.run(['run', 'spring', '--set', 'polling.floor=20ms']);
    expect(service.dialled.toSorted()).toEqual(PHONES.slice(1));
  });

  it('holds for a single call, too', async () => {
    const { at, service } = await aDesk();
    const [phone = ''] = PHONES;
    await at.run(['suppress', 'add', phone, ...DB]);
    const { code, err } = await at.run(['call', phone, '--agent', 'ag_1']);
    expect([code, service.dialled]).toEqual([2, []]);
    expect(err).toContain(`${phone} is on the suppression list (by the operator on `);
    expect(err).toContain(`next: \`npx callsheet suppress remove ${phone}\` lifts that`);
  });

  it('takes the numbers of a file, and says which rows have none', async () => {
    const { at } = await aDesk();
    at.write('out.csv', 'phone\n+12125550150\nn/a\n+12125550150\n');
    const ended = await at.run(['suppress', 'import', 'out.csv', ...DB, '--json']);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain(`${at.path('out.csv')}:3: the phone cell is "n/a"`);
    expect(ended.err).toContain('1 cell without a number that can be read.');
    expect(JSON.parse(ended.out)).toMatchObject({
      ...{ added: 1, leads: 0, unread: 1 },
      problems: [{ line: 3, text: expect.stringContaining('"n/a"') as string }],
    });
    const again = await at.run(['suppress', 'import', 'out.csv']);
    expect(again.err).toContain('0 numbers suppressed, 1 were already.');
  });

  it('makes no database for a file that cannot be read', async () => {
    const at = desk();
    at.write('empty.csv', '');
    at.write('prose.csv', 'name\nAl\n');
    for (const file of ['gone.csv', 'empty.csv', 'prose.csv']) {
      expect((await at.run(['suppress', 'import', file, '--db', 'new.db'])).code).toBe(2);
      expect(existsSync(at.path('new.db'))).toBe(false);
    }
  });

  it('refuses what is no number, no day, or a database that would be new by mistake', async () => {
    const { at } = await aDesk();
    const wrong = async (...argv: string[]) => (await at.run(['suppress', ...argv])).err;
    expect(await wrong('add', '+12125550100')).toContain('is this the right folder?');
    expect(await wrong('add', '212-555-0100', ...DB)).toContain('give --country');
    expect(await wrong('add', '+12125550100', '--until', 'soon', ...DB)).toContain(
      '--until "soon" is not a day such as 2026-01-05.',
    );
  });
});

describe('import', () => {
  const imported = ['import', 'spring', 'people.csv', '--agent', 'ag_1'];

  it('suppresses whoever asked for it in a column of the list, at every number', async () => {
    const { at, service } = await aDesk();
    at.write(
      'people.csv',
      'name,phone,Do Not Call\nA,+12125550100,yes\nB,+12125550101,no\nC,+12125550100,\n',
    );
    const { err } = await at.run(imported);
    expect(err).toContain('3 rows, 1 added, 1 duplicate, 1 suppressed;');
    await at.run(['run', 'spring', '--set', 'polling.floor=20ms']);
    expect(service.dialled).toEqual(['+12125550101']);
    expect((await at.run(['suppress', 'list', '+12125550100'])).out).toContain('people.csv line 2');
  });

  it('asks on a terminal which column is called, and remembers it for the next list', async () => {
    const { at, service } = await aDesk();
    at.write('people.csv', 'Mobile,Cell\n+12125550100,+12125550101\n');
    const refused = await at.run(imported);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('next: give --map phone=Mobile or --map phone=Cell');
    const { code } = await at.run(imported, { typed: '2\n' });
    expect(code).toBe(0);
    at.write('people.csv', 'Mobile,Cell\n+12125550102,+12125550103\n');
    expect((await at.run(imported)).err).toContain('numbers from "Cell" ("+12125550103")');
    await at.run(['run', 'spring', '--set', 'polling.floor=20ms']);
    expect(service.dialled.toSorted()).toEqual(['+12125550101', '+12125550103']);
  });

  it('takes a list from standard input, and calls it so', async () => {
    const { at } = await aDesk();
    const { io, ended } = at.begin(['import', 'spring', '-', '--agent', 'ag_1', '--json']);
    io.stdin.end('phone\n+12125550100\n');
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      waiting: 1,
      lists: [{ added: 1, list: { path: 'stdin' } }],
    });
    const unnamed = await at.run(['run', '-', '--agent', 'ag_1']);
    expect(unnamed.err).toContain('give the campaign one with --name');
  });

  it('names the flags again that the mended rows need', async () => {
    const { at } = await aDesk();
    at.write('people.csv', '+12125550100,A\nn/a,B\n+12125550101,C\n');
    const { err } = await at.run(imported);
    expect(err).toMatch(
      / {2}npx callsheet import spring \S+people-\S+\.csv --map phone=column_1\n/,
    );
  });
});

describe('a suppression list with a day', () => {
  const DAY_MS = 86_400_000;
  const dayBefore = (at: number, days: number) =>
    new Date(at - days * DAY_MS).toISOString().slice(0, 10);
  const LIMITED = [...RUN, '--set', 'suppression.maxAge=31d'];

  it('is needed where the campaign wants one, and may not be too old', async () => {
    const { at, service } = await aDesk();
    at.write('212.txt', '212,5550102\n');
    const load = (asOf: string) =>
      at.run(['suppress', 'import', '212.txt', '--as-of', asOf, ...DB]);
    const now = Date.now();

    const none = await at.run(LIMITED);
    expect([none.code, service.dialled]).toEqual([2, []]);
    expect(none.err).toContain(
      'The suppression list has no dated file; suppression.maxAge allows 31 days',
    );

    expect((await load(dayBefore(now, 40))).code).toBe(0);
    const old = await at.run(LIMITED);
    expect([old.code, service.dialled]).toEqual([2, []]);
    expect(old.err).toContain('(40 days old, ');
    expect(old.err).toContain('next: `npx callsheet suppress import FILE --as-of DAY`');

    expect((await load(dayBefore(now, 3))).code).toBe(0);
    expect((await at.run(LIMITED)).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES.slice(0, 2));
    expect((await at.run(['suppress', 'list'])).err).toContain(
      `A file of ${dayBefore(now, 3)} (3 days old, `,
    );
    expect((await at.run(['check', 'leads'])).err).toContain(
      'Newest file on the suppression list: of ',
    );
  });

  it('holds no import back: nobody is called by it', async () => {
    const { at } = await aDesk();
    const flags = ['--agent', 'ag_1', '--set', 'suppression.maxAge=1d'];
    expect((await at.run(['import', 'spring', 'leads.csv', ...flags])).code).toBe(0);
  });
});

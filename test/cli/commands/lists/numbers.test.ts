import { describe, expect, it } from 'vitest';
import { aDesk } from '../desk.ts';

const IMPORT = ['import', 'spring', 'people.csv', '--agent', 'ag_1'];
const RING = ['run', 'spring', '--set', 'polling.floor=20ms'];
const DB = ['--db', 'data/callsheet.db'];
const GERMAN = ['--country', 'DE'];

/** Each of these cells is a way to write +4930231250nn. */
const WAYS = [
  (n: string) => `+4930231250${n}`,
  (n: string) => `+49 30 231250${n}`,
  (n: string) => `+49.30.231250${n}`,
  (n: string) => `+49 (0) 30 231250${n}`,
  (n: string) => `+49(0)30/231250${n}`,
  (n: string) => `004930231250${n}`,
  (n: string) => `(+49) 30 231250${n}`,
  (n: string) => `Tel.: +49 30 231250${n}`,
  (n: string) => `p:+4930231250${n}`,
  (n: string) => `callto:+4930231250${n}`,
  (n: string) => `+49 30 231250${n} mobile`,
  (n: string) => `030 231250${n}`,
  (n: string) => `(030) 231250${n}`,
  (n: string) => `030/231250${n}`,
  (n: string) => `030 231250${n} / 27`,
  (n: string) => `4930231250${n}.0`,
  (n: string) => `030 231250${n} ext. 12`,
  (n: string) => `0900 5551234 / 030 231250${n}`,
  (n: string) => `030 231250${n}; 030 23125199`,
  (n: string) => `030 23125198 oder 030 231250${n}`,
];
const nth = (index: number) => String(index).padStart(2, '0');
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('who rings', () => {
  it('is exactly whom the cells mean, however they are written; what is none or two is refused by its cell', async () => {
    const { at, service } = await aDesk();
    const good = WAYS.slice(0, 16).map((way, n) => [way(nth(n)), `+4930231250${nth(n)}`]);
    const bad = ['2024-01-05', '1.234.567,00 €', '+39 (0)3123456789', '4921471012', 'AB12345678'];
    const rows = [...good.map(([cell = '']) => cell), ...bad];
    at.write('people.csv', ['phone', ...rows.map(quoted)].join('\n'));
    const { err } = await at.run([...IMPORT, ...GERMAN]);
    expect(err).toContain(`${rows.length} rows, ${good.length} added`);
    expect(err).toContain('"2024-01-05" is a date, not a phone number');
    expect(err).toContain('"4921471012" can be +494921471012 or +4921471012');
    await at.run(RING);
    expect(service.dialled.toSorted()).toEqual(good.map(([, phone]) => phone));
  });
});

describe('a suppressed number never rings', () => {
  it.each(['add', 'import', 'column'])(
    'whatever spelling it was suppressed in (%s), and whatever spelling the list has',
    async (how) => {
      const { at, service } = await aDesk();
      const cells = WAYS.map((way, n) => way(nth(n)));
      if (how === 'add') {
        for (const cell of cells)
          expect((await at.run(['suppress', 'add', cell, ...GERMAN, ...DB])).code).toBe(0);
      } else if (how === 'import') {
        at.write('out.csv', ['phone', ...cells.map(quoted)].join('\n'));
        const ended = await at.run(['suppress', 'import', 'out.csv', ...GERMAN, ...DB]);
        expect([ended.code, ended.err]).toEqual([0, expect.not.stringContaining('can be read')]);
      } else {
        const rows = cells.map((cell) => `${quoted(cell)},yes`);
        at.write('people.csv', ['phone,do not call', ...rows, '+493023125177,'].join('\n'));
        await at.run([...IMPORT, ...GERMAN]);
      }
      // Everybody again, in the spelling of the next one.
      const others = WAYS.map((way, n) => WAYS[(n + 1) % WAYS.length]?.(nth(n)) ?? way(nth(n)));
      const free = '+493023125177';
      at.write('more.csv', ['phone', ...others.map(quoted), free].join('\n'));
      // Of another campaign, so that nothing but the suppression list holds them.
      await at.run(['import', 'summer', 'more.csv', '--agent', 'ag_1', ...GERMAN]);
      await at.run(['run', 'summer', '--set', 'polling.floor=20ms']);
      const tails = WAYS.map((_, n) => `+4930231250${nth(n)}`);
      expect(service.dialled.filter((phone) => tails.includes(phone))).toEqual([]);
      expect(service.dialled).toContain(free);
    },
    30_000,
  );

  it('in either of its two readings, and the list says that there are two', async () => {
    const { at, service } = await aDesk();
    const argv = ['suppress', 'add', '4921471012', ...GERMAN, ...DB, '--json'];
    const { err, out } = await at.run(argv);
    expect(JSON.parse(out)).toMatchObject({
      phones: ['+494921471012', '+4921471012'],
      added: true,
    });
    expect(err).toContain(
      '+494921471012 and +4921471012 are suppressed; nobody calls any of them.',
    );
    expect(
      (await at.run(['suppress', 'list'])).out.match(/one of 2 that "4921471012" may be/g),
    ).toHaveLength(2);
    at.write('people.csv', 'phone\n+4921471012\n04921 471012\n+493023125177\n');
    await at.run([...IMPORT, ...GERMAN]);
    await at.run(RING);
    expect(service.dialled).toEqual(['+493023125177']);
  });

  it('because of a row that is rejected for its number, and a cell without one is told', async () => {
    const { at, service } = await aDesk();
    const asked = ['+12125550100 x45,yes', '212-555-0101 (assistant),yes', 'by mail,yes'];
    const rows = [...asked, '+12125550107,'];
    at.write('people.csv', ['phone,do not call', ...rows].join('\n'));
    const { err } = await at.run([...IMPORT, '--country', 'US']);
    expect(err).toContain('4 rows, 1 added, 3 rejected');
    expect(err).toContain(
      'line 4: asked not to be called ("do not call"), and nobody is suppressed by it',
    );
    at.write('more.csv', 'phone\n+12125550100\n+12125550101\n');
    await at.run(['import', 'spring', 'more.csv', '--agent', 'ag_1', '--add']);
    await at.run(RING);
    expect(service.dialled).toEqual(['+12125550107']);
  });
});

import { mkdirSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { START } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import { aDeskBesideAService as aDesk, SET } from '../../helpers/services/rung-since.ts';

const csv = (rows: readonly (readonly string[])[]) =>
  `${rows.map((row) => row.join(',')).join('\n')}\n`;

const PAIRS = [
  ['dates, then answers', 'Phone consent', ['2026-01-05'], ['yes', 'no', 'refused'], [0]],
  ['counts, then answers', 'No calls', ['3', '1'], ['no', 'yes'], [0]],
  ['no consent yet, then some', 'Consent to calls', ['', 'no'], ['yes', ''], [0]],
  ['consent, then none', 'Consent to calls', ['yes', 'no'], ['', 'no'], []],
] as const;

it.each(PAIRS)(
  'a column is read anew in each list: %s',
  async (_, header, first, second, rings) => {
    for (const how of ['--add', 'folder'] as const) {
      const { at, called } = await aDesk();
      const table = (from: number, cells: readonly string[]) =>
        csv([['Phone', header], ...cells.map((cell, n) => [aPhone(from + n), cell])]);
      mkdirSync(at.path('in'));
      const put = (name: string, text: string) => {
        const path = at.write(`in/${name}`, text);
        at.write(`in/${name}.done`, '');
        utimesSync(path, START / 1_000, START / 1_000);
      };
      const expected = rings.map((n) => aPhone(10 + n));
      if (how === '--add') {
        at.write('monday.csv', table(0, [...first, ...first]));
        at.write('tuesday.csv', table(10, second));
        await at.run(['run', 'monday.csv', '--name', 'c', ...SET]);
        called();
        await at.run(['run', 'tuesday.csv', '--name', 'c', '--add', ...SET]);
      } else {
        put('monday.csv', table(0, [...first, ...first]));
        await at.run(['run', './in', '--name', 'c', ...SET]);
        called();
        put('tuesday.csv', table(10, second));
        await at.run(['run', 'c', '--yes']);
      }
      expect([how, called()]).toEqual([how, expected]);
    }
  },
);

it('a list without column names reuses nothing of another one', async () => {
  const { at, called } = await aDesk();
  at.write('monday.csv', csv([[aPhone(0), 'Ann', '7']]));
  at.write('tuesday.csv', csv([[aPhone(50), 'Bob', aPhone(1)]]));
  const run = (...more: string[]) => at.run(['run', ...more, '--name', 'c', ...SET]);
  await run('monday.csv', '--map', 'phone=#1');
  expect(called()).toEqual([aPhone(0)]);

  expect(await run('tuesday.csv', '--add')).toMatchObject({
    code: 2,
    err: expect.stringContaining('2 columns of numbers that are equally good') as string,
  });
  expect(called()).toEqual([]);
  // The same bytes are the same list: what was chosen for them holds.
  expect(await run('tuesday.csv', '--add', '--map', 'phone=#3')).toMatchObject({ code: 0 });
  expect(called()).toEqual([aPhone(1)]);
  expect(await run('tuesday.csv', '--add')).toMatchObject({ code: 0 });
  expect(called()).toEqual([]);
});

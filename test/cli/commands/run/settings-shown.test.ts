import { expect, it } from 'vitest';
import { SETTING_ROWS, groupOf } from '../../../../src/config/table/settings-table.ts';
import { aDesk, json, RUN } from '../desk.ts';

interface Shown {
  settings: { key: string; value: string; from: string }[];
}

it('set with a campaign alone shows every setting and where it comes from, and changes nothing', async () => {
  const { at } = await aDesk();
  at.write('spring.yaml', 'leads: leads.csv\nagent: ag_1\nconcurrency: 3\nrules: always\n');
  expect((await at.run(['import', 'spring', 'spring.yaml'])).code).toBe(0);
  await at.run(['set', 'spring', 'pace=60/min', 'stop.calls=5', 'requests=2']);
  await at.run(['set', 'spring', 'requests=3']);

  const { settings } = (await json(at, ['set', 'spring'])) as Shown;

  const own = SETTING_ROWS.filter(
    ([key, { group }]) => group !== 'The campaign' && groupOf(key) === undefined,
  );
  expect(settings.map(({ key }) => key)).toEqual(['service', ...own.map(([key]) => key)]);
  const of = (key: string) => settings.find((one) => one.key === key);
  expect(of('longestCall')).toEqual({ key: 'longestCall', value: '15m', from: 'default' });
  expect(of('requests')).toMatchObject({ value: '3', from: 'follows concurrency' });
  expect(of('results.format')).toMatchObject({ value: 'csv', from: 'default' });
  expect(of('concurrency')?.from).toMatch(/^when it was made, \d{4}-\d\d-\d\d$/);
  expect(of('pace')?.value).toBe('60/min');
  expect(of('pace')?.from).toMatch(/^callsheet set, \d{4}-\d\d-\d\d by \S+$/);
  expect(of('stop')?.from).toMatch(/^callsheet set, /);
  const { out } = await at.run(['set', 'spring']);
  expect(out).toMatch(/^SETTING +VALUE +FROM\n/);
  expect(out).toMatch(/^pace +60\/min +callsheet set, /m);
});

it.each([
  [['set', 'leads', 'name=spring', 'pace=1/s'], 'name= is changed by itself'],
  [['cancel', 'leads', '--archive', '--lead', '+12125550100'], '--lead is about one person'],
  [['check', 'leads', '--seed', 'x'], '--seed is of a rehearsal'],
  [['report', 'leads', '--limit', '3'], '--limit counts nights'],
  [['report', 'leads', '--by', 'night', '--night', 'last'], '--night does not go with --by night'],
  [['report', 'leads', '--by', 'night', '-o', 'x.html'], '--by is not on the page of -o'],
  [['report', 'leads', '--calls', '0'], '--calls is about the page of -o FILE'],
])('%j is refused with what does not go together', async (argv, said) => {
  const { at } = await aDesk();
  await at.run([...RUN, '--limit', '1']);
  const { code, err } = await at.run(argv);
  expect([code, err]).toEqual([2, expect.stringContaining(said)]);
});

it('resume in a folder without a database knows no campaign, and takes a list', async () => {
  const { at } = await aDesk();
  const { code, err } = await at.run(['resume', 'spring', '--service', 'simulated']);
  expect([code, err]).toEqual([2, expect.stringContaining('there is no database yet')]);
  const file = await at.run(['resume', 'leads.csv', '--service', 'simulated', '--country', 'US']);
  expect([file.code, file.err]).toEqual([0, expect.stringContaining('"leads" is started')]);
});

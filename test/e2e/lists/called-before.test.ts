import { expect, it } from 'vitest';
import { DIAL_FAULTS, drawFault } from '../../../src/simulator/wire/faults.ts';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import {
  AGENT,
  KEY,
  rangTwice,
  simulatedService,
} from '../../helpers/services/simulated-service.ts';

const LOST = { '500-after': 0.15 };
const SEED = 'called-before';
const FLAGS = [
  ...['--agent', AGENT, '--concurrency', '6', '--set', 'polling.floor=20ms'],
  ...['--set', 'longestCall=1s', '--set', 'unknown.reconcileFor=1s'],
];
const phones = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => aPhone(from + n));
const csv = (numbers: readonly string[]) => `phone\n${numbers.join('\n')}\n`;

it('a second campaign with skipCalled rings nobody whom the first has called, or perhaps has', async () => {
  const service = await simulatedService({ faults: LOST, seed: SEED, fixedCallMs: 150 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  at.write('jan.csv', csv(phones(0, 20)));
  at.write('feb.csv', csv(phones(10, 40)));
  const lost = phones(0, 20).filter((phone) =>
    drawFault(DIAL_FAULTS, { faults: LOST, seed: SEED }, `dial/${phone}/1`),
  );
  expect(lost.filter((phone) => phone >= aPhone(10)).length).toBeGreaterThan(0);

  await at.run(['run', 'jan.csv', ...FLAGS]);
  expect(rowsOf(at.read('data/results/jan.csv')).map((row) => row['call_attempts'])).toEqual(
    phones(0, 20).map(() => '1'),
  );
  at.write('feb.yaml', 'leads: feb.csv\nskipCalled: 30d\n');
  const { err } = await at.run(['run', 'feb.yaml', ...FLAGS]);

  const rang = service.ledger().map((entry) => entry.phone_number);
  expect(rang.toSorted()).toEqual(phones(0, 40));
  expect(rangTwice(service.ledger())).toEqual([]);
  expect(err).toContain('20 to call now, 10 left out as called before');
  const rows = rowsOf(at.read('data/results/feb.csv')).slice(0, 10);
  for (const row of rows) {
    expect(row).toMatchObject({ call_result: 'cancelled', call_attempts: '0' });
    expect(row['call_reason']).toMatch(
      /^called_before: campaign "jan" on [-\d]+ [:\d]+ UTC \(.+\)$/,
    );
  }
  expect(rows.some((row) => row['call_reason']?.endsWith('(in doubt)'))).toBe(true);
});

it('of two campaigns that run at the same time with --skip-called only one rings a person', async () => {
  const service = await simulatedService({ fixedCallMs: 150 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  const people = phones(0, 24);
  at.write('one.csv', csv(people));
  at.write('two.csv', csv(people.toReversed()));
  const flags = [...FLAGS, '--set', 'skipCalled=ever'];
  // The database is there, and the service has answered once: both begin at once.
  at.write('first.csv', csv([aPhone(90)]));
  await at.run(['run', 'first.csv', ...flags]);
  const runs = ['one.csv', 'two.csv'].map((list) => at.begin(['run', list, ...flags]).ended);
  const ends = await Promise.all(runs);

  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect(rangTwice(service.ledger())).toEqual([]);
  expect(service.ledger()).toHaveLength(people.length + 1);
  const results = ['one', 'two'].flatMap((name) => rowsOf(at.read(`data/results/${name}.csv`)));
  expect(results.filter((row) => row['call_result'] === 'cancelled')).toHaveLength(people.length);
});

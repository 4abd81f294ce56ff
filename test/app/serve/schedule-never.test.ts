import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../helpers/callsheet.ts';

const LIST = 'phone\n+12125550101\n+12125550102\n';
const SIMULATED = ['--service', 'simulated', '--timezone', 'America/New_York'];
const HOURS = ['hours.days=mon-fri', 'hours.from=09:00', 'hours.to=18:00'].flatMap((each) => [
  '--set',
  each,
]);

/** Settings that let nobody ever be called, and what is said of them. */
const NEVER = [
  {
    what: 'a date that no year has',
    set: ['schedule=0 18 31 2 *'],
    says: /"0 18 31 2 \*" is not a schedule with a time to come/,
  },
  {
    what: 'times outside hours',
    set: ['schedule=0 22 * * 1-5'],
    says: /Nobody would ever be called: [\s\S]*"0 22 \* \* 1-5"[\s\S]*choose a schedule within the hours/,
  },
  {
    what: 'a weekend where only workdays are called',
    set: ['schedule=0 10 * * 6'],
    says: /Nobody would ever be called/,
  },
  {
    what: 'a stop before the hours',
    set: ['schedule=0 8 * * 1-5', 'stop.at=08:30'],
    says: /Nobody would ever be called[\s\S]*before stop\.at 08:30/,
  },
];

const STOPPED_BEFORE = {
  what: 'a stop before the hours, without a schedule',
  set: ['stop.at=08:30'],
  says: /Nobody would ever be called: in no night [\s\S]*before stop\.at 08:30[\s\S]*change hours or/,
};

/** Where rehearsals are kept. */
const THERE = ['--db', 'data/simulated.db'];

const settings = (set: readonly string[]) => set.flatMap((each) => ['--set', each]);

async function imported(set: readonly string[] = []): Promise<Desk> {
  const here = desk();
  here.write('spring.csv', LIST);
  const end = await here.run([
    'import',
    'spring',
    'spring.csv',
    ...SIMULATED,
    ...HOURS,
    ...settings(set),
  ]);
  expect(end).toMatchObject({ code: 0 });
  return here;
}

describe('a plan that can never call', () => {
  it.each([...NEVER, STOPPED_BEFORE])('is refused by check: $what', async ({ set, says }) => {
    const here = desk();
    here.write('spring.csv', LIST);
    const end = await here.run(['check', 'spring.csv', ...SIMULATED, ...HOURS, ...settings(set)]);
    expect(end).toMatchObject({ code: 2, err: expect.stringMatching(says) as string });
  });

  it('is refused by set, which changes nothing', async () => {
    const { set, says } = STOPPED_BEFORE;
    const here = await imported();
    const end = await here.run(['set', 'spring', ...set, ...THERE]);
    expect(end).toMatchObject({ code: 2, err: expect.stringMatching(says) as string });
  });
});

describe('a schedule that calls on some days only', () => {
  it.each([
    ['a workday once in a year', ['schedule=0 10 24 12 *']],
    ['before the hours of the same night', ['schedule=0 8 * * 1-5']],
    ['stopped after the hours began', ['schedule=0 8 * * 1-5', 'stop.at=09:30']],
  ])('is taken: %s', async (_, set) => {
    const here = await imported();
    expect(await here.run(['set', 'spring', ...set, ...THERE])).toMatchObject({ code: 0 });
    expect(await here.run(['resume', 'spring', ...THERE])).toMatchObject({ code: 0 });
  });
});

describe('a schedule that came to lie outside hours', () => {
  it('is refused by start', async () => {
    const here = await imported(['schedule=0 22 * * 1-5']);
    const end = await here.run(['resume', 'spring', ...THERE]);
    expect(end).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Nobody would ever be called/) as string,
    });
  });
});

import { expect, it } from 'vitest';
import { judged } from '../../../src/app/run/situation.ts';
import { beginsOf } from '../../../src/app/watch/begins.ts';
import { campaignView } from '../../../src/app/watch/campaigns.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign } from '../../helpers/factory.ts';

const campaign = {
  ...aCampaign({ settings: { timezone: 'UTC', schedule: '0 18 * * *' } }),
  ...({ state: 'running', pauseReason: null, pauseDetail: null, version: 1 } as const),
};
const progress = {
  ...{ total: 60, waiting: 42, calling: 0, unknown: 0, done: 18, held: 0, open: 0, doubts: 0 },
  ...{ results: { answered: 15, declined: 3 }, answered: 15, lastCallAt: null, nextDueAt: null },
  dials: { made: 50, refused: 0, inDoubt: 0, notMade: 0 },
};
const works = { runner: 'pid 7', calls: 'pid 7', since: START, by: 'the console', lostAt: null };
const read = {
  ...{
    now: START,
    campaign,
    progress,
    works,
    unfinished: undefined,
    budget: null,
    gates: [],
    serviceSlots: null,
  },
  ...{ failing: null, isListTooOld: false, end: {} },
  hours: { now: 42, later: 0, never: 0, next: null, shut: [] },
};

it('the answer rate counts calls to people who will be called again, but not calls without a result yet', () => {
  const rateOf = (more: object) =>
    campaignView({ ...judged({ ...read, progress: { ...progress, ...more } }), begins: null })
      .answerRate;
  expect(rateOf({})).toBe(0.3);
  expect(rateOf({ open: 20 })).toBe(0.5);
  // Calls, not people: who has asked for a call back has answered one.
  expect(rateOf({ open: 20, answered: 24, results: { answered: 11 } })).toBe(0.8);
  expect(rateOf({ open: 50, answered: 0 })).toBeNull();
});

it('a campaign that is called at once says no time of its schedule, nor that it calls once it is started', () => {
  const places = [{ zoneKey: 'Europe/London', waiting: 42, firstNotBefore: 0 }];
  const textOf = (more: object) => beginsOf(judged({ ...read, ...more }), [], places, false)?.text;
  expect(textOf({})).toBe('Calling now.');
  const full = { gates: [{ why: 'no_free_slot', until: null }] };
  expect(
    textOf({ ...full, progress: { ...progress, calling: 0, held: 0, open: 0 } }),
  ).toBeUndefined();
  const gone = { works: { ...works, runner: null, calls: null } };
  expect(textOf(gone)).toMatch(/^Once started again, calling goes on tonight at 18:00/);
});

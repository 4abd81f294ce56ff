import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/domain/time-units.ts';
import { zonedTime } from '../../../src/text/times.ts';
import { aPolicy, daily, LONDON } from '../../conformance/store/calling/policies.ts';
import { aCall, someRetry } from '../../conformance/store/retries.ts';
import { aRunningCampaign, CAMPAIGN, ENTRY } from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, aPhone, someSettings } from '../../helpers/factory.ts';
import { aStoreToExplain } from './asking.ts';

const STARTED = { ...ENTRY, what: 'campaign.started' };
const retry = someRetry({ after: { no_answer: 30 * HOUR_MS } });
const SETTINGS = { policy: aPolicy({ hours: daily(9, 17) }), retry };
/** START is a Monday, 15:00 in London. */
const at = (day: number, hour: number) => Date.UTC(2026, 0, 5 + day, hour);
const iso = zonedTime('America/New_York');
const told = (day: number, hour: number) => iso(at(day, hour));

async function aPersonInLondon() {
  const asked = aStoreToExplain();
  const { store } = asked;
  await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: LONDON })], settings: SETTINGS });
  await store.addHistory(CAMPAIGN, STARTED);
  return asked;
}

describe('the nights that a person waited', () => {
  it('are told before the first call, between calls and after the last one', async () => {
    const { store, story } = await aPersonInLondon();
    await aCall(store, 'no_answer', { now: at(2, 10) });
    await aCall(store, 'no_answer', { now: at(4, 10) });

    const { person, text } = await story(at(4, 20));

    expect(person.closed.map(({ times, first, last }) => [times, first.from, last.until])).toEqual([
      [2, told(0, 17), told(2, 9)],
      [2, told(2, 17), told(4, 9)],
      [1, told(4, 17), told(5, 9)],
    ]);
    expect(text).toMatch(
      /2026-01-07 12:00 {2}waited for calling hours, 2 times, at last until Fri 2026-01-09 04:00/,
    );
    expect(text).not.toContain('by the rules since');
    // A command stays whole, to be copied.
    const prose = text.split('\n').filter((line) => !line.includes('`'));
    expect(Math.max(...prose.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      '2026-01-10 11:01 America/New_York = Sat 16:01 there (retry)',
    );
  });

  it('are not counted once it is over for them', async () => {
    const { store, story } = await aPersonInLondon();
    await aCall(store, 'answered', { now: START });

    expect((await story(START + 5 * DAY_MS)).person.closed).toEqual([]);
  });

  it('end with their withdrawal', async () => {
    const { store, story } = await aPersonInLondon();
    const detail = { phone: aPhone(0) };
    await store.cancelLead(CAMPAIGN, aPhone(0), { ...ENTRY, at: at(1, 12), detail });

    const [night, ...others] = (await story(START + 5 * DAY_MS)).person.closed;

    expect(night).toMatchObject({ times: 1, last: { until: told(1, 9) } });
    expect(others).toEqual([]);
  });

  it('before a change of the hours are said to be told by the rules since', async () => {
    const { store, story } = await aPersonInLondon();
    const settings = someSettings({ ...SETTINGS, policy: aPolicy({ hours: daily(8, 20) }) });
    const detail = { 'hours mon-sun': { from: '09:00-17:00', to: '08:00-20:00' } };
    await store.changeCampaign(CAMPAIGN, { settings }, { ...STARTED, at: at(1, 12), detail });

    const { person, text } = await story(at(2, 12));

    expect(person.closed.map(({ first, changedAt }) => [first.from, changedAt])).toEqual([
      [told(0, 20), told(1, 12)],
      [told(1, 20), null],
    ]);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('(by the rules since Tue 2026-01-06 07:00)');
  });

  it('are none before the campaign was started', async () => {
    const { store, story } = aStoreToExplain();
    await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: LONDON })], settings: SETTINGS });

    expect((await story(START + 3 * DAY_MS)).person.closed).toEqual([]);
  });
});

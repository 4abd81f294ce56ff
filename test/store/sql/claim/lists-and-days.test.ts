import { describe, expect, it } from 'vitest';
import type { RetryPolicy } from '../../../../src/domain/calling/retry.ts';
import { START } from '../../../helpers/clock.ts';
import { aCampaign, aLead, aPhone, CREATED, someSettings } from '../../../helpers/factory.ts';
import { aPolicy, daily, DENVER, LONDON } from '../../../conformance/store/calling/policies.ts';
import { aCall, someRetry } from '../../../conformance/store/retries.ts';
import {
  aClaim,
  addList,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  exported,
  placed,
  settled,
} from '../../../conformance/store/setup.ts';
import { aDatabasePath, aRunningDatabase, aStore } from '../../sqlite/database.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SECOND_LIST = { id: 'list_2', sha256: 'bb22', path: 'two.csv' };
const alternatives = [{ phone: aPhone(9), zoneKey: '' }];
const claimed = async (store: ReturnType<typeof aStore>, now: number) =>
  (await store.claim(aClaim({ want: 5, now }))).intents.length;

it('a person who opts out at a number that a registry’s file has, too, is not rung at the other', async () => {
  const store = aStore(aDatabasePath());
  const alternatives = [{ phone: aPhone(1), zoneKey: '' }];
  await aRunningCampaign(store, { leads: [aLead(0, { alternatives })] });
  const entry = { phone: aPhone(1), at: START, note: null, who: 'ada', expiresAt: null };
  await store.suppress([{ ...entry, source: 'file' }]);
  await store.suppress([{ ...entry, source: 'operator' }]);

  expect(await claimed(store, START + DAY)).toBe(0);
});

it('the end of a consent that a later list names holds for somebody who had left the list', async () => {
  const { store } = await aRunningDatabase({ leads: 1 });
  await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY);
  await addList(store, CAMPAIGN, [aLead(0, { consentUntil: START + HOUR })], SECOND_LIST);
  await store.undoCancelLead(CAMPAIGN, aPhone(0), ENTRY);

  expect(await claimed(store, START + DAY)).toBe(0);
});

it.each([15, 5])(
  'a refusal until day %i holds for a person who was held until day 10 by a setting that has changed',
  async (day) => {
    const store = aStore(aDatabasePath());
    const retryAfter = (delay: number) => someRetry({ after: { no_answer: delay } });
    await aRunningCampaign(store, { leads: 1, settings: { retry: retryAfter(10 * DAY) } });
    const { attemptId } = await dialled(store, placed('call_1'));
    const result = { result: 'no_answer', source: 'service' } as const;
    await store.recordPoll(attemptId, settled('call_1', result));
    const notBefore = { at: START + day * DAY, why: 'refuses until then' };
    await addList(store, CAMPAIGN, [aLead(0, { notBefore })], SECOND_LIST);
    const settings = someSettings({ retry: retryAfter(HOUR) });
    await store.changeCampaign(CAMPAIGN, { settings }, ENTRY);

    expect(await claimed(store, START + 2 * DAY)).toBe(0);
  },
);

it.each([
  ['retries them', {}, settled('call_1', { result: 'no_answer', source: 'service' })],
  ['calls the next number', { alternatives }, settled('call_1', { result: 'invalid_number' })],
  ['keeps the time that they asked for', {}, answeredAndAsks()],
])(
  'a refusal until a day that comes while the person is on the line holds where the campaign %s',
  async (_, more, record) => {
    const store = aStore(aDatabasePath());
    const retry = someRetry({ after: { no_answer: HOUR }, alternatives: 1 });
    await aRunningCampaign(store, { leads: [aLead(0, more)], settings: { retry } });
    const { attemptId } = await dialled(store, placed('call_1'));
    const notBefore = { at: START + 5 * DAY, why: 'refuses until then' };
    await addList(store, CAMPAIGN, [aLead(0, { notBefore, ...more })], SECOND_LIST);

    await store.recordPoll(attemptId, record);

    expect(await claimed(store, START + 4 * DAY)).toBe(0);
    const [row] = await exported(store);
    expect(row?.reason).toBe('refuses until then');
    await store.changeCampaign(CAMPAIGN, { settings: someSettings({ retry }) }, ENTRY);
    expect(await claimed(store, START + 4 * DAY)).toBe(0);
    expect(await claimed(store, START + 6 * DAY)).toBe(1);
  },
);

it.each([
  ['consentUntil', 'the earlier day', [9, 2], 5],
  ['consentUntil', 'the earlier day', [2, 9], 5],
  ['notBefore', 'the later day', [2, 9], 5],
  ['notBefore', 'the later day', [9, 2], 5],
] as const)(
  'of two rows of a person in one list, %s holds with %s: %o',
  async (field, _, days, now) => {
    const store = aStore(aDatabasePath());
    const rows = days.map((day, line) => {
      const at = START + day * DAY;
      const own =
        field === 'notBefore' ? { notBefore: { at, why: 'asked' } } : { consentUntil: at };
      return aLead(0, { line: line + 2, ...own });
    });
    await aRunningCampaign(store, { leads: rows });

    expect(await claimed(store, START + now * DAY)).toBe(0);
  },
);

it('a number whose place one list does not know is called while hours are open there, as assumed, and where another list knows it', async () => {
  const store = aStore(aDatabasePath());
  const policy = aPolicy({ hours: daily(6, 20) }, { unknownZones: ['Asia/Tokyo'] });
  await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: '' })], settings: { policy } });
  await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: LONDON })], id: 'cmp_other' });
  const at = (time: string) => Date.parse(`2026-11-27T${time}Z`);

  expect(await claimed(store, at('05:00'))).toBe(0);
  expect(await claimed(store, at('12:00'))).toBe(0);
  expect(await claimed(store, at('07:00') + DAY)).toBe(1);
});

it('another time of day at which a place of the number is always closed is none: the person is called at the same time again', async () => {
  const store = aStore(aDatabasePath());
  const policy = aPolicy({ hours: daily(6, 17) }, { unknownZones: ['Asia/Tokyo'] });
  const settings = { policy, retry: someRetry({ otherTimeOfDay: true }) };
  await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: '' })], settings });
  await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: LONDON })], id: 'cmp_other' });
  const now = Date.parse('2026-11-27T07:00Z');
  await aCall(store, 'no_answer', { now });

  // Morning in Tokyo is night in London.
  expect(await claimed(store, now + 16 * HOUR)).toBe(0);
  expect(await claimed(store, now + 3 * DAY)).toBe(1);
});

describe('a number that one list knows in London and another one in Denver', () => {
  const at = (time: string) => Date.parse(`2026-11-${time}Z`);
  const rungAt = async (retry: Partial<RetryPolicy>, record: Parameters<typeof aCall>[2] = {}) => {
    const store = aStore(aDatabasePath());
    const settings = { retry: someRetry({ after: { busy: 0 }, ...retry }) };
    await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: LONDON })], settings });
    await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: DENVER })], id: 'cmp_other' });
    const result = record.callback === undefined ? 'busy' : 'answered';
    await aCall(store, result, { now: at('27T12:30'), ...record });
    return store;
  };

  it('is called once a day by the calendars of both', async () => {
    const store = await rungAt({ perDay: 1 });

    // In London it is the next day, in Denver not yet.
    expect(await claimed(store, at('28T01:00'))).toBe(0);
    expect(await claimed(store, at('28T06:59'))).toBe(0);
    expect(await claimed(store, at('28T07:00'))).toBe(1);
  });

  it('is called at another time of day by the clocks of both', async () => {
    const store = await rungAt({ otherTimeOfDay: true });

    // In London it is evening after a call in the afternoon, in Denver it is morning again.
    expect(await claimed(store, at('27T17:30'))).toBe(0);
    expect(await claimed(store, at('27T19:00'))).toBe(1);
  });

  it('is called back at a time without a zone once it is that time in both', async () => {
    const store = await rungAt({}, { callback: { said: 'at three', wall: '2026-11-28T15:00' } });

    expect(await claimed(store, at('28T15:00'))).toBe(0);
    expect(await claimed(store, at('28T21:59'))).toBe(0);
    expect(await claimed(store, at('28T22:00'))).toBe(1);
  });
});

it('a person of no known place is called back by the clock of the place that another list knows', async () => {
  const store = aStore(aDatabasePath());
  const settings = { retry: someRetry() };
  await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: '' })], settings });
  await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: DENVER })], id: 'cmp_other' });
  const callback = { said: 'at three', wall: '2026-01-06T15:00' };

  await aCall(store, 'answered', { callback });

  expect(await claimed(store, Date.parse('2026-01-06T15:00-07:00') - 1)).toBe(0);
  expect(await claimed(store, Date.parse('2026-01-06T15:00-07:00'))).toBe(1);
});

it('a rehearsal with the same phone makes it nobody else’s', async () => {
  const { store } = await aRunningDatabase({ leads: [aLead(0, { alternatives })] });
  const rehearsal = { id: 'cmp_rehearsal', name: 'rehearsal', simulated: true };
  await store.createCampaign(aCampaign(rehearsal), CREATED);
  await addList(store, rehearsal.id, [aLead(9)]);
  const entry = { phone: aPhone(9), at: START, note: null, who: 'ada', expiresAt: null };
  await store.suppress([{ ...entry, source: 'service' }]);

  expect(await claimed(store, START + DAY)).toBe(0);
});

it('a person whose first number does not exist is not called on the next one after a call to another row of theirs', async () => {
  const store = aStore(aDatabasePath());
  const person = { key: 'id c-1', name: 'Ann' };
  const settings = { retry: someRetry({ alternatives: 1 }) };
  await aRunningCampaign(store, { leads: [aLead(0, { person, alternatives })], settings });
  const { attemptId } = await dialled(store, placed('call_1'));
  await store.recordPoll(attemptId, settled('call_1', { result: 'invalid_number' }));
  await addList(store, CAMPAIGN, [aLead(1, { person })], SECOND_LIST);
  const { attemptId: other } = await claimedOne(store);
  await store.recordDial(other, placed('call_2'));
  await store.recordPoll(other, settled('call_2', { result: 'answered' }));

  expect(await claimed(store, START + DAY)).toBe(0);
});

function answeredAndAsks() {
  const callback = { said: 'in an hour', at: START + HOUR };
  return settled('call_1', { result: 'answered', callback });
}

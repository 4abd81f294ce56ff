import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';
import { aPolicy, daily, LONDON } from '../../conformance/store/calling/policies.ts';
import { aCall, ENDED, someRetry } from '../../conformance/store/retries.ts';
import {
  aClaim,
  aList,
  aPlacedCall,
  aRunningCampaign,
  aSweep,
  CAMPAIGN,
  claimedOne,
  ENTRY,
  settled,
  unknown,
} from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, aPhone, someSettings } from '../../helpers/factory.ts';
import { aStoreToExplain, runs } from './asking.ts';

const NOBODY_CALLS = expect.stringMatching(/^no process calls this campaign now/) as string;
const HERE = [aLead(0, { zoneKey: LONDON }), aLead(1, { zoneKey: LONDON })];
const ONE_A_DAY = { policy: aPolicy({ caps: [{ calls: 1, perMs: DAY_MS }] }) };

describe('why a person is not called now', () => {
  it('promises no time and names nothing where only their turn is missing', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 1 });
    await runs(store, START);

    expect(await answer(START)).toEqual({
      why: [],
      next: { at: START, now: START, by: null, after: null, holds: [] },
    });
  });

  it('is that no process calls the campaign, until one does', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 1 });

    expect(await answer(START)).toMatchObject({
      why: [NOBODY_CALLS],
      next: { after: 'once a process calls this campaign' },
    });
  });

  it('names serve where the campaign has a schedule', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 1, settings: { schedule: '0 18 * * *' } });

    expect((await answer(START)).why[0]).toMatch(
      /^no process calls this campaign now \(`callsheet serve` at its schedule, `callsheet run \S+` at once\)$/,
    );
  });

  it('is a cap of calls to the number, with the moment at which it ends', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { id: 'cmp_other', leads: HERE });
    await claimedOne(store, { campaignId: 'cmp_other' });
    await aRunningCampaign(store, { leads: HERE, settings: ONE_A_DAY });
    await runs(store, START + HOUR_MS);

    expect(await answer(START + HOUR_MS)).toMatchObject({
      why: ['own: 1 call to this number in 24 h'],
      next: { at: START + DAY_MS, by: 'own', after: null },
    });
  });

  it('is first what holds longest, however many rules hold', async () => {
    const { store, answer } = aStoreToExplain();
    const settings = { ...ONE_A_DAY, retry: someRetry() };
    await aRunningCampaign(store, { leads: HERE, settings });
    await aCall(store, 'no_answer');
    await runs(store, ENDED);

    const { why, next } = await answer(ENDED);

    expect(why[0]).toBe('own: 1 call to this number in 24 h');
    expect(why[1]).toMatch(/^retry: /);
    expect(next).toMatchObject({ at: START + DAY_MS, by: 'own' });
  });

  it('leads on to the campaign that has called last, where several wait', async () => {
    const { store, story } = aStoreToExplain();
    await aRunningCampaign(store, { leads: HERE, settings: { retry: someRetry() } });
    await aCall(store, 'no_answer');
    await aRunningCampaign(store, { id: 'cmp_other', leads: HERE });

    const { text } = await story(ENDED, false);

    const names = [...text.matchAll(/^ {2}campaign (\S+):/gm)].map(([, name]) => name);
    const called = (await store.listCampaigns()).find(({ id }) => id === CAMPAIGN)?.name;
    expect(names).toEqual([expect.not.stringMatching(`^${called}$`), called]);
    expect(text).toMatch(new RegExp(`What has happened in one of them:\\s.* --campaign ${called}`));
  });

  it.each([
    ['the delay after the result', someRetry(), ENDED + 2 * HOUR_MS],
    ['the least gap between two calls', someRetry({ gapMs: 5 * HOUR_MS }), START + 5 * HOUR_MS],
  ])('is %s, before a retry', async (_, retry, at) => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 1, settings: { retry } });
    await aCall(store, 'no_answer');
    await runs(store, ENDED);

    const { why, next } = await answer(ENDED);

    expect(why[0]).toMatch(/^retry: /);
    expect(next).toMatchObject({ at, by: 'retry' });
    expect((await store.claim(aClaim({ now: at - 1 }))).intents).toEqual([]);
    await claimedOne(store, { now: at });
  });

  it('is that they are being called, at most until the slot is free', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 1 });
    await aPlacedCall(store);

    const { why, next } = await answer(START + MINUTE_MS);

    expect(next).toBeUndefined();
    expect(why).toEqual([
      expect.stringMatching(/^they are being called since Mon 2026-01-05 10:00 .* at the latest$/),
    ]);
  });

  it('is that nobody knows whether their call was made', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 1 });
    const { attemptId } = await claimedOne(store);
    await store.recordDial(attemptId, unknown());

    const { why } = await answer(START + MINUTE_MS);

    expect(why).toEqual([
      'it is not known whether their call of Mon 2026-01-05 10:00 America/New_York was made; nobody is called again for that (`callsheet resolve cmp_spring`)',
    ]);
  });

  it('is the same for a call that was found again after its process had ended', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 1 });
    await claimedOne(store);
    const gone = await store.intentOwners(CAMPAIGN);
    expect(await store.sweep(aSweep({ now: START + HOUR_MS, gone }))).toMatchObject({
      orphaned: 1,
    });

    const { why, next } = await answer(START + HOUR_MS);

    expect(why[0]).toMatch(/^it is not known whether their call of .* was made/);
    expect(next).toBeUndefined();
  });

  it('is that it is over for them, with the result, the calls and the reason', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 2 });
    const { attemptId } = await aPlacedCall(store);
    await store.recordPoll(attemptId, settled('call_1'));
    await store.suppress([
      { phone: aPhone(1), at: START, source: 'operator', note: null, who: 'a', expiresAt: null },
    ]);

    expect(await answer(START + HOUR_MS)).toEqual({
      why: ['it is over for them, answered after 1 call'],
      next: undefined,
    });
    expect((await answer(START + HOUR_MS, 1)).why).toEqual([
      'it is over for them, suppressed without a call: on the suppression list (by the operator on 2026-01-05)',
    ]);
  });

  it('is the backoff that the service asked for, and after it the hours of the person', async () => {
    const { store, answer } = aStoreToExplain();
    const policy = aPolicy({ hours: daily(9, 16) });
    await aRunningCampaign(store, { leads: HERE, settings: { policy } });
    const { attemptId } = await claimedOne(store);
    const backoffMs = HOUR_MS;
    await store.recordDial(attemptId, { ...REFUSED, backoffMs });
    await runs(store, START + MINUTE_MS);

    const { why, next } = await answer(START + MINUTE_MS);

    expect(why).toEqual([
      'service main asked for no calls until Mon 2026-01-05 11:00 America/New_York',
    ]);
    // At 16:00 the backoff ends, and hours are closed by then.
    expect(next?.at).toBe(Date.UTC(2026, 0, 6, 9));
  });

  it('is a budget that is used up, with the night on which it goes on', async () => {
    const { store, answer } = aStoreToExplain();
    const settings = { concurrency: 5, stop: { calls: 1 } };
    await aRunningCampaign(store, { leads: 2, settings });
    await runs(store, START);
    const { attemptId } = await aPlacedCall(store);
    await store.recordPoll(attemptId, settled('call_1'));

    expect(await answer(START, 1)).toMatchObject({
      why: [
        "tonight's budget of 1 call is used up (stop.calls); goes on with the next night, Tue 2026-01-06",
      ],
      next: { at: Date.UTC(2026, 0, 6, 10), by: 'stop', after: null },
    });
    const total = someSettings({ stop: { total: { calls: 1 } } });
    await store.changeCampaign(CAMPAIGN, { settings: total }, ENTRY);
    expect(await answer(START, 1)).toMatchObject({
      next: { after: 'after another budget is set' },
    });
  });

  it('is the pace, or that no slot is free', async () => {
    const { store, answer } = aStoreToExplain();
    const pace = { count: 6, perMs: MINUTE_MS };
    await aRunningCampaign(store, { leads: 2, settings: { pace, concurrency: 1 } });
    await claimedOne(store);
    await runs(store, START + 1_000);

    expect(await answer(START + 1_000, 1)).toMatchObject({
      why: [
        'no slot is free (concurrency 1); `callsheet status cmp_spring` shows the calls',
        'the pace of 6/min allows the next call at Mon 2026-01-05 10:00 America/New_York',
      ],
      next: { at: START + 9_950, by: 'pace', after: 'once a call has ended' },
    });
  });

  it('is an import that is not finished, or a list of suppressed numbers that is too old', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 1, settings: { suppressionMaxAgeMs: DAY_MS } });
    await store.beginList(CAMPAIGN, aList({ id: 'list_2', sha256: 'bb22', path: 'more.csv' }));

    const { why, next } = await answer(START);

    expect(why).toEqual([
      expect.stringMatching(/^the suppression list is older than suppression.maxAge or a rule/),
      'the import of more.csv is not finished, and nobody is called before that',
      NOBODY_CALLS,
    ]);
    expect(next?.after).toBe('after a newer suppression list');
  });

  it('is that the campaign is over, without a time', async () => {
    const { store, answer } = aStoreToExplain();
    await aRunningCampaign(store, { leads: 1 });
    await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);

    expect(await answer(START)).toEqual({ why: ['the campaign is cancelled'], next: undefined });
  });
});

const REFUSED = {
  kind: 'released',
  reason: 'refused_without_effect',
  notBefore: 0,
  at: START + 100,
  detail: 'over capacity',
} as const;

import { describe, expect, it, onTestFinished } from 'vitest';
import { embeddedService, nightsOf } from '../../../src/app/rehearsal/perform.ts';
import { playNights } from '../../../src/app/rehearsal/play.ts';
import { DEFAULT_PROFILE, findProfile } from '../../../src/config/profiles.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { DAY_MS } from '../../../src/domain/time-units.ts';
import { FastClock, FastTime } from '../../../src/runtime/fast-time.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { openScratchStore } from '../../../src/store/sqlite/scratch/scratch-store.ts';
import { aPolicy, daily, LONDON } from '../../conformance/store/calling/policies.ts';
import { aRunningCampaign, CAMPAIGN, ME } from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, someSettings } from '../../helpers/factory.ts';

describe('the nights of a rehearsal', () => {
  it('go on until nobody waits, in the hours only', async () => {
    // START is 15:00 there.
    const policy = aPolicy({ hours: daily(15, 16) });
    const { end, scratch, settings } = await played({ policy, concurrency: 1 }, 120);
    expect(end).toBe('done');
    const calls = scratch.calls();
    expect(calls.length).toBe(120);
    expect(calls.every(({ at }) => new Date(at).getUTCHours() === 15)).toBe(true);
    const nights = nightsOf(calls, settings);
    expect(nights.length).toBeGreaterThan(1);
    expect(nights.map(({ night }) => night).slice(0, 2)).toEqual(['2026-01-05', '2026-01-06']);
  });

  it('have no more calls at once than the service takes', async () => {
    const { scratch } = await played({ concurrency: 20 }, 40, { maxCalls: 3 });
    expect(scratch.calls().length).toBe(40);
    expect(scratch.calls().filter(({ at }) => at === START).length).toBe(3);
  });

  it('begin at the times of a schedule only', async () => {
    const { end, scratch } = await played({ schedule: '0 9 * * *' }, 3);
    expect(end).toBe('done');
    // 09:00 in New York, on the day after.
    expect(scratch.calls()[0]?.at).toBe(START + DAY_MS - 3_600_000);
  });

  it('end when the suppression list is older than the campaign allows', async () => {
    const own = { suppressionMaxAgeMs: DAY_MS, policy: aPolicy({ hours: daily(15, 16) }) };
    const { end, scratch } = await played({ ...own, concurrency: 1 }, 200, {
      suppressedAsOf: START - DAY_MS / 2,
    });
    expect(end).toBe('suppression_too_old');
    expect(scratch.calls().length).toBeLessThan(200);
    expect(scratch.calls().every(({ at }) => at < START + DAY_MS / 2)).toBe(true);
  });

  it('end with people who wait where no hours are ever open', async () => {
    const { end, scratch } = await played({ policy: aPolicy({ hours: daily(9, 17) }) }, 2, {
      zoneKey: '?',
    });
    expect(end).toBe('nobody_may');
    expect(scratch.neverCalled()).toMatchObject([{ state: 'waiting', result: null, people: 2 }]);
  });

  it('stop when they are told to', async () => {
    const { end, scratch } = await played({}, 3, { stop: AbortSignal.abort() });
    expect([end, scratch.calls()]).toEqual(['stopped', []]);
  });
});

async function played(
  own: Partial<CampaignSettings>,
  people: number,
  given: {
    maxCalls?: number;
    suppressedAsOf?: number;
    zoneKey?: string;
    stop?: AbortSignal;
  } = {},
) {
  const { maxCalls = null, zoneKey = LONDON, suppressedAsOf } = given;
  const settings = someSettings(own);
  const scratch = openScratchStore();
  onTestFinished(() => scratch.store.close());
  const leads = Array.from({ length: people }, (_, n) => aLead(n, { zoneKey }));
  const campaign = await aRunningCampaign(scratch.store, { settings, leads });
  if (suppressedAsOf !== undefined) {
    const file = {
      path: 'dnc.csv',
      asOf: suppressedAsOf,
      at: START,
      who: 'operator',
      registry: null,
      areas: null,
    };
    await scratch.store.addSuppressionFile(file);
  }
  scratch.begin(CAMPAIGN);
  const time = new FastTime(new FastClock(START), 1_000);
  const here = { cwd: process.cwd(), home: process.cwd() };
  const { path, text } = findProfile(DEFAULT_PROFILE, here);
  const service = await embeddedService({
    standsFor: { name: 'main', fingerprint: 'main-1' },
    agent: settings.agent,
    profile: loadProfile(text, path),
    seed: 'spring',
    clock: time.clock,
  });
  const end = await playNights({
    store: time.watch(scratch.store),
    ...{ campaign, service, maxCalls, time, owner: ME },
    stop: given.stop ?? new AbortController().signal,
  });
  return { end, scratch, settings };
}

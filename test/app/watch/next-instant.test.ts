import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time-units.ts';
import { aPolicy, daily, DENVER, DUBAI, LONDON } from '../../conformance/store/calling/policies.ts';
import { someRetry } from '../../conformance/store/retries.ts';
import {
  aClaim,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  placed,
  settled,
} from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, aPhone } from '../../helpers/factory.ts';
import { aStoreToExplain } from './asking.ts';
import { examples } from '../../helpers/properties.ts';

const SITUATION = fc.record({
  place: fc.constantFrom(LONDON, DENVER, DUBAI, `${DENVER.split(';')[0] ?? ''}|${LONDON}`),
  opens: fc.integer({ min: 0, max: 20 }),
  hours: fc.integer({ min: 1, max: 4 }),
  calls: fc.constantFrom(1, 2),
  gapMs: fc.constantFrom(0, 3 * HOUR_MS, 26 * HOUR_MS),
  /** How many calls were not answered before. */
  past: fc.integer({ min: 0, max: 2 }),
  backoffMs: fc.constantFrom(0, 20 * MINUTE_MS, HOUR_MS),
  laterMs: fc.integer({ min: 0, max: 2 * DAY_MS }),
});

it('the next moment is that of the store, a claim then calls the person, and none before does', async () => {
  await fc.assert(
    fc.asyncProperty(SITUATION, async (given) => {
      const { store, answer } = aStoreToExplain();
      const { place, opens, hours, calls, gapMs, past, backoffMs, laterMs } = given;
      const policy = aPolicy({
        hours: daily(opens, Math.min(24, opens + hours)),
        caps: [{ calls, perMs: DAY_MS }],
      });
      const retry = someRetry({ gapMs, attempts: 9 });
      const settings = { policy, retry, longestCallMs: MINUTE_MS };
      await aRunningCampaign(store, { leads: [aLead(0, { zoneKey: place })], settings });
      let now = START;
      for (let call = 0; call < past; call++) {
        const due = (await store.nextCall(CAMPAIGN, aPhone(0), now))?.at ?? null;
        if (due === null) return;
        now = due;
        const { attemptId } = await claimedOne(store, { now });
        await store.recordDial(attemptId, placed(`call_${call}`, now));
        const end = { at: now + MINUTE_MS, result: 'no_answer', source: 'service' } as const;
        await store.recordPoll(attemptId, settled(`call_${call}`, end));
        now += MINUTE_MS;
      }
      now += laterMs;
      if (backoffMs > 0) await anotherIsRefused(store, now, backoffMs);

      const { next } = await answer(now);
      const stored = await store.nextCall(CAMPAIGN, aPhone(0), now);

      if (backoffMs === 0) expect(next?.at).toBe(stored?.at);
      const at = next?.at ?? null;
      if (at === null) return;
      expect(at).toBeGreaterThanOrEqual(Math.max(now, stored?.at ?? Infinity));
      if (at > now) expect((await store.claim(aClaim({ now: at - 1 }))).intents).toEqual([]);
      await claimedOne(store, { now: at });
    }),
    { numRuns: examples(30) },
  );
});

/** The service refuses a call of another campaign, and asks for no calls for a time. */
async function anotherIsRefused(
  store: Parameters<typeof aRunningCampaign>[0],
  now: number,
  backoffMs: number,
): Promise<void> {
  await aRunningCampaign(store, { id: 'cmp_other', leads: [aLead(7)] });
  const { attemptId } = await claimedOne(store, { campaignId: 'cmp_other', now });
  const refused = { kind: 'released', reason: 'refused_without_effect', notBefore: 0 } as const;
  await store.recordDial(attemptId, { ...refused, at: now, detail: 'over capacity', backoffMs });
}

import { describe, expect, it } from 'vitest';
import type { CallingPolicy } from '../../src/domain/calling/policy.ts';
import type { RetryPolicy } from '../../src/domain/calling/retry.ts';
import type { SaidResult } from '../../src/domain/lead.ts';
import type { PollResult } from '../../src/service/port.ts';
import { aScene } from '../helpers/campaign-run.ts';
import { START } from '../helpers/clock.ts';
import { aLead, someAnalytics } from '../helpers/factory.ts';

const HOUR = 3_600_000;

const retry: RetryPolicy = {
  attempts: 3,
  perDay: null,
  gapMs: 0,
  after: { busy: 0, no_answer: 2 * HOUR },
  otherTimeOfDay: false,
  lastDay: null,
  alternatives: null,
};

/** What the service says of a call, by what it said before of the same phone. */
const said = (result: SaidResult): PollResult => ({
  kind: 'settled',
  analytics: someAnalytics({ transcript: '', turns: [], durationMs: 0 }),
  result,
});

/** A scene whose service answers the n-th call of a phone with the n-th result, and the last one from then on. */
async function aSceneOf(
  results: SaidResult[],
  settings: { retry?: RetryPolicy; policy?: CallingPolicy },
) {
  const byCall = new Map<string, PollResult>();
  const scene = await aScene({
    leads: 2,
    settings,
    read: (callId) => {
      const { calls } = scene.service;
      const phone = calls.find((call) => call.callId === callId)?.phone;
      const nth = calls
        .filter((call) => call.phone === phone)
        .findIndex((c) => c.callId === callId);
      const answer = said(results[Math.min(nth, results.length - 1)] ?? 'answered');
      byCall.set(callId, byCall.get(callId) ?? answer);
      return byCall.get(callId);
    },
  });
  return scene;
}

/** From 14:00 to 16:00 by everybody's own clock; people whose zone is not known have that of the tests. */
function openForTwoHours(): CallingPolicy {
  const day = [[14 * 60, 16 * 60]] as const;
  const week = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day };
  const limits = { caps: [], afterConversationMs: null, afterRefusalMs: null };
  return {
    rules: [{ name: 'afternoons', hours: { week, holidays: null }, ...limits, regions: {} }],
    hours: null,
    holidays: [],
    unknownZones: ['UTC'],
    zoneOverrides: [],
    marginMs: 0,
  };
}

describe('a campaign with retry', () => {
  it('says when it goes on, also for a call that was open when only hours were left to wait for', async () => {
    const policy = openForTwoHours();
    const minutes = 10;
    const after = { busy: minutes * 60_000 };
    const settings = { retry: { ...retry, after }, policy };
    const scene = await aSceneOf(['busy'], settings);
    const list = { id: 'far', path: 'far.csv', sha256: 'far', headers: ['phone'], at: START };
    const { id } = await scene.store.beginList(scene.campaign.id, list);
    // It is the middle of the night there.
    await scene.store.addLeads(id, [aLead(50, { zoneKey: '+12:00;' })]);
    await scene.store.finishList(id, { good: 1, rejected: 0, duplicates: 0 });

    const end = await scene.run();

    expect(scene.service.dials).toHaveLength(2);
    expect(end.dispatch).toBe('later');
    expect(end.nextAt).toBeLessThan(START + (minutes + 2) * 60_000);
  });

  it('calls a busy line again in the same run where no delay is set, until it is answered', async () => {
    const scene = await aSceneOf(['busy', 'busy', 'answered'], { retry });

    const end = await scene.run();

    expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
    expect([...scene.service.rings().values()]).toEqual([3, 3]);
    const rows = await scene.rows();
    expect(rows.map(({ result, attempts }) => [result, attempts])).toEqual([
      ['answered', 3],
      ['answered', 3],
    ]);
    const keys = scene.service.dials.map(({ attemptKey }) => attemptKey);
    expect(new Set(keys).size).toBe(6);
  });

  it('ends a run with the time of the next attempt while people wait for theirs', async () => {
    const scene = await aSceneOf(['no_answer'], { retry });

    const end = await scene.run();

    const rows = await scene.rows();
    expect(rows.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    expect(end).toMatchObject({ dispatch: 'later', drained: true });
    expect(end.nextAt).toBe(Math.min(...rows.map(({ notBefore }) => notBefore)));
  });

  it('passes on from a settled call that the person asked to be called again', async () => {
    const callback = { said: 'in three hours', at: 0 };
    const scene = await aScene({
      leads: 1,
      read: () => {
        callback.at = scene.clock.now() + 3 * HOUR;
        return { kind: 'settled', analytics: someAnalytics(), result: null, callback };
      },
    });

    await scene.run();

    expect((await scene.rows())[0]).toMatchObject({ state: 'waiting', callbackAt: callback.at });
  });
});

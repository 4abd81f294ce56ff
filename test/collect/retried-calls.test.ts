import { describe, expect, it } from 'vitest';
import type { RetryPolicy } from '../../src/domain/calling/retry.ts';
import type { SaidResult } from '../../src/domain/outcome.ts';
import type { PollResult } from '../../src/service/port.ts';
import { aScene } from '../helpers/campaign-run.ts';
import { someAnalytics } from '../helpers/factory.ts';

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
async function aSceneOf(results: SaidResult[], settings: { retry?: RetryPolicy }) {
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

describe('a campaign with retry', () => {
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

  it('never calls more often than attempts says', async () => {
    const scene = await aSceneOf(['busy'], { retry });

    await scene.run();

    expect([...scene.service.rings().values()]).toEqual([3, 3]);
    expect((await scene.rows()).map(({ result }) => result)).toEqual(['busy', 'busy']);
  });

  it('calls everybody once without the setting', async () => {
    const scene = await aSceneOf(['busy'], {});

    await scene.run();

    expect([...scene.service.rings().values()]).toEqual([1, 1]);
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

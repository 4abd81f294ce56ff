import { describe, expect, it } from 'vitest';
import { aScene, type Plan } from '../../helpers/campaign-run.ts';

const RETRY_AFTER_MS = 60_000;

/** The first poll is answered with Retry-After. */
const read: Plan['read'] = (_, n) =>
  n === 0
    ? { kind: 'failed', detail: 'HTTP 429', retryAfterMs: RETRY_AFTER_MS, keyRefused: false }
    : undefined;

describe('Retry-After of a poll', () => {
  it('delays all polls, of other calls too', async () => {
    const scene = await aScene({ leads: 10, settings: { requests: 1 }, read });

    await scene.run();

    const [first, second] = scene.service.polls;
    expect(Number(second?.at) - Number(first?.doneAt)).toBeGreaterThanOrEqual(RETRY_AFTER_MS);
    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
  });

  it('holds the dials: it is the same account', async () => {
    const pace = { count: 1, perMs: 5_000 };
    const scene = await aScene({ leads: 5, settings: { pace }, read });

    await scene.run();

    const holdsFrom = Number(scene.service.polls[0]?.doneAt);
    const during = scene.service.dials.filter(
      ({ at }) => at > holdsFrom && at < holdsFrom + RETRY_AFTER_MS,
    );
    expect(during).toEqual([]);
    expect(scene.service.dials).toHaveLength(5);
    expect(scene.service.dials.at(-1)?.at).toBeGreaterThan(holdsFrom + RETRY_AFTER_MS);
  });
});

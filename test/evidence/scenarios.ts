import { aPlan, type Plan } from './plan.ts';

const lateAnalytics = { late: 0.5, never: 0.2, unreadable: 0.2, lookFails: 0.2 };

/** Twenty nights in which the same things go wrong every time; a crash is tried at every point of each. */
export const SCENARIOS: Plan[] = [
  aPlan({ seed: 'all is well', leads: 4 }),
  aPlan({ seed: 'one at a time', leads: 3, concurrency: 1, requests: 1 }),
  aPlan({ seed: 'wide open', leads: 6, concurrency: 6, requests: 6 }),
  aPlan({ seed: 'a service never proven', leads: 4, proven: false }),
  aPlan({ seed: 'a pace', leads: 4, pace: { count: 1, perMs: 1_500 } }),
  aPlan({ seed: 'two runners', leads: 4, runners: 2 }),
  aPlan({ seed: 'two runners that see no dead', leads: 4, runners: 2, seesTheDead: false }),
  aPlan({ seed: 'the dead cannot be seen', leads: 3, seesTheDead: false }),
  aPlan({ seed: 'lost requests', leads: 4, dials: { lostRequest: 0.5 } }),
  aPlan({
    seed: 'lost responses, and webhooks',
    leads: 4,
    dials: { lostResponse: 0.5 },
    webhooks: { signed: true, lost: 0.2, late: 0.3, twice: 0.5, forged: 0.3 },
  }),
  aPlan({
    seed: 'slow answers, and a list of calls',
    leads: 4,
    dials: { slowAnswer: 0.5, lostResponse: 0.4 },
    lists: { names: 'keys', misses: 0 },
  }),
  aPlan({
    seed: 'truncated answers, asked for again',
    leads: 4,
    dials: { truncated: 0.4 },
    idempotentForMs: 75_000,
  }),
  aPlan({ seed: 'refusals', leads: 4, dials: { refused: 0.5 } }),
  aPlan({
    seed: 'a storm of refusals',
    leads: 4,
    storms: [{ from: 500, to: 6_000, retryAfterMs: 2_000 }],
  }),
  aPlan({
    seed: 'failures and rejections',
    leads: 4,
    dials: { serverError: 0.2, rungServerError: 0.2, rejected: 0.2, notConnected: 0.2 },
  }),
  aPlan({ seed: 'analytics late or never', leads: 4, analytics: lateAnalytics }),
  aPlan({
    seed: 'a pause and its end',
    leads: 4,
    operator: [
      { at: 500, does: 'suppress' },
      { at: 1_000, does: 'pause' },
      { at: 6_000, does: 'resume' },
    ],
  }),
  aPlan({ seed: 'a cancel', leads: 4, operator: [{ at: 2_000, does: 'cancel' }] }),
  aPlan({ seed: 'an older copy', leads: 4, restore: { copyAt: 500, at: 5_000, how: 'backup' } }),
  aPlan({
    seed: 'a disk that is full for a while',
    leads: 3,
    disk: [{ kind: 'full', from: 1_000, to: 3_000, rate: 0.5 }],
  }),
];

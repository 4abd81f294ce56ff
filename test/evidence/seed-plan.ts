import { seededRandom, type Random } from '../../src/runtime/random.ts';
import { stretched } from './calling/calling-night.ts';
import { callingOf } from './calling/calling-plan.ts';
import { withDaysAndClocks } from './calling/days-and-clocks.ts';
import { withPersons } from './calling/persons.ts';
import { withDenials, withFewerRetries, withSecondDials } from './denials/denial-plan.ts';
import {
  aPlan,
  NO_DIAL_FAULTS,
  type Crash,
  type DialFault,
  type Plan,
  type WebhookFaults,
} from './plan.ts';

const OPERATOR = ['pause', 'pause', 'resume', 'resume', 'suppress', 'suppress', 'cancel'] as const;

/** What a seed stands for; the same for ever. */
export function planOf(seed: string): Plan {
  const random = seededRandom(`plan ${seed}`);
  const chance = (share: number) => random() < share;
  const upTo = (most: number) => Math.floor(random() * most);
  const calmAt = 20_000;
  const pick = <T>(of: readonly T[]): T => of[upTo(of.length)] as T;
  const some = <T>(share: number, most: number, make: () => T): T[] =>
    chance(share) ? Array.from({ length: 1 + upTo(most) }, make) : [];
  const span = (longest: number) => {
    const from = upTo(calmAt);
    return { from, to: from + 500 + upTo(longest) };
  };
  const leads = 2 + upTo(3);
  const copyAt = upTo(8_000);
  const plan = aPlan({
    seed,
    leads,
    runners: chance(0.3) ? 2 : 1,
    concurrency: 1 + upTo(4),
    requests: 1 + upTo(4),
    pace: chance(0.15) ? { count: 1, perMs: 1_500 } : null,
    proven: chance(0.7),
    seesTheDead: chance(0.85),
    dials: dialFaults(random),
    outages: outagesOf(seed),
    storms: some(0.25, 2, () => ({
      ...span(5_000),
      retryAfterMs: chance(0.5) ? upTo(6_000) : null,
    })),
    analytics: {
      late: chance(0.3) ? 0.3 : 0,
      never: chance(0.15) ? 0.2 : 0,
      unreadable: chance(0.2) ? 0.3 : 0,
      lookFails: chance(0.3) ? 0.3 : 0,
    },
    disk: some(0.3, 2, () => ({
      kind: chance(0.5) ? ('full' as const) : ('io' as const),
      ...span(8_000),
      rate: chance(0.5) ? 1 : 0.2,
    })),
    slowDisk: chance(0.1),
    copies: chance(0.12),
    operator: some(0.3, 3, () => ({
      at: upTo(calmAt),
      does: pick(OPERATOR),
    })),
    // Set back by an hour, a run takes that hour: few do.
    clockJumps: some(0.1, 2, () => ({
      at: upTo(calmAt),
      byMs: chance(0.7) ? 3_600_000 : chance(0.95) ? -60_000 : -3_600_000,
    })),
    freezes: some(0.15, 2, () => ({ at: upTo(12_000), forMs: chance(0.7) ? 6_000 : 150_000 })),
    restore: chance(0.12)
      ? {
          copyAt,
          at: copyAt + 1_000 + upTo(8_000),
          how: pick(['copy', 'backup', 'no journal'] as const),
        }
      : null,
    idempotentForMs: chance(0.08) ? 62_000 + upTo(20_000) : null,
    webhooks: chance(0.2) ? webhookFaults(random) : null,
    lies: liesOf(seed),
    lists: listsOf(seed),
    locks: [...locksOf(seed), ...shortLocksOf(seed)],
    calmAt,
  });
  const crashes = upTo(4);
  const point = () => 1 + upTo(leads * 18);
  plan.crashes = Array.from({ length: crashes }, () => aCrash(random, point()));
  plan.stops = some(0.15, 2, () => ({ point: point(), forMs: chance(0.8) ? 6_000 : 150_000 }));
  // Drawn last: the seeds before it go on standing for what they stood for.
  plan.unrung = chance(0.2) ? random() * 0.5 : 0;
  const calling = callingOf(seed, leads);
  takeBack(seed, plan);
  withSecondDials(seed, plan);
  if (calling === null) return withDenials(seed, plan);
  const usual = withDaysAndClocks(seed, calling);
  const persons = withPersons(seed, usual, plan.restore === null);
  return stretched(withDenials(seed, plan), withFewerRetries(seed, persons));
}

/** Drawn apart, too. */
function locksOf(seed: string): Plan['locks'] {
  const random = seededRandom(`locks ${seed}`);
  if (random() < 0.85) return [];
  const from = Math.floor(random() * 15_000);
  return [{ from, to: from + 1_000 + Math.floor(random() * 30_000) }];
}

/** Many short ones, the first when the program begins: they meet claims, answers, polls, sweeps and its end. */
function shortLocksOf(seed: string): Plan['locks'] {
  const random = seededRandom(`short locks ${seed}`);
  if (random() < 0.9) return [];
  return Array.from({ length: 2 + Math.floor(random() * 8) }, (_, i) => {
    const from = i === 0 ? 0 : Math.floor(random() * 20_000);
    return { from, to: from + 200 + Math.floor(random() * 7_000) };
  });
}

/** Half of them meet the first dials. */
function outagesOf(seed: string): Plan['outages'] {
  const random = seededRandom(`outages ${seed}`);
  if (random() < 0.9) return [];
  const from = Math.floor(random() * 2) * Math.floor(random() * 15_000);
  const how = (['refuses', 'errors', 'hangs'] as const)[Math.floor(random() * 3)] ?? 'errors';
  return [{ from, to: from + 1_000 + Math.floor(random() * 40_000), how }];
}

/** Somebody takes back people whose dials are in doubt and would be sent again. */
function takeBack(seed: string, plan: Plan): void {
  const random = seededRandom(`taken back ${seed}`);
  if (random() < 0.88) return;
  plan.idempotentForMs ??= 62_000 + Math.floor(random() * 20_000);
  plan.dials.lostResponse = Math.max(plan.dials.lostResponse, 0.2);
  plan.dials.lostRequest = Math.max(plan.dials.lostRequest, 0.3);
  const does = ['suppress', 'withdraw', 'sync'] as const;
  const events = Array.from({ length: 2 + Math.floor(random() * 4) }, () => ({
    at: Math.floor(random() * plan.calmAt),
    does: does[Math.floor(random() * does.length)] ?? 'sync',
  }));
  plan.operator = [...plan.operator, ...events];
}

/** Drawn apart: the nights of services without a list stay what they were. */
function listsOf(seed: string): Plan['lists'] {
  const random = seededRandom(`lists ${seed}`);
  if (random() < 0.7) return null;
  return { names: random() < 0.6 ? 'keys' : 'numbers', misses: random() < 0.5 ? 0 : 0.4 };
}

/** Drawn apart, as well. */
function liesOf(seed: string): Plan['lies'] {
  const random = seededRandom(`lies ${seed}`);
  const analytics = random() < 0.12 ? 0.1 + random() * 0.5 : 0;
  const ids = random() < 0.06 ? 0.1 + random() * 0.3 : 0;
  return { analytics, ids };
}

/** A crash at a point, with all else left to chance. */
export function aCrash(random: Random, point: number): Crash {
  return {
    point,
    how: random() < 0.5 ? 'kill' : 'power',
    whom: random() < 0.6 ? 'all' : 'one',
    downMs: random() < 0.8 ? Math.floor(random() * 2_000) : 180_000,
  };
}

function webhookFaults(random: Random): WebhookFaults {
  const share = () => (random() < 0.5 ? random() * 0.5 : 0);
  const [lost, late, twice, forged] = [share(), share(), share(), share()];
  return { signed: random() < 0.7, lost, late, twice, forged };
}

/** Up to three kinds of trouble at a time, so that each seed gets somewhere. */
function dialFaults(random: Random): Plan['dials'] {
  const dials = { ...NO_DIAL_FAULTS };
  const kinds = Object.keys(dials) as DialFault[];
  const count = Math.floor(random() * 4);
  for (let i = 0; i < count; i++) {
    const kind = kinds[Math.floor(random() * kinds.length)];
    if (kind !== undefined) dials[kind] = kind === 'keyRefused' ? 0.05 : random() * 0.3;
  }
  return dials;
}

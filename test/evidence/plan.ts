import { seededRandom, type Random } from '../../src/runtime/random.ts';

/** Everything that goes wrong in one run, decided beforehand by its seed. Times: ms since its begin. */
export interface Plan {
  seed: string;
  leads: number;
  runners: 1 | 2;
  concurrency: number;
  requests: number;
  pace: { count: number; perMs: number } | null;
  /** The service has answered a dial as expected before. */
  proven: boolean;
  /** A new process can see that an old one is gone. */
  seesTheDead: boolean;
  /** How often a dial meets each fate; the rest is placed and answered. */
  dials: Record<DialFault, number>;
  /** The service refuses every dial meanwhile. */
  storms: { from: number; to: number; retryAfterMs: number | null }[];
  /** How often the analytics of a call are late, never come or cannot be read, and how often a look fails. */
  analytics: { late: number; never: number; unreadable: number; lookFails: number };
  /** `rate`: how often a statement, a commit or an append fails in that time. */
  disk: { kind: 'full' | 'io'; from: number; to: number; rate: number }[];
  slowDisk: boolean;
  crashes: Crash[];
  operator: { at: number; does: 'pause' | 'resume' | 'cancel' }[];
  /** The wall clock is set by so much. */
  clockJumps: { at: number; byMs: number }[];
  /** A worker is stopped (SIGSTOP) and goes on later. */
  freezes: { at: number; forMs: number }[];
  /** The database is put back to an older copy, beside its journal as it is. */
  restore: { copyAt: number; at: number } | null;
  /** Faults stop then. */
  calmAt: number;
}

export type DialFault =
  | 'notConnected'
  | 'slowConnect'
  | 'lostRequest'
  | 'lostResponse'
  | 'slowAnswer'
  | 'truncated'
  | 'refused'
  | 'serverError'
  | 'rungServerError'
  | 'rejected'
  | 'keyRefused';

export interface Crash {
  /** At the n-th point of the run (from 1): commits, journal, requests, answers. */
  point: number;
  /** `kill`: the files stay as they are; `power`: what was not synced is lost. */
  how: 'kill' | 'power';
  /** Everybody on the machine, or only the process that is there. */
  whom: 'all' | 'one';
  downMs: number;
}

const NO_DIAL_FAULTS: Plan['dials'] = {
  notConnected: 0,
  slowConnect: 0,
  lostRequest: 0,
  lostResponse: 0,
  slowAnswer: 0,
  truncated: 0,
  refused: 0,
  serverError: 0,
  rungServerError: 0,
  rejected: 0,
  keyRefused: 0,
};

/** A run in which nothing goes wrong but what `overrides` names. */
export function aPlan(
  overrides: Partial<Omit<Plan, 'dials'>> & { seed: string; dials?: Partial<Plan['dials']> },
): Plan {
  return {
    leads: 5,
    runners: 1,
    concurrency: 2,
    requests: 2,
    pace: null,
    proven: true,
    seesTheDead: true,
    storms: [],
    analytics: { late: 0, never: 0, unreadable: 0, lookFails: 0 },
    disk: [],
    slowDisk: false,
    crashes: [],
    operator: [],
    clockJumps: [],
    freezes: [],
    restore: null,
    calmAt: 40_000,
    ...overrides,
    dials: { ...NO_DIAL_FAULTS, ...overrides.dials },
  };
}

/** What a seed stands for; the same for ever. */
export function planOf(seed: string): Plan {
  const random = seededRandom(`plan ${seed}`);
  const chance = (share: number) => random() < share;
  const upTo = (most: number) => Math.floor(random() * most);
  const calmAt = 30_000;
  const some = <T>(share: number, most: number, make: () => T): T[] =>
    chance(share) ? Array.from({ length: 1 + upTo(most) }, make) : [];
  const span = (longest: number) => {
    const from = upTo(calmAt);
    return { from, to: from + 500 + upTo(longest) };
  };
  const leads = 3 + upTo(4);
  const copyAt = upTo(15_000);
  const plan = aPlan({
    seed,
    leads,
    runners: chance(0.3) ? 2 : 1,
    concurrency: 1 + upTo(4),
    requests: 1 + upTo(4),
    pace: chance(0.15) ? { count: 1, perMs: 1_500 } : null,
    proven: chance(0.7),
    seesTheDead: chance(0.7),
    dials: dialFaults(random),
    storms: some(0.25, 2, () => ({
      ...span(8_000),
      retryAfterMs: chance(0.5) ? upTo(10_000) : null,
    })),
    analytics: {
      late: chance(0.3) ? 0.3 : 0,
      never: chance(0.15) ? 0.2 : 0,
      unreadable: chance(0.2) ? 0.3 : 0,
      lookFails: chance(0.3) ? 0.3 : 0,
    },
    disk: some(0.3, 2, () => ({
      kind: chance(0.5) ? ('full' as const) : ('io' as const),
      ...span(12_000),
      rate: chance(0.5) ? 1 : 0.2,
    })),
    slowDisk: chance(0.1),
    operator: some(0.3, 3, () => ({
      at: upTo(calmAt),
      does: chance(0.15) ? ('cancel' as const) : chance(0.5) ? ('pause' as const) : 'resume',
    })),
    // Set back by an hour, a run takes that hour: few do.
    clockJumps: some(0.1, 2, () => ({
      at: upTo(calmAt),
      byMs: chance(0.7) ? 3_600_000 : chance(0.95) ? -60_000 : -3_600_000,
    })),
    freezes: some(0.15, 2, () => ({ at: upTo(20_000), forMs: chance(0.7) ? 6_000 : 150_000 })),
    restore: chance(0.15) ? { copyAt, at: copyAt + 1_000 + upTo(15_000) } : null,
    calmAt,
  });
  const crashes = upTo(4);
  plan.crashes = Array.from({ length: crashes }, () => aCrash(random, 1 + upTo(leads * 18)));
  return plan;
}

/** A crash at a point, with all else left to chance. */
export function aCrash(random: Random, point: number): Crash {
  return {
    point,
    how: random() < 0.5 ? 'kill' : 'power',
    whom: random() < 0.6 ? 'all' : 'one',
    downMs: random() < 0.8 ? Math.floor(random() * 3_000) : 180_000,
  };
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

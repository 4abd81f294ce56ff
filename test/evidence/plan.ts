import { seededRandom, type Random } from '../../src/runtime/random.ts';
import { callingOf, type CallingPlan } from './calling/calling-plan.ts';
import { stretched } from './calling/calling-night.ts';

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
  /** Another program holds the database meanwhile. */
  locks: { from: number; to: number }[];
  /** After a crash the machine comes up with a copy of its files, as another machine would; false: the files are the same. */
  copies: boolean;
  crashes: Crash[];
  /** `suppress`: somebody asks not to be called. */
  operator: { at: number; does: 'pause' | 'resume' | 'cancel' | 'suppress' }[];
  /** The wall clock is set by so much. */
  clockJumps: { at: number; byMs: number }[];
  /** A worker is stopped (SIGSTOP) and goes on later. */
  freezes: { at: number; forMs: number }[];
  /** The same for the one that comes to the n-th point of the run, see `Crash`. */
  stops: { point: number; forMs: number }[];
  /**
   * The database is put back to an older copy: a file beside the journal as it is, a backup by `restore`, or a
   * file without the journal, which must be refused until it is there again.
   */
  restore: { copyAt: number; at: number; how: 'copy' | 'backup' | 'no journal' } | null;
  /** The service answers one key with one call for so long, ms, and its profile says so; null: neither. */
  idempotentForMs: number | null;
  webhooks: WebhookFaults | null;
  /** How often a call that was taken is ended without ringing. */
  unrung: number;
  /** How often a look is answered with the analytics of another call, and a dial with the id of another one. */
  lies: { analytics: number; ids: number };
  /** The service has a list of calls that names their keys, or their numbers only; how often it leaves one out. */
  lists: { names: 'keys' | 'numbers'; misses: number } | null;
  /** Hours, caps, retries and further numbers; null: everybody is called once, at any time. */
  calling: CallingPlan | null;
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

/** Shares of the deliveries that a service makes. */
export interface WebhookFaults {
  /** Else nobody could sign them, and what they say is read from the service. */
  signed: boolean;
  lost: number;
  /** Seconds later than usual, so that others overtake them. */
  late: number;
  twice: number;
  /** Somebody else sends one like it, with other contents. */
  forged: number;
}

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
    locks: [],
    copies: true,
    crashes: [],
    operator: [],
    clockJumps: [],
    freezes: [],
    stops: [],
    restore: null,
    idempotentForMs: null,
    webhooks: null,
    unrung: 0,
    lies: { analytics: 0, ids: 0 },
    lists: null,
    calling: null,
    calmAt: 40_000,
    ...overrides,
    dials: { ...NO_DIAL_FAULTS, ...overrides.dials },
  };
}

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
    locks: locksOf(seed),
    calmAt,
  });
  const crashes = upTo(4);
  const point = () => 1 + upTo(leads * 18);
  plan.crashes = Array.from({ length: crashes }, () => aCrash(random, point()));
  plan.stops = some(0.15, 2, () => ({ point: point(), forMs: chance(0.8) ? 6_000 : 150_000 }));
  // Drawn last: the seeds before it go on standing for what they stood for.
  plan.unrung = chance(0.2) ? random() * 0.5 : 0;
  const calling = callingOf(seed, leads);
  return calling === null ? plan : stretched(plan, calling);
}

/** Drawn apart, too. */
function locksOf(seed: string): Plan['locks'] {
  const random = seededRandom(`locks ${seed}`);
  if (random() < 0.85) return [];
  const from = Math.floor(random() * 15_000);
  return [{ from, to: from + 1_000 + Math.floor(random() * 30_000) }];
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

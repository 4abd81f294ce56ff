import type { CallingPlan } from './calling/calling-plan.ts';

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
  /** The service answers nothing meanwhile, or only errors; what it is asked for has no effect. */
  outages: { from: number; to: number; how: 'refuses' | 'errors' | 'hangs' }[];
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
  /**
   * `suppress`: somebody asks not to be called; `withdraw`: the operator takes somebody out; `sync`: a list comes on which
   * somebody is not any more. These two choose best somebody whose call was denied, or is in doubt. `deny`: the operator
   * says of such a call that it was not made, whatever is true, and perhaps takes the person out; `find`: finds the call in
   * the service's own log; `undo`: takes back that somebody was taken out; `elsewhere`: another campaign calls somebody.
   */
  operator: {
    at: number;
    does: 'pause' | 'resume' | 'cancel' | 'suppress' | 'withdraw' | 'sync' | DenialEvent;
  }[];
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

export type DenialEvent = 'deny' | 'find' | 'undo' | 'elsewhere';

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
  /** Seconds later than usual, so that others overtake them; at most so many ms, default 12,000. */
  late: number;
  lateMs?: number;
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

export const NO_DIAL_FAULTS: Plan['dials'] = {
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

/** Of the settings of a night, ms: doubts that are asked away last until the service must have forgotten a key. */
export function longestCallMsOf({ idempotentForMs }: Pick<Plan, 'idempotentForMs'>): number {
  return idempotentForMs === null ? 8_000 : 90_000;
}

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
    outages: [],
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

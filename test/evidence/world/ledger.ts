import type { E164 } from '../../../src/domain/phone.ts';
import type { Outcome } from '../calling/calling-plan.ts';

/** A request that reached the wire: when, for whom, under which idempotency key. */
export interface Request {
  at: number;
  phone: E164;
  key: string;
  /** Whether the process that sent it was told something that proves it had no effect. */
  provedWithoutEffect: boolean;
}

/** A phone that rang. */
export interface Call {
  /** What its transcript says, and no other's. */
  name: string;
  /** As the service gave it: two calls may have the same. */
  callId: string;
  phone: E164;
  key: string;
  agent: string;
  at: number;
  /** Epoch ms, by the wall clock. */
  startedAt: number;
  endsAt: number;
  /** The same by the wall clock, epoch ms. */
  endedAt: number;
  /** Infinity: its analytics never come. */
  analyticsAt: number;
  isUnreadable: boolean;
  /** How it ends, and when the person asks to be called again, epoch ms; null: as all calls of a night without hours. */
  outcome: Outcome | null;
  callbackAt: number | null;
}

/** What the service and the wire know of themselves; shares nothing with the program. Times: monotonic ms. */
export interface Ledger {
  requests: Request[];
  calls: Call[];
  /** Calls that were taken and ended without ringing. */
  unrung: { callId: string; key: string }[];
  /** Requests in an outage that a process sent although it had been told of it. */
  inVain: Request[];
  /** Most calls in progress at once. */
  mostCalls: number;
  /** Keys under which a process was told anything. */
  answers: Set<string>;
  /** Calls whose analytics were given to a process that asked. */
  given: Set<string>;
  /** Calls of which a process was told unasked. */
  told: Set<string>;
  /** By key of a dial: when the operator said that it made no call. A database that was set back may have lost it. */
  denied: Map<string, number>;
  /** Keys of dials whose calls the database knows, since when; see `Watch`. */
  found: Map<string, number>;
}

/** So long after its claim a dial may leave, with what the wall clock is read before it. */
export const PERMIT_MS = 5_500;

/** Whether nobody could know at a moment (ms) that a call was made: somebody had said that it was not, and it was not found. */
export function wasDenied({ denied, found }: Ledger, key: string, at: number): boolean {
  return (denied.get(key) ?? Infinity) <= at && (found.get(key) ?? Infinity) > at - PERMIT_MS;
}

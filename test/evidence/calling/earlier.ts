import type { CallingLimits } from '../../../src/domain/calling/policy.ts';
import type { RetryPolicy } from '../../../src/domain/calling/retry.ts';
import type { Call } from '../world/ledger.ts';
import type { CallingSettings } from './calling-plan.ts';

/** The service and the program do not agree to the second when a call was over. */
const SLACK_MS = 10_000;

/** A request as it left: whom it was for, and what its claim may have gone by. */
export interface Sent {
  /** The number by which their row is known. */
  person: string;
  /** Where the number that was dialled may have been: a list may have come meanwhile. */
  zoneKeys: string[];
  /** The zones of all places at which lists know of it, as the store says; `againstPlace` judges that. */
  clocks: string[];
  /** What the wall clock may have shown in the claim, epoch ms: spans between which it was set. */
  walls: [from: number, to: number][];
  settings: CallingSettings[];
  /** Calls whose results the store had kept when the claim was made. */
  known: ReadonlySet<string>;
}

interface Earlier {
  limits: readonly CallingLimits[];
  earlier: readonly { other: Call; was: Sent }[];
  /** The latest that the wall clock may have shown in the claim, epoch ms. */
  latest: number;
  isOne: (phone: string, other: string) => boolean;
  /** Nobody could know that this call was made. */
  isDenied: (other: Call) => boolean;
}

/** What earlier calls forbid: calls to this number by anybody, and for this person to any other. */
export function againstEarlier(
  call: Pick<Call, 'phone'>,
  sent: Pick<Sent, 'person' | 'known'>,
  { limits, earlier, latest, isOne, isDenied }: Earlier,
): string[] {
  const found: string[] = [];
  const theirs = earlier.filter(
    ({ other, was }) => other.phone === call.phone || isOne(was.person, sent.person),
  );
  for (const { caps, afterConversationMs, afterRefusalMs } of limits) {
    for (const { calls, perMs } of caps) {
      const within = theirs.filter(({ was }) => latest - firstOf(was) < perMs);
      if (within.length >= calls) found.push(`above ${calls} calls in ${perMs / 3_600_000} h`);
    }
    for (const [outcome, forMs] of [
      ['answered', afterConversationMs],
      ['declined', afterRefusalMs],
    ] as const) {
      const last = theirs.find(
        ({ other }) =>
          other.outcome === outcome &&
          sent.known.has(other.callId) &&
          latest < other.endedAt + (forMs ?? 0) - SLACK_MS,
      );
      if (last !== undefined) found.push(`too soon after ${last.other.callId} was ${outcome}`);
    }
  }
  const twice = earlier.find(
    ({ other, was }) =>
      was.person !== sent.person &&
      isOne(was.person, sent.person) &&
      other.outcome !== 'invalid_number' &&
      !isDenied(other),
  );
  if (twice !== undefined)
    found.push(`was called as ${twice.was.person} (${twice.other.callId}), too`);
  return found;
}

/** What the person's last call forbids by its result, if the store had it when the next one was claimed. */
export function againstResult(
  last: Call | undefined,
  { retry, known, latest }: Pick<Sent, 'known'> & { retry: RetryPolicy; latest: number },
): string[] {
  if (last === undefined || last.callbackAt !== null || !known.has(last.callId)) return [];
  const { outcome, callId, endedAt } = last;
  // The next number after one that does not exist.
  if (outcome === null || outcome === 'invalid_number') return [];
  const delayMs = Object.entries(retry.after).find(([result]) => result === outcome)?.[1];
  if (delayMs === undefined) return [`${callId} was ${outcome}, which is not retried`];
  if (latest >= endedAt + delayMs - SLACK_MS) return [];
  return [`sooner than the delay after ${callId}, which was ${outcome}`];
}

export function firstOf({ walls }: Sent): number {
  return Math.min(...walls.flat());
}

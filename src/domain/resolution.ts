import { plainMobile } from './same-call.ts';
import type { AttemptState } from './attempt.ts';
import { isKeptEnd, type LeadResult, type LeadState } from './lead.ts';

/**
 * How a person settles a call in doubt. `placed`: the call was made, and the person gives its call id. `not_placed`:
 * the call was not made, so the lead waits again. `unconfirmed`: nobody knows, and the lead is not called again. Later
 * evidence still overrides `not_placed` and `unconfirmed`.
 */
export const RESOLUTIONS = ['placed', 'not_placed', 'unconfirmed'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** The facts that decide whether a doubt can be settled in a certain way. */
export interface DoubtFacts {
  state: AttemptState;
  /** Epoch ms; until this time the call may still be on the line. */
  holdsUntil: number;
  /** True when the service answered the dial with a 2xx, that is, took the call. */
  accepted: boolean;
  /** True when a later attempt of the same person counts. */
  calledAgain: boolean;
  /** The last resolution by a person, or null. */
  resolution: Resolution | null;
  lead: { state: LeadState; result: LeadResult | null };
}

/** Why a doubt cannot be settled in the wanted way. */
export type ResolutionRefusal =
  | { why: 'not_in_doubt'; state: AttemptState }
  /** The call may still be on the line, until `until` (epoch ms). */
  | { why: 'too_early'; until: number }
  | { why: 'accepted' }
  | { why: 'called_again' }
  | { why: 'person_done'; result: LeadResult }
  /** The call id belongs to another attempt. */
  | { why: 'call_taken'; attemptId: string };

/** The reason why a doubt cannot be settled as `as` at `now` (epoch ms); null: it can. */
export function refusalOf(
  doubt: DoubtFacts,
  as: Resolution,
  now: number,
): ResolutionRefusal | null {
  const { state, holdsUntil, accepted, calledAgain, resolution, lead } = doubt;
  if (state !== 'unknown' && state !== 'unconfirmed') return { why: 'not_in_doubt', state };
  switch (as) {
    case 'placed':
      return null;
    case 'unconfirmed':
      // Settled as `not_placed` before, the doubt has let the person be called again, which cannot be undone.
      return calledAgain && resolution === 'not_placed' ? { why: 'called_again' } : null;
    case 'not_placed':
      if (accepted) return { why: 'accepted' };
      if (now < holdsUntil) return { why: 'too_early', until: holdsUntil };
      if (calledAgain) return { why: 'called_again' };
      // A resolution removes an end that the doubt itself has set; an end since then came from elsewhere.
      return lead.result !== null && (isKeptEnd(lead.result) || resolution === 'not_placed')
        ? { why: 'person_done', result: lead.result }
        : null;
  }
}

/** A call in a provider's own log. */
export interface LoggedCall {
  line: number;
  phone: string;
  callId: string;
  /** Epoch ms. */
  startedAt: number;
}

/** What a provider's log says about one doubt. */
type LogMatch<D> =
  | { kind: 'matched'; doubt: D; call: LoggedCall }
  | { kind: 'absent'; doubt: D }
  | { kind: 'ambiguous'; doubt: D; lines: number[] };

/** Clocks differ: by the provider's clock, a call may begin before its intent. */
const BEFORE_INTENT_MS = 60_000;

/**
 * Matches doubts with a provider's log by number and time. A doubt matches when exactly one call has its number and
 * began from a minute before its intent to `holdsUntil`, and no other doubt claims that call.
 */
export function matchLog<D extends { phone: string; intentAt: number; holdsUntil: number }>(
  doubts: readonly D[],
  log: readonly LoggedCall[],
): LogMatch<D>[] {
  const byPhone = new Map(log.map(({ phone }) => [plainMobile(phone), [] as LoggedCall[]]));
  for (const call of log) byPhone.get(plainMobile(call.phone))?.push(call);
  const candidates = doubts.map((doubt) => ({
    doubt,
    calls: (byPhone.get(plainMobile(doubt.phone)) ?? []).filter(
      ({ startedAt }) =>
        startedAt >= doubt.intentAt - BEFORE_INTENT_MS && startedAt <= doubt.holdsUntil,
    ),
  }));
  const claims = new Map<string, number>();
  for (const { calls } of candidates)
    for (const id of new Set(calls.map(({ callId }) => callId)))
      claims.set(id, (claims.get(id) ?? 0) + 1);
  return candidates.map(({ doubt, calls }): LogMatch<D> => {
    const [call] = calls;
    if (call === undefined) return { kind: 'absent', doubt };
    const isShared = (claims.get(call.callId) ?? 0) > 1;
    const isOne = calls.every(({ callId }) => callId === call.callId);
    if (isOne && !isShared) return { kind: 'matched', doubt, call };
    return { kind: 'ambiguous', doubt, lines: calls.map(({ line }) => line) };
  });
}
